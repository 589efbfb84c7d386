/* sharing -- workers without work take some from others.
 *
 * Owns:   batches: splitting, stealing, handing back; searching and falling asleep.
 * Leaves: the deque to deque.h, the word of who sleeps to activity.h, threads to thread.h, when to
 *         be alone to solo.h, waiting for the kernel to outside.h.
 * Holds:  (decision 0006) a worker sleeps only with empty queues; whoever publishes work then wakes
 *         somebody, whoever falls asleep then looks once more. A chain of ready processes is in one
 *         place at a time, and belongs to the worker that adopts it. */
#ifndef RT_SHARING_H
#define RT_SHARING_H

#include "worker.h"

enum {
    LONELY_PARKS = 64, /* parks with nothing else ready: solo again if nobody else is awake */
    SPARE_PARKS =
        RT_STRESS_SHARE ? 2 : 16, /* between two batches made for nobody yet, if there is none */
    WANTED_PARKS = 64,            /* parks at which work is looked for, for a worker without any */
    BATCH_MAX = 32,               /* processes in a batch */
    WAKES_FEW = 16,               /* wake-ups below which nothing is concluded */
    WAKE_NS = 40000               /* what a wake-up must be worth, on average */
};

/* Append the ready processes of a batch from a deque to the worker's own. */
void sharing_adopt_batch(Worker *worker, void *batch);
/* Shared: a process is about to run (is_branch: a deferred branch, for the first time). Give work
 * away if there is more and some worker has none. */
void sharing_offer(Worker *worker, bool is_branch);
/* Shared, nothing is ready here: steal or sleep. Returns with something ready, or solo. */
void sharing_find(Worker *worker);
/* From any thread: the process is ready, on any worker. */
void sharing_post(Process *process);
/* The same without waking a worker that waits in the kernel. True: there is one, to be woken by
 * sharing_ring. */
bool sharing_put(Process *process);
/* Wake the worker that waits in the kernel: it looks at the inbox and the world outside. */
void sharing_ring(void);
/* Adopt processes made ready by threads that are no workers. */
void sharing_take_inbox(Worker *worker);

#endif
