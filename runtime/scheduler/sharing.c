/* sharing -- batches, searching, falling asleep. See sharing.h. */
#include "sharing.h"

#include "deferred.h"
#include "grain.h"
#include "os.h"
#include "ownership.h"
#include "process.h"
#include "runqueue.h"
#include "solo.h"
#include "standstill.h"
#include "stress.h"
#include "thread.h"
#include "world.h"

/* ---- batches ---- */

/* Append a chain of ready processes to the worker's own. */
static void adopt(Worker *worker, Process *chain) {
    while (chain != NULL) {
        Process *next = chain->next;
        runqueue_append(worker, chain);
        chain = next;
    }
}

void sharing_adopt_batch(Worker *worker, void *batch) {
    adopt(worker, batch_first(batch));
}

void sharing_take_inbox(Worker *worker) {
    if (atomic_get_acquire(&rt_root.inbox) == NULL) {
        return;
    }
    adopt(worker, process_turned(atomic_swap(&rt_root.inbox, NULL)));
}

/* Does a worker wait in the kernel, or is it about to? It looks at the inbox once more before. */
static bool somebody_waits_outside(void) {
    for (unsigned i = 0; i < rt_root.worker_count; i++) {
        const Worker *worker = atomic_get_acquire(&rt_root.workers[i]);
        if (worker != NULL && atomic_get_relaxed(&worker->is_idle) != 0) {
            return true;
        }
    }
    return false;
}

void sharing_post(Process *process) {
    if (sharing_put(process)) {
        sharing_ring();
    }
}

bool sharing_put(Process *process) {
    Process *newest = atomic_get_relaxed(&rt_root.inbox);
    do {
        process->next = newest;
    } while (!atomic_cas(&rt_root.inbox, &newest, process));
    atomic_fence_seq();
    world_ask_attention();
    return somebody_waits_outside();
}

void sharing_ring(void) {
    if (rt_root.bell >= 0) {
        os_bell_ring(rt_root.bell);
    }
}

/* Make a batch of the front half of the ready processes, BATCH_MAX at most; it ends before a
 * process that prefers this worker. */
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
    runqueue_cut(worker, last);
    if (!deque_push(&worker->batches, first)) {
        runqueue_put_back(worker, first, last);
        return false;
    }
    return true;
}

/* Give away the oldest deferred branch, with all that it will start. */
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

/* Batches are made ahead of need: a worker that recurses is seldom here. */
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
        mode_set(victim, MODE_WANTED); /* it gives the next one away before somebody needs it */
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

/* Woken workers soon sleep again: what this worker has is too little for them. */
static bool gives_too_little(const Worker *worker) {
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
            solo_begin(worker);
            return;
        }
    }
    bool is_wanted = activity_wants_work(&rt_root.activity);
    has_some = has_some || give(worker, is_wanted);
    if (is_wanted && has_some) {
        worker->grain.lonely = 0;
        if (gives_too_little(worker) && activity_enter_solo(&rt_root.activity, worker->number)) {
            solo_begin(worker);
            return;
        }
        worker->grain.wakes++;
        thread_wake_one();
    }
    if (!is_wanted || has_some || ++worker->grain.tries >= WANTED_PARKS) {
        worker->grain.tries = 0;
        if ((atomic_get_relaxed(&worker->mode) & MODE_WANTED) != 0) {
            mode_clear(worker, MODE_WANTED);
        }
    }
    if (RT_STRESS_SHARE && random_below(&worker->owner_random, 4) != 0) {
        mode_set(worker, MODE_WANTED); /* the next park comes here too */
    }
}

/* A worker that only uses plain operations does not notice that another has no work. */
static void ask_for_work(void) {
    for (unsigned i = 0; i < rt_root.worker_count; i++) {
        Worker *other = atomic_get_acquire(&rt_root.workers[i]);
        if (other != NULL && !activity_is_asleep(&rt_root.activity, i)) {
            mode_set(other, MODE_WANTED);
        }
    }
}

/* Marked asleep: look once more, then sleep. Returns as the searcher. */
static void sleep_until_woken(Worker *worker, bool looks_again) {
    if (looks_again && is_there_anything() && activity_get_up(&rt_root.activity, worker->number)) {
        worker->is_searcher = true;
        return;
    }
    thread_sleep(worker);
    worker->is_searcher = true;
}

static void end_search(Worker *worker) {
    worker->is_searcher = false;
    activity_end_search(&rt_root.activity);
    if (is_there_anything()) { /* published while this worker counted as the searcher */
        thread_wake_one();
    }
}

/* True: there is something, or the worker is solo. */
static bool search_or_sleep(Worker *worker) {
    standstill_rest(worker);
    if (worker->head != NULL) {
        return true; /* a request for its channels has been served meanwhile */
    }
    bool retires = worker->retires;
    worker->retires = false;
    if (!worker->is_searcher && !retires) {
        worker->is_searcher = activity_begin_search(&rt_root.activity);
    }
    if (worker->is_searcher && look_everywhere(worker)) {
        end_search(worker);
        return true;
    }
    if (!ownership_rest(worker)) {
        ownership_serve(worker);
        return worker->head != NULL;
    }
    bool was_searcher = worker->is_searcher;
    worker->is_searcher = false;
    if (!activity_sleep(&rt_root.activity, worker->number, was_searcher)) {
        ownership_rise(worker);
        solo_begin(worker);
        return true;
    }
    ask_for_work();
    int64_t since_ns = os_clock_ns();
    sleep_until_woken(worker, !retires);
    ownership_rise(worker);
    if (retires || os_clock_ns() - since_ns >= GRAIN_OLD_NS) {
        solo_grain_begin(worker, os_thread_cpu_ns());
    }
    worker->grain.wakes = 0; /* after this wait they may be worth more */
    return false;
}

void sharing_find(Worker *worker) {
    while (!search_or_sleep(worker)) {
    }
    if (worker->is_searcher) { /* an operation was done for another worker */
        end_search(worker);
    }
}
