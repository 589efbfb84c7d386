/* http_write -- heads of messages of HTTP/1.1 as text, and what a target says. See http.h. */
#define _GNU_SOURCE
#include "http.h"

#include <http_parser.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

enum { REFUSED = -500 };

/* ---- texts ---- */

/* Where text is appended; has_overflowed: it did not fit. */
typedef struct Writing {
    uint8_t *bytes;
    int32_t size;
    int32_t at;
    bool has_overflowed;
} Writing;

static void put(Writing *writing, const void *text, size_t length) {
    if ((size_t)(writing->size - writing->at) < length) {
        writing->has_overflowed = true;
        return;
    }
    memcpy(writing->bytes + writing->at, text, length);
    writing->at += (int32_t)length;
}

static void put_text(Writing *writing, const char *text) {
    put(writing, text, strlen(text));
}

static void end_writing(const Writing *writing, bool is_sound, int32_t *at, int32_t *result) {
    bool is_done = is_sound && !writing->has_overflowed;
    *result = is_done ? 0 : REFUSED;
    *at = is_done ? writing->at : *at;
}

/* ---- what may stand where ---- */

static bool is_value(const uint8_t *text, int32_t size) {
    for (int32_t i = 0; i < size; i++) {
        if ((text[i] < ' ' && text[i] != '\t') || text[i] == 127) {
            return false;
        }
    }
    return true;
}

/* No spaces: of a target or host. */
static bool is_word(const uint8_t *text, int32_t size) {
    return size > 0 && is_value(text, size) && !memchr(text, ' ', (size_t)size) &&
           !memchr(text, '\t', (size_t)size);
}

/* A token of RFC 9110, 5.6.2. */
static bool is_token(const uint8_t *text, int32_t size) {
    static const char marks[] = "!#$%&'*+-.^_`|~";
    for (int32_t i = 0; i < size; i++) {
        uint8_t c = text[i];
        bool is_letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
        if (!is_letter && (c < '0' || c > '9') && (c == 0 || !strchr(marks, c))) {
            return false;
        }
    }
    return size > 0;
}

/* ---- heads ---- */

/* The date of this second, as a field. */
static void put_date(Writing *writing) {
    static _Thread_local time_t second;
    static _Thread_local char line[64];
    time_t now = time(NULL);
    if (now != second) {
        struct tm utc;
        gmtime_r(&now, &utc);
        (void)strftime(line, sizeof line, "Date: %a, %d %b %Y %H:%M:%S GMT\r\n", &utc);
        second = now;
    }
    put_text(writing, line);
}

static const char *reason_of(int32_t status) {
    return http_status_str((enum http_status)status);
}

static void put_number(Writing *writing, int64_t number) {
    char digits[24];
    put(writing, digits, (size_t)snprintf(digits, sizeof digits, "%lld", (long long)number));
}

static void put_length(Writing *writing, int64_t length, int32_t flags) {
    if ((flags & HTTP_CHUNKED) != 0) {
        put_text(writing, "Transfer-Encoding: chunked\r\n");
    } else if (length >= 0) {
        put_text(writing, "Content-Length: ");
        put_number(writing, length);
        put_text(writing, "\r\n");
    }
}

void occ_http_answer_head(int32_t status, const uint8_t *type, int32_t type_size,
                          const uint8_t *fields, int32_t fields_size, int64_t length, int32_t flags,
                          uint8_t *out, int32_t out_size, int32_t *at, int32_t *result) {
    Writing writing = {out, out_size, *at, false};
    put_text(&writing, "HTTP/1.1 ");
    put_number(&writing, status);
    put_text(&writing, " ");
    put_text(&writing, reason_of(status));
    put_text(&writing, "\r\n");
    put_date(&writing);
    if (type_size > 0) {
        put_text(&writing, "Content-Type: ");
        put(&writing, type, (size_t)type_size);
        put_text(&writing, "\r\n");
    }
    put(&writing, fields, (size_t)fields_size);
    put_length(&writing, length, flags);
    bool keeps = (flags & HTTP_KEEPS) != 0;
    put_text(&writing, !keeps                    ? "Connection: close\r\n\r\n"
                       : (flags & HTTP_OLD) != 0 ? "Connection: keep-alive\r\n\r\n"
                                                 : "\r\n");
    bool is_status = status >= 100 && status <= 999;
    end_writing(&writing, is_status && is_value(type, type_size), at, result);
}

