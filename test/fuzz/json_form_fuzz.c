/* json_form_fuzz -- libFuzzer on texts of JSON read into a record with fields of every kind: what does
 * not fit has a reason, what it has read so far is its own, and what fits is written as a text that is
 * read and written the same. */
#include "json_form.h"
#include "mobile.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER(form_kind, size)                                                                    \
    { .kind = (form_kind), .bytes = (size) }
#define OPEN(element)                                                                              \
    { .kind = FORM_ARRAY, .count = FORM_OPEN, .part = &(element) }
#define LEADS_TO(contents)                                                                         \
    { .kind = FORM_MOBILE, .header = MOBILE_DATA, .bytes = sizeof(void *), .part = &(contents) }

enum { FIELDS = 14, WORDS = 300 };

typedef struct Record {
    Form form;
    FormField fields[FIELDS];
} Record;

static Record record;
static const Form truth = NUMBER(FORM_BOOL, 1);
static const Form byte = NUMBER(FORM_BYTE, 1);
static const Form whole = NUMBER(FORM_INT, 4);
static const Form long_whole = NUMBER(FORM_INT, 8);
static const Form short_count = NUMBER(FORM_UINT, 2);
static const Form long_count = NUMBER(FORM_UINT, 8);
static const Form narrow = NUMBER(FORM_REAL, 4);
static const Form wide = NUMBER(FORM_REAL, 8);
static const Form code = {.kind = FORM_ARRAY, .bytes = 8, .count = 8, .part = &byte};
static const Form row = {.kind = FORM_ARRAY, .bytes = 12, .count = 3, .part = &whole};
static const Form bytes = OPEN(byte);
static const Form text = LEADS_TO(bytes);
static const Form some_texts = OPEN(text);
static const Form texts = LEADS_TO(some_texts);
static const Form node = LEADS_TO(record.form);
static const Form some_nodes = OPEN(node);
static const Form nodes = LEADS_TO(some_nodes);

void *mobile_take_outside(size_t size_bytes) {
    return malloc(size_bytes);
}

static void require(bool holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "json_form_fuzz: %s\n", what);
        abort();
    }
}

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    static const Form *const forms[FIELDS] = {&whole, &short_count, &byte,       &wide, &narrow,
                                              &truth, &long_whole,  &long_count, &code, &text,
                                              &row,   &node,        &nodes,      &texts};
    static const char names[FIELDS][2] = {"a", "b", "c", "d", "e", "f", "g",
                                          "h", "i", "j", "k", "l", "m", "n"};
    (void)count;
    (void)arguments;
    for (uint64_t i = 0; i < FIELDS; i++) {
        record.fields[i] = (FormField){names[i], forms[i], 16 * i};
    }
    record.form = (Form){.kind = FORM_RECORD, .bytes = 16 * (uint64_t)FIELDS, .count = FIELDS};
    return 0;
}

/* Of nodes it goes as deep as the text did. */
static void let_go(const Form *form, unsigned char *place) {
    uint64_t count = form->kind == FORM_RECORD || form->kind == FORM_ARRAY ? form->count : 0;
    Mobile *object = NULL;
    if (form->kind == FORM_MOBILE) {
        memcpy(&object, place, sizeof object);
    }
    if (object != NULL) {
        bool is_open = form->part->kind == FORM_ARRAY && form->part->count == FORM_OPEN;
        const Form *part = is_open ? form->part->part : form->part;
        for (int32_t i = 0; i < (is_open ? object->counts[0] : 1); i++) {
            let_go(part, (unsigned char *)object + form->header + (size_t)i * part->bytes);
        }
        free(object);
    }
    for (uint64_t i = 0; i < count; i++) {
        bool is_record = form->kind == FORM_RECORD;
        const Form *part = is_record ? form->fields[i].form : form->part;
        let_go(part, place + (is_record ? form->fields[i].offset : i * part->bytes));
    }
}

/* The text of the record, in room of just its size; NULL: there is none. */
static uint8_t *written(unsigned char *place, int32_t indent, int32_t *length) {
    Any any = {place, &record.form};
    int64_t formed;
    int32_t result;
    occ_json_form(&any, indent, &formed, length, &result);
    uint8_t *room = result < 0 ? NULL : malloc((size_t)*length);
    if (room != NULL) {
        occ_json_formed(formed, room, *length);
    }
    return room;
}

static bool fill(const uint8_t *data, int32_t size, unsigned char *place) {
    Any any = {place, &record.form};
    int32_t line;
    int32_t column;
    int32_t length;
    uint8_t words[WORDS];
    occ_json_fill(data, size, &any, &line, &column, words, sizeof words, &length);
    require(length >= 0 && length < WORDS && (length > 0) == (line != 0), "a fault without words");
    return line == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    unsigned char *first = calloc(1, record.form.bytes);
    unsigned char *second = calloc(1, record.form.bytes);
    int32_t length = 0;
    int32_t again = 0;
    bool fits = fill(data, (int32_t)size, first);
    uint8_t *one = written(first, (int32_t)(size % 3), &length);
    uint8_t *other = NULL;
    require(!fits || one != NULL, "what was read cannot be written");
    if (fits) {
        require(fill(one, length, second), "what was written cannot be read");
        other = written(second, (int32_t)(size % 3), &again);
        require(again == length && memcmp(one, other, (size_t)length) == 0, "another text");
    }
    free(one);
    free(other);
    let_go(&record.form, first);
    let_go(&record.form, second);
    free(first);
    free(second);
    return 0;
}
