/* assertion -- scalars of module assert, and how a failure is said. See assertion.h. */
#include "assertion.h"

#include "assertion_fail.h"
#include "error.h"
#include "standstill.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REMARK_SHOWN = 200, REAL_BYTES = 40, DIGITS_MAX = 17 };

/* ---- the end ---- */

static void add_remark(ReportText *words, Remark remark) {
    int32_t shown = remark.size < REMARK_SHOWN ? remark.size : REMARK_SHOWN;
    if (shown > 0) {
        report_add(words, ": %.*s%s", (int)shown, (const char *)remark.text,
                   shown < remark.size ? "..." : "");
    }
}

_Noreturn void assertion_fail(const PlacedCall *call, ReportText *words, Remark remark,
                              ReportText *lines) {
    Worker *worker = call->process->worker;
    if (!worker_is_solo(worker)) {
        standstill_forbid(worker); /* what follows is no function of the program any more */
    }
    add_remark(words, remark);
    report_add(words, "%c", '\0');
    if (lines != NULL) {
        report_add(lines, "%c", '\0');
    }
    ErrorWords said = {words->bytes, lines != NULL ? lines->bytes : ""};
    rt_error_assertion(call->process, call->site, &said);
}

/* ---- values as text ---- */

void assertion_add_real(ReportText *text, double value) {
    char shown[REAL_BYTES];
    int digits = 1;
    do {
        (void)snprintf(shown, sizeof shown, "%.*g", digits++, value);
    } while (digits <= DIGITS_MAX && isfinite(value) && strtod(shown, NULL) != value);
    report_add(text, "%s%s", shown, strpbrk(shown, ".en") == NULL ? ".0" : "");
}

/* The same of a REAL32: its neighbours are further away. */
static void add_real32(ReportText *text, float value) {
    char shown[REAL_BYTES];
    int digits = 1;
    do {
        (void)snprintf(shown, sizeof shown, "%.*g", digits++, (double)value);
    } while (digits <= DIGITS_MAX && isfinite(value) && strtof(shown, NULL) != value);
    report_add(text, "%s%s", shown, strpbrk(shown, ".en") == NULL ? ".0" : "");
}

void assertion_add_byte(ReportText *text, uint8_t byte) {
    switch (byte) {
    case '\n': report_add(text, "*n"); return;
    case '\r': report_add(text, "*c"); return;
    case '\t': report_add(text, "*t"); return;
    case '*':
    case '\'':
    case '"': report_add(text, "*%c", byte); return;
    default: report_add(text, byte < ' ' || byte == 127 ? "*#%02X" : "%c", byte); return;
    }
}

/* ---- which test ---- */

int32_t occ_test_number(void) {
    const char *number = getenv("OCC_TEST");
    return number != NULL ? (int32_t)strtol(number, NULL, 10) : -1;
}

/* ---- conditions ---- */

void occ_assert_bool_equal(const PlacedCall *call, bool found, bool expected, const uint8_t *text,
                           int32_t size) {
    static const char *const names[] = {"FALSE", "TRUE"};
    if (found != expected) {
        ReportText words = {.length = 0};
        report_add(&words, "found %s, expected %s", names[found], names[expected]);
        assertion_fail(call, &words, (Remark){text, size}, NULL);
    }
}

void occ_assert_true(const PlacedCall *call, bool condition, const uint8_t *text, int32_t size) {
    occ_assert_bool_equal(call, condition, true, text, size);
}

void occ_assert_false(const PlacedCall *call, bool condition, const uint8_t *text, int32_t size) {
    occ_assert_bool_equal(call, condition, false, text, size);
}

void occ_assert_fail(const PlacedCall *call, const uint8_t *text, int32_t size) {
    ReportText words = {.length = 0};
    report_add(&words, "this place must not be reached");
    assertion_fail(call, &words, (Remark){text, size}, NULL);
}

/* ---- whole numbers ---- */

static void require(const PlacedCall *call, bool is_so, int64_t found, const char *relation,
                    int64_t expected, Remark remark) {
    if (!is_so) {
        ReportText words = {.length = 0};
        report_add(&words, "found %" PRId64 ", expected %s%" PRId64, found, relation, expected);
        assertion_fail(call, &words, remark, NULL);
    }
}

