/* deadlock_holder -- who has the other end of each channel that is waited on.
 *
 * Owns:   scanning the stacks; what it means that a word of one is the address of a channel.
 * Leaves: which channels are waited on, and clocks, to deadlock_graph.c.
 * Holds:  only what certainly holds is reported; what is uncertain stays open.
 *
 * Stacks are exact, so a process that will use a channel has its address between its stack pointer
 * and the top of its stack. What it means there:
 *
 *   in a process that runs no PAR       it has the other end
 *   in the environment of a PAR         what the ParSite says: used by the component that the
 *                                       parent runs itself, used by the parent after the PAR, or
 *                                       given away for good
 *   elsewhere in the frame of a PAR     used by the parent, after the PAR if it waits there
 *   in a frame of its callers           open: the text of the caller would tell
 *   among the pointers of an array      open: whoever has the array may use the element
 *
 * A channel that lies in no stack may be known to a process in another way: open as well. */
#ifndef RT_DEADLOCK_HOLDER_H
#define RT_DEADLOCK_HOLDER_H

#include "deadlock_graph.h"

/* Go through the stack of one node: channels, and registrations of clocks. */
void deadlock_holder_scan(DeadlockGraph *graph, uint32_t index);
/* The other end of the channel, or of one of those of the ALT, that the node waits on. */
void deadlock_holder_find(DeadlockGraph *graph, WaitNode *node);

#endif
