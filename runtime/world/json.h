/* json -- what module json asks: C functions that its unit names with #PRAGMA EXTERNAL.
 *
 * Owns:   texts of JSON taken apart, over libjansson; the tree, and the text made of it, are
 *         occam's (stdlib/jsonlib.occ). Between the two a document is a row of items, in which the
 *         parts of an array or object stand side by side behind it, and the bytes of its names and
 *         texts. So neither side needs a stack for the depth of a document.
 * Holds:  nothing waits. A document lives from occ_json_read to occ_json_take. Conventions:
 *         decision 0011. */
#ifndef RT_JSON_H
#define RT_JSON_H

#include <stdint.h>

/* The kinds of stdlib/json.inc. */
enum {
    JSON_KIND_NULL = 1,
    JSON_KIND_BOOL,
    JSON_KIND_INT,
    JSON_KIND_REAL,
    JSON_KIND_TEXT,
    JSON_KIND_ARRAY,
    JSON_KIND_OBJECT,
};

/* COURSE.JSON.ITEM of stdlib/json_calls.inc. */
typedef struct JsonItem {
    int64_t whole;
    double real;
    int32_t kind;
    int32_t at, size;           /* a text's bytes; the items that are the parts */
    int32_t name_at, name_size; /* bytes, of a part of an object */
    int32_t padding;
} JsonItem;

/* How many items and bytes there are. document 0: it is no JSON, for the reason in words that was
 * found at that line and column, from 1 on. */
void occ_json_read(const uint8_t *text, int32_t text_size, int64_t *document, int32_t *items,
                   int32_t *bytes, int32_t *line, int32_t *column, uint8_t *words,
                   int32_t words_size, int32_t *length);
/* Room for exactly that many; afterwards the document is gone. */
void occ_json_take(int64_t document, JsonItem *items, int32_t item_count, uint8_t *bytes,
                   int32_t bytes_size);
/* A text of UTF-8 between quotes, as JSON has it, at `at` in out, which has room for six times its
 * bytes and the quotes: how many bytes that were. */
void occ_json_quote(const uint8_t *text, int32_t text_size, uint8_t *out, int32_t out_size,
                    int32_t at, int32_t *length);

#endif
