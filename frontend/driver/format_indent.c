/* format_indent -- a text whose blocks are indented by another step than two blanks, or by tabs.
 *
 * Holds:  a line deeper than the one before it begins a block, one less deep ends those that are
 *         deeper; so every block gets two blanks more than the one around it. Lines that go on
 *         move with their statement, comments with what follows them. Whether the result is a
 *         program is for the caller to see: nothing here knows which words open a block. */
#include "format.h"

#include <string.h>

enum { TAB = 8, MAX_BLOCKS = 200 };

typedef struct Indenter {
    StringBuilder out;
    unsigned columns[MAX_BLOCKS]; /* of the blocks around, as they are written */
    unsigned count;
    unsigned brackets; /* that are open */
    bool in_string;    /* it goes on on the next line */
    bool goes_on;      /* the line ended in an operator, a comma ... */
    int moved;         /* by how much the statement was moved */
} Indenter;

static unsigned column_of(const char *line, size_t length, size_t *first) {
    unsigned column = 0;
    size_t i = 0;
    for (; i < length && (line[i] == ' ' || line[i] == '\t'); i++) {
        column = line[i] == '\t' ? (column / TAB + 1) * TAB : column + 1;
    }
    *first = i;
    return column;
}

static bool ends_with(const char *text, size_t length, const char *word) {
    size_t size = strlen(word);
    return length >= size && memcmp(text + length - size, word, size) == 0;
}

/* Does a line that ends so go on? */
static bool is_open_end(const char *text, size_t length) {
    static const char *const ends[] = {",",      ";",     ":=",   " IS",       " RETYPES", " FROM",
                                       " FOR",   " STEP", " +",   " -",        " *",       " /",
                                       " \\",    " AND",  " OR",  " =",        " <>",      " <",
                                       " >",     " <=",   " >=",  " RESHAPES", " PLUS",    " MINUS",
                                       " TIMES", " /\\",  " \\/", " ><",       " AFTER"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        if (ends_with(text, length, ends[i])) {
            return true;
        }
    }
    return false;
}

/* Brackets and texts of a line, up to its comment. */
static void read_line(Indenter *indenter, const char *line, size_t length) {
    size_t end = 0;
    char quote = indenter->in_string ? '"' : 0;
    for (size_t i = 0; i < length; i++) {
        char c = line[i];
        if (quote) {
            i += c == '*' && i + 1 < length;
            quote = c == quote ? 0 : quote;
        } else if (c == '-' && i + 1 < length && line[i + 1] == '-') {
            break;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '(' || c == '[') {
            indenter->brackets++;
        } else if ((c == ')' || c == ']') && indenter->brackets > 0) {
            indenter->brackets--;
        }
        end = c == ' ' || c == '\r' ? end : i + 1;
    }
    indenter->in_string = quote == '"';
    indenter->goes_on = is_open_end(line, end < length ? end : length);
}

/* The blanks that a statement at this column gets. */
static unsigned new_column(Indenter *indenter, unsigned column) {
    while (indenter->count > 1 && column < indenter->columns[indenter->count - 1]) {
        indenter->count--;
    }
    if (column > indenter->columns[indenter->count - 1] && indenter->count < MAX_BLOCKS) {
        indenter->columns[indenter->count++] = column;
    }
    return 2 * (indenter->count - 1);
}

/* A comment stands with what follows it: in one of the blocks around, or in one that begins. */
static unsigned comment_column(const Indenter *indenter, unsigned column) {
    unsigned blocks = indenter->count;
    while (blocks > 1 && column < indenter->columns[blocks - 1]) {
        blocks--;
    }
    bool is_deeper = blocks == indenter->count && column > indenter->columns[blocks - 1];
    return 2 * (is_deeper ? blocks : blocks - 1);
}

static void put_line(Indenter *indenter, const char *line, size_t length) {
    size_t first = 0;
    unsigned column = column_of(line, length, &first);
    bool is_empty = first == length || line[first] == '\r';
    bool is_comment = first + 1 < length && line[first] == '-' && line[first + 1] == '-';
    bool is_more = indenter->brackets > 0 || indenter->in_string || indenter->goes_on;
    if (is_empty || line[first] == '#') {
        string_append_format(&indenter->out, "%.*s", (int)length, line);
        return;
    }
    if (!is_more && !is_comment) {
        unsigned blanks = new_column(indenter, column);
        indenter->moved = (int)blanks - (int)column;
    }
    int blanks = is_comment && !is_more ? (int)comment_column(indenter, column)
                                        : (int)column + indenter->moved;
    string_append_format(&indenter->out, "%*s%.*s", blanks > 0 ? blanks : 0, "",
                         (int)(length - first), line + first);
    if (!is_comment) {
        read_line(indenter, line + first, length - first);
    }
}

const char *format_indent(Arena *arena, const char *text, size_t length, size_t *new_length) {
    Indenter indenter = {.out = {.arena = arena}, .count = 1};
    const char *end = text + length;
    for (const char *line = text; line < end;) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        const char *stop = newline ? newline : end;
        put_line(&indenter, line, (size_t)(stop - line));
        string_append_format(&indenter.out, "%s", newline ? "\n" : "");
        line = newline ? newline + 1 : end;
    }
    *new_length = indenter.out.length;
    return indenter.out.length ? indenter.out.bytes : "";
}
