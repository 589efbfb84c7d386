/* http_file -- files that a server sends. See http.h.
 *
 * A path is looked up below the root alone: no link and no `..` leads out of it (openat2), and what
 * is no plain file is not opened for long. */
#define _GNU_SOURCE
#include "http.h"

#include "net_call.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SENT_AT_ONCE = 1 << 20 };

/* ---- finding it ---- */

static int open_below(const char *root, const char *path) {
    struct open_how how = {.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK,
                           .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
    int folder = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) {
        return -errno;
    }
    long fd = syscall(SYS_openat2, folder, path, &how, sizeof how);
    int error = errno;
    (void)close(folder);
    return fd < 0 ? -error : (int)fd;
}

static int32_t status_of(int error) {
    bool is_missing = error == ENOENT || error == ENOTDIR || error == EXDEV || error == ELOOP ||
                      error == ENAMETOOLONG || error == ENXIO;
    return is_missing ? -404 : error == EACCES || error == EPERM ? -403 : -500;
}

void occ_http_open(const uint8_t *root, int32_t root_size, const uint8_t *path, int32_t path_size,
                   int32_t *fd, int64_t *size, int64_t *modified, int32_t *result) {
    char folder[PATH_MAX];
    char name[PATH_MAX];
    struct stat status;
    bool is_folder = path_size > 0 && path[path_size - 1] == '/';
    int skipped = path_size > 0 && path[0] == '/' ? 1 : 0;
    int length = snprintf(name, sizeof name, "%.*s%s", path_size - skipped,
                          (const char *)path + skipped, is_folder ? "index.html" : "");
    int root_length = snprintf(folder, sizeof folder, "%.*s", root_size, (const char *)root);
    *result = -404;
    if (length >= PATH_MAX || root_length >= PATH_MAX) {
        return;
    }
    *fd = open_below(folder, name);
    if (*fd < 0) {
        *result = status_of(-*fd);
        return;
    }
    bool is_known = fstat(*fd, &status) == 0;
    if (is_known && S_ISREG(status.st_mode)) {
        *size = status.st_size;
        *modified = status.st_mtime;
        *result = 200;
        return;
    }
    (void)close(*fd);
    *result = is_known && S_ISDIR(status.st_mode) ? 301 : -404;
}

void occ_http_close(int32_t fd) {
    (void)close(fd);
}

/* ---- sending it ---- */

void occ_http_send_file(Bundle **variable, int32_t fd, int64_t *offset, int64_t *left,
                        int32_t *result, int32_t *wait) {
    NetSocket *socket = net_socket_of(*variable);
    if (!net_call_begins(socket, socket == NULL ? NULL : &socket->out, result)) {
        return;
    }
    while (*left > 0) {
        socket->out.seen = net_socket_pulse(socket);
        size_t count = *left < SENT_AT_ONCE ? (size_t)*left : SENT_AT_ONCE;
        ssize_t sent = sendfile(socket->fd, fd, offset, count);
        if (sent > 0) {
            *left -= sent;
        } else if (sent < 0 && errno == EAGAIN) {
            net_socket_doubt(socket);
            *result = net_call_waits(socket, &socket->out, wait);
            return;
        } else if (sent == 0 || errno != EINTR) {
            *result = sent == 0 ? -EIO : -errno; /* it became shorter */
            return;
        }
    }
}

/* ---- what is said of it ---- */

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
