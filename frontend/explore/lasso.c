/* lasso -- see the header. */
#include "lasso.h"

#include <string.h>

enum { TURNS_TRIED = 512, STEPS_TRIED = 512 };

typedef ARRAY_OF(uint32_t) Walk; /* steps */

typedef struct Finder {
    const StarvationSearch *search;
    Arena *arena;
    uint32_t part;
    uint32_t guard;
    uint32_t *queue;    /* states */
    uint32_t *via;      /* the step by which a state was found; NONE: none */
    uint32_t *distance; /* of a state from the first one; NONE: it is not reached */
    uint32_t *stem_via;
    bool *is_covered;  /* steps that a walk need not do, or has done */
    bool *is_left_out; /* that it need not */
    Step *alone_steps; /* for is_fair */
    uint32_t *alone_part;
    uint32_t *alone_taken;
} Finder;

static const Step *step_of(const Finder *finder, uint32_t step) {
    return &finder->search->steps.items[step];
}

/* ---- ways ---- */

typedef bool IsGoal(const Finder *finder, uint32_t state, uint32_t wanted);

/* The steps by which `state` was found, from `from` on. */
static void append_way(const Finder *finder, Walk *walk, uint32_t from, uint32_t state) {
    size_t first = walk->count;
    for (; state != from; state = step_of(finder, finder->via[state])->from) {
        array_push(finder->arena, walk, finder->via[state]);
    }
    for (size_t i = first, k = walk->count; k > i + 1; i++, k--) {
        uint32_t step = walk->items[i];
        walk->items[i] = walk->items[k - 1];
        walk->items[k - 1] = step;
    }
}

/* The shortest way in the part from the state to a goal; the goal, or NONE. */
static uint32_t extend(const Finder *finder, Walk *walk, uint32_t from, IsGoal *is_goal,
                       uint32_t wanted) {
    const StarvationSearch *search = finder->search;
    uint32_t count = 0;
    memset(finder->via, 0xff, search->state_count * sizeof *finder->via);
    finder->queue[count++] = from;
    for (uint32_t at = 0; at < count; at++) {
        uint32_t state = finder->queue[at];
        if (is_goal(finder, state, wanted)) {
            append_way(finder, walk, from, state);
            return state;
        }
        EACH_STEP(step, search, state) {
            if (starvation_is_inside(search, step) && step->to != from &&
                finder->via[step->to] == NONE) {
                finder->via[step->to] = (uint32_t)(step - search->steps.items);
                finder->queue[count++] = step->to;
            }
        }
    }
    return NONE;
}

static bool is_state(const Finder *finder, uint32_t state, uint32_t wanted) {
    (void)finder;
    return state == wanted;
}

static bool is_ready(const Finder *finder, uint32_t state, uint32_t wanted) {
    return starvation_is_ready(finder->search, state, wanted);
}

static bool has_more(const Finder *finder, uint32_t state, uint32_t wanted) {
    (void)wanted;
    EACH_STEP(step, finder->search, state) {
        if (starvation_is_inside(finder->search, step) &&
            !finder->is_covered[step - finder->search->steps.items]) {
            return true;
        }
    }
    return false;
}

/* How far each state is from the first. */
static void measure(const Finder *finder) {
    const StarvationSearch *search = finder->search;
    uint32_t count = 0;
    memset(finder->distance, 0xff, search->state_count * sizeof *finder->distance);
    finder->distance[0] = 0;
    finder->queue[count++] = 0;
    for (uint32_t at = 0; at < count; at++) {
        uint32_t state = finder->queue[at];
        EACH_STEP(step, search, state) {
            if (step->to != NONE && finder->distance[step->to] == NONE) {
                finder->distance[step->to] = finder->distance[state] + 1;
                finder->stem_via[step->to] = (uint32_t)(step - search->steps.items);
                finder->queue[count++] = step->to;
            }
        }
    }
}

/* ---- is a round one? ---- */

