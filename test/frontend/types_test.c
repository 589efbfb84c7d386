/* types -- equality, what a formal accepts, sizes and layout, names for messages. */
#include "types.h"

#include <assert.h>
#include <string.h>

static const Type *primitive(TypeKind kind) {
    return type_primitive(kind);
}

static void test_types__equality(void) {
    Arena *arena = arena_create();
    const Type *ints = type_array(arena, primitive(TYPE_INT), 3);
    assert(type_equal(ints, type_array(arena, primitive(TYPE_INT), 3)));
    assert(!type_equal(ints, type_array(arena, primitive(TYPE_INT), 4)));
    assert(!type_equal(ints, type_array(arena, primitive(TYPE_INT32), 3)));
    assert(!type_equal(primitive(TYPE_INT), primitive(TYPE_INT32)));
    const Type *channel = type_channel(arena, ints, DIRECTION_INPUT);
    assert(type_equal(channel, type_channel(arena, ints, DIRECTION_NONE)));
    Type first = {.kind = TYPE_NAMED, .underlying = primitive(TYPE_INT)};
    Type second = first;
    assert(type_equal(&first, &first) && !type_equal(&first, &second));
    assert(type_base(&first) == primitive(TYPE_INT) && type_is_integer(&first));
    assert(type_equal(primitive(TYPE_ERROR), ints) && type_is_error(primitive(TYPE_ERROR)));
    arena_destroy(arena);
}

static void test_types__open_dimensions(void) {
    Arena *arena = arena_create();
    const Type *row = type_array(arena, primitive(TYPE_BYTE), 5);
    const Type *formal = type_array(arena, row, ARRAY_OPEN);
    const Type *actual = type_array(arena, row, 7);
    assert(type_accepts(formal, actual) && !type_accepts(actual, formal));
    assert(type_matches(actual, formal) && type_has_open_dimension(formal));
    assert(type_equal(type_with_counts(arena, formal, actual), actual));
    assert(type_rank(actual) == 2 && type_leaf(actual) == primitive(TYPE_BYTE));
    assert(type_element(actual, 1) == row);
    arena_destroy(arena);
}

static void test_types__sizes(void) {
    Arena *arena = arena_create();
    assert(type_size(primitive(TYPE_INT)) == 4 && type_size(primitive(TYPE_BOOL)) == 1);
    assert(type_size(primitive(TYPE_REAL64)) == 8 && type_align(primitive(TYPE_REAL64)) == 4);
    const Type *grid = type_array(arena, type_array(arena, primitive(TYPE_INT16), 10), 20);
    assert(type_size(grid) == 400 && type_align(grid) == 2);
    const Type *huge = grid;
    for (int i = 0; i < 5; i++) {
        huge = type_array(arena, huge, INT32_MAX);
    }
    assert(type_size(huge) > (uint64_t)1 << 60);
    arena_destroy(arena);
}

static void test_types__record_layout(void) {
    TypeField fields[] = {{.type = primitive(TYPE_BYTE)},
                          {.type = primitive(TYPE_REAL64)},
                          {.type = primitive(TYPE_INT16)}};
    Type record = {.kind = TYPE_RECORD};
    record.record.fields = fields;
    record.record.field_count = 3;
    type_lay_out(&record);
    assert(fields[1].offset == 4 && fields[2].offset == 12 && record.record.size_bytes == 16);
    record.record.is_packed = true;
    type_lay_out(&record);
    assert(fields[1].offset == 1 && fields[2].offset == 9 && record.record.size_bytes == 11);
    assert(type_align(&record) == 1);
}

static void test_types__names(void) {
    Arena *arena = arena_create();
    const Type *open = type_array(arena, primitive(TYPE_BYTE), ARRAY_OPEN);
    assert(strcmp(type_name(arena, type_array(arena, open, 3)), "[3][]BYTE") == 0);
    Type counted = {.kind = TYPE_COUNTED};
    counted.counted.count = primitive(TYPE_INT16);
    counted.counted.element = primitive(TYPE_REAL32);
    const Type *channel = type_channel(arena, &counted, DIRECTION_OUTPUT);
    assert(strcmp(type_name(arena, channel), "CHAN INT16::[]REAL32") == 0);
    arena_destroy(arena);
}

static void test_types__shared_ends(void) {
    Arena *arena = arena_create();
    Type shared = {.kind = TYPE_CHANNEL};
    shared.channel.protocol = primitive(TYPE_INT);
    shared.channel.is_shared_input = shared.channel.is_shared_output = true;
    const Type *end = type_channel_end(arena, &shared, DIRECTION_OUTPUT);
    assert(end->channel.is_shared_output && !end->channel.is_shared_input);
    assert(!type_equal(end, type_claimed(arena, end)));
    const Type *plain = type_channel(arena, primitive(TYPE_INT), DIRECTION_NONE);
    assert(type_equal(type_claimed(arena, end), plain));
    assert(type_channel_end(arena, plain, DIRECTION_INPUT) == plain);
    arena_destroy(arena);
}

int main(void) {
    test_types__equality();
    test_types__open_dimensions();
    test_types__sizes();
    test_types__record_layout();
    test_types__names();
    test_types__shared_ends();
    return 0;
}
