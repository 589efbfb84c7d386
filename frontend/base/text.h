/* text -- interned names: equal spelling means equal pointer.
 *
 * Owns:  the table of names and the builder for longer strings.
 * Holds: a Text is immutable, NUL-terminated, lives as long as the program arena. */
#ifndef OCCC_TEXT_H
#define OCCC_TEXT_H

#include "arena.h"
#include <stdbool.h>

#include <stdint.h>

typedef struct Text {
    uint32_t length; /* bytes, without the final NUL */
    uint32_t hash;
    struct Text *next; /* next in its hash chain */
    char bytes[];
} Text;

typedef struct TextTable TextTable;

TextTable *text_table_create(Arena *arena);
const Text *text_intern(TextTable *table, const char *bytes, size_t length);
const Text *text_intern_string(TextTable *table, const char *string);

/* text_link_name -- what the linker calls `name` of `outer`: `outer.name`, with "$at" for each @
 * of an operator, behind which the linker would read the version of a symbol. */
const char *text_link_name(Arena *arena, const char *outer, const char *name);

/* StringBuilder -- bytes appended one after the other; the result lives in the arena. */
typedef struct StringBuilder {
    Arena *arena;
    char *bytes; /* always NUL-terminated once anything was appended */
    size_t length;
    size_t capacity;
} StringBuilder;

void string_append(StringBuilder *builder, const char *bytes, size_t length);
void string_append_format(StringBuilder *builder, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* string_has_suffix -- something, and then the suffix. */
bool string_has_suffix(const char *string, const char *suffix);
/* text_is_of_name -- a character that a name of occam may have behind its first. */
static inline bool text_is_of_name(char character) {
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           (character >= '0' && character <= '9') || character == '.';
}

/* path_name -- what stands behind the last / of a path; path_folder_length: of what stands before it,
 * the / included. */
const char *path_name(const char *path);
size_t path_folder_length(const char *path);
/* path_beside -- the name, where it is relative, in the folder of that path. */
const char *path_beside(Arena *arena, const char *path, const char *name);
/* text_distance -- letters to insert, delete, replace or swap to get from one name to the other;
 * more than `limit` is given as limit + 1. */
unsigned text_distance(const Text *left, const Text *right, unsigned limit);

#endif
