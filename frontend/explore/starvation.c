/* starvation -- see the header. */
#include "starvation.h"

#include "lasso.h"
#include "starvation_search.h"

#include <stdlib.h>
#include <string.h>

/* ---- reading the steps ---- */

static uint32_t number_of_process(StarvationSearch *search, uint32_t process) {
    for (size_t i = 0; i < search->processes.count; i++) {
        if (search->processes.items[i] == process) {
            return (uint32_t)i;
        }
    }
    array_push(search->arena, &search->processes, process);
    return (uint32_t)search->processes.count - 1;
}

static uint32_t number_of_choice(StarvationSearch *search, Choice choice) {
    for (size_t i = 0; i < search->choices.count; i++) {
        const Choice *other = &search->choices.items[i];
        if (other->process == choice.process && other->site == choice.site) {
            return (uint32_t)i;
        }
    }
    array_push(search->arena, &search->choices, choice);
    return (uint32_t)search->choices.count - 1;
}

static const ExploreAlternative *find_alternative(const StarvationSearch *search, uint16_t number,
                                                  uint32_t alternative) {
    const ExploreSite *site = &search->region->sites[number];
    for (size_t i = 0; i < search->bounds->alternative_count; i++) {
        const ExploreAlternative *one = &search->bounds->alternatives[i];
        if (one->number == alternative && one->alt_line == site->line &&
            one->alt_column == site->column &&
            strncmp(site->file, one->file, sizeof site->file - 1) == 0) {
            return one;
        }
    }
    return NULL;
}

static uint32_t number_of_guard(StarvationSearch *search, Choice choice, uint16_t position,
                                uint16_t alternative, uint16_t kind) {
    uint32_t of = number_of_choice(search, choice);
    for (size_t i = 0; i < search->guards.count; i++) {
        if (search->guards.items[i].choice == of && search->guards.items[i].position == position) {
            return (uint32_t)i;
        }
    }
    Guard guard = {of, position, find_alternative(search, choice.site, alternative),
                   kind != EXPLORE_SKIP && kind != EXPLORE_TIMER, PRI_ALT_SOME};
    guard.order = guard.alternative ? guard.alternative->order : PRI_ALT_SOME;
    array_push(search->arena, &search->guards, guard);
    return (uint32_t)search->guards.count - 1;
}

static void add_step(StarvationSearch *search, const ExploreStateStep *found) {
    const ExploreEvent *event = &found->event;
    Step step = {found->from - 1, found->end != 0 ? NONE : found->to - 1,
                 {NONE, NONE},    {number_of_process(search, event->process), NONE},
                 false,           event};
    if (event->kind <= EXPLORE_NEXT) {
        Choice choice = {event->process, event->site};
        step.guards[0] =
            number_of_guard(search, choice, event->guard, event->alternative, event->kind);
    }
    if (event->partner != 0) {
        Choice choice = {event->partner_process, event->partner_site};
        step.processes[1] = number_of_process(search, event->partner_process);
        step.guards[1] = number_of_guard(search, choice, event->partner_guard,
                                         event->partner_alternative, event->kind);
    }
    array_push(search->arena, &search->steps, step);
}

static int compare_steps(const void *one, const void *other) {
    const Step *left = one;
    const Step *right = other;
    return left->from != right->from ? (left->from < right->from ? -1 : 1) : 0;
}

