/* os -- the contract with the operating system.
 *
 * Owns:   memory, the monotonic clock, waiting for descriptors, reading and writing, one alarm,
 *         signals, the terminal's mode, the end of the program.
 * Leaves: what any of it is for to the callers. Nothing above includes a system header for these.
 * Holds:  every function may be called on the system stack of a worker; those marked (signal) may
 *         be called in a signal handler too. Results below zero are negated errno values. */
#ifndef RT_OS_H
#define RT_OS_H

#include "check.h"

/* ---- memory (posix.c) ---- */

enum { OS_LARGE_PAGE_BYTES = 2 * 1024 * 1024 };

/* Reserve addresses without memory; NULL when there are none. Page-aligned. */
void *os_memory_reserve(size_t size_bytes);
/* Give memory to part of a reservation; zeroed. pre: page-aligned. False: out of memory. */
bool os_memory_commit(void *address, size_t size_bytes);
/* Part of it will be used as a whole: a hint to use large pages. pre: aligned to
 * OS_LARGE_PAGE_BYTES. */
void os_memory_want_large_pages(void *address, size_t size_bytes);
/* Remove the memory of a part: touching it is an error. */
void os_memory_forbid(void *address, size_t size_bytes);
void os_memory_release(void *address, size_t size_bytes);
size_t os_page_bytes(void);
/* Keep memory that is given back to malloc in the program, for the next large array. */
void os_memory_keep(void);
/* The next so many bytes of malloc, and of os_memory_reserve, need no call of the system. */
void os_memory_set_aside(size_t size_bytes);

/* ---- time (posix.c) ---- */

/* Nanoseconds on the monotonic clock (signal). */
int64_t os_clock_ns(void);
/* The same up to COARSE_NS ago, for a third of the cost. */
int64_t os_clock_coarse_ns(void);
enum { COARSE_NS = 20000000 }; /* two ticks of the slowest kernel */
/* Wake sleepers as exactly as the system can, without its timer slack. */
void os_clock_want_precision(void);
/* A number that differs from run to run. */
uint64_t os_entropy(void);
/* Microseconds since 1970-01-01 UTC by the wall clock, which may be set. */
int64_t os_wall_us(void);

/* The alarm: one signal to this process at an absolute time of os_clock_ns. False: no timers. */
bool os_alarm_create(int signal_number);
/* Set it (replacing the earlier setting); 0 disarms (signal). */
void os_alarm_set(int64_t at_ns);
void os_alarm_destroy(void);

/* ---- readiness of descriptors (posix_watch.c) ---- */

enum { OS_READABLE = 1, OS_WRITABLE = 2, OS_ENDED = 4 };

/* A descriptor that is readable when the process has ended; negative: there is none. */
int os_process_watch(long process);
/* Wait until it is ready for that, a signal arrives, or timeout_ns has passed (negative: for ever).
 * Returns whether it is ready. A closed or failed descriptor is ready for everything (signal). */
bool os_is_ready(int fd, int wanted, int64_t timeout_ns);

typedef struct OsReady {
    int fd;
    int what; /* OS_READABLE | OS_WRITABLE, both when it has failed; OS_ENDED: its end is in sight
               */
} OsReady;

enum { OS_WATCH_MAX = 64 };

/* A watch: any number of descriptors that are waited for together. Negative: none is left. */
int os_watch_create(void);
void os_watch_destroy(int watch);
/* Tell once when the descriptor is ready for one of these; replaces earlier requests. False: it
 * cannot be watched (a plain file, no descriptor): it always counts as ready. */
bool os_watch_ask(int watch, int fd, int wanted);
/* From now on tell of every change in either direction, until the descriptor is closed; also at
 * once if it is ready already. False: as above. */
bool os_watch_keep(int watch, int fd, bool is_kept_already);
/* Wait until one is ready, a signal arrives, or timeout_ns has passed (negative: for ever). Result:
 * how many are ready, at most OS_WATCH_MAX, each told once; others are told the next time. */
size_t os_watch_wait(int watch, OsReady *ready, int64_t timeout_ns);

/* ---- descriptors (posix.c) ---- */

/* At most size_bytes; interrupted calls are repeated (signal). */
long os_read(int fd, void *into, size_t size_bytes);
long os_write(int fd, const void *from, size_t size_bytes);
/* Open a file for appending; it is created if there is none. */
int os_append(const char *path);
/* Write all of size_bytes at an offset of a file; false: that failed. */
bool os_read_at(const char *path, int64_t at, void *into, size_t size_bytes);
bool os_write_at(const char *path, int64_t at, const void *from, size_t size_bytes);
const char *os_error_text(int error);
bool os_is_would_block(long result);
/* Does the error say that there is no such descriptor? */
bool os_is_closed(long result);
/* A plain file never makes a writer wait; a terminal wants lines at once. */
bool os_is_plain_file(int fd);
bool os_is_terminal(int fd);

