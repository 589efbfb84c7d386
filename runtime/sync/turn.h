/* turn -- TICKET, BUCKET and CREW of module sync.
 *
 * Owns:   numbers that are served in order; gathering and release; many readers or one writer.
 * Leaves: the record to sync.h.
 * Holds:  TICKET: those that wait are in the order of their numbers, which are counted modulo 2^32.
 *         CREW: who comes while others wait goes behind them, so neither readers nor writers
 *         starve. */
#ifndef RT_TURN_H
#define RT_TURN_H

#include "layout.h"

/* abi.def */
int32_t rt_ticket_take(Process *me, void *ticket);
Process *rt_ticket_await(Process *me, void *ticket, int32_t number, void *waiter, const Site *site);
void rt_ticket_serve(Process *me, void *ticket, const Site *site);
Process *rt_bucket_fall(Process *me, void *bucket, void *waiter, const Site *site);
void rt_bucket_flush(Process *me, void *bucket);
int32_t rt_bucket_number(Process *me, void *bucket);
/* writes: 1, or 0 to read */
Process *rt_crew_enter(Process *me, void *crew, int32_t writes, void *waiter, const Site *site);
void rt_crew_leave(Process *me, void *crew, int32_t writes, const Site *site);

#endif
