/* position -- places of the compiler and of the protocol.
 *
 * Holds: the protocol counts lines from 0 and columns in units of UTF-16; the compiler counts both
 *        from 1, columns in characters. A place beyond the end of a line is the end of the line.
 *        A byte that is no UTF-8 is a character. */
#ifndef OCCC_POSITION_H
#define OCCC_POSITION_H

#include "source.h"

#include <jansson.h>

/* Lines -- a text and where its lines begin. */
typedef struct Lines {
    const char *bytes;
    size_t length;
    const uint32_t *starts;
    uint32_t count; /* at least 1 */
} Lines;

/* Spot -- a place in a text, as the compiler counts. */
typedef struct Spot {
    uint32_t line;
    uint32_t column;
} Spot;

Lines lines_of(Arena *arena, const char *bytes, size_t length);
/* lines_line -- one of them (from 1) without its end; empty beyond the last. */
const char *lines_line(const Lines *lines, uint32_t line, size_t *length);
/* lines_indent -- blanks before its first character; -1: it has none. */
int lines_indent(const Lines *lines, uint32_t line);

/* position_read -- a Position of the protocol; false: it is none. */
bool position_read(const Lines *lines, const json_t *value, Spot *spot);
/* position_read_range -- both ends of a Range; the whole text where it is none. */
void position_read_range(const Lines *lines, const json_t *range, Spot *start, Spot *end);
/* position_offset -- bytes before a Position of the protocol. */
size_t position_offset(const Lines *lines, const json_t *value);
/* spot_byte -- bytes before the spot within its line. */
size_t spot_byte(const Lines *lines, Spot spot);

json_t *position_value(const Lines *lines, uint32_t line, uint32_t column);
json_t *range_value(const Lines *lines, Location at);
/* location_has -- the spot is in it, or at its end. */
bool location_has(Location at, Spot spot);

#endif
