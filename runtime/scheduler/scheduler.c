/* scheduler -- the next process, attention, idleness. See scheduler.h. */
#include "scheduler.h"

#include "atomic.h"
#include "deadlock.h"
#include "deferred.h"
#include "device.h"
#include "interrupt.h"
#include "lookout.h"
#include "os.h"
#include "ownership.h"
#include "process.h"
#include "runqueue.h"
#include "sharing.h"
#include "solo.h"
#include "standstill.h"
#include "stress.h"
#include "trace.h"
#include "world.h"

enum { NS_PER_US = 1000, LONG_WAIT_NS = 2000000, STARVED_NS = 1000000000 };

void rt_scheduler_ready(Worker *worker, Process *process) {
    rt_trace(TRACE_READY, process, process->next);
    runqueue_append(worker, process);
}

void rt_scheduler_ready_chain(Worker *worker, Process *first, Process *last) {
    runqueue_append_chain(worker, first, last);
}

/* ---- devices ---- */

void rt_scheduler_watch(Watch *watch, int wanted) {
    readiness_want(&rt_root.readiness, watch, wanted);
    if (wanted != 0 && !rt_root.alarm_is_for_device) {
        __atomic_store_n(&rt_root.alarm_at_us, 0, __ATOMIC_RELAXED);
    }
}

static void settle_devices(void) {
    for (Device *device = rt_root.devices; device != NULL; device = device->next) {
        if (device->kind->settle != NULL) {
            device->kind->settle(device);
        }
    }
}

static bool has_waiting_device(void) {
    return readiness_is_waited_for(&rt_root.readiness);
}

/* A long wait needs none; where the world has just spoken it may ring once: that is cheaper. */
static void stop_alarm(int64_t timeout_ns) {
    bool is_left = (timeout_ns >= 0 && timeout_ns < LONG_WAIT_NS) || rt_root.world_spoke;
    if (!is_left && __atomic_load_n(&rt_root.alarm_at_us, __ATOMIC_RELAXED) != 0) {
        os_alarm_set(0);
        __atomic_store_n(&rt_root.alarm_at_us, 0, __ATOMIC_RELAXED);
    }
}

/* Solo, nothing is ready: wait at most timeout_ns (negative: for ever) for the world outside. */
static void wait_outside(Worker *worker, int64_t timeout_ns) {
    Readiness *readiness = &rt_root.readiness;
    bool may_wait = !readiness_ask(worker, readiness);
    stop_alarm(timeout_ns);
    atomic_set_seq(&worker->is_idle, 1u);
    interrupt_serve(worker); /* from here on a handler acts by itself */
    interrupt_report(worker);
    may_wait = may_wait && atomic_get_seq(&rt_root.inbox) == NULL;
    readiness_wait(readiness, may_wait ? lookout_bound(timeout_ns) : 0);
    atomic_set_relaxed(&worker->is_idle, 0u);
    rt_root.world_spoke = readiness->found > 0;
    readiness_advance(worker, readiness);
}

/* The same for ever, unless a call of C waits for a thread. */
static void wait_for_world(Worker *worker) {
    bool is_starved = atomic_get_acquire(&rt_root.starved) != NULL;
    int64_t until_ns = os_clock_ns() + STARVED_NS;
    wait_outside(worker, is_starved ? STARVED_NS : -1);
    void (*starved)(void) = atomic_get_acquire(&rt_root.starved);
    if (is_starved && starved != NULL && worker->head == NULL && os_clock_ns() >= until_ns) {
        starved();
    }
}

/* Let those go on whose descriptors are ready. */
static void poll_devices(Worker *worker) {
    Readiness *readiness = &rt_root.readiness;
    if (has_waiting_device() && !readiness_ask(worker, readiness)) {
        readiness_wait(readiness, 0);
        readiness_advance(worker, readiness);
    }
}

/* ---- runs that repeat exactly ---- */

/* In virtual time nothing follows from the real time: with one worker, and nobody who waits for a
 * device, a run is the same each time. Only a process that computes for long must not keep the
 * others from running: it lets them when it has not parked between two rings of the alarm. */
static bool is_exact(void) {
    return rt_root.time.is_virtual && rt_root.worker_count == 1 && !has_waiting_device();
}

/* At a ring of the alarm: the running process has not parked since the last one (look_around). */
static bool has_computed(Worker *worker) {
    int64_t now_ns = os_thread_cpu_ns();
    if ((atomic_get_relaxed(&worker->mode) & MODE_COMPUTES) == 0) {
        mode_set(worker, MODE_COMPUTES);
        worker->computes_ns = now_ns;
        return false;
    }
    return now_ns - worker->computes_ns >= EXACT_SLICE_US * NS_PER_US / 2;
}

