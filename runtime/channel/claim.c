/* claim -- the slow half of CLAIM. See claim.h. */
#include "claim.h"

#include "atomic.h"
#include "gate.h"
#include "process.h"
#include "scheduler.h"
#include "stop.h"

static Process *waiting_in(uintptr_t word) {
    return (Process *)(word & ~(uintptr_t)CLAIM_HELD);
}

/* False: the end was free and is mine now. True: I am in line and may already run elsewhere. */
static bool line_up(Process *me, Claim *claim) {
    uintptr_t word = atomic_get_relaxed(&claim->word);
    uintptr_t mine;
    do {
        process_carries(me, waiting_in(word));
        mine = word == 0 ? CLAIM_HELD : (uintptr_t)me | CLAIM_HELD;
    } while (!atomic_cas(&claim->word, &word, mine));
    return word != 0;
}

/* ---- at the gate ---- */

static void offer(GateOp *op) {
    const Claim *claim = op->object;
    if (atomic_get_acquire(&claim->word) == 0) {
        gate_event(&(GateEvent){.op = op, .kind = EXPLORE_CLAIM, .object = claim});
    }
}

static Process *perform(GateOp *op, const GateEvent *event) {
    (void)event;
    return rt_claim(op->process, op->object, op->site);
}

static const GateKind claim_kind = {offer, perform, NULL, gate_use_object};

/* ---- claiming and releasing ---- */

Process *rt_claim(Process *me, void *lock, const Site *site) {
    Claim *claim = lock;
    Worker *worker = me->worker;
    if (gate_is_on(worker)) {
        return gate_park(me, &claim_kind,
                         &(GateOp){.object = lock, .site = site, .what = EXPLORE_CLAIM});
    }
    process_waits(me, site, lock);
    if (!line_up(me, claim)) {
        atomic_set_relaxed(&claim->holder, me);
        return me;
    }
    return rt_scheduler_next(worker);
}

Process *rt_claim_mutex(Process *me, void *lock, const Site *site) {
    Claim *claim = lock;
    if (atomic_get_acquire(&claim->word) != 0 && atomic_get_relaxed(&claim->holder) == me) {
        rt_fail(me, ERROR_NESTED_CLAIM, site, 0, 0, 0);
    }
    return rt_claim(me, lock, site);
}

/* Reverse the list: oldest first. */
static Process *turn_round(Process *newest) {
    Process *first = NULL;
    while (newest != NULL) {
        Process *before = newest->data;
        process_carries(newest, first);
        first = newest;
        newest = before;
    }
    return first;
}

/* A free end has no holder: a stale one would look like a nested claim to the process it names,
 * while another has taken the word and not stored itself yet. */
void claim_hand_on(Worker *worker, Claim *claim) {
    if (worker_is_explored(worker)) {
        gate_note_release(claim->holder, claim);
    }
    while (claim->queue == NULL) { /* those in line may be taken out meanwhile */
        uintptr_t word = CLAIM_HELD;
        atomic_set_relaxed(&claim->holder, NULL);
        if (atomic_cas(&claim->word, &word, 0)) {
            return;
        }
        word = atomic_swap(&claim->word, CLAIM_HELD);
        claim->queue = turn_round(waiting_in(word));
    }
    Process *next = claim->queue;
    claim->queue = next->data;
    atomic_set_relaxed(&claim->holder, next);
    rt_scheduler_ready(worker, next);
}

Process *claim_take_line(Claim *claim) {
    uintptr_t word = atomic_get_relaxed(&claim->word);
    do {
        if (waiting_in(word) == NULL) {
            return NULL;
        }
    } while (!atomic_cas(&claim->word, &word, CLAIM_HELD));
    return turn_round(waiting_in(word));
}

bool claim_withdraw(Claim *claim) {
    uintptr_t word = 0;
    return atomic_cas(&claim->word, &word, CLAIM_HELD);
}

void rt_claim_release(Process *me, void *lock) {
    Claim *claim = lock;
    rt_check(claim->holder == me);
    claim_hand_on(me->worker, claim);
}

void claim_join(Worker *worker, Claim *claim, Process *process, const Site *site) {
    process_waits(process, site, claim);
    if (gate_is_on(worker)) {
        gate_add(process, &claim_kind,
                 &(GateOp){.object = claim, .site = site, .what = EXPLORE_CLAIM});
    } else if (!line_up(process, claim)) {
        atomic_set_relaxed(&claim->holder, process);
        rt_scheduler_ready(worker, process);
    }
}
