/* outside -- looking at the world outside, and waiting for it.
 *
 * Owns:   when devices and deadlines are looked at: at attention, and when nothing is ready; what a
 *         worker does then; what follows when nothing can ever happen.
 * Leaves: who waits for what to readiness.h and deadline_queue.h; the alarm, which brings a worker
 *         here that has other things to do, to scheduler.c.
 * Holds:  inside the world, or solo. An idle worker sets no alarm, and lets one ring only once: the
 *         kernel wakes it; for sleepers, if SLEEPERS_CROWD or more sleep, at most every
 *         ALARM_REST_US. */
#ifndef RT_OUTSIDE_H
#define RT_OUTSIDE_H

#include "worker.h"

enum { SLEEPERS_CROWD = 64 };

/* Does a process wait for a device? */
static inline bool outside_has_waiter(void) {
    return readiness_is_waited_for(&rt_root.readiness);
}

/* No alarm is set, and nobody has waited yet. */
void outside_begin(void);
/* From now on the descriptor is waited for (readiness.h); wanted 0: no more. */
void outside_watch(Watch *watch, int wanted);
/* Make those ready whose deadline has come, by a time that the caller has just read. */
void outside_wake_sleepers(Worker *worker, Ticks now);
/* At attention: devices write what they hold back, and whoever need not wait any more is ready. */
void outside_look(Worker *worker);
/* Solo, and nothing is ready: wait until something is. The program ends, with a report, when
 * nothing can happen any more. */
void outside_wait(Worker *worker);

#endif
