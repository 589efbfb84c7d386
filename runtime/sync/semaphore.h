/* semaphore -- SEMAPHORE of module sync: permits, first come, first served.
 *
 * Owns:   claiming, with and without a time, trying, releasing.
 * Leaves: the record to sync.h.
 * Holds:  while a process waits there is no permit: release hands it to the first in the queue, so
 *         nobody can overtake. Who waits until a time has an Alt, for the deadline queue; whoever
 *         changes its state to won, under the world lock, decides: the timer, or a release. */
#ifndef RT_SEMAPHORE_H
#define RT_SEMAPHORE_H

#include "layout.h"

/* abi.def */
void rt_semaphore_initialise(Process *me, void *semaphore, int32_t permits, const Site *site);
Process *rt_semaphore_claim(Process *me, void *semaphore, void *waiter, const Site *site);
Process *rt_semaphore_until(Process *me, void *semaphore, int32_t deadline, void *waiter,
                            const Site *site);
int32_t rt_semaphore_withdraw(Process *me, void *semaphore, void *waiter);
int32_t rt_semaphore_try(Process *me, void *semaphore, const Site *site);
void rt_semaphore_release(Process *me, void *semaphore);

#endif
