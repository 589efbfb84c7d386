/* folder -- see the header. */
#define _POSIX_C_SOURCE 200809L

#include "folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int compare_names(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

Words folder_names(Arena *arena, const char *path) {
    Words names = {0};
    DIR *folder = opendir(path);
    const struct dirent *entry;
    while (folder && (entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] != '.') {
            array_push(arena, &names, arena_format(arena, "%s", entry->d_name));
        }
    }
    if (folder) {
        closedir(folder);
    }
    if (names.count) {
        qsort(names.items, names.count, sizeof *names.items, compare_names);
    }
    return names;
}

void folder_make(Arena *arena, const char *path) {
    char *copy = arena_format(arena, "%s", path);
    for (char *at = copy + 1; *at; at++) {
        if (*at == '/') {
            *at = '\0';
            mkdir(copy, 0777);
            *at = '/';
        }
    }
    if (mkdir(copy, 0777) != 0 && errno != EEXIST) {
        fatal("cannot make the folder '%s':", path);
    }
}
