/* common_memory -- the memory that all runners of `occc explore` share.
 *
 * Owns:   the record of occ/explore.h and the memory behind it, handed out in pieces.
 * Leaves: what is kept there to search.h and end_table.h.
 * Holds:  it is at the same address in the program and in all processes forked from it, and is not
 *         restored when a run begins again (snapshot.h). The caller holds the lock, except for
 *         common_memory_begin. */
#ifndef RT_COMMON_MEMORY_H
#define RT_COMMON_MEMORY_H

#include "occ/explore.h"

#include <stddef.h>

/* The record. Ends the program when there is none. */
ExploreRegion *common_memory_begin(void);
/* Zeroed memory. Ends the process when none is left. */
void *common_memory_take(size_t bytes);
void common_memory_give_back(void *memory, size_t bytes);

/* Take the lock as the runner of that number, from 1. */
void common_memory_lock(uint32_t runner);
void common_memory_unlock(void);
uint32_t common_memory_holder(void);

static inline uint64_t common_memory_place(const ExploreRegion *region, const void *memory) {
    return memory == NULL ? 0 : (uint64_t)((const char *)memory - (const char *)region);
}

#endif
