/* sharing -- batches, searching, solo on and off. See sharing.h. */
#include "sharing.h"

#include "base/stress.h"
#include "bias.h"
#include "crew.h"
#include "deferred.h"
#include "grain.h"
#include "os/os.h"
#include "runqueue.h"
#include "world.h"

/* ---- batches ---- */

void sharing_adopt(Worker *worker, Process *chain) {
    while (chain != NULL) {
        Process *next = chain->next;
        runqueue_append(worker, chain);
        chain = next;
    }
}

void sharing_adopt_batch(Worker *worker, void *batch) {
    sharing_adopt(worker, batch_first(batch));
}

void sharing_take_inbox(Worker *worker) {
    if (atomic_get_acquire(&rt_root.inbox) == NULL) {
        return;
    }
    Process *newest = atomic_swap(&rt_root.inbox, NULL);
    Process *oldest = NULL;
    while (newest != NULL) {
        Process *before = newest->next;
        newest->next = oldest;
        oldest = newest;
        newest = before;
    }
    sharing_adopt(worker, oldest);
}

void sharing_post(Process *process) {
    Process *newest = atomic_get_relaxed(&rt_root.inbox);
    do {
        process->next = newest;
    } while (!atomic_cas(&rt_root.inbox, &newest, process));
    atomic_fence_seq();
    world_ask_attention();
    sharing_ring();
}

void sharing_ring(void) {
    if (rt_root.bell >= 0) {
        os_bell_ring(rt_root.bell);
    }
}

/* The front half of those that are ready, at most BATCH_MAX, becomes a batch of the deque; not one
 * that prefers this worker, nor what is behind it. */
static bool split(Worker *worker) {
    size_t count = 0;
    for (const Process *at = worker->head; at != NULL && count < 2 * BATCH_MAX; at = at->next) {
        count++;
    }
    if (count == 0 || priority_prefers(worker->head, worker->number)) {
        return false;
    }
    Process *first = worker->head;
    Process *last = first;
    for (size_t i = 1; i < (count + 1) / 2 && !priority_prefers(last->next, worker->number); i++) {
        last = last->next;
    }
    Process *rest = last->next;
    last->next = NULL;
    if (!deque_push(&worker->batches, first)) {
        last->next = rest;
        return false;
    }
    worker->head = rest;
    return true;
}

/* The oldest branch that has not been started, with all that it will start. */
static bool give_branch(Worker *worker) {
    Process *branch = deferred_take_oldest(worker);
    if (branch == NULL) {
        return false;
    }
    branch->next = NULL;
    if (!deque_push(&worker->batches, branch_batch(branch))) {
        deferred_put_back(worker, branch);
        return false;
    }
    return true;
}

/* Ready batches are made in good time: a worker that recurses is seldom here. */
static bool give(Worker *worker, bool is_wanted) {
    if (give_branch(worker)) {
        return true;
    }
    bool makes_spare = worker->grain.parks % SPARE_PARKS == 0;
    return (is_wanted || makes_spare) && split(worker);
}

/* ---- searching ---- */

static bool steal_from(Worker *worker, Worker *victim) {
    void *batch;
    DequeSteal result;
    do {
        result = deque_steal(&victim->batches, &batch);
    } while (result == DEQUE_LOST);
    if (result == DEQUE_EMPTY) {
        return false;
    }
    if (batch_is_branch(batch) && deque_is_empty(&victim->batches)) {
        mode_set(victim, MODE_WANTED); /* the next one, before somebody has nothing to do */
    }
    sharing_adopt_batch(worker, batch);
    return true;
}

static bool look_everywhere(Worker *worker) {
    sharing_take_inbox(worker);
    if (worker->head != NULL) {
        return true;
    }
    unsigned start = random_below(&worker->random, rt_root.worker_count);
    for (unsigned i = 0; i < rt_root.worker_count; i++) {
        unsigned number = (start + i) % rt_root.worker_count;
        Worker *victim = atomic_get_acquire(&rt_root.workers[number]);
        if (victim != NULL && victim != worker && steal_from(worker, victim)) {
            return true;
        }
    }
    return false;
}

static bool is_there_anything(void) {
    if (atomic_get_acquire(&rt_root.inbox) != NULL) {
        return true;
    }
    for (unsigned i = 0; i < rt_root.worker_count; i++) {
        const Worker *victim = atomic_get_acquire(&rt_root.workers[i]);
        if (victim != NULL && !deque_is_empty(&victim->batches)) {
            return true;
        }
    }
    return false;
}

