/* diag_print -- how one diagnostic looks: headline, excerpts with marks, notes, hints, fix-its.
 *
 * Owns:   the form of the output, colour included.
 * Leaves: what is reported, counted and kept back to diag.c.
 *
 *   main.occ:7:5: error[usage-parallel-write]: 'x' is written in two branches of a PAR
 *     |
 *   5 |     x := 1
 *     |     ~ first written here
 *   ...
 *   7 |     x := 2
 *     |     ^ and here
 *     = note: ...
 *     = help: ...                                                                              */
#ifndef OCCC_DIAG_PRINT_H
#define OCCC_DIAG_PRINT_H

#include "array.h"
#include "source.h"

#include <stdbool.h>
#include <stdio.h>

/* A place with words beside it; the first mark of a record is the primary one. words may be "". */
typedef struct DiagMark {
    Location where;
    const char *words;
    bool is_primary;
} DiagMark;

/* A line below the excerpt: kind is "note" or "help". */
typedef struct DiagLine {
    const char *kind;
    Location where;
    const char *words;
} DiagLine;

typedef struct DiagFixit {
    Location where;
    const char *replacement;
} DiagFixit;

typedef struct DiagRecord {
    const char *severity; /* "error" or "warning" */
    bool is_error;
    const char *name;
    const char *message;
    Location where;
    ARRAY_OF(DiagMark) marks;
    ARRAY_OF(DiagLine) lines;
    ARRAY_OF(DiagFixit) fixits;
} DiagRecord;

void diag_print(const DiagRecord *record, const SourceMap *sources, FILE *stream, bool is_coloured);

#endif
