/* fibre_machine -- the operating system of tests whose threads are fibres: memory for workers,
 * their threads, futexes, clocks, the alarm, waiting outside. The test includes the runtime's .c
 * files that it is about beside this, and supplies the rest of what they call.
 *
 * Owns:   what runtime/os promises, as far as workers need it; the end of a run that is our fault.
 * Leaves: when time passes to the test, which calls machine_tick from a fibre of its own.
 * Holds:  the fibre that is the thread of a worker has the worker's number. */
#ifndef TEST_FIBRE_MACHINE_H
#define TEST_FIBRE_MACHINE_H

#include "fibre.h"

#include "../../runtime/core/ending.h"
#include "../../runtime/core/error.h"
#include "../../runtime/core/worker.h"

#include <string.h>

enum { MACHINE_WORKERS = 3, MACHINE_BELL = 1 };

static struct {
    Worker workers[MACHINE_WORKERS]; /* all but worker 0 */
    int made;
    OsThreadMain *threads[MACHINE_WORKERS]; /* started, by number */
    Worker *threads_of[MACHINE_WORKERS];
    int64_t now_ns;
    int64_t alarm_ns;           /* 0: not set */
    int64_t cpu_ns[FIBRES_MAX]; /* by thread; while none runs, that of the first */
    bool bell;
    bool refuses_threads; /* now and then, and their memory */
    bool has_no_alarm;    /* controls */
    bool bell_is_silent;
} machine;

Runtime rt_root;

_Noreturn void rt_bug(const char *file, int line, const char *what) {
    fprintf(stderr, "FIBRE_SEED=%llu: %s:%d: %s\n", (unsigned long long)fibres.seed, file, line,
            what);
    abort();
}

_Noreturn void rt_fatal(const char *what, int error) {
    rt_bug(__FILE__, error, what);
}

_Noreturn void rt_error_no_memory(Process *me, const Site *at, size_t size_bytes) {
    (void)me, (void)at;
    rt_bug(__FILE__, (int)size_bytes, "no memory");
}

void os_futex_wait(uint32_t *word, uint32_t value, int64_t timeout_ns) {
    (void)timeout_ns;
    while (atomic_get_acquire(word) == value) {
    }
}

void os_futex_wake(uint32_t *word, int count) {
    (void)word, (void)count;
    rt_atomic_point();
}

int64_t os_clock_ns(void) {
    return machine.now_ns;
}

int64_t os_clock_coarse_ns(void) {
    return os_clock_ns();
}

int64_t os_thread_cpu_ns(void) {
    return machine.cpu_ns[fibres.current < 0 ? 0 : fibres.current];
}

int64_t os_wall_us(void) {
    return machine.now_ns;
}

void os_alarm_set(int64_t at_ns) {
    rt_atomic_point();
    machine.alarm_ns = machine.has_no_alarm ? 0 : at_ns;
}

void os_pause(int64_t ns) {
    (void)ns;
    rt_atomic_point();
}

void os_bell_ring(int bell) {
    fibre_check(bell == MACHINE_BELL);
    if (!machine.bell_is_silent) {
        atomic_set_seq(&machine.bell, true);
    }
}

bool os_signal_stack(void *low) {
    (void)low;
    return true;
}

bool os_thread_pin(int cpu) {
    return cpu >= 0;
}

int os_cpus(int *cpus, int capacity, int *usable) {
    *usable = MACHINE_WORKERS;
    *cpus = 0;
    return capacity < MACHINE_WORKERS ? capacity : MACHINE_WORKERS;
}

static bool machine_refuses(void) {
    return machine.refuses_threads && random_below(&fibres.random, 3) == 0;
}

void *os_memory_reserve(size_t size_bytes) {
    fibre_check(size_bytes == sizeof(Worker) + OS_SIGNAL_STACK_BYTES &&
                machine.made < MACHINE_WORKERS);
    return machine_refuses() ? NULL : &machine.workers[machine.made++];
}

bool os_memory_commit(void *address, size_t size_bytes) {
    (void)size_bytes; /* nobody uses the signal stack */
    memset(address, 0, sizeof(Worker));
    return !machine_refuses();
}

bool os_thread_start(OsThreadMain *body, void *argument, const OsCpus *cpus) {
    fibre_check(cpus->count > 0);
    unsigned number = ((Worker *)argument)->number;
    if (machine_refuses()) {
        return false;
    }
    machine.threads_of[number] = argument;
    atomic_set_seq(&machine.threads[number], body);
    return true;
}

void worker_is_this_thread(Worker *worker) {
    fibre_check((unsigned)fibres.current == worker->number);
}

void worker_add(Worker *worker, unsigned number) {
    worker->number = number;
    worker->main_process.worker = worker;
    random_seed(&worker->random, fibres.seed + number);
    mode_set(worker, worker_mark(worker));
    atomic_set_release(&rt_root.workers[number], worker);
}

void readiness_want(Readiness *readiness, Watch *watch, int wanted) {
    (void)readiness, (void)watch, (void)wanted;
}

bool readiness_ask(Worker *worker, Readiness *readiness) {
    (void)readiness;
    fibre_check(worker_is_solo(worker));
    return false;
}

void readiness_wait(Readiness *readiness, int64_t timeout_ns) {
    (void)readiness;
    int64_t until = timeout_ns < 0 ? INT64_MAX : machine.now_ns + timeout_ns;
    while (!atomic_get_seq(&machine.bell) && machine.now_ns < until) {
    }
}

void readiness_advance(Worker *worker, Readiness *readiness) {
    (void)worker, (void)readiness;
    atomic_set_seq(&machine.bell, false);
}

/* Time goes on; true: the alarm rings. */
static bool machine_tick(int64_t ns) {
    machine.now_ns += ns;
    bool rings = machine.alarm_ns != 0 && machine.alarm_ns <= machine.now_ns;
    machine.alarm_ns = rings ? 0 : machine.alarm_ns;
    return rings;
}

/* The body of a fibre that is a thread, once it is started. */
static void machine_be_thread(int number) {
    OsThreadMain *body;
    while ((body = atomic_get_seq(&machine.threads[number])) == NULL) {
    }
    (void)body(machine.threads_of[number]);
}

#endif
