/* json_form_text -- texts of JSON written from variables. See json_form.h. */
#include "json.h"
#include "json_form.h"
#include "mobile.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NOT_UTF8 = -1,
    TOO_DEEP = -2,
    NO_NUMBER = -3,
    NO_MEMORY = -4,
    DEPTH_LIMIT = 2048,
    NUMBER_SIZE = 40,
    QUOTED_BYTE = 6, /* at most, of a byte between quotes */
    FIRST_ROOM = 256
};

typedef struct Out {
    uint8_t *bytes;
    size_t used, room;
    int32_t indent, depth, result;
} Out;

static bool reserve(Out *out, size_t more) {
    size_t room = out->room == 0 ? FIRST_ROOM : out->room;
    while (room < out->used + more) {
        room *= 2;
    }
    uint8_t *larger = room == out->room                     ? out->bytes
                      : out->result < 0 || room > INT32_MAX ? NULL
                                                            : realloc(out->bytes, room);
    if (larger == NULL) {
        out->result = out->result < 0 ? out->result : NO_MEMORY;
        return false;
    }
    out->bytes = larger;
    out->room = room;
    return true;
}

static void put(Out *out, const char *text, size_t size) {
    if (reserve(out, size)) {
        memcpy(out->bytes + out->used, text, size);
        out->used += size;
    }
}

static void put_byte(Out *out, char byte) {
    put(out, &byte, 1);
}

static void new_line(Out *out) {
    if (out->indent > 0) {
        put_byte(out, '\n');
        for (int32_t i = 0; i < out->indent * out->depth; i++) {
            put_byte(out, ' ');
        }
    }
}

static void put_text(Out *out, const unsigned char *bytes, size_t size) {
    json_t *checked = json_stringn((const char *)bytes, size);
    if (checked == NULL) {
        out->result = NOT_UTF8;
    } else if (reserve(out, QUOTED_BYTE * size + 2)) {
        int32_t length;
        occ_json_quote(bytes, (int32_t)size, out->bytes, (int32_t)out->room, (int32_t)out->used,
                       &length);
        out->used += (size_t)length;
    }
    json_decref(checked);
}

/* As few digits as give the number again, and a point. */
static void put_real(Out *out, const Form *form, const unsigned char *place) {
    float narrow = 0;
    double value = 0;
    bool is_narrow = form->bytes == sizeof narrow;
    memcpy(is_narrow ? (void *)&narrow : (void *)&value, place, form->bytes);
    value = is_narrow ? (double)narrow : value;
    if (!isfinite(value)) {
        out->result = NO_NUMBER;
        return;
    }
    char text[NUMBER_SIZE];
    bool is_same = false;
    for (int digits = is_narrow ? 6 : 15; !is_same; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        is_same = is_narrow ? strtof(text, NULL) == narrow : strtod(text, NULL) == value;
    }
    put(out, text, strlen(text));
    if (strpbrk(text, ".e") == NULL) {
        put(out, ".0", 2);
    }
}

static void put_whole(Out *out, const Form *form, const unsigned char *place) {
    char text[NUMBER_SIZE];
    uint64_t value = 0;
    memcpy(&value, place, form->bytes);
    unsigned unused = (unsigned)(64 - 8 * form->bytes);
    if (form->kind == FORM_INT) {
        snprintf(text, sizeof text, "%lld", (long long)((int64_t)(value << unused) >> unused));
    } else {
        snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    }
    put(out, text, strlen(text));
}

static void put_value(Out *out, const Form *form, const unsigned char *place);

static bool begin_parts(Out *out, char bracket) {
    put_byte(out, bracket);
    out->depth++;
    out->result = out->depth > DEPTH_LIMIT ? TOO_DEEP : out->result;
    return out->result >= 0;
}

static void end_parts(Out *out, size_t count, char bracket) {
    out->depth--;
    if (count > 0) {
        new_line(out);
    }
    put_byte(out, bracket);
}

static void begin_part(Out *out, size_t index) {
    if (index > 0) {
        put_byte(out, ',');
    }
    new_line(out);
}

static void put_elements(Out *out, const Form *array, const unsigned char *place, size_t count) {
    if (array->part->kind == FORM_BYTE) {
        put_text(out, place, count);
        return;
    }
    bool goes_on = begin_parts(out, '[');
    for (size_t i = 0; goes_on && i < count && out->result >= 0; i++) {
        begin_part(out, i);
        put_value(out, array->part, place + i * array->part->bytes);
    }
    end_parts(out, count, ']');
}

/* The NULs behind a text in an array are not of it. */
static void put_array(Out *out, const Form *form, const unsigned char *place) {
    size_t count = form->count;
    while (form->part->kind == FORM_BYTE && count > 0 && place[count - 1] == '\0') {
        count--;
    }
    put_elements(out, form, place, count);
}

static void put_record(Out *out, const Form *form, const unsigned char *place) {
    bool goes_on = begin_parts(out, '{');
    for (uint64_t i = 0; goes_on && i < form->count && out->result >= 0; i++) {
        const FormField *field = &form->fields[i];
        begin_part(out, i);
        put_text(out, (const unsigned char *)field->name, strlen(field->name));
        put(out, ": ", out->indent > 0 ? 2 : 1);
        put_value(out, field->form, place + field->offset);
    }
    end_parts(out, form->count, '}');
}

static void put_mobile(Out *out, const Form *form, const unsigned char *place) {
    Mobile *object;
    memcpy(&object, place, sizeof object);
    if (object == NULL) {
        put(out, "null", strlen("null"));
        return;
    }
    const unsigned char *contents = (const unsigned char *)object + form->header;
    if (form->part->kind == FORM_ARRAY && form->part->count == FORM_OPEN) {
        put_elements(out, form->part, contents, (size_t)object->counts[0]);
    } else {
        put_value(out, form->part, contents);
    }
}

static void put_value(Out *out, const Form *form, const unsigned char *place) {
    switch (form->kind) {
    case FORM_BOOL: put(out, *place ? "true" : "false", *place ? 4 : 5); return;
    case FORM_BYTE:
    case FORM_INT:
    case FORM_UINT: put_whole(out, form, place); return;
    case FORM_REAL: put_real(out, form, place); return;
    case FORM_ARRAY: put_array(out, form, place); return;
    case FORM_RECORD: put_record(out, form, place); return;
    default: put_mobile(out, form, place);
    }
}

void occ_json_form(const Any *variable, int32_t indent, int64_t *text, int32_t *length,
                   int32_t *result) {
    Out out = {.indent = indent};
    put_value(&out, variable->form, variable->at);
    *result = out.result;
    if (out.result < 0) {
        free(out.bytes);
        out = (Out){0};
    }
    *text = (int64_t)(intptr_t)out.bytes;
    *length = (int32_t)out.used;
}

void occ_json_formed(int64_t text, uint8_t *bytes, int32_t bytes_size) {
    uint8_t *formed = (uint8_t *)(intptr_t)text;
    if (bytes_size > 0) {
        memcpy(bytes, formed, (size_t)bytes_size);
    }
    free(formed);
}
