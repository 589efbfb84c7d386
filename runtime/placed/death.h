/* death -- processes of this node, which watch each other.
 *
 * Owns:   seeing that one has died.
 * Leaves: what that means to lost.h.
 * Holds:  what it had sent has been received before it is told: it is told only when, since it was
 *         seen, nothing has come. Other nodes are told too. */
#ifndef RT_DEATH_H
#define RT_DEATH_H

#include "carrier.h"

void death_begin(void);
/* That machine is this process of the node. */
void death_watch(uint32_t machine, long process);
bool death_is_of(uint32_t machine);
/* Nothing has come: LOST of one that has not been told, for this machine; NULL: none. */
Message *death_look(void);

#endif
