/* lost -- a machine of the job has died.
 *
 * Owns:   what that is for the others: with -fplaced-survive its channels close, its placements
 *         have ended, what it had the turn of goes on; else a report, and the end of the job.
 * Leaves: finding it out to the carrier.
 * Holds:  inside the world. What it had sent has arrived before; what comes later is dropped, as is
 *         what is sent to it. A channel that one machine alone may have an end of closes on the
 *         other's; a side that is shared does not: the home gives its turn to the next one, and a
 *         message that was on its way to the lost one counts as input by it. Of an end that has not
 *         been used nobody knows whose it was, unless its placement told at its start. The
 *         program's own machine cannot be lost: the job ends. */
#ifndef RT_LOST_H
#define RT_LOST_H

#include "machine.h"

void lost_hear(Worker *worker, Machine *machine, const Message *message);
/* A PLACED PAR begins that is to survive. */
void lost_survive(void);
/* Solo, and nothing can go on but by a message: a report that is wanted is made. */
void lost_idle(void);
/* One dies while a message of it is read, and nothing is to survive. */
_Noreturn void lost_at_once(uint32_t machine);
/* What waits on this machine, once; how it ended. Everything stands still. */
void lost_report(const char *how);
/* The first machine says it for all, or why the job ends: nothing is to be reported here. */
void lost_is_said(void);

#endif
