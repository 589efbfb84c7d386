/* format -- values written into a text as a format says. See format.h. */
#include "format.h"

#include "assertion_fail.h"
#include "mobile.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

enum { NUMBER_SIZE = 512, WIDEST = 10000, NO_PLACES = -1, MOST_PLACES = 100 };

typedef struct Out {
    uint8_t *bytes;
    size_t room, used; /* what does not fit is only counted */
} Out;

/* One value: a scalar, or `count` BYTEs. */
typedef struct Value {
    const Form *form;
    const unsigned char *at;
    size_t count;
} Value;

/* What stands behind a %. */
typedef struct Wish {
    int32_t field, places;
    bool is_left;
    char letter;
} Wish;

/* ---- the values, in their order ---- */

static bool find(const Form *form, const unsigned char *at, int32_t *skip, Value *value);

static bool find_element(const Form *array, const unsigned char *at, size_t count, int32_t *skip,
                         Value *value) {
    if (array->part->kind == FORM_BYTE) {
        while (array->count != FORM_OPEN && count > 0 && at[count - 1] == '\0') {
            count--;
        }
        *value = (Value){array, at, count};
        return (*skip)-- == 0;
    }
    bool is_found = false;
    for (size_t i = 0; !is_found && i < count; i++) {
        is_found = find(array->part, at + i * array->part->bytes, skip, value);
    }
    return is_found;
}

static bool find_in_mobile(const Form *form, const unsigned char *at, int32_t *skip, Value *value) {
    const Mobile *object;
    memcpy(&object, at, sizeof object);
    if (object == NULL) {
        return false;
    }
    const unsigned char *contents = (const unsigned char *)object + form->header;
    if (form->part->kind == FORM_ARRAY && form->part->count == FORM_OPEN) {
        return find_element(form->part, contents, (size_t)object->counts[0], skip, value);
    }
    return find(form->part, contents, skip, value);
}

/* The value behind `skip` others. */
static bool find(const Form *form, const unsigned char *at, int32_t *skip, Value *value) {
    bool is_found = false;
    switch (form->kind) {
    case FORM_MOBILE: return find_in_mobile(form, at, skip, value);
    case FORM_ARRAY: return find_element(form, at, form->count, skip, value);
    case FORM_RECORD:
        for (uint64_t i = 0; !is_found && i < form->count; i++) {
            is_found = find(form->fields[i].form, at + form->fields[i].offset, skip, value);
        }
        return is_found;
    default: *value = (Value){form, at, 1}; return (*skip)-- == 0;
    }
}

/* ---- one value as text ---- */

static void put(Out *out, const void *bytes, size_t size) {
    if (out->used + size <= out->room) {
        memcpy(out->bytes + out->used, bytes, size);
    }
    out->used += size;
}

static void put_blanks(Out *out, size_t count) {
    for (size_t i = 0; i < count; i++) {
        put(out, " ", 1);
    }
}

static void put_in_field(Out *out, const Wish *wish, const void *bytes, size_t size) {
    size_t blanks = (size_t)wish->field > size ? (size_t)wish->field - size : 0;
    put_blanks(out, wish->is_left ? 0 : blanks);
    put(out, bytes, size);
    put_blanks(out, wish->is_left ? blanks : 0);
}

static uint64_t bits_of(const Value *value) {
    uint64_t bits = 0;
    memcpy(&bits, value->at, value->form->bytes);
    return bits;
}

static int64_t whole_of(const Value *value) {
    unsigned unused = value->form->kind == FORM_INT ? (unsigned)(64 - 8 * value->form->bytes) : 0;
    return (int64_t)(bits_of(value) << unused) >> unused;
}

static double real_of(const Value *value) {
    float narrow;
    double wide;
    if (value->form->kind != FORM_REAL) {
        return value->form->kind == FORM_UINT ? (double)bits_of(value) : (double)whole_of(value);
    }
    memcpy(&narrow, value->at, sizeof narrow);
    if (value->form->bytes == sizeof narrow) {
        return (double)narrow;
    }
    memcpy(&wide, value->at, sizeof wide);
    return wide;
}

