/* deque -- batches of ready processes that others may take: one owner, many thieves.
 *
 * Owns:   the work-stealing deque of Chase and Lev, with the orders of Le, Pop, Cohen and Zappa
 *         Nardelli (2013), of fixed size.
 * Leaves: what a batch is to runqueue.h; when to push and to steal to scheduler.c.
 * Holds:  only the owner pushes and takes, at the bottom; anybody steals, at the top. An entry
 *         comes out once. What the owner wrote before a push is seen by who gets the entry. */
#ifndef RT_DEQUE_H
#define RT_DEQUE_H

#include "atomic.h"

#include <stddef.h>

enum { DEQUE_ENTRIES = 256 };

typedef struct Deque {
    int64_t top; /* the next to steal */
    int64_t bottom;
    void *entries[DEQUE_ENTRIES];
} Deque;

static inline void **deque_slot(Deque *deque, int64_t position) {
    return &deque->entries[(uint64_t)position % DEQUE_ENTRIES];
}

/* By anybody; the answer may be old. */
static inline bool deque_is_empty(const Deque *deque) {
    return atomic_get_acquire(&deque->top) >= atomic_get_acquire(&deque->bottom);
}

/* By the owner. False: full. */
static inline bool deque_push(Deque *deque, void *entry) {
    int64_t bottom = atomic_get_relaxed(&deque->bottom);
    int64_t top = atomic_get_acquire(&deque->top);
    if (bottom - top >= DEQUE_ENTRIES) {
        return false;
    }
    atomic_set_relaxed(deque_slot(deque, bottom), entry);
    atomic_set_release(&deque->bottom, bottom + 1);
    return true;
}

/* By the owner: the last one pushed, or NULL. */
static inline void *deque_take(Deque *deque) {
    int64_t bottom = atomic_get_relaxed(&deque->bottom) - 1;
    atomic_set_relaxed(&deque->bottom, bottom);
    atomic_fence_seq();
    int64_t top = atomic_get_relaxed(&deque->top);
    if (top > bottom) {
        atomic_set_relaxed(&deque->bottom, bottom + 1);
        return NULL;
    }
    void *entry = atomic_get_relaxed(deque_slot(deque, bottom));
    if (top == bottom) { /* the last one: thieves may want it too */
        if (!atomic_cas_seq(&deque->top, &top, top + 1)) {
            entry = NULL;
        }
        atomic_set_relaxed(&deque->bottom, bottom + 1);
    }
    return entry;
}

typedef enum DequeSteal { DEQUE_GOT, DEQUE_EMPTY, DEQUE_LOST } DequeSteal;

/* By anybody: the oldest. LOST: somebody else took that one at the same moment. */
static inline DequeSteal deque_steal(Deque *deque, void **entry) {
    int64_t top = atomic_get_acquire(&deque->top);
    atomic_fence_seq();
    int64_t bottom = atomic_get_acquire(&deque->bottom);
    if (top >= bottom) {
        return DEQUE_EMPTY;
    }
    void *found = atomic_get_relaxed(deque_slot(deque, top));
    if (!atomic_cas_seq(&deque->top, &top, top + 1)) {
        return DEQUE_LOST;
    }
    *entry = found;
    return DEQUE_GOT;
}

#endif
