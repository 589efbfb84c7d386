/* fibre_scheduler -- the scheduler as it is, for tests whose threads are fibres (fibre_machine.h).
 *
 * Owns:   scheduler.c, sharing.c, solo.c, thread.c, activity.c, world.c, timer.c and what is below
 *         them; what they call that has tests of its own, as it is when nobody asks for it.
 * Leaves: the blocks of processes (block_store_check, block_give_back), ownership, and the ends of
 *         a program (rt_deadlock) to the test; the fibre of the kernel's clock is here.
 * Holds:  gets_up is activity_get_up, unless the test breaks it. */
#ifndef TEST_FIBRE_SCHEDULER_H
#define TEST_FIBRE_SCHEDULER_H

#include "fibre_machine.h"

static bool gets_up(Activity *activity, unsigned worker);
#include "../../runtime/core/activity.c"
#define activity_get_up gets_up
#include "../../runtime/scheduler/sharing.c"
#undef activity_get_up
#include "../../runtime/base/heap.c"
#include "../../runtime/channel/timer.c"
#include "../../runtime/core/alarm.c"
#include "../../runtime/core/deadline_queue.c"
#include "../../runtime/core/deferred.c"
#include "../../runtime/core/time_source.c"
#include "../../runtime/core/world.c"
#include "../../runtime/scheduler/outside.c"
#include "../../runtime/scheduler/scheduler.c"
#include "../../runtime/scheduler/solo.c"
#include "../../runtime/scheduler/thread.c"

/* ---- parts of the runtime that have tests of their own ---- */

bool setting_is_there(const char *name) {
    (void)name;
    return false;
}

uint64_t setting_number(const char *name) {
    (void)name;
    return 0;
}

bool setting_is(const char *name, const char *word) {
    (void)name;
    (void)word;
    return false;
}

void standstill_rest(Worker *worker) {
    fibre_check(worker->stands == 0);
}

void interrupt_report(Worker *worker) {
    fibre_check(!worker->holds_world);
}

void lookout_attend(Worker *worker) {
    fibre_check(!worker->holds_world);
}

void lookout_idle(Worker *worker) {
    fibre_check(worker_is_solo(worker));
}

void lookout_note(const Worker *worker) {
    fibre_check(worker_is_solo(worker));
}

int64_t lookout_bound(int64_t timeout_ns) {
    return timeout_ns;
}

void interrupt_serve(Worker *worker) {
    fibre_check(worker_is_solo(worker) || worker->holds_world);
}

bool priority_prefers(const Process *process, unsigned worker) {
    return process->priority > 0 && worker == 0;
}

void priority_set(Process *process, int32_t level) {
    process->priority = (uint8_t)level;
}

/* As on_alarm: the body of a fibre. Between two of its steps up to that much time passes. */
static void clock_go_on(Random *random, uint32_t tick_ns) {
    for (;;) {
        rt_atomic_point();
        if (machine_tick(random_below(random, tick_ns))) {
            alarm_forget();
            world_ask_attention();
        }
    }
}

static void check_solo(const Worker *worker) {
    uint64_t others = rt_root.activity.all & ~activity_bit(worker->number);
    uint64_t word = rt_root.activity.word;
    fibre_check(!worker_is_solo(worker) ||
                ((word & ACTIVITY_SOLO) != 0 && (word & others) == others));
}

/* A machine with so many workers, of which the first is the caller's and alone. */
static void machine_begin(uint64_t seed, unsigned workers) {
    memset(&rt_root, 0, sizeof rt_root);
    outside_begin();
    memset(&machine, 0, sizeof machine);
    Worker *worker = &rt_root.worker;
    worker->main_process.worker = worker;
    random_seed(&worker->random, seed);
    random_seed(&worker->owner_random, seed);
    rt_root.workers[0] = worker;
    rt_root.worker_count = workers;
    rt_root.usable_cpus = rt_root.cpu_count = 1;
    rt_root.bell = MACHINE_BELL;
    activity_init(&rt_root.activity, workers);
    time_source_init(&rt_root.time, false);
    mode_set(worker, MODE_ATTENTION);
}

#endif
