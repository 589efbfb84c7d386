/* thread -- counting, starting, waking. See thread.h. */
#include "thread.h"

#include "arch.h"
#include "ending.h"
#include "os.h"
#include "recorder.h"
#include "scheduler.h"
#include "setting.h"

#ifdef RT_SANITIZE
enum { CAN_SHARE = 0 }; /* ASan knows only one C stack */
#else
enum { CAN_SHARE = 1 };
#endif

/* A run that is to be repeated exactly has one worker, unless it is told otherwise. */
static bool is_to_be_repeated(void) {
    return setting_is_there("OCC_SEED") || setting_is("OCC_TIME", "virtual");
}

unsigned thread_count(void) {
    if (setting_is_explored()) {
        return 1;
    }
    long wished = (long)setting_number("OCC_WORKERS");
    rt_root.cpu_count = os_cpus(rt_root.cpus, WORKERS_MAX, &rt_root.usable_cpus);
    long usable = rt_root.usable_cpus;
    long count = wished != 0 ? wished : is_to_be_repeated() ? 1 : usable;
    return !CAN_SHARE || setting_is("OCC_PAINT", "1") ? 1 : (unsigned)count;
}

/* One CPU for each worker if there are enough; else any of them. */
static OsCpus cpus_of(unsigned number) {
    bool are_enough = rt_root.worker_count <= (unsigned)rt_root.usable_cpus;
    return are_enough ? (OsCpus){&rt_root.cpus[number], 1}
                      : (OsCpus){rt_root.cpus, rt_root.cpu_count};
}

void thread_pin(Worker *worker) {
    OsCpus cpus = cpus_of(worker->number);
    if (!worker->is_pinned && cpus.count == 1) {
        (void)os_thread_pin(cpus.numbers[0]);
    }
    worker->is_pinned = true;
}

/* ---- threads ---- */

static void *run_worker(void *argument) {
    Worker *worker = argument;
    if (!os_signal_stack((char *)(worker + 1))) {
        rt_fatal("no memory is left for the signal stack of a worker", 0);
    }
    worker_is_this_thread(worker);
    worker->is_searcher = true;
    rt_arch_enter(&worker->main_process, rt_scheduler_next(worker));
    rt_unreachable("the context of a worker's thread was resumed");
}

/* Start the worker's thread; its signal stack lies behind the Worker. False: it never will run. */
static bool start(unsigned number) {
    size_t size_bytes = sizeof(Worker) + OS_SIGNAL_STACK_BYTES;
    Worker *worker = os_memory_reserve(size_bytes);
    if (worker == NULL || !os_memory_commit(worker, size_bytes)) {
        return false;
    }
    worker_add(worker, number);
    recorder_add(worker);
    worker->is_pinned = true; /* from the start */
    OsCpus cpus = cpus_of(number);
    return os_thread_start(run_worker, worker, &cpus);
}

void thread_wake_one(void) {
    int number = activity_wake_one(&rt_root.activity);
    if (number < 0) {
        return;
    }
    Worker *worker = atomic_get_acquire(&rt_root.workers[number]);
    if (worker == NULL) {
        if (!start((unsigned)number)) {
            activity_give_up(&rt_root.activity, (unsigned)number);
        }
        return;
    }
    atomic_set_release(&worker->token, 1u);
    os_futex_wake(&worker->token, 1);
}

void thread_sleep(Worker *worker) {
    while (atomic_swap(&worker->token, 0u) == 0) {
        os_futex_wait(&worker->token, 0, -1);
    }
}
