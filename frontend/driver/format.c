/* format -- see the header. A line is cut into pieces, and blanks are put between them by what
 * stands on both sides. */
#include "format.h"

#include <string.h>

typedef enum PieceKind {
    PIECE_NAME,    /* also user-defined words: everything that is no keyword */
    PIECE_KEYWORD, /* upper-case word that is no type */
    PIECE_TYPE,    /* upper-case word of a type */
    PIECE_LITERAL,
    PIECE_OPEN,  /* ( [ */
    PIECE_CLOSE, /* ) ] */
    PIECE_COMMA, /* , ; */
    PIECE_COLON, /* : */
    PIECE_COUNT, /* :: */
    PIECE_MARK,  /* ! ? ?? */
    PIECE_OPERATOR,
    PIECE_COMMENT
} PieceKind;

typedef struct Piece {
    PieceKind kind;
    const char *at;
    size_t length;
    unsigned depth; /* of brackets around it */
    size_t column;  /* where it is put */
} Piece;

typedef struct Formatter {
    Arena *arena;
    StringBuilder out;
    size_t columns;         /* of the longest line; 0: any */
    unsigned row_count;     /* of the line */
    ARRAY_OF(Piece) pieces; /* of the line */
    unsigned depth;         /* of brackets, where the line ends */
    bool in_string;         /* the string goes on on the next line */
} Formatter;

/* ---- cutting ---- */

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_word(char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '.';
}

/* A page, and the mark of DOS at the end of a file, stand where blanks do. */
static bool is_page(char c) {
    return c == '\f' || c == '\x1A';
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || is_page(c);
}

static bool is_one_of(const char *at, size_t length, const char *words) {
    while (*words) {
        size_t count = strcspn(words, " ");
        if (count == length && memcmp(words, at, count) == 0) {
            return true;
        }
        words += count + (words[count] == ' ');
    }
    return false;
}

static PieceKind word_kind(const char *at, size_t length) {
    if (is_one_of(at, length,
                  "BOOL BYTE INT INT16 INT32 INT64 REAL32 REAL64 UINT UINT16 UINT32 UINT64 CHAN "
                  "PORT TIMER MOBILE SHARED BARRIER RECORD")) {
        return PIECE_TYPE;
    }
    if (is_one_of(at, length, "TRUE FALSE")) {
        return PIECE_LITERAL;
    }
    bool is_keyword = is_one_of(
        at, length,
        "AFTER ALT AND ANY AT BITAND BITNOT BITOR BYTESIN CASE DATA ELSE FOR FROM FUNCTION IF IN "
        "INITIAL INLINE IS MINUS MOSTNEG MOSTPOS NOT OF OFFSETOF OR PACKED PAR PLACE PLACED PLUS "
        "PRI PROC PROTOCOL REM RESHAPES RESULT RETYPES ROUND SEQ SIZE SKIP STEP STOP TIMES TRUNC "
        "TYPE VAL VALOF VECSPACE WHILE WORKSPACE CLONE DEFINED RECURSIVE REC FORK FORKING SYNC "
        "RESIGN ENROLL CLAIM EXTENDS IMPLEMENTS SUSPEND FIXED EMPTY "
        "DMA ALIGNED");
    return is_keyword ? PIECE_KEYWORD : PIECE_NAME;
}

/* The end of a string or character that begins at `at`; `end` when it is not closed. */
static const char *literal_end(const char *at, const char *end, char quote) {
    for (; at < end; at++) {
        if (*at == '*' && at + 1 < end) {
            at++;
        } else if (*at == quote) {
            return at + 1;
        }
    }
    return end;
}

static size_t operator_length(const char *at, const char *end) {
    static const char *const longer[] = {":=", "<>", "<=", ">=", "<<", ">>", "><", "/\\", "\\/",
                                         "::", "??", "@@", "$$", "%%", "&&", "<%", "%>",  "<&",
                                         "&>", "<]", "[>", "++", "!!", "==", "<@", "@>"};
    for (size_t i = 0; i < sizeof longer / sizeof *longer; i++) {
        if (end - at >= 2 && memcmp(at, longer[i], 2) == 0) {
            return 2;
        }
    }
    return 1;
}

