/* posix_thread -- threads, CPUs, sleeping and waking, a bell. See os.h. Linux. */
#define _GNU_SOURCE
#include "os.h"

#include "posix_time.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { THREAD_STACK_BYTES = 256 * 1024 };

/* ---- sleeping and waking ---- */

static void wait_in_kernel(uint32_t *word, uint32_t value, const struct timespec *timeout) {
    (void)syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, timeout, NULL, 0);
}

#ifdef __SANITIZE_THREAD__
/* ThreadSanitizer holds a signal back until its thread calls a function that it intercepts; a
 * sleeping thread calls none. So signals go to threads that are awake. */
static void wait_beside_signals(uint32_t *word, uint32_t value, const struct timespec *timeout) {
    sigset_t all;
    sigset_t before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    wait_in_kernel(word, value, timeout);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}
#else
#define wait_beside_signals wait_in_kernel
#endif

void os_futex_wait(uint32_t *word, uint32_t value, int64_t timeout_ns) {
    struct timespec timeout = timespec_of(timeout_ns);
    wait_beside_signals(word, value, timeout_ns < 0 ? NULL : &timeout);
}

void os_futex_wake(uint32_t *word, int count) {
    (void)syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

void os_pause(int64_t ns) {
    struct timespec time = timespec_of(ns);
    (void)nanosleep(&time, NULL);
}

int os_bell_create(void) {
    return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
}

void os_bell_ring(int bell) {
    uint64_t one = 1;
    ssize_t written = write(bell, &one, sizeof one);
    (void)written;
}

/* ---- threads ---- */

int64_t os_thread_cpu_ns(void) {
    struct timespec used;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return ns_of(used);
}

int os_thread_self(void) {
    return (int)syscall(SYS_gettid);
}

/* A new thread would inherit the CPUs of its starter, which may be pinned, and wait for the end of
 * that thread's slice before it could move. */
static void place(pthread_attr_t *attributes, const OsCpus *cpus) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int i = 0; i < cpus->count; i++) {
        CPU_SET((size_t)cpus->numbers[i], &set);
    }
    if (cpus->count > 0) {
        (void)pthread_attr_setaffinity_np(attributes, sizeof set, &set);
    }
}

bool os_thread_start(OsThreadMain *body, void *argument, const OsCpus *cpus) {
    pthread_t thread;
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) {
        return false;
    }
    (void)pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    (void)pthread_attr_setstacksize(&attributes, THREAD_STACK_BYTES);
    place(&attributes, cpus);
    bool is_started = pthread_create(&thread, &attributes, body, argument) == 0;
    (void)pthread_attr_destroy(&attributes);
    return is_started;
}

bool os_thread_start_for_c(OsThreadMain *body, void *argument, const OsCpus *cpus) {
    pthread_t thread;
    pthread_attr_t attributes;
    sigset_t all;
    sigset_t before;
    if (pthread_attr_init(&attributes) != 0) {
        return false;
    }
    (void)pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    place(&attributes, cpus);
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    bool is_started = pthread_create(&thread, &attributes, body, argument) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    (void)pthread_attr_destroy(&attributes);
    return is_started;
}

OsThread os_thread_handle(void) {
    _Static_assert(sizeof(OsThread) == sizeof(pthread_t), "a thread is known by one word");
    return pthread_self();
}

void os_thread_forbid_kill(void) {
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
}

void os_call_killable(void (*function)(void *), void *argument, void (*ended)(void *),
                      void *context) {
    pthread_cleanup_push(ended, context);
    (void)pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    function(argument);
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    pthread_cleanup_pop(0);
}

void os_thread_kill(OsThread thread) {
    (void)pthread_cancel(thread);
}

void os_thread_signal(int thread, int signal_number) {
    (void)syscall(SYS_tgkill, getpid(), thread, signal_number);
}

/* ---- CPUs ---- */

bool os_thread_pin(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)cpu, &set);
    return sched_setaffinity(0, sizeof set, &set) == 0;
}

int os_cpus(int *cpus, int capacity, int *usable) {
    cpu_set_t set;
    int count = 0;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        for (int cpu = 0; cpu < CPU_SETSIZE && count < capacity; cpu++) {
            if (CPU_ISSET((size_t)cpu, &set)) {
                cpus[count++] = cpu;
            }
        }
    }
    int limit = os_cpu_quota();
    *usable = count < 1 ? 1 : count < limit ? count : limit;
    return count;
}
