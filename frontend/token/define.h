/* define -- the names of #DEFINE and -D, and those every compilation has.
 *
 * Owns:   the table; values are a number, a string, or none.
 * Leaves: conditions over them to condition.c, ##N to preprocess.c. */
#ifndef OCCC_DEFINE_H
#define OCCC_DEFINE_H

#include "arena.h"
#include "text.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum DefineKind { DEFINE_PLAIN, DEFINE_NUMBER, DEFINE_STRING } DefineKind;

typedef struct DefineValue {
    DefineKind kind;
    int64_t number;
    const Text *string;
} DefineValue;

typedef struct DefineTable DefineTable;

/* define_table_create -- with the predefined names (docs/language.md 1.9). */
DefineTable *define_table_create(Arena *arena, TextTable *texts);
/* define_from_option -- name, name=3 or name=text, as -D has it. */
void define_from_option(DefineTable *table, const char *option);
void define_set(DefineTable *table, const Text *name, DefineValue value);
bool define_remove(DefineTable *table, const Text *name);
/* define_find -- NULL when the name is not defined. Valid until the table is changed. */
const DefineValue *define_find(const DefineTable *table, const Text *name);
/* define_count -- how many names there have been. define_text -- the index-th as name, or name and
 * value; NULL when it is no longer defined. */
size_t define_count(const DefineTable *table);
const char *define_text(Arena *arena, const DefineTable *table, size_t index);
/* define_parse -- the value in a #DEFINE line: nothing, a number, "string" or TRUE or FALSE.
 * False when it is none of these. */
bool define_parse(TextTable *texts, const char *text, size_t length, DefineValue *value);

#endif
