/* text -- what module text asks of the C library: searching, and reals as text
 * (stdlib/textlib.occ).
 *
 * Holds:  nothing is kept and nothing is allocated. Texts come with their size. */
#ifndef RT_TEXT_H
#define RT_TEXT_H

#include <stdbool.h>
#include <stdint.h>

/* Where `wanted` begins, from `start` on, in time that grows with the size alone; -1: nowhere. */
int32_t occ_text_find(const uint8_t *text, int32_t size, const uint8_t *wanted, int32_t length,
                      int32_t start);
int32_t occ_text_find_byte(const uint8_t *text, int32_t size, uint8_t wanted, int32_t start);
/* Below 0, 0 or above 0: the order of the bytes. */
int32_t occ_text_compare(const uint8_t *a, int32_t a_size, const uint8_t *b, int32_t b_size);
/* The fewest digits that read back as x, as a literal of occam; its length. */
void occ_text_real(double x, uint8_t *text, int32_t size, int32_t *length);
void occ_text_real32(float x, uint8_t *text, int32_t size, int32_t *length);
/* So many places behind the point, with an exponent or without. */
void occ_text_real_places(double x, int32_t places, bool has_exponent, uint8_t *text, int32_t size,
                          int32_t *length);

#endif
