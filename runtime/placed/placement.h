/* placement -- components of a PLACED PAR that run on the machine of their number.
 *
 * Owns:   what a START says; the copy of the environment there; the proxy here; their ends.
 * Leaves: channels to link.h and remote_end.h.
 * Holds:  a copy lives until all components of its PLACED PAR have ended: messages to its ends
 *         find them. All machines run the same program, so an address of its code or constants is
 *         the same everywhere. A channel of the program (screen, error) is reached by way of the
 *         proxy, which outputs what it is sent, in order, before it ends. */
#ifndef RT_PLACEMENT_H
#define RT_PLACEMENT_H

#include "clock.h"
#include "machine.h"

/* The machine of a placement that the process is; NULL: it is none. */
Machine *placement_machine(const Process *process);

/* A machine is lost, and with it the placements there. */
/* A virtual one: its processes go on, and nobody hears of them. */
void placement_lose_copies(const Machine *lost);
void placement_lose(Worker *worker, const Machine *machine, uint32_t lost);

/* For reports: the agent that the process attends, or 0; one that attends a placement which the
 * phase of the clock waits for, or NULL. */
uint64_t placement_agent(const Process *process);
const Process *placement_missing(const Machine *machine, const Clock *clock);

/* Machines */
void placement_scope(Process *me, const PlacedPar *par, void *environment, int32_t begins);
Proxy *placement_run(Process *me, const PlacedComponent *component, void *environment,
                     const PlacedRequest *request);
Process *placement_attend(Process *me, Proxy *proxy, const Site *site);
void placement_ended(Process *me, void *environment);

/* Messages; true: it is kept. */
void placement_start(Worker *worker, Machine *machine, const Message *message);
void placement_done(Worker *worker, const Message *message);
void placement_end(Machine *machine, const Message *message);
bool placement_output(Worker *worker, Message *message);
/* The turn of a channel of the program comes back, when all that was output in it has been. True: kept.
 */
bool placement_return(Worker *worker, const Machine *machine, Message *message);

#endif
