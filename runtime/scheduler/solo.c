/* solo -- when to be alone, and when several. See solo.h. */
#include "solo.h"

#include "alarm.h"
#include "deferred.h"
#include "grain.h"
#include "os.h"
#include "runqueue.h"
#include "sharing.h"
#include "stress.h"
#include "thread.h"

/* ---- alone ---- */

/* After each failed trial the pause doubles. */
static void put_off_trial(Trial *trial, int64_t now, bool has_failed) {
    int64_t pause_ns = has_failed ? 2 * trial->pause_ns : TRIAL_PAUSE_NS;
    trial->pause_ns = pause_ns < TRIAL_PAUSE_NS       ? TRIAL_PAUSE_NS
                      : pause_ns > TRIAL_PAUSE_MAX_NS ? TRIAL_PAUSE_MAX_NS
                                                      : pause_ns;
    trial->next_ns = now + trial->pause_ns;
}

static void end_trial(Trial *trial) {
    int64_t now = os_clock_ns();
    put_off_trial(trial, now, now - trial->left_ns < TRIAL_LONG_NS);
    trial->fine_samples = 0;
}

static void count_again(Worker *worker, int64_t now_ns) {
    Grain *grain = &worker->grain;
    worker->is_coarse = atomic_get_relaxed(&rt_root.trial.is_coarse);
    grain->began_ns = now_ns;
    grain->parks = 0;
    grain->worlds = 0;
    grain->sleeps = 0;
    grain->ends = 0;
    grain->joins = 0;
    grain->wakes = 0;
}

/* Others read is_fine. */
void solo_grain_begin(Worker *worker, int64_t now_ns) {
    atomic_set_relaxed(&worker->grain.is_fine, false);
    count_again(worker, now_ns);
    worker->grain.lonely = 0;
    worker->grain.tries = 0;
}

/* A branch that nobody has taken is deferred again, as the oldest. */
static void take_back(Worker *worker, void *batch) {
    if (batch_is_branch(batch)) {
        deferred_put_back(worker, batch_first(batch));
    } else {
        sharing_adopt_batch(worker, batch);
    }
}

void solo_begin(Worker *worker) {
    void *batch;
    end_trial(&rt_root.trial);
    mode_clear(worker, MODE_SHARED | MODE_WANTED);
    worker->solo_epoch = ++rt_root.solo_epochs;
    while ((batch = deque_take(&worker->batches)) != NULL) {
        take_back(worker, batch);
    }
    solo_grain_begin(worker, 0);
}

/* ---- alone: would others help? ---- */

/* Counts up to TRIAL_READY. */
static int count_ready(const Worker *worker) {
    int ready = 0;
    for (const Process *at = worker->head; at != NULL && ready < TRIAL_READY; at = at->next) {
        ready++;
    }
    return ready;
}

/* Order the queue by parts: whoever takes its front half then gets mostly whole parts. */
static void group_by_part(Worker *worker) {
    int count = 0;
    for (const Process *at = worker->head; at != NULL && count <= GROUP_MAX; at = at->next) {
        count++;
    }
    if (count > GROUP_MAX) {
        return;
    }
    Process *left = runqueue_take_all(worker);
    while (left != NULL) {
        int part = parts_of(&rt_root.parts, left);
        Process **link = &left;
        while (*link != NULL) {
            Process *process = *link;
            if (parts_of(&rt_root.parts, process) == part) {
                *link = process->next;
                runqueue_append(worker, process);
            } else {
                link = &process->next;
            }
        }
    }
}

/* back_ns: below that time between two entries into C the program goes back to solo. */
static void leave(Worker *worker, int64_t back_ns, bool is_coarse) {
    atomic_set_relaxed(&rt_root.trial.is_coarse, is_coarse);
    atomic_set_relaxed(&rt_root.trial.back_ns, back_ns);
    rt_root.trial.left_ns = os_clock_ns();
    mode_clear(worker, MODE_SAMPLE);
    mode_set(worker, worker_mark(worker));
    solo_grain_begin(worker, os_thread_cpu_ns());
    group_by_part(worker);
    thread_pin(worker);
    activity_leave_solo(&rt_root.activity);
    sharing_offer(worker, false);
}

void solo_begin_sample(Worker *worker) {
    if (rt_root.worker_count > 1) {
        solo_grain_begin(worker, os_thread_cpu_ns());
        parts_begin(&rt_root.parts);
        mode_set(worker, MODE_SAMPLE);
    }
}

static void count_fine_sample(void) {
    rt_root.trial.fine_samples += rt_root.trial.fine_samples < FINE_SAMPLES_MAX;
}

static void end_sample(Worker *worker) {
    count_fine_sample();
    mode_clear(worker, MODE_SAMPLE);
}

/* The sample before was not finished: there was little to do. */
void solo_resume(Worker *worker) {
    if ((atomic_get_relaxed(&worker->mode) & MODE_SAMPLE) != 0) {
        end_sample(worker);
    }
    bool is_fine = rt_root.trial.fine_samples == FINE_SAMPLES_MAX;
    if (!is_fine || ++rt_root.trial.rests % FINE_RESTS == 0) {
        solo_begin_sample(worker);
    }
}

static bool is_power_of_two(uint32_t number) {
    return (number & (number - 1)) == 0;
}

static void leave_for_trial(Worker *worker, int64_t busy_ns) {
    int64_t back_ns = TRIAL_FACTOR * busy_ns / worker->grain.parks;
    leave(worker, back_ns > GRAIN_BACK_NS ? back_ns : GRAIN_BACK_NS, false);
}

