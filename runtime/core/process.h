/* process -- what C writes into the record of a process.
 *
 * Owns:   every store into wait, data and next of a process that is new or waits.
 * Leaves: ready processes to runqueue.h, free ones to block.c; the same stores in compiled code to
 *         codegen/scheduling/run_queue.c.
 * Holds:  a process says what it waits for before anybody can find it: whoever finds it may make
 *         it ready, and another worker run it, at once. */
#ifndef RT_PROCESS_H
#define RT_PROCESS_H

#include "arch.h"
#include "layout.h"
#include "recorder.h"

/* The block holds a process that begins with `body`: see layout.def for the words of its stack. */
static inline void process_begin(Process *process, void *body, void *environment, Join *join,
                                 int32_t index) {
    void **stack = (void **)(void *)process;
    stack[-1] = body;
    stack[-2] = (void *)(uintptr_t)occ_process_start;
    process->sp = &stack[-3];
    process->data = environment;
    process->join = join;
    process->index = index;
}

/* The process waits for the object (NULL: for nothing that has a record), at that site. */
static inline void process_waits(Process *process, const Site *site, void *object) {
    record_wait(process, object, site);
    process->next = object;
    process->wait = site;
}

/* What the wait is about: the message or its address, an ALT, a registration on a clock, the next
 * in line for a claim. */
static inline void process_carries(Process *process, void *data) {
    process->data = data;
}

/* On a stack of processes that wait for the same: the one below. */
static inline void process_lies_on(Process *process, Process *below) {
    process->next = below;
}

/* Reverse a list linked by next. */
static inline Process *process_turned(Process *first) {
    Process *turned = NULL;
    while (first != NULL) {
        Process *next = first->next;
        first->next = turned;
        turned = first;
        first = next;
    }
    return turned;
}

/* It need not wait any more and runs at once, without the queue. */
static inline void process_resumes(Process *process, Worker *worker) {
    process->worker = worker;
    process->wait = NULL;
}

#endif
