/* sharing -- batches, searching, solo on and off. See sharing.h. */
#include "sharing.h"

#include "base/stress.h"
#include "crew.h"
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

/* The front half of those that are ready, at most BATCH_MAX, becomes a batch of the deque. */
static bool split(Worker *worker) {
    size_t count = 0;
    for (const Process *at = worker->head; at != NULL && count < 2 * BATCH_MAX; at = at->next) {
        count++;
    }
    if (count == 0) {
        return false;
    }
    Process *first = worker->head;
    Process *last = first;
    for (size_t i = 1; i < (count + 1) / 2; i++) {
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
    sharing_adopt(worker, batch);
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

static void become_solo(Worker *worker) {
    Process *batch;
    mode_clear(worker, MODE_SHARED);
    worker->spell = ++rt_root.spells;
    while ((batch = deque_take(&worker->batches)) != NULL) {
        sharing_adopt(worker, batch);
    }
    worker->grain = (Grain){0};
}

void sharing_offer(Worker *worker) {
    worker->grain.parks++;
    if (worker->head == NULL && ++worker->grain.lonely >= LONELY_PARKS) {
        worker->grain.lonely = 0;
        if (!RT_STRESS_SHARE && activity_enter_solo(&rt_root.activity, worker->number)) {
            become_solo(worker);
            return;
        }
    }
    if (!activity_wants_work(&rt_root.activity)) {
        return;
    }
    if (!deque_is_empty(&worker->batches) || split(worker)) {
        worker->grain.lonely = 0;
        crew_wake_one();
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
    bool was_searcher = worker->is_searcher;
    worker->is_searcher = false;
    if (!activity_sleep(&rt_root.activity, worker->number, was_searcher)) {
        become_solo(worker);
        return true;
    }
    sleep_until_woken(worker, !retires);
    return false;
}

void sharing_find(Worker *worker) {
    while (!search_or_sleep(worker)) {
    }
}

/* ---- solo or not ---- */

static void leave_solo(Worker *worker) {
    mode_clear(worker, MODE_SAMPLE);
    mode_set(worker, MODE_SHARED);
    worker->grain = (Grain){.began_ns = os_thread_cpu_ns()};
    crew_pin(worker);
    activity_leave_solo(&rt_root.activity);
    sharing_offer(worker);
}

void sharing_begin_sample(Worker *worker) {
    if (rt_root.worker_count > 1 && worker_is_solo(worker)) {
        worker->grain = (Grain){.began_ns = os_thread_cpu_ns()};
        mode_set(worker, MODE_SAMPLE);
    }
}

/* Work under the world lock gains nothing from another worker. */
static int64_t grain_limit(const Grain *grain, int64_t limit_ns) {
    bool is_worldly = grain->worlds >= grain->parks / 2;
    return is_worldly ? limit_ns * GRAIN_WORLD_FACTOR : limit_ns;
}

static bool is_power_of_two(uint32_t number) {
    return (number & (number - 1)) == 0;
}

void sharing_sample(Worker *worker) {
    Grain *grain = &worker->grain;
    grain->parks++;
    if (!is_power_of_two(grain->parks)) {
        return;
    }
    int64_t busy_ns = os_thread_cpu_ns() - grain->began_ns;
    bool is_over = grain->parks >= GRAIN_PARKS || busy_ns >= GRAIN_BUSY_NS;
    if (!is_over && !RT_STRESS_SHARE) {
        return;
    }
    bool is_coarse = busy_ns >= grain_limit(grain, GRAIN_OUT_NS) * grain->parks;
    if ((is_coarse || RT_STRESS_SHARE) && worker->head != NULL) {
        leave_solo(worker);
    } else {
        mode_clear(worker, MODE_SAMPLE);
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
    Process *batch;
    while ((batch = deque_take(&worker->batches)) != NULL) {
        sharing_adopt(worker, batch);
    }
    Process *process;
    while ((process = runqueue_take(worker)) != NULL) {
        sharing_post(process);
    }
}

static void measure_grain(Worker *worker) {
    Grain *grain = &worker->grain;
    int64_t now = os_thread_cpu_ns();
    int64_t busy_ns = now - grain->began_ns;
    bool is_fine = grain->parks >= GRAIN_PARKS &&
                   busy_ns < grain_limit(grain, GRAIN_BACK_NS) * grain->parks && !RT_STRESS_SHARE;
    atomic_set_relaxed(&grain->is_fine, is_fine);
    grain->parks = 0;
    grain->worlds = 0;
    grain->began_ns = now;
}

static void attend_shared(Worker *worker) {
    void *oldest;
    measure_grain(worker);
    if (deque_steal(&worker->batches, &oldest) == DEQUE_GOT) {
        sharing_adopt(worker, oldest);
    }
    bool is_fine = all_are_fine();
    if (is_fine && !is_lowest_active(worker)) {
        hand_over(worker);
        worker->retires = true;
        return;
    }
    bool has_more = worker->head != NULL && worker->head->next != NULL;
    if ((is_fine || !has_more) && activity_enter_solo(&rt_root.activity, worker->number)) {
        become_solo(worker);
    }
}

void sharing_attend(Worker *worker) {
    if (rt_root.worker_count == 1) {
        return;
    }
    if (!worker_is_solo(worker)) {
        attend_shared(worker);
    } else if ((atomic_get_relaxed(&worker->mode) & MODE_SAMPLE) == 0) {
        sharing_begin_sample(worker);
    }
}
