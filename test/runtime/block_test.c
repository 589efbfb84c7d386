/* Blocks: alignment, size classes, walking, finding, reuse, spacing, large blocks, paint. */
#define _GNU_SOURCE

#include "block.h"
#include "world.h"

static Process *take(size_t size_bytes) {
    Process *process = block_take(&rt_root.blocks, &rt_root.worker, NULL, size_bytes);
    expect(process != NULL && process->sp == NULL);
    expect((uintptr_t)process % 16 == 8);
    expect(process->entry_return != NULL && process->worker == &rt_root.worker);
    return process;
}

static void give_back(Process *process) {
    block_give_back(&rt_root.blocks, &rt_root.worker, process);
}

static void test_block__every_size_is_found_again(void) {
    expect(rt_begin());
    for (size_t size = 1; size < 6000; size += 7) {
        Process *process = take(size);
        size_t bytes = block_bytes(process);
        expect(bytes >= size && bytes >= BLOCK_MIN_BYTES && bytes % 16 == 0);
        char *low = block_stack_low(process);
        memset(low, 0x11, (size_t)((char *)process - low)); /* it is ours to write */
        process->sp = low;
        expect(block_find(&rt_root.blocks, low) == process);
        expect(block_find(&rt_root.blocks, (char *)process + 63) == process);
        expect(block_find(&rt_root.blocks, low - 1) != process);
        expect(block_find(&rt_root.blocks, (char *)process + 64) != process);
    }
    block_store_check(&rt_root.blocks, &rt_root.worker);
    int local = 0;
    expect(block_find(&rt_root.blocks, &local) == NULL &&
           block_find(&rt_root.blocks, NULL) == NULL);
    worker_end(&rt_root.worker);
}

static size_t count_used(void) {
    BlockCursor cursor = block_first(&rt_root.blocks);
    size_t used = 0;
    for (Process *at = block_next(&cursor); at != NULL; at = block_next(&cursor)) {
        used += at->sp != NULL;
    }
    return used;
}

static void test_block__walk_meets_all_that_are_used(void) {
    enum { COUNT = 3000 };
    static Process *processes[COUNT];
    expect(rt_begin());
    for (int i = 0; i < COUNT; i++) {
        processes[i] = take((size_t)(96 + i % 5 * 1500));
        processes[i]->sp = processes[i];
    }
    expect(count_used() == COUNT);
    for (int i = 0; i < COUNT; i += 2) {
        give_back(processes[i]);
    }
    expect(count_used() == COUNT / 2);
    size_t chunks = rt_root.blocks.chunk_count;
    for (int i = 0; i < COUNT; i += 2) {
        processes[i] = take((size_t)(96 + i % 5 * 1500));
        processes[i]->sp = processes[i];
    }
    expect(rt_root.blocks.chunk_count == chunks); /* given back is taken again */
    block_store_check(&rt_root.blocks, &rt_root.worker);
    worker_end(&rt_root.worker);
}

static void test_block__spacing_is_no_power_of_two(void) {
    expect(rt_begin());
    for (size_t size = 256; size <= 4096; size *= 2) {
        Process *processes[64];
        size_t lines[64] = {0};
        for (int i = 0; i < 64; i++) {
            processes[i] = take(size);
            lines[(uintptr_t)processes[i] / 64 % 64]++;
        }
        for (int i = 0; i < 64; i++) { /* 64 descriptors share no cache set with more than 8 */
            expect(lines[i] <= 8);
        }
    }
    worker_end(&rt_root.worker);
}

static void test_block__small_ones_are_packed(void) {
    expect(rt_begin());
    rt_root.worker_count = 1;
    Process *first = take(112);
    Process *last = first;
    for (int i = 0; i < 500; i++) {
        last = take(112);
    }
    expect((char *)last - (char *)first == 500 * 112);
    worker_end(&rt_root.worker);
}

static Process *take_for(const char *starter, size_t size_bytes) {
    return block_take(&rt_root.blocks, &rt_root.worker, starter, size_bytes);
}

static uintptr_t line_of(const char *byte) {
    return (uintptr_t)byte / 64;
}

/* What one worker writes often must not lie in a line with what another does. */
static void test_block__several_workers_have_lines_apart(void) {
    static const char starters[8];
    expect(rt_begin());
    rt_root.worker_count = 2;
    const char *before = NULL;
    for (int i = 0; i < 8; i++) {
        Process *process = take_for(&starters[i], 112);
        const char *low = block_stack_low(process);
        expect(before == NULL || line_of(low) != line_of(before));
        before = (const char *)process + offsetof(Process, index) - 1; /* the rest is cold */
    }
    Process *last = NULL;
    for (int i = 0; i < 500; i++) {
        last = take_for(starters, 112);
    }
    Process *packed = take_for(starters, 112);
    expect((char *)packed - (char *)last == 112);
    worker_end(&rt_root.worker);
}

static void test_block__paint_finds_the_deepest_byte(void) {
    setenv("OCC_PAINT", "1", 1);
    expect(rt_begin());
    unsetenv("OCC_PAINT");
    Process *process = take(256);
    char *low = block_stack_low(process);
    expect(block_bytes(process) == 256 && process->size_class > SIZE_CLASS_LIMIT);
    low[40] = 1;
    process->sp = low;
    give_back(process);
    expect(rt_root.paint.blocks == 1 && rt_root.paint.overflows == 0);
    expect(rt_root.paint.slack_min == 40 && rt_root.paint.slack_max == 40);
    process = take(256);
    block_stack_low(process)[-1] = 1;
    give_back(process);
    expect(rt_root.paint.blocks == 2 && rt_root.paint.overflows == 1);
    worker_end(&rt_root.worker);
}

int main(void) {
    test_block__every_size_is_found_again();
    test_block__walk_meets_all_that_are_used();
    test_block__spacing_is_no_power_of_two();
    test_block__small_ones_are_packed();
    test_block__several_workers_have_lines_apart();
    test_block__paint_finds_the_deepest_byte();
    return 0;
}
