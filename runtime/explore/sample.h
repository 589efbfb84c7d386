/* sample -- which event a sampled run takes: probabilistic concurrency testing.
 *
 * Owns:   the priorities of processes in a run, the steps at which one falls to the lowest.
 * Leaves: which runs there are to search.h, writing what a run does to explored_run.h.
 * Holds:  every choice follows from the seed and the number of the run. Each process has a random
 *         priority; both sides of an event must have come to it, so of those that can happen the
 *         one is taken whose lower side is highest. At d - 1 random steps of the first k the
 *         process that would be that lower side falls below all others. A fault for which it is
 *         enough that d pairs of events come in a certain order is then found with probability
 *         1 / (n k^(d-1)) or more, n: processes, k: steps (Burckhardt, Kothari, Musuvathi,
 *         Nagarakatte: A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs,
 *         2010). What a process chooses by itself, of guards that the same partner or nobody
 *         waits at, is drawn with equal chances. */
#ifndef RT_SAMPLE_H
#define RT_SAMPLE_H

#include "explore_event.h"

/* Before the first process: the run of that number, of which the first `steps` are known to be
 * there; 0: priorities only. */
void sample_begin(const ExploreRegion *region, uint64_t number, uint32_t steps);
uint32_t sample_take(const GateEvent *events, uint32_t count, uint32_t step);
/* The process ends: another one may have its block. */
void sample_end(const Process *process);
/* Processes that have been seen. */
uint32_t sample_processes(void);

#endif
