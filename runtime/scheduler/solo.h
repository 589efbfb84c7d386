/* solo -- is one worker active, or several?
 *
 * Owns:   entering and leaving solo, samples, trials; what a worker does at attention when
 *         several are active.
 * Leaves: the limits of the grain to grain.h, parts to parts.h, the word of who sleeps to
 *         activity.h, moving work to sharing.h.
 * Holds:  (decision 0006) a worker is solo only when all others sleep; it hands over what is ready
 *         before it retires.
 *
 * A program whose processes run only for a moment between two parks may be faster on one worker:
 * then every operation is plain. So the grain is measured now and then (MODE_SAMPLE), and the
 * program leaves solo when the grain is GRAIN_OUT_NS or more and somebody is ready. When processes
 * are ready that belong to parts which have nothing to do with each other (parts.h; the sample is
 * longer then), it is tried all the same; one net would only lose. Each part gathers on a worker
 * and its channels become that worker's (ownership.h), or they do not, and most operations come to
 * C: then every active worker enters it more often than TRIAL_FACTOR says, the program goes back,
 * and the next trial waits twice as long. */
#ifndef RT_SOLO_H
#define RT_SOLO_H

#include "worker.h"

enum {
    REVIEW_PARKS = 4096, /* shared: time to see whether that is right, besides each attention */
    TRIAL_PARTS = 2,     /* ready processes, of parts that do not meet, that are worth a trial */
    TRIAL_READY = 8,     /* so many may be, though the sample has not seen it yet */
    TRIAL_PARKS = 1024,  /* parks that show who belongs together */
    GROUP_MAX = 64,      /* ready processes that are ordered by parts */
    TRIAL_FACTOR = 8,    /* it ends when C is entered once in fewer parks than that */
    FINE_RESTS = 32,     /* idle so often, one sample */
    FINE_SAMPLES_MAX = 2 /* attention is that many times half as frequent after fine samples */
};

/* The pause after a trial that has failed; one that lasted TRIAL_LONG has not. */
#define TRIAL_PAUSE_NS     INT64_C(10000000)
#define TRIAL_PAUSE_MAX_NS INT64_C(1000000000)
#define TRIAL_LONG_NS      INT64_C(50000000)

/* A deferred branch that is for others, and that nobody has taken for so long, is started. */
#define KEPT_BRANCH_NS INT64_C(20000000)

/* All others sleep by the word: what waits in batches is this worker's again. */
void solo_begin(Worker *worker);
/* Several are active: what was counted of the grain no longer tells anything. */
void solo_grain_begin(Worker *worker, int64_t now_ns);
/* Shared: once in many parks, is that right? */
void solo_review(Worker *worker);
/* At attention: batches must not wait for ever; is being solo, or not, still right? */
void solo_attend(Worker *worker);
/* A process computes, and another is ready: fine samples count no more. */
void solo_note_computing(const Worker *worker);
/* It computes alone: a sample would keep it from plain operations for long. */
void solo_forget(Worker *worker);
/* MODE_SAMPLE: a process has parked. */
void solo_sample(Worker *worker);
/* Two processes have met on this worker: MODE_SAMPLE sees which belong together. */
static inline void solo_meet(const Worker *worker, const Process *one, const Process *other) {
    if ((atomic_get_relaxed(&worker->mode) & MODE_SAMPLE) != 0) {
        parts_meet(&rt_root.parts, one, other);
    }
}
/* Solo: time the next parks. */
void solo_begin_sample(Worker *worker);
/* The same after the worker was idle: what comes now may be much. After fine samples, seldom: who
 * is idle again and again would be timed all the time. */
void solo_resume(Worker *worker);

#endif
