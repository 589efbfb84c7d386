/* host_now -- what the system has in memory, asked without a wait. See host.h. Linux.
 *
 * Holds:  nothing here waits for a device or another machine. A name is looked up in the system's
 *         memory of names alone (RESOLVE_CACHED), bytes come out of its pages alone (RWF_NOWAIT),
 *         and what is no plain file or folder is not opened. Whatever is not known so, or refused
 *         by an older system, is HOST_NOT_NOW. */
#define _GNU_SOURCE
#include "host.h"

#include "host_name.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { READ_AT_ONCE = 1 << 18 };

static int open_known(const char *name, int flags) {
    struct open_how how = {.flags = (unsigned)(flags | O_CLOEXEC), .resolve = RESOLVE_CACHED};
    return (int)syscall(SYS_openat2, AT_FDCWD, name, &how, sizeof how);
}

/* A plain file or folder, whose opening waits for nobody. */
static bool is_plain(int file) {
    struct stat status;
    return fstat(file, &status) == 0 && (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode));
}

void occ_host_open_now(const uint8_t *name, int32_t size, int32_t *result) {
    HostName file;
    *result = HOST_NOT_NOW;
    int place = host_name_set(&file, name, size) ? open_known(file.text, O_PATH) : -1;
    if (place < 0) {
        return;
    }
    int opened = is_plain(place) ? open_known(file.text, O_RDONLY | O_NONBLOCK) : -1;
    if (opened >= 0 && is_plain(opened) && fcntl(opened, F_SETFL, O_RDONLY) == 0) {
        *result = opened;
    } else if (opened >= 0) {
        (void)close(opened);
    }
    (void)close(place);
}

void occ_host_read_now(int32_t file, uint8_t *bytes, int32_t size, int32_t *done, int32_t *result) {
    ssize_t count = size <= READ_AT_ONCE ? 1 : -1;
    *done = 0;
    while (count > 0 && *done < size) {
        struct iovec part = {bytes + *done, (size_t)(size - *done)};
        count = preadv2(file, &part, 1, -1, RWF_NOWAIT);
        *done += count > 0 ? (int32_t)count : 0;
    }
    bool is_whole = count >= 0 || (*done > 0 && !is_plain(file)); /* a pipe gives what it has */
    *result = is_whole ? *done : HOST_NOT_NOW;
}

void occ_host_status_now(const uint8_t *name, int32_t size, bool follows_links, int64_t *fields,
                         int32_t count, int32_t *result) {
    HostName file;
    int flags = O_PATH | (follows_links ? 0 : O_NOFOLLOW);
    int place = host_name_set(&file, name, size) ? open_known(file.text, flags) : -1;
    *result = HOST_NOT_NOW;
    if (place >= 0) {
        occ_host_status_of(place, fields, count, result);
        (void)close(place);
    }
}
