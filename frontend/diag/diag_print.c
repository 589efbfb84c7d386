/* diag_print -- prints one diagnostic.
 *
 * Holds: columns are characters: a tab and a UTF-8 sequence take one place in the excerpt, so marks
 *        stand under what they mark. A line longer than the window is shown in part. */
#include "diag_print.h"

#include <stdlib.h>
#include <string.h>

enum {
    WINDOW = 160,
    WINDOW_LEAD = 60,
    MAX_MARKS = 64,
    MAX_INCLUDE_NOTES = 4,
    MAX_MENDED_LINES = 8
};

typedef enum Style {
    STYLE_BOLD,
    STYLE_ERROR,
    STYLE_WARNING,
    STYLE_MARK,
    STYLE_FIX,
    STYLE_FRAME
} Style;

typedef struct Printer {
    const DiagRecord *record;
    const SourceMap *sources;
    FILE *stream;
    bool is_coloured;
    int gutter; /* width of the line numbers */
} Printer;

/* The part of a source line that is shown: characters first .. first + count - 1. */
typedef struct Window {
    uint32_t first;
    uint32_t count;
} Window;

static void style_begin(const Printer *printer, Style style) {
    static const char *const codes[] = {"\033[1m",    "\033[1;31m", "\033[1;35m",
                                        "\033[1;32m", "\033[32m",   "\033[34m"};
    if (printer->is_coloured) {
        fputs(codes[style], printer->stream);
    }
}

static void style_end(const Printer *printer) {
    if (printer->is_coloured) {
        fputs("\033[0m", printer->stream);
    }
}

static const char *path_of(const Printer *printer, uint32_t file) {
    const SourceFile *source = source_file(printer->sources, file);
    return source ? source->path : "<built in>";
}

static void print_headline(const Printer *printer) {
    const DiagRecord *record = printer->record;
    style_begin(printer, STYLE_BOLD);
    if (location_is_known(record->where)) {
        fprintf(printer->stream, "%s:%u:%u: ", path_of(printer, record->where.file),
                record->where.line, record->where.column);
    } else {
        fputs("occc: ", printer->stream);
    }
    style_end(printer);
    style_begin(printer, record->is_error ? STYLE_ERROR : STYLE_WARNING);
    fprintf(printer->stream, "%s[%s]", record->severity, record->name);
    style_end(printer);
    style_begin(printer, STYLE_BOLD);
    fprintf(printer->stream, ": %s\n", record->message);
    style_end(printer);
}

/* ---- source lines ---- */

static bool begins_character(char byte) {
    return ((unsigned char)byte & 0xC0) != 0x80;
}

static uint32_t character_count(const char *bytes, size_t length) {
    uint32_t count = 0;
    for (size_t i = 0; i < length; i++) {
        count += begins_character(bytes[i]);
    }
    return count;
}

/* Byte offset of the character in the given column (from 1), at most length. */
static size_t column_offset(const char *bytes, size_t length, uint32_t column) {
    uint32_t at = 0;
    for (size_t i = 0; i < length; i++) {
        at += begins_character(bytes[i]);
        if (at == column) {
            return i;
        }
    }
    return length;
}

static void print_byte(FILE *stream, char byte) {
    unsigned char value = (unsigned char)byte;
    if (byte == '\t') {
        fputc(' ', stream);
    } else if (value < 32 || value == 127) {
        fputc('?', stream);
    } else {
        fputc(byte, stream);
    }
}

static void print_characters(FILE *stream, const char *bytes, size_t length, Window window) {
    uint32_t at = 0;
    for (size_t i = 0; i < length; i++) {
        at += begins_character(bytes[i]);
        if (at >= window.first && at < window.first + window.count) {
            print_byte(stream, bytes[i]);
        }
    }
}

static Window window_for(const char *bytes, size_t length, uint32_t column) {
    uint32_t count = character_count(bytes, length);
    if (count <= WINDOW) {
        return (Window){1, WINDOW};
    }
    return (Window){column > WINDOW_LEAD ? column - WINDOW_LEAD : 1, WINDOW};
}

