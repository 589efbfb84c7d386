/* format -- values written into a text by a format: C functions that module useful names with
 * #PRAGMA EXTERNAL.
 *
 * Owns:   which value a % takes, and how its letter prints it.
 * Leaves: the shortest text of a real to text.c.
 * Holds:  no state, no allocation: one call measures the text and another writes it. The values are
 *         those of a variable of any type (core/form.h) in order: the fields of a record, the
 *         elements of an array; an array of BYTEs, mobile or not, is one value, a text without its
 *         trailing NULs. */
#ifndef RT_FORMAT_H
#define RT_FORMAT_H

#include "foreign.h"
#include "form.h"

/* The length of the text in bytes; a % without a value ends the program. */
void occ_course_format_measure(const PlacedCall *call, const uint8_t *format, int32_t format_size,
                               const Any *values, int32_t *length);
void occ_format_write(const uint8_t *format, int32_t format_size, const Any *values, uint8_t *text,
                      int32_t text_size);

#endif
