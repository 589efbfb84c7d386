/* deadline_queue -- the processes that wait for a time.
 *
 * Owns:   the order of deadlines; equal ones in order of arrival.
 * Leaves: the time to time_source.h, waking to scheduler.c, waiting to timer.c and alt.c.
 * Holds:  a plain sleeper is in the queue once and leaves it only when due. An ALT with timer
 *         guards is in it once, for the nearest; Alt.deadline_position says where, 0 when it is
 *         not. It may be won by a channel first and is removed when its process is resumed. */
#ifndef RT_DEADLINE_QUEUE_H
#define RT_DEADLINE_QUEUE_H

#include "base/heap.h"
#include "layout.h"
#include "time_source.h"

typedef struct DeadlineQueue {
    Heap heap; /* owner of an entry: a Process; with a position word: an Alt */
} DeadlineQueue;

/* False when there is no memory. */
bool deadline_queue_add_process(DeadlineQueue *queue, Ticks due, Process *process);
bool deadline_queue_add_alt(DeadlineQueue *queue, Ticks due, Alt *alt);
void deadline_queue_remove_alt(DeadlineQueue *queue, Alt *alt);

static inline bool deadline_queue_is_empty(const DeadlineQueue *queue) {
    return queue->heap.count == 0;
}

/* pre: not empty. */
Ticks deadline_queue_first(const DeadlineQueue *queue);
/* Take one that is due: a process to make ready (its ALT, if any, is claimed for the timer), or
 * NULL when none is due. */
Process *deadline_queue_take_due(DeadlineQueue *queue, Ticks now);
void deadline_queue_free(DeadlineQueue *queue);
void deadline_queue_check(const DeadlineQueue *queue);

#endif
