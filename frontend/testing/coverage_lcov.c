/* coverage_lcov -- what of the sources has run, as a tracefile of lcov: genhtml, editors and CI
 * systems read it. See coverage.h.
 *
 * Holds:  alternatives of an ALT are the branches of one block, which stands in the line of the
 *         ALT; those of an IF or CASE stand in their own lines. */
#define _XOPEN_SOURCE 700

#include "coverage.h"
#include "driver_file.h"
#include "text_builder.h"

#include <limits.h>
#include <stdlib.h>

static void add_routines(TextBuilder *text, const CoveredFile *file) {
    for (size_t i = 0; i < file->count; i++) {
        const Place *place = &file->places[i];
        if (place->kind == PLACE_ROUTINE) {
            text_add(text, "FN:%u,%s\nFNDA:%llu,%s\n", place->line, place->proc,
                     (unsigned long long)place->count, place->proc);
        }
    }
    PlaceCount count = coverage_count(file, PLACE_ROUTINE, PLACE_ROUTINE);
    text_add(text, "FNF:%zu\nFNH:%zu\n", count.all, count.run);
}

static void add_branches(TextBuilder *text, const CoveredFile *file) {
    for (size_t i = 0; i < file->count; i++) {
        const Place *place = &file->places[i];
        if (place->kind >= PLACE_ALTERNATIVE) {
            text_add(text, "BRDA:%u,0,%zu,%llu\n", place->construct_line, i,
                     (unsigned long long)place->count);
        }
    }
    PlaceCount count = coverage_count(file, PLACE_ALTERNATIVE, PLACE_OPTION);
    text_add(text, "BRF:%zu\nBRH:%zu\n", count.all, count.run);
}

bool coverage_lcov(Arena *arena, const char *path, const CoveredFiles *files) {
    TextBuilder text = {.arena = arena};
    text_add(&text, "TN:\n");
    for (size_t i = 0; i < files->count; i++) {
        const CoveredFile *file = &files->items[i];
        char room[PATH_MAX];
        text_add(&text, "SF:%s\n", realpath(file->path, room) ? room : file->path);
        add_routines(&text, file);
        add_branches(&text, file);
        CoveredLines lines = coverage_lines(arena, file);
        for (size_t k = 0; k < lines.count; k++) {
            text_add(&text, "DA:%u,%llu\n", lines.items[k].line,
                     (unsigned long long)lines.items[k].count);
        }
        text_add(&text, "LF:%zu\nLH:%zu\nend_of_record\n", lines.count, lines.run);
    }
    return file_publish(arena, path, text.items, text.count);
}
