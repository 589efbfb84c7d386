/* http_file -- files that a server sends. See http.h.
 *
 * A path is looked up below the root alone: no link and no `..` leads out of it (openat2), and what
 * is no plain file is not opened for long. */
#define _GNU_SOURCE
#include "http.h"

#include "net_call.h"
#include "net_layer.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { SENT_AT_ONCE = 1 << 20, READ_AT_ONCE = 1 << 16 };

/* ---- finding it ---- */

/* `extra`: RESOLVE_CACHED, for what is at hand; or 0. */
static int open_below(const char *root, const char *path, uint64_t extra) {
    struct open_how where = {.flags = O_PATH | O_DIRECTORY | O_CLOEXEC, .resolve = extra};
    struct open_how how = {.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK,
                           .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | extra};
    int folder = (int)syscall(SYS_openat2, AT_FDCWD, root, &where, sizeof where);
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
                   bool is_at_hand, int32_t *fd, int64_t *size, int64_t *modified,
                   int32_t *result) {
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
    *fd = open_below(folder, name, is_at_hand ? RESOLVE_CACHED : 0);
    if (*fd < 0) {
        *result = is_at_hand ? 0 : status_of(-*fd);
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

/* ---- its bytes ---- */

void occ_http_fetch(int32_t fd, int64_t offset, bool is_at_hand, uint8_t *bytes, int32_t size,
                    int32_t *result) {
    int32_t done = 0;
    *result = 0;
    while (done < size && *result == 0) {
        struct iovec part = {bytes + done, (size_t)(size - done)};
        ssize_t count = preadv2(fd, &part, 1, offset + done, is_at_hand ? RWF_NOWAIT : 0);
        done += count > 0 ? (int32_t)count : 0;
        if (count <= 0) { /* at its end: it became shorter */
            *result = is_at_hand ? 1 : count == 0 ? -EIO : -errno;
        }
    }
}

static size_t part_of(int64_t left) {
    return left < SENT_AT_ONCE ? (size_t)left : SENT_AT_ONCE;
}

/* The ends of a part say of what is between them: the system reads ahead. */
static bool is_in_memory(int fd, int64_t offset, int64_t left) {
    uint8_t byte;
    int32_t first;
    int32_t last;
    occ_http_fetch(fd, offset, true, &byte, 1, &first);
    occ_http_fetch(fd, offset + (int64_t)part_of(left) - 1, true, &byte, 1, &last);
    return first == 0 && last == 0;
}

void occ_http_bring(int32_t fd, int64_t offset, int64_t left, int64_t *known) {
    static _Thread_local uint8_t bytes[READ_AT_ONCE];
    int64_t end = offset + (int64_t)part_of(left);
    while (offset < end && pread(fd, bytes, sizeof bytes, offset) > 0) {
        offset += READ_AT_ONCE;
    }
    *known = end; /* who sends says what is wrong with it */
}

/* ---- sending it ---- */

/* Where a layer takes the bytes, they are read first. 0: all is with the kernel. */
static int32_t send_through(NetSocket *socket, int fd, int64_t *offset, int64_t *left,
                            int64_t known) {
    static _Thread_local uint8_t bytes[READ_AT_ONCE];
    int32_t status = socket->layer->kind->write(socket, bytes, 0, *left > 0, &(size_t){0});
    while (status == 0 && *left > 0 && *offset < known) {
        size_t wanted = *left < READ_AT_ONCE ? (size_t)*left : READ_AT_ONCE;
        ssize_t count = pread(fd, bytes, wanted, *offset);
        if (count <= 0) {
            return count == 0 ? -EIO : -errno; /* it became shorter */
        }
        size_t sent = 0;
        bool has_more = count < *left;
        status = socket->layer->kind->write(socket, bytes, (size_t)count, has_more, &sent);
        *offset += (int64_t)sent;
        *left -= (int64_t)sent;
    }
    return status;
}

/* 0: up to `known`, or all. */
static int32_t send_plain(NetSocket *socket, int fd, int64_t *offset, int64_t *left,
                          int64_t known) {
    while (*left > 0 && *offset < known) {
        socket->out.seen = net_socket_pulse(socket);
        ssize_t sent = sendfile(socket->fd, fd, offset, part_of(known - *offset));
        if (sent > 0) {
            *left -= sent;
        } else if (sent < 0 && errno == EAGAIN) {
            net_socket_doubt(socket);
            return NET_WAIT;
        } else if (sent == 0 || errno != EINTR) {
            return sent == 0 ? -EIO : -errno; /* it became shorter */
        }
    }
    return 0;
}

void occ_http_send_file(Bundle **variable, int32_t fd, int64_t *offset, int64_t *left,
                        int64_t *known, int32_t *result, int32_t *wait) {
    NetSocket *socket = net_socket_of(*variable);
    if (!net_call_begins(socket, socket == NULL ? NULL : &socket->out, result)) {
        return;
    }
    bool has_layer = socket->layer != NULL;
    int32_t status = 0;
    while (status == 0 && *left > 0 && (*offset < *known || is_in_memory(fd, *offset, *left))) {
        *known = *offset < *known ? *known : *offset + (int64_t)part_of(*left);
        status = has_layer ? send_through(socket, fd, offset, left, *known)
                           : send_plain(socket, fd, offset, left, *known);
    }
    *result = status == NET_WAIT ? net_call_waits(socket, &socket->out, wait) : status;
}
