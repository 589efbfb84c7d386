/* driver_file -- see the header. */
#define _GNU_SOURCE

#include "driver_file.h"

#include "diag.h"
#include "file.h"
#include "options.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

NamelessFile nameless_file(Arena *arena, const char *name) {
    int descriptor = memfd_create(name, 0);
    if (descriptor < 0) {
        fatal("cannot make a temporary file:");
    }
    return (NamelessFile){descriptor, arena_format(arena, "/dev/fd/%d", descriptor)};
}

static bool report_failure(const char *path) {
    driver_error("unable to open output file '%s': '%s'", path, strerror(errno));
    return false;
}

static bool is_standard_output(const char *path) {
    return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0;
}

/* Standard output, a device, a pipe, a link: nothing is put in its place. */
static bool write_through(const char *path, const void *bytes, size_t size) {
    bool is_stdout = is_standard_output(path);
    int descriptor = is_stdout ? STDOUT_FILENO : open(path, O_WRONLY | O_TRUNC | O_CREAT, 0666);
    bool is_written = descriptor >= 0 && file_write_all(descriptor, bytes, size);
    if (!is_written) {
        return report_failure(is_stdout ? "<stdout>" : path);
    }
    if (!is_stdout && close(descriptor) != 0) {
        return report_failure(path);
    }
    return true;
}

static bool is_plain(const char *path) {
    struct stat status;
    return !is_standard_output(path) && (lstat(path, &status) != 0 || S_ISREG(status.st_mode));
}

/* The permissions a new file has here. */
static mode_t new_file_mode(void) {
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

bool file_publish(Arena *arena, const char *path, const void *bytes, size_t size) {
    if (!is_plain(path)) {
        return write_through(path, bytes, size);
    }
    char *beside = arena_format(arena, "%s.XXXXXX", path);
    int descriptor = mkstemp(beside);
    if (descriptor < 0) {
        return report_failure(path);
    }
    bool is_written =
        file_write_all(descriptor, bytes, size) && fchmod(descriptor, new_file_mode()) == 0;
    is_written = close(descriptor) == 0 && is_written;
    if (!is_written || rename(beside, path) != 0) {
        report_failure(path);
        unlink(beside);
        return false;
    }
    return true;
}

bool nameless_file_publish(Arena *arena, const NamelessFile *file, const char *path) {
    struct stat status;
    if (fstat(file->descriptor, &status) != 0) {
        return report_failure(path);
    }
    size_t size = (size_t)status.st_size;
    if (size == 0) {
        return file_publish(arena, path, "", 0);
    }
    void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file->descriptor, 0);
    if (bytes == MAP_FAILED) {
        return report_failure(path);
    }
    bool is_published = file_publish(arena, path, bytes, size);
    munmap(bytes, size);
    return is_published;
}
