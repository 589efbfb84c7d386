/* deferred -- branches that are not started until their parent needs them (decision 0019).
 *
 * Owns:   the branches of recursive PARs that have not been started: a stack with two ends. The
 *         worker itself takes the newest, others take the oldest.
 * Leaves: pushing, and taking the newest branch of the current PAR, to compiled code
 *         (codegen/scheduling/run_queue.c) and switch.S; when to give work away to sharing.c.
 * Holds:  compiled code knows `deferred`, newest first; the branches in `older`, oldest first, are
 *         older than all of those. When one list is empty and its end is wanted, half of the other
 *         moves there, so a branch moves seldom. A branch is on one of the two lists, or in a batch
 *         of its own (branch_batch), or has been started. Only the worker touches its own lists. */
#ifndef RT_DEFERRED_H
#define RT_DEFERRED_H

#include "worker.h"

static inline bool deferred_is_empty(const Worker *worker) {
    return worker->deferred == NULL && worker->older == NULL;
}

/* Is a process ready here, or can one be started? */
static inline bool worker_has_work(const Worker *worker) {
    return worker->head != NULL || !deferred_is_empty(worker);
}

/* The newest, not started; NULL: there is none. */
Process *deferred_take_newest(Worker *worker);
/* The same, if it is a branch of this PAR. */
Process *deferred_take_branch(Worker *worker, const Join *join);
/* The oldest, which has most to do; NULL: there is none. */
Process *deferred_take_oldest(Worker *worker);
/* Put back a branch that was the oldest and that nobody else has started. */
void deferred_put_back(Worker *worker, Process *branch);
/* All of them become ready, the oldest first. */
void deferred_start_all(Worker *worker);

/* At attention: if others keep the branches from being started, make all ready; if that happens
 * again, PROCs that wait for anything but the ends of PARs defer no branches for some slices. */
void deferred_review(Worker *worker);
/* The same when real time must have no influence, except that none was started between two rings of
 * the alarm (scheduler.c). */
void deferred_review_exactly(Worker *worker);

/* The tagged pointer tells a batch of one deferred branch from a batch of ready processes. */
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
