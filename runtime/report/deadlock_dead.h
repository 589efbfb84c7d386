/* deadlock_dead -- which processes can never go on, though others do.
 *
 * Owns:   the proof: a greatest set of waiting processes such that whoever could end one of the
 *         waits is in the set too.
 * Leaves: who waits for what to deadlock_graph.h, saying it to deadlock.h, when to lookout.h.
 * Holds:  certain comes before complete. Nobody's stack is gone through, so processes that run may
 *         be anywhere: what a process can come to follows from where it stands in the tree of PARs.
 *
 * A channel lies in the frame of a process. Another one can come to it only if it was handed down:
 * through the environment of the PAR it is a branch of, to a component that has a name for it
 * (ParUse.known_to). The process in whose frame it lies can come to it, unless it is inside of its
 * own component of a PAR which never ends, and that component has no name for the channel
 * (PAR_OWN_KNOWS). So:
 *
 *   dead    waits for channels that only dead ones can come to, or for a lock that a dead one
 *           holds, or at the end of a PAR or FORKING one of whose processes is stuck
 *   stuck   dead, or with a PAR of its own that has a stuck branch: it never ends
 *
 * Everything else counts as able to go on: who waits for a time, a device, a clock, a call of C, an
 * object of module sync, a channel that lies in no process's frame or large array (bundles, shared
 * channels of units that FORK), and who has been stopped by an error. */
#ifndef RT_DEADLOCK_DEAD_H
#define RT_DEADLOCK_DEAD_H

#include "deadlock_graph.h"

/* deadlock_dead_find -- marks the dead nodes; returns how many of them have not been reported yet;
 * 0 also if all are dead, if something is half done, and without memory. pre: nodes are listed. */
uint32_t deadlock_dead_find(DeadlockGraph *graph);
/* Would some be dead even if those already reported could go on? Otherwise they only wait for
 * these. pre: deadlock_dead_find */
bool deadlock_dead_is_new(DeadlockGraph *graph);

#endif
