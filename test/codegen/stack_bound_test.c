/* stack_bound -- the deepest call chain, and what is said when there is none. */
#include "stack_bound.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static StackBounds *bounds_of(Arena *arena, const char *text) {
    StackTable *table = stack_table_create(arena, 0, 0);
    const char *whole = arena_format(arena, "occ-stack 1 1 19\n%s", text);
    assert(!stack_table_decode(table, whole, strlen(whole)));
    return stack_bounds_create(arena, table);
}

static uint64_t bound_of(StackBounds *bounds, const char *name) {
    uint64_t bytes = 0;
    const char *fault = stack_bound(bounds, name, &bytes);
    if (fault) {
        puts(fault);
        assert(0);
    }
    return bytes;
}

static void test_stack_bound__adds_frames_and_return_addresses(Arena *arena) {
    StackBounds *bounds = bounds_of(arena, "f 24 p a\nc b\nc c\nf 40 p b\nc c\nf 100 - c\n");
    assert(bound_of(bounds, "c") == 100);
    assert(bound_of(bounds, "b") == 40 + 8 + 100);
    assert(bound_of(bounds, "a") == 24 + 8 + 40 + 8 + 100);
}

static void test_stack_bound__gives_up_the_frame_at_a_tail_jump(Arena *arena) {
    StackBounds *bounds = bounds_of(arena, "f 24 p a\nt b\nf 16 p b\nt __x86_return_thunk\n");
    assert(bound_of(bounds, "b") == 16);
    assert(bound_of(bounds, "a") == 24);
}

static void test_stack_bound__takes_routines_of_the_runtime_from_their_tables(Arena *arena) {
    StackBounds *bounds = bounds_of(arena, "f 8 p a\nc occ_switch\nc occ_block_allocate\n");
    assert(bound_of(bounds, "a") == 8 + 8 + 16); /* 16: abi.def, block_allocate */
}

static void test_stack_bound__names_the_path_to_an_unknown_routine(Arena *arena) {
    StackBounds *bounds = bounds_of(arena, "f 8 p a\nc b\nf 8 p b\nc printf\n");
    uint64_t bytes;
    const char *fault = stack_bound(bounds, "a", &bytes);
    assert(fault && strstr(fault, "'a' calls 'b' calls 'printf'"));
}

static void test_stack_bound__names_a_cycle(Arena *arena) {
    StackBounds *bounds = bounds_of(arena, "f 8 p a\nc b\nf 8 p b\nc c\nf 8 p c\nc b\n");
    uint64_t bytes;
    const char *fault = stack_bound(bounds, "a", &bytes);
    assert(fault && strstr(fault, "'b' calls 'c' calls 'b'") && !strstr(fault, "'a'"));
    bounds = bounds_of(arena, "f 8 p a\nt a\n");
    assert(stack_bound(bounds, "a", &bytes));
}

static void test_stack_bound__follows_a_long_chain(Arena *arena) {
    enum { LENGTH = 200000 };
    StackTable *table = stack_table_create(arena, 1, 19);
    for (int i = 0; i < LENGTH; i++) {
        StackEntry *entry = stack_table_add(table, arena_format(arena, "f%d", i), 8, true);
        StackCallee callee = {arena_format(arena, "f%d", i + 1), false};
        array_push(arena, &entry->callees, callee);
    }
    stack_table_add(table, arena_format(arena, "f%d", LENGTH), 8, true);
    assert(bound_of(stack_bounds_create(arena, table), "f0") == 8 + (uint64_t)LENGTH * 16);
}

int main(void) {
    Arena *arena = arena_create();
    test_stack_bound__adds_frames_and_return_addresses(arena);
    test_stack_bound__gives_up_the_frame_at_a_tail_jump(arena);
    test_stack_bound__takes_routines_of_the_runtime_from_their_tables(arena);
    test_stack_bound__names_the_path_to_an_unknown_routine(arena);
    test_stack_bound__names_a_cycle(arena);
    test_stack_bound__follows_a_long_chain(arena);
    arena_destroy(arena);
    return 0;
}
