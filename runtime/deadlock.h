/* deadlock -- the report of who waits for what, when nothing can happen any more, or on request.
 *
 * Owns:   the wording; a line per process of the cycle, then a line per place where others wait,
 *         with their number; the end with STATUS_DEADLOCK.
 * Leaves: who waits for whom to deadlock_graph.h, quiescence to scheduler.c, SIGQUIT to
 *         interrupt.c.
 * Holds:  the report only reads. It has at most about a hundred lines, whatever the program.
 *
 *   occ: deadlock: 3 of 3 processes are blocked and nothing can wake them
 *     cycle: #2 -> #3 -> #2
 *     #2  left [0]  two.occ:12:5  output to 'to.right'  the other end is held by #3
 *     #3  right [1]  two.occ:18:5  output to 'to.left'  the other end is held by #2
 *     #1  main  two.occ:24:3  end of PAR (2 components still running) */
#ifndef RT_DEADLOCK_H
#define RT_DEADLOCK_H

#include "worker.h"

/* Nothing is ready and nothing will be: report and end. */
_Noreturn void rt_deadlock(void);
/* The same table of a program that goes on. Also from a signal handler while the worker is idle. */
void rt_waits_report(void);

#endif
