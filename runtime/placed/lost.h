/* lost -- a machine of the job has died.
 *
 * Owns:   the consequences: with -fplaced-survive its channels close, its placements count as
 *         ended, and turns it had are passed on; otherwise a report, and the end of the job.
 * Leaves: noticing it to the carrier.
 * Holds:  inside the world. What the machine had sent has arrived before; what comes later is
 *         dropped, as is what is sent to it. A channel closes if only the lost machine could have
 *         its other end. A shared side does not close: the home passes the turn on, and a message
 *         on its way to the lost machine counts as input. Nobody knows whose an unused end was,
 *         unless the placement told at its start. The program's own machine cannot be lost: then
 *         the job ends. */
#ifndef RT_LOST_H
#define RT_LOST_H

#include "machine.h"

void lost_hear(Worker *worker, Machine *machine, const Message *message);
/* A PLACED PAR that is to survive losses begins. */
void lost_survive(void);
/* Solo, and only a message can make anything go on: makes the report if one is wanted. */
void lost_idle(void);
/* The machine died while its message was read, and nothing is to survive. */
_Noreturn void lost_at_once(uint32_t machine);
/* Report once what waits on this machine, and how it ended. Everything stands still. */
void lost_report(const char *how);
/* The first machine reports for all, or gives the reason: nothing is reported here. */
void lost_is_said(void);

#endif
