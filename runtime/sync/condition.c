/* condition -- see condition.h. */
#include "condition.h"

#include "atomic.h"
#include "claim.h"
#include "gate.h"
#include "scheduler.h"
#include "stop.h"
#include "sync.h"

static bool is_held_by(Claim *claim, const Process *me) {
    return atomic_get_acquire(&claim->word) != 0 && atomic_get_relaxed(&claim->holder) == me;
}

/* ---- at the gate: a signal before the wait is lost ---- */

static void offer_wait(GateOp *op) {
    gate_event(&(GateEvent){.op = op, .kind = EXPLORE_WAIT, .object = op->object});
}

static Process *perform_wait(GateOp *op, const GateEvent *event) {
    (void)event;
    SyncWaiter *waiter = op->record;
    return rt_condition_wait(op->process, op->object, (Claim *)(void *)waiter->next, waiter,
                             op->site);
}

static const GateKind wait_kind = {offer_wait, perform_wait, NULL, gate_use_object};

Process *rt_condition_wait(Process *me, void *condition, void *mutex, void *record,
                           const Site *site) {
    Worker *worker = me->worker;
    Sync *sync = condition;
    SyncWaiter *waiter = record;
    if (!is_held_by(mutex, me)) {
        rt_fail(me, ERROR_CONDITION_NOT_HELD, site, 0, 0, 0);
    }
    if (gate_is_on(worker)) {
        waiter->next = mutex; /* saved for perform */
        return gate_park(
            me, &wait_kind,
            &(GateOp){.object = sync, .record = waiter, .site = site, .what = EXPLORE_WAIT});
    }
    sync_enter(worker, sync);
    if (sync->first != NULL && sync->mutex != mutex) {
        sync_leave(worker, sync);
        rt_fail(me, ERROR_CONDITION_MUTEX, site, 0, 0, 0);
    }
    sync->mutex = mutex;
    sync_prepare(me, sync, waiter, site);
    sync_append(sync, waiter);
    sync_leave(worker, sync);
    claim_hand_on(worker, mutex); /* this may hand it to me at once: I have been signalled */
    return rt_scheduler_next(worker);
}

void rt_condition_signal(Process *me, void *condition, int32_t all) {
    Worker *worker = me->worker;
    Sync *sync = condition;
    sync_enter(worker, sync);
    SyncWaiter *waiter;
    while ((waiter = sync_take(sync)) != NULL) {
        claim_join(worker, sync->mutex, waiter->process, waiter->site);
        if (!all) {
            break;
        }
    }
    sync_leave(worker, sync);
}
