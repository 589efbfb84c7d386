/* shared -- shared channels of programs that FORK.
 *
 * Owns:   their life: a forked process may use a channel after the scope of its declaration.
 * Leaves: rendezvous and locks to channel.h and claim.h, memory to mobile.h: each is the contents
 *         of a block of its own (codegen/storage/storage.c).
 * Holds:  references counts the scope of the declaration and each forked process that was given the
 *         channel. Those of the runtime's own channels never come to 0. */
#ifndef RT_SHARED_H
#define RT_SHARED_H

#include "layout.h"

/* abi.def */
void rt_shared_keep(Process *me, void *channel);
void rt_shared_drop(Process *me, void *channel);

#endif
