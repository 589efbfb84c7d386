/* document -- see the header. */
#define _POSIX_C_SOURCE 200809L

#include "document.h"

#include <stdlib.h>
#include <string.h>

/* ---- names of files ---- */

static int hex_value(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

const char *uri_path(Arena *arena, const char *uri) {
    if (strncmp(uri, "file://", 7) != 0) {
        return arena_format(arena, "%s", uri);
    }
    const char *slash = strchr(uri + 7, '/');
    char *path = arena_format(arena, "%s", slash ? slash : "/");
    char *to = path;
    for (const char *from = path; *from; from++) {
        bool is_coded = *from == '%' && hex_value(from[1]) >= 0 && hex_value(from[2]) >= 0;
        *to++ = is_coded ? (char)(hex_value(from[1]) * 16 + hex_value(from[2])) : *from;
        from += is_coded ? 2 : 0;
    }
    *to = '\0';
    return path;
}

const char *path_uri(Arena *arena, const char *path) {
    if (path[0] != '/') {
        return path;
    }
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-._~";
    char *uri = arena_allocate(arena, strlen(path) * 3 + 8);
    char *to = uri + 7;
    memcpy(uri, "file://", 7);
    for (const char *from = path; *from; from++) {
        if (strchr(plain, *from)) {
            *to++ = *from;
        } else {
            *to++ = '%';
            *to++ = "0123456789ABCDEF"[(unsigned char)*from >> 4];
            *to++ = "0123456789ABCDEF"[(unsigned char)*from & 15];
        }
    }
    *to = '\0';
    return uri;
}

/* ---- texts ---- */

/* The new text is head, middle, tail of the old one. */
static void set_text(Document *document, size_t head, const char *middle, size_t length,
                     size_t tail) {
    Arena *arena = arena_create();
    size_t whole = head + length + (document->lines.length - tail);
    char *bytes = arena_allocate(arena, whole + 1);
    if (head) {
        memcpy(bytes, document->lines.bytes, head);
    }
    memcpy(bytes + head, middle, length);
    if (tail < document->lines.length) {
        memcpy(bytes + head + length, document->lines.bytes + tail, document->lines.length - tail);
    }
    document->lines = lines_of(arena, bytes, whole);
    if (document->text_arena) {
        arena_destroy(document->text_arena);
    }
    document->text_arena = arena;
    document->is_current = false;
    document->has_failed = false;
}

Document *document_open(const char *uri, json_int_t version, const char *text, size_t length) {
    Arena *arena = arena_create();
    Document *document = arena_new(arena, Document);
    document->arena = arena;
    document->uri = arena_format(arena, "%s", uri);
    document->path = uri_path(arena, uri);
    document->version = version;
    set_text(document, 0, text, length, 0);
    return document;
}

static void reading_release(Reading *reading) {
    if (reading && --reading->users == 0) {
        arena_destroy(reading->arena);
    }
}

void document_close(Document *document) {
    reading_release(document->latest);
    reading_release(document->whole);
    if (document->sizes_arena) {
        arena_destroy(document->sizes_arena);
    }
    arena_destroy(document->text_arena);
    arena_destroy(document->arena);
}

void document_change(Document *document, const json_t *change) {
    const json_t *text = json_object_get(change, "text");
    const json_t *range = json_object_get(change, "range");
    const char *words = json_is_string(text) ? json_string_value(text) : "";
    size_t length = json_is_string(text) ? json_string_length(text) : 0;
    if (!json_is_object(range)) {
        set_text(document, 0, words, length, document->lines.length);
        return;
    }
    size_t start = position_offset(&document->lines, json_object_get(range, "start"));
    size_t end = position_offset(&document->lines, json_object_get(range, "end"));
    set_text(document, start, words, length, end < start ? start : end);
}

/* ---- readings ---- */

Reading *reading_create(Arena *arena, const Survey *survey, const Lines *lines) {
    Reading *reading = arena_new(arena, Reading);
    const char *bytes = arena_copy(arena, lines->bytes, lines->length);
    const uint32_t *starts = arena_copy(arena, lines->starts, lines->count * sizeof *starts);
    *reading = (Reading){arena, survey, {bytes, lines->length, starts, lines->count}, 0};
    return reading;
}

static void hold(Reading **slot, Reading *reading) {
    reading->users++;
    reading_release(*slot);
    *slot = reading;
}

void document_take(Document *document, Reading *reading) {
    hold(&document->latest, reading);
    if (reading->survey->is_whole) {
        hold(&document->whole, reading);
    }
    document->is_current = true;
}

bool document_reads(const Document *document, const char *path) {
    const Survey *survey = document->latest ? document->latest->survey : NULL;
    for (uint32_t i = 1; survey && i < survey->count.files; i++) {
        if (strcmp(survey_text(survey, survey->files[i].path), path) == 0) {
            return true;
        }
    }
    return false;
}

Document *documents_find_any(const Documents *documents, const char *uri) {
    for (size_t i = 0; uri && i < documents->count; i++) {
        if (strcmp(documents->items[i]->uri, uri) == 0) {
            return documents->items[i];
        }
    }
    return NULL;
}

Document *documents_find(const Documents *documents, const char *uri) {
    Document *document = documents_find_any(documents, uri);
    return document && !document->is_closed ? document : NULL;
}

Document *documents_at_path(const Documents *documents, const char *path) {
    for (size_t i = 0; i < documents->count; i++) {
        if (strcmp(documents->items[i]->path, path) == 0) {
            return documents->items[i];
        }
    }
    return NULL;
}

/* ---- views ---- */

static bool is_same_line(const Lines *one, uint32_t first, const Lines *other, uint32_t second) {
    size_t length = 0;
    size_t other_length = 0;
    const char *text = lines_line(one, first, &length);
    const char *other_text = lines_line(other, second, &other_length);
    return length == other_length && memcmp(text, other_text, length) == 0;
}

View view_of(const Document *document, const Reading *reading) {
    View view = {reading, reading->survey, 0, 0, document->lines.count, reading->lines.count};
    uint32_t least = view.now < view.then ? view.now : view.then;
    if (reading == document->latest && document->is_current) {
        view.head = least;
        return view;
    }
    while (view.head < least &&
           is_same_line(&document->lines, view.head + 1, &reading->lines, view.head + 1)) {
        view.head++;
    }
    while (view.tail < least - view.head && is_same_line(&document->lines, view.now - view.tail,
                                                         &reading->lines, view.then - view.tail)) {
        view.tail++;
    }
    return view;
}

uint32_t view_line_then(const View *view, uint32_t line) {
    return line <= view->head              ? line
           : line > view->now - view->tail ? line - view->now + view->then
                                           : 0;
}

uint32_t view_line_now(const View *view, uint32_t line) {
    return line <= view->head               ? line
           : line > view->then - view->tail ? line - view->then + view->now
                                            : 0;
}

uint32_t view_near(const View *view, uint32_t line) {
    uint32_t then = view_line_then(view, line);
    return then ? then : view->head ? view->head : 1;
}

bool view_now(const View *view, Location *at) {
    uint32_t line = view_line_now(view, at->line);
    uint32_t end = at->end_line >= at->line ? view_line_now(view, at->end_line) : line;
    if (!line || !end) {
        return false;
    }
    at->line = line;
    at->end_line = end;
    return true;
}
