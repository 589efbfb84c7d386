/* http_read -- messages of HTTP/1.1 taken apart. See http.h.
 *
 * The head is parsed when it is whole, by a parser that then goes on with the body: its state
 * travels in the record of the library. */
#define _GNU_SOURCE
#include "http.h"

#include <http_parser.h>
#include <string.h>
#include <strings.h>

_Static_assert(sizeof(http_parser) <= HTTP_PARSER_BYTES, "the parser fits in its field");

enum {
    BAD_REQUEST = -400,
    TOO_MANY_FIELDS = -431,
    NOT_IMPLEMENTED = -501,
    VERSION_NOT_SUPPORTED = -505,
    MORE_IS_NEEDED = -1,
    WORDS_OF_A_FIELD = 4,
};

/* What a call of the parser fills in. */
typedef struct Reading {
    const char *bytes;
    int32_t *head;
    int32_t capacity; /* fields that head takes */
    bool is_value;    /* the last thing seen was a value */
    bool has_too_many;
    bool has_ended;
    bool skips_body;
    int32_t part_at, part_length;
} Reading;

/* ---- the lines of a head ---- */

/* Of text, or an end of line. */
static bool is_sound(char byte) {
    return (uint8_t)byte >= ' ' ? byte != 127 : byte == '\t' || byte == '\r' || byte == '\n';
}

/* Each line ends with CR LF, has nothing else that is no text, and is no continuation. */
static bool has_sound_lines(const char *at, const char *end) {
    bool is_text = true;
    for (const char *byte = at; byte < end; byte++) {
        is_text &= is_sound(*byte);
    }
    if (!is_text) {
        return false;
    }
    while (at < end) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        const char *cr = memchr(at, '\r', (size_t)(end - at));
        if (!line_end || cr != line_end - 1 || *at == ' ' || *at == '\t') {
            return false;
        }
        at = line_end + 1;
    }
    return true;
}

/* So far; who waits for the end of what can be no head would wait for its time to be over. */
static bool has_sound_beginning(const char *at, const char *end) {
    const char *line_end = memrchr(at, '\n', (size_t)(end - at));
    const char *rest = line_end != NULL ? line_end + 1 : at;
    bool is_text = true;
    for (const char *byte = rest; byte < end; byte++) {
        is_text &= is_sound(*byte);
    }
    return is_text && has_sound_lines(at, rest);
}

/* ---- what the parser says ---- */

static Reading *reading_of(http_parser *parser) {
    return parser->data;
}

static int on_target(http_parser *parser, const char *at, size_t length) {
    Reading *reading = reading_of(parser);
    reading->head[HTTP_TARGET_AT] = (int32_t)(at - reading->bytes);
    reading->head[HTTP_TARGET_LENGTH] = (int32_t)length;
    return 0;
}

static int32_t *last_field(const Reading *reading) {
    return reading->head + HTTP_FIELD_WORDS + (reading->head[HTTP_FIELDS] - 1) * WORDS_OF_A_FIELD;
}

static int on_name(http_parser *parser, const char *at, size_t length) {
    Reading *reading = reading_of(parser);
    if (reading->head[HTTP_FIELDS] >= reading->capacity) {
        reading->has_too_many = true;
        return 1;
    }
    reading->head[HTTP_FIELDS]++;
    reading->is_value = false;
    int32_t *field = last_field(reading);
    field[0] = (int32_t)(at - reading->bytes);
    field[1] = (int32_t)length;
    field[2] = field[0];
    field[3] = 0;
    return 0;
}

static int on_value(http_parser *parser, const char *at, size_t length) {
    Reading *reading = reading_of(parser);
    if (reading->head[HTTP_FIELDS] == 0 || reading->is_value) {
        return 1;
    }
    reading->is_value = true;
    while (length > 0 && (at[length - 1] == ' ' || at[length - 1] == '\t')) {
        length--;
    }
    int32_t *field = last_field(reading);
    field[2] = (int32_t)(at - reading->bytes);
    field[3] = (int32_t)length;
    return 0;
}

