/* search -- see the header. */
#include "search.h"

#include "diag.h"

static SearchEvent *events_of(const Search *search, const SearchStep *step) {
    return &search->events.items[step->first_event];
}

const ExploreEvent *search_chosen(const Search *search, size_t step) {
    const SearchStep *at = &search->steps.items[step];
    return &events_of(search, at)[at->chosen].event;
}

/* ---- sleeping ---- */

/* Those that sleep after the chosen event of the step: they slept before it or were taken in
 * earlier runs, and do not depend on it. Appended to the sleepers; how many. */
static uint32_t sleepers_after(Search *search, size_t number) {
    SearchStep step = search->steps.items[number];
    const ExploreEvent chosen = *search_chosen(search, number);
    uint32_t count = 0;
    for (uint32_t i = 0; i < step.sleeper_count; i++) {
        ExploreEvent sleeper = search->sleepers.items[step.first_sleeper + i];
        if (!explore_is_dependent(&sleeper, &chosen)) {
            array_push(search->arena, &search->sleepers, sleeper);
            count++;
        }
    }
    for (uint32_t i = 0; i < step.event_count; i++) {
        SearchEvent other = events_of(search, &step)[i];
        if (i != step.chosen && other.is_taken && !explore_is_dependent(&other.event, &chosen)) {
            array_push(search->arena, &search->sleepers, other.event);
            count++;
        }
    }
    return count;
}

static bool sleeps(const Search *search, const SearchStep *step, const ExploreEvent *event) {
    for (uint32_t i = 0; i < step->sleeper_count; i++) {
        if (explore_is_same(&search->sleepers.items[step->first_sleeper + i], event)) {
            return true;
        }
    }
    return false;
}

/* ---- the next run ---- */

/* Of what could happen at the step instead of the chosen event, that which depends on it. */
static void want_dependent(Search *search, const SearchStep *step) {
    SearchEvent *events = events_of(search, step);
    for (uint32_t i = 0; i < step->event_count; i++) {
        if (explore_is_dependent(&events[i].event, &events[step->chosen].event)) {
            events[i].is_wanted = true;
        }
    }
}

/* The last step becomes that of another event; false: it has no other. */
static bool choose_other(Search *search) {
    SearchStep *step = &search->steps.items[search->steps.count - 1];
    SearchEvent *events = events_of(search, step);
    for (uint32_t i = 0; i < step->event_count; i++) {
        if (events[i].is_wanted && !events[i].is_taken && !sleeps(search, step, &events[i].event)) {
            step->chosen = i;
            events[i].is_taken = true;
            want_dependent(search, step);
            return true;
        }
    }
    return false;
}

static void drop_last(Search *search) {
    const SearchStep *step = &search->steps.items[--search->steps.count];
    search->events.count = step->first_event;
    search->sleepers.count = step->first_sleeper;
}

static void order_sleepers(Search *search, ExploreRegion *region) {
    size_t last = search->steps.count - 1;
    size_t before = search->sleepers.count;
    uint32_t count = sleepers_after(search, last);
    if (count > EXPLORE_SLEEPERS) {
        fatal("too many events sleep at one step");
    }
    for (uint32_t i = 0; i < count; i++) {
        region->sleepers[i] = search->sleepers.items[before + i];
    }
    search->sleepers.count = before;
    region->sleeper_count = count;
}

bool search_next(Search *search, ExploreRegion *region) {
    if (!search->has_begun) {
        search->has_begun = true;
        region->prefix_count = region->sleeper_count = 0;
        return true;
    }
    while (search->steps.count > 0 && !choose_other(search)) {
        drop_last(search);
    }
    if (search->steps.count == 0) {
        return false;
    }
    region->prefix_count = (uint32_t)search->steps.count;
    for (size_t i = 0; i < search->steps.count; i++) {
        region->prefix[i] = search->steps.items[i].chosen;
    }
    order_sleepers(search, region);
    return true;
}

/* ---- what it has done ---- */

static void add_step(Search *search, const ExploreRegion *region, const ExploreStep *done) {
    SearchStep step = {.first_event = search->events.count,
                       .event_count = done->count,
                       .chosen = done->chosen,
                       .first_sleeper = search->sleepers.count};
    if (search->steps.count > 0) {
        step.sleeper_count = sleepers_after(search, search->steps.count - 1);
    }
    for (uint32_t i = 0; i < done->count; i++) {
        SearchEvent event = {region->events[done->first + i], i == done->chosen,
                             search->wants_all || i == done->chosen};
        array_push(search->arena, &search->events, event);
    }
    array_push(search->arena, &search->steps, step);
    want_dependent(search, &step);
}

static void want_all(Search *search, const SearchStep *step) {
    for (uint32_t i = 0; i < step->event_count; i++) {
        events_of(search, step)[i].is_wanted = true;
    }
}

/* At the step of the race, the first event that leads to the other side; where it is not there,
 * which is not known to be impossible, all. */
static void want_race(Search *search, const ExploreRace *race) {
    const SearchStep *step = &search->steps.items[race->step];
    if (race->first < search->steps.count) {
        const ExploreEvent first = *search_chosen(search, race->first);
        for (uint32_t i = 0; i < step->event_count; i++) {
            SearchEvent *event = &events_of(search, step)[i];
            if (explore_is_same(&event->event, &first)) {
                event->is_wanted = true;
                return;
            }
        }
    }
    want_all(search, step);
}

/* What a run leaves undone when it is cut short could have come before its last step. */
static void want_undone(Search *search, bool is_cut_short) {
    if (is_cut_short && search->steps.count > 0) {
        want_all(search, &search->steps.items[search->steps.count - 1]);
    }
}

void search_take(Search *search, const ExploreRegion *region, bool is_cut_short) {
    for (size_t i = search->steps.count; i < region->step_count; i++) {
        const ExploreStep *done = &region->steps[i];
        if (done->chosen < done->count) {
            add_step(search, region, done);
        }
    }
    for (uint32_t i = 0; i < region->race_count; i++) {
        want_race(search, &region->races[i]);
    }
    want_undone(search, is_cut_short);
    if (region->all_race != 0 && !search->wants_all) {
        search->wants_all = true;
        for (size_t i = 0; i < search->steps.count; i++) {
            want_all(search, &search->steps.items[i]);
        }
    }
}
