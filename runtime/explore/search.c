/* search -- the tree of steps. See search.h. */
#include "search.h"

#include "ending.h"

#include <string.h>

enum { PILOTS = 16 }; /* sampled runs that show how long runs are */

typedef struct SearchEvent {
    ExploreEvent event;
    bool is_taken;  /* now, or by an earlier run */
    bool is_wanted; /* it may lead to another behaviour */
} SearchEvent;

struct SearchNode {
    SearchNode *parent;
    uint32_t step;
    uint32_t via;    /* the event of the parent that leads here */
    uint32_t chosen; /* by the last run that came here */
    uint32_t open;   /* branches in which a runner is, or will be */
    uint32_t state;
    uint32_t delays;    /* how often another than the first event was taken before */
    SearchNode *queued; /* states: the next one to continue */
    uint32_t event_count;
    uint32_t sleeper_count;
    ExploreEvent *sleepers; /* behind the events */
    SearchEvent events[];
};

/* In common memory, except for the pointer to it. */
typedef struct Search {
    ExploreRegion *region;
    bool has_begun;
    bool wants_all; /* no reduction except sleep sets */
    bool has_states;
    uint64_t sampled; /* runs that were ordered, and that are done */
    uint64_t done;
    SearchNode *first_state; /* list of states to continue, nearest first */
    SearchNode *last_state;
    uint32_t runner_count;
    SearchRun **runs;
} Search;

static Search *search;

void search_begin(ExploreRegion *region, SearchRun **runs, uint32_t count) {
    search = common_memory_take(sizeof *search);
    bool has_states = region->recognises_states != 0;
    *search =
        (Search){.region = region,
                 .wants_all = region->is_full != 0 || has_states || region->has_delay_limit != 0,
                 .has_states = has_states,
                 .runner_count = count,
                 .runs = runs};
}

/* ---- nodes ---- */

static size_t node_bytes(uint32_t events, uint32_t sleepers) {
    return sizeof(SearchNode) + events * sizeof(SearchEvent) + sleepers * sizeof(ExploreEvent);
}

static SearchNode *new_node(uint32_t events, uint32_t sleepers) {
    SearchNode *node = common_memory_take(node_bytes(events, sleepers));
    node->event_count = events;
    node->sleeper_count = sleepers;
    node->sleepers = (void *)(node->events + events);
    return node;
}

static bool sleeps(const SearchNode *node, const ExploreEvent *event) {
    for (uint32_t i = 0; i < node->sleeper_count; i++) {
        if (explore_is_same(&node->sleepers[i], event)) {
            return true;
        }
    }
    return false;
}

/* Want the events that were possible instead of that one and depend on it. */
static void want_dependent(SearchNode *node, uint32_t chosen) {
    for (uint32_t i = 0; i < node->event_count; i++) {
        if (explore_is_dependent(&node->events[i].event, &node->events[chosen].event)) {
            node->events[i].is_wanted = true;
        }
    }
}

static void want_all(SearchNode *node) {
    for (uint32_t i = 0; i < node->event_count; i++) {
        node->events[i].is_wanted = true;
    }
}

static bool may_depart(const SearchNode *node) {
    const ExploreRegion *region = search->region;
    return region->has_delay_limit == 0 || node->delays < region->delay_limit;
}

/* An event that is to be tried there; event_count: none. */
static uint32_t find_other(const SearchNode *node) {
    if (!may_depart(node)) {
        return node->event_count;
    }
    for (uint32_t i = 0; i < node->event_count; i++) {
        const SearchEvent *event = &node->events[i];
        if ((event->is_wanted || search->wants_all) && !event->is_taken &&
            !sleeps(node, &event->event)) {
            return i;
        }
    }
    return node->event_count;
}

/* ---- the next run ---- */

static void add_sleeper(SearchRun *run, const ExploreEvent *event, const ExploreEvent *chosen) {
    if (search->has_states || search->region->has_delay_limit != 0 ||
        explore_is_dependent(event, chosen)) {
        return;
    }
    if (run->sleeper_count == EXPLORE_SLEEPERS) {
        rt_fatal("exploring: too many events sleep at one step", 0);
    }
    run->sleepers[run->sleeper_count++] = *event;
}

/* After the event was taken: what slept before it, or was taken earlier, and does not depend on it
 * sleeps. */