static void read_steps(StarvationSearch *search) {
    for (uint64_t place = search->region->state_steps; place != 0;) {
        const ExploreStateStep *step = (const void *)((const char *)search->region + place);
        add_step(search, step);
        place = step->next;
    }
    if (search->steps.count > 0) {
        qsort(search->steps.items, search->steps.count, sizeof(Step), compare_steps);
    }
    uint32_t states = search->state_count = search->region->state_count;
    search->first = arena_new_array(search->arena, uint32_t, states + 1);
    for (uint32_t state = 0, at = 0; state <= states; state++) {
        while (at < search->steps.count && search->steps.items[at].from < state) {
            at++;
        }
        search->first[state] = at;
    }
    search->part = arena_new_array(search->arena, uint32_t, states);
    search->members = arena_new_array(search->arena, uint32_t, states);
    search->member_first = arena_new_array(search->arena, uint32_t, states + 1);
    search->taken_in = arena_new_array(search->arena, uint32_t, search->guards.count);
    search->seen = arena_new_array(search->arena, uint32_t, search->processes.count);
    search->moves_in = arena_new_array(search->arena, uint32_t, search->processes.count);
}

/* ---- strongly connected parts (Tarjan, 1972, without recursion) ---- */

typedef struct Tarjan {
    uint32_t *index; /* from 1; 0: not seen */
    uint32_t *low;
    uint32_t *stack;
    uint32_t *path; /* states that are open, and the next step of each */
    uint32_t *next;
    uint32_t seen, depth, length;
} Tarjan;

static void open_state(const StarvationSearch *search, Tarjan *tarjan, uint32_t state) {
    tarjan->index[state] = tarjan->low[state] = ++tarjan->seen;
    tarjan->stack[tarjan->depth++] = state;
    tarjan->path[tarjan->length++] = state;
    tarjan->next[state] = search->first[state];
}

static void close_state(StarvationSearch *search, Tarjan *tarjan, uint32_t state) {
    tarjan->length--;
    if (tarjan->length > 0) {
        uint32_t *low = &tarjan->low[tarjan->path[tarjan->length - 1]];
        *low = tarjan->low[state] < *low ? tarjan->low[state] : *low;
    }
    if (tarjan->low[state] != tarjan->index[state]) {
        return;
    }
    uint32_t at = search->member_first[search->part_count];
    uint32_t member;
    do {
        member = tarjan->stack[--tarjan->depth];
        search->part[member] = search->part_count;
        search->members[at++] = member;
    } while (member != state);
    search->member_first[++search->part_count] = at;
}

static void follow_step(const StarvationSearch *search, Tarjan *tarjan, uint32_t state,
                        const Step *step) {
    if (step->is_away || step->to == NONE) {
        return;
    }
    if (tarjan->index[step->to] == 0) {
        open_state(search, tarjan, step->to);
    } else if (search->part[step->to] == NONE && tarjan->index[step->to] < tarjan->low[state]) {
        tarjan->low[state] = tarjan->index[step->to];
    }
}

static void find_parts(StarvationSearch *search, Tarjan *tarjan) {
    memset(tarjan->index, 0, search->state_count * sizeof *tarjan->index);
    memset(search->part, 0xff, search->state_count * sizeof *search->part);
    search->part_count = 0;
    tarjan->seen = tarjan->depth = tarjan->length = 0;
    for (uint32_t root = 0; root < search->state_count; root++) {
        if (tarjan->index[root] == 0) {
            open_state(search, tarjan, root);
        }
        while (tarjan->length > 0) {
            uint32_t state = tarjan->path[tarjan->length - 1];
            if (tarjan->next[state] < search->first[state + 1]) {
                follow_step(search, tarjan, state, &search->steps.items[tarjan->next[state]++]);
            } else {
                close_state(search, tarjan, state);
            }
        }
    }
}

/* ---- promises ---- */

bool starvation_is_inside(const StarvationSearch *search, const Step *step) {
    return !step->is_away && step->to != NONE && search->part[step->from] == search->part[step->to];
}

static bool takes(const Step *step, uint32_t guard) {
    return step->guards[0] == guard || step->guards[1] == guard;
}

/* The guard that the ALT takes by that step; NULL: it does not choose. */
static const Guard *turn_of(const StarvationSearch *search, const Step *step, uint32_t choice) {
    for (size_t side = 0; side < 2; side++) {
        const Guard *guard =
            step->guards[side] != NONE ? &search->guards.items[step->guards[side]] : NULL;
        if (guard && guard->choice == choice) {
            return guard;
        }
    }
    return NULL;
}