static PieceKind symbol_kind(const char *at, size_t length) {
    if (length == 2) {
        return memcmp(at, "::", 2) == 0   ? PIECE_COUNT
               : memcmp(at, "??", 2) == 0 ? PIECE_MARK
                                          : PIECE_OPERATOR;
    }
    switch (*at) {
    case '(':
    case '[': return PIECE_OPEN;
    case ')':
    case ']': return PIECE_CLOSE;
    case ',':
    case ';': return PIECE_COMMA;
    case ':': return PIECE_COLON;
    case '!':
    case '?': return PIECE_MARK;
    default: return PIECE_OPERATOR;
    }
}

static bool is_hex_digit(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F');
}

/* #FF, $FF, and ##FF as macros have it; $ alone is an operator. */
static bool begins_hex(const char *at, const char *end) {
    return *at == '#' || (*at == '$' && at + 1 < end && is_hex_digit(at[1]));
}

/* One piece from `at` on; its end. */
static const char *cut_piece(const char *at, const char *end, PieceKind *kind) {
    const char *start = at;
    if (end - at >= 2 && at[0] == '-' && at[1] == '-') {
        *kind = PIECE_COMMENT;
        return end;
    }
    if (*at == '"' || *at == '\'') {
        *kind = PIECE_LITERAL;
        return literal_end(at + 1, end, *at);
    }
    bool is_hex = begins_hex(at, end);
    bool is_number = is_hex || (*at >= '0' && *at <= '9');
    if (is_number || is_letter(*at)) {
        at += 1 + (at[0] == '#' && at + 1 < end && at[1] == '#');
        while (at < end && (is_word(*at) || (is_number && (*at == '+' || *at == '-') &&
                                             (at[-1] == 'E' || at[-1] == 'e') && !is_hex))) {
            at++;
        }
        *kind = is_number ? PIECE_LITERAL : word_kind(start, (size_t)(at - start));
        return at;
    }
    size_t length = operator_length(at, end);
    *kind = symbol_kind(at, length);
    return at + length;
}

/* The pieces of a line; false when a string in it goes on on the next line. */
static bool cut_line(Formatter *formatter, const char *at, const char *end) {
    formatter->pieces.count = 0;
    while (at < end) {
        if (is_blank(*at)) {
            at++;
            continue;
        }
        Piece piece = {PIECE_NAME, at, 0, formatter->depth, 0};
        at = cut_piece(at, end, &piece.kind);
        piece.length = (size_t)(at - piece.at);
        formatter->depth += piece.kind == PIECE_OPEN;
        if (piece.kind == PIECE_CLOSE && formatter->depth > 0) {
            piece.depth = --formatter->depth;
        }
        array_push(formatter->arena, &formatter->pieces, piece);
        bool is_open_string =
            *piece.at == '"' &&
            (piece.length < 2 || at[-1] != '"' || literal_end(piece.at + 1, at - 1, '"') != at - 1);
        if (is_open_string && at == end && at[-1] != '"') {
            return false;
        }
    }
    return true;
}

/* ---- blanks ---- */

static char first_of(const Piece *piece) {
    return *piece->at;
}

/* A minus, or another operator that begins an operand. */
static bool is_monadic(const Formatter *formatter, size_t index) {
    const Piece *piece = &formatter->pieces.items[index];
    if (piece->kind != PIECE_OPERATOR || piece->length != 1 ||
        (first_of(piece) != '-' && first_of(piece) != '~')) {
        return false;
    }
    if (index == 0 || first_of(piece) == '~') {
        return true;
    }
    const Piece *before = &formatter->pieces.items[index - 1];
    return before->kind != PIECE_NAME && before->kind != PIECE_LITERAL &&
           before->kind != PIECE_CLOSE;
}

