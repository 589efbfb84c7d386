/* format -- values written into a text as a format says: C functions that module useful names with
 * #PRAGMA EXTERNAL.
 *
 * Owns:   which value a % takes, and what its letter makes of it.
 * Leaves: the shortest text of a real to text.c.
 * Holds:  nothing is kept and nothing is allocated: the text is measured by one call and written by
 *         another. The values are those of a variable of any type (core/form.h) in their order: the
 *         fields of a record, the elements of an array; an array of BYTEs, mobile or not, is one
 *         value, a text, without the NULs behind it. */
#ifndef RT_FORMAT_H
#define RT_FORMAT_H

#include "foreign.h"
#include "form.h"

/* The bytes of the text; a % for which there is no value ends the program. */
void occ_course_format_measure(const PlacedCall *call, const uint8_t *format, int32_t format_size,
                               const Any *values, int32_t *length);
void occ_format_write(const uint8_t *format, int32_t format_size, const Any *values, uint8_t *text,
                      int32_t text_size);

#endif
