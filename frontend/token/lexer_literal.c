/* lexer_literal -- numbers, characters and strings as tokens, and errors in them.
 *
 * Leaves: their values to literal.c. */
#include "lexer_state.h"

#include <string.h>

/* ---- numbers ---- */

char *lexer_copy(Lexer *lexer, const char *text, int length) {
    return arena_format(lexer->context.arena, "%.*s", length, text);
}

int lexer_take_integer(Lexer *lexer, const char *text, int length) {
    uint64_t value = 0;
    bool fits = literal_decimal(text, (size_t)length, &value);
    if (!fits) {
        lexer_report(lexer, DIAG_LEXICAL_NUMBER_RANGE, text, length);
    }
    int kind = lexer_take(lexer, TOKEN_INTEGER, text, length);
    lexer->token->is_too_big = fits && value > INT64_MAX;
    lexer->token->value = fits ? (int64_t)value : 0;
    return kind;
}

/* #1F and $1F, also #1f and #1G with a message. */
int lexer_take_hex(Lexer *lexer, const char *text, int length) {
    size_t digits = strspn(text + 1, "0123456789ABCDEFabcdef");
    uint64_t value = 0;
    if (digits != (size_t)length - 1 || digits == 0) {
        lexer_report(lexer, DIAG_LEXICAL_NUMBER, text, length);
    } else if (strspn(text + 1, "0123456789ABCDEF") != digits) {
        if (lexer_report(lexer, DIAG_LEXICAL_LOWER_HEX, text, length)) {
            char *upper = lexer_copy(lexer, text, length);
            for (int i = 0; i < length; i++) {
                upper[i] = (char)(upper[i] >= 'a' && upper[i] <= 'f' ? upper[i] - 32 : upper[i]);
            }
            lexer_fixit(lexer, upper);
        }
    } else if (!literal_hex(text + 1, digits, &value)) {
        lexer_report(lexer, DIAG_LEXICAL_NUMBER_RANGE, text, length);
    }
    int kind = lexer_take(lexer, TOKEN_INTEGER, text, length);
    lexer->token->is_hex = true;
    lexer->token->value = (int64_t)value;
    return kind;
}

/* 1.0E5, 1.0e+5, 1.0E */
int lexer_take_exponent(Lexer *lexer, const char *text, int length) {
    if (lexer_report(lexer, DIAG_LEXICAL_EXPONENT, text, length)) {
        int mantissa = (int)strcspn(text, "Ee");
        const char *digits = text + mantissa + 1;
        if (mantissa + 1 < length && *digits >= '0' && *digits <= '9') {
            lexer_fixit(lexer, arena_format(lexer->context.arena, "%.*sE+%.*s", mantissa, text,
                                            length - mantissa - 1, digits));
        } else if (mantissa + 2 < length) {
            lexer_fixit(lexer, arena_format(lexer->context.arena, "%.*sE%.*s", mantissa, text,
                                            length - mantissa - 1, digits));
        } else {
            lexer_hint(lexer, "an exponent is E, a sign and digits: 1.0E+5");
        }
    }
    return lexer_take(lexer, TOKEN_REAL_LITERAL, text, length);
}

/* 1_000 -> 1000 */
static const char *without_underscores(Lexer *lexer, const char *text, int length) {
    StringBuilder digits = {.arena = lexer->context.arena};
    for (int i = 0; i < length; i++) {
        if (text[i] != '_') {
            string_append(&digits, text + i, 1);
        }
    }
    return digits.bytes;
}

/* 2nd: a name where it is declared and where it is used, not the 5L of another language. */
static bool is_known_bad_word(Lexer *lexer, const char *text, int length) {
    const Text *word = text_intern(lexer->context.texts, text, (size_t)length);
    for (size_t i = 0; i < lexer->bad_words.count; i++) {
        if (lexer->bad_words.items[i] == word) {
            return true;
        }
    }
    size_t digits = strspn(text, "0123456789");
    bool is_suffix = strspn(text + digits, "uUlLfFdD") + digits == (size_t)length;
    if (!is_suffix && text[0] != '0' && !lexer->is_quiet) {
        array_push(lexer->context.arena, &lexer->bad_words, word);
    }
    return false;
}

