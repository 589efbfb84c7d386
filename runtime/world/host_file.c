/* host_file -- files by descriptor, names of files, folders, for the library. See host.h. */
#define _GNU_SOURCE
#include "host.h"

#include "host_name.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

static int32_t result_of(int64_t result) {
    return result < 0 ? -errno : (int32_t)result;
}

/* ---- files by descriptor ---- */

static int open_flags(int32_t how) {
    static const int kinds[] = {O_RDONLY, O_RDONLY, O_WRONLY, O_RDWR};
    int flags = kinds[how & (HOST_OPEN_READ | HOST_OPEN_WRITE)] | O_CLOEXEC;
    static const struct {
        int32_t how;
        int flag;
    } others[] = {
        {HOST_OPEN_CREATE, O_CREAT},     {HOST_OPEN_TRUNCATE, O_TRUNC},
        {HOST_OPEN_APPEND, O_APPEND},    {HOST_OPEN_NEW, O_EXCL},
        {HOST_OPEN_FOLDER, O_DIRECTORY}, {HOST_OPEN_NO_WAIT, O_NONBLOCK},
        {HOST_OPEN_SYNC, O_SYNC},        {HOST_OPEN_NO_CONTROL, O_NOCTTY},
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        flags |= how & others[i].how ? others[i].flag : 0;
    }
    return flags;
}

void occ_host_open(const uint8_t *name, int32_t size, int32_t how, int32_t permissions,
                   int32_t *result) {
    HostName file;
    *result = host_name_set(&file, name, size)
                  ? result_of(open(file.text, open_flags(how), (mode_t)permissions))
                  : -ENAMETOOLONG;
}

int32_t occ_host_close(int32_t file) {
    return result_of(close(file));
}

void occ_host_read(int32_t file, uint8_t *bytes, int32_t size, int32_t *result) {
    ssize_t done;
    do {
        done = read(file, bytes, (size_t)size);
    } while (done < 0 && errno == EINTR);
    *result = result_of(done);
}

void occ_host_write(int32_t file, const uint8_t *bytes, int32_t size, int32_t *result) {
    int32_t done = 0;
    while (done < size) {
        ssize_t part = write(file, bytes + done, (size_t)(size - done));
        if (part < 0 && errno != EINTR) {
            *result = errno == EAGAIN && done > 0 ? done : -errno;
            return;
        }
        done += part > 0 ? (int32_t)part : 0;
    }
    *result = done;
}

void occ_host_write_all(const uint8_t *name, int32_t size, const uint8_t *bytes, int32_t count,
                        int32_t *result) {
    int32_t file;
    occ_host_open(name, size, HOST_OPEN_WRITE | HOST_OPEN_CREATE | HOST_OPEN_TRUNCATE, 0666, &file);
    if (file < 0) {
        *result = file;
        return;
    }
    occ_host_write(file, bytes, count, result);
    int32_t closed = occ_host_close(file);
    *result = *result < 0 ? *result : closed;
}

int64_t occ_host_seek(int32_t file, int64_t offset, int32_t whence) {
    int64_t place = lseek(file, offset, whence);
    return place < 0 ? -errno : place;
}

int32_t occ_host_duplicate(int32_t file) {
    return result_of(fcntl(file, F_DUPFD_CLOEXEC, 0));
}

int32_t occ_host_duplicate_to(int32_t file, int32_t other) {
    return result_of(dup2(file, other));
}

void occ_host_pipe(int32_t *input, int32_t *output, int32_t *result) {
    int ends[2] = {-1, -1};
    int made = pipe2(ends, O_CLOEXEC);
    *input = ends[0];
    *output = ends[1];
    *result = result_of(made);
}

void occ_host_sync(int32_t file, int32_t *result) {
    *result = fsync(file) == 0 ? 0 : -errno;
}

int32_t occ_host_control(int32_t file, int32_t command, int32_t argument) {
    return result_of(fcntl(file, command, argument));
}

