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
#define TEST_LIMIT     600
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
    return (RunCache){folder, true, -1, PROGRAM_LIMIT};
}

RunCache run_cache_open(Arena *arena, RunCacheKind kind) {
    const char *base = user_folder(arena);
    if (!base) {
        return temporary_cache(arena);
    }
    mkdir(base, 0700);
    const char *folder = arena_format(arena, "%s/occc", base);
    bool is_ours = is_private_folder(folder);
    if (kind == RUN_CACHE_TESTS) {
        folder = arena_format(arena, "%s/tests", folder);
        is_ours = is_ours && is_private_folder(folder);
    }
    if (!is_ours) {
        return temporary_cache(arena);
    }
    size_t limit = kind == RUN_CACHE_TESTS ? TEST_LIMIT : PROGRAM_LIMIT;
    return (RunCache){folder, false, open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), limit};
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

void run_cache_hold(const RunCache *cache) {
    set_lock(cache, LOCK_SH);
}

bool run_cache_has(const char *path) {
    bool is_there = access(path, X_OK) == 0;
    if (is_there) {
        utimensat(AT_FDCWD, path, NULL, 0);
    }
    return is_there;
}

/* ---- trimming ---- */

typedef struct CachedProgram {
    const char *path;
    struct timespec used;
} CachedProgram;

typedef ARRAY_OF(CachedProgram) CachedPrograms;

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

static CachedPrograms programs_in(Arena *arena, const RunCache *cache) {
    CachedPrograms programs = {0};
    DIR *folder = opendir(cache->folder);
    if (!folder) {
        return programs;
    }
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
    return programs;
}

void run_cache_trim(Arena *arena, const RunCache *cache) {
    if (cache->lock < 0 || flock(cache->lock, LOCK_EX | LOCK_NB) != 0) {
        return;
    }
    CachedPrograms programs = programs_in(arena, cache);
    if (programs.count > cache->limit) {
        qsort(programs.items, programs.count, sizeof *programs.items, compare_use);
        for (size_t i = cache->limit; i < programs.count; i++) {
            unlink(programs.items[i].path);
        }
    }
}

void run_cache_close(Arena *arena, const RunCache *cache) {
    if (!cache->is_temporary) {
        return;
    }
    CachedPrograms programs = programs_in(arena, cache);
    for (size_t i = 0; i < programs.count; i++) {
        unlink(programs.items[i].path);
    }
    rmdir(cache->folder);
}
