/* stress -- delays at atomic operations, in test builds. See stress.h. */
#include "stress.h"

#if RT_STRESS_DELAY && !defined RT_DETERMINISTIC

#include "atomic.h"
#include "random.h"

#include <sched.h>

enum { ONE_IN = 61, SHORT = 200 };

/* No protocol may rely on it, so each thread has its own, seeded by the address of its stack. */
static _Thread_local Random random_state;

void rt_atomic_point(void) {
    if (random_state.state == 0) {
        random_seed(&random_state, (uint64_t)(uintptr_t)&random_state);
    }
    uint32_t chance = random_next(&random_state);
    if (chance % ONE_IN != 0) {
        return;
    }
    if (chance % 8 == 0) {
        (void)sched_yield();
        return;
    }
    for (uint32_t i = chance / ONE_IN % SHORT; i > 0; i--) {
        __asm__ volatile("" ::: "memory");
    }
}

#else
typedef int StressIsOff; /* a translation unit may not be empty */
#endif
