/* sharing -- work goes to whoever has none.
 *
 * Owns:   batches: splitting, stealing, handing back; searching and falling asleep.
 * Leaves: the deque to deque.h, the word of who sleeps to activity.h, threads to thread.h, when to
 *         be alone to solo.h, waiting for the kernel to outside.h.
 * Holds:  (decision 0006) a worker sleeps only with empty queues; whoever publishes work wakes
 *         somebody afterwards, whoever falls asleep looks once more afterwards. A chain of ready
 *         processes is in one place at a time, and on adoption belongs to the adopting worker. */
#ifndef RT_SHARING_H
#define RT_SHARING_H

#include "worker.h"

enum {
    LONELY_PARKS = 64, /* with nothing else ready and nobody else awake: solo again */
    SPARE_PARKS = RT_STRESS_SHARE
                      ? 2
                      : 16, /* a batch for whoever comes is made that often, when there is none */
    WANTED_PARKS = 64,      /* parks at which work is looked for, for one who has none */
    BATCH_MAX = 32,         /* processes that move at once */
    WAKES_FEW = 16,         /* wake-ups that tell nothing */
    WAKE_NS = 40000         /* what a wake-up must be worth, on average */
};

/* Append the ready processes of what comes out of a deque to the worker's own. */
void sharing_adopt_batch(Worker *worker, void *batch);
/* Shared: a process is about to run, the first time if it is a branch that has been deferred; is
 * there more, and somebody who has nothing to do? */
void sharing_offer(Worker *worker, bool is_branch);
/* Shared, nothing is ready here: look elsewhere; sleep; back with something ready, or solo. */
void sharing_find(Worker *worker);
/* From any thread: the process is ready, whoever runs it. */
void sharing_post(Process *process);
/* The same without a word to a worker that waits in the kernel; is there one? Then it is to be
 * rung. */
bool sharing_put(Process *process);
/* Whoever waits in the kernel looks at the inbox and at what is outside. */
void sharing_ring(void);
/* What was made ready by threads that are no workers. */
void sharing_take_inbox(Worker *worker);

#endif
