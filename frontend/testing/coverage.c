/* coverage -- see the header. */
#define _XOPEN_SOURCE 700

#include "coverage.h"

#include "file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- what programs write ---- */

Coverage *coverage_begin(Arena *arena) {
    Coverage *coverage = arena_new(arena, Coverage);
    const char *base = getenv("TMPDIR");
    char *folder = arena_format(arena, "%s/occc-XXXXXX", base && base[0] ? base : "/tmp");
    if (!mkdtemp(folder)) {
        fatal("cannot make a folder for what tests count, '%s':", folder);
    }
    coverage->arena = arena;
    coverage->folder = folder;
    coverage->library = installation_find(arena).stdlib;
    return coverage;
}

const char *coverage_path(const Coverage *coverage, size_t index) {
    return arena_format(coverage->arena, "%s/%zu", coverage->folder, index);
}

/* "kind line column construct count file<tab>proc"; false: it is no such line, or cut. */
static bool read_place(char *line, Place *place) {
    char *at = line;
    place->kind = (PlaceKind)strtoul(at, &at, 10);
    place->line = (unsigned)strtoul(at, &at, 10);
    place->column = (unsigned)strtoul(at, &at, 10);
    place->construct_line = (unsigned)strtoul(at, &at, 10);
    place->count = strtoull(at, &at, 10);
    char *tab = strchr(at, '\t');
    if (*at != ' ' || !tab || place->kind > PLACE_OPTION || place->line == 0) {
        return false;
    }
    *tab = '\0';
    place->file = at + 1;
    place->proc = tab + 1;
    return true;
}

static ProgramPlaces *places_of(Coverage *coverage, const char *program) {
    for (size_t i = 0; i < coverage->programs.count; i++) {
        if (strcmp(coverage->programs.items[i].program, program) == 0) {
            return &coverage->programs.items[i];
        }
    }
    ProgramPlaces new_one = {.program = program};
    array_push(coverage->arena, &coverage->programs, new_one);
    return &coverage->programs.items[coverage->programs.count - 1];
}

void coverage_take(Coverage *coverage, const char *program, size_t index) {
    const char *path = coverage_path(coverage, index);
    FileText text;
    if (!file_read(coverage->arena, path, &text)) {
        return; /* it was ended before it could write */
    }
    unlink(path);
    Places *places = &places_of(coverage, program)->places;
    bool is_first = places->count == 0;
    size_t number = 0;
    char *line = text.bytes;
    for (char *end = strchr(line, '\n'); end; line = end + 1, end = strchr(line, '\n')) {
        Place place;
        *end = '\0';
        if (!read_place(line, &place)) {
            continue;
        }
        if (is_first) {
            array_push(coverage->arena, places, place);
        } else if (number < places->count) {
            places->items[number].count += place.count;
        }
        number++;
    }
}

/* ---- all together ---- */

/* As it is shown: below this folder without it. NULL: it is of no interest. */
static const char *shown_path(const Coverage *coverage, const char *file) {
    char room[PATH_MAX];
    char library[PATH_MAX];
    char here[PATH_MAX];
    if (!realpath(file, room) || string_has_suffix(room, "_test.occ")) {
        return NULL;
    }
    if (realpath(coverage->library, library) && strncmp(room, library, strlen(library)) == 0) {
        return NULL;
    }
    size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;
    bool is_below = length > 0 && strncmp(room, here, length) == 0 && room[length] == '/';
    return arena_format(coverage->arena, "%s", is_below ? room + length + 1 : room);
}

static int compare_places(const void *left, const void *right) {
    const Place *a = left;
    const Place *b = right;
    int by_file = strcmp(a->file, b->file);
    if (by_file != 0) {
        return by_file;
    }
    if (a->line != b->line) {
        return a->line < b->line ? -1 : 1;
    }
    if (a->column != b->column) {
        return a->column < b->column ? -1 : 1;
    }
    return a->kind < b->kind ? -1 : a->kind > b->kind;
}

/* The places of interest, by the paths that are shown. */
static Places gather(const Coverage *coverage) {
    Places all = {0};
    const char *file = "";
    const char *shown = NULL;
    for (size_t i = 0; i < coverage->programs.count; i++) {
        const Places *places = &coverage->programs.items[i].places;
        for (size_t k = 0; k < places->count; k++) {
            Place place = places->items[k];
            if (strcmp(place.file, file) != 0) {
                file = place.file;
                shown = shown_path(coverage, file);
            }
            if (shown) {
                place.file = shown;
                array_push(coverage->arena, &all, place);
            }
        }
    }
    return all;
}

/* Sorted; those of one place are one. */
static void add_up(Places *places) {
    if (places->count == 0) {
        return;
    }
    qsort(places->items, places->count, sizeof *places->items, compare_places);
    size_t kept = 1;
    for (size_t i = 1; i < places->count; i++) {
        Place *last = &places->items[kept - 1];
        if (compare_places(last, &places->items[i]) == 0) {
            last->count += places->items[i].count;
        } else {
            places->items[kept++] = places->items[i];
        }
    }
    places->count = kept;
}

CoveredFiles coverage_end(Coverage *coverage) {
    rmdir(coverage->folder);
    Places places = gather(coverage);
    add_up(&places);
    CoveredFiles files = {0};
    for (size_t i = 0; i < places.count; i++) {
        bool is_new = i == 0 || strcmp(places.items[i].file, places.items[i - 1].file) != 0;
        if (is_new) {
            CoveredFile file = {places.items[i].file, &places.items[i], 0};
            array_push(coverage->arena, &files, file);
        }
        files.items[files.count - 1].count++;
    }
    return files;
}

/* ---- what it comes to ---- */

CoveredLines coverage_lines(Arena *arena, const CoveredFile *file) {
    CoveredLines lines = {0};
    for (size_t i = 0; i < file->count; i++) {
        const Place *place = &file->places[i];
        if (place->kind != PLACE_PROCESS && place->kind != PLACE_ROUTINE) {
            continue;
        }
        CoveredLine *last = lines.count ? &lines.items[lines.count - 1] : NULL;
        if (last && last->line == place->line) {
            last->count = place->count > last->count ? place->count : last->count;
            continue;
        }
        CoveredLine line = {place->line, place->count};
        array_push(arena, &lines, line);
    }
    for (size_t i = 0; i < lines.count; i++) {
        lines.run += lines.items[i].count > 0;
    }
    return lines;
}

PlaceCount coverage_count(const CoveredFile *file, PlaceKind first, PlaceKind last) {
    PlaceCount count = {0};
    for (size_t i = 0; i < file->count; i++) {
        const Place *place = &file->places[i];
        bool is_one = place->kind >= first && place->kind <= last;
        count.all += is_one;
        count.run += is_one && place->count > 0;
    }
    return count;
}
