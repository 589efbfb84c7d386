/* search -- which run is next, so that every behaviour is seen once.
 *
 * Owns:   the tree of steps that are not yet done with: at each the events that were possible,
 *         which have been taken, which sleep; the order that a runner has.
 * Leaves: running to explored_run.h, what a run came to to end_table.h.
 * Holds:  a behaviour is a set of runs that differ only in the order of independent events
 *         (explore_is_dependent): of different processes, at different objects. Of what can happen
 *         at a step only that is tried which may lead to another behaviour: what depends on the
 *         event that was taken, and the first step to the other side of a race (causes.h). A run
 *         ends, or is given up because every event sleeps: one of an earlier branch would only be
 *         done later. So each behaviour ends once. (Sleep sets: Godefroid, 1996; races: Flanagan
 *         and Godefroid, Dynamic Partial-Order Reduction, 2005.)
 *
 * Where states are recognised, every event of every state is tried once instead, by runs that end
 * at the first new state with a choice: those nearest to the first are gone on from first, so the
 * schedules to the ends are as short as there are.
 *
 * Where runs are sampled, each is drawn by itself; what is kept of it goes when the next begins.
 * With a limit of delays a run may depart so often from the first event of a step: every way of
 * doing so is tried, as no reduction is sound for runs that may not be continued.
 *
 * Several runners work at one tree. What sleeps in a branch are those taken before it at the same
 * step, whether they are done with or not: each will be. A step is kept as long as somebody is
 * below it. All is in common memory, and done under its lock. */
#ifndef RT_SEARCH_H
#define RT_SEARCH_H

#include "common_memory.h"

#include <stdbool.h>

typedef struct SearchNode SearchNode;

typedef struct ExploreStep {
    uint32_t first; /* of `events` */
    uint32_t count;
    uint32_t chosen; /* count: none, all sleep, or the state is where the run ends */
    uint32_t state;  /* before the step, if states are recognised */
} ExploreStep;

/* ExploreRace -- step and something that it does not lead to could change places: `first` is the
 * first step after it that leads there; CAUSES_NONE: what races is there itself. */
typedef struct ExploreRace {
    uint32_t step;
    uint32_t first;
} ExploreRace;

/* SearchRun -- of a runner: the order, which follows `prefix` and then takes, at each step, the
 * first event that does not sleep; and the answer. */
typedef struct SearchRun {
    SearchNode *branch; /* the step of the last choice of the prefix; NULL: the first run */
    bool is_under_way;  /* ordered, not yet taken back */
    uint64_t sample;    /* its number, if it is drawn (sample.h); 0: it is not */
    uint32_t sample_steps;
    uint32_t prefix_count;
    uint32_t sleeper_count;
    /* the answer */
    uint32_t end;        /* ExploreHow */
    uint32_t limits;     /* EXPLORE_LIMIT_... */
    uint32_t step_count; /* those of the prefix included */
    uint32_t event_count;
    uint32_t race_count;
    uint32_t processes; /* that were seen, if it is drawn */
    uint64_t blocks;    /* that have been in use, and their bytes */
    uint64_t block_bytes;
    uint32_t all_race;   /* whatever can happen at a step may lead to another behaviour */
    uint32_t last_state; /* that it has come to; 0: it has ended */
    uint32_t prefix[EXPLORE_STEPS];
    ExploreEvent sleepers[EXPLORE_SLEEPERS]; /* as the first new step begins */
    ExploreEvent asleep[EXPLORE_SLEEPERS];   /* of the run itself: as it is */
    ExploreStep steps[EXPLORE_STEPS];        /* from prefix_count on */
    ExploreEvent events[EXPLORE_EVENTS];
    ExploreRace races[EXPLORE_RACES];
    SearchNode *path[EXPLORE_STEPS]; /* the node of each step */
} SearchRun;

typedef enum SearchNext {
    SEARCH_RUN,  /* the order stands in the record */
    SEARCH_WAIT, /* others may find something to do */
    SEARCH_DONE
} SearchNext;

void search_begin(ExploreRegion *region, SearchRun **runs, uint32_t count);
/* The next order of that runner, at best near its last one. */
SearchNext search_next(uint32_t runner);
/* Its run has been done; is_cut_short: an error or a crash has ended it. */
void search_take(uint32_t runner, bool is_cut_short);
/* After that, until the next order: what the run chose at that step. */
const ExploreEvent *search_chosen(const SearchRun *run, uint32_t step, uint32_t *chosen,
                                  uint32_t *count);
/* The state before it. */
uint32_t search_state(const SearchRun *run, uint32_t step);

#endif
