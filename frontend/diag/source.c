/* source -- reading files, the line table, the search path.
 *
 * Owns:  every file's text for the whole compilation (messages may quote any of them).
 * Holds: file n is files.items[n - 1]; the bytes are followed by a NUL that is not counted. */
#include "source.h"

#include "array.h"
#include "file.h"
#include "text.h"

#include <string.h>
#include <sys/stat.h>

/* A file with the contents that an editor has. */
typedef struct Overlay {
    const char *path;
    const char *bytes;
    size_t length;
} Overlay;

struct SourceMap {
    Arena *arena;
    ARRAY_OF(Overlay) overlays;
    ARRAY_OF(SourceFile *) files;
    ARRAY_OF(const char *) search_path;
};

SourceMap *source_map_create(Arena *arena) {
    SourceMap *map = arena_new(arena, SourceMap);
    map->arena = arena;
    return map;
}

void source_add_search_directory(SourceMap *map, const char *directory) {
    array_push(map->arena, &map->search_path, arena_format(map->arena, "%s", directory));
}

const char *source_search_directory(const SourceMap *map, size_t index) {
    return index < map->search_path.count ? map->search_path.items[index] : NULL;
}

/* A last line without a newline counts too; an empty text has line 1. */
static void build_line_table(SourceMap *map, SourceFile *file) {
    uint32_t count = 1;
    for (size_t i = 0; i < file->length; i++) {
        count += file->bytes[i] == '\n';
    }
    uint32_t *start = arena_new_array(map->arena, uint32_t, count);
    uint32_t line = 1;
    for (size_t i = 0; i < file->length; i++) {
        if (file->bytes[i] == '\n') {
            start[line++] = (uint32_t)(i + 1);
        }
    }
    file->line_start = start;
    file->line_count = count;
}

static SourceFile *add_file(SourceMap *map, const char *path, const char *bytes, size_t length) {
    SourceFile *file = arena_new(map->arena, SourceFile);
    file->path = arena_format(map->arena, "%s", path);
    file->bytes = bytes;
    file->length = length;
    build_line_table(map, file);
    array_push(map->arena, &map->files, file);
    file->number = (uint32_t)map->files.count;
    return file;
}

void source_overlay(SourceMap *map, const char *path, const char *bytes, size_t length) {
    Overlay overlay = {path, bytes, length};
    array_push(map->arena, &map->overlays, overlay);
}

static bool is_same_file(const char *one, const char *other) {
    struct stat first;
    struct stat second;
    return strcmp(one, other) == 0 ||
           (stat(one, &first) == 0 && stat(other, &second) == 0 && first.st_dev == second.st_dev &&
            first.st_ino == second.st_ino);
}

static const Overlay *find_overlay(const SourceMap *map, const char *path) {
    for (size_t i = 0; i < map->overlays.count; i++) {
        if (is_same_file(map->overlays.items[i].path, path)) {
            return &map->overlays.items[i];
        }
    }
    return NULL;
}

static bool is_there(const SourceMap *map, const char *path) {
    return find_overlay(map, path) || file_is_there(path);
}

static bool read_text(SourceMap *map, const char *path, FileText *text) {
    const Overlay *overlay = find_overlay(map, path);
    if (!overlay) {
        return file_read(map->arena, path, text);
    }
    text->bytes = arena_allocate(map->arena, overlay->length + 1);
    memcpy(text->bytes, overlay->bytes, overlay->length);
    text->length = overlay->length;
    return true;
}

SourceFile *source_open(SourceMap *map, const char *path, Location included_at) {
    FileText text;
    if (!read_text(map, path, &text)) {
        return NULL;
    }
    if (text.length >= 2 && text.bytes[0] == '#' && text.bytes[1] == '!') {
        memcpy(text.bytes, "--", 2); /* the line that makes a source file a command is a comment */
    }
    bool is_stdin = strcmp(path, "-") == 0;
    SourceFile *file = add_file(map, is_stdin ? "<stdin>" : path, text.bytes, text.length);
    file->included_at = included_at;
    return file;
}

SourceFile *source_add_text(SourceMap *map, const char *path, const char *bytes, size_t length) {
    char *copy = arena_allocate(map->arena, length + 1);
    if (length) {
        memcpy(copy, bytes, length);
    }
    return add_file(map, path, copy, length);
}

static uint32_t count_lines(const char *text) {
    uint32_t count = 0;
    for (; *text; text++) {
        count += *text == '\n';
    }
    return count;
}

const SourceFile *source_framed(SourceMap *map, Location at, const char *before, const char *words,
                                const char *after) {
    const char *line_end = strrchr(before, '\n');
    size_t last_line = strlen(line_end ? line_end + 1 : before);
    uint32_t lines = at.line - 1 - count_lines(before);
    char *above = arena_allocate(map->arena, lines + 1);
    memset(above, '\n', lines);
    above[lines] = '\0';
    SourceFile *file = arena_new(map->arena, SourceFile);
    *file = *source_file(map, at.file);
    file->bytes = arena_format(map->arena, "%s%s%*s%s%s", above, before,
                               (int)(at.column - 1 - last_line), "", words, after);
    file->length = strlen(file->bytes);
    build_line_table(map, file);
    return file;
}

const char *source_find(SourceMap *map, const char *name, Location from) {
    if (name[0] == '/') {
        return is_there(map, name) ? arena_format(map->arena, "%s", name) : NULL;
    }
    const SourceFile *includer = source_file(map, from.file);
    const char *beside = path_beside(map->arena, includer ? includer->path : "", name);
    if (is_there(map, beside)) {
        return beside;
    }
    for (size_t i = 0; i < map->search_path.count; i++) {
        char *path = arena_format(map->arena, "%s/%s", map->search_path.items[i], name);
        if (is_there(map, path)) {
            return path;
        }
    }
    return NULL;
}

const SourceFile *source_file(const SourceMap *map, uint32_t number) {
    return number >= 1 && number <= map->files.count ? map->files.items[number - 1] : NULL;
}

uint32_t source_file_count(const SourceMap *map) {
    return (uint32_t)map->files.count;
}

const char *source_line(const SourceMap *map, uint32_t file_number, uint32_t line, size_t *length) {
    const SourceFile *file = source_file(map, file_number);
    if (!file || line < 1 || line > file->line_count) {
        *length = 0;
        return "";
    }
    size_t start = file->line_start[line - 1];
    size_t end = line < file->line_count ? file->line_start[line] - 1 : file->length;
    while (end > start && file->bytes[end - 1] == '\r') {
        end--;
    }
    *length = end - start;
    return file->bytes + start;
}

Location location_join(Location first, Location last) {
    if (first.file == 0) {
        return last;
    }
    if (last.file != first.file) {
        return first; /* a construct that runs into an included file */
    }
    Location joined = first;
    joined.end_line = last.end_line;
    joined.end_column = last.end_column;
    return joined;
}

const char *source_included_name(const SourceMap *map, Location at) {
    const SourceFile *file = source_file(map, at.file);
    const char *path = NULL;
    if (file && file->is_generated) {
        const SourceOrigin *origin = file->origins;
        while (origin && origin->line > at.line) {
            origin = origin->before;
        }
        path = origin ? origin->name : NULL;
    } else if (file && location_is_known(file->included_at) && !file->is_unit) {
        path = file->path;
    }
    return path ? path_name(path) : NULL;
}