/* 12abc, 0x1F, 1E5, 1.5f */
int lexer_take_bad_number(Lexer *lexer, const char *text, int length) {
    bool is_real = strchr(text, '.') != NULL;
    if (!is_real && is_known_bad_word(lexer, text, length)) {
        syntax_gate_note(lexer->context.gate, lexer->token->at);
    } else if (lexer_report(lexer, DIAG_LEXICAL_NUMBER, text, length)) {
        size_t digits = strspn(text, "0123456789");
        if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
            char *hex = lexer_copy(lexer, text + 1, length - 1);
            hex[0] = '#';
            lexer_hint(lexer, "a hexadecimal number is # and upper-case digits: #1F");
            lexer_fixit(lexer, hex);
        } else if (text[0] == '0' && strchr("bBoO", text[1]) && digits == 1) {
            lexer_hint(lexer, "a number is decimal or hexadecimal: 10, #1F");
        } else if (!is_real && (text[digits] == 'E' || text[digits] == 'e')) {
            lexer_hint(lexer, "a real number has digits on both sides of a point: 1.0E+5");
        } else if (strspn(text, "0123456789_") == (size_t)length) {
            lexer_hint(lexer, "the digits of a number stand together");
            lexer_fixit(lexer, without_underscores(lexer, text, length));
        } else {
            lexer_hint(lexer,
                       "a name begins with a letter; a literal's type follows in parentheses: "
                       "1 (INT16)");
        }
    }
    if (is_real) {
        return lexer_take(lexer, TOKEN_REAL_LITERAL, text, length);
    }
    lexer_take(lexer, TOKEN_NAME, text, length); /* its value is unknown */
    lexer->token->text = text_intern(lexer->context.texts, text, (size_t)length);
    return TOKEN_NAME;
}

/* ---- characters and strings ---- */

/* The offset of the closing quote, or of the end. A trailing * with only blanks after it continues
 * a string: *continues is set, and the offset is that of the *. */
static int closing_quote(const char *text, int length, char quote, bool *continues) {
    *continues = false;
    for (int i = 1; i < length; i++) {
        if (text[i] == quote) {
            return i;
        }
        if (text[i] == '*') {
            int rest = i + 1;
            while (rest < length && strchr(" \t\r", text[rest])) {
                rest++;
            }
            if (rest == length) {
                *continues = true;
                return i;
            }
            i++;
        }
    }
    return length;
}

static void report_fault(Lexer *lexer, LiteralFault fault, Location at, const char *raw) {
    Diag *diag = lexer->context.diag;
    if (lexer->is_quiet || fault == LITERAL_GOOD) {
        return;
    }
    syntax_gate_note(lexer->context.gate, at);
    switch (fault) {
    case LITERAL_GOOD: break;
    case LITERAL_UNKNOWN_ESCAPE: {
        char letter[2] = {raw[1], '\0'};
        diag_report(diag, DIAG_LEXICAL_ESCAPE, at, letter);
        diag_hint(diag, "escapes are *n *c *t *s *' *\" ** and *#hh; a * itself is written **");
        break;
    }
    case LITERAL_LOWER_CASE_HEX:
        diag_report(diag, DIAG_LEXICAL_LOWER_HEX, at,
                    arena_format(lexer->context.arena, "%.*s", 4, raw));
        break;
    case LITERAL_INCOMPLETE_HEX: diag_report(diag, DIAG_LEXICAL_ESCAPE_HEX, at); break;
    case LITERAL_MISPLACED_LENGTH: diag_report(diag, DIAG_LEXICAL_ESCAPE_LENGTH, at); break;
    }
}

/* The place of a fault inside a literal that stands on one line; else the whole literal. */
static Location fault_location(Location literal, const char *raw, size_t offset,
                               LiteralFault fault) {
    if (literal.line != literal.end_line) {
        return literal;
    }
    uint32_t column = literal.column + 1;
    for (size_t i = 0; i < offset; i++) {
        column += ((unsigned char)raw[i] & 0xC0) != 0x80;
    }
    uint32_t width = fault == LITERAL_LOWER_CASE_HEX ? 4 : 2;
    return (Location){literal.file, literal.line, column, literal.line, column + width};
}

static void decode(Lexer *lexer, const char *raw, size_t length, bool is_string,
                   StringBuilder *bytes) {
    size_t where = 0;
    LiteralFault fault = literal_decode(raw, length, is_string, bytes, &where);
    report_fault(lexer, fault, fault_location(lexer->token->at, raw, where, fault), raw + where);
}

/* '*' where '**' is meant. */
static void report_open_byte(Lexer *lexer, const char *text, int length) {
    bool is_star = length >= 3 && text[1] == '*' && text[2] == '\'';
    if (!is_star) {
        lexer_report(lexer, DIAG_LEXICAL_BYTE_OPEN, text, length);
    } else if (lexer_report(lexer, DIAG_LEXICAL_BYTE_OPEN, text, 3)) {
        lexer_hint(lexer, "*' is a quote within the literal; the star itself is written **");
        lexer_fixit(lexer, "'**'");
    }
}

/* '\n' */
static void offer_escape(Lexer *lexer, const char *text, int length) {
    static const char letters[][2] = {{'n', 'n'}, {'r', 'c'}, {'t', 't'}};
    bool is_escape = length == 4 && text[1] == '\\';
    for (size_t i = 0; is_escape && i < sizeof letters / sizeof letters[0]; i++) {
        if (text[2] == letters[i][0]) {
            lexer_hint(lexer, "an escape begins with *");
            lexer_fixit(lexer, arena_format(lexer->context.arena, "'*%c'", letters[i][1]));
            return;
        }
    }
    lexer_hint(lexer, "a string stands in double quotes");
}