/* A sleeper's time has come by readings (timer.c). */
static bool has_due_sleeper(void) {
    const DeadlineQueue *deadlines = &rt_root.deadlines;
    return !deadline_queue_is_empty(deadlines) &&
           ticks_reached((Ticks){rt_root.time.now_us}, deadline_queue_first(deadlines));
}

/* Does anything but the flow of the program ask for the worker? */
static bool is_asked(Worker *worker) {
    uint32_t asks = atomic_get_relaxed(&worker->mode) & ~(uint32_t)MODE_SHARED;
    return asks != 0 && (!is_exact() || has_computed(worker));
}

/* ---- deadlines ---- */

void rt_scheduler_wake_sleepers(Worker *worker, Ticks now) {
    Process *process;
    while ((process = deadline_queue_take_due(&rt_root.deadlines, now)) != NULL) {
        rt_scheduler_ready(worker, process);
    }
    deadline_queue_prefetch(&rt_root.deadlines);
}

static void wake_sleepers(Worker *worker) {
    if (!deadline_queue_is_empty(&rt_root.deadlines)) {
        bool is_virtual = rt_root.time.is_virtual; /* this is no reading of the program's */
        Ticks now = is_virtual ? (Ticks){rt_root.time.now_us} : time_source_now(&rt_root.time);
        rt_scheduler_wake_sleepers(worker, now);
    }
}

/* While somebody sleeps, work for him is to be seen soon (sharing.c). */
static int64_t slice_us(void) {
    if (is_exact()) {
        return EXACT_SLICE_US;
    }
    uint64_t asleep = atomic_get_relaxed(&rt_root.activity.word) & rt_root.activity.all;
    return asleep != 0 ? (int64_t)SHARING_SLICE_US << rt_root.trial.fine_samples : SLICE_US;
}

/* The alarm rings at the earliest moment at which somebody must be looked after. Set only when it
 * is not set or set too late: ringing too early does no harm. Who begins to wait for a device
 * forgets the setting (rt_scheduler_watch). */
static void set_alarm(void) {
    bool is_virtual = rt_root.time.is_virtual;
    bool has_deadline = !is_virtual && !deadline_queue_is_empty(&rt_root.deadlines);
    int64_t due = has_deadline ? deadline_queue_first(&rt_root.deadlines).us : INT64_MAX / 2;
    int64_t set_for = __atomic_load_n(&rt_root.alarm_at_us, __ATOMIC_RELAXED);
    if (set_for != 0 && set_for <= due + ALARM_REST_US) {
        return;
    }
    bool device_waits = has_waiting_device();
    int64_t clock_ns = os_clock_ns();
    int64_t now = (clock_ns - rt_root.time.origin_ns) / NS_PER_US;
    int64_t slice = now + (device_waits ? DEVICE_SLICE_US : slice_us());
    int64_t at = due < slice ? due : slice;
    at = at > now + ALARM_REST_US ? at : now + ALARM_REST_US;
    rt_root.alarm_is_for_device = device_waits;
    __atomic_store_n(&rt_root.alarm_at_us, at, __ATOMIC_RELAXED);
    os_alarm_set(rt_root.time.origin_ns + at * NS_PER_US);
}

/* ---- branches that wait until their parent comes to them ---- */

/* Nothing else is ready: the newest. */
static bool start_deferred(Worker *worker) {
    Process *process = deferred_take_newest(worker);
    if (process == NULL) {
        return false;
    }
    rt_scheduler_ready(worker, process);
    return true;
}

/* The newest, if it is a branch of this PAR and nothing else asks for the worker; else NULL. */
static Process *take_branch(Worker *worker, const Join *join) {
    bool is_wanted = is_asked(worker) || activity_wants_work(&rt_root.activity) ||
                     RT_STRESS_CHECKS || RT_STRESS_ATTENTION;
    return is_wanted ? NULL : deferred_take_branch(worker, join);
}

/* ---- attention and idleness ---- */

static void serve_attention(Worker *worker) {
    mode_clear(worker, MODE_ATTENTION);
    standstill_rest(worker);
    (is_exact() ? deferred_review_exactly : deferred_review)(worker);
    world_enter(worker);
    interrupt_serve(worker);
    sharing_take_inbox(worker);
    settle_devices();
    poll_devices(worker);
    wake_sleepers(worker);
    set_alarm();
    world_leave(worker);
    interrupt_report(worker);
    lookout_attend(worker);
    solo_attend(worker);
    if (atomic_get_relaxed(&rt_root.has_priorities)) {
        runqueue_order(worker);
    }
}

/* When to wake the next sleeper. Where many sleep, those that are due within a moment after the
 * last ones wait for it: a sleep in the kernel for each would cost ten times what waking them does.
 */