static int on_head(http_parser *parser) {
    return reading_of(parser)->skips_body ? 1 : 0;
}

static int on_end(http_parser *parser) {
    reading_of(parser)->has_ended = true;
    http_parser_pause(parser, 1);
    return 0;
}

static int on_part(http_parser *parser, const char *at, size_t length) {
    Reading *reading = reading_of(parser);
    reading->part_at = (int32_t)(at - reading->bytes);
    reading->part_length = (int32_t)length;
    http_parser_pause(parser, 1);
    return 0;
}

static int on_name_behind_chunks(http_parser *parser, const char *at, size_t length) {
    (void)parser;
    return memchr(at, ' ', length) ? 1 : 0;
}

static const http_parser_settings of_head = {
    .on_url = on_target,
    .on_header_field = on_name,
    .on_header_value = on_value,
    .on_headers_complete = on_head,
    .on_message_complete = on_end,
};
/* Fields behind the last chunk are passed over. */
static const http_parser_settings of_body = {
    .on_header_field = on_name_behind_chunks,
    .on_body = on_part,
    .on_message_complete = on_end,
};

/* ---- heads ---- */

static bool is_text(const Reading *reading, int32_t at, int32_t length, const char *text) {
    return (size_t)length == strlen(text) &&
           strncasecmp(reading->bytes + at, text, (size_t)length) == 0;
}

/* How many fields have the name; *value: of the last. */
static int count_fields(const Reading *reading, const char *name, const int32_t **value) {
    int count = 0;
    for (int32_t i = 0; i < reading->head[HTTP_FIELDS]; i++) {
        const int32_t *field = reading->head + HTTP_FIELD_WORDS + i * WORDS_OF_A_FIELD;
        if (is_text(reading, field[0], field[1], name)) {
            count++;
            *value = field + 2;
        }
    }
    return count;
}

/* No name has a space in it or behind it. */
static bool has_sound_names(const Reading *reading) {
    for (int32_t i = 0; i < reading->head[HTTP_FIELDS]; i++) {
        const int32_t *field = reading->head + HTTP_FIELD_WORDS + i * WORDS_OF_A_FIELD;
        if (memchr(reading->bytes + field[0], ' ', (size_t)field[1] + 1)) {
            return false;
        }
    }
    return true;
}

/* Method, target and version have one space between them and no other, and nothing behind. */
static bool has_sound_request_line(const Reading *reading) {
    const int32_t *head = reading->head;
    const char *target = reading->bytes + head[HTTP_TARGET_AT];
    const char *version = target + head[HTTP_TARGET_LENGTH];
    return head[HTTP_TARGET_AT] == head[HTTP_METHOD_AT] + head[HTTP_METHOD_LENGTH] + 1 &&
           !memchr(target, '\t', (size_t)head[HTTP_TARGET_LENGTH]) &&
           memcmp(version, " HTTP/1.", 8) == 0 && memcmp(version + 9, "\r\n", 2) == 0;
}

/* What the parser lets pass and this does not; 0: nothing. */
static int32_t check_head(const http_parser *parser, const Reading *reading, int32_t *flags) {
    const int32_t *value = NULL;
    bool is_request = parser->type == HTTP_REQUEST;
    if (parser->http_major != 1) {
        return VERSION_NOT_SUPPORTED;
    }
    bool is_old = parser->http_minor == 0;
    *flags |= is_old ? HTTP_OLD : 0;
    int hosts = count_fields(reading, "host", &value);
    if (!has_sound_names(reading) || (is_request && !has_sound_request_line(reading))) {
        return BAD_REQUEST;
    }
    if (is_request && (hosts > 1 || (hosts == 0 && !is_old))) {
        return BAD_REQUEST;
    }
    /* the parser takes no body behind CONNECT, others might: what follows would be two things */
    if (is_request && parser->method == HTTP_CONNECT &&
        (count_fields(reading, "content-length", &value) > 0 ||
         count_fields(reading, "transfer-encoding", &value) > 0)) {
        return BAD_REQUEST;
    }
    if (parser->content_length > INT64_MAX && parser->content_length != UINT64_MAX) {
        return BAD_REQUEST;
    }
    int codings = count_fields(reading, "transfer-encoding", &value);
    if (codings > 1 || (codings == 1 && is_old)) {
        return BAD_REQUEST;
    }
    if (codings == 1 && !is_text(reading, value[0], value[1], "chunked")) {
        return NOT_IMPLEMENTED;
    }
    if (codings == 1 && count_fields(reading, "content-length", &value) > 0) {
        return BAD_REQUEST;
    }
    if (count_fields(reading, "expect", &value) > 0 && !is_old &&
        is_text(reading, value[0], value[1], "100-continue")) {
        *flags |= HTTP_EXPECTS;
    }
    return 0;
}

