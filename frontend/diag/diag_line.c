/* diag_line -- see the header. */
#include "diag_line.h"

#include <string.h>

int line_indent(const SourceMap *sources, uint32_t file, uint32_t number) {
    size_t length = 0;
    const char *line = source_line(sources, file, number, &length);
    size_t first = 0;
    while (line && first < length && line[first] == ' ') {
        first++;
    }
    bool is_comment = first + 1 < length && line[first] == '-' && line[first + 1] == '-';
    return first < length && line[first] != '\r' && !is_comment ? (int)first : -1;
}

bool line_begins_at(const SourceMap *sources, Location where) {
    return (int)where.column <= line_indent(sources, where.file, where.line) + 1;
}

/* Brackets that this line opens and does not close; those in strings and comments do not count. */
static int open_ones(const char *line, size_t length, const char *opening, const char *closing) {
    int depth = 0;
    char quote = 0;
    for (size_t i = 0; i < length; i++) {
        if (quote) {
            i += line[i] == '*';
            quote = line[i] == quote ? 0 : quote;
        } else if (line[i] == '"' || line[i] == '\'') {
            quote = line[i];
        } else if (line[i] == '-' && i + 1 < length && line[i + 1] == '-') {
            break;
        } else {
            depth += (line[i] && strchr(opening, line[i])) - (line[i] && strchr(closing, line[i]));
        }
    }
    return depth;
}

static int open_brackets(const char *line, size_t length) {
    return open_ones(line, length, "([", ")]");
}

bool line_has_block_below(const SourceMap *sources, Location where) {
    const SourceFile *file = source_file(sources, where.file);
    size_t length = 0;
    const char *line = source_line(sources, where.file, where.line, &length);
    if (line && open_brackets(line, length) > 0) {
        return false; /* this line continues on the next */
    }
    for (uint32_t number = where.line + 1; file && number <= file->line_count; number++) {
        int indent = line_indent(sources, where.file, number);
        if (indent >= 0) {
            return indent > line_indent(sources, where.file, where.line);
        }
    }
    return false;
}

bool line_begins_with(const SourceMap *sources, Location where, const char *word) {
    size_t length = 0;
    const char *line = source_line(sources, where.file, where.line, &length);
    int indent = line_indent(sources, where.file, where.line);
    return indent >= 0 && (size_t)indent + strlen(word) <= length &&
           strncmp(line + indent, word, strlen(word)) == 0;
}

bool line_in_one_block(const SourceMap *sources, Location one, Location other) {
    int indent = line_indent(sources, one.file, one.line);
    if (one.file != other.file || one.line >= other.line ||
        line_indent(sources, other.file, other.line) != indent) {
        return false;
    }
    for (uint32_t number = one.line + 1; number < other.line; number++) {
        int between = line_indent(sources, one.file, number);
        if (between >= 0 && between < indent) {
            return false;
        }
    }
    return true;
}

/* Is the line at the margin, with one of the words of a heading? */
static bool begins_definition(const char *line, size_t length) {
    static const char *const words[] = {"PROC", "FUNCTION", "TYPE", "PROTOCOL"};
    bool is_at_margin = length > 0 && ((line[0] >= 'A' && line[0] <= 'Z') || line[0] == '[');
    for (size_t i = 0; is_at_margin && i < sizeof words / sizeof *words; i++) {
        size_t size = strlen(words[i]);
        for (size_t at = 0; at + size <= length; at++) {
            if (strncmp(line + at, words[i], size) == 0) {
                return true;
            }
        }
    }
    return false;
}

bool line_in_one_definition(const SourceMap *sources, Location one, Location other) {
    if (one.file != other.file) {
        return false;
    }
    uint32_t first = one.line < other.line ? one.line : other.line;
    uint32_t last = one.line < other.line ? other.line : one.line;
    for (uint32_t number = first + 1; number <= last; number++) {
        size_t length = 0;
        const char *line = source_line(sources, one.file, number, &length);
        if (line && begins_definition(line, length)) {
            return false;
        }
    }
    return true;
}

static bool is_in_one(const SourceMap *sources, Location one, Location other, const char *opening,
                      const char *closing) {
    int depth = 0;
    for (uint32_t number = one.line; number < other.line; number++) {
        size_t length = 0;
        const char *line = source_line(sources, one.file, number, &length);
        depth += line ? open_ones(line, length, opening, closing) : 0;
        if (depth <= 0) {
            return false;
        }
    }
    return one.file == other.file && one.line < other.line;
}

bool line_in_one_bracket(const SourceMap *sources, Location one, Location other) {
    return is_in_one(sources, one, other, "([", ")]");
}

bool line_in_one_brace(const SourceMap *sources, Location one, Location other) {
    return is_in_one(sources, one, other, "{", "}");
}
