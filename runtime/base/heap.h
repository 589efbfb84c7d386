/* heap -- a priority queue: smallest key first.
 *
 * Owns:   the order and its storage. Removal of any entry that has a position word.
 * Leaves: what an entry means, and an order among equal keys, to the user (deadline_queue.c puts
 *         the order of arrival into the key).
 * Holds:  no entry is before its parent in the order of keys; if the entry at index i has a
 *         position word, that word is i + 1. A position word of 0 means "not in the heap".
 *
 * Entries have 16 bytes and four children: the children of one node are one cache line. */
#ifndef RT_HEAP_H
#define RT_HEAP_H

#include "check.h"

typedef struct HeapEntry {
    int64_t key;
    uintptr_t what; /* the owner; or, if odd, the address of a position word, plus 1 */
} HeapEntry;

typedef struct Heap {
    HeapEntry *entries; /* three before it are unused: so that index 1 begins a cache line */
    size_t count;
    size_t capacity;
    void *memory;
} Heap;

/* Add an entry known by its owner (an even address), never removed before its time. False: no
 * memory. */
bool heap_insert(Heap *heap, int64_t key, void *owner);
/* Make room for so many in all. False: no memory. */
bool heap_reserve(Heap *heap, size_t count);
/* Add an entry known by its position word. */
bool heap_insert_placed(Heap *heap, int64_t key, uint32_t *position);
/* Remove the entry with the smallest key; its position word becomes 0. Pre: not empty. */
HeapEntry heap_take_first(Heap *heap);
/* Remove the entry whose position word holds `position`. Pre: 0 < position <= count. */
void heap_remove(Heap *heap, uint32_t position);
/* Sort the entries by key: they are still a heap then. Positions are set anew. */
void heap_sort(Heap *heap);
void heap_free(Heap *heap);
/* Check the invariants (rt_check). */
void heap_check(const Heap *heap);

/* The position word of an entry, or NULL; its owner is then meaningless. */
static inline uint32_t *heap_entry_position(const HeapEntry *entry) {
    return (entry->what & 1) != 0 ? (uint32_t *)(entry->what - 1) : NULL;
}

static inline void *heap_entry_owner(const HeapEntry *entry) {
    return (void *)entry->what;
}

#endif
