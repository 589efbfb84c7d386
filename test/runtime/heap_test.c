/* The priority queue gives entries by key and lets any placed entry be removed. */
#include "heap.h"
#include "random.h"
#include "world.h"

enum { COUNT = 3000 };

static void test_heap__takes_in_order_of_keys(void) {
    Heap heap = {0};
    Random random;
    random_seed(&random, 1);
    static int64_t owners[COUNT];
    for (int i = 0; i < COUNT; i++) {
        owners[i] = random_below(&random, 5000);
        expect(heap_insert(&heap, owners[i], &owners[i]));
    }
    heap_check(&heap);
    int64_t last = -1;
    for (int i = 0; i < COUNT; i++) {
        HeapEntry next = heap_take_first(&heap);
        expect(next.key >= last && *(int64_t *)heap_entry_owner(&next) == next.key);
        expect(heap_entry_position(&next) == NULL);
        last = next.key;
        if (i % 500 == 0) {
            heap_check(&heap);
        }
    }
    expect(heap.count == 0);
    heap_free(&heap);
}

static void test_heap__removes_any_placed_entry(void) {
    for (int count = 1; count <= COUNT; count = count * 3 + 1) {
        Heap heap = {0};
        Random random;
        random_seed(&random, (uint64_t)count);
        static uint32_t positions[COUNT];
        for (int i = 0; i < count; i++) {
            expect(heap_insert_placed(&heap, random_below(&random, 1000), &positions[i]));
        }
        size_t left = (size_t)count;
        for (int i = 0; i < count; i += 3) {
            heap_remove(&heap, positions[i]);
            expect(positions[i] == 0 && heap.count == --left);
            if (i % 99 == 0) {
                heap_check(&heap);
            }
        }
        heap_sort(&heap);
        heap_check(&heap);
        int64_t last = -1;
        while (heap.count > 0) {
            HeapEntry entry = heap_take_first(&heap);
            expect(entry.key >= last && *heap_entry_position(&entry) == 0);
            last = entry.key;
        }
        heap_free(&heap);
    }
}

static void test_heap__keys_of_all_sizes(void) {
    Heap heap = {0};
    int64_t keys[] = {INT64_MAX, 0, INT64_MIN, -1, 1};
    for (int i = 0; i < 5; i++) {
        expect(heap_insert(&heap, keys[i], NULL));
    }
    expect(heap_take_first(&heap).key == INT64_MIN && heap_take_first(&heap).key == -1);
    expect(heap_take_first(&heap).key == 0 && heap_take_first(&heap).key == 1);
    expect(heap_take_first(&heap).key == INT64_MAX && heap.count == 0);
    heap_free(&heap);
}

int main(void) {
    test_heap__takes_in_order_of_keys();
    test_heap__removes_any_placed_entry();
    test_heap__keys_of_all_sizes();
    return 0;
}
