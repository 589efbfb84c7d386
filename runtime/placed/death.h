/* death -- processes of one node watch each other.
 *
 * Owns:   noticing that one has died.
 * Leaves: the consequences to lost.h.
 * Holds:  all messages of a dead process are received before its death is told: nothing must have
 *         come since it was noticed. Other nodes are told too. */
#ifndef RT_DEATH_H
#define RT_DEATH_H

#include "carrier.h"

void death_begin(void);
/* The machine is that process of this node. */
void death_watch(uint32_t machine, long process);
bool death_is_of(uint32_t machine);
/* Nothing has come. Returns LOST, for this machine, of a process not told yet; or NULL. */
Message *death_look(void);

#endif
