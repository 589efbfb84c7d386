/* interrupt -- what signals mean to a running program.
 *
 * Owns:   the handlers: alarm, interrupt, report on request, crash, stop and continue.
 * Leaves: delivery and the signal stack to os.h, the report to deadlock.h.
 * Holds:  a handler of a program that runs only stores flags and asks for attention, unless nothing
 *         of the runtime can be half done: when the worker is idle, or when a process (not C on the
 *         system stack) was interrupted and, with several active workers, the world lock is free. A
 *         signal goes to the thread of an active worker. So a program that never parks can be ended
 *         too. A crash ends at once, with what output there is. */
#ifndef RT_INTERRUPT_H
#define RT_INTERRUPT_H

#include "worker.h"

void interrupt_begin(void);
/* On a worker, at attention and before it waits, inside the world lock: act on what handlers have
 * stored. */
void interrupt_serve(Worker *worker);
/* The same outside of it, with no operation under way: the report that a handler has asked for. */
void interrupt_report(Worker *worker);

#endif
