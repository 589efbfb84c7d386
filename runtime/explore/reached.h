/* reached -- which places of the text any run has reached (-fcoverage).
 *
 * Owns:   the ExplorePlaces in common memory (occ/explore.h).
 * Leaves: counting to compiled code (core/coverage.h), reporting to frontend/explore/explore.c.
 * Holds:  a program without counters has no places. A run that crashes does not report its
 *         places. */
#ifndef RT_REACHED_H
#define RT_REACHED_H

#include "occ/explore.h"

void reached_begin(ExploreRegion *region);
/* A run ends in this process; no lock is needed. */
void reached_note(void);

#endif
