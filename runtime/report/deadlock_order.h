/* deadlock_order -- the numbers of processes in reports.
 *
 * Owns:   the order of the nodes of a graph: a parent before its branches, branches by the place in
 *         the text where they wait and by their replicator.
 * Leaves: which processes there are to deadlock_graph.c, saying the numbers to deadlock.c.
 * Holds:  where blocks lie depends on the sizes of frames, and so on the level of optimisation: it
 *         decides only between processes that nothing else tells apart. */
#ifndef RT_DEADLOCK_ORDER_H
#define RT_DEADLOCK_ORDER_H

#include "deadlock_graph.h"

/* The nodes have been listed, and those that are ready marked. Without memory they stay as they
 * are. */
void deadlock_order(DeadlockGraph *graph);

#endif
