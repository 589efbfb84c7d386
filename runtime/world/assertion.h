/* assertion -- what module assert calls: two values that should be the same, and are not.
 *
 * Owns:   comparing, and how values look in the message.
 * Leaves: the report to error.h, how arguments travel to codegen/routine/foreign.c.
 * Holds:  the place of the error is that of the call in the program's text (foreign.h, PlacedCall).
 *         A function whose values agree returns; one whose values differ ends the program as a
 *         failed ASSERT does, in -fstop-mode too. Texts and arrays are shown around the first
 *         difference. A real agrees with another when both are no number, or when they are equal.
 *         Conventions: decision 0011. */
#ifndef RT_ASSERTION_H
#define RT_ASSERTION_H

#include "foreign.h"

#include <stdbool.h>
#include <stdint.h>

/* `text` of `size` bytes is what the caller says about it. */
#define ASSERTION_OF(name, type)                                                                   \
    void occ_assert_##name(const PlacedCall *call, type found, type expected, const uint8_t *text, \
                           int32_t size)
ASSERTION_OF(bool_equal, bool);
ASSERTION_OF(byte_equal, uint8_t);
ASSERTION_OF(int_equal, int32_t);
ASSERTION_OF(int_differs, int32_t);
ASSERTION_OF(int_less, int32_t);
ASSERTION_OF(int_at_most, int32_t);
ASSERTION_OF(int16_equal, int16_t);
ASSERTION_OF(int32_equal, int32_t);
ASSERTION_OF(int64_equal, int64_t);
ASSERTION_OF(real32_equal, float);
ASSERTION_OF(real64_equal, double);
#undef ASSERTION_OF

void occ_assert_true(const PlacedCall *call, bool condition, const uint8_t *text, int32_t size);
void occ_assert_false(const PlacedCall *call, bool condition, const uint8_t *text, int32_t size);
void occ_assert_fail(const PlacedCall *call, const uint8_t *text, int32_t size);

/* Which of the tests of a program of `occc test` is wanted: OCC_TEST begins with its
 * number; -1: none. */
int32_t occ_test_number(void);

/* At most `tolerance` apart. */
void occ_assert_real32_near(const PlacedCall *call, float found, float expected, float tolerance,
                            const uint8_t *text, int32_t size);
void occ_assert_real64_near(const PlacedCall *call, double found, double expected, double tolerance,
                            const uint8_t *text, int32_t size);

#define ASSERTION_OF(name, type)                                                                   \
    void occ_assert_##name(const PlacedCall *call, const type *found, int32_t found_count,         \
                           const type *expected, int32_t expected_count, const uint8_t *text,      \
                           int32_t size)
ASSERTION_OF(text_equal, uint8_t);
ASSERTION_OF(text_contains, uint8_t);
ASSERTION_OF(bytes_equal, uint8_t);
ASSERTION_OF(ints_equal, int32_t);
ASSERTION_OF(int64s_equal, int64_t);
ASSERTION_OF(real64s_equal, double);
#undef ASSERTION_OF

#endif
