/* thread -- the threads of the workers.
 *
 * Owns:   how many workers there are, their threads, the CPU each runs on, waking one and sleeping.
 * Leaves: when to, to sharing.c; the word that says who sleeps to activity.h.
 * Holds:  a thread is started when its worker is first woken. The token of a worker is set once for
 *         each time its bit is cleared by somebody else, and taken once. */
#ifndef RT_THREAD_H
#define RT_THREAD_H

#include "worker.h"

/* How many: OCC_WORKERS, else as many as CPUs may be used; one under a seed or in virtual time. */
unsigned thread_count(void);
/* Wake one that sleeps, to search, if that is of use: after work has been published. */
void thread_wake_one(void);
/* The caller sleeps until it is woken. */
void thread_sleep(Worker *worker);
/* Run on a CPU of its own from now on, if there are enough. */
void thread_pin(Worker *worker);

#endif
