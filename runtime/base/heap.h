/* heap -- a priority queue: smallest key first, equal keys in order of arrival.
 *
 * Owns:   the order and its storage (an array of entries, four children to a node: fewer cache
 *         lines than two). Removal of any entry through its position.
 * Leaves: what an entry means to the user.
 * Holds:  no entry is before its parent in the order (key, arrival); if entry i has a position
 *         word, that word is i + 1. A position word of 0 means "not in the heap". */
#ifndef RT_HEAP_H
#define RT_HEAP_H

#include "check.h"

typedef struct HeapEntry {
    int64_t key;
    uint64_t arrival;
    void *owner;
    uint32_t *position; /* or NULL: this entry is never removed before its time */
} HeapEntry;

typedef struct Heap {
    HeapEntry *entries;
    size_t count;
    size_t capacity;
    uint64_t arrivals;
} Heap;

/* Add an entry; false when there is no memory. */
bool heap_insert(Heap *heap, int64_t key, void *owner, uint32_t *position);
/* The entry with the smallest key, or NULL. */
const HeapEntry *heap_first(const Heap *heap);
/* Remove the first entry; its position word becomes 0. Pre: not empty. */
HeapEntry heap_take_first(Heap *heap);
/* Remove the entry whose position word holds `position`. Pre: 0 < position <= count. */
void heap_remove(Heap *heap, uint32_t position);
void heap_free(Heap *heap);
/* Prove the invariants (rt_check). */
void heap_check(const Heap *heap);

#endif
