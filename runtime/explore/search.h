/* search -- which run is next, so that every behaviour is seen once.
 *
 * Owns:   the tree of steps that are not finished: at each the events that were possible, which
 *         have been taken, which sleep; the order that a runner has.
 * Leaves: running to explored_run.h, how a run ended to end_table.h.
 * Holds:  a behaviour is a set of runs that differ only in the order of independent events
 *         (explore_is_dependent): of different processes, at different objects. At a step only
 *         events that may lead to another behaviour are tried: those that depend on the event
 *         taken, and the first step to the other side of a race (causes.h). A run ends, or is given
 *         up because every event sleeps: it would only do later what an earlier branch has done. So
 *         each behaviour ends once. (Sleep sets: Godefroid, 1996; races: Flanagan and Godefroid,
 *         Dynamic Partial-Order Reduction, 2005.)
 *
 * If states are recognised, every event of every state is tried once instead. A run ends at the
 * first new state with a choice; the states nearest to the start are continued first, so schedules
 * to the ends are as short as possible.
 *
 * If runs are sampled, each is drawn independently; its record is dropped when the next begins.
 * With a limit of delays a run may take another than the first event of a step that many times;
 * every way of doing so is tried, as no reduction is sound for runs that must not be continued.
 *
 * Several runners work on one tree. In a branch all events sleep that were taken before at the same
 * step, whether they are finished or not: each will be. A step is kept as long as a runner is below
 * it. Everything is in common memory, and done under its lock. */
#ifndef RT_SEARCH_H
#define RT_SEARCH_H

#include "common_memory.h"

#include <stdbool.h>

typedef struct SearchNode SearchNode;

typedef struct ExploreStep {
    uint32_t first; /* index in `events` */
    uint32_t count;
    uint32_t chosen; /* count: none, as all sleep or the run ends in that state */
    uint32_t state;  /* before the step, if states are recognised */
} ExploreStep;

/* ExploreRace -- step and a later one that it does not lead to could change places: `first` is the
 * first step after it that leads to that one; CAUSES_NONE: it is that one itself. */
typedef struct ExploreRace {
    uint32_t step;
    uint32_t first;
} ExploreRace;

/* SearchRun -- of a runner: the order, to follow `prefix` and then take, at each step, the first
 * event that does not sleep; and the results. */
typedef struct SearchRun {
    SearchNode *branch; /* the step of the last choice of the prefix; NULL: the first run */
    bool is_under_way;  /* ordered, not yet taken back */
    uint64_t sample;    /* its number, if it is sampled (sample.h); else 0 */
    uint32_t sample_steps;
    uint32_t prefix_count;
    uint32_t sleeper_count;
    /* The results. */
    uint32_t end;        /* ExploreHow */
    uint32_t limits;     /* EXPLORE_LIMIT_... */
    uint32_t step_count; /* including those of the prefix */
    uint32_t event_count;
    uint32_t race_count;
    uint32_t processes; /* seen, if it is sampled */
    uint64_t blocks;    /* that were used, and their bytes */
    uint64_t block_bytes;
    uint32_t all_race;   /* any event of a step may lead to another behaviour */
    uint32_t last_state; /* the state it ended in; 0: it has ended itself */
    uint32_t prefix[EXPLORE_STEPS];
    ExploreEvent sleepers[EXPLORE_SLEEPERS]; /* when the first new step begins */
    ExploreEvent asleep[EXPLORE_SLEEPERS];   /* during the run */
    ExploreStep steps[EXPLORE_STEPS];        /* from number prefix_count on */
    ExploreEvent events[EXPLORE_EVENTS];
    ExploreRace races[EXPLORE_RACES];
    SearchNode *path[EXPLORE_STEPS]; /* the node of each step */
} SearchRun;

typedef enum SearchNext {
    SEARCH_RUN,  /* the order is in the record */
    SEARCH_WAIT, /* others may find work */
    SEARCH_DONE
} SearchNext;

void search_begin(ExploreRegion *region, SearchRun **runs, uint32_t count);
/* The next order of that runner, near its last one if possible. */
SearchNext search_next(uint32_t runner);
/* Take the results of its run; is_cut_short: an error or a crash has ended it. */
void search_take(uint32_t runner, bool is_cut_short);
/* Between that and the next order: what the run chose at that step. */
const ExploreEvent *search_chosen(const SearchRun *run, uint32_t step, uint32_t *chosen,
                                  uint32_t *count);
/* The state before that step. */
uint32_t search_state(const SearchRun *run, uint32_t step);

#endif
