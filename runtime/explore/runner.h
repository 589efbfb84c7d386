/* runner -- the program's side of `occc explore`: processes that do one run after the other.
 *
 * Owns:   starting them, beginning and ending a run, what a run has printed.
 * Leaves: which runs are wanted to search.h, a run itself to explored_run.h.
 * Holds:  the process that was started first never runs a process of the program: it waits for the
 *         runners, and starts another where one has died in a run. A runner goes back to the
 *         beginning in its memory (snapshot.h), under confinement; where that cannot be, each run
 *         is a process that it forks. */
#ifndef RT_RUNNER_H
#define RT_RUNNER_H

/* Comes back once for each run; the first process ends when all are done. */
void runner_begin(void);

#endif
