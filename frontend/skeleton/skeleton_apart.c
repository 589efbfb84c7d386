/* skeleton_apart -- processes that meet nobody. See skeleton_walk.h.
 *
 * Holds:  a process is apart when all that it waits for is the world outside and CLAIM, and it waits
 *         for nothing while it holds what it has claimed. Of any number of these the last one comes
 *         to its end when others give up what they hold: so when all wait, none of them holds
 *         anything, and the others wait without them too, but for who waits for their end: he waits
 *         for what one of them claims. What they change has any value (decision 0075). */
#include "skeleton_walk.h"

SkeletonOwn skeleton_own(const SkeletonWalk *walk, unsigned repeats) {
    return (SkeletonOwn){walk->skeleton->variables.count, walk->skeleton->channels.count, repeats};
}

/* ---- what it waits for ---- */

typedef struct Apart {
    Arena *arena;
    const SkeletonOwn *own;
    SkeletonClaims claims;
} Apart;

static bool are_apart(Apart *apart, const SkeletonSteps *steps, bool holds);

static bool is_change_apart(const Apart *apart, const SkeletonVariable *variable) {
    return !variable || variable->number >= apart->own->variable ||
           (!variable->is_object && variable->type);
}

static bool is_guard_apart(Apart *apart, const SkeletonGuard *guard, bool holds) {
    bool is_apart = !guard->place.channel;
    for (size_t i = 0; is_apart && i < guard->variants.count; i++) {
        const SkeletonVariant *variant = guard->variants.items[i];
        for (size_t k = 0; k < variant->targets.count; k++) {
            is_apart = is_apart && is_change_apart(apart, variant->targets.items[k].variable);
        }
        is_apart = is_apart && are_apart(apart, &variant->during, holds) &&
                   are_apart(apart, &variant->after, holds);
    }
    return is_apart;
}

/* One guard at least is surely ready. */
static bool is_alt_apart(Apart *apart, const SkeletonStep *step, bool holds) {
    bool is_ready = false;
    for (size_t i = 0; i < step->guards.count; i++) {
        const SkeletonGuard *guard = step->guards.items[i];
        if (!is_guard_apart(apart, guard, holds)) {
            return false;
        }
        is_ready = is_ready || !guard->condition;
    }
    return is_ready;
}

static bool is_claim_apart(Apart *apart, const SkeletonStep *step) {
    const SkeletonChannel *channel = step->place.channel;
    bool is_own = channel->number >= apart->own->channel;
    if (!is_own && channel->repeats > apart->own->repeats) {
        return false;
    }
    if (!is_own) {
        array_push(apart->arena, &apart->claims, step);
    }
    return are_apart(apart, &step->steps, true);
}

static bool are_choices_apart(Apart *apart, const SkeletonStep *step, bool holds) {
    bool is_apart = true;
    for (size_t i = 0; is_apart && i < step->choices.count; i++) {
        is_apart = are_apart(apart, &step->choices.items[i]->steps, holds);
    }
    return is_apart;
}

static bool are_tasks_apart(Apart *apart, const SkeletonStep *step, bool holds) {
    bool is_apart = true;
    for (size_t i = 0; is_apart && i < step->tasks.count; i++) {
        is_apart = are_apart(apart, &step->tasks.items[i]->steps, holds);
    }
    return is_apart;
}

static bool is_step_apart(Apart *apart, const SkeletonStep *step, bool holds) {
    switch (step->kind) {
    case STEP_PICK:
    case STEP_STOP: return true;
    case STEP_SET: return is_change_apart(apart, step->slot.variable);
    case STEP_RECEIVE:
    case STEP_ALT: return is_alt_apart(apart, step, holds);
    case STEP_CHOICE: return are_choices_apart(apart, step, holds);
    case STEP_LOOP:
    case STEP_TURNS: return are_apart(apart, &step->steps, holds);
    case STEP_PAR: return are_tasks_apart(apart, step, holds);
    case STEP_CLAIM: return !holds && is_claim_apart(apart, step);
    default: return false;
    }
}

