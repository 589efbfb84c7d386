/* run_size -- how large a run was: the blocks that its processes used.
 *
 * Holds:  every run begins with zeroed blocks, and each process gets words on its stack before it
 *         runs: they show that a block has been used. A block is reused when its process has ended,
 *         so there are as many as the most processes of one size at one time. */
#ifndef RT_RUN_SIZE_H
#define RT_RUN_SIZE_H

#include "search.h"

/* At the end of the run, in the memory of its process. */
void run_size_note(SearchRun *run);
/* With the lock: keep the largest values. */
void run_size_add(ExploreRegion *region, const SearchRun *run);

#endif
