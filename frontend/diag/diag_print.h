/* diag_print -- how one diagnostic looks: headline, excerpts with marks, notes, hints, fix-its.
 *
 * Owns:   the form of the output, colour included.
 * Leaves: what is reported, counted and suppressed to diag.c.
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
#include "diag.h"

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
    const char *severity; /* "error", "warning" or "note" */
    bool is_error;
    DiagId id;
    const char *name;
    const char *message;
    Location where;
    ARRAY_OF(DiagMark) marks;
    ARRAY_OF(DiagLine) lines;
    ARRAY_OF(DiagFixit) fixits;
} DiagRecord;

void diag_print(const DiagRecord *record, const SourceMap *sources, FILE *stream, bool is_coloured);
/* diag_print_fixits -- one line each, for programs, in the form of clang's
 * -fdiagnostics-parseable-fixits: fix-it:"file":{line:column-line:column}:"text"; columns count
 * bytes from 1, the end is exclusive. */
void diag_print_fixits(const DiagRecord *record, const SourceMap *sources, FILE *stream);

#endif
