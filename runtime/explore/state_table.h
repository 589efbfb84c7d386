/* state_table -- the states that any run has reached, numbered; the steps between them.
 *
 * Owns:   which digests have been seen (state.h), by all runners; the list of steps, when a picture
 *         of the states is wanted.
 * Leaves: what is done in a new state to search.h.
 * Holds:  state_table_see needs no lock; the rest is done under that of common_memory.h. States are
 *         numbered in the order in which they were found, from 1. */
#ifndef RT_STATE_TABLE_H
#define RT_STATE_TABLE_H

#include "search.h"

void state_table_begin(ExploreRegion *region);

typedef enum StateSeen { STATE_NEW, STATE_KNOWN, STATE_NO_ROOM } StateSeen;

/* Is the state new? From now on it is not. */
StateSeen state_table_see(uint64_t digest, uint32_t *number);
/* Add the steps of the run beyond its prefix, and the last one of the prefix; `end`: what they lead
 * to, or NULL. */
void state_table_add_steps(const SearchRun *run, const ExploreEnd *end);

#endif
