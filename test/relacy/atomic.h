/* atomic -- runtime/base/atomic.h for tests in Relacy: the same names, the same orders. Included in
 * front of everything (-include), so that the runtime's own is passed over. */
#ifndef RT_ATOMIC_H
#define RT_ATOMIC_H

#include "relacy.h"

#define rt_atomic_point() ((void)0)

/* Words are integers or pointers: both are uintptr_t on the way. */
#define RELACY_TYPE(p, word) ((__typeof__(*(p)))(uintptr_t)(word))
#define RELACY_GET(p, order) RELACY_TYPE(p, relacy_get((p), (order)))
#define RELACY_SET(p, v, order)                                                                    \
    relacy_set((void *)(p), (uint64_t)(uintptr_t)(v), sizeof *(p), (order))
#define RELACY_CHANGE(p, v, change)                                                                \
    RELACY_TYPE(p, relacy_change((p), (uint64_t)(uintptr_t)(v), sizeof *(p), (change)))
#define RELACY_CAS(p, expected, v, order)                                                          \
    __extension__({                                                                                \
        uint64_t relacy_seen_ = (uint64_t)(uintptr_t) * (expected);                                \
        bool relacy_done_ =                                                                        \
            relacy_cas((p), &relacy_seen_, (uint64_t)(uintptr_t)(v), sizeof *(p), (order));        \
        *(expected) = RELACY_TYPE(p, relacy_seen_);                                                \
        relacy_done_;                                                                              \
    })

#define atomic_get_relaxed(p)    RELACY_GET(p, RELACY_RELAXED)
#define atomic_get_acquire(p)    RELACY_GET(p, RELACY_ACQUIRE)
#define atomic_get_seq(p)        RELACY_GET(p, RELACY_SEQ)
#define atomic_set_relaxed(p, v) RELACY_SET(p, v, RELACY_RELAXED)
#define atomic_set_release(p, v) RELACY_SET(p, v, RELACY_RELEASE)
#define atomic_set_seq(p, v)     RELACY_SET(p, v, RELACY_SEQ)

#define atomic_swap(p, v) RELACY_CHANGE(p, v, RELACY_EXCHANGE)
#define atomic_add(p, v)  RELACY_CHANGE(p, v, RELACY_ADD)
#define atomic_or(p, v)   RELACY_CHANGE(p, v, RELACY_OR)
#define atomic_and(p, v)  RELACY_CHANGE(p, v, RELACY_AND)

#define atomic_cas(p, expected, v)     RELACY_CAS(p, expected, v, RELACY_SWAP)
#define atomic_cas_seq(p, expected, v) RELACY_CAS(p, expected, v, RELACY_SEQ)
#define atomic_fence_seq()             relacy_fence()

#endif
