/* skeleton_forget -- variables that several processes use while nobody waits for the end of one of
 * them. See skeleton_walk.h.
 *
 * Holds:  what is forgotten has any value in the whole skeleton, also before: nothing is said of when
 *         others change it. Turns, choices and clocks of others cannot be forgotten. */
#include "skeleton_walk.h"

typedef struct Visit {
    SkeletonWalk *walk;
    SkeletonOwn own;
    bool with_reads;
    bool is_fine;
} Visit;

static void visit_steps(Visit *visit, const SkeletonSteps *steps);

static void visit_variable(Visit *visit, const SkeletonVariable *variable) {
    bool is_others = variable && variable->number < visit->own.variable;
    if (is_others && variable->type) {
        visit->walk->skeleton->variables.items[variable->number]->is_forgotten = true;
    }
    bool is_once = !is_others || (variable->is_object && variable->repeats <= visit->own.repeats);
    visit->is_fine = visit->is_fine && (is_once || variable->type);
}

static void visit_value(Visit *visit, const SkeletonValue *value) {
    if (!value || !visit->with_reads) {
        return;
    }
    if (value->kind == VALUE_VARIABLE) {
        visit_variable(visit, value->variable);
        visit_value(visit, value->index);
    } else if (value->kind == VALUE_OPERATION) {
        visit_value(visit, value->left);
        visit_value(visit, value->right);
    }
}

static void visit_slot(Visit *visit, SkeletonSlot slot) {
    visit_variable(visit, slot.variable);
    visit_value(visit, slot.index);
}

static void visit_place(Visit *visit, SkeletonPlace place) {
    const SkeletonChannel *channel = place.channel;
    bool is_others = channel && channel->number < visit->own.channel;
    visit->is_fine = visit->is_fine && !(is_others && channel->repeats > visit->own.repeats);
    visit_value(visit, place.index);
}

static void visit_guard(Visit *visit, const SkeletonGuard *guard) {
    visit_value(visit, guard->condition);
    visit_place(visit, guard->place);
    for (size_t i = 0; i < guard->values.count; i++) {
        visit_value(visit, guard->values.items[i]);
    }
    for (size_t i = 0; i < guard->variants.count; i++) {
        const SkeletonVariant *variant = guard->variants.items[i];
        for (size_t k = 0; k < variant->targets.count; k++) {
            visit_slot(visit, variant->targets.items[k]);
        }
        visit_steps(visit, &variant->during);
        visit_steps(visit, &variant->after);
    }
}

static void visit_member(Visit *visit, const SkeletonMember *member) {
    visit->is_fine = visit->is_fine && (!member || member->state->number >= visit->own.variable);
}

static void visit_inside(Visit *visit, const SkeletonStep *step) {
    for (size_t i = 0; i < step->guards.count; i++) {
        visit_guard(visit, step->guards.items[i]);
    }
    for (size_t i = 0; i < step->choices.count; i++) {
        visit_value(visit, step->choices.items[i]->condition);
        visit_steps(visit, &step->choices.items[i]->steps);
    }
    visit_steps(visit, &step->steps);
    for (size_t i = 0; step->kind != STEP_JOIN && i < step->tasks.count; i++) {
        visit_steps(visit, &step->tasks.items[i]->steps);
    }
}

static void visit_step(Visit *visit, const SkeletonStep *step) {
    visit_place(visit, step->place);
    visit_value(visit, step->condition);
    visit_value(visit, step->count);
    visit_value(visit, step->value);
    visit_variable(visit, step->variable);
    visit_slot(visit, step->slot);
    visit_member(visit, step->member);
    for (size_t i = 0; i < step->values.count; i++) {
        visit_value(visit, step->values.items[i]);
    }
    for (size_t i = 0; i < step->members.count; i++) {
        visit_member(visit, step->members.items[i]);
    }
    visit_inside(visit, step);
}

static void visit_steps(Visit *visit, const SkeletonSteps *steps) {
    for (size_t i = 0; i < steps->count; i++) {
        visit_step(visit, steps->items[i]);
    }
}

bool skeleton_forget_shared(SkeletonWalk *walk, SkeletonOwn own, const SkeletonSteps *steps) {
    Visit visit = {walk, own, true, true};
    visit_steps(&visit, steps);
    return visit.is_fine;
}

void skeleton_forget_changed(SkeletonWalk *walk, SkeletonOwn own, const SkeletonSteps *steps) {
    Visit visit = {walk, own, false, true};
    visit_steps(&visit, steps);
}
