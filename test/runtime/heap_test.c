/* The priority queue gives entries by key, equal keys by arrival, and lets any entry be removed. */
#include "base/heap.h"
#include "base/random.h"
#include "world.h"

enum { COUNT = 2000 };

static void test_heap__takes_in_order_of_key_and_arrival(void) {
    Heap heap = {0};
    Random random;
    random_seed(&random, 1);
    static int owners[COUNT];
    for (int i = 0; i < COUNT; i++) {
        owners[i] = i;
        expect(heap_insert(&heap, random_below(&random, 50), &owners[i], NULL));
    }
    heap_check(&heap);
    HeapEntry last = heap_take_first(&heap);
    while (heap.count > 0) {
        HeapEntry next = heap_take_first(&heap);
        expect(last.key < next.key || (last.key == next.key && last.arrival < next.arrival));
        last = next;
    }
    heap_free(&heap);
}

static void test_heap__removes_any_entry(void) {
    Heap heap = {0};
    Random random;
    random_seed(&random, 2);
    static uint32_t positions[COUNT];
    for (int i = 0; i < COUNT; i++) {
        expect(heap_insert(&heap, random_below(&random, 1000), NULL, &positions[i]));
    }
    for (int i = 0; i < COUNT; i += 3) {
        heap_remove(&heap, positions[i]);
        expect(positions[i] == 0);
        if (i % 100 == 0) {
            heap_check(&heap);
        }
    }
    expect(heap.count == COUNT - (COUNT + 2) / 3);
    int64_t last = -1;
    while (heap.count > 0) {
        HeapEntry entry = heap_take_first(&heap);
        expect(entry.key >= last && *entry.position == 0);
        last = entry.key;
    }
    heap_free(&heap);
}

static void test_heap__keys_of_all_sizes(void) {
    Heap heap = {0};
    int64_t keys[] = {INT64_MAX, 0, INT64_MIN, -1, 1};
    for (int i = 0; i < 5; i++) {
        expect(heap_insert(&heap, keys[i], NULL, NULL));
    }
    expect(heap_first(&heap)->key == INT64_MIN);
    expect(heap_take_first(&heap).key == INT64_MIN && heap_take_first(&heap).key == -1);
    expect(heap_take_first(&heap).key == 0 && heap_take_first(&heap).key == 1);
    expect(heap_take_first(&heap).key == INT64_MAX && heap_first(&heap) == NULL);
    heap_free(&heap);
}

int main(void) {
    test_heap__takes_in_order_of_key_and_arrival();
    test_heap__removes_any_entry();
    test_heap__keys_of_all_sizes();
    return 0;
}
