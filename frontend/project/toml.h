/* toml -- a reader of the part of TOML that occ.toml is written in.
 *
 * Owns:   [table], [[table]], key = value; values are "text", whole numbers, true, false, [lists]
 *         and { inline = "tables" }; comments. Keys are bare words.
 * Leaves: what the keys mean to manifest.h.
 * Holds:  every value knows its place. What TOML has beyond that, dates and reals and literal texts
 *         for instance, is an error that says so; nothing is misread. */
#ifndef OCCC_TOML_H
#define OCCC_TOML_H

#include "array.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum TomlKind { TOML_TEXT, TOML_NUMBER, TOML_BOOL, TOML_LIST, TOML_TABLE } TomlKind;

typedef struct TomlValue {
    TomlKind kind;
    unsigned line;
    unsigned column;
    const char *key;                    /* in its table; NULL in a list */
    unsigned key_column;                /* 0: there is none, or it is a heading */
    const char *text;                   /* TOML_TEXT */
    int64_t number;                     /* TOML_NUMBER, TOML_BOOL */
    ARRAY_OF(struct TomlValue *) parts; /* TOML_LIST, TOML_TABLE */
    bool is_headed; /* TOML_TABLE, or a list of such: it stands under a heading of its own */
} TomlValue;

/* toml_read -- the whole file as a table; NULL after a message. */
TomlValue *toml_read(Arena *arena, const char *path);
/* toml_find -- the value of a key; NULL: there is none. */
TomlValue *toml_find(const TomlValue *table, const char *key);
/* toml_error -- "path:line:column: error: ..." on standard error; a hint below it, or NULL. */
void toml_error(const char *path, unsigned line, unsigned column, const char *hint,
                const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif
