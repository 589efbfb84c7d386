/* coverage -- what of the sources has run in tests (--coverage).
 *
 * Owns:   what the programs of tests counted, added up by place; which files are of interest: not
 *         those of the library, nor the files of tests.
 * Leaves: counting to codegen/emitter/coverage.c, the form of what programs write to
 *         runtime/core/coverage.h, showing it to coverage_report.c, coverage_lcov.c,
 *         coverage_html.c.
 * Holds:  a program writes its places in the same order in every run. */
#ifndef OCCC_COVERAGE_H
#define OCCC_COVERAGE_H

#include "driver.h"

/* As the code generator numbers them. */
typedef enum PlaceKind {
    PLACE_PROCESS,
    PLACE_ROUTINE,
    PLACE_ALTERNATIVE, /* of an ALT */
    PLACE_CHOICE,      /* of an IF */
    PLACE_OPTION       /* of a CASE */
} PlaceKind;

typedef struct Place {
    const char *file;
    const char *proc;
    PlaceKind kind;
    unsigned line;
    unsigned column;
    unsigned construct_line;
    uint64_t count;
} Place;

typedef ARRAY_OF(Place) Places;

typedef struct ProgramPlaces {
    const char *program;
    Places places;
} ProgramPlaces;

typedef struct Coverage {
    Arena *arena;
    const char *folder; /* where programs write */
    const char *library;
    ARRAY_OF(ProgramPlaces) programs;
} Coverage;

/* A part of the places: those of one file. */
typedef struct CoveredFile {
    const char *path;
    const Place *places; /* in the order of the text */
    size_t count;
} CoveredFile;

typedef struct CoveredFiles {
    CoveredFile *items;
    size_t count;
    size_t capacity;
} CoveredFiles;

/* A line that can run, and how often it did. */
typedef struct CoveredLine {
    unsigned line;
    uint64_t count;
} CoveredLine;

typedef struct CoveredLines {
    CoveredLine *items;
    size_t count;
    size_t capacity;
    size_t run;
} CoveredLines;

/* How many of those places there are, and have run. */
typedef struct PlaceCount {
    size_t all;
    size_t run;
} PlaceCount;

Coverage *coverage_begin(Arena *arena);
/* coverage_path -- where run number `index` writes; coverage_take -- it has. */
const char *coverage_path(const Coverage *coverage, size_t index);
void coverage_take(Coverage *coverage, const char *program, size_t index);
/* coverage_end -- all together; the folder goes. */
CoveredFiles coverage_end(Coverage *coverage);

CoveredLines coverage_lines(Arena *arena, const CoveredFile *file);
/* coverage_count -- of the kinds from `first` to `last`. */
PlaceCount coverage_count(const CoveredFile *file, PlaceKind first, PlaceKind last);

/* ---- false after a message ---- */
void coverage_report(Arena *arena, const CoveredFiles *files);
bool coverage_lcov(Arena *arena, const char *path, const CoveredFiles *files);
bool coverage_html(Arena *arena, const char *folder, const CoveredFiles *files);

#endif
