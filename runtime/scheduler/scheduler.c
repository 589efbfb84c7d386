/* scheduler -- the next process, attention. See scheduler.h. */
#include "scheduler.h"

#include "alarm.h"
#include "atomic.h"
#include "deferred.h"
#include "gate.h"
#include "interrupt.h"
#include "lookout.h"
#include "os.h"
#include "outside.h"
#include "ownership.h"
#include "process.h"
#include "recorder.h"
#include "runqueue.h"
#include "sharing.h"
#include "solo.h"
#include "standstill.h"
#include "stress.h"
#include "world.h"

void rt_scheduler_ready(Worker *worker, Process *process) {
    runqueue_append(worker, process);
}

void rt_scheduler_ready_chain(Worker *worker, Process *first, Process *last) {
    runqueue_append_chain(worker, first, last);
}

/* ---- runs that repeat exactly ---- */

/* In virtual time real time has no influence: with one worker, and nobody waiting for a device, a
 * run is the same each time. Only a process that computes for long must let the others run: it does
 * when it has not parked between two rings of the alarm. */
static bool is_exact(void) {
    return rt_root.time.is_virtual && rt_root.worker_count == 1 && !outside_has_waiter();
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

/* Has a sleeper's time come because the program read the time (timer.c)? */
static bool has_due_sleeper(void) {
    const DeadlineQueue *deadlines = &rt_root.deadlines;
    return !deadline_queue_is_empty(deadlines) &&
           ticks_reached((Ticks){rt_root.time.now_us}, deadline_queue_first(deadlines));
}

/* Does anything but the flow of the program ask for the worker? */
static bool is_asked(Worker *worker) {
    const uint32_t silent = MODE_SHARED | MODE_TRACED | MODE_EXPLORED;
    uint32_t asks = atomic_get_relaxed(&worker->mode) & ~silent;
    return asks != 0 && (!is_exact() || has_computed(worker));
}

/* ---- the alarm ---- */

/* While a worker sleeps, work for it must be noticed soon (sharing.c). */
static int64_t slice_us(void) {
    if (is_exact()) {
        return EXACT_SLICE_US;
    }
    uint64_t asleep = atomic_get_relaxed(&rt_root.activity.word) & rt_root.activity.all;
    return asleep != 0 || RT_STRESS_SHARE ? (int64_t)SHARING_SLICE_US << rt_root.trial.fine_samples
                                          : SLICE_US;
}

/* The alarm rings at the earliest moment at which somebody must be looked after. */
static void set_earliest(void) {
    bool is_virtual = rt_root.time.is_virtual;
    bool has_deadline = !is_virtual && !deadline_queue_is_empty(&rt_root.deadlines);
    int64_t due = has_deadline ? deadline_queue_first(&rt_root.deadlines).us : INT64_MAX / 2;
    bool is_crowd = deadline_queue_count(&rt_root.deadlines) >= SLEEPERS_CROWD;
    int64_t rest = is_crowd ? alarm_crowd_rest_us() : ALARM_REST_US;
    int64_t set_for = alarm_at_us();
    if (set_for != 0 && (set_for <= due + rest || rt_alarm.due_us <= due)) {
        return; /* nobody has come who is due before those that it is set for */
    }
    bool device_waits = outside_has_waiter();
    int64_t clock_ns = os_clock_ns();
    int64_t now = (clock_ns - rt_root.time.origin_ns) / NS_PER_US;
    int64_t slice = now + (device_waits ? DEVICE_SLICE_US : slice_us());
    int64_t at = due < slice ? due : slice;
    at = at > now + rest ? at : now + rest;
    alarm_set(at, due, rt_root.time.origin_ns, device_waits);
}

/* Compiled code knows when it rings: a process that waits for a later time need not tell C. */
static void set_alarm(Worker *worker) {
    if (worker_is_explored(&rt_root.worker)) {
        return;
    }
    set_earliest();
    worker->alarm_at = (uint32_t)alarm_at_us();
    worker->alarm_reach = rt_root.time.is_virtual ? 0 : INT32_MAX / 2;
}

/* ---- branches that wait until their parent needs them ---- */

/* Nothing else is ready: start the newest. */
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
    outside_look(worker);
    set_alarm(worker);
    world_leave(worker);
    interrupt_report(worker);
    lookout_attend(worker);
    solo_attend(worker);
    if (atomic_get_relaxed(&rt_root.has_priorities)) {
        runqueue_order(worker);
    }
}

/* Several are active, and nothing is ready but, perhaps, this worker's own batches. */
static void find_shared(Worker *worker) {
    Process *batch = deque_take(&worker->batches);
    if (batch != NULL) {
        sharing_adopt_batch(worker, batch);
    } else {
        sharing_find(worker);
    }
}

/* Check the invariants of all structures (rt_check). */
static void check_structures(Worker *worker) {
    runqueue_check(worker);
    deadline_queue_check(&rt_root.deadlines);
    block_store_check(&rt_root.blocks, worker);
}

