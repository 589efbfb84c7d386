/* literal -- what the characters of a literal stand for (docs/language.md 1.3).
 *
 * Owns:   the value of numbers, the escapes of strings and characters.
 * Leaves: where a literal begins and ends to lexer.l, whether it fits its type to the checks. */
#ifndef OCCC_LITERAL_H
#define OCCC_LITERAL_H

#include "text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum LiteralFault {
    LITERAL_GOOD,
    LITERAL_UNKNOWN_ESCAPE,  /* *q */
    LITERAL_LOWER_CASE_HEX,  /* *#0a */
    LITERAL_INCOMPLETE_HEX,  /* *#0 */
    LITERAL_MISPLACED_LENGTH /* *l that does not come first in a string */
} LiteralFault;

/* literal_decimal, literal_hex -- false when the digits need more than 64 bits. */
bool literal_decimal(const char *digits, size_t length, uint64_t *value);
bool literal_hex(const char *digits, size_t length, uint64_t *value);

/* literal_decode -- append the bytes that `raw` (without its quotes) stands for. On a fault, *where
 * is its offset in raw; the rest is decoded all the same. */
LiteralFault literal_decode(const char *raw, size_t length, bool is_string, StringBuilder *bytes,
                            size_t *where);

#endif
