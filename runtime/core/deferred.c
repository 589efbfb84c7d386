/* deferred -- the stack with two ends, and who is kept waiting. See deferred.h. */
#include "deferred.h"

#include "alarm.h"
#include "os.h"
#include "process.h"
#include "runqueue.h"

enum {
    DEFERRED_FEW = 64,        /* started in a slice: fewer means starved */
    DEFERRED_OFF_SLICES = 32, /* without deferring */
    DEFERRED_OLD_SLICES = 32  /* after which nobody is deferred any longer */
};

/* Of processor time: a worker that does not run itself starves nobody. */
#define DEFERRED_SLICE_NS INT64_C(5000000)

/* Take the second half of the list, reversed; of one entry that entry. */
static Process *split_half(Process **list) {
    Process **middle = list;
    for (const Process *at = *list; at != NULL && at->next != NULL; at = at->next->next) {
        middle = &(*middle)->next;
    }
    Process *rest = *middle;
    *middle = NULL;
    return process_turned(rest);
}

Process *deferred_take_newest(Worker *worker) {
    if (worker->deferred == NULL && worker->older != NULL) {
        worker->deferred = split_half(&worker->older);
    }
    Process *branch = worker->deferred;
    if (branch != NULL) {
        worker->deferred = branch->next;
        worker->deferred_taken++;
    }
    return branch;
}

Process *deferred_take_branch(Worker *worker, const Join *join) {
    if (worker->deferred == NULL && worker->older != NULL) {
        worker->deferred = split_half(&worker->older);
    }
    bool is_mine = worker->deferred != NULL && worker->deferred->join == join;
    return is_mine ? deferred_take_newest(worker) : NULL;
}

Process *deferred_take_oldest(Worker *worker) {
    if (worker->older == NULL && worker->deferred != NULL) {
        worker->older = split_half(&worker->deferred);
    }
    Process *branch = worker->older;
    if (branch != NULL) {
        worker->older = branch->next;
    }
    return branch;
}

void deferred_put_back(Worker *worker, Process *branch) {
    branch->next = worker->older;
    worker->older = branch;
}

void deferred_start_all(Worker *worker) {
    Process *branch;
    while ((branch = deferred_take_oldest(worker)) != NULL) {
        runqueue_append(worker, branch);
    }
}

/* Branches wait for others that keep the worker busy, or for a recursion that never takes them. */
static void start_kept(Worker *worker) {
    bool is_starved = worker->deferred_taken < DEFERRED_FEW;
    worker->deferred_taken = 0;
    worker->deferred_slices++;
    if (worker->deferred_off > 0) {
        worker->deferred_off--;
    } else if (is_starved && worker->has_starved) {
        worker->deferred_off = DEFERRED_OFF_SLICES;
    }
    worker->has_starved = is_starved;
    if (is_starved || worker->deferred_slices >= DEFERRED_OLD_SLICES) {
        worker->deferred_slices = 0;
        deferred_start_all(worker);
    }
}

void deferred_review_exactly(Worker *worker) {
    bool has_rung = alarm_at_us() == 0;
    if (!has_rung) {
        return;
    }
    bool is_kept = !deferred_is_empty(worker) && worker->head != NULL;
    bool is_starved = is_kept && worker->deferred_taken == 0;
    if (is_starved && worker->has_starved) {
        deferred_start_all(worker);
    }
    worker->deferred_taken = 0;
    worker->has_starved = is_starved;
}

void deferred_review(Worker *worker) {
    if (deferred_is_empty(worker)) {
        worker->deferred_taken = 0;
        worker->deferred_slices = 0;
        worker->has_starved = false;
        worker->deferred_off -= worker->deferred_off > 0;
        return;
    }
    int64_t now_ns = os_thread_cpu_ns();
    if (now_ns - worker->deferred_since_ns >= DEFERRED_SLICE_NS || RT_STRESS_ATTENTION) {
        worker->deferred_since_ns = now_ns;
        start_kept(worker);
    }
}