int lexer_take_byte(Lexer *lexer, const char *text, int length) {
    bool continues = false;
    int end = closing_quote(text, length, '\'', &continues);
    bool is_closed = end < length && !continues;
    if (!is_closed) {
        report_open_byte(lexer, text, length);
    }
    lexer_take(lexer, TOKEN_BYTE_LITERAL, text, length);
    if (!is_closed) {
        return TOKEN_BYTE_LITERAL;
    }
    StringBuilder bytes = {.arena = lexer->context.arena};
    decode(lexer, text + 1, (size_t)(end - 1), false, &bytes);
    unsigned count = (unsigned)bytes.length;
    if (count == 1) {
        lexer->token->value = (unsigned char)bytes.bytes[0];
    } else if (!lexer->is_quiet && syntax_gate_opens(lexer->context.gate, lexer->token->at)) {
        diag_report(lexer->context.diag, DIAG_LEXICAL_BYTE_LENGTH, lexer->token->at, count);
        if (count > 1) {
            offer_escape(lexer, text, length);
        }
    }
    return TOKEN_BYTE_LITERAL;
}

void lexer_string_begin(Lexer *lexer) {
    lexer_begin_token(lexer, TOKEN_STRING);
    lexer->raw = (StringBuilder){.arena = lexer->context.arena};
}

/* FUNCTION "*" (..), or a text that ends in a star. */
static bool has_escaped_quote(const char *text, int length) {
    for (int i = 1; i + 1 < length; i++) {
        if (text[i] == '*' && text[i + 1] == '"') {
            return true;
        }
        i += text[i] == '*';
    }
    return false;
}

/* Has the next line one quotation mark, or three? Then the first closes the open one. */
static bool has_odd_quotes_below(const Lexer *lexer) {
    const SourceFile *file = lexer->file;
    if (lexer->line >= file->line_count) {
        return false;
    }
    const char *text = file->bytes + file->line_start[lexer->line];
    size_t quotes = 0;
    for (; *text && *text != '\n' && strncmp(text, "--", 2) != 0; text++) {
        bool is_character = text[0] == '\'' && text[1] == '"' && text[2] == '\'';
        quotes += *text == '"' && !is_character;
        text += is_character ? 2 : *text == '*' && text[1] == '"';
    }
    return quotes % 2 == 1;
}

/* One line of a string, from its opening " or *. False when it continues on the next line. */
bool lexer_string_is_complete(Lexer *lexer, const char *text, int length) {
    bool continues = false;
    int end = closing_quote(text, length, '"', &continues);
    string_append(&lexer->raw, text + 1, (size_t)(end - 1));
    lexer_advance(lexer, text, length);
    lexer->ends_below = false;
    if (end == length) { /* neither closed nor continued: take it as closed */
        lexer_end_token(lexer);
        lexer->ends_below = !has_escaped_quote(text, length) && has_odd_quotes_below(lexer);
        if (!lexer->is_quiet && syntax_gate_opens(lexer->context.gate, lexer->token->at)) {
            diag_report(lexer->context.diag, DIAG_LEXICAL_STRING_OPEN, lexer->token->at);
            lexer_hint(lexer,
                       has_escaped_quote(text, length)
                           ? "*\" is a quotation mark within the string; a star is written **"
                           : "a string goes on on the next line when its line ends in * and "
                             "the next begins with *");
        }
    }
    return !continues;
}

/* "text\n": two characters more and no new line. Only at the end, since c:\new is a path. */
static void warn_of_escape(Lexer *lexer) {
    size_t length = lexer->raw.length;
    if (!lexer->is_quiet && length >= 2 && memcmp(lexer->raw.bytes + length - 2, "\\n", 2) == 0) {
        diag_report(lexer->context.diag, DIAG_LEXICAL_BACKSLASH, lexer->token->at);
        lexer_hint(lexer, "a new line is *n");
    }
}

/* fault: DIAG_COUNT when the string is properly closed. */
int lexer_string_finish(Lexer *lexer, DiagId fault) {
    lexer_end_token(lexer);
    if (fault == DIAG_LEXICAL_STRING_CONTINUATION && !lexer->is_quiet) {
        Location here = {lexer->file->number, lexer->line, lexer->column, lexer->line,
                         lexer->column};
        syntax_gate_note(lexer->context.gate, here);
        diag_report(lexer->context.diag, fault, here);
        diag_label(lexer->context.diag, lexer->token->at, "the string goes on after this");
        diag_fixit(lexer->context.diag, here, "*");
    } else if (fault != DIAG_COUNT && !lexer->is_quiet) {
        syntax_gate_note(lexer->context.gate, lexer->token->at);
        diag_report(lexer->context.diag, fault, lexer->token->at);
    }
    StringBuilder bytes = {.arena = lexer->context.arena};
    warn_of_escape(lexer);
    decode(lexer, lexer->raw.bytes ? lexer->raw.bytes : "", lexer->raw.length, true, &bytes);
    lexer->token->text =
        text_intern(lexer->context.texts, bytes.bytes ? bytes.bytes : "", bytes.length);
    return TOKEN_STRING;
}
