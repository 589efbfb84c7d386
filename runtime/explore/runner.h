/* runner -- the program's side of `occc explore`: processes that do one run after the other.
 *
 * Owns:   starting runners, beginning and ending a run, the output of a run.
 * Leaves: which runs are wanted to search.h, a run itself to explored_run.h.
 * Holds:  the process that was started first never runs a process of the program: it waits for the
 *         runners, and replaces one that has died in a run. A runner goes back to the beginning in
 *         its own memory (snapshot.h), under confinement; where that is impossible, it forks a
 *         process for each run. */
#ifndef RT_RUNNER_H
#define RT_RUNNER_H

/* Returns once for each run; the first process ends when all are done. */
void runner_begin(void);

#endif
