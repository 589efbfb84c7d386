/* semaphore -- see semaphore.h. */
#include "semaphore.h"

#include "error.h"
#include "gate.h"
#include "outside.h"
#include "scheduler.h"
#include "stop.h"
#include "sync_wait.h"
#include "world.h"

static void note_holder(Sync *sync, Process *holder, const Site *site) {
    sync->holder = holder;
    sync->site = site;
}

/* True: there was a permit, it is mine now. */
static bool take_permit(Sync *sync, Process *me, const Site *site) {
    if (sync->value <= 0) {
        return false;
    }
    sync->value--;
    note_holder(sync, me, site);
    return true;
}

void rt_semaphore_initialise(Process *me, void *semaphore, int32_t permits, const Site *site) {
    Sync *sync = semaphore;
    sync_enter(me->worker, sync);
    bool is_in_use = sync->first != NULL;
    sync->value = permits;
    note_holder(sync, NULL, NULL);
    sync_leave(me->worker, sync);
    if (permits < 0) {
        rt_fail(me, ERROR_SEMAPHORE_COUNT, site, permits, 0, 0);
    }
    if (is_in_use) {
        rt_fail(me, ERROR_SYNC_IN_USE, site, 0, 0, 0);
    }
}

/* ---- at the gate ---- */

static void offer_permit(GateOp *op) {
    const Sync *sync = op->object;
    if (sync->value > 0) {
        gate_event(&(GateEvent){.op = op, .kind = EXPLORE_PERMIT, .object = sync});
    }
}

static Process *perform_permit(GateOp *op, const GateEvent *event) {
    (void)event;
    return rt_semaphore_claim(op->process, op->object, op->record, op->site);
}

static const GateKind permit_kind = {offer_permit, perform_permit, NULL, gate_use_object};

Process *rt_semaphore_claim(Process *me, void *semaphore, void *record, const Site *site) {
    Worker *worker = me->worker;
    Sync *sync = semaphore;
    SyncWaiter *waiter = record;
    if (gate_is_on(worker)) {
        return gate_park(
            me, &permit_kind,
            &(GateOp){.object = sync, .record = record, .site = site, .what = EXPLORE_PERMIT});
    }
    sync_enter(worker, sync);
    if (take_permit(sync, me, site)) {
        sync_leave(worker, sync);
        return me;
    }
    waiter->alt = NULL;
    return sync_wait(me, sync, waiter, site);
}

int32_t rt_semaphore_try(Process *me, void *semaphore, const Site *site) {
    Sync *sync = semaphore;
    sync_enter(me->worker, sync);
    bool is_taken = take_permit(sync, me, site);
    sync_leave(me->worker, sync);
    return is_taken;
}

/* ---- until a time ---- */

static void begin_wait(Process *me, Alt *alt) {
    *alt = (Alt){.state = ALT_WAITING, .process = me, .count = 1};
    alt->guards[0] = (AltGuard){.kind = GUARD_TIMER};
}

/* ---- the same at the gate ---- */

static void offer_until(GateOp *op) {
    offer_permit(op);
    if (ticks_reached((Ticks){rt_root.time.now_us}, op->due)) {
        gate_event(&(GateEvent){.op = op, .guard = 1, .kind = EXPLORE_MISSED});
    }
}

static Process *perform_until(GateOp *op, const GateEvent *event) {
    Sync *sync = op->object;
    SyncWaiter *waiter = op->record;
    waiter->number = (event == NULL || event->kind == EXPLORE_PERMIT) &&
                     take_permit(sync, op->process, op->site);
    waiter->alt = NULL;
    return op->process;
}

static bool wakes_until(const GateOp *op, Ticks *due) {
    *due = op->due;
    return true;
}

static const GateKind until_kind = {offer_until, perform_until, wakes_until, gate_use_object};

Process *rt_semaphore_until(Process *me, void *semaphore, int32_t deadline, void *record,
                            const Site *site) {
    Worker *worker = me->worker;
    Sync *sync = semaphore;
    SyncWaiter *waiter = record;
    if (gate_is_on(worker)) {
        GateOp what = {.object = sync, .record = record, .site = site, .what = EXPLORE_PERMIT};
        what.due = ticks_after((Ticks){rt_root.time.now_us}, deadline);
        return gate_park(me, &until_kind, &what);
    }
    waiter->number = 1;
    waiter->process = NULL; /* in no queue */
    world_enter(worker);
    Ticks now = time_source_now(&rt_root.time);
    Ticks due = ticks_after(now, deadline);
    sync_enter(worker, sync);
    bool is_taken = take_permit(sync, me, site);
    if (is_taken || ticks_reached(now, due)) {
        sync_leave(worker, sync);
        world_leave(worker);
        waiter->number = is_taken;
        waiter->alt = NULL;
        return me;
    }
    begin_wait(me, waiter->alt);
    sync_prepare(me, sync, waiter, site);
    sync_append(sync, waiter);
    sync->issued++;
    sync_leave(worker, sync);
    if (!deadline_queue_add_alt(&rt_root.deadlines, due, waiter->alt)) {
        rt_error_no_memory(me, site, sizeof(HeapEntry));
    }
    outside_wake_sleepers(worker, now);
    return rt_scheduler_next(worker);
}

static void take_out(Sync *sync, const SyncWaiter *waiter) {
    SyncWaiter *before = NULL;
    for (SyncWaiter *at = sync->first; at != waiter; at = at->next) {
        before = at;
    }
    if (before == NULL) {
        sync->first = waiter->next;
    } else {
        before->next = waiter->next;
    }
    if (sync->last == waiter) {
        sync->last = before;
    }
}

/* After the wait: 1 if a release has won, 0 if the time has. */
int32_t rt_semaphore_withdraw(Process *me, void *semaphore, void *record) {
    Worker *worker = me->worker;
    Sync *sync = semaphore;
    SyncWaiter *waiter = record;
    if (waiter->alt == NULL) {
        return (int32_t)waiter->number;
    }
    world_enter(worker);
    bool is_taken = waiter->alt->winner != NULL;
    sync_enter(worker, sync);
    if (waiter->process != NULL) {
        take_out(sync, waiter);
        sync->issued--;
    }
    sync_leave(worker, sync);
    deadline_queue_remove_alt(&rt_root.deadlines, waiter->alt);
    world_leave(worker);
    return is_taken;
}

/* ---- release ---- */

/* Hand the permit on. False: the first waits until a time, and the world has to be entered. */
static bool hand_on(Worker *worker, Sync *sync, bool is_in_world) {
    SyncWaiter *waiter;
    while ((waiter = sync->first) != NULL) {
        if (waiter->alt != NULL && !is_in_world) {
            return false;
        }
        sync->first = waiter->next;
        Process *process = waiter->process;
        if (waiter->alt != NULL) {
            sync->issued--;
            waiter->process = NULL;
            if (!rt_alt_claim(waiter->alt, (Channel *)(void *)sync)) {
                continue; /* its time came first */
            }
        }
        note_holder(sync, process, process->wait);
        rt_scheduler_ready(worker, process);
        return true;
    }
    sync->value++;
    return true;
}

void rt_semaphore_release(Process *me, void *semaphore) {
    Worker *worker = me->worker;
    Sync *sync = semaphore;
    sync_enter(worker, sync);
    if (sync->holder == me) {
        note_holder(sync, NULL, NULL);
    }
    bool is_done = hand_on(worker, sync, false);
    sync_leave(worker, sync);
    if (!is_done) {
        world_enter(worker);
        sync_enter(worker, sync);
        (void)hand_on(worker, sync, true);
        sync_leave(worker, sync);
        world_leave(worker);
    }
}