/* ---- confinement (posix_confine.c) ---- */

/* From now on this process, and no other, is killed by SIGSYS before it does anything that
 * restoring its memory would not undo; reading and writing 0, 1 and 2 stay allowed. False: this
 * system cannot do it. */
bool os_confine(void);

/* ---- threads (posix_thread.c) ---- */

typedef void *OsThreadMain(void *argument);

/* Sleep while the word has the value; at most timeout_ns (negative: for ever). May return early. */
void os_futex_wait(uint32_t *word, uint32_t value, int64_t timeout_ns);
void os_futex_wake(uint32_t *word, int count);
void os_pause(int64_t ns);
/* A bell is a descriptor: a watch that keeps it is told of each ring (signal). */
int os_bell_create(void);
void os_bell_ring(int bell);
/* The CPUs a thread may run on; count 0: those of the thread that starts it. */
typedef struct OsCpus {
    const int *numbers;
    int count;
} OsCpus;

/* A detached thread with a small stack. False: the system refuses. */
bool os_thread_start(OsThreadMain *body, void *argument, const OsCpus *cpus);
/* The same for C code of others: with the system's usual stack, and signals blocked. */
bool os_thread_start_for_c(OsThreadMain *body, void *argument, const OsCpus *cpus);
/* Processor time of this thread in nanoseconds. */
int64_t os_thread_cpu_ns(void);
int os_thread_self(void);
/* Send the signal to one thread of ours (signal). */
/* A thread that may be told to end while it calls `function`. */
typedef unsigned long OsThread;
OsThread os_thread_handle(void); /* of the caller */
/* This thread is ended by os_thread_kill only inside os_call_killable. */
void os_thread_forbid_kill(void);
/* Call function (argument); if the thread is killed in it, ended (context) is called instead of
 * returning, and then the thread ends. */
void os_call_killable(void (*function)(void *), void *argument, void (*ended)(void *),
                      void *context);
/* End the thread, which still runs, at its next cancellation point in os_call_killable. */
void os_thread_kill(OsThread thread);
void os_thread_signal(int thread, int signal_number);
/* Only on this CPU from now on. */
bool os_thread_pin(int cpu);
/* The CPUs of the affinity mask, and how many may be used at once (the control group's quota). */
int os_cpus(int *cpus, int capacity, int *usable);
/* How many CPUs the control groups of the process may use, rounded up; INT_MAX: no limit. */
int os_cpu_quota(void);

/* ---- the terminal (posix_terminal.c) ---- */

/* Single characters, no echo, signal keys kept. False when fd is no terminal. */
bool os_terminal_make_raw(int fd);
/* Restore the mode; nothing happens if it was never made raw (signal). */
void os_terminal_restore(void);
/* Make it raw again when the program continues after a stop (signal). */
void os_terminal_make_raw_again(void);

/* ---- signals (posix_signal.c) ---- */

/* sp: the stack pointer of what was interrupted. */
typedef void OsSignalHandler(int signal_number, const void *sp);

enum {
    OS_SIGNAL_ALARM,     /* the alarm */
    OS_SIGNAL_INTERRUPT, /* SIGINT SIGTERM SIGHUP: end the program */
    OS_SIGNAL_REPORT,    /* SIGQUIT: who waits for what */
    OS_SIGNAL_CRASH,     /* SIGSEGV SIGBUS SIGFPE SIGILL SIGABRT */
    OS_SIGNAL_STOP,      /* SIGTSTP: stopped from the terminal */
    OS_SIGNAL_CONTINUE   /* SIGCONT */
};

enum { OS_SIGNAL_STACK_BYTES = 256 * 1024 };
/* This thread handles signals on the stack at low; every thread that runs processes has one. */
bool os_signal_stack(void *low);
/* The same for the first thread; from now on SIGPIPE and SIGXFSZ do nothing, and SIGCHLD is not
 * ignored. */
bool os_signal_begin(void);
/* Does the error of a write say that the reader has gone? Then end the program by SIGPIPE, as is
 * the default, unless that was ignored when the program began. False: go on. */
bool os_end_by_broken_pipe(int error);
/* Handle a group (OS_SIGNAL_...) on the signal stack, interrupting system calls not at all. A
 * signal that was ignored when the program began stays ignored, the crash group excepted. */
void os_signal_handle(int group, OsSignalHandler *handler);
int os_signal_alarm_number(void);
const char *os_signal_name(int signal_number);
/* Default action, delivered at once: the program ends (or stops) the way its parent expects
 * (signal). */
void os_signal_default(int signal_number);
/* SIGSTOP to ourselves (signal). */
void os_signal_stop(void);

/* ---- the end (posix.c) ---- */

/* Run the C library's exit handlers. */
_Noreturn void os_exit(int status);
/* At once (signal). */
_Noreturn void os_exit_now(int status);

#endif