static void order_sleepers(SearchRun *run, const SearchNode *node, uint32_t chosen) {
    const ExploreEvent *event = &node->events[chosen].event;
    run->sleeper_count = 0;
    for (uint32_t i = 0; i < node->sleeper_count; i++) {
        add_sleeper(run, &node->sleepers[i], event);
    }
    for (uint32_t i = 0; i < node->event_count; i++) {
        if (node->events[i].is_taken) {
            add_sleeper(run, &node->events[i].event, event);
        }
    }
}

static void order(SearchRun *run, SearchNode *node, uint32_t chosen) {
    order_sleepers(run, node, chosen);
    node->events[chosen].is_taken = true;
    node->open++;
    want_dependent(node, chosen);
    run->branch = node;
    run->prefix_count = node->step + 1;
    for (SearchNode *at = node; at != NULL; at = at->parent) {
        run->path[at->step] = at;
        run->prefix[at->step] = chosen;
        chosen = at->via;
    }
}

/* Remove a node with nobody below it and nothing wanted; returns its parent. */
static SearchNode *drop(SearchNode *node) {
    SearchNode *parent = node->parent;
    if (parent != NULL) {
        parent->open--;
    }
    common_memory_give_back(node, node_bytes(node->event_count, node->sleeper_count));
    return parent;
}

/* From the node upwards: the first that has something to do. */
static bool order_upwards(SearchRun *run, SearchNode *node) {
    while (node != NULL) {
        uint32_t other = find_other(node);
        if (other < node->event_count) {
            order(run, node, other);
            return true;
        }
        node = node->open > 0 ? node->parent : drop(node);
    }
    return false;
}

/* From another runner's path: the step nearest to the root, which may have much below it. */
static bool order_from(SearchRun *run, const SearchRun *other) {
    SearchNode *found = NULL;
    for (SearchNode *at = other->branch; at != NULL; at = at->parent) {
        found = find_other(at) < at->event_count ? at : found;
    }
    if (found != NULL) {
        order(run, found, find_other(found));
    }
    return found != NULL;
}

static bool order_any(SearchRun *run, bool *is_busy) {
    *is_busy = false;
    for (uint32_t i = 0; i < search->runner_count; i++) {
        const SearchRun *other = search->runs[i];
        if (other != run && other->is_under_way) {
            *is_busy = true;
            if (order_from(run, other)) {
                return true;
            }
        }
    }
    return false;
}

/* From the states found first. */
static bool order_state(SearchRun *run, bool *is_busy) {
    for (SearchNode *node = search->first_state; node != NULL; node = node->queued) {
        search->first_state = node;
        uint32_t other = find_other(node);
        if (other < node->event_count) {
            order(run, node, other);
            return true;
        }
    }
    search->first_state = NULL;
    for (uint32_t i = 0; i < search->runner_count; i++) {
        *is_busy = *is_busy || (search->runs[i] != run && search->runs[i]->is_under_way);
    }
    return false;
}

/* The first runs show how long runs are. */
static SearchNext order_sample(SearchRun *run) {
    ExploreRegion *region = search->region;
    for (SearchNode *node = run->branch; node != NULL;) {
        node = drop(node);
    }
    run->branch = NULL;
    if (search->sampled == region->sample_count) {
        return SEARCH_DONE;
    }
    if (search->sampled >= PILOTS && search->done < PILOTS) {
        return SEARCH_WAIT;
    }
    if (search->sampled == PILOTS) {
        region->sample_steps = region->most_steps;
    }
    run->sample = ++search->sampled;
    run->sample_steps = region->sample_steps;
    run->is_under_way = true;
    return SEARCH_RUN;
}

SearchNext search_next(uint32_t runner) {
    SearchRun *run = search->runs[runner];
    bool is_busy = false;
    if (search->region->sample_count > 0) {
        return order_sample(run);
    }
    if (!search->has_begun) {
        search->has_begun = true;
        run->is_under_way = true;
        return SEARCH_RUN;
    }
    SearchNode *leaf = run->branch;
    run->branch = NULL;
    run->is_under_way = search->has_states ? order_state(run, &is_busy)
                                           : order_upwards(run, leaf) || order_any(run, &is_busy);
    return run->is_under_way ? SEARCH_RUN : is_busy ? SEARCH_WAIT : SEARCH_DONE;
}