/* The states of the walk, and all steps from them but its own taken away. */
static void take_alone(StarvationSearch *alone, const Finder *finder, const Walk *walk) {
    const Step *steps = finder->search->steps.items;
    memset(alone->part, 0xff, alone->state_count * sizeof *alone->part);
    memset(alone->taken_in, 0, alone->guards.count * sizeof *alone->taken_in);
    for (size_t i = 0; i < walk->count; i++) {
        uint32_t state = steps[walk->items[i]].from;
        if (alone->part[state] == NONE) {
            alone->part[state] = 0;
            alone->members[alone->member_first[1]++] = state;
            EACH_STEP(step, alone, state) {
                *step = steps[step - alone->steps.items];
                step->is_away = true;
            }
        }
    }
    for (size_t i = 0; i < walk->count; i++) {
        alone->steps.items[walk->items[i]].is_away = false;
    }
}

/* The steps of the walk as a part by themselves. */
static bool is_fair(const Finder *finder, const Walk *walk) {
    StarvationSearch alone = *finder->search;
    uint32_t first[2] = {0, 0};
    alone.steps.items = finder->alone_steps;
    alone.part = finder->alone_part;
    alone.taken_in = finder->alone_taken;
    alone.members = finder->queue;
    alone.member_first = first;
    take_alone(&alone, finder, walk);
    return starvation_is_of(&alone, 0, finder->guard);
}

/* ---- rounds ---- */

/* Through that step and a state in which the guard is ready. */
static bool go_round(const Finder *finder, Walk *walk, uint32_t turn) {
    const Step *step = step_of(finder, turn);
    walk->count = 0;
    array_push(finder->arena, walk, turn);
    uint32_t ready = starvation_is_ready(finder->search, step->from, finder->guard)
                         ? step->to
                         : extend(finder, walk, step->to, is_ready, finder->guard);
    return ready != NONE && extend(finder, walk, ready, is_state, step->from) != NONE;
}

/* From the state through every step of the part that is not left out. */
static void go_everywhere(const Finder *finder, Walk *walk, uint32_t from) {
    uint32_t state = from;
    walk->count = 0;
    memcpy(finder->is_covered, finder->is_left_out, finder->search->steps.count);
    while ((state = extend(finder, walk, state, has_more, 0)) != NONE) {
        EACH_STEP(step, finder->search, state) {
            uint32_t number = (uint32_t)(step - finder->search->steps.items);
            if (starvation_is_inside(finder->search, step) && !finder->is_covered[number]) {
                finder->is_covered[number] = true;
                array_push(finder->arena, walk, number);
                state = step->to;
                break;
            }
        }
    }
    state = walk->count > 0 ? step_of(finder, walk->items[walk->count - 1])->to : from;
    (void)extend(finder, walk, state, is_state, from);
}

/* Where the walk is nearest to the first state: a place in it. */
static uint32_t entry_of(const Finder *finder, const Walk *walk) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < walk->count; i++) {
        if (finder->distance[step_of(finder, walk->items[i])->from] <
            finder->distance[step_of(finder, walk->items[best])->from]) {
            best = i;
        }
    }
    return best;
}

static size_t length_of(const Finder *finder, const Walk *walk) {
    uint32_t entry = walk->items[entry_of(finder, walk)];
    return finder->distance[step_of(finder, entry)->from] + walk->count;
}

static void list_inside(const Finder *finder, Walk *steps) {
    const StarvationSearch *search = finder->search;
    uint32_t first = search->member_first[finder->part];
    for (uint32_t i = first; i < search->member_first[finder->part + 1]; i++) {
        EACH_STEP(step, search, search->members[i]) {
            if (starvation_is_inside(search, step)) {
                array_push(finder->arena, steps, (uint32_t)(step - search->steps.items));
            }
        }
    }
}