static void find_method(const char *start, const char *end, Reading *reading) {
    const char *space = memchr(start, ' ', (size_t)(end - start));
    reading->head[HTTP_METHOD_AT] = (int32_t)(start - reading->bytes);
    reading->head[HTTP_METHOD_LENGTH] = space ? (int32_t)(space - start) : 0;
}

static int32_t why_not(const http_parser *parser, const Reading *reading) {
    enum http_errno error = HTTP_PARSER_ERRNO(parser);
    return reading->has_too_many          ? TOO_MANY_FIELDS
           : error == HPE_INVALID_VERSION ? VERSION_NOT_SUPPORTED
           : error == HPE_INVALID_METHOD  ? NOT_IMPLEMENTED
                                          : BAD_REQUEST;
}

static int32_t flags_of(const http_parser *parser, const Reading *reading) {
    bool keeps = http_should_keep_alive(parser) && (parser->flags & F_CONNECTION_CLOSE) == 0;
    return (keeps ? HTTP_KEEPS : 0) | ((parser->flags & F_CHUNKED) != 0 ? HTTP_CHUNKED : 0) |
           (reading->has_ended ? HTTP_NO_BODY : 0) | (parser->upgrade ? HTTP_UPGRADES : 0);
}

static int32_t read_head(http_parser *parser, Reading *reading, const char *start, size_t length,
                         int32_t *flags) {
    size_t done = http_parser_execute(parser, &of_head, start, length);
    enum http_errno error = HTTP_PARSER_ERRNO(parser);
    bool is_whole = error == HPE_OK || error == HPE_PAUSED;
    if (!is_whole || done + 1 < length) {
        return why_not(parser, reading);
    }
    *flags = flags_of(parser, reading);
    http_parser_pause(parser, 0);
    return check_head(parser, reading, flags);
}

void occ_http_head(uint8_t *state, const uint8_t *bytes, int32_t size, int32_t from, int32_t to,
                   int32_t kind, int32_t *head, int32_t head_size, int64_t *length,
                   int32_t *result) {
    (void)size;
    const char *text = (const char *)bytes;
    const char *start = text + from;
    const char *end = memmem(start, (size_t)(text + to - start), "\r\n\r\n", 4);
    *result = 0;
    *length = -1;
    if (!end) {
        *result = has_sound_beginning(start, text + to) ? 0 : BAD_REQUEST;
        return;
    }
    end += 2;
    if (!has_sound_lines(start, end)) {
        *result = BAD_REQUEST;
        return;
    }
    memset(head, 0, HTTP_FIELD_WORDS * sizeof *head);
    Reading reading = {.bytes = text,
                       .head = head,
                       .capacity = (head_size - HTTP_FIELD_WORDS) / WORDS_OF_A_FIELD,
                       .skips_body = kind == MESSAGE_ANSWER_TO_HEAD};
    http_parser parser;
    http_parser_init(&parser, kind == MESSAGE_REQUEST ? HTTP_REQUEST : HTTP_RESPONSE);
    parser.data = &reading;
    find_method(start, end, &reading);
    int32_t fault =
        read_head(&parser, &reading, start, (size_t)(end + 2 - start), &head[HTTP_FLAGS]);
    head[HTTP_STATUS] = (int32_t)parser.status_code;
    if ((head[HTTP_FLAGS] & HTTP_NO_BODY) != 0) {
        *length = 0;
    } else if (parser.content_length <= INT64_MAX && (parser.flags & F_CHUNKED) == 0) {
        *length = (int64_t)parser.content_length;
    }
    memcpy(state, &parser, sizeof parser);
    *result = fault < 0 ? fault : (int32_t)(end + 2 - (text + from));
}

