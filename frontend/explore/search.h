/* search -- which run is next, so that every behaviour is seen once.
 *
 * Owns:   the path: for each step of the last run the events that were possible, which have been
 *         taken, which sleep.
 * Leaves: running to program.h, what a run came to to ends.h.
 * Holds:  a behaviour is a set of runs that differ only in the order of independent events
 *         (explore_is_dependent): of different processes, at different objects. Of what can happen
 *         at a step only that is tried which may lead to another behaviour: what depends on the
 *         event that was taken, and the first step to the other side of a race (causes.h of the
 *         runtime). A run ends, or is given up because every event sleeps: one of an earlier
 *         branch would only be done later. So each behaviour ends once. (Sleep sets: Godefroid,
 *         1996; races: Flanagan and Godefroid, Dynamic Partial-Order Reduction, 2005.) */
#ifndef OCCC_SEARCH_H
#define OCCC_SEARCH_H

#include "array.h"
#include "occ/explore.h"

#include <stdbool.h>

typedef struct SearchEvent {
    ExploreEvent event;
    bool is_taken;  /* now, or in an earlier run */
    bool is_wanted; /* it may lead to another behaviour */
} SearchEvent;

typedef struct SearchStep {
    size_t first_event;
    size_t first_sleeper;
    uint32_t event_count;
    uint32_t sleeper_count;
    uint32_t chosen;
} SearchStep;

typedef struct Search {
    Arena *arena;
    ARRAY_OF(SearchStep) steps;
    ARRAY_OF(SearchEvent) events;
    ARRAY_OF(ExploreEvent) sleepers; /* at each step, on coming to it */
    bool wants_all;                  /* no reduction but the sleepers */
    bool has_begun;
} Search;

/* search_next -- the order of the next run; false: all have been done. */
bool search_next(Search *search, ExploreRegion *region);
/* search_take -- the steps of that run; is_cut_short: an error or a crash has ended it. */
void search_take(Search *search, const ExploreRegion *region, bool is_cut_short);
const ExploreEvent *search_chosen(const Search *search, size_t step);

#endif
