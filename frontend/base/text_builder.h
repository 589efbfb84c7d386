/* text_builder -- text that is built piece by piece, for files that are not JSON. */
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
/* text_add_escaped -- escape as for XML and HTML. With is_ascii, what is neither ASCII text nor a
 * line end becomes `?`. */
void text_add_escaped(TextBuilder *text, const char *bytes, size_t length, bool is_ascii);

#endif
