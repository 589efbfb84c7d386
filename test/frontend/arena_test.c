/* arena -- memory is zero and aligned, whatever the sizes asked for. */
#include "arena.h"
#include "array.h"

#include <assert.h>
#include <stdint.h>

static void test_arena__gives_zeroed_aligned_memory(void) {
    Arena *arena = arena_create();
    for (size_t size = 0; size < 3000; size += 7) {
        unsigned char *bytes = arena_allocate(arena, size);
        assert((uintptr_t)bytes % 16 == 0);
        for (size_t i = 0; i < size; i++) {
            assert(bytes[i] == 0);
            bytes[i] = 0xFF;
        }
    }
    unsigned char *large = arena_allocate(arena, 3 << 20);
    assert(large[0] == 0 && large[(3 << 20) - 1] == 0);
    arena_destroy(arena);
}

/* Under AddressSanitizer: what is left behind is told, and so is what is freed twice. */
static void test_arena__ends_with_the_one_it_is_within(void) {
    Arena *outer = arena_create();
    Arena *kept = arena_create_within(outer);
    Arena *short_lived = arena_create_within(outer);
    Arena *innermost = arena_create_within(short_lived);
    int *number = arena_new(kept, int);
    arena_allocate(innermost, 100);
    arena_destroy(short_lived);
    *number = 7;
    assert(*number == 7);
    arena_destroy(outer);
}

static void test_array__keeps_what_was_pushed(void) {
    Arena *arena = arena_create();
    ARRAY_OF(int) numbers = {0};
    for (int i = 0; i < 1000; i++) {
        array_push(arena, &numbers, i);
    }
    assert(numbers.count == 1000);
    for (int i = 0; i < 1000; i++) {
        assert(numbers.items[i] == i);
    }
    arena_destroy(arena);
}

int main(void) {
    test_arena__gives_zeroed_aligned_memory();
    test_arena__ends_with_the_one_it_is_within();
    test_array__keeps_what_was_pushed();
    return 0;
}