bool starvation_is_ready(const StarvationSearch *search, uint32_t state, uint32_t guard) {
    EACH_STEP(step, search, state) {
        if (takes(step, guard)) {
            return true;
        }
    }
    return false;
}

static void note_taken(StarvationSearch *search, uint32_t part) {
    for (uint32_t i = search->member_first[part]; i < search->member_first[part + 1]; i++) {
        EACH_STEP(step, search, search->members[i]) {
            for (size_t side = 0; side < 2 && starvation_is_inside(search, step); side++) {
                if (step->guards[side] != NONE) {
                    search->taken_in[step->guards[side]] = part + 1;
                }
            }
        }
    }
}

/* In this state the ALT of that guard does not choose, or nothing behind the guard. */
static bool forbid_turns(StarvationSearch *search, uint32_t state, const Guard *guard) {
    bool is_changed = false;
    EACH_STEP(step, search, state) {
        const Guard *taken = turn_of(search, step, guard->choice);
        if (starvation_is_inside(search, step) && taken &&
            (guard->order == PRI_ALT_NONE || taken->position > guard->position)) {
            step->is_away = is_changed = true;
        }
    }
    return is_changed;
}

/* Where a guard is ready that is promised to be taken, and is not in this part. */
static bool keep_promises(StarvationSearch *search, uint32_t part) {
    bool is_changed = false;
    note_taken(search, part);
    for (uint32_t i = search->member_first[part]; i < search->member_first[part + 1]; i++) {
        EACH_STEP(step, search, search->members[i]) {
            for (size_t side = 0; side < 2; side++) {
                uint32_t guard = step->guards[side];
                if (guard != NONE && search->guards.items[guard].order != PRI_ALT_SOME &&
                    search->taken_in[guard] != part + 1) {
                    is_changed |=
                        forbid_turns(search, search->members[i], &search->guards.items[guard]);
                }
            }
        }
    }
    return is_changed;
}

static void note_moves(StarvationSearch *search, uint32_t part) {
    memset(search->moves_in, 0, search->processes.count * sizeof *search->moves_in);
    for (uint32_t i = search->member_first[part]; i < search->member_first[part + 1]; i++) {
        EACH_STEP(step, search, search->members[i]) {
            for (size_t side = 0; side < 2 && step->processes[side] != NONE; side++) {
                search->moves_in[step->processes[side]] |= starvation_is_inside(search, step);
            }
        }
    }
}

/* Could it happen while those that move do? */
static bool is_of_idle(const StarvationSearch *search, const Step *step) {
    return !search->moves_in[step->processes[0]] &&
           (step->processes[1] == NONE || !search->moves_in[step->processes[1]]);
}

/* Is there a process that can go on in every state of the part, alone or with another one, and
 * neither ever does? */
static bool is_left_aside(StarvationSearch *search, uint32_t part) {
    uint32_t first = search->member_first[part];
    uint32_t end = search->member_first[part + 1];
    note_moves(search, part);
    memset(search->seen, 0, search->processes.count * sizeof *search->seen);
    for (uint32_t i = first; i < end; i++) {
        EACH_STEP(step, search, search->members[i]) {
            uint32_t process = step->processes[0];
            search->seen[process] += is_of_idle(search, step) && search->seen[process] == i - first;
        }
    }
    for (size_t i = 0; i < search->processes.count; i++) {
        if (search->seen[i] == end - first) {
            return true;
        }
    }
    return false;
}

/* ---- one guard ---- */