void occ_host_send_file(int32_t from, int32_t to, int32_t count, int32_t *offset, int32_t *result) {
    off_t place = *offset;
    ssize_t sent;
    do {
        sent = sendfile(to, from, &place, (size_t)(count < 0 ? 0 : count));
    } while (sent < 0 && errno == EINTR);
    *result = result_of(sent);
    *offset = place > INT32_MAX ? INT32_MAX : (int32_t)place;
}

int32_t occ_host_truncate(int32_t file, int64_t length) {
    return result_of(ftruncate(file, length));
}

void occ_host_is_readable(int32_t file, int32_t milliseconds, int32_t *result) {
    struct pollfd one = {.fd = file, .events = POLLIN};
    *result = result_of(poll(&one, 1, milliseconds));
}

/* Their descriptors as poll wants them, which passes over those below 0. */
static struct pollfd *select_add(struct pollfd *all, const int32_t *files, int32_t count,
                                 int32_t highest, short events) {
    for (int32_t i = 0; i < count; i++) {
        *all++ = (struct pollfd){.fd = files[i] <= highest ? files[i] : -1, .events = events};
    }
    return all;
}

static const struct pollfd *select_found(const struct pollfd *all, int32_t *files, int32_t count,
                                         int32_t *found) {
    for (int32_t i = 0; i < count; i++, all++) {
        files[i] = all->revents != 0 ? all->fd : -1;
        *found += all->revents != 0;
    }
    return all;
}

void occ_host_select(int32_t *readers, int32_t reader_count, int32_t *writers, int32_t writer_count,
                     int32_t *others, int32_t other_count, int64_t *room, int32_t room_count,
                     int32_t highest, int32_t microseconds, int32_t *result) {
    _Static_assert(sizeof(struct pollfd) == sizeof *room, "a word for each");
    struct pollfd *all = (struct pollfd *)room;
    struct pollfd *behind = select_add(all, readers, reader_count, highest, POLLIN);
    behind = select_add(behind, writers, writer_count, highest, POLLOUT);
    (void)select_add(behind, others, other_count, highest, POLLPRI);
    struct timespec limit = {microseconds / 1000000, microseconds % 1000000 * 1000L};
    int found = ppoll(all, (nfds_t)room_count, microseconds < 0 ? NULL : &limit, NULL);
    *result = result_of(found);
    if (found >= 0) {
        *result = 0;
        const struct pollfd *next = select_found(all, readers, reader_count, result);
        next = select_found(next, writers, writer_count, result);
        (void)select_found(next, others, other_count, result);
    }
}

bool occ_host_is_terminal(int32_t file) {
    return isatty(file) == 1;
}

/* ---- names of files ---- */

static void status_fields(const struct stat *status, int64_t *fields, int32_t count) {
    const int64_t all[HOST_STATUS_FIELDS] = {
        (int64_t)status->st_dev,   (int64_t)status->st_ino, status->st_mode,
        (int64_t)status->st_nlink, status->st_uid,          status->st_gid,
        (int64_t)status->st_rdev,  status->st_size,         status->st_blksize,
        status->st_blocks,         status->st_atim.tv_sec,  status->st_mtim.tv_sec,
        status->st_ctim.tv_sec,
    };
    for (int32_t i = 0; i < count; i++) {
        fields[i] = i < HOST_STATUS_FIELDS ? all[i] : 0;
    }
}

void occ_host_status(const uint8_t *name, int32_t size, bool follows_links, int64_t *fields,
                     int32_t count, int32_t *result) {
    HostName file;
    struct stat status;
    memset(&status, 0, sizeof status);
    int found = -1;
    errno = ENAMETOOLONG;
    if (host_name_set(&file, name, size)) {
        found = follows_links ? stat(file.text, &status) : lstat(file.text, &status);
    }
    status_fields(&status, fields, count);
    *result = result_of(found);
}

void occ_host_status_of(int32_t file, int64_t *fields, int32_t count, int32_t *result) {
    struct stat status;
    memset(&status, 0, sizeof status);
    int found = fstat(file, &status);
    status_fields(&status, fields, count);
    *result = result_of(found);
}

void occ_host_access(const uint8_t *name, int32_t size, int32_t how, int32_t *result) {
    HostName file;
    *result = host_name_set(&file, name, size) ? result_of(access(file.text, how)) : -ENAMETOOLONG;
}

