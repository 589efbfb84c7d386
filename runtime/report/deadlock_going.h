/* deadlock_going -- which processes run or are ready, for a report.
 *
 * Owns:   all the places where such a process can be: queues, batches, the inbox, requests for
 *         channels, a worker that stands in a yield or in C, a worker that is held.
 * Leaves: what the others wait for to deadlock_graph.h.
 * Holds:  `wait`, `next` and `data` of a process that runs or is ready are out of date and are not
 *         used. One that has not parked yet has no `wait` (block.c, switch.S), wherever it is. */
#ifndef RT_DEADLOCK_GOING_H
#define RT_DEADLOCK_GOING_H

#include "deadlock_graph.h"

/* Clears the site of every node whose process runs or is ready; all nodes are listed. */
void deadlock_going_mark(DeadlockGraph *graph);
/* The process whose block, or segment, the address lies in; or NULL. */
const Process *deadlock_process_at(const void *address);

#endif
