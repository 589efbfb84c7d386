/* activity -- the transitions. See activity.h; test/model/idle.pml is their model. */
#include "activity.h"

void activity_init(Activity *activity, unsigned workers) {
    activity->all = activity_bit(workers) - 1;
    activity->broken = 0;
    atomic_set_seq(&activity->word, (activity->all & ~activity_bit(0)) | ACTIVITY_SOLO);
}

int activity_wake_one(Activity *activity) {
    atomic_fence_seq(); /* what was published before this is seen by who falls asleep after it */
    uint64_t word = atomic_get_relaxed(&activity->word);
    for (;;) {
        uint64_t asleep = word & activity->all & ~atomic_get_relaxed(&activity->broken);
        if (asleep == 0 || (word & (ACTIVITY_SEARCHING | ACTIVITY_SOLO)) != 0) {
            return -1;
        }
        unsigned worker = (unsigned)__builtin_ctzll(asleep);
        uint64_t after = (word & ~activity_bit(worker)) | ACTIVITY_SEARCHING;
        if (!atomic_cas_seq(&activity->word, &word, after)) {
            continue;
        }
        if ((atomic_get_relaxed(&activity->broken) & activity_bit(worker)) == 0) {
            return (int)worker;
        }
        activity_give_up(activity, worker); /* found out since I looked */
        word = atomic_get_relaxed(&activity->word);
    }
}

void activity_give_up(Activity *activity, unsigned worker) {
    (void)atomic_or(&activity->broken, activity_bit(worker));
    uint64_t word = atomic_get_relaxed(&activity->word);
    while (!atomic_cas_seq(&activity->word, &word,
                           (word | activity_bit(worker)) & ~ACTIVITY_SEARCHING)) {
    }
}

bool activity_begin_search(Activity *activity) {
    return (atomic_or(&activity->word, ACTIVITY_SEARCHING) & ACTIVITY_SEARCHING) == 0;
}

void activity_end_search(Activity *activity) {
    (void)atomic_and(&activity->word, ~ACTIVITY_SEARCHING);
    atomic_fence_seq(); /* the caller looks once more at what it may have passed */
}

bool activity_sleep(Activity *activity, unsigned worker, bool is_searcher) {
    uint64_t others = activity->all & ~activity_bit(worker);
    uint64_t word = atomic_get_relaxed(&activity->word);
    for (;;) {
        bool is_last = (word & others) == others;
        uint64_t after = is_searcher ? word & ~ACTIVITY_SEARCHING : word;
        after |= is_last ? ACTIVITY_SOLO : activity_bit(worker);
        if (atomic_cas_seq(&activity->word, &word, after)) {
            atomic_fence_seq();
            return !is_last;
        }
    }
}

bool activity_get_up(Activity *activity, unsigned worker) {
    uint64_t word = atomic_get_relaxed(&activity->word);
    for (;;) {
        bool may = (word & activity_bit(worker)) != 0 &&
                   (word & (ACTIVITY_SEARCHING | ACTIVITY_SOLO)) == 0;
        if (!may) {
            return false;
        }
        uint64_t after = (word & ~activity_bit(worker)) | ACTIVITY_SEARCHING;
        if (atomic_cas_seq(&activity->word, &word, after)) {
            return true;
        }
    }
}

bool activity_enter_solo(Activity *activity, unsigned worker) {
    uint64_t others = activity->all & ~activity_bit(worker);
    uint64_t word = atomic_get_relaxed(&activity->word);
    return (word & activity->all) == others && (word & ACTIVITY_SEARCHING) == 0 &&
           atomic_cas_seq(&activity->word, &word, word | ACTIVITY_SOLO);
}

void activity_leave_solo(Activity *activity) {
    (void)atomic_and(&activity->word, ~ACTIVITY_SOLO);
}
