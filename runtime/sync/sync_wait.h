/* sync_wait -- the end of every wait for an object of module sync.
 *
 * Leaves: the record and its queue to sync.h. */
#ifndef RT_SYNC_WAIT_H
#define RT_SYNC_WAIT_H

#include "scheduler.h"
#include "sync.h"

/* Inside the record, which is then left: the process becomes the last in its queue. */
static inline Process *sync_wait(Process *me, Sync *sync, SyncWaiter *waiter, const Site *site) {
    Worker *worker = me->worker;
    sync_prepare(me, sync, waiter, site);
    sync_append(sync, waiter);
    sync_leave(worker, sync);
    return rt_scheduler_next(worker);
}

#endif