void occ_http_request_head(const uint8_t *method, int32_t method_size, const uint8_t *target,
                           int32_t target_size, const uint8_t *host, int32_t host_size,
                           const uint8_t *fields, int32_t fields_size, int64_t length,
                           int32_t flags, uint8_t *out, int32_t out_size, int32_t *at,
                           int32_t *result) {
    Writing writing = {out, out_size, *at, false};
    put(&writing, method, (size_t)method_size);
    put_text(&writing, " ");
    put(&writing, target, (size_t)target_size);
    put_text(&writing, " HTTP/1.1\r\nHost: ");
    put(&writing, host, (size_t)host_size);
    put_text(&writing, "\r\n");
    put(&writing, fields, (size_t)fields_size);
    put_length(&writing, length, flags);
    put_text(&writing, (flags & HTTP_KEEPS) != 0 ? "\r\n" : "Connection: close\r\n\r\n");
    bool is_sound =
        is_token(method, method_size) && is_word(target, target_size) && is_word(host, host_size);
    end_writing(&writing, is_sound, at, result);
}

void occ_http_field(const uint8_t *name, int32_t name_size, const uint8_t *value,
                    int32_t value_size, uint8_t *out, int32_t out_size, int32_t *at,
                    int32_t *result) {
    Writing writing = {out, out_size, *at, false};
    put(&writing, name, (size_t)name_size);
    put_text(&writing, ": ");
    put(&writing, value, (size_t)value_size);
    put_text(&writing, "\r\n");
    end_writing(&writing, is_token(name, name_size) && is_value(value, value_size), at, result);
}

void occ_http_reason(int32_t status, uint8_t *text, int32_t size, int32_t *length) {
    const char *reason = reason_of(status);
    size_t whole = strlen(reason);
    *length = whole < (size_t)size ? (int32_t)whole : size;
    memcpy(text, reason, (size_t)*length);
}

/* ---- targets ---- */

static int digit_of(uint8_t c) {
    return c >= '0' && c <= '9'                     ? c - '0'
           : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10
                                                    : -1;
}

/* Percent-encoded text; below 0: not sound, or no room. is_form: '+' is a space. */
static int32_t decode(const uint8_t *text, int32_t length, bool is_form, uint8_t *out,
                      int32_t size) {
    int32_t count = 0;
    for (int32_t i = 0; i < length; i++) {
        uint8_t c = text[i];
        if (c == '%') {
            int high = i + 2 < length ? digit_of(text[i + 1]) : -1;
            int low = i + 2 < length ? digit_of(text[i + 2]) : -1;
            if (high < 0 || low < 0) {
                return -1;
            }
            c = (uint8_t)(high * 16 + low);
            i += 2;
        } else if (is_form && c == '+') {
            c = ' ';
        }
        if (count == size) {
            return -1;
        }
        out[count++] = c;
    }
    return count;
}

/* `..` between slashes. */
static bool climbs(const uint8_t *path, int32_t length) {
    for (int32_t i = 0; i + 1 < length; i++) {
        bool begins = i == 0 || path[i - 1] == '/';
        bool ends = i + 2 == length || path[i + 2] == '/';
        if (begins && ends && path[i] == '.' && path[i + 1] == '.') {
            return true;
        }
    }
    return false;
}

/* What is before the path in the absolute form, "http://host/path", as to a proxy. */
static int32_t before_path(const uint8_t *target, int32_t end) {
    static const char scheme[] = "http://";
    int32_t at = (int32_t)sizeof scheme - 1;
    if (end <= at || strncasecmp((const char *)target, scheme, sizeof scheme - 1) != 0) {
        return 0;
    }
    while (at < end && target[at] != '/') {
        at++;
    }
    return at;
}

void occ_http_path(const uint8_t *target, int32_t target_size, uint8_t *path, int32_t size,
                   int32_t *length) {
    int32_t end = 0;
    while (end < target_size && target[end] != '?' && target[end] != '#') {
        end++;
    }
    int32_t begin = before_path(target, end);
    if (begin > 0 && begin == end) { /* a host alone */
        target = (const uint8_t *)"/";
        begin = 0;
        end = 1;
    }
    int32_t count = end > begin && target[begin] == '/'
                        ? decode(target + begin, end - begin, false, path, size)
                        : -1;
    bool is_sound = count > 0 && !climbs(path, count) && !memchr(path, 0, (size_t)count);
    *length = is_sound ? count : -1;
}

void occ_http_query(const uint8_t *query, int32_t query_size, const uint8_t *name,
                    int32_t name_size, uint8_t *value, int32_t size, int32_t *length) {
    *length = -1;
    for (int32_t at = 0; at < query_size && *length < 0;) {
        const uint8_t *start = query + at;
        const uint8_t *end = memchr(start, '&', (size_t)(query_size - at));
        int32_t all = end ? (int32_t)(end - start) : query_size - at;
        const uint8_t *equals = memchr(start, '=', (size_t)all);
        int32_t named = equals ? (int32_t)(equals - start) : all;
        int32_t found = decode(start, named, true, value, size);
        if (found == name_size && memcmp(value, name, (size_t)found) == 0) {
            int32_t skipped = equals ? named + 1 : named;
            *length = decode(start + skipped, all - skipped, true, value, size);
        }
        at += all + 1;
    }
}
