/* state_table -- the states that any run has come to, numbered; the steps between them.
 *
 * Owns:   which digests have been seen (state.h), by all runners; the list of steps, when a picture
 *         of the states is wanted.
 * Leaves: what is done in a new state to search.h.
 * Holds:  state_table_see needs no lock; the rest is done under the one of common_memory.h. The
 *         number of a state is its place in the order in which states were found, from 1. */
#ifndef RT_STATE_TABLE_H
#define RT_STATE_TABLE_H

#include "search.h"

void state_table_begin(ExploreRegion *region);

typedef enum StateSeen { STATE_NEW, STATE_KNOWN, STATE_NO_ROOM } StateSeen;

/* Is the state new? Then it is not any more. */
StateSeen state_table_see(uint64_t digest, uint32_t *number);
/* The steps of the run beyond its prefix, the last of the prefix among them; `end`: what it has
 * come to, or NULL. */
void state_table_add_steps(const SearchRun *run, const ExploreEnd *end);

#endif
