/* claim -- shared ends and MUTEX: who holds one, who is next (CLAIM).
 *
 * Owns:   the half of claiming and releasing that compiled code does not inline
 *         (codegen/channel/claim.c).
 * Leaves: where a Claim lies to the channel or bundle it belongs to.
 * Holds:  while word is not 0 exactly one process holds the end. Those that wait are parked with
 *         WAIT_CLAIM and `next` at the Claim, linked by `data`: newest first in word, oldest first
 *         in queue, and everybody in queue came before everybody in word. Only the holder touches
 *         queue. The end is handed on: it is never free while somebody waits, so nobody can
 *         overtake. word changes by compare and swap or exchange, for many workers. */
#ifndef RT_CLAIM_H
#define RT_CLAIM_H

#include "atomic.h"
#include "layout.h"

/* abi.def */
Process *rt_claim(Process *me, void *claim, const Site *site);
Process *rt_claim_mutex(Process *me, void *claim, const Site *site);
void rt_claim_release(Process *me, void *claim);

/* For an end that goes round machines (placed/shared_end.h): take the last comers out of the line,
 * first come first, linked by `data`; somebody holds the end, or nobody waits. */
Process *claim_take_line(Claim *claim);
/* True: it was free, and is held here by nobody from now on. */
bool claim_withdraw(Claim *claim);

static inline bool claim_has_line(const Claim *claim) {
    return (atomic_get_relaxed(&claim->word) & ~(uintptr_t)CLAIM_HELD) != 0;
}

/* For condition.c: the holder of a MUTEX, which may be on a stack already, hands it on; a parked
 * process lines up, and becomes ready when it holds the MUTEX. */
void claim_hand_on(Worker *worker, Claim *claim);
void claim_join(Worker *worker, Claim *claim, Process *process, const Site *site);

#endif
