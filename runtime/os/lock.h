/* lock -- a mutex that sleeps in the kernel.
 *
 * Owns:   taking and releasing, with one atomic operation each when nobody else wants it.
 * Leaves: what it protects, and whether it is needed at all (solo: no), to the callers.
 * Holds:  never held while a process is parked or a worker sleeps. `waiting` counts those that
 *         sleep for it: they do nothing else (ending.h relies on that). */
#ifndef RT_LOCK_H
#define RT_LOCK_H

#include "atomic.h"
#include "os.h"

typedef struct Lock {
    uint32_t word;    /* 0 free, 1 taken, 2 taken and perhaps waited for */
    uint32_t waiting; /* how many sleep for it */
} Lock;

static inline bool lock_try(Lock *lock) {
    uint32_t free = 0;
    return atomic_cas(&lock->word, &free, 1u);
}

static inline void lock_take(Lock *lock) {
    if (lock_try(lock)) {
        return;
    }
    (void)atomic_add(&lock->waiting, 1u);
    while (atomic_swap(&lock->word, 2u) != 0) {
        os_futex_wait(&lock->word, 2, -1);
    }
    (void)atomic_add(&lock->waiting, UINT32_MAX);
}

static inline void lock_release(Lock *lock) {
    if (atomic_swap(&lock->word, 0u) == 2) {
        os_futex_wake(&lock->word, 1);
    }
}

#endif
