/* text -- equal spelling is an equal pointer, also when the table has grown. */
#include "text.h"

#include <assert.h>
#include <string.h>

static void test_text__equal_spelling_is_one_text(void) {
    Arena *arena = arena_create();
    TextTable *table = text_table_create(arena);
    const Text *first = text_intern_string(table, "out.string");
    assert(first == text_intern(table, "out.string ", 10));
    assert(first != text_intern_string(table, "out.strinG"));
    assert(first->length == 10 && first->bytes[10] == '\0');
    assert(text_intern(table, "a\0b", 3) != text_intern(table, "a\0c", 3));
    assert(text_intern(table, "", 0) == text_intern_string(table, ""));
    arena_destroy(arena);
}

static void test_text__survives_growth(void) {
    Arena *arena = arena_create();
    TextTable *table = text_table_create(arena);
    const Text *texts[5000];
    for (int i = 0; i < 5000; i++) {
        texts[i] = text_intern_string(table, arena_format(arena, "name.%d", i));
    }
    for (int i = 0; i < 5000; i++) {
        assert(texts[i] == text_intern_string(table, arena_format(arena, "name.%d", i)));
    }
    arena_destroy(arena);
}

static void test_string_builder__appends(void) {
    Arena *arena = arena_create();
    StringBuilder builder = {.arena = arena};
    for (int i = 0; i < 100; i++) {
        string_append(&builder, "ab", 2);
        string_append_format(&builder, "%d", 7);
    }
    assert(builder.length == 300 && strlen(builder.bytes) == 300);
    assert(memcmp(builder.bytes + 297, "ab7", 4) == 0);
    arena_destroy(arena);
}

int main(void) {
    test_text__equal_spelling_is_one_text();
    test_text__survives_growth();
    test_string_builder__appends();
    return 0;
}
