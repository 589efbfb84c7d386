/* world -- the lock over everything that is not hot, and stopping the others.
 *
 * Owns:   entering and leaving; world_stop.
 * Leaves: what lies under it to the files that say so: devices, deadlines, signals that are to be
 *         served, ALT records, reports.
 * Holds:  solo, entering is free and nothing is taken. A worker that parks inside leaves by
 *         rt_scheduler_next, after the context has been saved: nobody is parked inside, and nobody
 *         runs a process inside. */
#ifndef RT_WORLD_H
#define RT_WORLD_H

#include "worker.h"

static inline void world_enter(Worker *worker) {
    worker->grain.worlds++;
    if (!worker_is_solo(worker) && !worker->holds_world) {
        lock_take(&rt_root.world);
        worker->holds_world = true;
    }
}

static inline void world_leave(Worker *worker) {
    if (worker->holds_world) {
        worker->holds_world = false;
        lock_release(&rt_root.world);
    }
}

/* Ask every active worker to look at the world at its next scheduling point (signal). */
void world_ask_attention(void);
/* The same, and wait until those that run processes wait for the lock, which the caller holds; not
 * for ever, since a process may be in C. Leaving lets them go on. */
void world_stop(Worker *worker);

#endif
