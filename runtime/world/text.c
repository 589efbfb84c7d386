/* text -- searching in texts, and reals as text. See text.h. */
#define _GNU_SOURCE
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ALL_DIGITS = 17,  /* of a double: with these every one reads back */
    SHORT_TEXT = 32,  /* those digits, a sign, a point, an exponent */
    FIRST_PLAIN = -5, /* exponents that are written without one */
    LAST_PLAIN = 15,
};

int32_t occ_text_find(const uint8_t *text, int32_t size, const uint8_t *wanted, int32_t length,
                      int32_t start) {
    if (start < 0 || start > size) {
        return -1;
    }
    const uint8_t *found = memmem(text + start, (size_t)(size - start), wanted, (size_t)length);
    return found == NULL ? -1 : (int32_t)(found - text);
}

int32_t occ_text_find_byte(const uint8_t *text, int32_t size, uint8_t wanted, int32_t start) {
    if (start < 0 || start >= size) {
        return -1;
    }
    const uint8_t *found = memchr(text + start, wanted, (size_t)(size - start));
    return found == NULL ? -1 : (int32_t)(found - text);
}

int32_t occ_text_compare(const uint8_t *a, int32_t a_size, const uint8_t *b, int32_t b_size) {
    int32_t common = a_size < b_size ? a_size : b_size;
    int order = common == 0 ? 0 : memcmp(a, b, (size_t)common);
    return order != 0 ? order : (a_size > b_size) - (a_size < b_size);
}

static void give(const char *from, int32_t count, uint8_t *text, int32_t size, int32_t *length) {
    *length = count < size ? count : size;
    memcpy(text, from, (size_t)*length);
}

static bool give_special(double x, uint8_t *text, int32_t size, int32_t *length) {
    if (isfinite(x)) {
        return false;
    }
    const char *word = isnan(x) ? "NaN" : x < 0 ? "-Inf" : "Inf";
    give(word, (int32_t)strlen(word), text, size, length);
    return true;
}

/* The digits and the exponent of the shortest "d.dddE+x" that reads back, as REAL32 or REAL64. */
static int shortest(double x, bool is_narrow, char *scientific) {
    int digits = 1;
    bool is_same;
    do {
        (void)snprintf(scientific, SHORT_TEXT, "%.*e", digits - 1, x);
        is_same = is_narrow ? (double)strtof(scientific, NULL) == x : strtod(scientific, NULL) == x;
        digits++;
    } while (digits <= ALL_DIGITS && !is_same);
    return digits - 1;
}

static void give_shortest(double x, bool is_narrow, uint8_t *text, int32_t size, int32_t *length) {
    char scientific[SHORT_TEXT];
    char plain[SHORT_TEXT];
    int count;
    if (give_special(x, text, size, length)) {
        return;
    }
    int digits = shortest(x, is_narrow, scientific);
    char *mark = strchr(scientific, 'e');
    int exponent = (int)strtol(mark + 1, NULL, 10);
    if (exponent >= FIRST_PLAIN && exponent <= LAST_PLAIN) {
        int places = digits - 1 - exponent;
        count = snprintf(plain, sizeof plain, "%.*f", places > 1 ? places : 1, x);
    } else {
        *mark = '\0';
        count = snprintf(plain, sizeof plain, "%s%sE%c%02d", scientific, digits == 1 ? ".0" : "",
                         exponent < 0 ? '-' : '+', abs(exponent));
    }
    give(plain, count, text, size, length);
}

void occ_text_real(double x, uint8_t *text, int32_t size, int32_t *length) {
    give_shortest(x, false, text, size, length);
}

void occ_text_real32(float x, uint8_t *text, int32_t size, int32_t *length) {
    give_shortest((double)x, true, text, size, length);
}

void occ_text_real_places(double x, int32_t places, bool has_exponent, uint8_t *text, int32_t size,
                          int32_t *length) {
    if (!give_special(x, text, size, length)) {
        int count = snprintf((char *)text, (size_t)size, has_exponent ? "%.*E" : "%.*f", places, x);
        *length = count < size ? count : size;
    }
}
