/* http_field -- what fields say of files: types, dates, ranges. See http.h. */
#define _GNU_SOURCE
#include "http.h"

#include <string.h>
#include <time.h>

void occ_http_type(const uint8_t *path, int32_t path_size, uint8_t *type, int32_t size,
                   int32_t *length) {
    static const struct {
        const char *end, *type;
    } known[] = {{".html", "text/html; charset=utf-8"},
                 {".htm", "text/html; charset=utf-8"},
                 {".css", "text/css; charset=utf-8"},
                 {".js", "text/javascript; charset=utf-8"},
                 {".json", "application/json"},
                 {".txt", "text/plain; charset=utf-8"},
                 {".occ", "text/plain; charset=utf-8"},
                 {".md", "text/markdown; charset=utf-8"},
                 {".xml", "application/xml"},
                 {".svg", "image/svg+xml"},
                 {".png", "image/png"},
                 {".jpg", "image/jpeg"},
                 {".jpeg", "image/jpeg"},
                 {".gif", "image/gif"},
                 {".webp", "image/webp"},
                 {".ico", "image/x-icon"},
                 {".pdf", "application/pdf"},
                 {".wasm", "application/wasm"},
                 {".mp4", "video/mp4"},
                 {".woff2", "font/woff2"},
                 {"/", "text/html; charset=utf-8"}};
    const char *found = "application/octet-stream";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t end = strlen(known[i].end);
        if ((size_t)path_size >= end && memcmp(path + path_size - end, known[i].end, end) == 0) {
            found = known[i].type;
        }
    }
    *length = (int32_t)strlen(found);
    memcpy(type, found, (size_t)(*length < size ? *length : size));
}

void occ_http_date(int64_t when, uint8_t *text, int32_t size, int32_t *length) {
    char date[64];
    time_t time = when;
    struct tm utc;
    bool is_date = gmtime_r(&time, &utc) != NULL;
    size_t count = is_date ? strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S GMT", &utc) : 0;
    *length = count <= (size_t)size ? (int32_t)count : 0;
    memcpy(text, date, (size_t)*length);
}

void occ_http_time(const uint8_t *text, int32_t size, int64_t *when) {
    char date[64];
    struct tm utc = {0};
    *when = -1;
    if ((size_t)size < sizeof date) {
        memcpy(date, text, (size_t)size);
        date[size] = 0;
        const char *end = strptime(date, "%a, %d %b %Y %H:%M:%S GMT", &utc);
        *when = end && *end == 0 ? timegm(&utc) : -1;
    }
}

/* A number without a sign; -1: none. */
static int64_t number_at(const char **at) {
    int64_t number = **at >= '0' && **at <= '9' ? 0 : -1;
    for (; **at >= '0' && **at <= '9'; (*at)++) {
        if (number > (INT64_MAX - 9) / 10) {
            return -1;
        }
        number = number * 10 + (**at - '0');
    }
    return number;
}

void occ_http_range(const uint8_t *text, int32_t size, int64_t whole, int64_t *first,
                    int64_t *count, int32_t *result) {
    char range[64];
    *first = 0;
    *count = whole;
    *result = 200;
    if ((size_t)size >= sizeof range || size < 7 || memcmp(text, "bytes=", 6) != 0) {
        return;
    }
    memcpy(range, text, (size_t)size);
    range[size] = 0;
    const char *at = range + 6;
    int64_t from = number_at(&at);
    if (*at++ != '-') {
        return;
    }
    int64_t to = number_at(&at);
    if (*at != 0 || (from < 0 && to < 0) || (from >= 0 && to >= 0 && to < from)) {
        return; /* more than one, or none */
    }
    if (from < 0) { /* the last so many */
        from = to < whole ? whole - to : 0;
        to = to == 0 ? -2 : whole - 1;
    }
    if (from >= whole || to == -2) {
        *result = 416;
        return;
    }
    *first = from;
    *count = (to < 0 || to >= whole ? whole - 1 : to) - from + 1;
    *result = 206;
}