/* ---- bodies ---- */

/* Bytes above 127 stand in words alone, behind `;` or `:`: in a size the parser takes them for 0.
 */
static bool is_in_place(char byte, int32_t *flags) {
    if (byte == ';' || byte == ':') {
        *flags |= HTTP_AFTER_MARK;
    } else if (byte == '\n') {
        *flags &= ~HTTP_AFTER_MARK;
    }
    return (uint8_t)byte < 128 || (*flags & HTTP_AFTER_MARK) != 0;
}

/* What stands between the chunks: CR and LF only as a pair, nothing else that is no text. */
static bool has_sound_ends(const char *at, const char *end, int32_t *flags) {
    if (at < end && (*flags & HTTP_WANTS_CR) != 0 && *at != '\r') {
        return false;
    }
    bool after_cr = (*flags & HTTP_AFTER_CR) != 0;
    for (; at < end; at++) {
        if (!is_sound(*at) || !is_in_place(*at, flags) || after_cr != (*at == '\n')) {
            return false;
        }
        after_cr = *at == '\r';
        *flags &= ~HTTP_WANTS_CR;
    }
    *flags = after_cr ? *flags | HTTP_AFTER_CR : *flags & ~HTTP_AFTER_CR;
    return true;
}

/* The same of all that a call has read but the part it has found. */
static bool is_well_chunked(const http_parser *parser, const Reading *reading, const char *start,
                            size_t done, int32_t *flags) {
    const char *end = start + done;
    if (reading->part_length == 0) {
        return has_sound_ends(start, end, flags);
    }
    const char *part = reading->bytes + reading->part_at;
    if (!has_sound_ends(start, part, flags) || (*flags & HTTP_AFTER_CR) != 0) {
        return false;
    }
    *flags |= parser->content_length == 0 ? HTTP_WANTS_CR : 0;
    return has_sound_ends(part + reading->part_length, end, flags);
}

void occ_http_body(uint8_t *state, const uint8_t *bytes, int32_t size, int32_t *from, int32_t to,
                   int32_t *flags, int32_t *part_at, int32_t *part_length, int32_t *result) {
    (void)size;
    *part_at = *from;
    *part_length = 0;
    *result = 0;
    if ((*flags & HTTP_NO_BODY) != 0) {
        return;
    }
    Reading reading = {.bytes = (const char *)bytes};
    const char *start = reading.bytes + *from;
    size_t length = (size_t)(to - *from);
    http_parser parser;
    memcpy(&parser, state, sizeof parser);
    parser.data = &reading;
    size_t done = http_parser_execute(&parser, &of_body, start, length);
    enum http_errno error = HTTP_PARSER_ERRNO(&parser);
    bool is_chunked = (*flags & HTTP_CHUNKED) != 0;
    if ((error != HPE_OK && error != HPE_PAUSED) ||
        (is_chunked && !is_well_chunked(&parser, &reading, start, done, flags))) {
        *result = BAD_REQUEST;
        return;
    }
    http_parser_pause(&parser, 0);
    memcpy(state, &parser, sizeof parser);
    *from += (int32_t)done;
    if (reading.part_length > 0) {
        *part_at = reading.part_at;
        *part_length = reading.part_length;
        *result = 1;
    } else if (reading.has_ended) {
        *flags |= HTTP_NO_BODY;
    } else {
        *result = length == 0 ? BAD_REQUEST : MORE_IS_NEEDED;
    }
}
