/* deadlock_order -- the numbers of processes in reports.
 *
 * Owns:   the order of the nodes of a graph: a parent before its branches, branches by where they
 *         wait in the text and by their replicator.
 * Leaves: which processes there are to deadlock_graph.c, printing the numbers to deadlock.c.
 * Holds:  where blocks lie depends on the sizes of frames, and so on the level of optimisation: it
 *         decides only between processes that are otherwise equal. */
#ifndef RT_DEADLOCK_ORDER_H
#define RT_DEADLOCK_ORDER_H

#include "deadlock_graph.h"

/* pre: nodes are listed, ready ones are marked. Without memory the order stays as it is. */
void deadlock_order(DeadlockGraph *graph);

#endif
