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

/* text_link_name -- the linker's name for `name` in `outer`: `outer.name`, with "$at" for each @ of
 * an operator, since the linker would read a symbol version after @. */
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

/* string_has_suffix -- does the string end with the suffix, and is it longer? */
bool string_has_suffix(const char *string, const char *suffix);
/* text_is_of_name -- may the character stand in a name of occam after the first one? */
static inline bool text_is_of_name(char character) {
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           (character >= '0' && character <= '9') || character == '.';
}

/* path_name -- the part of a path after its last /; path_folder_length: the length of what is
 * before, the / included. */
const char *path_name(const char *path);
size_t path_folder_length(const char *path);
/* path_beside -- the name if it is absolute, else the name in the folder of `path`. */
const char *path_beside(Arena *arena, const char *path, const char *name);
/* text_distance -- letters to insert, delete, replace or swap to get from one name to the other;
 * more than `limit` is given as limit + 1. */
unsigned text_distance(const Text *left, const Text *right, unsigned limit);

#endif
