/* solo -- is one worker active, or several?
 *
 * Owns:   entering and leaving solo, samples, trials; what a worker does at attention when several
 *         are active.
 * Leaves: the limits of the grain to grain.h, parts to parts.h, the word of who sleeps to
 *         activity.h, moving work to sharing.h.
 * Holds:  (decision 0006) a worker is solo only when all others sleep; it hands over what is ready
 *         before it falls asleep itself.
 *
 * A program whose processes run only briefly between two parks may be faster on one worker, where
 * every operation is plain. So the grain is measured now and then (MODE_SAMPLE), and the program
 * leaves solo when the grain is GRAIN_OUT_NS or more and somebody is ready. With a finer grain, a
 * trial is made if ready processes belong to parts that do not communicate with each other
 * (parts.h; the sample is then longer); a single network would only lose. Either each part gathers
 * on a worker, which then owns its channels (ownership.h); or most operations go to C. If a worker
 * enters C more often than TRIAL_FACTOR allows, the program goes back to solo, and the next trial
 * waits twice as long. */
#ifndef RT_SOLO_H
#define RT_SOLO_H

#include "worker.h"

enum {
    REVIEW_PARKS = 4096, /* shared: parks between two reviews, besides each attention */
    TRIAL_PARTS = 2,     /* ready processes, of separate parts, that are worth a trial */
    TRIAL_READY = 8,     /* ready processes that may be worth one before parts are known */
    TRIAL_PARKS = 1024,  /* parks that show which processes belong together */
    GROUP_MAX = 64,      /* ready processes that are grouped by parts */
    TRIAL_FACTOR = 8,    /* a trial ends when C is entered once in fewer parks than that */
    FINE_RESTS = 32,     /* times idle for one sample */
    FINE_SAMPLES_MAX = 2 /* times that attention is made half as frequent after fine samples */
};

/* The pause after a failed trial; one that lasted TRIAL_LONG has succeeded. */
#define TRIAL_PAUSE_NS     INT64_C(10000000)
#define TRIAL_PAUSE_MAX_NS INT64_C(1000000000)
#define TRIAL_LONG_NS      INT64_C(50000000)

/* A deferred branch kept for other workers is started after so long. */
#define KEPT_BRANCH_NS INT64_C(20000000)

/* All others have been marked asleep: batches of this worker are its own again. */
void solo_begin(Worker *worker);
/* Several are active: forget what was counted of the grain. */
void solo_grain_begin(Worker *worker, int64_t now_ns);
/* Shared, once in many parks: is that still right? */
void solo_review(Worker *worker);
/* At attention: batches must not wait for ever; is solo, or shared, still right? */
void solo_attend(Worker *worker);
/* A process computes, and another is ready: forget earlier fine samples. */
void solo_note_computing(const Worker *worker);
/* A process computes alone: no sample, which would keep it from plain operations for long. */
void solo_forget(Worker *worker);
/* MODE_SAMPLE: a process has parked. */
void solo_sample(Worker *worker);
/* Two processes have met on this worker: MODE_SAMPLE notes that they belong together. */
static inline void solo_meet(const Worker *worker, const Process *one, const Process *other) {
    if ((atomic_get_relaxed(&worker->mode) & MODE_SAMPLE) != 0) {
        parts_meet(&rt_root.parts, one, other);
    }
}
/* Solo: time the next parks. */
void solo_begin_sample(Worker *worker);
/* The same after the worker was idle: much work may come now. Seldom after fine samples, or a
 * worker that is often idle would be sampled all the time. */
void solo_resume(Worker *worker);

#endif
