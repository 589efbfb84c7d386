/* deadline_slots -- deadlines that are not near, of many sleepers.
 *
 * Owns:   entries in slots of half a millisecond, in no order within one; their memory.
 * Leaves: what comes before them, and when a slot is opened, to deadline_queue.c.
 * Holds:  an entry's slot is one of SLOT_COUNT from `first` on. Nothing is removed: only plain
 *         sleepers are here.
 *
 * In a heap of 100 000 each that wakes moves eight entries that are out of the cache. Here an entry
 * is written once behind others, and read once beside them; the heap holds those of one slot. */
#ifndef RT_DEADLINE_SLOTS_H
#define RT_DEADLINE_SLOTS_H

#include "heap.h"

enum { SEQUENCE_BITS = 24 }; /* of a key; the others are microseconds (deadline_queue.h) */
enum { SLOT_BITS = SEQUENCE_BITS + 9, SLOT_COUNT = 512, PART_ENTRIES = 63 };

/* SlotPart -- a kilobyte of a slot. */
typedef struct SlotPart {
    struct SlotPart *next;
    size_t count;
    HeapEntry entries[PART_ENTRIES];
} SlotPart;

typedef struct DeadlineSlots {
    SlotPart *slots[SLOT_COUNT];
    SlotPart *unused;
    int64_t first; /* number of a slot: those before it have been opened */
    size_t count;  /* entries, of all */
} DeadlineSlots;

/* The number of the slot that a key belongs to. */
static inline int64_t deadline_slot(int64_t key) {
    return key >> SLOT_BITS;
}

/* Is there a slot for the key? */
static inline bool deadline_slots_have(const DeadlineSlots *slots, int64_t key) {
    int64_t slot = deadline_slot(key);
    return slot >= slots->first && slot - slots->first < SLOT_COUNT;
}

/* Pre: there is a slot for the key. False: no memory. */
bool deadline_slots_add(DeadlineSlots *slots, int64_t key, void *owner);
/* The entries of the first slot go into the heap, which has room for them. */
void deadline_slots_open_first(DeadlineSlots *slots, Heap *heap);
void deadline_slots_free(DeadlineSlots *slots);
/* Prove the invariants (rt_check). */
void deadline_slots_check(const DeadlineSlots *slots);

#endif
