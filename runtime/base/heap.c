/* heap -- a four-way heap in an array. See heap.h. */
#include "heap.h"

#include <stdlib.h>
#include <string.h>

enum { HEAP_WAYS = 4, HEAP_FIRST_CAPACITY = 64, CACHE_LINE = 64, ENTRIES_BEFORE = 3 };

static void entry_place(Heap *heap, size_t index, HeapEntry entry) {
    heap->entries[index] = entry;
    uint32_t *position = heap_entry_position(&entry);
    if (rt_unlikely(position != NULL)) {
        *position = (uint32_t)(index + 1);
    }
}

/* Move the entry towards the root until its parent is not after it. */
static void sift_up(Heap *heap, size_t index, HeapEntry entry) {
    while (index > 0) {
        size_t parent = (index - 1) / HEAP_WAYS;
        if (heap->entries[parent].key <= entry.key) {
            break;
        }
        entry_place(heap, index, heap->entries[parent]);
        index = parent;
    }
    entry_place(heap, index, entry);
}

/* The smallest of four, without unpredictable branches. */
static size_t smallest_of_four(const HeapEntry *entries, size_t first) {
    size_t a = first + (entries[first + 1].key < entries[first].key);
    size_t b = first + 2 + (entries[first + 3].key < entries[first + 2].key);
    return entries[b].key < entries[a].key ? b : a;
}

/* The children of all four: one of these lines is needed next; which one is known too late. */
static void prefetch_children(const HeapEntry *entries, size_t first) {
    const char *children = (const char *)(entries + (first * HEAP_WAYS + 1));
    for (int i = 0; i < HEAP_WAYS; i++) {
        __builtin_prefetch(children + i * CACHE_LINE);
    }
}

/* Fill the hole at index. The entry for it comes from the end and mostly belongs near there again:
 * so the hole moves all the way down first, then the entry up (Floyd). */
static void fill_hole(Heap *heap, size_t index, HeapEntry entry) {
    size_t child;
    while ((child = index * HEAP_WAYS + 1) + HEAP_WAYS <= heap->count) {
        prefetch_children(heap->entries, child);
        size_t smallest = smallest_of_four(heap->entries, child);
        entry_place(heap, index, heap->entries[smallest]);
        index = smallest;
    }
    if (child < heap->count) {
        size_t smallest = child;
        for (size_t other = child + 1; other < heap->count; other++) {
            smallest = heap->entries[other].key < heap->entries[smallest].key ? other : smallest;
        }
        entry_place(heap, index, heap->entries[smallest]);
        index = smallest;
    }
    sift_up(heap, index, entry);
}

static bool heap_grow(Heap *heap) {
    size_t capacity = heap->capacity == 0 ? HEAP_FIRST_CAPACITY : heap->capacity * 2;
    if (capacity > UINT32_MAX - 1) {
        return false;
    }
    size_t size_bytes = CACHE_LINE + (capacity + ENTRIES_BEFORE) * sizeof(HeapEntry);
    char *memory = malloc(size_bytes);
    if (memory == NULL) {
        return false;
    }
    size_t offset = (CACHE_LINE - (uintptr_t)memory % CACHE_LINE) % CACHE_LINE;
    HeapEntry *entries = (HeapEntry *)(void *)(memory + offset) + ENTRIES_BEFORE;
    if (heap->count > 0) {
        memcpy(entries, heap->entries, heap->count * sizeof *entries);
    }
    free(heap->memory);
    heap->memory = memory;
    heap->entries = entries;
    heap->capacity = capacity;
    return true;
}

bool heap_reserve(Heap *heap, size_t count) {
    while (heap->capacity < count) {
        if (!heap_grow(heap)) {
            return false;
        }
    }
    return true;
}

static bool insert(Heap *heap, HeapEntry entry) {
    if (heap->count == heap->capacity && !heap_grow(heap)) {
        return false;
    }
    sift_up(heap, heap->count++, entry);
    return true;
}

bool heap_insert(Heap *heap, int64_t key, void *owner) {
    return insert(heap, (HeapEntry){key, (uintptr_t)owner});
}

bool heap_insert_placed(Heap *heap, int64_t key, uint32_t *position) {
    return insert(heap, (HeapEntry){key, (uintptr_t)position + 1});
}

void heap_remove(Heap *heap, uint32_t position) {
    rt_check(position > 0 && position <= heap->count);
    size_t index = position - 1;
    uint32_t *word = heap_entry_position(&heap->entries[index]);
    if (word != NULL) {
        *word = 0;
    }
    HeapEntry last = heap->entries[--heap->count];
    if (index < heap->count) {
        fill_hole(heap, index, last);
    }
}

HeapEntry heap_take_first(Heap *heap) {
    rt_check(heap->count > 0);
    HeapEntry first = heap->entries[0];
    heap_remove(heap, 1);
    return first;
}

static int compare_keys(const void *a, const void *b) {
    int64_t left = ((const HeapEntry *)a)->key;
    int64_t right = ((const HeapEntry *)b)->key;
    return (left > right) - (left < right);
}

void heap_sort(Heap *heap) {
    if (heap->count > 0) {
        qsort(heap->entries, heap->count, sizeof *heap->entries, compare_keys);
    }
    for (size_t i = 0; i < heap->count; i++) {
        entry_place(heap, i, heap->entries[i]);
    }
}

void heap_free(Heap *heap) {
    free(heap->memory);
    *heap = (Heap){0};
}

void heap_check(const Heap *heap) {
    for (size_t i = 0; i < heap->count; i++) {
        const HeapEntry *entry = &heap->entries[i];
        const uint32_t *position = heap_entry_position(entry);
        rt_check(i == 0 || heap->entries[(i - 1) / HEAP_WAYS].key <= entry->key);
        rt_check(position == NULL || *position == i + 1);
    }
}
