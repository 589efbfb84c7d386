/* deferred -- branches that wait until their parent comes to them (decision 0019).
 *
 * Owns:   the branches of recursive PARs that have not been started: a stack with two ends. The
 *         newest are taken off by the worker itself, the oldest are for others.
 * Leaves: pushing, and taking off the newest that is a branch of the PAR at hand, to compiled code
 *         (codegen/scheduling/run_queue.c) and switch.S; when to give work away to sharing.c.
 * Holds:  `deferred`, newest first, is what compiled code knows; all in `older`, oldest first, are
 *         older than those. Half of one goes to the other when that is empty and one is taken from
 *         its end, so a branch moves seldom. A branch is on one of the two lists, or in a batch of
 *         its own (branch_batch), or has been started. Only the worker touches its own lists. */
#ifndef RT_DEFERRED_H
#define RT_DEFERRED_H

#include "worker.h"

static inline bool deferred_is_empty(const Worker *worker) {
    return worker->deferred == NULL && worker->older == NULL;
}

/* Somebody is ready here, or could be started. */
static inline bool worker_has_work(const Worker *worker) {
    return worker->head != NULL || !deferred_is_empty(worker);
}

/* The newest, not started; NULL: there is none. */
Process *deferred_take_newest(Worker *worker);
/* The same, if it is a branch of this PAR. */
Process *deferred_take_branch(Worker *worker, const Join *join);
/* The oldest has most to do. */
Process *deferred_take_oldest(Worker *worker);
/* One that was the oldest, and has not been started by anybody else. */
void deferred_put_back(Worker *worker, Process *branch);
/* All of them become ready, the oldest first. */
void deferred_start_all(Worker *worker);

/* At attention: all become ready if others keep them from being started; if that happens again,
 * PROCs that wait for more than the ends of PARs defer no branches for some slices. */
void deferred_review(Worker *worker);
/* The same where nothing may follow from the real time but that none was started between two rings
 * of the alarm (scheduler.c). */
void deferred_review_exactly(Worker *worker);

/* A batch of one deferred branch is told from a batch of processes that have been ready. */
static inline void *branch_batch(Process *branch) {
    return (void *)((uintptr_t)branch | 1);
}

static inline bool batch_is_branch(const void *batch) {
    return ((uintptr_t)batch & 1) != 0;
}

static inline Process *batch_first(void *batch) {
    return (Process *)((uintptr_t)batch & ~(uintptr_t)1);
}

#endif
