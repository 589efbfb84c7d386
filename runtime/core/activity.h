/* activity -- which workers sleep, whether one searches, whether one is alone: one word.
 *
 * Owns:   the word and every change of it (decision 0006, Asleep and awake).
 * Leaves: threads to thread.c, what there is to find to sharing.c.
 * Holds:  bit i is set while worker i sleeps or was never started. SEARCHING is set while one
 *         worker looks for work; it is passed on with a wake-up. SOLO is set while exactly one
 *         worker is active and uses plain operations; until it clears SOLO itself no bit is
 *         cleared. A bit is cleared once for each time it is set: by who wakes the worker, or by
 *         the worker that gets up itself. */
#ifndef RT_ACTIVITY_H
#define RT_ACTIVITY_H

#include "atomic.h"

enum { WORKERS_MAX = 56 };

#define ACTIVITY_SEARCHING (UINT64_C(1) << 62)
#define ACTIVITY_SOLO      (UINT64_C(1) << 63)

typedef struct Activity {
    uint64_t word;
    uint64_t all;    /* a bit for each worker */
    uint64_t broken; /* workers whose thread cannot be started */
} Activity;

static inline uint64_t activity_bit(unsigned worker) {
    return UINT64_C(1) << worker;
}

/* Worker 0 is active and alone; the others sleep. */
void activity_init(Activity *activity, unsigned workers);

/* May a worker be woken to look for work? */
static inline bool activity_wants_work(const Activity *activity) {
    uint64_t word = atomic_get_relaxed(&activity->word);
    return (word & (ACTIVITY_SEARCHING | ACTIVITY_SOLO)) == 0 && (word & activity->all) != 0;
}

static inline bool activity_is_asleep(const Activity *activity, unsigned worker) {
    return (atomic_get_acquire(&activity->word) & activity_bit(worker)) != 0;
}

/* Work has been published: which worker to wake for it, or -1. It is to search. */
int activity_wake_one(Activity *activity);
/* The worker that was to be woken has no thread and will never have one. */
void activity_give_up(Activity *activity, unsigned worker);

/* False: somebody else searches already. */
bool activity_begin_search(Activity *activity);
/* The searcher has found something. */
void activity_end_search(Activity *activity);

/* Nothing has been found. True: the worker counts as asleep from now on; it must look once more
 * (activity_get_up). False: all others sleep, so it is solo now. */
bool activity_sleep(Activity *activity, unsigned worker, bool is_searcher);
/* Asleep, but work was found. True: the worker is awake now, and the searcher. */
bool activity_get_up(Activity *activity, unsigned worker);

/* True: all others sleep; the worker is solo now. */
bool activity_enter_solo(Activity *activity, unsigned worker);
void activity_leave_solo(Activity *activity);

#endif
