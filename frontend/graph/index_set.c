/* index_set -- see the header. */
#include "index_set.h"

#include <stdlib.h>
#include <string.h>

const IndexSet *index_set_one(Arena *arena, int64_t value) {
    return index_set_steps(arena, value, 1, 1);
}

static const IndexSet *make(Arena *arena, const int64_t *values, size_t count) {
    IndexSet *set = arena_new(arena, IndexSet);
    set->values = values;
    set->count = count;
    return set;
}

static int compare(const void *left, const void *right) {
    int64_t one = *(const int64_t *)left;
    int64_t other = *(const int64_t *)right;
    return (one > other) - (one < other);
}

/* Sorts what is given. */
static const IndexSet *make_unsorted(Arena *arena, int64_t *values, size_t count) {
    qsort(values, count, sizeof *values, compare);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || values[kept - 1] != values[i]) {
            values[kept++] = values[i];
        }
    }
    return make(arena, values, kept);
}

const IndexSet *index_set_steps(Arena *arena, int64_t base, int64_t count, int64_t step) {
    if (count < 0 || count > INDEX_SET_LIMIT) {
        return NULL;
    }
    int64_t *values = arena_new_array(arena, int64_t, count ? count : 1);
    for (int64_t i = 0; i < count; i++) {
        values[i] = (int64_t)((uint64_t)base + (uint64_t)i * (uint64_t)step);
    }
    return make_unsorted(arena, values, (size_t)count);
}

const IndexSet *index_set_combine(Arena *arena, const IndexSet *left, const IndexSet *right,
                                  IndexCombination *combine) {
    if (!left || !right || left->count * right->count > INDEX_SET_LIMIT) {
        return NULL;
    }
    size_t room = left->count * right->count;
    int64_t *values = arena_new_array(arena, int64_t, room ? room : 1);
    size_t count = 0;
    for (size_t i = 0; i < left->count; i++) {
        for (size_t k = 0; k < right->count; k++) {
            count += combine(left->values[i], right->values[k], &values[count]);
        }
    }
    return make_unsorted(arena, values, count);
}

const IndexSet *index_set_union(Arena *arena, const IndexSet *left, const IndexSet *right) {
    if (!left || !right || left->count + right->count > INDEX_SET_LIMIT) {
        return NULL;
    }
    if (index_set_common(left, right) == right->count) {
        return left;
    }
    size_t count = left->count + right->count;
    int64_t *values = arena_new_array(arena, int64_t, count);
    memcpy(values, left->values, left->count * sizeof *values);
    memcpy(values + left->count, right->values, right->count * sizeof *values);
    return make_unsorted(arena, values, count);
}

size_t index_set_common(const IndexSet *left, const IndexSet *right) {
    if (!left || !right) {
        return SIZE_MAX;
    }
    size_t common = 0;
    for (size_t i = 0, k = 0; i < left->count && k < right->count;) {
        int64_t one = left->values[i];
        int64_t other = right->values[k];
        common += one == other;
        i += one <= other;
        k += other <= one;
    }
    return common;
}