static void print_gutter(const Printer *printer, uint32_t line) {
    style_begin(printer, STYLE_FRAME);
    if (line) {
        fprintf(printer->stream, " %*u |", printer->gutter, line);
    } else {
        fprintf(printer->stream, " %*s |", printer->gutter, "");
    }
    style_end(printer);
}

static void print_source_line(const Printer *printer, uint32_t file, uint32_t line, Window window) {
    size_t length = 0;
    const char *bytes = source_line(printer->sources, file, line, &length);
    print_gutter(printer, line);
    if (length) {
        fputc(' ', printer->stream);
        print_characters(printer->stream, bytes, length, window);
    }
    fputc('\n', printer->stream);
}

/* ---- marks under one line ---- */

/* The columns of a mark on its first line, relative to the window; end exclusive. */
static void mark_columns(const Printer *printer, const DiagMark *mark, Window window,
                         uint32_t *start, uint32_t *end) {
    size_t length = 0;
    const char *bytes = source_line(printer->sources, mark->where.file, mark->where.line, &length);
    uint32_t line_end = character_count(bytes, length) + 1;
    uint32_t from = mark->where.column ? mark->where.column : 1;
    uint32_t to = mark->where.end_line == mark->where.line ? mark->where.end_column : line_end;
    if (from < window.first) {
        from = window.first;
    }
    if (from > window.first + window.count) {
        from = window.first + window.count;
    }
    if (to > window.first + window.count) {
        to = window.first + window.count;
    }
    if (to <= from) {
        to = from + 1;
    }
    *start = from - window.first;
    *end = to - window.first;
}

static void draw_marks(const Printer *printer, const DiagMark *const *marks, size_t count,
                       Window window, char *canvas, size_t width) {
    memset(canvas, ' ', width);
    for (size_t pass = 0; pass < 2; pass++) { /* the primary mark is drawn last, on top */
        for (size_t i = 0; i < count; i++) {
            if (marks[i]->is_primary != (pass == 1)) {
                continue;
            }
            uint32_t start = 0;
            uint32_t end = 0;
            mark_columns(printer, marks[i], window, &start, &end);
            for (uint32_t at = start; at < end && at < width; at++) {
                canvas[at] = marks[i]->is_primary && at == start ? '^' : '~';
            }
        }
    }
}

static uint32_t mark_start(const Printer *printer, const DiagMark *mark, Window window) {
    uint32_t start = 0;
    uint32_t end = 0;
    mark_columns(printer, mark, window, &start, &end);
    return start;
}

static size_t trimmed_length(const char *canvas, size_t width) {
    while (width > 0 && canvas[width - 1] == ' ') {
        width--;
    }
    return width;
}

static void print_canvas(const Printer *printer, const char *canvas, size_t width,
                         const char *words) {
    print_gutter(printer, 0);
    fputc(' ', printer->stream);
    style_begin(printer, STYLE_MARK);
    fprintf(printer->stream, "%.*s", (int)width, canvas);
    if (words[0]) {
        fprintf(printer->stream, "%s%s", width > 0 && canvas[width - 1] != ' ' ? " " : "", words);
    }
    style_end(printer);
    fputc('\n', printer->stream);
}

/* marks are in column order. The rightmost words stand beside the marks, the others below. */
static void print_marks(const Printer *printer, const DiagMark *const *marks, size_t count,
                        Window window) {
    char canvas[WINDOW + 2];
    draw_marks(printer, marks, count, window, canvas, sizeof canvas);
    size_t last = count - 1;
    print_canvas(printer, canvas, trimmed_length(canvas, sizeof canvas), marks[last]->words);
    for (size_t i = last; i-- > 0;) {
        if (!marks[i]->words[0]) {
            continue;
        }
        memset(canvas, ' ', sizeof canvas);
        for (size_t left = 0; left < i; left++) {
            if (marks[left]->words[0]) {
                canvas[mark_start(printer, marks[left], window)] = '|';
            }
        }
        print_canvas(printer, canvas, mark_start(printer, marks[i], window), marks[i]->words);
    }
}

/* ---- excerpts ---- */

