/* interrupt -- what signals mean to a running program.
 *
 * Owns:   the handlers: alarm, interrupt, report on request, crash, stop and continue.
 * Leaves: delivery and the signal stack to os.h, the report to deadlock.h.
 * Holds:  while the program runs a handler only stores flags and asks for attention, unless no
 *         operation of the runtime can be half done: when the worker is idle, or when the signal
 *         came in a process (not in C on the system stack) and, with several active workers, the
 *         world lock is free. Signals go to the thread of an active worker. So a program that never
 *         parks can be ended too. A crash ends at once, and writes the output that there is. */
#ifndef RT_INTERRUPT_H
#define RT_INTERRUPT_H

#include "worker.h"

void interrupt_begin(void);
/* On a worker, at attention and before it waits, inside the world: act on the flags of handlers. */
void interrupt_serve(Worker *worker);
/* Outside of the world, no operation under way: make the report that a handler has asked for. */
void interrupt_report(Worker *worker);

#endif
