/* assertion_array -- texts and arrays of module assert. See assertion.h.
 *
 * Owns:   finding the first difference, and the part of both around it that is shown:
 *             found 4 elements, expected 5; they differ from element 2 on: the primes
 *               found    [2, 3, 6, 7]
 *               expected [2, 3, 5, 7, 11] */
#define _GNU_SOURCE /* memmem */

#include "assertion.h"

#include "assertion_fail.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Of each side at most so many are shown, with so many before the first difference. */
enum { BYTES_SHOWN = 64, BYTES_BEFORE = 24, ELEMENTS_SHOWN = 12, ELEMENTS_BEFORE = 4 };

typedef enum ElementKind {
    ELEMENT_CHARACTER,
    ELEMENT_HEX,
    ELEMENT_INT,
    ELEMENT_INT64,
    ELEMENT_REAL
} ElementKind;

typedef struct Side {
    ElementKind kind;
    const void *elements;
    size_t count;
} Side;

static int64_t whole_at(const Side *side, size_t i) {
    if (side->kind == ELEMENT_INT) {
        return ((const int32_t *)side->elements)[i];
    }
    if (side->kind == ELEMENT_INT64) {
        return ((const int64_t *)side->elements)[i];
    }
    return ((const uint8_t *)side->elements)[i];
}

static double real_at(const Side *side, size_t i) {
    return ((const double *)side->elements)[i];
}

static bool agree_at(const Side *left, const Side *right, size_t i) {
    if (left->kind != ELEMENT_REAL) {
        return whole_at(left, i) == whole_at(right, i);
    }
    double x = real_at(left, i);
    double y = real_at(right, i);
    return (isnan(x) && isnan(y)) || (x <= y && x >= y);
}

/* The index of the first difference; SIZE_MAX: there is none. */
static size_t first_difference(const Side *left, const Side *right) {
    size_t both = left->count < right->count ? left->count : right->count;
    for (size_t i = 0; i < both; i++) {
        if (!agree_at(left, right, i)) {
            return i;
        }
    }
    return left->count == right->count ? SIZE_MAX : both;
}

static void add_element(ReportText *text, const Side *side, size_t i) {
    switch (side->kind) {
    case ELEMENT_CHARACTER: assertion_add_byte(text, (uint8_t)whole_at(side, i)); return;
    case ELEMENT_HEX: report_add(text, "%02X", (unsigned)whole_at(side, i)); return;
    case ELEMENT_INT:
    case ELEMENT_INT64: report_add(text, "%" PRId64, whole_at(side, i)); return;
    case ELEMENT_REAL: assertion_add_real(text, real_at(side, i)); return;
    }
}

/* The part of the side around an index, between its brackets; dots for what is left out. */
static void add_part(ReportText *text, const char *name, const Side *side, size_t around) {
    bool is_text = side->kind == ELEMENT_CHARACTER;
    size_t before = is_text ? BYTES_BEFORE : ELEMENTS_BEFORE;
    size_t shown = is_text ? BYTES_SHOWN : ELEMENTS_SHOWN;
    const char *separator = is_text ? "" : side->kind == ELEMENT_HEX ? " " : ", ";
    size_t first = around > before ? around - before : 0;
    size_t end = side->count - first > shown ? first + shown : side->count;
    const char *gap = is_text ? "..." : "..., ";
    report_add(text, "  %-9s%s%s", name, is_text ? "\"" : "[", first > 0 ? gap : "");
    for (size_t i = first; i < end; i++) {
        report_add(text, "%s", i > first ? separator : "");
        add_element(text, side, i);
    }
    report_add(text, "%s%s\n", end < side->count ? (is_text ? "..." : ", ...") : "",
               is_text ? "\"" : "]");
}

static void compare(const PlacedCall *call, const Side *found, const Side *expected,
                    Remark remark) {
    size_t at = first_difference(found, expected);
    if (at == SIZE_MAX) {
        return;
    }
    bool is_text = found->kind == ELEMENT_CHARACTER || found->kind == ELEMENT_HEX;
    const char *element = is_text ? "byte" : "element";
    ReportText words = {.length = 0};
    if (found->count != expected->count) {
        report_add(&words, "found %zu %ss, expected %zu; ", found->count, element, expected->count);
    }
    report_add(&words, "the two differ from %s %zu on", element, at);
    ReportText lines = {.length = 0};
    add_part(&lines, "found", found, at);
    add_part(&lines, "expected", expected, at);
    assertion_fail(call, &words, remark, &lines);
}

#define COMPARING(name, type, kind)                                                                \
    void occ_assert_##name(const PlacedCall *call, const type *found, int32_t found_count,         \
                           const type *expected, int32_t expected_count, const uint8_t *text,      \
                           int32_t size) {                                                         \
        Side left = {kind, found, (size_t)found_count};                                            \
        Side right = {kind, expected, (size_t)expected_count};                                     \
        compare(call, &left, &right, (Remark){text, size});                                        \
    }
COMPARING(text_equal, uint8_t, ELEMENT_CHARACTER)
COMPARING(bytes_equal, uint8_t, ELEMENT_HEX)
COMPARING(ints_equal, int32_t, ELEMENT_INT)
COMPARING(int64s_equal, int64_t, ELEMENT_INT64)
COMPARING(real64s_equal, double, ELEMENT_REAL)
#undef COMPARING

void occ_assert_text_contains(const PlacedCall *call, const uint8_t *found, int32_t found_count,
                              const uint8_t *expected, int32_t expected_count, const uint8_t *text,
                              int32_t size) {
    if (memmem(found, (size_t)found_count, expected, (size_t)expected_count) != NULL) {
        return;
    }
    ReportText words = {.length = 0};
    report_add(&words, "the part is not in the text");
    ReportText lines = {.length = 0};
    Side whole = {ELEMENT_CHARACTER, found, (size_t)found_count};
    Side part = {ELEMENT_CHARACTER, expected, (size_t)expected_count};
    add_part(&lines, "found", &whole, 0);
    add_part(&lines, "part", &part, 0);
    assertion_fail(call, &words, (Remark){text, size}, &lines);
}
