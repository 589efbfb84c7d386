/* compiler -- what every frontend pass of one compilation shares.
 *
 * Owns:   nothing; it only gathers the pointers, so that passes take one argument.
 * Leaves: command-line options to options.h. */
#ifndef OCCC_COMPILER_H
#define OCCC_COMPILER_H

#include "arena.h"
#include "array.h"
#include "diag.h"
#include "source.h"
#include "text.h"

/* A WSSIZEOF (p) or VSSIZEOF (p): where it stands, and its value. */
typedef struct AskedSize {
    Location at;
    int64_t words;
} AskedSize;

typedef struct Compiler {
    Arena *arena; /* the unit's lifetime: tree, types, symbols */
    TextTable *texts;
    SourceMap *sources;
    Diag *diag;
    ARRAY_OF(const char *) defines; /* -D name or name=value, in the order given */
    /* Names in specifications and blocks that could not be read: no errors about them. */
    ARRAY_OF(const Text *) unread_names;
    ARRAY_OF(AskedSize) asked_sizes;  /* interfaces keep the values, not the declarations */
    ARRAY_OF(const char *) libraries; /* #PRAGMA LINK "name" */
    struct UnitTable *units;          /* where #USE looks; NULL: only for sources (unit.h) */
    struct TokenTape *tape;           /* keeps the tokens read; NULL: not wanted (token_tape.h) */
    const struct Node *host_program;  /* PROC main (CHAN OF SP fs, ts); NULL: none (host_main.h) */
    bool reads_one_file; /* #INCLUDE and #USE are not followed: only its form matters (occc fmt) */
    bool has_missing_names; /* an #INCLUDE was not found, or the heading of a definition */
} Compiler;

#endif
