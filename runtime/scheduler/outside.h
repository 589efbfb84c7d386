/* outside -- polling the world outside, and waiting for it.
 *
 * Owns:   when devices and deadlines are polled: at attention, and when nothing is ready; what
 *         follows when nothing can ever happen.
 * Leaves: who waits for what to readiness.h and deadline_queue.h; the alarm, which brings a busy
 *         worker here, to scheduler.c.
 * Holds:  inside the world, or solo. An idle worker sets no alarm, and lets one that is set ring
 *         only once: the kernel wakes it. With SLEEPERS_CROWD sleepers or more it wakes for them at
 *         most every ALARM_REST_US. */
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
/* Wait for that event of the descriptor from now on (readiness.h); wanted 0: no more. */
void outside_watch(Watch *watch, int wanted);
/* Make some ready whose deadline has come, by a time that the caller has just read. Those that are
 * left are met soon: by the next that waits, when nothing is ready, or by the alarm. */
void outside_wake_sleepers(Worker *worker, Ticks now);
/* At attention: devices write what they hold back; whoever need not wait any more becomes ready. */
void outside_look(Worker *worker);
/* Solo, and nothing is ready: wait until something is. If nothing can ever happen, the program ends
 * with a report. */
void outside_wait(Worker *worker);

#endif
