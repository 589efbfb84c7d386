/* deadlock -- the report of who waits for what, when nothing can happen any more, or on request.
 *
 * Owns:   the heading; a line per process of the cycle, then a line per place where others wait,
 *         with their number; the end with STATUS_DEADLOCK; which dead processes have been reported
 *         while others go on.
 * Leaves: who waits for whom to deadlock_graph.h, the words of a line to deadlock_line.h,
 *         quiescence to scheduler.c, SIGQUIT to interrupt.c, when to check a running program to
 *         lookout.h.
 * Holds:  the report only reads. It has about a hundred lines at most.
 *
 *   occ: deadlock: 3 of 3 processes are blocked and nothing can wake them
 *     cycle: #2 -> #3 -> #2
 *     #2  left [0]  two.occ:12:5  output to 'to.right'  the other end is held by #3
 *     #3  right [1]  two.occ:18:5  output to 'to.left'  the other end is held by #2
 *     #1  main  two.occ:24:3  end of PAR (2 components still running) */
#ifndef RT_DEADLOCK_H
#define RT_DEADLOCK_H

#include <stdbool.h>

struct DeadlockPart;

/* Nothing is ready and nothing will be: report and end. */
_Noreturn void rt_deadlock(void);
/* The same with the parts of other ranks of a job (deadlock_joint.h). */
_Noreturn void rt_deadlock_joint(const struct DeadlockPart *parts);
/* The same table while the program goes on. Also from a signal handler while the worker is idle. */
void rt_waits_report(void);
/* Report processes that can never go on though others do, each once. False: there are none new.
 * Everything stands still. */
bool rt_dead_report(void);

#endif
