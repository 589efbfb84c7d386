/* deadline_queue -- a heap of sleepers. See deadline_queue.h. */
#include "deadline_queue.h"

bool deadline_queue_add_process(DeadlineQueue *queue, Ticks due, Process *process) {
    return heap_insert(&queue->heap, due.us, process, NULL);
}

bool deadline_queue_add_alt(DeadlineQueue *queue, Ticks due, Alt *alt) {
    rt_check(alt->deadline_position == 0);
    return heap_insert(&queue->heap, due.us, alt, &alt->deadline_position);
}

void deadline_queue_remove_alt(DeadlineQueue *queue, Alt *alt) {
    if (alt->deadline_position != 0) {
        rt_assert(queue->heap.entries[alt->deadline_position - 1].owner == alt);
        heap_remove(&queue->heap, alt->deadline_position);
    }
}

Ticks deadline_queue_first(const DeadlineQueue *queue) {
    const HeapEntry *first = heap_first(&queue->heap);
    rt_check(first != NULL);
    return (Ticks){first->key};
}

Process *deadline_queue_take_due(DeadlineQueue *queue, Ticks now) {
    const HeapEntry *first = heap_first(&queue->heap);
    while (first != NULL && ticks_reached(now, (Ticks){first->key})) {
        HeapEntry entry = heap_take_first(&queue->heap);
        if (entry.position == NULL) {
            return entry.owner;
        }
        Alt *alt = entry.owner;
        if (rt_alt_claim(alt, NULL)) {
            return alt->process;
        }
        first = heap_first(&queue->heap); /* a channel has won it already */
    }
    return NULL;
}

void deadline_queue_free(DeadlineQueue *queue) {
    heap_free(&queue->heap);
}

void deadline_queue_check(const DeadlineQueue *queue) {
    heap_check(&queue->heap);
    for (size_t i = 0; i < queue->heap.count; i++) {
        const HeapEntry *entry = &queue->heap.entries[i];
        rt_check(entry->position == NULL ||
                 entry->position == &((Alt *)entry->owner)->deadline_position);
    }
}
