/* deadline_queue -- a heap of sleepers. See deadline_queue.h. */
#include "deadline_queue.h"

static const int64_t SPAN_US = INT64_C(1) << (62 - SEQUENCE_BITS);
static const uint32_t SEQUENCE_LIMIT = UINT32_C(1) << SEQUENCE_BITS;

/* ---- keys ---- */

static void move_base(DeadlineQueue *queue, int64_t base_us) {
    int64_t distance = base_us - queue->base_us;
    for (size_t i = 0; i < queue->heap.count; i++) {
        queue->heap.entries[i].key -= distance * SEQUENCE_LIMIT;
    }
    queue->base_us = base_us;
}

/* Count arrivals from 0 again for each deadline, in the order they have. */
static void renumber(DeadlineQueue *queue) {
    Heap *heap = &queue->heap;
    heap_sort(heap);
    int64_t deadline = 0;
    uint32_t next = 0;
    queue->sequence = 0;
    for (size_t i = 0; i < heap->count; i++) {
        int64_t own = heap->entries[i].key >> SEQUENCE_BITS;
        next = i == 0 || own != deadline ? 0 : next + 1;
        deadline = own;
        heap->entries[i].key = own * SEQUENCE_LIMIT + next;
        queue->sequence = next >= queue->sequence ? next + 1 : queue->sequence;
    }
    rt_check(queue->sequence < SEQUENCE_LIMIT);
}

static int64_t key_of(DeadlineQueue *queue, Ticks due) {
    if (queue->heap.count == 0) {
        queue->base_us = due.us;
        queue->sequence = 0;
    } else if (due.us - queue->base_us >= SPAN_US) {
        move_base(queue, deadline_queue_first(queue).us);
    } else if (queue->sequence == SEQUENCE_LIMIT) {
        renumber(queue);
    }
    return (due.us - queue->base_us) * SEQUENCE_LIMIT + queue->sequence++;
}

/* ---- the interface ---- */

bool deadline_queue_add_process(DeadlineQueue *queue, Ticks due, Process *process) {
    return heap_insert(&queue->heap, key_of(queue, due), process);
}

bool deadline_queue_add_alt(DeadlineQueue *queue, Ticks due, Alt *alt) {
    rt_check(alt->deadline_position == 0);
    return heap_insert_placed(&queue->heap, key_of(queue, due), &alt->deadline_position);
}

void deadline_queue_remove_alt(DeadlineQueue *queue, Alt *alt) {
    if (alt->deadline_position != 0) {
        heap_remove(&queue->heap, alt->deadline_position);
    }
}

static Alt *alt_of(uint32_t *position) {
    return (Alt *)(void *)((char *)position - offsetof(Alt, deadline_position));
}

Process *deadline_queue_take_due(DeadlineQueue *queue, Ticks now) {
    while (queue->heap.count > 0 && ticks_reached(now, deadline_queue_first(queue))) {
        HeapEntry entry = heap_take_first(&queue->heap);
        uint32_t *position = heap_entry_position(&entry);
        if (position == NULL) {
            return heap_entry_owner(&entry);
        }
        Alt *alt = alt_of(position);
        if (rt_alt_claim(alt, NULL)) {
            return alt->process;
        }
        /* else a channel has won it already: it is awake */
    }
    return NULL;
}

void deadline_queue_free(DeadlineQueue *queue) {
    heap_free(&queue->heap);
}

void deadline_queue_check(const DeadlineQueue *queue) {
    heap_check(&queue->heap);
    for (size_t i = 0; i < queue->heap.count; i++) {
        uint32_t *position = heap_entry_position(&queue->heap.entries[i]);
        rt_check(position == NULL || alt_of(position)->process != NULL);
    }
}
