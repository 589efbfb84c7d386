/* format -- occam text with its spacing as the house of the language has it: `occc fmt`.
 *
 * Owns:   the blanks between the tokens of a line.
 * Leaves: indentation that can be read as it is (it is grammar), comments, blank lines,
 *         directives, and every line inside of brackets that go on over the end of a line (tables,
 *         inline VALOF): as they are.
 * Holds:  only blanks change, so the tokens stay what they were; formatting twice changes nothing.
 *         A line stays a line, unless a longest line is asked for: then what is longer becomes
 *         several, where the language lets a line go on. */
#ifndef OCCC_FORMAT_H
#define OCCC_FORMAT_H

#include "backend.h"
#include "options.h"

typedef struct FormattedText {
    const char *bytes; /* NUL-terminated */
    size_t length;
    ARRAY_OF(unsigned) rows; /* what became of each line: so many lines */
} FormattedText;

/* format_text -- the text formatted; columns: of the longest line, 0: any. */
FormattedText format_text(Arena *arena, const char *bytes, size_t length, unsigned columns);
/* format_indent -- the text with two blanks for each block, whatever it has (format_indent.c). */
const char *format_indent(Arena *arena, const char *text, size_t length, size_t *new_length);
/* format_run -- `occc fmt [-l] [-d] [-w] file...`; exit status. */
int format_run(Arena *arena, const Options *options, const Installation *installation);

#endif
