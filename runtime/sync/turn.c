/* turn -- see turn.h. */
#include "turn.h"

#include "gate.h"
#include "scheduler.h"
#include "stop.h"
#include "sync_wait.h"

enum { CREW_WRITER = -1 };

/* ---- TICKET: Sync.value is served now, Sync.issued is taken next ---- */

/* How many are served before that number. */
static uint32_t distance(const Sync *sync, int64_t number) {
    return (uint32_t)number - (uint32_t)sync->value;
}

int32_t rt_ticket_take(Process *me, void *ticket) {
    Sync *sync = ticket;
    sync_enter(me->worker, sync);
    uint32_t number = (uint32_t)sync->issued++;
    sync_leave(me->worker, sync);
    return (int32_t)number;
}

static void insert_by_number(Sync *sync, SyncWaiter *waiter) {
    if (sync->first == NULL ||
        distance(sync, sync->last->number) < distance(sync, waiter->number)) {
        sync_append(sync, waiter);
        return;
    }
    SyncWaiter **at = &sync->first;
    while (distance(sync, (*at)->number) < distance(sync, waiter->number)) {
        at = &(*at)->next;
    }
    waiter->next = *at;
    *at = waiter;
}

Process *rt_ticket_await(Process *me, void *ticket, int32_t number, void *record,
                         const Site *site) {
    Worker *worker = me->worker;
    Sync *sync = ticket;
    SyncWaiter *waiter = record;
    sync_enter(worker, sync);
    uint32_t before = distance(sync, number);
    int64_t served = (int32_t)sync->value;
    int64_t taken = (int32_t)sync->issued;
    if (before >= distance(sync, sync->issued)) {
        sync_leave(worker, sync);
        rt_fail(me, ERROR_TICKET_UNKNOWN, site, number, served, taken);
    }
    if (before == 0) {
        sync->holder = me;
        sync_leave(worker, sync);
        return me;
    }
    sync_prepare(me, sync, waiter, site);
    waiter->number = number;
    insert_by_number(sync, waiter);
    sync_leave(worker, sync);
    return rt_scheduler_next(worker);
}

void rt_ticket_serve(Process *me, void *ticket, const Site *site) {
    Worker *worker = me->worker;
    Sync *sync = ticket;
    sync_enter(worker, sync);
    bool is_wrong = distance(sync, sync->issued) == 0;
    if (sync->holder != me) {
        gate_note_limit(worker, EXPLORE_LIMIT_ORDER); /* whose turn it is may not know it yet */
    }
    if (!is_wrong) {
        sync->value++;
        sync->holder = NULL;
        if (sync->first != NULL && distance(sync, sync->first->number) == 0) {
            sync->holder = sync_take(sync)->process;
            rt_scheduler_ready(worker, sync->holder);
        }
    }
    sync_leave(worker, sync);
    if (is_wrong) {
        rt_fail(me, ERROR_TICKET_NONE, site, 0, 0, 0);
    }
}

/* ---- BUCKET ---- */

Process *rt_bucket_fall(Process *me, void *bucket, void *record, const Site *site) {
    Sync *sync = bucket;
    SyncWaiter *waiter = record;
    sync_enter(me->worker, sync);
    sync->value++;
    return sync_wait(me, sync, waiter, site);
}

void rt_bucket_flush(Process *me, void *bucket) {
    Worker *worker = me->worker;
    Sync *sync = bucket;
    sync_enter(worker, sync);
    SyncWaiter *waiter;
    while ((waiter = sync_take(sync)) != NULL) {
        rt_scheduler_ready(worker, waiter->process);
    }
    sync->value = 0;
    sync_leave(worker, sync);
}

int32_t rt_bucket_number(Process *me, void *bucket) {
    Sync *sync = bucket;
    sync_enter(me->worker, sync);
    int32_t number = (int32_t)sync->value;
    sync_leave(me->worker, sync);
    return number;
}

/* ---- CREW: Sync.value readers, or CREW_WRITER ---- */

/* True: in, as one more reader or as the writer. */
static bool get_in(Sync *sync, bool writes, Process *who, const Site *site) {
    if (writes ? sync->value != 0 : sync->value < 0) {
        return false;
    }
    sync->value = writes ? CREW_WRITER : sync->value + 1;
    sync->holder = who;
    sync->site = site;
    return true;
}

Process *rt_crew_enter(Process *me, void *crew, int32_t writes, void *record, const Site *site) {
    Worker *worker = me->worker;
    Sync *sync = crew;
    SyncWaiter *waiter = record;
    sync_enter(worker, sync);
    if (sync->first == NULL && get_in(sync, writes != 0, me, site)) {
        sync_leave(worker, sync);
        return me;
    }
    waiter->number = writes;
    return sync_wait(me, sync, waiter, site);
}

/* The first in line, and with a reader all readers behind it. */
static void let_in(Worker *worker, Sync *sync) {
    SyncWaiter *waiter;
    while ((waiter = sync->first) != NULL &&
           get_in(sync, waiter->number != 0, waiter->process, waiter->process->wait)) {
        (void)sync_take(sync);
        rt_scheduler_ready(worker, waiter->process);
    }
}

void rt_crew_leave(Process *me, void *crew, int32_t writes, const Site *site) {
    Worker *worker = me->worker;
    Sync *sync = crew;
    sync_enter(worker, sync);
    bool is_in = writes ? sync->value == CREW_WRITER : sync->value > 0;
    if (is_in) {
        sync->value = writes ? 0 : sync->value - 1;
        if (sync->holder == me) {
            sync->holder = NULL;
            sync->site = NULL;
        }
        let_in(worker, sync);
    }
    sync_leave(worker, sync);
    if (!is_in) {
        rt_fail(me, writes ? ERROR_CREW_NOT_WRITING : ERROR_CREW_NOT_READING, site, 0, 0, 0);
    }
}
