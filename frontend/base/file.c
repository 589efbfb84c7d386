/* file -- see the header. */
#define _GNU_SOURCE

#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_BYTES = 64 * 1024 };

static int open_file(const char *path, int how) {
    int descriptor;
    do {
        descriptor = open(path, how | O_CLOEXEC, 0666);
    } while (descriptor < 0 && errno == EINTR);
    return descriptor;
}

static int open_to_read(const char *path) {
    return strcmp(path, "-") == 0 ? STDIN_FILENO : open_file(path, O_RDONLY);
}

static void close_read(int descriptor) {
    int reason = errno;
    if (descriptor != STDIN_FILENO) {
        (void)close(descriptor);
    }
    errno = reason;
}

static ssize_t read_some(int descriptor, char *bytes, size_t size) {
    ssize_t got;
    do {
        got = read(descriptor, bytes, size);
    } while (got < 0 && errno == EINTR);
    return got;
}

/* Reads until `size` bytes are there or no more come; -1: it failed. */
static ssize_t read_up_to(int descriptor, char *bytes, size_t size) {
    size_t count = 0;
    while (count < size) {
        ssize_t got = read_some(descriptor, bytes + count, size - count);
        if (got <= 0) {
            return got < 0 ? -1 : (ssize_t)count;
        }
        count += (size_t)got;
    }
    return (ssize_t)count;
}

/* A little more than the size of a plain file, so that its end is seen without another read. */
static size_t first_capacity(int descriptor) {
    struct stat status;
    bool is_plain = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
                    status.st_size >= FIRST_BYTES && status.st_size < UINT32_MAX / 2;
    return is_plain ? (size_t)status.st_size + 2 : FIRST_BYTES;
}

static bool read_all(Arena *arena, int descriptor, FileText *text) {
    size_t capacity = first_capacity(descriptor);
    char *bytes = arena_allocate(arena, capacity);
    size_t count = 0;
    for (;;) {
        ssize_t got = read_up_to(descriptor, bytes + count, capacity - count - 1);
        if (got < 0) {
            return false;
        }
        count += (size_t)got;
        if (count + 1 < capacity) {
            break;
        }
        if (count >= UINT32_MAX / 2) {
            errno = EFBIG;
            return false;
        }
        char *larger = arena_allocate(arena, capacity * 2);
        memcpy(larger, bytes, count);
        bytes = larger;
        capacity *= 2;
    }
    bytes[count] = '\0';
    *text = (FileText){bytes, count};
    return true;
}

bool file_read(Arena *arena, const char *path, FileText *text) {
    int descriptor = open_to_read(path);
    if (descriptor < 0) {
        return false;
    }
    bool is_read = read_all(arena, descriptor, text);
    close_read(descriptor);
    return is_read;
}

size_t file_read_start(const char *path, void *bytes, size_t size) {
    int descriptor = open_to_read(path);
    ssize_t got = descriptor < 0 ? -1 : read_up_to(descriptor, bytes, size);
    if (descriptor >= 0) {
        close_read(descriptor);
    }
    return got < 0 ? 0 : (size_t)got;
}

bool file_is_there(const char *path) {
    struct stat status;
    int descriptor = open_to_read(path);
    if (descriptor < 0) {
        return false;
    }
    bool is_file = fstat(descriptor, &status) == 0 && !S_ISDIR(status.st_mode);
    close_read(descriptor);
    return is_file;
}

/* ---- writing ---- */

bool file_write_all(int descriptor, const void *bytes, size_t size) {
    const char *at = bytes;
    while (size > 0) {
        ssize_t wrote = write(descriptor, at, size);
        if (wrote < 0 && errno != EINTR) {
            return false;
        }
        at += wrote > 0 ? wrote : 0;
        size -= wrote > 0 ? (size_t)wrote : 0;
    }
    return true;
}

bool file_write(const char *path, const void *bytes, size_t size) {
    int descriptor = open_file(path, O_WRONLY | O_CREAT | O_TRUNC);
    if (descriptor < 0) {
        return false;
    }
    bool is_written = file_write_all(descriptor, bytes, size);
    return close(descriptor) == 0 && is_written;
}
