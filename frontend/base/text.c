/* text -- the table of interned names, and the string builder.
 *
 * Owns:  a chained hash table of Text; it doubles when it holds as many names as chains.
 * Holds: a Text never moves, so pointers to it stay good when the table grows. */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
