/* format_run -- the command `occc fmt`. See format.h.
 *
 * Holds: a program that cannot be read is reported and left alone; what is made of one is read
 *        again before it replaces anything. Each line knows how many it became, so a
 *        difference is lines with their successors, no search needed. */
#define _POSIX_C_SOURCE 200809L

#include "diag_sink.h"
#include "driver.h"
#include "driver_file.h"
#include "file.h"
#include "format.h"
#include "parse.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* ---- reading ---- */

static bool read_all(Arena *arena, const char *path, FileText *text) {
    bool is_read = file_read(arena, path, text);
    if (!is_read) {
        driver_error("cannot read '%s': %s", path, strerror(errno));
    }
    return is_read;
}

/* The whole command, for its functions. */
typedef struct Formatting {
    Arena *arena;
    const Options *options;
    const Installation *installation;
} Formatting;

static bool can_be_parsed(const Formatting *formatting, const char *path, const char *bytes,
                          size_t length, bool is_silent) {
    Options options = *formatting->options;
    json_t *unsaid = is_silent ? json_array() : NULL;
    options.sink = is_silent ? diag_sink_collect(formatting->arena, unsaid) : options.sink;
    Unit *unit = unit_create(formatting->arena, &options, formatting->installation);
    unit->compiler.reads_one_file = true;
    char *copy = arena_allocate(formatting->arena, length + 1);
    memcpy(copy, bytes, length);
    if (length >= 2 && memcmp(copy, "#!", 2) == 0) {
        memcpy(copy, "--", 2);
    }
    parse_text(&unit->compiler, path, copy, length);
    bool has_errors = unit_has_errors(unit);
    json_decref(unsaid);
    return !has_errors;
}

/* The text, if need be with its blocks indented anew. False after messages: it is no program. */
static bool read_program(const Formatting *formatting, const char *path, FileText *text) {
    if (can_be_parsed(formatting, path, text->bytes, text->length, true)) {
        return true;
    }
    size_t length = 0;
    const char *indented = format_indent(formatting->arena, text->bytes, text->length, &length);
    if (can_be_parsed(formatting, path, indented, length, true)) {
        text->bytes = arena_format(formatting->arena, "%s", indented);
        text->length = length;
        return true;
    }
    return can_be_parsed(formatting, path, text->bytes, text->length, false);
}

/* ---- showing ---- */

static const char *line_end(const char *at, const char *end) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    return newline ? newline : end;
}

static void print_line(char mark, const char *at, const char *end) {
    printf("%c%.*s\n", mark, (int)(end - at), at);
}

/* Every changed line, with its number and what became of it, as a hunk of its own. */
static void print_difference(Arena *arena, const char *path, const FileText *text,
                             const FormattedText *made) {
    printf("--- %s\n+++ %s\n", path, path);
    const char *old = text->bytes;
    const char *new = made->bytes;
    const char *old_end = old + text->length;
    const char *new_end = new + made->length;
    unsigned new_line = 1;
    for (unsigned line = 1; line <= made->rows.count; line++) {
        unsigned rows = made->rows.items[line - 1];
        const char *end = line_end(old, old_end);
        const char *first_end = line_end(new, new_end);
        size_t length = (size_t)(end - old);
        bool is_same =
            rows == 1 && length == (size_t)(first_end - new) && memcmp(old, new, length) == 0;
        if (!is_same || end == old_end) {
            const char *count = rows > 1 ? arena_format(arena, ",%u", rows) : "";
            printf("@@ -%u +%u%s @@\n", line, new_line, count);
            print_line('-', old, end);
        }
        if (end == old_end) {
            printf("\\ No newline at end of file\n");
        }
        for (unsigned row = 0; row < rows; row++) {
            first_end = line_end(new, new_end);
            if (!is_same || end == old_end) {
                print_line('+', new, first_end);
            }
            new = first_end + (first_end < new_end);
        }
        old = end + (end < old_end);
        new_line += rows;
    }
}

/* Nothing but blanks and ends of lines may differ. */
static bool has_same_words(const FileText *text, const FormattedText *made) {
    static const char blanks[] = " \t\r\n";
    const char *new = made->bytes;
    for (size_t i = 0; i < text->length; i++) {
        if (!text->bytes[i] || strchr(blanks, text->bytes[i])) {
            continue;
        }
        new += strspn(new, blanks);
        if (*new ++ != text->bytes[i]) {
            return false;
        }
    }
    return new[strspn(new, blanks)] == '\0';
}

/* ---- the command ---- */

static bool format_file(const Formatting *formatting, const char *path) {
    Arena *arena = formatting->arena;
    const Options *options = formatting->options;
    FileText text;
    if (!read_all(arena, path, &text)) {
        return false;
    }
    FileText source = text;
    if (!read_program(formatting, path, &source)) {
        return false;
    }
    FormattedText made = format_text(arena, source.bytes, source.length, options->fmt_columns);
    bool is_changed =
        made.length != text.length || memcmp(made.bytes, text.bytes, made.length) != 0;
    if (is_changed && (!has_same_words(&text, &made) ||
                       !can_be_parsed(formatting, path, made.bytes, made.length, false))) {
        bug("what occc fmt made of '%s' cannot be read", path);
    }
    bool is_shown = options->fmt_lists || options->fmt_shows_difference;
    if (options->fmt_lists && is_changed) {
        puts(path);
    }
    if (options->fmt_shows_difference && is_changed) {
        print_difference(arena, path, &text, &made);
    }
    if (options->fmt_writes && strcmp(path, "-") != 0) {
        return !is_changed || file_publish(arena, path, made.bytes, made.length);
    }
    if (!is_shown) {
        fwrite(made.bytes, 1, made.length, stdout);
    }
    return true;
}

int format_run(Arena *arena, const Options *options, const Installation *installation) {
    Formatting formatting = {arena, options, installation};
    int status = EXIT_OK;
    for (size_t i = 0; i < options->inputs.count; i++) {
        if (!format_file(&formatting, options->inputs.items[i].word)) {
            status = EXIT_ERRORS;
        }
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fatal("cannot write to standard output:");
    }
    return status;
}
