/* scheduler -- the narrow waist: who is ready, and who runs next.
 *
 * Owns:   making a process ready, choosing the next one, attention, setting the alarm.
 * Leaves: who waits for what to those that call it; what to do when nobody is ready to outside.h
 *         (solo) and sharing.h (several are active).
 * Holds:  a C routine that parks its caller has stored what the process waits for (next, wait) and
 *         published it, and returns rt_scheduler_next: the context was saved before C was entered.
 *         Nothing else switches. A process made ready by C is appended to its worker's queue.
 *
 * Attention: when MODE_ATTENTION is set, the next park comes here and looks at signals, deadlines
 * and devices. An alarm sets it: at the earliest deadline; at DEVICE_SLICE_US while a process waits
 * for a device; else every SLICE_US while processes run, every SHARING_SLICE_US, and up to
 * four times that after fine samples, while workers sleep; never within ALARM_REST_US, of a
 * crowd that it finds served up to ALARM_REST_MOST_US, since crowded deadlines are met at other
 * passes through here. So no process that keeps communicating
 * starves those that wait for time or input.
 *
 * In virtual time a run of one worker repeats exactly as long as no process computes, without a
 * park, for EXACT_SLICE_US: the alarm rings that often, and changes nothing before. */
#ifndef RT_SCHEDULER_H
#define RT_SCHEDULER_H

#include "process.h"
#include "stress.h"
#include "worker.h"

/* FORKs that found no free block (each makes some ten) before they let others run first. */
enum { FORK_PAUSE_AFTER = 64 };

enum {
    SHARING_SLICE_US = RT_STRESS_SHARE ? 200 : 1000,
    DEVICE_SLICE_US = 1000,
    EXACT_SLICE_US = 50000 /* virtual time */
};

/* The process need not wait any more: it is the last in the queue of that worker. */
void rt_scheduler_ready(Worker *worker, Process *process);
/* The same of several that this worker has parked, linked by next, from the first to the last. */
void rt_scheduler_ready_chain(Worker *worker, Process *first, Process *last);
/* The process to resume, after the caller has been parked. Waits for deadlines and devices; ends
 * the program by the deadlock report when nothing can happen any more. While an operation is done
 * for another process (ownership.h) it only says so, by the worker's main_process. */
Process *rt_scheduler_next(Worker *worker);

/* The same for who is alone, traced, and asked for nothing: what compiled code does. */
Process *rt_scheduler_next_alone(Worker *worker);

/* The caller waits, and has been published inside the world, or not at all: nobody finds it before
 * it has said what for, and its context is saved. */
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
