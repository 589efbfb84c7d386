/* source -- files, positions in them, and excerpts for messages.
 *
 * Owns:  the text of every file read, by number; the search path of #INCLUDE and #USE.
 * Holds: file 0 is "no file"; lines and columns count from 1; a column counts characters of the
 *        file as the user sees it (a leading tab counts as one character in the excerpt). */
#ifndef OCCC_SOURCE_H
#define OCCC_SOURCE_H

#include "arena.h"

#include <stdbool.h>
#include <stdint.h>

/* Location -- a span of source text, end exclusive. file 0: no position (built in). */
typedef struct Location {
    uint32_t file;
    uint32_t line;
    uint32_t column;
    uint32_t end_line;
    uint32_t end_column;
} Location;

/* From this line on the text of an interface came from that file by #INCLUDE; NULL: from the unit's
 * own file. */
typedef struct SourceOrigin {
    uint32_t line;
    const char *name;
    struct SourceOrigin *before;
} SourceOrigin;

typedef struct SourceFile {
    uint32_t number;
    const char *path;  /* as it is shown to the user */
    const char *bytes; /* NUL-terminated */
    size_t length;
    Location included_at;       /* the #INCLUDE or #USE; file 0 for a file of the command line */
    const uint32_t *line_start; /* byte offset of each line, line_count entries */
    uint32_t line_count;
    bool is_unit;          /* the source of a #USE */
    bool is_generated;     /* an interface, or the routine of #PRAGMA EXTERNAL: may have #BODY */
    SourceOrigin *origins; /* of an interface, the last first */
    struct UsedUnit *unit; /* the unit it belongs to; NULL: the one being compiled (unit.h) */
} SourceFile;

typedef struct SourceMap SourceMap;

SourceMap *source_map_create(Arena *arena);
void source_add_search_directory(SourceMap *map, const char *directory);
/* source_search_directory -- the index-th directory of the search path, NULL past the last. */
const char *source_search_directory(const SourceMap *map, size_t index);
/* source_open -- read a file. Returns NULL with errno set when it cannot be read. "-" is stdin. */
SourceFile *source_open(SourceMap *map, const char *path, Location included_at);
/* source_overlay -- use what an editor has of a file instead of what is on the disk. The caller
 * keeps the bytes. */
void source_overlay(SourceMap *map, const char *path, const char *bytes, size_t length);
/* source_find -- look for `name` beside `from`, then on the search path; NULL when nowhere. */
const char *source_find(SourceMap *map, const char *name, Location from);
/* source_framed -- a copy of the file of `at` with only `words` at that place, between generated
 * text: the words keep their locations. The last line of `before` ends left of `at`. */
const SourceFile *source_framed(SourceMap *map, Location at, const char *before, const char *words,
                                const char *after);
/* source_add_text -- a file that exists only in memory (tests, built-in text). */
SourceFile *source_add_text(SourceMap *map, const char *path, const char *bytes, size_t length);
const SourceFile *source_file(const SourceMap *map, uint32_t number);
uint32_t source_file_count(const SourceMap *map);
/* source_line -- the text of one line without its newline; length in *length. */
const char *source_line(const SourceMap *map, uint32_t file, uint32_t line, size_t *length);

/* source_included_name -- the file name of the #INCLUDE that a place is in, also through an
 * interface; NULL: it is in no included file. */
const char *source_included_name(const SourceMap *map, Location at);

/* location_join -- from the start of `first` to the end of `last`. */
Location location_join(Location first, Location last);
static inline bool location_is_known(Location location) {
    return location.file != 0;
}

#endif
