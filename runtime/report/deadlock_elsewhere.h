/* deadlock_elsewhere -- waits for what is on another machine of a PLACED PAR.
 *
 * Owns:   who waits for what by a key that all machines know (PlaceKey), who has that here, and the
 *         holders that follow from the two.
 * Leaves: keys to the engine of placements (core/machines.h), graphs of other processes of a job to
 *         deadlock_joint.h.
 * Holds:  nothing in a program on one machine, nor where only the dead count. */
#ifndef RT_DEADLOCK_ELSEWHERE_H
#define RT_DEADLOCK_ELSEWHERE_H

#include "deadlock_graph.h"

/* In this order, all by deadlock_graph_link: list what others may wait for here, which is searched
 * for like what processes here wait for; then who has it, and who waits for something elsewhere. */
void deadlock_elsewhere_list(DeadlockGraph *graph);
void deadlock_elsewhere_await(DeadlockGraph *graph);
void deadlock_elsewhere_note(DeadlockGraph *graph);
/* Give nodes without a holder the one that is known. */
void deadlock_elsewhere_join(DeadlockGraph *graph);

#endif