/* Without some more of the steps, unless these are needed. */
static void leave_out(const Finder *finder, Walk *best, const uint32_t *steps, size_t count) {
    Walk walk = {0};
    for (size_t i = 0; i < count; i++) {
        finder->is_left_out[steps[i]] = true;
    }
    go_everywhere(finder, &walk, step_of(finder, best->items[0])->from);
    if (walk.count > 0 && is_fair(finder, &walk)) {
        *best = walk;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        finder->is_left_out[steps[i]] = false;
    }
}

/* Which steps are needed? Many are left out at once first, then fewer. */
static Walk least_of_all(const Finder *finder) {
    Walk best = {0};
    Walk steps = {0};
    unsigned tried = 0;
    list_inside(finder, &steps);
    go_everywhere(finder, &best, step_of(finder, steps.items[0])->from);
    for (size_t size = (steps.count + 1) / 2; size > 0; size /= 2) {
        for (size_t at = 0; at < steps.count && tried < STEPS_TRIED; at += size) {
            size_t count = steps.count - at < size ? steps.count - at : size;
            if (!finder->is_left_out[steps.items[at]]) {
                tried++;
                leave_out(finder, &best, steps.items + at, count);
            }
        }
    }
    return best;
}

static Walk shortest_round(const Finder *finder) {
    const StarvationSearch *search = finder->search;
    Walk best = {0};
    Walk walk = {0};
    unsigned tried = 0;
    uint32_t first = search->member_first[finder->part];
    for (uint32_t i = first; i < search->member_first[finder->part + 1]; i++) {
        EACH_STEP(step, search, search->members[i]) {
            if (starvation_is_inside(search, step) &&
                starvation_has_turn(search, step, finder->guard) && tried++ < TURNS_TRIED &&
                go_round(finder, &walk, (uint32_t)(step - search->steps.items)) &&
                (best.count == 0 || length_of(finder, &walk) < length_of(finder, &best)) &&
                is_fair(finder, &walk)) {
                best = walk;
                walk = (Walk){0};
            }
        }
    }
    return best.count > 0 ? best : least_of_all(finder);
}

/* ---- the whole ---- */

static void add_step(const Finder *finder, Lasso *lasso, uint32_t number) {
    const StarvationSearch *search = finder->search;
    const Step *step = step_of(finder, number);
    LassoStep added = {step->event, search->first[step->from + 1] - search->first[step->from] > 1};
    array_push(finder->arena, &lasso->steps, added);
}

static void add_stem(const Finder *finder, Lasso *lasso, uint32_t state) {
    Walk stem = {0};
    for (; state != 0; state = step_of(finder, finder->stem_via[state])->from) {
        array_push(finder->arena, &stem, finder->stem_via[state]);
    }
    for (size_t i = stem.count; i-- > 0;) {
        add_step(finder, lasso, stem.items[i]);
    }
    lasso->stem = (uint32_t)stem.count;
}

Lasso lasso_find(const StarvationSearch *search, uint32_t part, uint32_t guard) {
    Arena *arena = search->arena;
    uint32_t states = search->state_count;
    Finder finder = {.search = search,
                     .arena = arena,
                     .part = part,
                     .guard = guard,
                     .queue = arena_new_array(arena, uint32_t, states),
                     .via = arena_new_array(arena, uint32_t, states),
                     .distance = arena_new_array(arena, uint32_t, states),
                     .stem_via = arena_new_array(arena, uint32_t, states),
                     .is_covered = arena_new_array(arena, bool, search->steps.count),
                     .is_left_out = arena_new_array(arena, bool, search->steps.count),
                     .alone_steps = arena_new_array(arena, Step, search->steps.count),
                     .alone_part = arena_new_array(arena, uint32_t, states),
                     .alone_taken = arena_new_array(arena, uint32_t, search->guards.count)};
    Lasso lasso = {0};
    measure(&finder);
    Walk walk = shortest_round(&finder);
    uint32_t entry = entry_of(&finder, &walk);
    add_stem(&finder, &lasso, step_of(&finder, walk.items[entry])->from);
    for (size_t i = 0; i < walk.count; i++) {
        add_step(&finder, &lasso, walk.items[(entry + i) % walk.count]);
    }
    return lasso;
}
