/* deadlock_going -- which processes run or are ready, for a report.
 *
 * Owns:   all the places where such a process can be: queues, batches, the inbox, requests for
 *         channels, a worker that stands in a yield or in C, one that is held.
 * Leaves: what the others wait for to deadlock_graph.h.
 * Holds:  what a process that goes on has in `wait`, `next` and `data` is old: nobody follows it.
 *         One that has not parked yet has no `wait` (block.c, switch.S), wherever it is. */
#ifndef RT_DEADLOCK_GOING_H
#define RT_DEADLOCK_GOING_H

#include "deadlock_graph.h"

/* Takes the site from every node whose process goes on; all nodes are listed. */
void deadlock_going_mark(DeadlockGraph *graph);
/* The process whose block, or segment, the address lies in; or NULL. */
const Process *deadlock_process_at(const void *address);

#endif
