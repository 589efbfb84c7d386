/* json -- texts of JSON taken apart. See json.h. */
#include "json.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 64 };

/* A value whose parts, from `parts` on, are behind it in the row. */
typedef struct Value {
    json_t *json;
    const char *name;
    size_t name_size;
    int32_t parts;
} Value;

typedef struct Document {
    json_t *root;
    Value *values;
    int32_t count, room;
    size_t bytes; /* of all names and texts */
} Document;

static bool add(Document *document, json_t *json, const char *name, size_t name_size) {
    if (document->count == document->room) {
        if (document->room > INT32_MAX / 2) {
            return false;
        }
        int32_t room = document->room == 0 ? FIRST_ROOM : document->room * 2;
        Value *larger = realloc(document->values, (size_t)room * sizeof *larger);
        if (larger == NULL) {
            return false;
        }
        document->values = larger;
        document->room = room;
    }
    document->values[document->count] = (Value){.json = json, .name = name, .name_size = name_size};
    document->count++;
    document->bytes += name_size + (json_is_string(json) ? json_string_length(json) : 0);
    return true;
}

static bool add_parts(Document *document, json_t *json) {
    bool is_good = true;
    if (json_is_array(json)) {
        for (size_t i = 0; is_good && i < json_array_size(json); i++) {
            is_good = add(document, json_array_get(json, i), NULL, 0);
        }
    } else {
        void *at = json_object_iter(json);
        for (; is_good && at != NULL; at = json_object_iter_next(json, at)) {
            is_good = add(document, json_object_iter_value(at), json_object_iter_key(at),
                          json_object_iter_key_len(at));
        }
    }
    return is_good;
}

/* The row: the root, its parts, their parts. */
static bool line_up(Document *document) {
    bool is_good = add(document, document->root, NULL, 0);
    for (int32_t i = 0; is_good && i < document->count; i++) {
        document->values[i].parts = document->count;
        is_good = add_parts(document, document->values[i].json);
    }
    return is_good && document->bytes <= INT32_MAX;
}

static void forget(Document *document) {
    json_decref(document->root);
    free(document->values);
    free(document);
}

static Document *document_of(json_t *root) {
    Document *document = calloc(1, sizeof *document);
    if (document == NULL) {
        json_decref(root);
        return NULL;
    }
    document->root = root;
    if (!line_up(document)) {
        forget(document);
        return NULL;
    }
    return document;
}

void occ_json_read(const uint8_t *text, int32_t text_size, int64_t *document, int32_t *items,
                   int32_t *bytes, int32_t *line, int32_t *column, uint8_t *words,
                   int32_t words_size, int32_t *length) {
    json_error_t error = {.line = 1, .text = "out of memory"};
    json_t *root = json_loadb(text_size == 0 ? "" : (const char *)text, (size_t)text_size,
                              JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, &error);
    Document *made = root == NULL ? NULL : document_of(root);
    *document = (int64_t)(intptr_t)made;
    *items = made == NULL ? 0 : made->count;
    *bytes = made == NULL ? 0 : (int32_t)made->bytes;
    *line = error.line < 1 ? 1 : error.line;
    *column = error.column < 1 ? 1 : error.column;
    *length = 0;
    if (made == NULL) {
        const char *why = root == NULL ? error.text : "out of memory";
        size_t size = strlen(why);
        *length = size < (size_t)words_size ? (int32_t)size : words_size;
        memcpy(words, why, (size_t)*length);
    }
}

static int32_t kind_of(const json_t *json) {
    switch (json_typeof(json)) {
    case JSON_NULL: return JSON_KIND_NULL;
    case JSON_TRUE:
    case JSON_FALSE: return JSON_KIND_BOOL;
    case JSON_INTEGER: return JSON_KIND_INT;
    case JSON_REAL: return JSON_KIND_REAL;
    case JSON_STRING: return JSON_KIND_TEXT;
    case JSON_ARRAY: return JSON_KIND_ARRAY;
    case JSON_OBJECT: return JSON_KIND_OBJECT;
    }
    return JSON_KIND_NULL;
}

/* Copies behind what is there; where that is. */
static int32_t put(uint8_t *bytes, int32_t *used, const char *from, size_t size) {
    int32_t at = *used;
    if (size > 0) {
        memcpy(bytes + at, from, size);
    }
    *used += (int32_t)size;
    return at;
}

static JsonItem item_of(const Value *value, uint8_t *bytes, int32_t *used) {
    const json_t *json = value->json;
    JsonItem item = {.kind = kind_of(json), .name_size = (int32_t)value->name_size};
    item.name_at = put(bytes, used, value->name, value->name_size);
    if (json_is_string(json)) {
        item.size = (int32_t)json_string_length(json);
        item.at = put(bytes, used, json_string_value(json), json_string_length(json));
    } else if (json_is_array(json) || json_is_object(json)) {
        item.size = (int32_t)(json_is_array(json) ? json_array_size(json) : json_object_size(json));
        item.at = value->parts;
    } else {
        item.whole = json_is_integer(json) ? json_integer_value(json) : json_is_true(json);
        item.real = json_is_number(json) ? json_number_value(json) : 0.0;
    }
    return item;
}

void occ_json_take(int64_t document, JsonItem *items, int32_t item_count, uint8_t *bytes,
                   int32_t bytes_size) {
    Document *taken = (Document *)(intptr_t)document;
    int32_t used = 0;
    (void)bytes_size;
    for (int32_t i = 0; i < item_count; i++) {
        items[i] = item_of(&taken->values[i], bytes, &used);
    }
    forget(taken);
}
