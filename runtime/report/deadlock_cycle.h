/* deadlock_cycle -- the shortest cycle of a graph, whose nodes are marked.
 *
 * Holds:  every node has at most one holder, so each cycle is met once. */
#ifndef RT_DEADLOCK_CYCLE_H
#define RT_DEADLOCK_CYCLE_H

#include "deadlock_graph.h"

/* If only the dead count, all cycles are marked. Without memory none is. */
void deadlock_cycle_find(DeadlockGraph *graph);

#endif
