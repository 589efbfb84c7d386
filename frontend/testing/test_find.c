/* test_find -- where files of tests are. See test_file.h. */
#define _POSIX_C_SOURCE 200809L

#include "folder.h"
#include "test_file.h"

#include <string.h>
#include <sys/stat.h>

#define DEPTH_LIMIT 64

static void add_file(Arena *arena, TestFiles *files, const char *path) {
    TestFile file = {.path = path, .said = ""};
    for (size_t i = 0; i < files->count; i++) {
        if (strcmp(files->items[i].path, path) == 0) {
            return; /* named twice, or in a folder that is named too */
        }
    }
    array_push(arena, files, file);
}

static void add_folder(Arena *arena, TestFiles *files, const char *path, unsigned depth) {
    const char *slash = path[strlen(path) - 1] == '/' ? "" : "/";
    const char *prefix = strcmp(path, ".") == 0 ? "" : arena_format(arena, "%s%s", path, slash);
    Words names = folder_names(arena, path);
    array_push(arena, &files->folders, path);
    for (size_t i = 0; i < names.count; i++) {
        const char *inside = arena_format(arena, "%s%s", prefix, names.items[i]);
        struct stat status;
        if (lstat(inside, &status) != 0) {
            continue;
        }
        if (S_ISDIR(status.st_mode) && depth < DEPTH_LIMIT) {
            add_folder(arena, files, inside, depth + 1);
        } else if (!S_ISDIR(status.st_mode) && string_has_suffix(names.items[i], "_test.occ")) {
            add_file(arena, files, inside);
        }
    }
}

bool test_files_find(Arena *arena, const Options *options, TestFiles *files) {
    const Words *paths = &options->test.paths;
    bool all = true;
    if (paths->count == 0) {
        add_folder(arena, files, ".", 0);
    }
    for (size_t i = 0; i < paths->count; i++) {
        struct stat status;
        if (stat(paths->items[i], &status) != 0) {
            driver_error("no such file or directory: '%s'", paths->items[i]);
            all = false;
        } else if (S_ISDIR(status.st_mode)) {
            add_folder(arena, files, paths->items[i], 0);
        } else {
            add_file(arena, files, paths->items[i]);
        }
    }
    return all;
}
