/* json_form -- texts of JSON read into variables of any data type, and written from them: C
 * functions that module json names with #PRAGMA EXTERNAL.
 *
 * Owns:   which value of JSON a Form (core/form.h) takes, and the messages for values it does not.
 * Leaves: the syntax of JSON to libjansson, texts between quotes to json_quote.c.
 * Holds:  a variable that is read into owns nothing before; afterwards it is complete or, after an
 *         error, has what was read so far: in both cases it owns what it leads to. A MOBILE BYTE
 *         array and an array of BYTEs are texts; a MOBILE record may be null or missing. */
#ifndef RT_JSON_FORM_H
#define RT_JSON_FORM_H

#include "form.h"

/* line: 0: it has been read; positive: no JSON from there; negative: it does not fit, and `words`
 * begin with the place in the value. */
void occ_json_fill(const uint8_t *text, int32_t text_size, const Any *variable, int32_t *line,
                   int32_t *column, uint8_t *words, int32_t words_size, int32_t *length);
/* A text of `length` bytes, until occ_json_formed takes it away; result < 0: there is none, for the
 * reasons of json.write. */
void occ_json_form(const Any *variable, int32_t indent, int64_t *text, int32_t *length,
                   int32_t *result);
void occ_json_formed(int64_t text, uint8_t *bytes, int32_t bytes_size);

#endif
