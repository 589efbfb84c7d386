/* run_size -- how large a run has been: the blocks that its processes have lived in.
 *
 * Holds:  every run begins with blocks that are zero, and a process stores words on its stack before
 *         it runs: so a block that has been in use is known by them. A block is used again when
 *         its process has ended, so there are as many as processes of one size at one time. */
#ifndef RT_RUN_SIZE_H
#define RT_RUN_SIZE_H

#include "search.h"

/* At the end of the run, in its memory. */
void run_size_note(SearchRun *run);
/* With the lock: the largest counts. */
void run_size_add(ExploreRegion *region, const SearchRun *run);

#endif
