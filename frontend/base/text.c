/* text -- the table of interned names, and the string builder.
 *
 * Owns:  a chained hash table of Text; it doubles when it holds as many names as chains.
 * Holds: a Text never moves, so pointers to it stay good when the table grows. */
#include "text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define LONGEST_COMPARED 128 /* longer names are never suggested */

enum { FIRST_CHAIN_COUNT = 1024 };

struct TextTable {
    Arena *arena;
    Text **chains;
    size_t chain_count; /* a power of two */
    size_t text_count;
};

TextTable *text_table_create(Arena *arena) {
    TextTable *table = arena_new(arena, TextTable);
    table->arena = arena;
    table->chain_count = FIRST_CHAIN_COUNT;
    table->chains = arena_new_array(arena, Text *, table->chain_count);
    return table;
}

/* FNV-1a, 32 bits. */
static uint32_t hash_bytes(const char *bytes, size_t length) {
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)bytes[i]) * 16777619u;
    }
    return hash;
}

static void table_grow(TextTable *table) {
    size_t count = table->chain_count * 2;
    Text **chains = arena_new_array(table->arena, Text *, count);
    for (size_t i = 0; i < table->chain_count; i++) {
        Text *text = table->chains[i];
        while (text) {
            Text *next = text->next;
            size_t chain = text->hash & (count - 1);
            text->next = chains[chain];
            chains[chain] = text;
            text = next;
        }
    }
    table->chains = chains;
    table->chain_count = count;
}

const Text *text_intern(TextTable *table, const char *bytes, size_t length) {
    uint32_t hash = hash_bytes(bytes, length);
    for (Text *text = table->chains[hash & (table->chain_count - 1)]; text; text = text->next) {
        if (text->hash == hash && text->length == length &&
            memcmp(text->bytes, bytes, length) == 0) {
            return text;
        }
    }
    if (table->text_count >= table->chain_count) {
        table_grow(table);
    }
    Text *text = arena_allocate(table->arena, sizeof(Text) + length + 1);
    text->length = (uint32_t)length;
    text->hash = hash;
    if (length) {
        memcpy(text->bytes, bytes, length);
    }
    Text **chain = &table->chains[hash & (table->chain_count - 1)];
    text->next = *chain;
    *chain = text;
    table->text_count++;
    return text;
}

const Text *text_intern_string(TextTable *table, const char *string) {
    return text_intern(table, string, strlen(string));
}

/* Room for `extra` more bytes and the final NUL. */
static void builder_reserve(StringBuilder *builder, size_t extra) {
    size_t needed = builder->length + extra + 1;
    if (needed <= builder->capacity) {
        return;
    }
    size_t capacity = builder->capacity ? builder->capacity * 2 : 64;
    while (capacity < needed) {
        capacity *= 2;
    }
    char *bytes = arena_allocate(builder->arena, capacity);
    if (builder->length) {
        memcpy(bytes, builder->bytes, builder->length);
    }
    builder->bytes = bytes;
    builder->capacity = capacity;
}

void string_append(StringBuilder *builder, const char *bytes, size_t length) {
    builder_reserve(builder, length);
    if (length) {
        memcpy(builder->bytes + builder->length, bytes, length);
    }
    builder->length += length;
    builder->bytes[builder->length] = '\0';
}

void string_append_format(StringBuilder *builder, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0) {
        return;
    }
    builder_reserve(builder, (size_t)length);
    va_start(arguments, format);
    vsnprintf(builder->bytes + builder->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    builder->length += (size_t)length;
}

const char *text_link_name(Arena *arena, const char *outer, const char *name) {
    StringBuilder link = {arena, NULL, 0, 0};
    string_append_format(&link, "%s.", outer);
    for (; *name != '\0'; name++) {
        if (*name == '@') {
            string_append(&link, "$at", 3);
        } else {
            string_append(&link, name, 1);
        }
    }
    return link.bytes;
}

/* ---- names that are alike ---- */

static unsigned smaller(unsigned left, unsigned right) {
    return left < right ? left : right;
}

/* One row of the table of distances between prefixes; `before` and `last` are the rows above. */
static unsigned fill_row(const Text *left, const Text *right, uint32_t i, const unsigned *before,
                         const unsigned *last, unsigned *row) {
    unsigned least = row[0] = i;
    for (uint32_t j = 1; j <= right->length; j++) {
        bool is_same = left->bytes[i - 1] == right->bytes[j - 1];
        unsigned distance =
            smaller(last[j - 1] + (is_same ? 0 : 1), smaller(last[j], row[j - 1]) + 1);
        if (i > 1 && j > 1 && left->bytes[i - 1] == right->bytes[j - 2] &&
            left->bytes[i - 2] == right->bytes[j - 1]) {
            distance = smaller(distance, before[j - 2] + 1);
        }
        row[j] = distance;
        least = smaller(least, distance);
    }
    return least;
}

unsigned text_distance(const Text *left, const Text *right, unsigned limit) {
    unsigned rows[3][LONGEST_COMPARED + 1];
    uint32_t apart =
        left->length > right->length ? left->length - right->length : right->length - left->length;
    if (apart > limit || left->length > LONGEST_COMPARED || right->length > LONGEST_COMPARED) {
        return limit + 1;
    }
    for (uint32_t j = 0; j <= right->length; j++) {
        rows[0][j] = j;
    }
    for (uint32_t i = 1; i <= left->length; i++) {
        const unsigned *before = rows[(i + 1) % 3];
        if (fill_row(left, right, i, before, rows[(i - 1) % 3], rows[i % 3]) > limit) {
            return limit + 1;
        }
    }
    return smaller(rows[left->length % 3][right->length], limit + 1);
}

bool string_has_suffix(const char *string, const char *suffix) {
    size_t length = strlen(string);
    size_t end = strlen(suffix);
    return length > end && strcmp(string + length - end, suffix) == 0;
}

/* ---- paths ---- */

const char *path_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

size_t path_folder_length(const char *path) {
    return (size_t)(path_name(path) - path);
}

const char *path_beside(Arena *arena, const char *path, const char *name) {
    int length = name[0] == '/' ? 0 : (int)path_folder_length(path);
    return arena_format(arena, "%.*s%s", length, path, name);
}