/* A mark that belongs to the name before it, c! or c?, and is no communication. */
static bool is_end_mark(const Formatter *formatter, size_t index) {
    const Piece *piece = &formatter->pieces.items[index];
    if (piece->kind != PIECE_MARK || piece->length != 1 || index == 0) {
        return false;
    }
    size_t last = formatter->pieces.count - 1;
    while (last > index && formatter->pieces.items[last].kind == PIECE_COMMENT) {
        last--;
    }
    const Piece *next = last > index ? piece + 1 : NULL;
    const Piece *end = &formatter->pieces.items[last];
    bool is_declaration = end->kind == PIECE_COLON || first_of(end) == ',';
    return piece->depth > 0 || !next || is_declaration || next->kind == PIECE_COMMA ||
           first_of(next) == '&';
}

static bool is_subscript(const Piece *before, const Piece *after) {
    return first_of(after) == '[' &&
           (before->kind == PIECE_NAME || before->kind == PIECE_CLOSE || first_of(before) == '"');
}

/* [n]INT, [n][m]INT, []T */
static bool is_after_dimension(const Piece *before, const Piece *after) {
    return before->kind == PIECE_CLOSE && first_of(before) == ']' &&
           (after->kind == PIECE_TYPE || after->kind == PIECE_NAME);
}

/* Whether a blank stands between the pieces index - 1 and index. */
static bool wants_blank(const Formatter *formatter, size_t index) {
    const Piece *before = &formatter->pieces.items[index - 1];
    const Piece *after = &formatter->pieces.items[index];
    if (before->kind == PIECE_OPEN || after->kind == PIECE_CLOSE || after->kind == PIECE_COMMA ||
        before->kind == PIECE_COUNT || after->kind == PIECE_COUNT) {
        return false;
    }
    if (after->kind == PIECE_COLON || is_end_mark(formatter, index) ||
        is_monadic(formatter, index - 1)) {
        return false;
    }
    return !is_subscript(before, after) && !is_after_dimension(before, after);
}

/* ---- lines ---- */

static void put(Formatter *formatter, const char *bytes, size_t length) {
    string_append(&formatter->out, bytes, length);
}

/* Blanks before a piece; comments in columns stay where they are. */
static size_t gap_before(const Formatter *formatter, size_t index) {
    const Piece *piece = &formatter->pieces.items[index];
    if (piece->kind == PIECE_COMMENT) {
        size_t blanks = (size_t)(piece->at - (piece[-1].at + piece[-1].length));
        return blanks > 0 ? blanks : 1;
    }
    return wants_blank(formatter, index);
}

/* May the line end behind this piece, and go on in the next one? */
static bool may_end(const Formatter *formatter, size_t index) {
    const Piece *piece = &formatter->pieces.items[index];
    if (piece->kind == PIECE_OPERATOR) {
        return is_one_of(piece->at, piece->length, "+ - * / /\\ \\/ ><") &&
               !is_monadic(formatter, index);
    }
    return piece->kind == PIECE_COMMA ||
           (piece->kind == PIECE_KEYWORD &&
            is_one_of(piece->at, piece->length, "AND OR PLUS MINUS TIMES"));
}

/* Where the row that begins with `first` ends: behind the last piece of those least deep in brackets
 * that fits; when none fits, behind the first that may end a row. 0: nowhere, or it need not. */
static size_t row_end(const Formatter *formatter, size_t first, size_t column) {
    const Piece *pieces = formatter->pieces.items;
    size_t count = formatter->pieces.count;
    size_t best = 0;
    for (size_t i = first; i < count && pieces[i].kind != PIECE_COMMENT; i++) {
        column += (i > first ? gap_before(formatter, i) : 0) + pieces[i].length;
        bool is_last = i + 1 == count || pieces[i + 1].kind == PIECE_COMMENT;
        if (is_last && column <= formatter->columns) {
            return 0;
        }
        if (column > formatter->columns && best > 0) {
            return best;
        }
        bool is_better = best == 0 || pieces[i].depth <= pieces[best - 1].depth;
        if (!is_last && is_better && may_end(formatter, i)) {
            best = i + 1;
        }
    }
    return column > formatter->columns ? best : 0;
}

