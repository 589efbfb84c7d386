/* explored_run -- one run for `occc explore`: it follows its order and records what it does.
 *
 * Owns:   the steps, events and races of a run (SearchRun); the table of sites.
 * Leaves: which runs there are to search.h, beginning and ending them to runner.h.
 * Holds:  everything kept here about a run is dropped when the next one begins. */
#ifndef RT_EXPLORED_RUN_H
#define RT_EXPLORED_RUN_H

#include "explore_event.h"
#include "gate.h"
#include "search.h"

/* Before its first process. */
void explored_run_begin(ExploreRegion *region, SearchRun *order);
/* Chooses by the order of the run. */
extern const GateChooser explored_run_chooser;

#endif
