/* run_cache -- see the header. */
#define _DEFAULT_SOURCE
#define _POSIX_C_SOURCE 200809L

#include "run_cache.h"

#include "array.h"
#include "diag.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROGRAM_LIMIT  200
#define PROGRAM_SUFFIX ".run"

/* A folder of the user that no other user may write to; made when it is missing. */
static bool is_private_folder(const char *path) {
    mkdir(path, 0700);
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
           (status.st_mode & 022) == 0 && access(path, W_OK | X_OK) == 0;
}

static const char *user_folder(Arena *arena) {
    const char *base = getenv("XDG_CACHE_HOME");
    if (base && base[0] == '/') {
        return arena_format(arena, "%s", base);
    }
    const char *home = getenv("HOME");
    return home && home[0] == '/' ? arena_format(arena, "%s/.cache", home) : NULL;
}

static RunCache temporary_cache(Arena *arena) {
    const char *base = getenv("TMPDIR");
    char *folder = arena_format(arena, "%s/occc-XXXXXX", base && base[0] ? base : "/tmp");
    if (!mkdtemp(folder)) {
        fatal("cannot make a folder for the program, '%s':", folder);
    }
    return (RunCache){folder, true, -1};
}

RunCache run_cache_open(Arena *arena) {
    const char *base = user_folder(arena);
    if (!base) {
        return temporary_cache(arena);
    }
    mkdir(base, 0700);
    const char *folder = arena_format(arena, "%s/occc", base);
    if (!is_private_folder(folder)) {
        return temporary_cache(arena);
    }
    return (RunCache){folder, false, open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
}

const char *run_cache_path(Arena *arena, const RunCache *cache, const char *key) {
    return arena_format(arena, "%s/%s%s", cache->folder, key, PROGRAM_SUFFIX);
}

static void set_lock(const RunCache *cache, int operation) {
    if (cache->lock >= 0) {
        flock(cache->lock, operation);
    }
}

/* The lock goes when the program starts, or when we end. */
bool run_cache_use(const RunCache *cache, const char *path) {
    set_lock(cache, LOCK_SH);
    if (access(path, X_OK) != 0) {
        set_lock(cache, LOCK_UN); /* who makes it may take long; it is the newest then */
        return false;
    }
    utimensat(AT_FDCWD, path, NULL, 0);
    return true;
}

/* ---- trimming ---- */

typedef struct CachedProgram {
    const char *path;
    struct timespec used;
} CachedProgram;

static int compare_use(const void *left, const void *right) {
    const struct timespec *a = &((const CachedProgram *)left)->used;
    const struct timespec *b = &((const CachedProgram *)right)->used;
    if (a->tv_sec != b->tv_sec) {
        return a->tv_sec < b->tv_sec ? 1 : -1;
    }
    return a->tv_nsec < b->tv_nsec ? 1 : a->tv_nsec > b->tv_nsec ? -1 : 0;
}

static bool is_program(const char *name) {
    size_t length = strlen(name);
    size_t suffix = strlen(PROGRAM_SUFFIX);
    return length > suffix && strcmp(name + length - suffix, PROGRAM_SUFFIX) == 0;
}

void run_cache_trim(Arena *arena, const RunCache *cache) {
    bool is_alone = cache->lock >= 0 && flock(cache->lock, LOCK_EX | LOCK_NB) == 0;
    DIR *folder = is_alone ? opendir(cache->folder) : NULL;
    if (!folder) {
        return;
    }
    ARRAY_OF(CachedProgram) programs = {0};
    const struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        const char *path = arena_format(arena, "%s/%s", cache->folder, entry->d_name);
        struct stat status;
        if (is_program(entry->d_name) && stat(path, &status) == 0) {
            CachedProgram program = {path, status.st_mtim};
            array_push(arena, &programs, program);
        }
    }
    closedir(folder);
    if (programs.count > PROGRAM_LIMIT) {
        qsort(programs.items, programs.count, sizeof *programs.items, compare_use);
        for (size_t i = PROGRAM_LIMIT; i < programs.count; i++) {
            unlink(programs.items[i].path);
        }
    }
}
