/* json_form -- texts of JSON read into variables. See json_form.h. */
#include "json_form.h"

#include "mobile.h"

#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PATH_SIZE = 160, STEP_SIZE = 80, NUMBER_SIZE = 24, WORDS_SIZE = 96 };

/* Fault -- what does not fit, and where: the path grows to the front, as the walk comes back. */
typedef struct Fault {
    char path[PATH_SIZE];
    size_t at;
    char words[WORDS_SIZE];
} Fault;

/* "items", "[2]", in front of what follows. */
static void step(Fault *fault, const char *format, ...) {
    char text[STEP_SIZE];
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t length = written < STEP_SIZE - 1 ? (size_t)written : STEP_SIZE - 2;
    if (fault->at < PATH_SIZE && fault->path[fault->at] != '[') {
        text[length++] = '.';
    }
    if (length <= fault->at) {
        fault->at -= length;
        memcpy(fault->path + fault->at, text, length);
    }
}

static const char *name_of(const json_t *json) {
    switch (json_typeof(json)) {
    case JSON_NULL: return "null";
    case JSON_TRUE: return "true";
    case JSON_FALSE: return "false";
    case JSON_INTEGER: return "a whole number";
    case JSON_REAL: return "a number with a point";
    case JSON_STRING: return "a text";
    case JSON_ARRAY: return "an array";
    case JSON_OBJECT: return "an object";
    }
    return "something else";
}

static bool is_wrong(Fault *fault, const json_t *json, const char *wanted) {
    snprintf(fault->words, sizeof fault->words, "%s is wanted, and it is %s", wanted,
             name_of(json));
    return false;
}

static bool read_value(const json_t *json, const Form *form, unsigned char *place, Fault *fault);

/* ---- numbers ---- */

static bool fits(const Form *form, int64_t value) {
    unsigned bits = (unsigned)(8 * form->bytes);
    if (form->kind == FORM_INT) {
        int64_t most = bits == 64 ? INT64_MAX : ((int64_t)1 << (bits - 1)) - 1;
        return value <= most && value >= -most - 1;
    }
    return value >= 0 && (bits == 64 || value < (int64_t)1 << bits);
}

static bool does_not_fit(Fault *fault, const Form *form, const char *number) {
    snprintf(fault->words, sizeof fault->words, "%s does not fit in %u bits", number,
             (unsigned)(8 * form->bytes));
    return false;
}

/* The low bytes of the number: the machine has them first. */
static bool read_whole(const json_t *json, const Form *form, unsigned char *place, Fault *fault) {
    if (!json_is_integer(json)) {
        return is_wrong(fault, json, "a whole number");
    }
    int64_t value = json_integer_value(json);
    if (!fits(form, value)) {
        char number[NUMBER_SIZE];
        snprintf(number, sizeof number, "%lld", (long long)value);
        return does_not_fit(fault, form, number);
    }
    memcpy(place, &value, form->bytes);
    return true;
}

static bool read_real(const json_t *json, const Form *form, unsigned char *place, Fault *fault) {
    if (!json_is_number(json)) {
        return is_wrong(fault, json, "a number");
    }
    double value = json_number_value(json);
    float narrow = (float)value;
    if (form->bytes == sizeof narrow && isinf(narrow)) {
        return does_not_fit(fault, form, "a number so large");
    }
    if (form->bytes == sizeof narrow) {
        memcpy(place, &narrow, sizeof narrow);
    } else {
        memcpy(place, &value, sizeof value);
    }
    return true;
}

/* ---- arrays ---- */

static bool is_text(const Form *array) {
    return array->part->kind == FORM_BYTE;
}

/* How many elements the value has for such an array; false: it is none. */
static bool count_elements(const json_t *json, const Form *array, size_t *count, Fault *fault) {
    if (is_text(array)) {
        *count = json_string_length(json);
        return json_is_string(json) || is_wrong(fault, json, "a text");
    }
    *count = json_array_size(json);
    return json_is_array(json) || is_wrong(fault, json, "an array");
}

static bool read_elements(const json_t *json, const Form *array, unsigned char *place, size_t count,
                          Fault *fault) {
    if (is_text(array)) {
        memcpy(place, json_string_value(json), count);
        return true;
    }
    for (size_t i = 0; i < count; i++) {
        if (!read_value(json_array_get(json, i), array->part, place + i * array->part->bytes,
                        fault)) {
            step(fault, "[%zu]", i);
            return false;
        }
    }
    return true;
}

