/* text_builder -- see the header. */
#include "text_builder.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void add_bytes(TextBuilder *text, const char *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) {
        array_push(text->arena, text, bytes[i]);
    }
}

void text_add(TextBuilder *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *bytes = arena_allocate(text->arena, (size_t)length + 1);
    vsnprintf(bytes, (size_t)length + 1, format, arguments);
    va_end(arguments);
    add_bytes(text, bytes, (size_t)length);
}

void text_add_escaped(TextBuilder *text, const char *bytes, size_t length, bool is_ascii) {
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        bool is_text = byte == '\n' || byte == '\t' || (byte >= ' ' && byte != 127);
        bool is_allowed = is_text && (byte < 127 || !is_ascii);
        const char *escaped = byte == '<'   ? "&lt;"
                              : byte == '>' ? "&gt;"
                              : byte == '&' ? "&amp;"
                              : byte == '"' ? "&quot;"
                                            : NULL;
        if (escaped) {
            add_bytes(text, escaped, strlen(escaped));
        } else {
            add_bytes(text, is_allowed ? &bytes[i] : "?", 1);
        }
    }
}