/* The next one waits longer each time that one has failed. */
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
    trial->calm = 0;
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
static void grain_begin(Worker *worker, int64_t now_ns) {
    atomic_set_relaxed(&worker->grain.is_fine, false);
    count_again(worker, now_ns);
    worker->grain.lonely = 0;
    worker->grain.tries = 0;
}

/* A branch that nobody has taken waits on, as the oldest. */
static void take_back(Worker *worker, void *batch) {
    if (batch_is_branch(batch)) {
        deferred_put_back(worker, batch_first(batch));
    } else {
        sharing_adopt_batch(worker, batch);
    }
}

static void become_solo(Worker *worker) {
    void *batch;
    end_trial(&rt_root.trial);
    mode_clear(worker, MODE_SHARED | MODE_WANTED);
    worker->spell = ++rt_root.spells;
    while ((batch = deque_take(&worker->batches)) != NULL) {
        take_back(worker, batch);
    }
    grain_begin(worker, 0);
}

/* Those that are woken for what this worker has are soon back asleep. */
static bool gives_crumbs(const Worker *worker) {
    const Grain *grain = &worker->grain;
    return grain->wakes >= WAKES_FEW && !RT_STRESS_SHARE &&
           os_thread_cpu_ns() - grain->began_ns < WAKE_NS * (int64_t)grain->wakes;
}

void sharing_offer(Worker *worker, bool is_branch) {
    worker->grain.parks += !is_branch;
    bool has_some = !deque_is_empty(&worker->batches);
    bool is_alone = !worker_has_work(worker) && !has_some;
    if (is_alone && ++worker->grain.lonely >= LONELY_PARKS) {
        worker->grain.lonely = 0;
        if (!RT_STRESS_SHARE && activity_enter_solo(&rt_root.activity, worker->number)) {
            become_solo(worker);
            return;
        }
    }
    bool is_wanted = activity_wants_work(&rt_root.activity);
    has_some = has_some || give(worker, is_wanted);
    if (is_wanted && has_some) {
        worker->grain.lonely = 0;
        if (gives_crumbs(worker) && activity_enter_solo(&rt_root.activity, worker->number)) {
            become_solo(worker);
            return;
        }
        worker->grain.wakes++;
        crew_wake_one();
    }
    if (!is_wanted || has_some || ++worker->grain.tries >= WANTED_PARKS) {
        worker->grain.tries = 0;
        if ((atomic_get_relaxed(&worker->mode) & MODE_WANTED) != 0) {
            mode_clear(worker, MODE_WANTED);
        }
    }
    if (RT_STRESS_SHARE && random_below(&worker->luck, 4) != 0) {
        mode_set(worker, MODE_WANTED); /* the next park comes here too */
    }
}

/* Those who run processes by plain operations do not see that somebody has nothing to do. */
static void ask_for_work(void) {
    for (unsigned i = 0; i < rt_root.worker_count; i++) {
        Worker *other = atomic_get_acquire(&rt_root.workers[i]);
        if (other != NULL && !activity_is_asleep(&rt_root.activity, i)) {
            mode_set(other, MODE_WANTED);
        }
    }
}

/* Asleep by the word: look once more, then sleep. Back as the searcher. */
static void sleep_until_woken(Worker *worker, bool looks_again) {
    if (looks_again && is_there_anything() && activity_get_up(&rt_root.activity, worker->number)) {
        worker->is_searcher = true;
        return;
    }
    crew_sleep(worker);
    worker->is_searcher = true;
}

static void end_search(Worker *worker) {
    worker->is_searcher = false;
    activity_end_search(&rt_root.activity);
    if (is_there_anything()) { /* published while this worker counted as the one who looks */
        crew_wake_one();
    }
}

/* True: there is something, or the worker is solo. */
static bool search_or_sleep(Worker *worker) {
    bool retires = worker->retires;
    worker->retires = false;
    if (!worker->is_searcher && !retires) {
        worker->is_searcher = activity_begin_search(&rt_root.activity);
    }
    if (worker->is_searcher && look_everywhere(worker)) {
        end_search(worker);
        return true;
    }
    if (!bias_rest(worker)) {
        bias_serve(worker);
        return worker->head != NULL;
    }
    bool was_searcher = worker->is_searcher;
    worker->is_searcher = false;
    if (!activity_sleep(&rt_root.activity, worker->number, was_searcher)) {
        bias_rise(worker);
        become_solo(worker);
        return true;
    }
    ask_for_work();
    int64_t since_ns = os_clock_ns();
    sleep_until_woken(worker, !retires);
    bias_rise(worker);
    if (retires || os_clock_ns() - since_ns >= GRAIN_OLD_NS) {
        grain_begin(worker, os_thread_cpu_ns());
    }
    worker->grain.wakes = 0; /* it has waited for others: they may do more than crumbs */
    return false;
}