static bool is_time_to_check(Worker *worker) {
    uint64_t pass = worker->passes++;
    return pass < RT_STRESS_CHECK_FIRST || pass % RT_STRESS_CHECK_EVERY == 0;
}

/* Rare events, kept out of the fast path. */
static void look_around(Worker *worker, uint32_t mode) {
    if ((mode & MODE_SAMPLE) != 0) {
        solo_sample(worker);
        if (!worker_is_solo(worker)) { /* the parked process may wait for a time */
            world_enter(worker);
            set_alarm(worker);
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

/* Runs after the switch: the context of the parked process is saved. */
static void leave_world(Worker *worker) {
    if (worker->holds_world) {
        set_alarm(worker); /* it may wait for a time or a device */
        world_leave(worker);
    }
}

/* Solo, and nothing is ready. */
static void wait_for_event(Worker *worker) {
    if (!gate_is_on(worker) || !gate_step(worker)) {
        outside_wait(worker);
    }
}

/* is_later: the process before has not told the recorder that it waits or ends (recorder.h). */
static inline __attribute__((always_inline)) Process *choose_next(Worker *worker, bool is_later) {
    leave_world(worker);
    uint32_t mode = atomic_get_relaxed(&worker->mode);
    if (rt_unlikely((mode & ~(uint32_t)(MODE_SHARED | MODE_TRACED)) != 0) || RT_STRESS_CHECKS ||
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
    is_later = is_later || worker->head == NULL;
    while (worker->head == NULL) {
        if ((atomic_get_relaxed(&worker->mode) & MODE_ASKED) != 0) {
            ownership_serve(worker);
        } else if (start_deferred(worker)) {
            is_branch = true;
        } else if (worker_is_solo(worker)) {
            wait_for_event(worker);
        } else {
            find_shared(worker);
        }
    }
    Process *next = runqueue_take(worker);
    if (worker_is_solo(worker)) {
        set_alarm(worker);
    } else {
        sharing_offer(worker, is_branch);
    }
    __builtin_prefetch(worker->head, 1); /* long queues are cold */
    __builtin_prefetch((void *)((uintptr_t)worker->head - CACHE_LINE_BYTES), 1);
    return record_run(worker, next, is_later);
}

Process *rt_scheduler_next(Worker *worker) {
    return choose_next(worker, false);
}

Process *rt_scheduler_next_alone(Worker *worker) {
    Process *next = runqueue_take(worker);
    return next != NULL ? record_run(worker, next, false) : rt_scheduler_next(worker);
}

/* ---- abi.def ---- */

Process *rt_park(Process *me) {
    return rt_scheduler_next(me->worker);
}

Process *rt_reschedule(Process *me) {
    Worker *worker = me->worker;
    deferred_start_all(worker); /* me may poll for what they do */
    rt_scheduler_ready(worker, me);
    return choose_next(worker, true);
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
    runqueue_append(worker, me); /* a more urgent process may be ready */
    runqueue_order(worker);
    return rt_scheduler_next(worker);
}

void rt_start_lower(Process *me, void *process, int32_t levels) {
    int32_t distance = levels > PRIORITY_LEVELS ? PRIORITY_LEVELS : levels;
    priority_set(process, (int32_t)priority_level(me) + distance);
    runqueue_insert(me->worker, process);
}

/* Processes woken by attention are queued before me: otherwise each would wait one slice more. The
 * same for processes that wait for my worker's channels. */
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

/* The last to leave makes the parent ready; `waiter` is stored before the parent leaves. */
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
        return record_run(worker, branch, false);
    }
    worker->grain.joins++;
    return rt_scheduler_next(worker);
}

static bool resumes_at_once(Worker *worker, uintptr_t waiter) {
    bool is_wanted = is_asked(worker) || RT_STRESS_CHECKS || RT_STRESS_ATTENTION;
    return (waiter & JOIN_AT_ONCE) != 0 && !is_wanted;
}

/* All others have left: the parent has stored itself. */
static Process *resume_parent(Worker *worker, uintptr_t waiter) {
    Process *parent = (Process *)(waiter & ~(uintptr_t)JOIN_AT_ONCE);
    if (!resumes_at_once(worker, waiter)) {
        rt_scheduler_ready(worker, parent);
        return rt_scheduler_next(worker);
    }
    parent->worker = worker;
    return record_run(worker, parent, false);
}

Process *rt_process_end(Process *me) {
    Worker *worker = me->worker;
    Join *join = me->join;
    record_end(worker, me);
    worker->grain.ends++;
    if (worker_is_explored(worker)) {
        gate_note_end(me);
    }
    block_give_back(&rt_root.blocks, worker, me);
    if (atomic_add(&join->count, -1) != 1) {
        Process *branch = take_branch(worker, join);
        return branch != NULL ? record_run(worker, branch, false) : rt_scheduler_next(worker);
    }
    return resume_parent(worker, (uintptr_t)join->waiter);
}