/* Several communicating processes are ready: the sample goes on until it has seen enough. */
static void consider_parts(Worker *worker, int64_t busy_ns) {
    bool are_apart = parts_are_apart(&rt_root.parts);
    bool are_many = count_ready(worker) == TRIAL_READY;
    bool is_seen = worker->grain.parks >= TRIAL_PARKS;
    if (are_apart && is_seen) {
        leave_for_trial(worker, busy_ns);
    } else if (is_seen || (!are_apart && !are_many)) {
        if (are_many) {
            put_off_trial(&rt_root.trial, os_clock_ns(), true);
        }
        end_sample(worker);
    }
}

/* Fine-grained processes: is a trial on several workers worth while? */
static void consider_trial(Worker *worker, int64_t busy_ns) {
    const Grain *grain = &worker->grain;
    bool is_time = os_clock_ns() >= rt_root.trial.next_ns;
    bool is_in_world = grain->worlds >= grain->parks / 2;
    bool communicates = grain->ends < grain->parks / 4;
    if (!is_time || is_in_world) {
        end_sample(worker);
    } else if (!deferred_is_empty(worker)) {
        leave_for_trial(worker, busy_ns);
    } else if (communicates && count_ready(worker) >= TRIAL_PARTS) {
        consider_parts(worker, busy_ns);
    } else {
        end_sample(worker);
    }
}

void solo_sample(Worker *worker) {
    Grain *grain = &worker->grain;
    grain->parks++;
    if (!is_power_of_two(grain->parks)) {
        return;
    }
    int64_t busy_ns = os_thread_cpu_ns() - grain->began_ns;
    if (!grain_sample_is_over(grain, busy_ns) && !RT_STRESS_SHARE) {
        return;
    }
    if ((grain_is_coarse(grain, busy_ns) || RT_STRESS_SHARE) && worker_has_work(worker)) {
        leave(worker, GRAIN_BACK_NS, true);
    } else {
        consider_trial(worker, busy_ns);
    }
}

void solo_note_computing(const Worker *worker) {
    if (worker_is_solo(worker) && worker_has_work(worker)) {
        rt_root.trial.fine_samples = 0;
    }
}

void solo_forget(Worker *worker) {
    if (worker_is_solo(worker)) {
        end_sample(worker);
    }
}

/* ---- several: is that right? ---- */

static bool all_are_fine(void) {
    for (unsigned i = 0; i < rt_root.worker_count; i++) {
        const Worker *worker = atomic_get_acquire(&rt_root.workers[i]);
        if (worker != NULL && !activity_is_asleep(&rt_root.activity, i) &&
            !atomic_get_relaxed(&worker->grain.is_fine)) {
            return false;
        }
    }
    return true;
}

static bool is_lowest_active(const Worker *worker) {
    uint64_t active = ~atomic_get_acquire(&rt_root.activity.word) & rt_root.activity.all;
    return (active & (activity_bit(worker->number) - 1)) == 0;
}

/* Everything that is ready here goes to the inbox, for workers that stay active. */
static void hand_over(Worker *worker) {
    void *batch;
    while ((batch = deque_take(&worker->batches)) != NULL) {
        sharing_adopt_batch(worker, batch);
    }
    deferred_start_all(worker);
    Process *process;
    while ((process = runqueue_take(worker)) != NULL) {
        sharing_post(process);
    }
}

static void measure_grain(Worker *worker) {
    Grain *grain = &worker->grain;
    int64_t now = os_thread_cpu_ns();
    int64_t busy_ns = now - grain->began_ns;
    if (!grain_is_measured(grain, busy_ns)) {
        return;
    }
    bool is_fine = grain_is_fine(grain, busy_ns, atomic_get_relaxed(&rt_root.trial.back_ns));
    atomic_set_relaxed(&grain->is_fine, is_fine && !RT_STRESS_SHARE);
    count_again(worker, now);
}

/* Is it right to be several? */
static void review(Worker *worker) {
    measure_grain(worker);
    bool is_fine = all_are_fine();
    if (is_fine && !is_lowest_active(worker)) {
        hand_over(worker);
        worker->retires = true;
        return;
    }
    bool has_more =
        !deferred_is_empty(worker) || (worker->head != NULL && worker->head->next != NULL);
    if ((is_fine || !has_more) && activity_enter_solo(&rt_root.activity, worker->number)) {
        solo_begin(worker);
    }
}

/* A branch that waits to be taken is in no list, and the processes here may never need it
 * (deferred.h): after a while it becomes ready like any other. */
static bool is_kept_for_long(Worker *worker, const Process *branch) {
    int64_t now_ns = os_thread_cpu_ns();
    if (worker->kept != branch) {
        worker->kept = branch;
        worker->kept_ns = now_ns;
    }
    return now_ns - worker->kept_ns >= KEPT_BRANCH_NS;
}

static void attend_shared(Worker *worker) {
    void *oldest;
    if (deque_steal(&worker->batches, &oldest) == DEQUE_GOT) {
        if (batch_is_branch(oldest) && !is_kept_for_long(worker, batch_first(oldest))) {
            deferred_put_back(worker, batch_first(oldest));
        } else {
            sharing_adopt_batch(worker, oldest);
        }
    }
    review(worker);
    if (activity_wants_work(&rt_root.activity)) {
        mode_set(worker, MODE_WANTED);
    }
}

void solo_review(Worker *worker) {
    if (worker->grain.parks >= REVIEW_PARKS) {
        alarm_forget_lost((os_clock_ns() - rt_root.time.origin_ns) / NS_PER_US);
        review(worker);
    }
}

void solo_attend(Worker *worker) {
    if (rt_root.worker_count == 1) {
        return;
    }
    if (!worker_is_solo(worker)) {
        attend_shared(worker);
    } else if ((atomic_get_relaxed(&worker->mode) & MODE_SAMPLE) == 0 && worker_has_work(worker)) {
        solo_begin_sample(worker);
    }
}
