/* heap -- a four-way heap in an array. See heap.h. */
#include "heap.h"

#include <stdlib.h>

enum { HEAP_WAYS = 4, HEAP_FIRST_CAPACITY = 64 };

static bool entry_is_before(const HeapEntry *a, const HeapEntry *b) {
    return a->key != b->key ? a->key < b->key : a->arrival < b->arrival;
}

static void entry_place(Heap *heap, size_t index, HeapEntry entry) {
    heap->entries[index] = entry;
    if (entry.position != NULL) {
        *entry.position = (uint32_t)(index + 1);
    }
}

/* Move the entry towards the root until its parent is before it. */
static void sift_up(Heap *heap, size_t index, HeapEntry entry) {
    while (index > 0) {
        size_t parent = (index - 1) / HEAP_WAYS;
        if (!entry_is_before(&entry, &heap->entries[parent])) {
            break;
        }
        entry_place(heap, index, heap->entries[parent]);
        index = parent;
    }
    entry_place(heap, index, entry);
}

static size_t smallest_child(const Heap *heap, size_t index) {
    size_t first = index * HEAP_WAYS + 1;
    size_t end = first + HEAP_WAYS < heap->count ? first + HEAP_WAYS : heap->count;
    size_t smallest = first;
    for (size_t child = first + 1; child < end; child++) {
        if (entry_is_before(&heap->entries[child], &heap->entries[smallest])) {
            smallest = child;
        }
    }
    return smallest;
}

static void sift_down(Heap *heap, size_t index, HeapEntry entry) {
    while (index * HEAP_WAYS + 1 < heap->count) {
        size_t child = smallest_child(heap, index);
        if (!entry_is_before(&heap->entries[child], &entry)) {
            break;
        }
        entry_place(heap, index, heap->entries[child]);
        index = child;
    }
    entry_place(heap, index, entry);
}

static bool heap_grow(Heap *heap) {
    size_t capacity = heap->capacity == 0 ? HEAP_FIRST_CAPACITY : heap->capacity * 2;
    if (capacity > UINT32_MAX - 1) {
        return false;
    }
    HeapEntry *entries = realloc(heap->entries, capacity * sizeof *entries);
    if (entries == NULL) {
        return false;
    }
    heap->entries = entries;
    heap->capacity = capacity;
    return true;
}

bool heap_insert(Heap *heap, int64_t key, void *owner, uint32_t *position) {
    if (heap->count == heap->capacity && !heap_grow(heap)) {
        return false;
    }
    HeapEntry entry = {key, heap->arrivals++, owner, position};
    sift_up(heap, heap->count++, entry);
    return true;
}

const HeapEntry *heap_first(const Heap *heap) {
    return heap->count > 0 ? &heap->entries[0] : NULL;
}

void heap_remove(Heap *heap, uint32_t position) {
    rt_check(position > 0 && position <= heap->count);
    size_t index = position - 1;
    if (heap->entries[index].position != NULL) {
        *heap->entries[index].position = 0;
    }
    HeapEntry last = heap->entries[--heap->count];
    if (index == heap->count) {
        return;
    }
    if (index > 0 && entry_is_before(&last, &heap->entries[(index - 1) / HEAP_WAYS])) {
        sift_up(heap, index, last);
    } else {
        sift_down(heap, index, last);
    }
}

HeapEntry heap_take_first(Heap *heap) {
    rt_check(heap->count > 0);
    HeapEntry first = heap->entries[0];
    heap_remove(heap, 1);
    return first;
}

void heap_free(Heap *heap) {
    free(heap->entries);
    *heap = (Heap){0};
}

void heap_check(const Heap *heap) {
    for (size_t i = 0; i < heap->count; i++) {
        const HeapEntry *entry = &heap->entries[i];
        rt_check(i == 0 || !entry_is_before(entry, &heap->entries[(i - 1) / HEAP_WAYS]));
        rt_check(entry->position == NULL || *entry->position == i + 1);
    }
}