void occ_assert_byte_equal(const PlacedCall *call, uint8_t found, uint8_t expected,
                           const uint8_t *text, int32_t size) {
    if (found != expected) {
        ReportText words = {.length = 0};
        report_add(&words, "found %u ('", found);
        assertion_add_byte(&words, found);
        report_add(&words, "'), expected %u ('", expected);
        assertion_add_byte(&words, expected);
        report_add(&words, "')");
        assertion_fail(call, &words, (Remark){text, size}, NULL);
    }
}

void occ_assert_int_equal(const PlacedCall *call, int32_t found, int32_t expected,
                          const uint8_t *text, int32_t size) {
    require(call, found == expected, found, "", expected, (Remark){text, size});
}

void occ_assert_int_differs(const PlacedCall *call, int32_t found, int32_t other,
                            const uint8_t *text, int32_t size) {
    require(call, found != other, found, "anything but ", other, (Remark){text, size});
}

void occ_assert_int_less(const PlacedCall *call, int32_t found, int32_t limit, const uint8_t *text,
                         int32_t size) {
    require(call, found < limit, found, "less than ", limit, (Remark){text, size});
}

void occ_assert_int_at_most(const PlacedCall *call, int32_t found, int32_t limit,
                            const uint8_t *text, int32_t size) {
    require(call, found <= limit, found, "at most ", limit, (Remark){text, size});
}

void occ_assert_int16_equal(const PlacedCall *call, int16_t found, int16_t expected,
                            const uint8_t *text, int32_t size) {
    require(call, found == expected, found, "", expected, (Remark){text, size});
}

void occ_assert_int32_equal(const PlacedCall *call, int32_t found, int32_t expected,
                            const uint8_t *text, int32_t size) {
    require(call, found == expected, found, "", expected, (Remark){text, size});
}

void occ_assert_int64_equal(const PlacedCall *call, int64_t found, int64_t expected,
                            const uint8_t *text, int32_t size) {
    require(call, found == expected, found, "", expected, (Remark){text, size});
}

/* ---- reals ---- */

static bool reals_are_near(double found, double expected, double tolerance) {
    bool are_equal = found <= expected && found >= expected; /* infinities too */
    return are_equal || (isnan(found) && isnan(expected)) || fabs(found - expected) <= tolerance;
}

void occ_assert_real32_near(const PlacedCall *call, float found, float expected, float tolerance,
                            const uint8_t *text, int32_t size) {
    if (!reals_are_near((double)found, (double)expected, (double)tolerance)) {
        ReportText words = {.length = 0};
        report_add(&words, "found ");
        add_real32(&words, found);
        report_add(&words, ", expected ");
        add_real32(&words, expected);
        if (tolerance > 0) {
            report_add(&words, ", at most ");
            add_real32(&words, tolerance);
            report_add(&words, " away");
        }
        assertion_fail(call, &words, (Remark){text, size}, NULL);
    }
}

void occ_assert_real64_near(const PlacedCall *call, double found, double expected, double tolerance,
                            const uint8_t *text, int32_t size) {
    if (!reals_are_near(found, expected, tolerance)) {
        ReportText words = {.length = 0};
        report_add(&words, "found ");
        assertion_add_real(&words, found);
        report_add(&words, ", expected ");
        assertion_add_real(&words, expected);
        if (tolerance > 0) {
            report_add(&words, ", at most ");
            assertion_add_real(&words, tolerance);
            report_add(&words, " away");
        }
        assertion_fail(call, &words, (Remark){text, size}, NULL);
    }
}

void occ_assert_real32_equal(const PlacedCall *call, float found, float expected,
                             const uint8_t *text, int32_t size) {
    occ_assert_real32_near(call, found, expected, 0, text, size);
}

void occ_assert_real64_equal(const PlacedCall *call, double found, double expected,
                             const uint8_t *text, int32_t size) {
    occ_assert_real64_near(call, found, expected, 0, text, size);
}
