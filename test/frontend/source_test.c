/* source -- lines of a text, with and without a last newline, with CR; joined places. */
#include "source.h"

#include <assert.h>
#include <string.h>

static void expect_line(const SourceMap *map, uint32_t file, uint32_t line, const char *expected) {
    size_t length = 0;
    const char *bytes = source_line(map, file, line, &length);
    assert(length == strlen(expected) && memcmp(bytes, expected, length) == 0);
}

static void test_source__splits_lines(void) {
    Arena *arena = arena_create();
    SourceMap *map = source_map_create(arena);
    const SourceFile *file = source_add_text(map, "a.occ", "one\r\n\nthree", 11);
    assert(file->number == 1 && file->line_count == 3);
    expect_line(map, 1, 1, "one");
    expect_line(map, 1, 2, "");
    expect_line(map, 1, 3, "three");
    expect_line(map, 1, 4, "");
    expect_line(map, 2, 1, "");
    const SourceFile *empty = source_add_text(map, "b.occ", "", 0);
    assert(empty->number == 2 && empty->line_count == 1);
    expect_line(map, 2, 1, "");
    assert(source_file(map, 0) == NULL && source_file(map, 3) == NULL);
    assert(source_file_count(map) == 2);
    arena_destroy(arena);
}

static void test_source__finds_on_the_search_path(void) {
    Arena *arena = arena_create();
    SourceMap *map = source_map_create(arena);
    assert(source_find(map, "no.such.file.anywhere", (Location){0}) == NULL);
    assert(strcmp(source_find(map, "/dev/null", (Location){0}), "/dev/null") == 0);
    assert(source_find(map, "/tmp", (Location){0}) == NULL);
    assert(source_search_directory(map, 0) == NULL);
    source_add_search_directory(map, "/dev");
    assert(strcmp(source_find(map, "null", (Location){0}), "/dev/null") == 0);
    assert(strcmp(source_search_directory(map, 0), "/dev") == 0);
    arena_destroy(arena);
}

static void test_location__joins(void) {
    Location first = {1, 2, 3, 2, 5};
    Location last = {1, 4, 1, 4, 2};
    Location other = {2, 1, 1, 1, 2};
    Location joined = location_join(first, last);
    assert(joined.line == 2 && joined.column == 3 && joined.end_line == 4 &&
           joined.end_column == 2);
    assert(location_join(first, other).end_column == 5);
    assert(location_join((Location){0}, last).line == 4);
}

int main(void) {
    test_source__splits_lines();
    test_source__finds_on_the_search_path();
    test_location__joins();
    return 0;
}
