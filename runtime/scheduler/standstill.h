/* standstill -- all workers stand still for a report, and go on after it.
 *
 * Owns:   asking every worker to stand, waiting until it does, letting go.
 * Leaves: when a report is wanted to interrupt.c, what it reads to deadlock_graph.h.
 * Holds:  a worker stands between two processes, in a yield, in a C function of the program, or
 *         held by a signal in compiled code: then `runs` or `held_sp` says which process it runs.
 *         It holds no lock, is in the middle of no operation, and serves no requests: `rests` is
 *         set (ownership.h), unless it is in C or held. A sleeping worker stands; when it wakes up
 *         it looks here before it looks for work. So while all stand, every process is running,
 *         ready or parked, and its words say which.
 *
 * A process that never checks for attention (preemption.c) has no such point. After a while its
 * worker gets signals, and is held once it has run for HELD_AFTER_NS since the first: with
 * attention asked for, compiled code changes no queue or channel by itself, except that it starts
 * branches, whose `wait` is NULL until they first park. */
#ifndef RT_STANDSTILL_H
#define RT_STANDSTILL_H

#include "worker.h"

/* True: all stand, until standstill_end. False: a worker did not come; all go on. The caller holds
 * no lock and has no operation under way. */
bool standstill_begin(Worker *worker);
/* The same for a report that can wait: also false if it takes longer than within_ns, or another
 * worker asks. */
bool standstill_begin_soon(Worker *worker, int64_t within_ns);
void standstill_end(Worker *worker);
/* A point at which the worker can stand: it stands as long as that is wanted. */
void standstill_rest(Worker *worker);
/* Around a C function of the program that the process calls on its worker. */
void standstill_allow(Worker *worker, Process *process);
void standstill_forbid(Worker *worker);
/* In a signal handler on the worker's thread, which was interrupted at sp. */
void standstill_hold(Worker *worker, const void *sp);
/* All stand, this worker held where it was interrupted. False: not yet, or never. */
bool standstill_begin_held(Worker *worker, const void *sp);
void standstill_end_held(Worker *worker);

#endif