/* ---- the results of a run ---- */

/* Add a step new to the run below `above`. */
static SearchNode *add_node(SearchRun *run, SearchNode *above, uint32_t number) {
    const ExploreStep *done = &run->steps[number];
    SearchNode *node = new_node(done->count, run->sleeper_count);
    node->parent = above;
    node->step = number;
    node->via =
        number == run->prefix_count ? (number > 0 ? run->prefix[number - 1] : 0) : above->chosen;
    node->chosen = done->chosen;
    node->state = done->state;
    node->delays = above != NULL ? above->delays + (node->via != 0) : 0;
    if (!may_depart(node)) {
        search->region->left_out += node->event_count - 1;
    }
    memcpy(node->sleepers, run->sleepers, run->sleeper_count * sizeof *run->sleepers);
    for (uint32_t i = 0; i < done->count; i++) {
        bool is_chosen = i == done->chosen;
        node->events[i] = (SearchEvent){run->events[done->first + i], is_chosen, is_chosen};
    }
    if (done->chosen < done->count) {
        want_dependent(node, done->chosen);
    }
    run->path[number] = node;
    return node;
}

/* Keep asleep what does not depend on the event of the step. */
static void wake_dependent(SearchRun *run, const ExploreEvent *chosen) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < run->sleeper_count; i++) {
        if (!explore_is_dependent(&run->sleepers[i], chosen)) {
            run->sleepers[kept++] = run->sleepers[i];
        }
    }
    run->sleeper_count = kept;
}

/* Add the step before which the run has ended. */
static void add_last(SearchRun *run, SearchNode *above, uint32_t number) {
    run->step_count = number;
    if (run->end != EXPLORE_STATE) {
        return; /* the run was given up there */
    }
    SearchNode *node = add_node(run, above, number);
    run->last_state = node->state;
    *(search->first_state != NULL ? &search->last_state->queued : &search->first_state) = node;
    search->last_state = node;
}

static void add_steps(SearchRun *run) {
    SearchNode *above = run->branch;
    for (uint32_t i = run->prefix_count; i < run->step_count; i++) {
        const ExploreStep *done = &run->steps[i];
        if (done->chosen == done->count) {
            add_last(run, above, i);
            break;
        }
        SearchNode *node = add_node(run, above, i);
        if (i > run->prefix_count) {
            above->open++;
        }
        wake_dependent(run, &run->events[done->first + done->chosen]);
        above = node;
    }
    if (above == run->branch && above != NULL) {
        above->open--;
    }
    run->branch = above;
}

/* At the step of the race, want the first event that leads to the other side; if it is not listed,
 * which may happen, want all. */
static void want_race(SearchRun *run, const ExploreRace *race) {
    SearchNode *node = run->path[race->step];
    if (race->first < run->step_count) {
        uint32_t chosen;
        uint32_t count;
        const ExploreEvent *first = search_chosen(run, race->first, &chosen, &count);
        for (uint32_t i = 0; i < node->event_count; i++) {
            if (explore_is_same(&node->events[i].event, first)) {
                node->events[i].is_wanted = true;
                return;
            }
        }
    }
    want_all(node);
}

const ExploreEvent *search_chosen(const SearchRun *run, uint32_t step, uint32_t *chosen,
                                  uint32_t *count) {
    const SearchNode *node = run->path[step];
    *chosen = step < run->prefix_count ? run->prefix[step] : node->chosen;
    *count = node->event_count;
    return &node->events[*chosen].event;
}

uint32_t search_state(const SearchRun *run, uint32_t step) {
    return run->path[step]->state;
}

void search_take(uint32_t runner, bool is_cut_short) {
    SearchRun *run = search->runs[runner];
    run->is_under_way = false;
    search->done++;
    add_steps(run);
    for (uint32_t i = 0; i < run->race_count; i++) {
        if (run->races[i].step < run->step_count) {
            want_race(run, &run->races[i]);
        }
    }
    /* Operations that a cut-short run left undone could have come before its last step. */
    if (is_cut_short && run->step_count > 0) {
        want_all(run->path[run->step_count - 1]);
    }
    search->wants_all |= run->all_race != 0;
}