/* Of a text, what is left of the array are NULs. */
static bool read_array(const json_t *json, const Form *form, unsigned char *place, Fault *fault) {
    size_t count;
    if (!count_elements(json, form, &count, fault)) {
        return false;
    }
    if (count > form->count || (count < form->count && !is_text(form))) {
        snprintf(fault->words, sizeof fault->words, "%s%llu %s are wanted, and it has %zu",
                 is_text(form) ? "at most " : "", (unsigned long long)form->count,
                 is_text(form) ? "bytes" : "elements", count);
        return false;
    }
    if (is_text(form)) {
        memset(place, 0, form->count);
    }
    return read_elements(json, form, place, count, fault);
}

/* ---- records and mobiles ---- */

static bool may_be_missing(const Form *form) {
    return form->kind == FORM_MOBILE && form->part->kind == FORM_RECORD;
}

static bool read_record(const json_t *json, const Form *form, unsigned char *place, Fault *fault) {
    if (!json_is_object(json)) {
        return is_wrong(fault, json, "an object");
    }
    for (uint64_t i = 0; i < form->count; i++) {
        const FormField *field = &form->fields[i];
        const json_t *value = json_object_get(json, field->name);
        if (value == NULL && !may_be_missing(field->form)) {
            snprintf(fault->words, sizeof fault->words, "is missing");
        } else if (value == NULL || read_value(value, field->form, place + field->offset, fault)) {
            continue;
        }
        step(fault, "%s", field->name);
        return false;
    }
    return true;
}

static Mobile *make(const Form *form, size_t contents, Fault *fault) {
    Mobile *object = mobile_take_outside(form->header + contents);
    if (object == NULL) {
        snprintf(fault->words, sizeof fault->words, "out of memory");
    } else {
        memset((unsigned char *)object + form->header, 0, contents);
    }
    return object;
}

/* The object is the variable's before anything in it can be wrong. */
static bool read_mobile(const json_t *json, const Form *form, unsigned char *place, Fault *fault) {
    const Form *part = form->part;
    bool is_open = part->kind == FORM_ARRAY && part->count == FORM_OPEN;
    size_t count = 0;
    if (json_is_null(json) && may_be_missing(form)) {
        return true;
    }
    if (is_open && !count_elements(json, part, &count, fault)) {
        return false;
    }
    if (is_open && part->part->bytes == 0) {
        snprintf(fault->words, sizeof fault->words, "arrays with several open sizes are not read");
        return false;
    }
    Mobile *object = make(form, is_open ? count * part->part->bytes : part->bytes, fault);
    if (object == NULL) {
        return false;
    }
    memcpy(place, &object, sizeof object);
    unsigned char *contents = (unsigned char *)object + form->header;
    if (!is_open) {
        return read_value(json, part, contents, fault);
    }
    object->counts[0] = (int32_t)count;
    return read_elements(json, part, contents, count, fault);
}

static bool read_value(const json_t *json, const Form *form, unsigned char *place, Fault *fault) {
    switch (form->kind) {
    case FORM_BOOL:
        *place = json_is_true(json);
        return json_is_boolean(json) || is_wrong(fault, json, "true or false");
    case FORM_BYTE:
    case FORM_INT:
    case FORM_UINT: return read_whole(json, form, place, fault);
    case FORM_REAL: return read_real(json, form, place, fault);
    case FORM_ARRAY: return read_array(json, form, place, fault);
    case FORM_RECORD: return read_record(json, form, place, fault);
    default: return read_mobile(json, form, place, fault);
    }
}

/* ---- the door ---- */

void occ_json_fill(const uint8_t *text, int32_t text_size, const Any *variable, int32_t *line,
                   int32_t *column, uint8_t *words, int32_t words_size, int32_t *length) {
    json_error_t error = {.line = 1, .text = "out of memory"};
    json_t *root = json_loadb(text_size == 0 ? "" : (const char *)text, (size_t)text_size,
                              JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, &error);
    Fault fault = {.at = PATH_SIZE};
    bool is_read = root != NULL && read_value(root, variable->form, variable->at, &fault);
    *column = root != NULL ? 0 : error.column < 1 ? 1 : error.column;
    *line = is_read ? 0 : root != NULL ? -1 : error.line < 1 ? 1 : error.line;
    int written = 0;
    if (!is_read) {
        written = root == NULL ? snprintf((char *)words, (size_t)words_size, "%s", error.text)
                               : snprintf((char *)words, (size_t)words_size, "%.*s%s%s",
                                          (int)(PATH_SIZE - fault.at), fault.path + fault.at,
                                          fault.at < PATH_SIZE ? ": " : "", fault.words);
    }
    *length = written < words_size ? written : words_size - 1;
    json_decref(root);
}
