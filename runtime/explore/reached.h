/* reached -- which places of the text any run has come to (-fcoverage).
 *
 * Owns:   the ExplorePlaces in common memory (occ/explore.h).
 * Leaves: counting to compiled code (core/coverage.h), what is said of it to
 *         frontend/explore/explore.c.
 * Holds:  a program without counters has no places. A run that crashes does not say where it has
 *         been. */
#ifndef RT_REACHED_H
#define RT_REACHED_H

#include "occ/explore.h"

void reached_begin(ExploreRegion *region);
/* A run ends, in this process; no lock is needed. */
void reached_note(void);

#endif
