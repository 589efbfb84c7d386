/* timer -- TIMER operations. See timer.h. */
#include "timer.h"

#include "error.h"
#include "os.h"
#include "outside.h"
#include "scheduler.h"
#include "world.h"

enum { LOOK_EVERY = 8 }; /* waits; what they wake comes into the cache together */

/* In virtual time a reading may move the time past a deadline: the sleepers must be looked at. */
int32_t rt_time_now(Process *me) {
    if (!rt_root.time.is_virtual) {
        return ticks_to_int(time_source_now(&rt_root.time));
    }
    world_enter(me->worker);
    Ticks now = time_source_now(&rt_root.time);
    const DeadlineQueue *deadlines = &rt_root.deadlines;
    if (!deadline_queue_is_empty(deadlines) &&
        ticks_reached(now, deadline_queue_first(deadlines))) {
        mode_set(me->worker, MODE_ATTENTION);
    }
    world_leave(me->worker);
    return ticks_to_int(now);
}

int64_t rt_wall_time(Process *me) {
    if (!rt_root.time.is_virtual) {
        return os_wall_us();
    }
    (void)rt_time_now(me); /* counts as a reading */
    return INT64_C(1000000) * VIRTUAL_EPOCH_S + rt_root.time.now_us;
}

/* Some look who is due; in virtual time a reading may have made somebody so. */
static bool looks_for_others(const Worker *worker) {
    return !worker_is_solo(worker) || rt_root.time.is_virtual ||
           worker->grain.sleeps % LOOK_EVERY == 0;
}

Process *rt_timer_wait(Process *me, int32_t deadline, const Site *site) {
    Worker *worker = me->worker;
    world_enter(worker);
    bool looks = looks_for_others(worker);
    Ticks due;
    if (looks || !time_source_is_before(&rt_root.time, deadline, &due)) {
        Ticks now = time_source_now(&rt_root.time);
        due = ticks_after(now, deadline);
        if (ticks_reached(now, due)) {
            world_leave(worker);
            return me;
        }
        if (looks) {
            outside_wake_sleepers(worker, now);
        }
    }
    if (!deadline_queue_add_process(&rt_root.deadlines, due, me)) {
        rt_error_no_memory(me, site, sizeof(HeapEntry));
    }
    worker->grain.sleeps++;
    return rt_scheduler_park(me, site, NULL);
}