/* Where the line goes on: behind the bracket that is open, unless that is far to the right. */
static size_t next_column(const Formatter *formatter, size_t end) {
    const Piece *pieces = formatter->pieces.items;
    size_t indentation = pieces[0].column;
    for (size_t i = end - 1; i-- > 0 && pieces[end - 1].depth > 0;) {
        if (pieces[i].kind == PIECE_OPEN && pieces[i].depth + 1 == pieces[end - 1].depth) {
            size_t column = pieces[i].column + 1;
            return column <= indentation + formatter->columns / 2 ? column : indentation + 4;
        }
    }
    return indentation + 4;
}

static void put_blanks(Formatter *formatter, size_t count) {
    put(formatter, arena_format(formatter->arena, "%*s", (int)count, ""), count);
}

static void put_pieces(Formatter *formatter, const char *start) {
    size_t column = 0;
    size_t end = 0; /* of the row */
    for (size_t i = 0; i < formatter->pieces.count; i++) {
        Piece *piece = &formatter->pieces.items[i];
        if (i == 0) {
            column = (size_t)(piece->at - start);
            put(formatter, start, column);
        } else if (i == end) {
            column = next_column(formatter, i);
            put(formatter, "\n", 1);
            put_blanks(formatter, column);
            formatter->row_count++;
        } else {
            size_t gap = gap_before(formatter, i);
            put_blanks(formatter, gap);
            column += gap;
        }
        if (i == end && formatter->columns > 0) {
            end = row_end(formatter, i, column);
        }
        piece->column = column;
        put(formatter, piece->at, piece->length);
        column += piece->length;
    }
}

/* #INCLUDE "x", #!/usr/bin/occc: a directive or the first line of a script, not #FF. */
static bool is_directive(const char *start, const char *end) {
    while (start < end && is_blank(*start)) {
        start++;
    }
    if (start == end || *start != '#') {
        return false;
    }
    const char *word = start + 1;
    size_t length = 0;
    while (word + length < end && is_letter(word[length])) {
        length++;
    }
    return (word < end && *word == '!') ||
           is_one_of(word, length,
                     "INCLUDE USE IMPORT SC OPTION COMMENT PRAGMA IF ELIF ELSE ENDIF DEFINE UNDEF "
                     "ERROR WARNING RELAX");
}

static void format_line(Formatter *formatter, const char *start, const char *end) {
    while (end > start && is_blank(end[-1]) && !is_page(end[-1])) {
        end--;
    }
    unsigned depth = formatter->depth;
    bool was_in_string = formatter->in_string;
    if (!was_in_string && is_directive(start, end)) {
        formatter->in_string = !cut_line(formatter, start, end);
        formatter->depth = depth;
        put(formatter, start, (size_t)(end - start));
        return;
    }
    const char *text = start;
    if (was_in_string) {
        const char *star = memchr(start, '*', (size_t)(end - start));
        text = star ? literal_end(star + 1, end, '"') : end;
    }
    bool is_whole = cut_line(formatter, text, end);
    formatter->in_string =
        !is_whole || (was_in_string && text == end && (end == start || end[-1] != '"'));
    bool is_part = depth > 0 || formatter->depth > 0 || was_in_string || formatter->in_string;
    if (is_part || formatter->pieces.count == 0) {
        put(formatter, start, (size_t)(end - start));
    } else {
        put_pieces(formatter, start);
    }
}

FormattedText format_text(Arena *arena, const char *bytes, size_t length, unsigned columns) {
    Formatter formatter = {.arena = arena, .out = {.arena = arena}, .columns = columns};
    FormattedText result = {0};
    put(&formatter, "", 0);
    const char *end = bytes + length;
    while (bytes < end) {
        const char *newline = memchr(bytes, '\n', (size_t)(end - bytes));
        const char *line_end = newline ? newline : end;
        formatter.row_count = 1;
        format_line(&formatter, bytes, line_end);
        put(&formatter, "\n", 1);
        array_push(arena, &result.rows, formatter.row_count);
        bytes = line_end + (newline != NULL);
    }
    result.bytes = formatter.out.bytes;
    result.length = formatter.out.length;
    return result;
}
