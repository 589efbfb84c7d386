/* runqueue -- the processes that are ready, first come first served; but see runqueue_order.
 *
 * Owns:   head and tail of a worker, and next of those that stand between: no other file of C
 *         changes them. Compiled code and switch.S inline appending and taking.
 * Leaves: when to run which to scheduler.c, batches to sharing.c. All others make a process ready
 *         by rt_scheduler_ready: only scheduler/ and deferred.c include this file.
 * Holds:  a process in the queue has a saved context (sp not 0) and is nowhere else. Only the
 *         worker itself touches its queue. */
#ifndef RT_RUNQUEUE_H
#define RT_RUNQUEUE_H

#include "worker.h"

static inline void runqueue_append(Worker *worker, Process *process) {
    process->next = NULL;
    process->worker = worker;
    if (worker->head != NULL) {
        worker->tail->next = process;
    } else {
        worker->head = process;
    }
    worker->tail = process;
}

/* A chain of processes that this worker has parked, linked in order: at least one. */
static inline void runqueue_append_chain(Worker *worker, Process *first, Process *last) {
    if (worker->head != NULL) {
        worker->tail->next = first;
    } else {
        worker->head = first;
    }
    worker->tail = last;
}

static inline bool goes_before(const Process *one, const Process *other) {
    unsigned level = priority_level(one);
    unsigned other_level = priority_level(other);
    return level < other_level || (level == other_level && one->join == other->join);
}

/* Insert a branch of a PRI PAR behind its earlier branches, before the first less urgent
 * process. */
static inline void runqueue_insert(Worker *worker, Process *process) {
    Process **link = &worker->head;
    while (*link != NULL && goes_before(*link, process)) {
        link = &(*link)->next;
    }
    process->worker = worker;
    process->next = *link;
    *link = process;
    if (process->next == NULL) {
        worker->tail = process;
    }
}

/* Take out the processes from the first to this one: they are in no queue then. */
static inline void runqueue_cut(Worker *worker, Process *last) {
    worker->head = last->next;
    last->next = NULL;
}

/* Put those back in front of the others. */
static inline void runqueue_put_back(Worker *worker, Process *first, Process *last) {
    if (worker->head == NULL) {
        worker->tail = last;
    }
    last->next = worker->head;
    worker->head = first;
}

/* Take all, linked by next. */
static inline Process *runqueue_take_all(Worker *worker) {
    Process *first = worker->head;
    worker->head = NULL;
    return first;
}

static inline Process *runqueue_take(Worker *worker) {
    Process *first = worker->head;
    if (first != NULL) {
        worker->head = first->next;
    }
    return first;
}

/* Sort by urgency, most urgent first; otherwise the order stays. */
static inline void runqueue_order(Worker *worker) {
    Process *first[PRIORITY_LEVELS];
    Process *last[PRIORITY_LEVELS];
    uint32_t levels = 0; /* a bit for each that is not empty */
    for (Process *at = worker->head; at != NULL; at = at->next) {
        unsigned level = priority_level(at);
        if ((levels >> level & 1) == 0) {
            levels |= UINT32_C(1) << level;
            first[level] = at;
        } else {
            last[level]->next = at;
        }
        last[level] = at;
    }
    Process **link = &worker->head;
    for (; levels != 0; levels &= levels - 1) {
        int level = __builtin_ctz(levels);
        *link = first[level];
        link = &last[level]->next;
        worker->tail = last[level];
    }
    *link = NULL;
}

/* Check the invariants (rt_check). */
static inline void runqueue_check(const Worker *worker) {
    const Process *last = NULL;
    for (const Process *process = worker->head; process != NULL; process = process->next) {
        rt_check(process->sp != NULL);
        last = process;
    }
    rt_check(worker->head == NULL || worker->tail == last);
}

#endif
