/* explored_run -- the program's side of `occc explore`: runs, each in a process of its own.
 *
 * Owns:   the record of occ/explore.h as the program sees it; forking; the table of sites.
 * Leaves: which runs are wanted to frontend/explore.
 * Holds:  the process that was started first never runs a process of the program. What a run prints
 *         goes to descriptors that occc made. */
#ifndef RT_EXPLORED_RUN_H
#define RT_EXPLORED_RUN_H

#include "explore_event.h"

/* Comes back in a new process for each run; the first one ends when occc wants no more. */
void explored_run_begin(void);
uint32_t explored_run_take(const GateEvent *events, uint32_t count);
void explored_run_note_limit(uint32_t limit);
void explored_run_time(void);

#endif
