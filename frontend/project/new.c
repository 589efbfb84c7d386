/* new -- see the header. */
#define _POSIX_C_SOURCE 200809L

#include "new.h"

#include "driver.h"
#include "file.h"
#include "folder.h"
#include "text_builder.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MARK "@NAME@"

static const char *filled(Arena *arena, const char *text, const char *name) {
    TextBuilder result = {.arena = arena};
    for (const char *mark = strstr(text, MARK); mark; mark = strstr(text, MARK)) {
        text_add(&result, "%.*s%s", (int)(mark - text), text, name);
        text = mark + strlen(MARK);
    }
    text_add(&result, "%s", text);
    array_push(arena, &result, '\0');
    return result.items;
}

static const NewKind *find_kind(const char *name) {
    const NewKind *kind = new_kinds();
    while (kind->name && strcmp(kind->name, name) != 0) {
        kind++;
    }
    return kind->name ? kind : NULL;
}

/* It is the name of a folder, of files and of a unit. */
static bool is_good_name(const char *name) {
    bool begins = name[0] >= 'a' && name[0] <= 'z';
    return begins && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(name);
}

static void write_file(Arena *arena, const NewFile *file, const char *name) {
    const char *path = arena_format(arena, "%s/%s", name, filled(arena, file->path, name));
    const char *slash = strrchr(path, '/');
    folder_make(arena, arena_format(arena, "%.*s", (int)(slash - path), path));
    const char *text = filled(arena, file->text, name);
    if (!file_write(path, text, strlen(text))) {
        fatal("cannot write '%s':", path);
    }
    printf("  %s\n", path);
}

static int report_usage(const Words *words) {
    if (words->count == 2 && !find_kind(words->items[0])) {
        driver_error("there is no kind '%s'", words->items[0]);
    }
    fprintf(stderr, "usage: occc new [kind] name\nkinds:\n");
    for (const NewKind *kind = new_kinds(); kind->name; kind++) {
        fprintf(stderr, "  %-9s %s\n", kind->name, kind->what);
    }
    return EXIT_USAGE;
}

int new_run(Arena *arena, const Options *options) {
    const Words *words = &options->topics;
    const NewKind *kind = find_kind(words->count == 2 ? words->items[0] : "program");
    if (!kind || words->count == 0 || words->count > 2) {
        return report_usage(words);
    }
    const char *name = words->items[words->count - 1];
    if (!is_good_name(name)) {
        driver_error("'%s' is no name of a package: small letters, digits and _, a letter first",
                     name);
        return EXIT_USAGE;
    }
    if (access(name, F_OK) == 0) {
        driver_error("there is a '%s' already", name);
        return EXIT_ERRORS;
    }
    for (const NewFile *file = kind->files; file->path; file++) {
        write_file(arena, file, name);
    }
    printf("next: cd %s && occc build && occc test\n", name);
    fflush(stdout);
    return EXIT_OK;
}
