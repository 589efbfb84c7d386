/* deadline_queue -- a heap of sleepers. See deadline_queue.h. */
#include "deadline_queue.h"

static const int64_t SPAN_US = INT64_C(1) << (62 - SEQUENCE_BITS);
static const uint32_t SEQUENCE_LIMIT = UINT32_C(1) << SEQUENCE_BITS;

enum { SLOTS_FROM = 1024 }; /* as many as stay in the first cache */

/* ---- those of later slots ---- */

/* The first of all is in the heap. */
static void open_slots(DeadlineQueue *queue) {
    const Heap *heap = &queue->heap;
    DeadlineSlots *later = &queue->later;
    while (later->count > 0 &&
           (heap->count == 0 || deadline_slot(heap->entries[0].key) >= later->first)) {
        deadline_slots_open_first(later, &queue->heap);
    }
}

static void open_all_slots(DeadlineQueue *queue) {
    while (queue->later.count > 0) {
        deadline_slots_open_first(&queue->later, &queue->heap);
    }
}

/* Does a sleeper with this key go to a slot? */
static bool is_for_later(DeadlineQueue *queue, int64_t key) {
    const Heap *heap = &queue->heap;
    if (queue->later.count == 0) {
        if (heap->count < SLOTS_FROM) {
            return false;
        }
        queue->later.first = deadline_slot(heap->entries[0].key) + 1;
    }
    return deadline_slots_have(&queue->later, key);
}

/* ---- keys ---- */

static void move_base(DeadlineQueue *queue, int64_t base_us) {
    open_all_slots(queue);
    int64_t distance = base_us - queue->base_us;
    for (size_t i = 0; i < queue->heap.count; i++) {
        queue->heap.entries[i].key -= distance * SEQUENCE_LIMIT;
    }
    queue->base_us = base_us;
}

/* Count arrivals from 0 again for each deadline, in the order they have. */
static void renumber(DeadlineQueue *queue) {
    Heap *heap = &queue->heap;
    open_all_slots(queue);
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
    int64_t key = key_of(queue, due);
    if (!is_for_later(queue, key)) {
        return heap_insert(&queue->heap, key, process);
    }
    return heap_reserve(&queue->heap, deadline_queue_count(queue) + 1) &&
           deadline_slots_add(&queue->later, key, process);
}

bool deadline_queue_add_alt(DeadlineQueue *queue, Ticks due, Alt *alt) {
    rt_check(alt->deadline_position == 0);
    return heap_insert_placed(&queue->heap, key_of(queue, due), &alt->deadline_position);
}

void deadline_queue_remove_alt(DeadlineQueue *queue, Alt *alt) {
    if (alt->deadline_position != 0) {
        heap_remove(&queue->heap, alt->deadline_position);
        open_slots(queue);
    }
}

static Alt *alt_of(uint32_t *position) {
    return (Alt *)(void *)((char *)position - offsetof(Alt, deadline_position));
}

Process *deadline_queue_take_due(DeadlineQueue *queue, Ticks now) {
    while (queue->heap.count > 0 && ticks_reached(now, deadline_queue_first(queue))) {
        HeapEntry entry = heap_take_first(&queue->heap);
        open_slots(queue);
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
    deadline_slots_free(&queue->later);
}

void deadline_queue_check(const DeadlineQueue *queue) {
    heap_check(&queue->heap);
    deadline_slots_check(&queue->later);
    rt_check(queue->later.count == 0 ||
             deadline_slot(queue->heap.entries[0].key) < queue->later.first);
    for (size_t i = 0; i < queue->heap.count; i++) {
        uint32_t *position = heap_entry_position(&queue->heap.entries[i]);
        rt_check(position == NULL || alt_of(position)->process != NULL);
    }
}