static bool are_apart(Apart *apart, const SkeletonSteps *steps, bool holds) {
    bool is_apart = true;
    for (size_t i = 0; is_apart && i < steps->count; i++) {
        is_apart = is_step_apart(apart, steps->items[i], holds);
    }
    return is_apart;
}

/* ---- trials ---- */

void skeleton_begin_trial(SkeletonWalk *walk, SkeletonTrial *trial, unsigned repeats) {
    *trial = (SkeletonTrial){.around = walk->steps,
                             .own = skeleton_own(walk, repeats),
                             .tasks = walk->skeleton->tasks.count,
                             .served = walk->served.count,
                             .refusals = walk->skeleton->refusals.count,
                             .channels = walk->channels};
    walk->steps = &trial->steps;
    walk->trials++;
}

static void add_claims(SkeletonWalk *walk, SkeletonClaims *claims, const SkeletonClaims *more) {
    for (size_t i = 0; i < more->count; i++) {
        array_push(walk->arena, claims, more->items[i]);
    }
}

bool skeleton_end_trial(SkeletonWalk *walk, SkeletonTrial *trial, SkeletonClaims *claims) {
    Apart apart = {walk->arena, &trial->own, {0}};
    bool is_apart = walk->skeleton->refusals.count == trial->refusals &&
                    walk->served.count == trial->served && are_apart(&apart, &trial->steps, false);
    walk->skeleton->tasks.count = trial->tasks;
    walk->served.count = trial->served;
    walk->skeleton->refusals.count = trial->refusals;
    walk->channels = trial->channels;
    walk->steps = trial->around;
    walk->trials--;
    if (is_apart) {
        skeleton_forget_changed(walk, trial->own, &trial->steps);
        add_claims(walk, claims, &apart.claims);
    }
    return is_apart;
}

/* ---- who waits for their end ---- */

static SkeletonSteps *add_choice(SkeletonWalk *walk, SkeletonStep *step) {
    SkeletonChoice *choice = arena_new(walk->arena, SkeletonChoice);
    choice->condition = skeleton_any();
    array_push(walk->arena, &step->choices, choice);
    return &choice->steps;
}

static void add_claim(SkeletonWalk *walk, const SkeletonStep *claim) {
    SkeletonPlace place = claim->place;
    SkeletonScope scope = skeleton_begin_scope(walk);
    if (place.index->kind != VALUE_NUMBER) {
        place.index = skeleton_pick(walk, skeleton_any(), place.channel->count, claim->at);
    }
    SkeletonStep *step = skeleton_add_step(walk, STEP_CLAIM, claim->at);
    step->proc = claim->proc;
    step->place = place;
    step->side = claim->side;
    skeleton_end_scope(walk, scope, claim->at);
}

static bool is_same_claim(const SkeletonStep *one, const SkeletonStep *other) {
    bool is_number = one->place.index->kind == VALUE_NUMBER;
    return one->place.channel == other->place.channel && one->side == other->side &&
           one->place.index->kind == other->place.index->kind &&
           (!is_number || one->place.index->number == other->place.index->number);
}

static bool is_first(const SkeletonClaims *claims, size_t number) {
    for (size_t i = 0; i < number; i++) {
        if (is_same_claim(claims->items[i], claims->items[number])) {
            return false;
        }
    }
    return true;
}

void skeleton_wait_for_claims(SkeletonWalk *walk, const SkeletonClaims *claims, Location at) {
    if (claims->count == 0) {
        return;
    }
    SkeletonStep *step = skeleton_add_step(walk, STEP_CHOICE, at);
    SkeletonSteps *around = walk->steps;
    for (size_t i = 0; i < claims->count; i++) {
        if (is_first(claims, i)) {
            walk->steps = add_choice(walk, step);
            add_claim(walk, claims->items[i]);
        }
    }
    (void)add_choice(walk, step);
    walk->steps = around;
}
