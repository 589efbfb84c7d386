/* placement -- components of a PLACED PAR that run on the machine of their number.
 *
 * Owns:   what a START says; the copy of the environment there; the proxy here; their ends.
 * Leaves: channels to link.h and remote_end.h.
 * Holds:  a copy lives until all components of its PLACED PAR have ended, so that messages to its
 *         ends find them. All machines run the same program, so an address of its code or constants
 *         is the same everywhere. A placement reaches a channel of the program (screen, error)
 *         through its proxy, which makes the outputs, in order, before it ends. */
#ifndef RT_PLACEMENT_H
#define RT_PLACEMENT_H

#include "clock.h"
#include "machine.h"

/* The machine of the placement that the process belongs to; NULL: it belongs to none. */
Machine *placement_machine(const Process *process);

/* A virtual machine is lost: its processes go on, but nobody hears from them. */
void placement_lose_copies(const Machine *lost);
void placement_lose(Worker *worker, const Machine *machine, uint32_t lost);

/* For reports: the agent that the process attends, or 0; the process that attends a placement which
 * the clock waits for, or NULL. */
uint64_t placement_agent(const Process *process);
const Process *placement_missing(const Machine *machine, const Clock *clock);

/* Functions of Machines. */
void placement_scope(Process *me, const PlacedPar *par, void *environment, int32_t begins);
Proxy *placement_run(Process *me, const PlacedComponent *component, void *environment,
                     const PlacedRequest *request);
Process *placement_attend(Process *me, Proxy *proxy, const Site *site);
void placement_ended(Process *me, void *environment);

/* Handle a message; true: it is kept. */
void placement_start(Worker *worker, Machine *machine, const Message *message);
void placement_done(Worker *worker, const Message *message);
void placement_end(Machine *machine, const Message *message);
bool placement_output(Worker *worker, Message *message);
/* Gives the turn back to the program's channel once all outputs are made. True: kept. */
bool placement_return(Worker *worker, const Machine *machine, Message *message);

#endif