static int compare_marks(const void *left, const void *right) {
    const DiagMark *a = *(const DiagMark *const *)left;
    const DiagMark *b = *(const DiagMark *const *)right;
    if (a->where.line != b->where.line) {
        return a->where.line < b->where.line ? -1 : 1;
    }
    if (a->where.column != b->where.column) {
        return a->where.column < b->where.column ? -1 : 1;
    }
    return 0;
}

static Window line_window(const Printer *printer, const DiagMark *mark) {
    size_t length = 0;
    const char *bytes = source_line(printer->sources, mark->where.file, mark->where.line, &length);
    return window_for(bytes, length, mark->where.column);
}

/* What stands between two marked lines: nothing, the one line between them, or an ellipsis. */
static void print_gap(const Printer *printer, uint32_t file, uint32_t above, uint32_t below) {
    if (below == above + 2) {
        print_source_line(printer, file, above + 1, (Window){1, WINDOW});
    } else if (below > above + 2) {
        style_begin(printer, STYLE_FRAME);
        fprintf(printer->stream, " %*s...\n", printer->gutter > 2 ? printer->gutter - 2 : 0, "");
        style_end(printer);
    }
}

/* One excerpt with every mark of one file. */
static void print_excerpt(const Printer *printer, uint32_t file) {
    const DiagMark *marks[MAX_MARKS];
    size_t count = 0;
    for (size_t i = 0; i < printer->record->marks.count && count < MAX_MARKS; i++) {
        if (printer->record->marks.items[i].where.file == file) {
            marks[count++] = &printer->record->marks.items[i];
        }
    }
    qsort(marks, count, sizeof marks[0], compare_marks);
    print_gutter(printer, 0);
    fputc('\n', printer->stream);
    for (size_t first = 0; first < count;) {
        size_t next = first;
        while (next < count && marks[next]->where.line == marks[first]->where.line) {
            next++;
        }
        if (first > 0) {
            print_gap(printer, file, marks[first - 1]->where.line, marks[first]->where.line);
        }
        Window window = line_window(printer, marks[first]);
        print_source_line(printer, file, marks[first]->where.line, window);
        print_marks(printer, &marks[first], next - first, window);
        first = next;
    }
}

static bool is_first_of_file(const DiagRecord *record, size_t index) {
    for (size_t i = 0; i < index; i++) {
        if (record->marks.items[i].where.file == record->marks.items[index].where.file) {
            return false;
        }
    }
    return true;
}

static void print_excerpts(const Printer *printer) {
    const DiagRecord *record = printer->record;
    for (size_t i = 0; i < record->marks.count; i++) {
        const DiagMark *mark = &record->marks.items[i];
        if (!location_is_known(mark->where) || !is_first_of_file(record, i)) {
            continue;
        }
        if (mark->where.file != record->where.file) {
            fprintf(printer->stream, " %*s> %s:%u:%u\n", printer->gutter, "",
                    path_of(printer, mark->where.file), mark->where.line, mark->where.column);
        }
        print_excerpt(printer, mark->where.file);
    }
}

/* ---- below the excerpt ---- */

static void print_line_head(const Printer *printer, const char *kind) {
    style_begin(printer, STYLE_FRAME);
    fprintf(printer->stream, " %*s = ", printer->gutter, "");
    style_end(printer);
    style_begin(printer, STYLE_BOLD);
    fprintf(printer->stream, "%s:", kind);
    style_end(printer);
    fputc(' ', printer->stream);
}

static void print_lines(const Printer *printer, const char *kind) {
    const DiagRecord *record = printer->record;
    for (size_t i = 0; i < record->lines.count; i++) {
        const DiagLine *line = &record->lines.items[i];
        if (strcmp(line->kind, kind) != 0) {
            continue;
        }
        print_line_head(printer, kind);
        if (location_is_known(line->where)) {
            fprintf(printer->stream, "%s:%u:%u: ", path_of(printer, line->where.file),
                    line->where.line, line->where.column);
        }
        fprintf(printer->stream, "%s\n", line->words);
    }
}

