/* outside -- looking at the world outside, and waiting for it. See outside.h. */
#include "outside.h"

#include "alarm.h"
#include "deadlock.h"
#include "device.h"
#include "interrupt.h"
#include "lookout.h"
#include "machines.h"
#include "os.h"
#include "scheduler.h"
#include "sharing.h"
#include "solo.h"

enum { LONG_WAIT_NS = 2000000, STARVED_NS = 1000000000, LATE_US = 100 };
/* A wait of a process that does nothing else takes less. */
enum { BUSY_SLEEP_US = 2, WAKE_BATCH = 64 };

/* What the last wait of an idle worker tells the next; solo. */
static struct {
    int64_t woken_ns; /* when it woke sleepers */
    bool world_spoke; /* devices were ready */
    bool has_looked;  /* for sleepers, since the alarm has rung */
    int64_t rang_us;
    uint32_t rang_sleeps; /* of the worker, then */
} idle;

void outside_begin(void) {
    idle.woken_ns = 0;
    idle.world_spoke = false;
    idle.has_looked = false;
    alarm_forget();
}

/* ---- devices ---- */

void outside_watch(Watch *watch, int wanted) {
    readiness_want(&rt_root.readiness, watch, wanted);
    if (wanted != 0) {
        alarm_heed_device();
    }
}

static void settle_devices(void) {
    for (Device *device = rt_root.devices; device != NULL; device = device->next) {
        if (device->kind->settle != NULL) {
            device->kind->settle(device);
        }
    }
}

/* Make processes ready whose descriptors are ready. */
static void poll_devices(Worker *worker) {
    Readiness *readiness = &rt_root.readiness;
    if (outside_has_waiter() && !readiness_ask(worker, readiness)) {
        readiness_wait(readiness, 0);
        readiness_advance(worker, readiness);
    }
}

/* ---- deadlines ---- */

/* They have slept long enough to be out of the cache: all are on their way there at once. */
static void fetch(const Process *process) {
    const char *at = (const char *)process;
    __builtin_prefetch(at - CACHE_LINE_BYTES, 1); /* its stack */
    __builtin_prefetch(at, 1);
    __builtin_prefetch(at + sizeof *process - 1, 1);
}

/* Some that are due; how many. */
static int wake_batch(Worker *worker, Ticks now) {
    Process *due[WAKE_BATCH];
    int count = 0;
    while (count < WAKE_BATCH) {
        Process *process = deadline_queue_take_due(&rt_root.deadlines, now);
        if (process == NULL) {
            break;
        }
        fetch(process);
        due[count++] = process;
    }
    for (int i = 0; i < count; i++) {
        rt_scheduler_ready(worker, due[i]);
    }
    return count;
}

/* Virtual time stands still until all have run. */
static void wake_due(Worker *worker, Ticks now, bool wakes_all) {
    int count;
    do {
        count = wake_batch(worker, now);
    } while ((wakes_all || rt_root.time.is_virtual) && count == WAKE_BATCH);
}

void outside_wake_sleepers(Worker *worker, Ticks now) {
    wake_due(worker, now, false);
}

static void wake_sleepers(Worker *worker, bool wakes_all) {
    if (!deadline_queue_is_empty(&rt_root.deadlines)) {
        bool is_virtual = rt_root.time.is_virtual; /* not a reading by the program */
        Ticks now = is_virtual ? (Ticks){rt_root.time.now_us} : time_source_now(&rt_root.time);
        wake_due(worker, now, wakes_all);
    }
}

/* Are sleepers looked at often enough without the alarm? So it is where hardly anything is done but
 * go to sleep, or where nothing is ready now and then. */
static bool is_served(const Worker *worker, Ticks now) {
    int64_t sleeps = (int32_t)(worker->grain.sleeps - idle.rang_sleeps);
    Ticks late = {deadline_queue_first(&rt_root.deadlines).us + LATE_US};
    return worker_is_solo(worker) && (sleeps * BUSY_SLEEP_US >= now.us - idle.rang_us ||
                                      (idle.has_looked && !ticks_reached(now, late)));
}

static void note_ring(const Worker *worker) {
    if (deadline_queue_count(&rt_root.deadlines) >= SLEEPERS_CROWD && !rt_root.time.is_virtual) {
        Ticks now = time_source_now(&rt_root.time);
        alarm_note_ring(is_served(worker, now));
        idle.rang_us = now.us;
        idle.rang_sleeps = worker->grain.sleeps;
        idle.has_looked = false;
    }
}

void outside_look(Worker *worker) {
    settle_devices();
    if (rt_root.machines != NULL) {
        rt_root.machines->look(worker);
    }
    poll_devices(worker);
    note_ring(worker);
    wake_sleepers(worker, true); /* who computes comes after them */
}

