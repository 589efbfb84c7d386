/* coverage_html -- what of the sources has run, as pages: index.html, and one for each source. See
 * coverage.h.
 *
 * Holds:  a line has run (green), never did (red), or is nothing that runs. One with branches that
 *         were never taken says so behind it. The pages need nothing else. */
#define _POSIX_C_SOURCE 200809L

#include "coverage.h"
#include "driver_file.h"
#include "file.h"
#include "text_builder.h"

#include <string.h>
#include <sys/stat.h>

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>%s</title>\n<style>\n"
    "body { font-family: sans-serif; margin: 2em; }\n"
    "table { border-collapse: collapse; }\n"
    "th, td { text-align: left; padding: 0.2em 1em; }\n"
    ".code { font-family: monospace; white-space: pre; }\n"
    ".code td { padding: 0 1em; }\n"
    ".number { text-align: right; color: #777; }\n"
    ".run { background: #dfd; } .never { background: #fcc; } .note { color: #a00; }\n"
    "@media (prefers-color-scheme: dark) { body { background: #111; color: #ddd; }\n"
    "  .run { background: #142; } .never { background: #511; } .note { color: #f88; } }\n"
    "</style></head><body>\n<h1>%s</h1>\n";

/* a/b.occ is a.b.occ.html */
static const char *page_name(Arena *arena, const CoveredFile *file) {
    char *name = arena_format(arena, "%s.html", file->path);
    for (char *at = name; *at; at++) {
        *at = *at == '/' ? '.' : *at;
    }
    return name[0] == '.' ? arena_format(arena, "_%s", name) : name;
}

static void add_escaped(TextBuilder *text, const char *words) {
    text_add_escaped(text, words, strlen(words), false);
}

/* What is to be said of the branches in a line. */
static void add_notes(TextBuilder *text, const CoveredFile *file, unsigned line) {
    static const char *const notes[] = {[PLACE_PROCESS] = NULL,
                                        [PLACE_ROUTINE] = NULL,
                                        [PLACE_ALTERNATIVE] =
                                            "this alternative of the ALT was never taken",
                                        [PLACE_CHOICE] = "never chosen",
                                        [PLACE_OPTION] = "never chosen"};
    for (size_t i = 0; i < file->count; i++) {
        const Place *place = &file->places[i];
        if (place->line == line && place->count == 0 && notes[place->kind]) {
            text_add(text, "  <span class=\"note\">%s</span>", notes[place->kind]);
        }
    }
}

static void add_line(TextBuilder *text, const CoveredFile *file, unsigned number,
                     const CoveredLine *line, const char *words, size_t length) {
    text_add(text, "<tr%s><td class=\"number\">%u</td><td class=\"number\">",
             !line             ? ""
             : line->count > 0 ? " class=\"run\""
                               : " class=\"never\"",
             number);
    if (line) {
        text_add(text, "%llu", (unsigned long long)line->count);
    }
    text_add(text, "</td><td>");
    text_add_escaped(text, words, length, false);
    add_notes(text, file, number);
    text_add(text, "</td></tr>\n");
}

static bool write_page(Arena *arena, const char *folder, const CoveredFile *file) {
    TextBuilder text = {.arena = arena};
    FileText source;
    if (!file_read(arena, file->path, &source)) {
        driver_error("cannot read '%s'", file->path);
        return false;
    }
    CoveredLines lines = coverage_lines(arena, file);
    text_add(&text, head, file->path, file->path);
    text_add(&text, "<p><a href=\"index.html\">all files</a></p>\n<table class=\"code\">\n");
    const char *at = source.bytes;
    size_t next = 0;
    for (unsigned number = 1; *at; number++) {
        size_t length = strcspn(at, "\n");
        bool is_counted = next < lines.count && lines.items[next].line == number;
        add_line(&text, file, number, is_counted ? &lines.items[next] : NULL, at, length);
        next += is_counted;
        at += length + (at[length] == '\n');
    }
    text_add(&text, "</table></body></html>\n");
    const char *path = arena_format(arena, "%s/%s", folder, page_name(arena, file));
    return file_publish(arena, path, text.items, text.count);
}

static void add_row(TextBuilder *text, const CoveredFile *file) {
    CoveredLines lines = coverage_lines(text->arena, file);
    PlaceCount alternatives = coverage_count(file, PLACE_ALTERNATIVE, PLACE_ALTERNATIVE);
    PlaceCount branches = coverage_count(file, PLACE_CHOICE, PLACE_OPTION);
    text_add(text, "<tr><td><a href=\"");
    add_escaped(text, page_name(text->arena, file));
    text_add(text, "\">");
    add_escaped(text, file->path);
    text_add(text, "</a></td><td>%zu of %zu</td><td>%zu of %zu</td><td>%zu of %zu</td></tr>\n",
             lines.run, lines.count, alternatives.run, alternatives.all, branches.run,
             branches.all);
}

bool coverage_html(Arena *arena, const char *folder, const CoveredFiles *files) {
    mkdir(folder, 0777);
    TextBuilder text = {.arena = arena};
    text_add(&text, head, "Coverage", "Coverage");
    text_add(&text, "<table>\n<tr><th>file</th><th>lines</th><th>alternatives of ALT</th>"
                    "<th>branches of IF and CASE</th></tr>\n");
    bool all = true;
    for (size_t i = 0; i < files->count; i++) {
        add_row(&text, &files->items[i]);
        all = write_page(arena, folder, &files->items[i]) && all;
    }
    text_add(&text, "</table></body></html>\n");
    const char *path = arena_format(arena, "%s/index.html", folder);
    return file_publish(arena, path, text.items, text.count) && all;
}
