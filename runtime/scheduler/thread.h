/* thread -- the threads of the workers.
 *
 * Owns:   the number of workers, their threads, the CPU of each, waking one and sleeping.
 * Leaves: when to do so to sharing.c; the word that says who sleeps to activity.h.
 * Holds:  a thread is started when its worker is first woken. Whoever clears the bit of a sleeping
 *         worker sets its token once; the worker takes it once. */
#ifndef RT_THREAD_H
#define RT_THREAD_H

#include "worker.h"

/* OCC_WORKERS, or the number of usable CPUs; one with a seed or in virtual time. */
unsigned thread_count(void);
/* After work has been published: wake a sleeping worker to search, if that is of use. */
void thread_wake_one(void);
/* The caller sleeps until it is woken. */
void thread_sleep(Worker *worker);
/* Run on one CPU from now on, if there are enough. */
void thread_pin(Worker *worker);

#endif
