/* atomic -- the only way to touch what several threads share.
 *
 * Owns:   the operations and their orders; the hook that makes each of them a scheduling point of a
 *         deterministic test (test/runtime/fibre.h).
 * Leaves: the protocols to their files; the world lock to world.h.
 * Holds:  a word that is used through this file is used only through it, except while its owner is
 *         alone with it (before it is published, or solo). Orders are named at the call.
 *
 * With -DRT_DETERMINISTIC every operation calls rt_atomic_point() first, which the test supplies:
 * there workers are fibres, and a seed chooses which one runs. With -DRT_STRESS_DELAY=1
 * base/stress.c supplies it: a thread sometimes waits there. */
#ifndef RT_ATOMIC_H
#define RT_ATOMIC_H

#include <stdbool.h>
#include <stdint.h>

#include "stress.h"

#if defined RT_DETERMINISTIC || RT_STRESS_DELAY
void rt_atomic_point(void);
#else
#define rt_atomic_point() ((void)0)
#endif

#define atomic_get_relaxed(p)    (rt_atomic_point(), __atomic_load_n((p), __ATOMIC_RELAXED))
#define atomic_get_acquire(p)    (rt_atomic_point(), __atomic_load_n((p), __ATOMIC_ACQUIRE))
#define atomic_get_seq(p)        (rt_atomic_point(), __atomic_load_n((p), __ATOMIC_SEQ_CST))
#define atomic_set_relaxed(p, v) (rt_atomic_point(), __atomic_store_n((p), (v), __ATOMIC_RELAXED))
#define atomic_set_release(p, v) (rt_atomic_point(), __atomic_store_n((p), (v), __ATOMIC_RELEASE))
#define atomic_set_seq(p, v)     (rt_atomic_point(), __atomic_store_n((p), (v), __ATOMIC_SEQ_CST))

#define atomic_swap(p, v) (rt_atomic_point(), __atomic_exchange_n((p), (v), __ATOMIC_ACQ_REL))
/* Returns the value before. */
#define atomic_add(p, v) (rt_atomic_point(), __atomic_fetch_add((p), (v), __ATOMIC_ACQ_REL))
#define atomic_or(p, v)  (rt_atomic_point(), __atomic_fetch_or((p), (v), __ATOMIC_ACQ_REL))
#define atomic_and(p, v) (rt_atomic_point(), __atomic_fetch_and((p), (v), __ATOMIC_ACQ_REL))

/* Replace *expected by v: true; else *expected becomes what is there. */
#define atomic_cas(p, expected, v)                                                                 \
    (rt_atomic_point(),                                                                            \
     __atomic_compare_exchange_n((p), (expected), (v), false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
#define atomic_cas_seq(p, expected, v)                                                             \
    (rt_atomic_point(),                                                                            \
     __atomic_compare_exchange_n((p), (expected), (v), false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))

#define atomic_fence_seq() (rt_atomic_point(), __atomic_thread_fence(__ATOMIC_SEQ_CST))

#endif