static int64_t next_wake_ns(Ticks due) {
    int64_t due_ns = time_source_clock_ns(&rt_root.time, due);
    bool is_crowd = rt_root.deadlines.heap.count >= SLEEPERS_CROWD;
    int64_t rested_ns = rt_root.woken_ns + ALARM_REST_US * NS_PER_US;
    return is_crowd && due_ns < rested_ns ? rested_ns : due_ns;
}

static void wait_for_time(Worker *worker) {
    Ticks due = deadline_queue_first(&rt_root.deadlines);
    if (rt_root.time.is_virtual) {
        poll_devices(worker);
        if (worker->head == NULL) {
            time_source_jump(&rt_root.time, due);
        }
    } else {
        int64_t wake_ns = next_wake_ns(due);
        int64_t left_ns = wake_ns - os_clock_ns();
        if (left_ns > 0) {
            wait_outside(worker, left_ns);
            int64_t now_ns = os_clock_ns();
            rt_root.woken_ns = now_ns >= wake_ns ? now_ns : rt_root.woken_ns;
        }
    }
    wake_sleepers(worker);
}

static bool is_waited_for_outside(void) {
    return atomic_get_acquire(&rt_root.outside) != 0 || atomic_get_acquire(&rt_root.inbox) != NULL;
}

/* Not solo, and nothing is ready but, perhaps, batches of its own. */
static void find_shared(Worker *worker) {
    Process *batch = deque_take(&worker->batches);
    if (batch != NULL) {
        sharing_adopt_batch(worker, batch);
    } else {
        sharing_find(worker);
    }
}

/* Solo, and nothing is ready: wait until something is. */
static void wait_idle(Worker *worker) {
    rt_trace(TRACE_IDLE, NULL, NULL);
    settle_devices();
    interrupt_serve(worker);
    interrupt_report(worker);
    lookout_idle(worker);
    bool stands_still = rt_root.time.is_virtual && is_waited_for_outside(); /* a call of C */
    if (!deadline_queue_is_empty(&rt_root.deadlines) && !stands_still) {
        wait_for_time(worker);
    } else if (has_waiting_device() || is_waited_for_outside()) {
        wait_for_world(worker);
    } else if (worker->head == NULL) {
        rt_deadlock();
    }
    sharing_take_inbox(worker);
    lookout_stir(worker);
    solo_resume(worker);
}

/* Prove the invariants of all structures (rt_check). */
static void check_structures(Worker *worker) {
    runqueue_check(worker);
    deadline_queue_check(&rt_root.deadlines);
    block_store_check(&rt_root.blocks, worker);
}

static bool is_time_to_check(Worker *worker) {
    uint64_t pass = worker->passes++;
    return pass < RT_STRESS_CHECK_FIRST || pass % RT_STRESS_CHECK_EVERY == 0;
}

/* Something happens so seldom that the fast way need not know. */
static void look_around(Worker *worker, uint32_t mode) {
    if ((mode & MODE_SAMPLE) != 0) {
        solo_sample(worker);
        if (!worker_is_solo(worker)) { /* who parked may have begun to wait for a time */
            world_enter(worker);
            set_alarm();
            world_leave(worker);
        }
    }
    if ((mode & MODE_ATTENTION) != 0) {
        serve_attention(worker);
    }
    if ((mode & MODE_COMPUTES) != 0) {
        mode_clear(worker, MODE_COMPUTES);
    }
    if ((mode & MODE_ASKED) != 0) {
        ownership_serve(worker);
    }
    if ((mode & MODE_WANTED) != 0 && worker_is_solo(worker)) {
        mode_clear(worker, MODE_WANTED); /* it came too late */
    }
    if (RT_STRESS_CHECKS && worker_is_solo(worker) && is_time_to_check(worker)) {
        check_structures(worker);
    }
    if (RT_STRESS_ATTENTION) {
        mode_set(worker, MODE_ATTENTION);
    }
}

/* The action after the switch: the context of whoever parked is saved. */
static void leave_world(Worker *worker) {
    if (worker->holds_world) {
        set_alarm(); /* it may have begun to wait for a time or a device */
        world_leave(worker);
    }
}

Process *rt_scheduler_next(Worker *worker) {
    leave_world(worker);
    uint32_t mode = atomic_get_relaxed(&worker->mode);
    if (rt_unlikely((mode & ~(uint32_t)MODE_SHARED) != 0) || RT_STRESS_CHECKS ||
        RT_STRESS_ATTENTION) {
        if ((mode & MODE_SERVING) != 0) {
            return &worker->main_process;
        }
        look_around(worker, mode);
    }
    if (!worker_is_solo(worker)) {
        solo_review(worker);
    }
    bool is_branch = false;
    while (worker->head == NULL) {
        if ((atomic_get_relaxed(&worker->mode) & MODE_ASKED) != 0) {
            ownership_serve(worker);
        } else if (start_deferred(worker)) {
            is_branch = true;
        } else if (worker_is_solo(worker)) {
            wait_idle(worker);
        } else {
            find_shared(worker);
        }
    }
    Process *next = runqueue_take(worker);
    if (worker_is_solo(worker)) {
        set_alarm();
    } else {
        sharing_offer(worker, is_branch);
    }
    __builtin_prefetch(worker->head, 1); /* long queues are cold */
    __builtin_prefetch((void *)((uintptr_t)worker->head - CACHE_LINE_BYTES), 1);
    rt_trace(TRACE_RESUME, next, NULL);
    return next;
}