/* Its ALT chooses in this part, and it is ready: there, if it must give way to others only. */
static bool starves_in(const StarvationSearch *search, uint32_t part, uint32_t guard) {
    const Guard *its = &search->guards.items[guard];
    bool is_ready_somewhere = false;
    bool has_turn = false;
    for (uint32_t i = search->member_first[part]; i < search->member_first[part + 1]; i++) {
        bool is_ready_here = starvation_is_ready(search, search->members[i], guard);
        is_ready_somewhere |= is_ready_here;
        EACH_STEP(step, search, search->members[i]) {
            has_turn |= starvation_is_inside(search, step) && turn_of(search, step, its->choice) &&
                        (its->order == PRI_ALT_NONE || is_ready_here);
        }
    }
    return is_ready_somewhere && has_turn;
}

bool starvation_has_turn(const StarvationSearch *search, const Step *step, uint32_t guard) {
    return turn_of(search, step, search->guards.items[guard].choice) != NULL;
}

bool starvation_is_of(StarvationSearch *search, uint32_t part, uint32_t guard) {
    return !keep_promises(search, part) && starves_in(search, part, guard) &&
           !is_left_aside(search, part);
}

static void begin_without(StarvationSearch *search, uint32_t guard) {
    memset(search->taken_in, 0, search->guards.count * sizeof *search->taken_in);
    for (size_t i = 0; i < search->steps.count; i++) {
        search->steps.items[i].is_away = takes(&search->steps.items[i], guard);
    }
}

/* The part in which it starves; NONE: it does not. */
static uint32_t part_without(StarvationSearch *search, Tarjan *tarjan, uint32_t guard) {
    bool is_changed = true;
    begin_without(search, guard);
    while (is_changed) {
        is_changed = false;
        find_parts(search, tarjan);
        memset(search->taken_in, 0, search->guards.count * sizeof *search->taken_in);
        for (uint32_t part = 0; part < search->part_count; part++) {
            is_changed |= keep_promises(search, part);
        }
    }
    for (uint32_t part = 0; part < search->part_count; part++) {
        if (starves_in(search, part, guard) && !is_left_aside(search, part)) {
            return part;
        }
    }
    return NONE;
}

/* In the order of the text: the number of a guard depends on the runners. */
static int compare_starved(const void *one, const void *other) {
    const Starved *left = one;
    const Starved *right = other;
    if (left->alternative != right->alternative) {
        return left->alternative < right->alternative ? -1 : 1;
    }
    return (int)left->guard - (int)right->guard;
}

/* Of several processes that have the same text one is told. */
static void put_in_order(StarvedList *list) {
    size_t kept = 0;
    if (list->count > 0) {
        qsort(list->items, list->count, sizeof *list->items, compare_starved);
    }
    for (size_t i = 0; i < list->count; i++) {
        if (kept == 0 || compare_starved(&list->items[kept - 1], &list->items[i]) != 0) {
            list->items[kept++] = list->items[i];
        }
    }
    list->count = kept;
}

StarvedList starvation_find(Arena *arena, const ExploreRegion *region,
                            const ExploreBounds *bounds) {
    StarvationSearch search = {.arena = arena, .region = region, .bounds = bounds};
    StarvedList result = {0};
    read_steps(&search);
    uint32_t states = search.state_count;
    Tarjan tarjan = {.index = arena_new_array(arena, uint32_t, states),
                     .low = arena_new_array(arena, uint32_t, states),
                     .stack = arena_new_array(arena, uint32_t, states),
                     .path = arena_new_array(arena, uint32_t, states),
                     .next = arena_new_array(arena, uint32_t, states)};
    for (uint32_t i = 0; i < search.guards.count; i++) {
        const Guard *guard = &search.guards.items[i];
        uint32_t part =
            guard->waits && guard->order != PRI_ALT_SOME ? part_without(&search, &tarjan, i) : NONE;
        if (part != NONE) {
            uint32_t count = search.member_first[part + 1] - search.member_first[part];
            Starved starved = {.alternative = guard->alternative,
                               .guard = guard->position,
                               .states = count,
                               .lasso = lasso_find(&search, part, i)};
            array_push(arena, &result, starved);
        }
    }
    put_in_order(&result);
    return result;
}
