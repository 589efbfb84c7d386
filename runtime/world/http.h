/* http -- what module http asks of C: messages of HTTP/1.1 as they stand in a buffer
 * (stdlib/http_calls.inc).
 *
 * Owns:   the calls that take heads and bodies apart, over libhttp_parser, and that write heads.
 * Leaves: reading, writing and waiting to the library.
 * Holds:  what one server could take for the end of a message and another not is refused: lines
 *         that end without CR LF, folded lines, two lengths, codings that are not `chunked`, no or
 *         two hosts (RFC 9112). Nothing that is written has a line end inside of a field. A result
 *         below 0 is the status that says what is wrong, negated. The conventions are those of
 *         decision 0011; this object is linked only into programs that use module http. */
#ifndef RT_HTTP_H
#define RT_HTTP_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Bundle Bundle;

/* The words of a head, HTTP.HEAD... in http_calls.inc; behind them four for each field: where its
 * name and its value are in the buffer, and how long. */
enum {
    HTTP_FLAGS,
    HTTP_STATUS,
    HTTP_METHOD_AT,
    HTTP_METHOD_LENGTH,
    HTTP_TARGET_AT,
    HTTP_TARGET_LENGTH,
    HTTP_FIELDS,
    HTTP_FIELD_WORDS = 8,
};
enum {
    HTTP_KEEPS = 1,        /* the connection stays for another message */
    HTTP_CHUNKED = 2,      /* the body comes in chunks */
    HTTP_NO_BODY = 4,      /* none follows */
    HTTP_UPGRADES = 8,     /* another protocol follows, if the server agrees */
    HTTP_EXPECTS = 16,     /* the body comes when `100 Continue` is said */
    HTTP_OLD = 32,         /* of version 1.0 */
    HTTP_AFTER_CR = 64,    /* in a body: the last byte was a CR that ends no line yet */
    HTTP_WANTS_CR = 128,   /* in a body: a chunk has ended, its CR LF has not come */
    HTTP_AFTER_MARK = 512, /* in a body: between chunks, behind a `;` or `:` of the line */
    HTTP_ANSWERED = 256,   /* its answer has begun: set by the library */
};
enum { MESSAGE_REQUEST, MESSAGE_ANSWER, MESSAGE_ANSWER_TO_HEAD };

enum { HTTP_PARSER_BYTES = 32 };

/* Parse the head at `from`: *result its size in bytes; 0: it is not complete yet. *length: of the
 * body; below 0: not known. */
void occ_http_head(uint8_t *parser, const uint8_t *bytes, int32_t size, int32_t from, int32_t to,
                   int32_t kind, int32_t *head, int32_t head_size, int64_t *length,
                   int32_t *result);
/* The next part of the body, *part_length bytes at *part_at; *from moves past what was read.
 * *result 1: a part, 0: the body has ended, -1: more bytes are needed. At the end of input to =
 * *from. */
void occ_http_body(uint8_t *parser, const uint8_t *bytes, int32_t size, int32_t *from, int32_t to,
                   int32_t *flags, int32_t *part_at, int32_t *part_length, int32_t *result);

/* The head of an answer, into `out` at *at, which moves on; *result 0, or -500: a text has a
 * character that cannot be in it, or there is no room. length below 0: none is told. flags:
 * HTTP_CHUNKED, HTTP_KEEPS; fields: lines with their ends, made by occ_http_field. */
void occ_http_answer_head(int32_t status, const uint8_t *type, int32_t type_size,
                          const uint8_t *fields, int32_t fields_size, int64_t length, int32_t flags,
                          uint8_t *out, int32_t out_size, int32_t *at, int32_t *result);
void occ_http_request_head(const uint8_t *method, int32_t method_size, const uint8_t *target,
                           int32_t target_size, const uint8_t *host, int32_t host_size,
                           const uint8_t *fields, int32_t fields_size, int64_t length,
                           int32_t flags, uint8_t *out, int32_t out_size, int32_t *at,
                           int32_t *result);
/* One field as a line. */
void occ_http_field(const uint8_t *name, int32_t name_size, const uint8_t *value,
                    int32_t value_size, uint8_t *out, int32_t out_size, int32_t *at,
                    int32_t *result);

/* The path of a target, decoded: *length, or below 0: it is no path, or has `..` or a NUL in it. */
void occ_http_path(const uint8_t *target, int32_t target_size, uint8_t *path, int32_t size,
                   int32_t *length);
/* The value of a name in a query or form, decoded; below 0: it is not there. */
void occ_http_query(const uint8_t *query, int32_t query_size, const uint8_t *name,
                    int32_t name_size, uint8_t *value, int32_t size, int32_t *length);
/* The file that a path means below a folder: *result 200, 301 (a folder; its name wants a '/'), or
 * below 0 the status that says why not; 0: that is not in the system's memory, and is_at_hand asks
 * for no more. Without, it blocks. `close` gives it back. */
void occ_http_open(const uint8_t *root, int32_t root_size, const uint8_t *path, int32_t path_size,
                   bool is_at_hand, int32_t *fd, int64_t *size, int64_t *modified, int32_t *result);
void occ_http_close(int32_t fd);
/* All of `bytes`, from an offset on: 0; 1: not at hand, as above; below 0: they are not there. */
void occ_http_fetch(int32_t fd, int64_t offset, bool is_at_hand, uint8_t *bytes, int32_t size,
                    int32_t *result);
/* Send *left bytes of it from *offset on, as far as the other side takes them; as occ_net_write.
 * Those before *known are in memory. 0 with *left > 0: the next bytes must be loaded first. */
void occ_http_send_file(Bundle **connection, int32_t fd, int64_t *offset, int64_t *left,
                        int64_t *known, int32_t *result, int32_t *wait);
/* Load some of the rest into memory, up to *known. Blocks. */
void occ_http_bring(int32_t fd, int64_t offset, int64_t left, int64_t *known);
/* The type of a file by its name; a time as HTTP writes it, and back (-1: it is none). */
void occ_http_type(const uint8_t *path, int32_t path_size, uint8_t *type, int32_t size,
                   int32_t *length);
void occ_http_date(int64_t when, uint8_t *text, int32_t size, int32_t *length);
void occ_http_time(const uint8_t *text, int32_t size, int64_t *when);
/* Evaluate a Range field for a file of that size: *result 206, 416, or 200: all of it. */
void occ_http_range(const uint8_t *text, int32_t size, int64_t whole, int64_t *first,
                    int64_t *count, int32_t *result);
void occ_http_reason(int32_t status, uint8_t *text, int32_t size, int32_t *length);

#endif
