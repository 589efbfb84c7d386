/* sample -- which event a sampled run takes: probabilistic concurrency testing.
 *
 * Owns:   the priorities of processes in a run, the steps at which one falls to the lowest.
 * Leaves: which runs there are to search.h, recording a run to explored_run.h.
 * Holds:  every choice follows from the seed and the number of the run. Each process has a random
 *         priority. As an event needs both its sides, its priority is that of the lower one; the
 *         highest event is taken. At d - 1 random steps among the first k, the process that would
 *         be that lower side falls below all others. A fault that needs a certain order of d pairs
 *         of events is then found with probability 1 / (n k^(d-1)) or more, n: processes, k: steps
 *         (Burckhardt, Kothari, Musuvathi, Nagarakatte: A Randomized Scheduler with Probabilistic
 *         Guarantees of Finding Bugs, 2010). A process's own choice, among guards with the same
 *         partner or none, is drawn uniformly. */
#ifndef RT_SAMPLE_H
#define RT_SAMPLE_H

#include "explore_event.h"

/* Before the first process: the run of that number, which is known to have `steps` steps at least;
 * 0: priorities only. */
void sample_begin(const ExploreRegion *region, uint64_t number, uint32_t steps);
uint32_t sample_take(const GateEvent *events, uint32_t count, uint32_t step);
/* The process ends: its block may be reused. */
void sample_end(const Process *process);
/* The number of processes seen. */
uint32_t sample_processes(void);

#endif
