/* start -- setting up from the environment, the root process.
 *
 * Owns:   the effect of OCC_SEED, OCC_TIME and OCC_PAINT (OCC_WORKERS: thread.c, OCC_WATCH:
 *         lookout.c); making the root process.
 * Leaves: everything after that to the scheduler.
 * Holds:  the root is an ordinary process; main itself is the waiter of its join, so that the end
 *         of the root resumes main. */
#include "start.h"
#include "arch.h"
#include "ending.h"
#include "lookout.h"
#include "machines.h"
#include "os.h"
#include "outside.h"
#include "process.h"
#include "recorder.h"
#include "scheduler.h"
#include "setting.h"
#include "thread.h"
#include "world.h"

#include <string.h>

Join occ_program_join; /* layout.def */

static void read_seed(void) {
    rt_root.has_seed = setting_is_there("OCC_SEED");
    bool is_explored = setting_is_explored(); /* nothing may differ from run to run */
    rt_root.seed = rt_root.has_seed || is_explored ? setting_number("OCC_SEED") : os_entropy();
    random_seed(&rt_root.worker.random, rt_root.seed);
}

/* A new process on a block of its own. NULL: no memory. */
static Process *create_process(Worker *worker, const ProcessPlan *plan) {
    Process *process = block_take(&rt_root.blocks, worker, NULL, plan->block_bytes);
    if (process == NULL) {
        return NULL;
    }
    process_begin(process, plan->body, plan->environment, plan->join, plan->index);
    process->worker = worker;
    process->priority = PRIORITY_START;
    return process;
}

bool rt_begin(void) {
    memset(&rt_root, 0, sizeof rt_root);
    rt_root.bell = -1;
    setting_check();
    unsigned count = thread_count();
    if (!worker_begin(&rt_root.worker, count) &&
        (count == 1 || !worker_begin(&rt_root.worker, 1))) { /* little memory: one worker will do */
        return false;
    }
    time_source_init(&rt_root.time, setting_is("OCC_TIME", "virtual") || setting_is_explored());
    read_seed();
    outside_begin();
    lookout_begin();
    if (setting_is("OCC_PAINT", "1")) {
        paint_begin(&rt_root.paint);
        rt_root.blocks.paint = &rt_root.paint;
    }
    return recorder_begin();
}

void rt_run(const ProcessPlan *root) {
    Worker *worker = &rt_root.worker;
    occ_program_join = (Join){1, &worker->main_process};
    ProcessPlan plan = *root;
    plan.join = &occ_program_join;
    Process *first = create_process(worker, &plan);
    if (first == NULL) {
        rt_fatal("cannot start: out of memory", 0);
    }
    atomic_set_relaxed(&rt_root.is_running, true);
    mode_set(worker, MODE_ATTENTION); /* the first park sets the alarm */
    rt_arch_enter(&worker->main_process, record_run(worker, first, true));
    world_enter(worker->main_process.worker); /* not left again: others may use devices */
    atomic_set_relaxed(&rt_root.is_running, false);
}

void rt_serve(void) {
    Worker *worker = &rt_root.worker;
    occ_program_join = (Join){1, &worker->main_process};
    atomic_set_relaxed(&rt_root.is_running, true);
    mode_set(worker, MODE_ATTENTION);
    rt_arch_enter(&worker->main_process, rt_scheduler_next(worker));
    world_enter(worker->main_process.worker);
    atomic_set_relaxed(&rt_root.is_running, false);
}