static void print_include_notes(const Printer *printer) {
    const SourceFile *file = source_file(printer->sources, printer->record->where.file);
    for (int i = 0; file && location_is_known(file->included_at) && i < MAX_INCLUDE_NOTES; i++) {
        print_line_head(printer, "note");
        fprintf(printer->stream, "included from %s:%u\n", path_of(printer, file->included_at.file),
                file->included_at.line);
        file = source_file(printer->sources, file->included_at.file);
    }
}

static int compare_fixits(const void *left, const void *right) {
    const DiagFixit *a = left;
    const DiagFixit *b = right;
    if (a->where.line != b->where.line) {
        return a->where.line < b->where.line ? -1 : 1;
    }
    return a->where.column < b->where.column ? -1 : a->where.column > b->where.column;
}

/* A replacement may have lines of its own, each behind its gutter. */
static void print_replacement(const Printer *printer, const char *text) {
    for (; *text; text++) {
        fputc(*text, printer->stream);
        if (*text == '\n') {
            style_end(printer);
            print_gutter(printer, 0);
            fputc(' ', printer->stream);
            style_begin(printer, STYLE_FIX);
        }
    }
}

/* A line as it would read with those fix-its from `next` on that are on it. Returns the first that
 * is not. */
static size_t print_mended_line(const Printer *printer, size_t next) {
    const DiagRecord *record = printer->record;
    Location first = record->fixits.items[next].where;
    size_t length = 0;
    const char *bytes = source_line(printer->sources, first.file, first.line, &length);
    print_gutter(printer, first.line);
    fputc(' ', printer->stream);
    size_t done = 0;
    size_t i = next;
    for (; i < record->fixits.count && record->fixits.items[i].where.line == first.line; i++) {
        const DiagFixit *fixit = &record->fixits.items[i];
        size_t start = column_offset(bytes, length, fixit->where.column);
        if (fixit->where.file != first.file || start < done) {
            continue;
        }
        for (; done < start; done++) {
            print_byte(printer->stream, bytes[done]);
        }
        style_begin(printer, STYLE_FIX);
        print_replacement(printer, fixit->replacement);
        style_end(printer);
        done = column_offset(bytes, length, fixit->where.end_column);
        done = done < start ? start : done;
    }
    for (; done < length; done++) {
        print_byte(printer->stream, bytes[done]);
    }
    fputc('\n', printer->stream);
    return i;
}

/* The first lines that would change, as they would read. */
static void print_fixits(const Printer *printer) {
    const DiagRecord *record = printer->record;
    if (record->fixits.count == 0) {
        return;
    }
    qsort(record->fixits.items, record->fixits.count, sizeof record->fixits.items[0],
          compare_fixits);
    Location first = record->fixits.items[0].where;
    size_t length = 0;
    source_line(printer->sources, first.file, first.line, &length);
    if (length > WINDOW) {
        return;
    }
    print_line_head(printer, "help");
    fputs("write\n", printer->stream);
    size_t next = 0;
    for (int lines = 0; next < record->fixits.count && lines < MAX_MENDED_LINES; lines++) {
        next = print_mended_line(printer, next);
    }
    if (next < record->fixits.count) {
        print_gutter(printer, 0);
        fputs(" ...\n", printer->stream);
    }
}

static int digit_count(uint32_t number) {
    int digits = 1;
    while (number >= 10) {
        number /= 10;
        digits++;
    }
    return digits;
}

static int gutter_width(const DiagRecord *record) {
    int width = 1;
    for (size_t i = 0; i < record->marks.count; i++) {
        int digits = digit_count(record->marks.items[i].where.line);
        width = digits > width ? digits : width;
    }
    for (size_t i = 0; i < record->fixits.count; i++) {
        int digits = digit_count(record->fixits.items[i].where.line);
        width = digits > width ? digits : width;
    }
    return width;
}

void diag_print(const DiagRecord *record, const SourceMap *sources, FILE *stream,
                bool is_coloured) {
    Printer printer = {record, sources, stream, is_coloured, gutter_width(record)};
    print_headline(&printer);
    print_excerpts(&printer);
    print_include_notes(&printer);
    print_lines(&printer, "note");
    print_lines(&printer, "help");
    print_fixits(&printer);
}
