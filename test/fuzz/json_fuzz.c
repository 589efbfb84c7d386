/* json_fuzz -- libFuzzer on the texts of module json: what is read is a tree within its row, and
 * written again it is read as the same; what is no JSON has a place and a reason; any bytes can be
 * put between quotes.
 *
 * The row is checked as stdlib/jsonlib.occ relies on it: the parts of a value stand behind it. */
#include "json.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1 << 14 };

/* A document, in rooms of just its size. */
typedef struct Row {
    JsonItem *items;
    int32_t count;
    uint8_t *bytes;
    int32_t size;
} Row;

typedef struct Text {
    char *bytes;
    size_t size, room;
} Text;

static void require(bool holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "json_fuzz: %s\n", what);
        abort();
    }
}

static bool read_row(const uint8_t *data, size_t size, Row *row) {
    uint8_t words[16];
    int64_t document;
    int32_t line;
    int32_t column;
    int32_t length;
    occ_json_read(data, (int32_t)size, &document, &row->count, &row->size, &line, &column, words,
                  sizeof words, &length);
    if (document == 0) {
        require(line >= 1 && column >= 1, "a fault without a place");
        require(length >= 1 && length <= (int32_t)sizeof words, "a fault without a reason");
        return false;
    }
    row->items = malloc((size_t)row->count * sizeof *row->items);
    row->bytes = malloc((size_t)row->size);
    occ_json_take(document, row->items, row->count, row->bytes, row->size);
    return true;
}

static void forget(Row *row) {
    free(row->items);
    free(row->bytes);
}

static void check_bytes(const Row *row, int32_t at, int32_t size) {
    require(at >= 0 && size >= 0 && at + size <= row->size, "bytes outside of the document");
}

/* Each item but the first is the part of one before it, in order. */
static void check_row(const Row *row) {
    int32_t next = 1;
    require(row->count >= 1, "a document of nothing");
    for (int32_t i = 0; i < row->count; i++) {
        const JsonItem *item = &row->items[i];
        require(item->kind >= JSON_KIND_NULL && item->kind <= JSON_KIND_OBJECT, "an unknown kind");
        check_bytes(row, item->name_at, item->name_size);
        if (item->kind == JSON_KIND_TEXT) {
            check_bytes(row, item->at, item->size);
        } else if (item->kind >= JSON_KIND_ARRAY) {
            require(item->at == next && item->at > i, "parts that are not behind their value");
            next += item->size;
        }
    }
    require(next == row->count, "an item that is part of nothing");
}

/* ---- written again ---- */

static char *reserve(Text *text, size_t more) {
    if (text->size + more > text->room) {
        text->room = 2 * (text->size + more);
        text->bytes = realloc(text->bytes, text->room);
    }
    return text->bytes + text->size;
}

static void put(Text *text, const char *words) {
    size_t size = strlen(words);
    memcpy(reserve(text, size), words, size);
    text->size += size;
}

static void put_quoted(Text *text, const uint8_t *bytes, int32_t size) {
    size_t room = 6 * (size_t)size + 2;
    uint8_t *quoted = malloc(room);
    int32_t length;
    occ_json_quote(bytes, size, quoted, (int32_t)room, 0, &length);
    require(length >= size + 2 && (size_t)length <= room, "a quoted text beyond its room");
    memcpy(reserve(text, (size_t)length), quoted, (size_t)length);
    text->size += (size_t)length;
    free(quoted);
}

static void put_real(Text *text, double real) {
    char digits[64];
    snprintf(digits, sizeof digits, "%.17g", real);
    put(text, digits);
    put(text, strpbrk(digits, ".e") == NULL ? ".0" : "");
}

static void put_item(Text *text, const Row *row, int32_t number, bool has_name);

static void put_parts(Text *text, const Row *row, const JsonItem *item) {
    bool is_object = item->kind == JSON_KIND_OBJECT;
    put(text, is_object ? "{" : "[");
    for (int32_t i = 0; i < item->size; i++) {
        put(text, i > 0 ? "," : "");
        put_item(text, row, item->at + i, is_object);
    }
    put(text, is_object ? "}" : "]");
}

static void put_item(Text *text, const Row *row, int32_t number, bool has_name) {
    const JsonItem *item = &row->items[number];
    char digits[32];
    if (has_name) {
        put_quoted(text, row->bytes + item->name_at, item->name_size);
        put(text, ":");
    }
    switch (item->kind) {
    case JSON_KIND_NULL: put(text, "null"); break;
    case JSON_KIND_BOOL: put(text, item->whole != 0 ? "true" : "false"); break;
    case JSON_KIND_INT:
        snprintf(digits, sizeof digits, "%lld", (long long)item->whole);
        put(text, digits);
        break;
    case JSON_KIND_REAL: put_real(text, item->real); break;
    case JSON_KIND_TEXT: put_quoted(text, row->bytes + item->at, item->size); break;
    default: put_parts(text, row, item); break;
    }
}

static void require_same(const Row *one, const Row *two) {
    require(one->count == two->count && one->size == two->size, "another document");
    for (int32_t i = 0; i < one->count; i++) {
        const JsonItem *a = &one->items[i];
        const JsonItem *b = &two->items[i];
        require(a->kind == b->kind && a->whole == b->whole && a->size == b->size &&
                    memcmp(&a->real, &b->real, sizeof a->real) == 0 && isfinite(a->real),
                "another value");
    }
    require(one->size == 0 || memcmp(one->bytes, two->bytes, (size_t)one->size) == 0,
            "other names or texts");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Text text = {NULL, 0, 0};
    Row row;
    Row again;
    if (size > LONGEST) {
        return 0;
    }
    put_quoted(&text, data, (int32_t)size);
    text.size = 0;
    if (read_row(data, size, &row)) {
        check_row(&row);
        put_item(&text, &row, 0, false);
        require(read_row((const uint8_t *)text.bytes, text.size, &again), "written, it is no JSON");
        require_same(&row, &again);
        forget(&row);
        forget(&again);
    }
    free(text.bytes);
    return 0;
}