/* ---- nothing is ready ---- */

/* An alarm is stopped before a long wait; just after input it may ring once, which is cheaper. */
static void stop_alarm(int64_t timeout_ns) {
    bool is_left = (timeout_ns >= 0 && timeout_ns < LONG_WAIT_NS) || idle.world_spoke;
    if (!is_left) {
        alarm_stop();
    }
}

/* Solo, nothing is ready: wait at most timeout_ns (negative: for ever) for the world outside. */
static void wait_outside(Worker *worker, int64_t timeout_ns) {
    Readiness *readiness = &rt_root.readiness;
    bool may_wait = !readiness_ask(worker, readiness);
    stop_alarm(timeout_ns);
    atomic_set_seq(&worker->is_idle, 1u);
    interrupt_serve(worker); /* from here on a handler acts at once */
    interrupt_report(worker);
    may_wait = may_wait && atomic_get_seq(&rt_root.inbox) == NULL;
    readiness_wait(readiness, may_wait ? lookout_bound(timeout_ns) : 0);
    atomic_set_relaxed(&worker->is_idle, 0u);
    idle.world_spoke = readiness->found > 0;
    readiness_advance(worker, readiness);
}

/* The same without a limit, unless a call of C waits for a thread. */
static void wait_for_world(Worker *worker) {
    bool is_starved = atomic_get_acquire(&rt_root.starved) != NULL;
    int64_t until_ns = os_clock_ns() + STARVED_NS;
    wait_outside(worker, is_starved ? STARVED_NS : -1);
    void (*starved)(void) = atomic_get_acquire(&rt_root.starved);
    if (is_starved && starved != NULL && worker->head == NULL && os_clock_ns() >= until_ns) {
        starved();
    }
}

/* When to wake the next sleeper. In a crowd those due soon after the last ones wait a little: a
 * sleep in the kernel for each would cost ten times what waking them does. */
static int64_t next_wake_ns(Ticks due) {
    int64_t due_ns = time_source_clock_ns(&rt_root.time, due);
    bool is_crowd = deadline_queue_count(&rt_root.deadlines) >= SLEEPERS_CROWD;
    int64_t rested_ns = idle.woken_ns + ALARM_REST_US * NS_PER_US;
    return is_crowd && due_ns < rested_ns ? rested_ns : due_ns;
}

static void wait_for_time(Worker *worker) {
    Ticks due = deadline_queue_first(&rt_root.deadlines);
    idle.has_looked = true;
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
            idle.woken_ns = now_ns >= wake_ns ? now_ns : idle.woken_ns;
        }
    }
    wake_sleepers(worker, false);
}

static bool is_waited_for_outside(void) {
    return atomic_get_acquire(&rt_root.outside) != 0 || atomic_get_acquire(&rt_root.inbox) != NULL;
}

/* Other machines may send messages: wait for the world outside, but not for long. */
static void wait_for_machines(Worker *worker, int64_t longest_ns) {
    bool has_due = !deadline_queue_is_empty(&rt_root.deadlines) && !rt_root.time.is_virtual;
    int64_t left_ns = longest_ns;
    if (has_due) {
        left_ns = next_wake_ns(deadline_queue_first(&rt_root.deadlines)) - os_clock_ns();
    }
    if (left_ns > 0) {
        wait_outside(worker, left_ns < longest_ns ? left_ns : longest_ns);
    }
    wake_sleepers(worker, false);
}

/* Solo, and nothing is ready: wait until something is. */
void outside_wait(Worker *worker) {
    settle_devices();
    interrupt_serve(worker);
    interrupt_report(worker);
    int64_t longest_ns = -1;
    if (rt_root.machines != NULL) {
        bool stands_still = deadline_queue_is_empty(&rt_root.deadlines) && !outside_has_waiter() &&
                            !is_waited_for_outside();
        longest_ns = rt_root.machines->idle(worker, stands_still);
    }
    if (longest_ns >= 0) {
        if (longest_ns > 0) {
            wait_for_machines(worker, longest_ns);
        }
        sharing_take_inbox(worker);
        solo_resume(worker);
        return;
    }
    lookout_idle(worker);
    bool stands_still = rt_root.time.is_virtual && is_waited_for_outside(); /* a call of C */
    if (!deadline_queue_is_empty(&rt_root.deadlines) && !stands_still) {
        wait_for_time(worker);
    } else if (outside_has_waiter() || is_waited_for_outside()) {
        wait_for_world(worker);
    } else {
        rt_deadlock();
    }
    sharing_take_inbox(worker);
    lookout_note(worker);
    solo_resume(worker);
}
