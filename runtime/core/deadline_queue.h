/* deadline_queue -- the processes that wait for a time.
 *
 * Owns:   the order of deadlines; equal ones in order of arrival.
 * Leaves: the time to time_source.h, waking to outside.c, waiting to timer.c and alt.c; those of
 *         many sleepers that are not near to deadline_slots.h.
 * Holds:  the first deadline is in the heap. A plain sleeper is in the queue once and leaves it only
 *         when due. An ALT with timer guards is in it once, for the nearest; Alt.deadline_position
 *         says where, 0 when it is not. It may be won by a channel first and is removed when its
 *         process is resumed.
 *
 * A key of the heap is (deadline - base) << SEQUENCE_BITS | sequence. Deadlines lie within 2^31 us
 * of the time they are added at; base moves when they come near the end of what a key can hold
 * (days), and sequences are given anew when they run out (every 16 million arrivals, or when
 * empty). */
#ifndef RT_DEADLINE_QUEUE_H
#define RT_DEADLINE_QUEUE_H

#include "deadline_slots.h"
#include "heap.h"
#include "layout.h"
#include "time_source.h"

typedef struct DeadlineQueue {
    Heap heap; /* owner of an entry: a Process; with a position word: that of an Alt */
    int64_t base_us;
    uint32_t sequence;
    DeadlineSlots later; /* sleepers, where they are many: all after the first of the heap */
} DeadlineQueue;

/* False when there is no memory. */
bool deadline_queue_add_process(DeadlineQueue *queue, Ticks due, Process *process);
bool deadline_queue_add_alt(DeadlineQueue *queue, Ticks due, Alt *alt);
void deadline_queue_remove_alt(DeadlineQueue *queue, Alt *alt);

static inline bool deadline_queue_is_empty(const DeadlineQueue *queue) {
    return queue->heap.count == 0;
}

static inline size_t deadline_queue_count(const DeadlineQueue *queue) {
    return queue->heap.count + queue->later.count;
}

/* pre: not empty. */
static inline Ticks deadline_queue_first(const DeadlineQueue *queue) {
    return (Ticks){queue->base_us + (queue->heap.entries[0].key >> SEQUENCE_BITS)};
}

/* Take one that is due: a process to make ready (its ALT, if any, is claimed for the timer), or
 * NULL when none is due. */
Process *deadline_queue_take_due(DeadlineQueue *queue, Ticks now);

void deadline_queue_free(DeadlineQueue *queue);
void deadline_queue_check(const DeadlineQueue *queue);

#endif
