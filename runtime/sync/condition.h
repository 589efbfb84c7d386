/* condition -- CONDITION of module sync: waiting inside a CLAIM for what another process will make
 * true.
 *
 * Owns:   waiting, signalling one or all.
 * Leaves: the record to sync.h, the MUTEX to claim.h.
 * Holds:  Mesa semantics: a signalled process claims the MUTEX anew and must check again. The
 *         signalling process moves it at once from this queue into the line of the MUTEX: a signal
 *         goes to one of those that wait now, and no later one can take it. */
#ifndef RT_CONDITION_H
#define RT_CONDITION_H

#include "layout.h"

/* abi.def; waiter->site: where the process waits once it is in the line of the MUTEX */
Process *rt_condition_wait(Process *me, void *condition, void *mutex, void *waiter,
                           const Site *site);
void rt_condition_signal(Process *me, void *condition, int32_t all);

#endif
