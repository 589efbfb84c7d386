/* claim -- the slow half of CLAIM. See claim.h. */
#include "claim.h"

#include "base/atomic.h"
#include "scheduler.h"

static Process *waiting_in(uintptr_t word) {
    return (Process *)(word & ~(uintptr_t)CLAIM_HELD);
}

/* False: the end was free and is mine now. True: nothing of me may be touched any more. */
static bool line_up(Process *me, Claim *claim) {
    uintptr_t word = atomic_get_relaxed(&claim->word);
    uintptr_t mine;
    do {
        me->data = waiting_in(word);
        mine = word == 0 ? CLAIM_HELD : (uintptr_t)me | CLAIM_HELD;
    } while (!atomic_cas(&claim->word, &word, mine));
    return word != 0;
}

Process *rt_claim(Process *me, void *lock, const Site *site) {
    Claim *claim = lock;
    Worker *worker = me->worker;
    me->next = lock;
    me->wait = site;
    if (!line_up(me, claim)) {
        claim->holder = me;
        return me;
    }
    return rt_scheduler_next(worker);
}

/* Newest first to oldest first. */
static Process *turn_round(Process *newest) {
    Process *first = NULL;
    while (newest != NULL) {
        Process *before = newest->data;
        newest->data = first;
        first = newest;
        newest = before;
    }
    return first;
}

void rt_claim_release(Process *me, void *lock) {
    Claim *claim = lock;
    rt_check(claim->holder == me);
    if (claim->queue == NULL) {
        uintptr_t word = CLAIM_HELD;
        if (atomic_cas(&claim->word, &word, 0)) {
            return;
        }
        word = atomic_swap(&claim->word, CLAIM_HELD);
        claim->queue = turn_round(waiting_in(word));
    }
    Process *next = claim->queue;
    claim->queue = next->data;
    claim->holder = next;
    rt_scheduler_ready(me->worker, next);
}
