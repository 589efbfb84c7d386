/* machine_watched -- variables on which it depends what a program says. See machine.h.
 *
 * Holds:  a variable that nothing watched depends on has no part in a state. */
#include "machine.h"

typedef struct Watching {
    const Skeleton *skeleton;
    bool *is_watched;
    bool *is_item_watched; /* of each channel, the first ITEMS_MOST items of its messages */
    bool has_changed;
} Watching;

enum { ITEMS_MOST = 16 };

static void watch_steps(Watching *watching, const SkeletonSteps *steps);

static void mark(Watching *watching, bool *flag) {
    watching->has_changed = watching->has_changed || !*flag;
    *flag = true;
}

static void watch_value(Watching *watching, const SkeletonValue *value) {
    if (value && value->kind == VALUE_VARIABLE) {
        mark(watching, &watching->is_watched[value->variable->number]);
        watch_value(watching, value->index);
    } else if (value && value->kind == VALUE_OPERATION) {
        watch_value(watching, value->left);
        watch_value(watching, value->right);
    }
}

static bool is_watched(const Watching *watching, const SkeletonVariable *variable) {
    return variable && watching->is_watched[variable->number];
}

static bool *item_flag(Watching *watching, SkeletonPlace place, size_t item) {
    return &watching->is_item_watched[place.channel->number * ITEMS_MOST +
                                      (item < ITEMS_MOST ? item : ITEMS_MOST - 1)];
}

static void watch_targets(Watching *watching, SkeletonPlace place, const SkeletonVariant *variant) {
    for (size_t i = 0; i < variant->targets.count; i++) {
        SkeletonSlot slot = variant->targets.items[i];
        if (is_watched(watching, slot.variable)) {
            watch_value(watching, slot.index);
            if (place.channel) {
                mark(watching, item_flag(watching, place, i));
            }
        }
    }
}

static void watch_sent(Watching *watching, SkeletonPlace place, const SkeletonValue *value,
                       size_t item) {
    if (place.channel && *item_flag(watching, place, item)) {
        watch_value(watching, value);
    }
}

static void watch_guard(Watching *watching, const SkeletonGuard *guard) {
    watch_value(watching, guard->condition);
    watch_value(watching, guard->place.index);
    for (size_t i = 0; i < guard->values.count; i++) {
        watch_sent(watching, guard->place, guard->values.items[i], i);
    }
    for (size_t i = 0; i < guard->variants.count; i++) {
        watch_targets(watching, guard->place, guard->variants.items[i]);
        watch_steps(watching, &guard->variants.items[i]->during);
        watch_steps(watching, &guard->variants.items[i]->after);
    }
}

static void watch_copies(Watching *watching, const SkeletonStep *step) {
    for (size_t i = 0; i < step->tasks.count; i++) {
        const SkeletonTask *task = step->tasks.items[i];
        for (size_t k = 0; k < task->copies.count; k++) {
            if (is_watched(watching, task->copies.items[k])) {
                watch_value(watching, step->values.items[k]);
            }
        }
    }
}

static void watch_step(Watching *watching, const SkeletonStep *step) {
    watch_value(watching, step->place.index);
    watch_value(watching, step->condition);
    watch_value(watching, step->count);
    bool is_set = step->kind == STEP_SET || step->kind == STEP_UNTIL;
    if (is_set && is_watched(watching, step->slot.variable)) {
        watch_value(watching, step->slot.index);
        watch_value(watching, step->value);
    }
    if (step->kind == STEP_PICK) {
        watch_value(watching, step->value);
    }
    if (step->variable) {
        mark(watching, &watching->is_watched[step->variable->number]);
    }
    if (step->kind == STEP_FORK) {
        watch_copies(watching, step);
    }
    for (size_t i = 0; step->kind == STEP_SEND && i < step->values.count; i++) {
        watch_sent(watching, step->place, step->values.items[i], i);
    }
    for (size_t i = 0; i < step->guards.count; i++) {
        watch_guard(watching, step->guards.items[i]);
    }
    for (size_t i = 0; i < step->choices.count; i++) {
        watch_value(watching, step->choices.items[i]->condition);
        watch_steps(watching, &step->choices.items[i]->steps);
    }
    watch_steps(watching, &step->steps);
}

static void watch_steps(Watching *watching, const SkeletonSteps *steps) {
    for (size_t i = 0; i < steps->count; i++) {
        watch_step(watching, steps->items[i]);
    }
}

static void watch_closing(Watching *watching) {
    for (size_t i = 0; i < watching->skeleton->channels.count; i++) {
        const SkeletonChannel *channel = watching->skeleton->channels.items[i];
        if (channel->is_closed) {
            watching->is_watched[channel->closed->number] = true;
        }
    }
}

static void watch_clocks(Watching *watching) {
    for (size_t i = 0; i < watching->skeleton->clocks.count; i++) {
        const SkeletonClock *clock = watching->skeleton->clocks.items[i];
        for (size_t k = 0; k < clock->members.count; k++) {
            watching->is_watched[clock->members.items[k]->state->number] = true;
            watching->is_watched[clock->members.items[k]->lent->number] = true;
        }
    }
}

bool *machine_watched(Arena *arena, const Skeleton *skeleton) {
    Watching watching = {skeleton, arena_new_array(arena, bool, skeleton->variables.count + 1),
                         arena_new_array(arena, bool, (skeleton->channels.count + 1) * ITEMS_MOST),
                         true};
    watch_closing(&watching);
    watch_clocks(&watching);
    while (watching.has_changed) {
        watching.has_changed = false;
        for (size_t i = 0; i < skeleton->tasks.count; i++) {
            watch_steps(&watching, &skeleton->tasks.items[i]->steps);
        }
    }
    for (size_t i = 0; i < skeleton->variables.count; i++) {
        watching.is_watched[i] =
            watching.is_watched[i] && !skeleton->variables.items[i]->is_forgotten;
    }
    return watching.is_watched;
}
