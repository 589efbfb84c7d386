/* index_set -- the values that an index may have: which channels of an array a process uses.
 *
 * Holds: sorted, each value once. NULL is any value: where a set would be too large, or hangs on
 *        what only run time knows. */
#ifndef OCCC_INDEX_SET_H
#define OCCC_INDEX_SET_H

#include "arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct IndexSet {
    const int64_t *values;
    size_t count;
} IndexSet;

enum { INDEX_SET_LIMIT = 65536 };

const IndexSet *index_set_one(Arena *arena, int64_t value);
/* index_set_steps -- base, base + step, ...; NULL: too many. */
const IndexSet *index_set_steps(Arena *arena, int64_t base, int64_t count, int64_t step);
/* index_set_combine -- of each value on the left with each on the right; `combine` is false where
 * there is no result. */
typedef bool IndexCombination(int64_t left, int64_t right, int64_t *result);
const IndexSet *index_set_combine(Arena *arena, const IndexSet *left, const IndexSet *right,
                                  IndexCombination *combine);
const IndexSet *index_set_union(Arena *arena, const IndexSet *left, const IndexSet *right);
/* index_set_common -- how many values are in both; SIZE_MAX: at least one of them is any value. */
size_t index_set_common(const IndexSet *left, const IndexSet *right);

#endif
