/* mobile_process -- activation, SUSPEND, the end. See mobile_process.h. */
#include "mobile_process.h"

#include "occ/runtime.h"
#include "process.h"
#include "scheduler.h"

static Process *begin(Process *me, MobileProcess *mobile, const Site *site) {
    Process *process = rt_block_allocate(me, mobile->block_bytes, site);
    process_begin(process, mobile->body, mobile, NULL, INDEX_NONE);
    return process;
}

static void go_on(Process *me, MobileProcess *mobile, uint32_t state) {
    mobile->activator = me;
    mobile->state = state;
    process_resumes(mobile->process, me->worker);
}

Process *rt_mobile_activate(Process *me, void *object, const Site *site) {
    MobileProcess *mobile = object;
    if (mobile->process == NULL) {
        mobile->process = begin(me, mobile, site);
    }
    process_waits(me, site, object);
    go_on(me, mobile, PROCESS_ACTIVE);
    return mobile->process;
}

Process *rt_mobile_suspend(Process *me, void *object, const Site *site) {
    MobileProcess *mobile = object;
    Worker *worker = me->worker;
    Process *activator = mobile->activator;
    process_waits(me, site, object);
    mobile->activator = NULL;
    mobile->state = PROCESS_SUSPENDED;
    rt_scheduler_ready(worker, activator);
    return rt_scheduler_next(worker);
}

Process *rt_mobile_ended(Process *me, void *object) {
    MobileProcess *mobile = object;
    Worker *worker = me->worker;
    Process *activator = mobile->activator;
    bool is_cancelled = mobile->state == PROCESS_CANCELLED;
    mobile->state = PROCESS_ENDED;
    mobile->process = NULL;
    rt_block_free(worker, me);
    if (is_cancelled) {
        return activator;
    }
    rt_scheduler_ready(worker, activator);
    return rt_scheduler_next(worker);
}

Process *rt_mobile_cancel(Process *me, void *object) {
    MobileProcess *mobile = object;
    go_on(me, mobile, PROCESS_CANCELLED);
    return mobile->process;
}