static void put_real(Out *out, const Wish *wish, const Value *value) {
    uint8_t text[NUMBER_SIZE];
    int32_t length;
    double x = real_of(value);
    bool has_exponent = wish->letter == 'e';
    if (wish->places != NO_PLACES || has_exponent) {
        int32_t places = wish->places == NO_PLACES ? 6 : wish->places;
        occ_text_real_places(x, places, has_exponent, text, NUMBER_SIZE, &length);
    } else if (value->form->kind == FORM_REAL && value->form->bytes == sizeof(float)) {
        occ_text_real32((float)x, text, NUMBER_SIZE, &length);
    } else {
        occ_text_real(x, text, NUMBER_SIZE, &length);
    }
    put_in_field(out, wish, text, (size_t)length);
}

static void put_whole(Out *out, const Wish *wish, const Value *value) {
    char text[NUMBER_SIZE];
    const char *how = wish->letter == 'x'              ? "%.*llX"
                      : value->form->kind == FORM_UINT ? "%.*llu"
                                                       : "%.*lld";
    int digits = wish->letter == 'x' ? (int)(2 * value->form->bytes) : 1;
    int length = snprintf(text, sizeof text, how, digits,
                          wish->letter == 'x' ? (long long)bits_of(value) : whole_of(value));
    put_in_field(out, wish, text, (size_t)length);
}

static void put_value(Out *out, const Wish *wish, const Value *value) {
    bool is_real = value->form->kind == FORM_REAL;
    if (value->form->kind == FORM_ARRAY) {
        put_in_field(out, wish, value->at, value->count);
    } else if (wish->letter == 'c' && !is_real) {
        put_in_field(out, wish, value->at, 1);
    } else if (value->form->kind == FORM_BOOL && wish->letter != 'x') {
        put_in_field(out, wish, *value->at ? "TRUE" : "FALSE", *value->at ? 4 : 5);
    } else if (wish->letter == 'f' || wish->letter == 'e' || (is_real && wish->letter != 'x')) {
        put_real(out, wish, value);
    } else {
        put_whole(out, wish, value);
    }
}

/* ---- the format ---- */

static int32_t read_number(const uint8_t *format, int32_t size, int32_t *at, int32_t most) {
    int32_t number = 0;
    for (; *at < size && format[*at] >= '0' && format[*at] <= '9'; ++*at) {
        number = number > most ? number : 10 * number + (format[*at] - '0');
    }
    return number < most ? number : most;
}

/* From behind the % to behind its letter. */
static Wish read_wish(const uint8_t *format, int32_t size, int32_t *at) {
    Wish wish = {.places = NO_PLACES};
    if (*at < size && format[*at] == '-') {
        wish.is_left = true;
        ++*at;
    }
    wish.field = read_number(format, size, at, WIDEST);
    if (*at < size && format[*at] == '.') {
        ++*at;
        wish.places = read_number(format, size, at, MOST_PLACES);
    }
    if (*at < size) {
        wish.letter = (char)format[(*at)++];
    }
    return wish;
}

/* Whether there was a value for each %. */
static bool write_all(Out *out, const uint8_t *format, int32_t size, const Any *values) {
    int32_t next = 0;
    for (int32_t at = 0; at < size;) {
        if (format[at] != '%' || at + 1 == size || format[at + 1] == '%') {
            at += format[at] == '%' && at + 1 < size;
            put(out, format + at++, 1);
            continue;
        }
        at++;
        Wish wish = read_wish(format, size, &at);
        Value value;
        int32_t skip = next++;
        if (!find(values->form, values->at, &skip, &value)) {
            return false;
        }
        put_value(out, &wish, &value);
    }
    return true;
}

void occ_course_format_measure(const PlacedCall *call, const uint8_t *format, int32_t format_size,
                               const Any *values, int32_t *length) {
    Out out = {0};
    if (!write_all(&out, format, format_size, values)) {
        ReportText words = {.length = 0};
        report_add(&words, "the format asks for more values than there are");
        assertion_fail(call, &words, (Remark){format, format_size}, NULL);
    }
    *length = (int32_t)out.used;
}

void occ_format_write(const uint8_t *format, int32_t format_size, const Any *values, uint8_t *text,
                      int32_t text_size) {
    Out out = {.bytes = text, .room = (size_t)text_size};
    (void)write_all(&out, format, format_size, values);
}
