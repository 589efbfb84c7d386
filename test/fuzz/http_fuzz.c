/* http_fuzz -- libFuzzer on the messages of module http: read at once and a few bytes at a time
 * they are the same, and nothing outside of what has come is named.
 *
 * The first byte of the input says what kind of message the rest is, and how many bytes come at a
 * time. */
#include "http.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 16, WORDS = HTTP_FIELD_WORDS + 4 * FIELDS, LONGEST = 1 << 16 };

/* What came of a message. */
typedef struct Outcome {
    int32_t head; /* result of its head */
    int32_t words[WORDS];
    int64_t length;
    int32_t body; /* last result of its body; -1: it is not whole */
    uint8_t bytes[LONGEST];
    size_t count;
} Outcome;

static void require(bool holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "http_fuzz: %s\n", what);
        abort();
    }
}

static void check_place(int32_t at, int32_t length, int32_t from, int32_t to) {
    require(at >= from && length >= 0 && at + length <= to, "a place outside of the message");
}

static void read_body(Outcome *outcome, uint8_t *parser, const uint8_t *data, int32_t size,
                      int32_t from, int32_t to, int32_t step) {
    int32_t *flags = &outcome->words[HTTP_FLAGS];
    outcome->body = (*flags & HTTP_NO_BODY) != 0 ? 0 : -1;
    while (outcome->body != 0 && outcome->body != -400) {
        int32_t at;
        int32_t length;
        if (from == to) {
            if (to == size) {
                outcome->body = -1;
                return;
            }
            to = size - to < step ? size : to + step;
        }
        int32_t before = from;
        occ_http_body(parser, data, size, &from, to, flags, &at, &length, &outcome->body);
        require(from >= before && from <= to, "a body read beyond what has come");
        check_place(at, length, before, to);
        require(length == 0 || outcome->body == 1, "a part with another result");
        memcpy(outcome->bytes + outcome->count, data + at, (size_t)length);
        outcome->count += (size_t)length;
    }
}

static void read_message(Outcome *outcome, const uint8_t *data, int32_t size, int32_t kind,
                         int32_t step) {
    uint8_t parser[HTTP_PARSER_BYTES] __attribute__((aligned(8)));
    int32_t to = 0;
    memset(outcome, 0, sizeof *outcome);
    while (outcome->head == 0 && to < size) {
        to = size - to < step ? size : to + step;
        occ_http_head(parser, data, size, 0, to, kind, outcome->words, WORDS, &outcome->length,
                      &outcome->head);
    }
    if (outcome->head <= 0) {
        return;
    }
    require(outcome->head <= to, "a head beyond what has come");
    check_place(outcome->words[HTTP_METHOD_AT], outcome->words[HTTP_METHOD_LENGTH], 0,
                outcome->head);
    check_place(outcome->words[HTTP_TARGET_AT], outcome->words[HTTP_TARGET_LENGTH], 0,
                outcome->head);
    require(outcome->words[HTTP_FIELDS] <= FIELDS, "more fields than there is room for");
    for (int32_t i = 0; i < outcome->words[HTTP_FIELDS]; i++) {
        const int32_t *field = &outcome->words[HTTP_FIELD_WORDS + 4 * i];
        check_place(field[0], field[1], 0, outcome->head);
        check_place(field[2], field[3], 0, outcome->head);
    }
    read_body(outcome, parser, data, size, outcome->head, to, step);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static Outcome whole;
    static Outcome parts;
    if (size < 2 || size > LONGEST) {
        return 0;
    }
    int32_t kind = data[0] % 3;
    int32_t step = 1 + data[0] / 3 % 16;
    read_message(&whole, data + 1, (int32_t)size - 1, kind, (int32_t)size - 1);
    read_message(&parts, data + 1, (int32_t)size - 1, kind, step);
    require((whole.head > 0) == (parts.head > 0) || parts.head < 0 || whole.head < 0,
            "a head that depends on how it comes");
    if (whole.head > 0) {
        require(parts.head == whole.head, "another length of the head");
        require(parts.length == whole.length, "another length of the body");
        require(parts.body == whole.body &&
                    (whole.body == -400 || (parts.count == whole.count &&
                                            memcmp(parts.bytes, whole.bytes, whole.count) == 0)),
                "another body");
    }
    uint8_t text[256];
    int32_t length;
    occ_http_path(data + 1, (int32_t)size - 1, text, sizeof text, &length);
    require(length <= (int32_t)sizeof text, "a path beyond its room");
    occ_http_query(data + 1, (int32_t)size - 1, (const uint8_t *)"q", 1, text, sizeof text,
                   &length);
    require(length <= (int32_t)sizeof text, "a value beyond its room");
    int64_t first;
    int64_t count;
    int32_t result;
    occ_http_range(data + 1, (int32_t)size - 1, 1000, &first, &count, &result);
    require(first >= 0 && count >= 0 && first + count <= 1000, "a range outside of its file");
    int64_t when;
    occ_http_time(data + 1, (int32_t)size - 1, &when);
    return 0;
}