void sharing_find(Worker *worker) {
    while (!search_or_sleep(worker)) {
    }
    if (worker->is_searcher) { /* an operation was done for somebody else */
        end_search(worker);
    }
}

/* ---- solo or not ---- */

/* At most TRIAL_READY. */
static int count_ready(const Worker *worker) {
    int ready = 0;
    for (const Process *at = worker->head; at != NULL && ready < TRIAL_READY; at = at->next) {
        ready++;
    }
    return ready;
}

/* Processes that belong together stand together in the queue: whoever takes its front half has the
 * most of a part. */
static void group_by_part(Worker *worker) {
    int count = 0;
    for (const Process *at = worker->head; at != NULL && count <= GROUP_MAX; at = at->next) {
        count++;
    }
    if (count > GROUP_MAX) {
        return;
    }
    Process *left = worker->head;
    worker->head = NULL;
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

/* The program goes back below back_ns between two entries into C. */
static void leave_solo(Worker *worker, int64_t back_ns, bool is_coarse) {
    atomic_set_relaxed(&rt_root.trial.is_coarse, is_coarse);
    atomic_set_relaxed(&rt_root.trial.back_ns, back_ns);
    rt_root.trial.left_ns = os_clock_ns();
    mode_clear(worker, MODE_SAMPLE);
    mode_set(worker, worker_mark(worker));
    grain_begin(worker, os_thread_cpu_ns());
    group_by_part(worker);
    crew_pin(worker);
    activity_leave_solo(&rt_root.activity);
    sharing_offer(worker, false);
}

void sharing_begin_sample(Worker *worker) {
    if (rt_root.worker_count > 1 && worker_is_solo(worker)) {
        grain_begin(worker, os_thread_cpu_ns());
        parts_begin(&rt_root.parts);
        mode_set(worker, MODE_SAMPLE);
    }
}

static void be_calm(void) {
    rt_root.trial.calm += rt_root.trial.calm < CALM_MAX;
}

static void end_sample(Worker *worker) {
    be_calm();
    mode_clear(worker, MODE_SAMPLE);
}

/* A sample that was not over before: there was little to do. */
void sharing_resume(Worker *worker) {
    if ((atomic_get_relaxed(&worker->mode) & MODE_SAMPLE) != 0) {
        end_sample(worker);
    }
    bool is_calm = rt_root.trial.calm == CALM_MAX;
    if (!is_calm || ++rt_root.trial.rests % CALM_RESTS == 0) {
        sharing_begin_sample(worker);
    }
}

static bool is_power_of_two(uint32_t number) {
    return (number & (number - 1)) == 0;
}

static void leave_for_trial(Worker *worker, int64_t busy_ns) {
    int64_t back_ns = TRIAL_FACTOR * busy_ns / worker->grain.parks;
    leave_solo(worker, back_ns > GRAIN_BACK_NS ? back_ns : GRAIN_BACK_NS, false);
}

/* Several are ready that communicate: the sample goes on until it has seen enough of them. */
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

/* Processes of a fine grain: is it worth while to try how they do on several workers? */
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

void sharing_sample(Worker *worker) {
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
        leave_solo(worker, GRAIN_BACK_NS, true);
    } else {
        consider_trial(worker, busy_ns);
    }
}

void sharing_stir(const Worker *worker) {
    if (worker_is_solo(worker) && worker_has_work(worker)) {
        rt_root.trial.calm = 0;
    }
}

void sharing_forget(Worker *worker) {
    if (worker_is_solo(worker)) {
        end_sample(worker);
    }
}

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

/* Everything that is ready here goes to the inbox, for whoever stays. */
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
        become_solo(worker);
    }
}

/* A branch that waits to be taken is in nobody's list, and the processes here may never come to it
 * (deferred.h): in the end it is ready like any other. */
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

void sharing_review(Worker *worker) {
    if (worker->grain.parks >= REVIEW_PARKS) {
        review(worker);
    }
}

void sharing_attend(Worker *worker) {
    if (rt_root.worker_count == 1) {
        return;
    }
    if (!worker_is_solo(worker)) {
        attend_shared(worker);
    } else if ((atomic_get_relaxed(&worker->mode) & MODE_SAMPLE) == 0 && worker_has_work(worker)) {
        sharing_begin_sample(worker);
    }
}
