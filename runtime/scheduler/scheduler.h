/* scheduler -- the narrow waist: who is ready, and who runs next.
 *
 * Owns:   making a process ready, choosing the next one, attention, setting the alarm.
 * Leaves: who waits for what to its callers; what to do when nobody is ready to outside.h (solo)
 *         and sharing.h (several are active).
 * Holds:  a C routine that parks its caller has stored what the process waits for (next, wait) and
 *         published it, and returns rt_scheduler_next: the context was saved before C was entered.
 *         Nothing else switches. A process made ready by C is appended to its worker's queue.
 *
 * Attention: when MODE_ATTENTION is set, the next park comes here and looks at signals, deadlines
 * and devices. An alarm sets it: at the earliest deadline; every DEVICE_SLICE_US while a process
 * waits for a device; otherwise every SLICE_US, or SHARING_SLICE_US (up to four times that after
 * fine samples) while workers sleep. Alarms are ALARM_REST_US apart, or up to ALARM_REST_MOST_US
 * for a crowd of sleepers that is served in time without them. So a process that keeps
 * communicating does not starve those that wait for time or input.
 *
 * In virtual time a run on one worker repeats exactly as long as no process computes for
 * EXACT_SLICE_US without a park: the alarm rings that often, and changes nothing before. */
#ifndef RT_SCHEDULER_H
#define RT_SCHEDULER_H

#include "process.h"
#include "stress.h"
#include "worker.h"

/* FORKs without a free block (each makes about ten) before the caller lets others run. */
enum { FORK_PAUSE_AFTER = 64 };

enum {
    SHARING_SLICE_US = RT_STRESS_SHARE ? 200 : 1000,
    DEVICE_SLICE_US = 1000,
    EXACT_SLICE_US = 50000 /* virtual time */
};

/* The process need not wait any more: append it to the queue of that worker. */
void rt_scheduler_ready(Worker *worker, Process *process);
/* The same for several that this worker has parked, linked by next from the first to the last. */
void rt_scheduler_ready_chain(Worker *worker, Process *first, Process *last);
/* The process to resume, after the caller has been parked. Waits for deadlines and devices; ends
 * the program with a deadlock report when nothing can happen any more. While it does an operation
 * for another process (ownership.h) it returns the worker's main_process instead. */
Process *rt_scheduler_next(Worker *worker);

/* The same for a worker that is alone, traced, and asked for nothing: as compiled code does it. */
Process *rt_scheduler_next_alone(Worker *worker);

/* Park the caller, which has been published inside the world or not at all: nobody finds it before
 * it has stored what it waits for and its context is saved. */
static inline Process *rt_scheduler_park(Process *me, const Site *site, void *object) {
    Worker *worker = me->worker;
    process_waits(me, site, object);
    return rt_scheduler_next(worker);
}

/* abi.def */
Process *rt_park(Process *me);
Process *rt_reschedule(Process *me);
void rt_start_lower(Process *me, void *process, int32_t levels);
Process *rt_fork_pause(Process *me);
Process *rt_priority_set(Process *me, int32_t level);
Process *rt_yield(Process *me);
Process *rt_join(Process *me, void *par, const Site *site);
/* switch.S: the end of a process whose block is not for the free list. */
Process *rt_process_end(Process *me);

#endif
