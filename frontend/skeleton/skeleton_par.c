/* skeleton_par -- processes side by side. See skeleton_walk.h.
 *
 * Holds:  no task is there twice at one time, since its PAR is not. */
#include "skeleton_walk.h"

enum { PROCESSES_MOST = 250 }; /* of a model: Promela has numbers for 255 */

/* ---- branches ---- */

/* Branches -- of a PAR. */
typedef struct Branches {
    const Node *par;
    SkeletonStep *step;
    SkeletonLoan loan;
} Branches;

SkeletonTask *skeleton_add_task(SkeletonWalk *walk, SkeletonStep *par, Location at) {
    SkeletonTask *task = arena_new(walk->arena, SkeletonTask);
    task->number = (unsigned)walk->skeleton->tasks.count;
    task->first = par->tasks.count ? par->tasks.items[0]->number : task->number;
    task->at = at;
    task->proc = walk->proc;
    for (size_t i = 0; i < walk->loops.count; i++) {
        array_push(walk->arena, &task->loops, walk->loops.items[i]);
    }
    array_push(walk->arena, &walk->skeleton->tasks, task);
    array_push(walk->arena, &par->tasks, task);
    return task;
}

static bool add_branch(SkeletonWalk *walk, Branches *branches, const Node *branch) {
    if (walk->skeleton->tasks.count > PROCESSES_MOST) {
        skeleton_refuse(walk, branch->at, "a model of more than 250 processes");
        return false;
    }
    SkeletonSteps *steps = &skeleton_add_task(walk, branches->step, branch->at)->steps;
    skeleton_begin_branch(walk, &branches->loan, branches->par, branch);
    skeleton_within(walk, steps, branch);
    skeleton_end_branch(walk, &branches->loan, steps, branch->at);
    return true;
}

static bool add_branches(SkeletonWalk *walk, Branches *branches) {
    const NodeList *body = &branches->par->par.body;
    bool has_room = true;
    for (size_t i = 0; has_room && i < body->count; i++) {
        has_room = add_branch(walk, branches, body->items[i]);
    }
    return has_room;
}

static bool has_clocks(const Node *par) {
    bool has_any = par->par.enrols.count > 0;
    for (size_t i = 0; i < par->par.body.count; i++) {
        has_any = has_any || node_enroll(par->par.body.items[i]);
    }
    return has_any;
}

/* Any number of processes that meet nobody. */
static bool add_any_number(SkeletonWalk *walk, Branches *branches) {
    const Node *par = branches->par;
    SkeletonTrial trial;
    SkeletonClaims claims = {0};
    if (has_clocks(par)) {
        return false;
    }
    skeleton_begin_trial(walk, &trial, walk->repeats);
    skeleton_set_value(walk, par->par.replicator->replicator.def->def.symbol, skeleton_any());
    for (size_t i = 0; i < par->par.body.count; i++) {
        skeleton_within(walk, &trial.steps, par->par.body.items[i]);
    }
    if (!skeleton_end_trial(walk, &trial, &claims)) {
        return false;
    }
    skeleton_beyond(walk, par->at,
                    "a PAR in a model, whose number of processes is not known or above 250");
    skeleton_wait_for_claims(walk, &claims, par->at);
    return true;
}

static void add_replicated(SkeletonWalk *walk, Branches *branches) {
    const Node *par = branches->par;
    SkeletonTurns turns = skeleton_turns(walk, par->par.replicator);
    bool are_known = turns.are_numbers && turns.count->number <= PROCESSES_MOST;
    if (!are_known && add_any_number(walk, branches)) {
        return;
    }
    if (!turns.are_numbers) {
        skeleton_refuse(walk, par->at,
                        "a PAR in a model, whose number of processes is not known or above 250, "
                        "and whose processes wait for more than CLAIM");
        return;
    }
    bool has_room = true;
    for (int64_t i = 0; has_room && i < turns.count->number; i++) {
        skeleton_turn(walk, par->par.replicator, &turns, skeleton_number(walk->arena, i));
        has_room = add_branches(walk, branches);
    }
}

void skeleton_par(SkeletonWalk *walk, const Node *par) {
    if (par->par.form == PAR_PLACED) {
        skeleton_refuse(walk, par->at, "PLACED PAR in a model");
        return;
    }
    SkeletonStep *step = arena_new(walk->arena, SkeletonStep);
    step->kind = STEP_PAR;
    step->at = par->at;
    step->proc = walk->proc;
    Branches branches = {.par = par, .step = step};
    if (par->par.replicator) {
        add_replicated(walk, &branches);
    } else {
        add_branches(walk, &branches);
    }
    skeleton_lend(walk, &branches.loan, par->at);
    array_push(walk->arena, walk->steps, step);
}
