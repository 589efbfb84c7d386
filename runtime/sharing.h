/* sharing -- work goes to whoever has none.
 *
 * Owns:   batches: splitting, stealing, handing back; searching and falling asleep; when to be
 *         solo.
 * Leaves: the deque to deque.h, the word of who sleeps to activity.h, threads to crew.h, running
 *         and waiting for the kernel to scheduler.c.
 * Holds:  (decision 0006) a worker sleeps only with empty queues; whoever publishes work wakes
 *         somebody afterwards, whoever falls asleep looks once more afterwards. A chain of ready
 *         processes is in one place at a time, and on adoption belongs to the adopting worker.
 *
 * A program whose processes run only for a moment between two parks may be faster on one worker:
 * then every operation is plain. So the grain is measured now and then (MODE_SAMPLE), and the
 * program leaves solo when the grain is GRAIN_OUT_NS or more and somebody is ready. When processes
 * are ready that belong to parts which have nothing to do with each other (parts.h; the sample is
 * longer then), it is tried all the same; one net would only lose. Each part gathers on a worker
 * and its channels become that worker's (bias.h), or they do not, and most operations come to C:
 * then every active worker enters it more often than TRIAL_FACTOR says, the program goes back, and
 * the next trial waits twice as long. */
#ifndef RT_SHARING_H
#define RT_SHARING_H

#include "worker.h"

enum {
    REVIEW_PARKS = 4096, /* shared: time to see whether that is right, besides each attention */
    TRIAL_PARTS = 2,     /* ready processes, of parts that do not meet, that are worth a trial */
    TRIAL_READY = 8,     /* so many may be, though the sample has not seen it yet */
    TRIAL_PARKS = 1024,  /* parks that show who belongs together */
    GROUP_MAX = 64,      /* ready processes that are ordered by parts */
    TRIAL_FACTOR = 8,    /* it ends when C is entered once in fewer parks than that */
    CALM_RESTS = 32,     /* idle so often, one sample */
    CALM_MAX = 2,        /* attention is that many times half as frequent in a calm */
    LONELY_PARKS = 64,   /* with nothing else ready and nobody else awake: solo again */
    SPARE_PARKS = RT_STRESS_SHARE
                      ? 2
                      : 16, /* a batch for whoever comes is made that often, when there is none */
    WANTED_PARKS = 64,      /* parks at which work is looked for, for one who has none */
    BATCH_MAX = 32,         /* processes that move at once */
    WAKES_FEW = 16,         /* wake-ups that tell nothing */
    WAKE_NS = 40000         /* what a wake-up must be worth, on average */
};

/* The pause after a trial that has failed; one that lasted TRIAL_LONG has not. */
#define TRIAL_PAUSE_NS     INT64_C(10000000)
#define TRIAL_PAUSE_MAX_NS INT64_C(1000000000)
#define TRIAL_LONG_NS      INT64_C(50000000)

/* A deferred branch that is for others, and that nobody has taken for so long, is started. */
#define KEPT_BRANCH_NS INT64_C(20000000)

/* Append a chain of ready processes to the worker's own. */
void sharing_adopt(Worker *worker, Process *chain);
/* The same with what comes out of a deque. */
void sharing_adopt_batch(Worker *worker, void *batch);
/* Shared: a process is about to run, the first time if it is a branch that has been deferred; is
 * there more, and somebody who has nothing to do? */
void sharing_offer(Worker *worker, bool is_branch);
/* Shared: once in many parks, is that right? */
void sharing_review(Worker *worker);
/* Shared, nothing is ready here: look elsewhere; sleep; back with something ready, or solo. */
void sharing_find(Worker *worker);
/* From any thread: the process is ready, whoever runs it. */
void sharing_post(Process *process);
/* Whoever waits in the kernel looks at the inbox and at what is outside. */
void sharing_ring(void);
/* What was made ready by threads that are no workers. */
void sharing_take_inbox(Worker *worker);
/* At attention: batches must not wait for ever; is being solo, or not, still right? */
void sharing_attend(Worker *worker);
/* A process computes, and another is ready: no calm, whatever the samples said. */
void sharing_stir(const Worker *worker);
/* It computes alone: a sample would keep it from plain operations for long. */
void sharing_forget(Worker *worker);
/* MODE_SAMPLE: a process has parked. */
void sharing_sample(Worker *worker);
/* Two processes have met on this worker: MODE_SAMPLE sees which belong together. */
static inline void sharing_meet(const Worker *worker, const Process *one, const Process *other) {
    if ((atomic_get_relaxed(&worker->mode) & MODE_SAMPLE) != 0) {
        parts_meet(&rt_root.parts, one, other);
    }
}
/* Solo: time the next parks. */
void sharing_begin_sample(Worker *worker);
/* The same after the worker was idle: what comes now may be much. In a calm, seldom: who is idle
 * again and again would be timed all the time. */
void sharing_resume(Worker *worker);

#endif
