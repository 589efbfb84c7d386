/* text_builder -- text that is put together piece by piece, for files that are not JSON. */
#ifndef OCCC_TEXT_BUILDER_H
#define OCCC_TEXT_BUILDER_H

#include "array.h"

#include <stdbool.h>

typedef struct TextBuilder {
    Arena *arena;
    char *items;
    size_t count;
    size_t capacity;
} TextBuilder;

void text_add(TextBuilder *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* text_add_escaped -- as XML and HTML have it. What is neither ASCII text nor a line end is `?`
 * where is_ascii. */
void text_add_escaped(TextBuilder *text, const char *bytes, size_t length, bool is_ascii);

#endif
