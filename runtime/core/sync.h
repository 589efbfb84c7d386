/* sync -- what the objects of module sync have in common: one record, its lock, its queue.
 *
 * Owns:   Sync, SyncWaiter; entering and leaving a record; the queue of those that wait.
 * Leaves: SEMAPHORE to semaphore.h, CONDITION to condition.h, TICKET, BUCKET and CREW to turn.h.
 * Holds:  a record of zeros is a new object of every kind. A process that waits is parked with
 *         `next` at the record, and has a SyncWaiter in its frame, which is in the queue until
 *         whoever wakes the process has taken it out; from then on neither may be touched. Alone,
 *         nothing is locked; otherwise the lock of the record is held for a few instructions,
 *         never while a process is parked or the world is entered: the world comes first. */
#ifndef RT_SYNC_H
#define RT_SYNC_H

#include "lock.h"
#include "process.h"
#include "worker.h"

typedef struct Sync {
    Lock lock;
    int64_t value;  /* permits; number served; number in the bucket; readers, or CREW_WRITER */
    int64_t issued; /* TICKET: numbers taken. SEMAPHORE: how many wait until a time */
    SyncWaiter *first;
    SyncWaiter *last;
    Process *holder;  /* who got the last permit, or writes; may have ended since */
    const Site *site; /* where it got it; NULL: nobody has anything */
    Claim *mutex;     /* CONDITION: of those that wait */
} Sync;

static inline void sync_enter(const Worker *worker, Sync *sync) {
    if (!worker_is_solo(worker)) {
        lock_take(&sync->lock);
    }
}

static inline void sync_leave(const Worker *worker, Sync *sync) {
    if (!worker_is_solo(worker)) {
        lock_release(&sync->lock);
    }
}

/* Store what the process waits for before it parks; once it is in the queue and the record is left,
 * nothing of it may be touched. */
static inline void sync_prepare(Process *me, Sync *sync, SyncWaiter *waiter, const Site *site) {
    waiter->process = me;
    waiter->next = NULL;
    process_waits(me, site, sync);
}

static inline void sync_append(Sync *sync, SyncWaiter *waiter) {
    waiter->next = NULL;
    if (sync->first == NULL) {
        sync->first = waiter;
    } else {
        sync->last->next = waiter;
    }
    sync->last = waiter;
}

/* The process that waits longest, or NULL. */
static inline SyncWaiter *sync_take(Sync *sync) {
    SyncWaiter *waiter = sync->first;
    if (waiter != NULL) {
        sync->first = waiter->next;
    }
    return waiter;
}

#endif
