/* deadlock -- who waits for what, when nothing can happen any more, or when the user asks.
 *
 * Owns:   the report: a line per kind of wait, the smallest cycle found, and the end with
 *         STATUS_DEADLOCK.
 * Leaves: quiescence to scheduler.c, SIGQUIT to interrupt.c.
 * Holds:  the report only reads. */
#ifndef RT_DEADLOCK_H
#define RT_DEADLOCK_H

#include "worker.h"

/* Nothing is ready and nothing will be: report and end. */
_Noreturn void rt_deadlock(Worker *worker);
/* The same table of a program that goes on. */
void rt_waits_report(Worker *worker);

#endif