void occ_host_remove(const uint8_t *name, int32_t size, int32_t *result) {
    HostName file;
    *result = host_name_set(&file, name, size) ? result_of(unlink(file.text)) : -ENAMETOOLONG;
}

void occ_host_rename(const uint8_t *old, int32_t old_size, const uint8_t *name, int32_t size,
                     int32_t *result) {
    HostName from;
    HostName to;
    *result = host_name_set(&from, old, old_size) && host_name_set(&to, name, size)
                  ? result_of(rename(from.text, to.text))
                  : -ENAMETOOLONG;
}

void occ_host_change_mode(const uint8_t *name, int32_t size, int32_t permissions, int32_t *result) {
    HostName file;
    *result = host_name_set(&file, name, size) ? result_of(chmod(file.text, (mode_t)permissions))
                                               : -ENAMETOOLONG;
}

/* ---- folders ---- */

void occ_host_make_folder(const uint8_t *name, int32_t size, int32_t permissions, int32_t *result) {
    HostName file;
    *result = host_name_set(&file, name, size) ? result_of(mkdir(file.text, (mode_t)permissions))
                                               : -ENAMETOOLONG;
}

void occ_host_remove_folder(const uint8_t *name, int32_t size, int32_t *result) {
    HostName file;
    *result = host_name_set(&file, name, size) ? result_of(rmdir(file.text)) : -ENAMETOOLONG;
}

int32_t occ_host_change_folder(const uint8_t *name, int32_t size) {
    HostName file;
    return host_name_set(&file, name, size) ? result_of(chdir(file.text)) : -ENAMETOOLONG;
}

void occ_host_current_folder(uint8_t *name, int32_t size, int32_t *length) {
    char path[HOST_NAME_BYTES];
    if (getcwd(path, sizeof path) == NULL) {
        *length = -errno;
        return;
    }
    *length = host_text_give(path, name, size);
}

void occ_host_folder_open(const uint8_t *name, int32_t size, int64_t *folder, int32_t *error) {
    HostName file;
    *error = ENAMETOOLONG;
    if (!host_name_set(&file, name, size)) {
        *folder = 0;
        return;
    }
    DIR *opened = opendir(file.text);
    *error = opened == NULL ? errno : 0;
    *folder = (int64_t)(intptr_t)opened;
}

/* The state is the descriptor's place alone: what the system gives beyond the first entry is read
 * again. */
void occ_host_folder_entry(int32_t folder, uint8_t *name, int32_t size, int32_t *result) {
    struct dirent64 entry; /* has room for the longest */
    ssize_t length = getdents64(folder, &entry, sizeof entry);
    *result = length <= 0 ? result_of(length) : 1;
    if (length > 0) {
        (void)host_text_give(entry.d_name, name, size);
        (void)lseek(folder, entry.d_off, SEEK_SET);
    }
}

static char kind_of(DIR *folder, const struct dirent *entry) {
    struct stat status;
    switch (entry->d_type) {
    case DT_DIR: return 'd';
    case DT_REG: return 'f';
    case DT_LNK: return 'l';
    case DT_UNKNOWN: break;
    default: return 'o';
    }
    if (fstatat(dirfd(folder), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
        return 'o';
    }
    return S_ISDIR(status.st_mode)   ? 'd'
           : S_ISREG(status.st_mode) ? 'f'
           : S_ISLNK(status.st_mode) ? 'l'
                                     : 'o';
}

void occ_host_folder_names(int64_t folder, uint8_t *bytes, int32_t size, int32_t *length) {
    DIR *opened = (DIR *)(intptr_t)folder;
    *length = 0;
    while (size - *length >= (int32_t)sizeof(struct dirent)) {
        const struct dirent *entry = readdir(opened);
        if (entry == NULL) {
            return;
        }
        const char *name = entry->d_name;
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0) {
            bytes[(*length)++] = (uint8_t)kind_of(opened, entry);
            memcpy(bytes + *length, name, strlen(name) + 1);
            *length += (int32_t)strlen(name) + 1;
        }
    }
}

void occ_host_folder_close(int64_t folder) {
    closedir((DIR *)(intptr_t)folder);
}
