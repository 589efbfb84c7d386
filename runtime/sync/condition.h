/* condition -- CONDITION of module sync: waiting inside of a CLAIM for what another will make true.
 *
 * Owns:   waiting, signalling one or all.
 * Leaves: the record to sync.h, the MUTEX to claim.h.
 * Holds:  Mesa: whoever was signalled claims the MUTEX anew and must look again. He is moved from
 *         this queue into the line of the MUTEX at once, by whoever signals: a signal goes to one
 *         of those that wait now, and nobody who comes later can take it. */
#ifndef RT_CONDITION_H
#define RT_CONDITION_H

#include "layout.h"

/* abi.def; waiter->site: where the process waits once it is in the line of the MUTEX */
Process *rt_condition_wait(Process *me, void *condition, void *mutex, void *waiter,
                           const Site *site);
void rt_condition_signal(Process *me, void *condition, int32_t all);

#endif
