/* standstill -- all workers stand still for a report, and go on after it.
 *
 * Owns:   asking every worker to stand, waiting until it does, letting go.
 * Leaves: when a report is wanted to interrupt.c, what it reads to deadlock_graph.h.
 * Holds:  a worker that stands is between two processes, in a yield, in a C function of the
 *         program, or held by a signal in compiled code: then `runs` or `held_sp` says which
 *         process it runs. It holds no lock and is in the middle of nothing, and serves no
 *         requests: `rests` is set (ownership.h), but for one that is in C or held. A worker that
 *         sleeps stands; one that wakes up looks here before it looks for work. So while all stand
 *         every process is running, ready or parked, and its words say which.
 *
 * A process that never looks whether attention is asked for (preemption.c) has no such point. After
 * a while its worker is asked by a signal, and held once it has run for HELD_AFTER_NS since then:
 * with attention asked for, compiled code does nothing by itself to a queue or a channel but
 * starting branches, whose `wait` is NULL until they park for the first time. */
#ifndef RT_STANDSTILL_H
#define RT_STANDSTILL_H

#include "worker.h"

/* True: all stand, until standstill_end. False: somebody did not come; all go on. The caller holds
 * no lock and has no operation under way. */
bool standstill_begin(Worker *worker);
/* The same for something that can wait: false also where that takes longer, or somebody else is at
 * it. */
bool standstill_begin_soon(Worker *worker, int64_t within_ns);
void standstill_end(Worker *worker);
/* A point at which the worker can stand: it does as long as somebody wants it. */
void standstill_rest(Worker *worker);
/* Around a function of C that the process calls on its worker. */
void standstill_allow(Worker *worker, Process *process);
void standstill_forbid(Worker *worker);
/* In a signal handler of the worker's thread, which was interrupted at sp: */
void standstill_hold(Worker *worker, const void *sp);
/* All stand, this worker held where it was interrupted. False: not yet, or never. */
bool standstill_begin_held(Worker *worker, const void *sp);
void standstill_end_held(Worker *worker);

#endif