/* ---- abi.def ---- */

Process *rt_park(Process *me) {
    rt_trace(TRACE_PARK, me, me->next);
    return rt_scheduler_next(me->worker);
}

Process *rt_reschedule(Process *me) {
    Worker *worker = me->worker;
    deferred_start_all(worker); /* me may poll for what they do */
    rt_scheduler_ready(worker, me);
    return rt_scheduler_next(worker);
}

Process *rt_fork_pause(Process *me) {
    Worker *worker = me->worker;
    if (worker->fork_count < FORK_PAUSE_AFTER) {
        worker->fork_count++;
        return me;
    }
    return rt_reschedule(me);
}

Process *rt_priority_set(Process *me, int32_t level) {
    Worker *worker = me->worker;
    unsigned before = priority_level(me);
    priority_set(me, level);
    if (priority_level(me) <= before || worker->head == NULL) {
        return me;
    }
    runqueue_append(worker, me); /* somebody may be more urgent now */
    runqueue_order(worker);
    return rt_scheduler_next(worker);
}

void rt_start_lower(Process *me, void *process, int32_t levels) {
    int32_t distance = levels > PRIORITY_LEVELS ? PRIORITY_LEVELS : levels;
    priority_set(process, (int32_t)priority_level(me) + distance);
    runqueue_insert(me->worker, process);
}

/* Those that attention wakes stand before me in the queue: else each would wait one slice more. The
 * same for those whose channels I hold. */
Process *rt_yield(Process *me) {
    Worker *worker = me->worker;
    if ((atomic_get_relaxed(&worker->mode) & MODE_ATTENTION) != 0) {
        bool goes_on = is_exact() && !has_due_sleeper() && !has_computed(worker);
        solo_note_computing(worker);
        worker->runs = me;
        serve_attention(worker);
        worker->runs = NULL;
        if (goes_on) {
            return me;
        }
    }
    if ((atomic_get_relaxed(&worker->mode) & MODE_ASKED) != 0) {
        ownership_serve(worker);
    }
    if (is_exact()) {
        deferred_start_all(worker);
    }
    if (!worker_has_work(worker)) {
        solo_forget(worker);
        return me;
    }
    rt_scheduler_ready(worker, me);
    return rt_scheduler_next(worker);
}

/* Who leaves last makes the parent ready; `waiter` is stored before the parent leaves. */
Process *rt_join(Process *me, void *par, const Site *site) {
    Join *join = par;
    Worker *worker = me->worker;
    process_waits(me, site, join);
    Process *branch = take_branch(worker, join);
    join->waiter = branch != NULL ? (Process *)((uintptr_t)me | JOIN_AT_ONCE) : me;
    if (atomic_add(&join->count, -1) == 1) {
        return me;
    }
    if (branch != NULL) {
        return branch;
    }
    worker->grain.joins++;
    return rt_scheduler_next(worker);
}

static bool resumes_at_once(Worker *worker, uintptr_t waiter) {
    bool is_wanted = is_asked(worker) || RT_STRESS_CHECKS || RT_STRESS_ATTENTION;
    return (waiter & JOIN_AT_ONCE) != 0 && !is_wanted;
}

static Process *resume_parent(Worker *worker, uintptr_t waiter) {
    Process *parent = (Process *)(waiter & ~(uintptr_t)JOIN_AT_ONCE);
    parent->worker = worker;
    return parent;
}

Process *rt_process_end(Process *me) {
    Worker *worker = me->worker;
    Join *join = me->join;
    rt_trace(TRACE_END, me, join);
    worker->grain.ends++;
    block_give_back(&rt_root.blocks, worker, me);
    if (atomic_add(&join->count, -1) != 1) {
        Process *branch = take_branch(worker, join);
        return branch != NULL ? branch : rt_scheduler_next(worker);
    }
    uintptr_t waiter = (uintptr_t)join->waiter;
    if (waiter != 0 && !resumes_at_once(worker, waiter)) {
        rt_scheduler_ready(worker, (Process *)(waiter & ~(uintptr_t)JOIN_AT_ONCE));
        waiter = 0;
    }
    return waiter != 0 ? resume_parent(worker, waiter) : rt_scheduler_next(worker);
}
