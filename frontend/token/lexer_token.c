/* lexer_token -- locations, messages, names and directives of the scanner. */
#include "lexer_state.h"

#include <string.h>

/* ---- places ---- */

void lexer_new_line(Lexer *lexer) {
    lexer->line++;
    lexer->column = 1;
    lexer->indent = 0;
    lexer->is_line_start = true;
    lexer->has_tab = false;
}

void lexer_advance(Lexer *lexer, const char *text, int length) {
    for (int i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        if ((byte & 0xC0) == 0x80) {
            continue; /* inside a UTF-8 sequence */
        }
        lexer->column++;
        if (byte == '\t' && lexer->is_line_start) {
            lexer->indent = (lexer->indent / 8 + 1) * 8;
            lexer->has_tab = true;
        } else if (byte != '\r') {
            lexer->indent++;
        }
    }
}

/* The token starts at the next character; its end is filled in once its characters are passed. */
void lexer_begin_token(Lexer *lexer, TokenKind kind) {
    Token *token = lexer->token;
    *token = (Token){.kind = kind};
    token->at =
        (Location){lexer->file->number, lexer->line, lexer->column, lexer->line, lexer->column};
    token->indent = lexer->base_indent + lexer->indent;
    token->file_indent = lexer->base_indent;
    token->starts_line = lexer->is_line_start;
    token->has_tab = lexer->has_tab;
}

void lexer_end_token(Lexer *lexer) {
    lexer->token->at.end_line = lexer->line;
    lexer->token->at.end_column = lexer->column;
    lexer->is_line_start = false;
}

int lexer_take(Lexer *lexer, TokenKind kind, const char *text, int length) {
    lexer_begin_token(lexer, kind);
    if (kind == TOKEN_REAL_LITERAL || kind == TOKEN_USER_OPERATOR) {
        lexer->token->text = text_intern(lexer->context.texts, text, (size_t)length);
    }
    lexer_advance(lexer, text, length);
    lexer_end_token(lexer);
    return (int)kind;
}

/* ---- messages ---- */

/* The message quotes `words` if not NULL, else the characters. */
static bool report_as(Lexer *lexer, DiagId id, const char *text, int length, const char *words) {
    lexer_begin_token(lexer, TOKEN_NAME);
    Location *at = &lexer->token->at;
    uint32_t column = lexer->column;
    for (int i = 0; i < length; i++) {
        column += ((unsigned char)text[i] & 0xC0) != 0x80;
    }
    at->end_column = column;
    if (lexer->is_quiet) {
        return false;
    }
    syntax_gate_note(lexer->context.gate, *at);
    const char *shown =
        words ? words : arena_format(lexer->context.arena, "%.*s", length > 40 ? 40 : length, text);
    diag_report(lexer->context.diag, id, *at, shown);
    return true;
}

/* Report at the characters of `text`, which come next and are the %s of the message. False when the
 * message is suppressed. */
bool lexer_report(Lexer *lexer, DiagId id, const char *text, int length) {
    return report_as(lexer, id, text, length, NULL);
}

void lexer_hint(Lexer *lexer, const char *words) {
    diag_hint(lexer->context.diag, "%s", words);
}

/* What word processors, web pages and slides use instead of plain characters. */
static const struct {
    const char *bytes;
    const char *plain;
    const char *name; /* NULL: it is visible */
} look_alikes[] = {
    {"\xE2\x80\x9C", "\"", NULL}, {"\xE2\x80\x9D", "\"", NULL}, {"\xE2\x80\x98", "'", NULL},
    {"\xE2\x80\x99", "'", NULL},  {"\xE2\x80\x93", "-", NULL},  {"\xE2\x80\x94", "--", NULL},
    {"\xE2\x88\x92", "-", NULL},  {"\xC3\x97", "*", NULL},      {"\xE2\x89\xA4", "<=", NULL},
    {"\xE2\x89\xA5", ">=", NULL}, {"\xE2\x89\xA0", "<>", NULL}, {"\xC2\xA0", " ", "no-break space"},
};

/* At most one UTF-8 character, or one byte that is not part of any. */
static int character_length(const char *text, int length) {
    unsigned char first = (unsigned char)text[0];
    int wanted = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 1;
    int found = 1;
    while (found < wanted && found < length && ((unsigned char)text[found] & 0xC0) == 0x80) {
        found++;
    }
    return found == wanted ? found : 1;
}

static void report_foreign_character(Lexer *lexer, const char *text, int length) {
    for (size_t i = 0; i < sizeof look_alikes / sizeof look_alikes[0]; i++) {
        if (strncmp(text, look_alikes[i].bytes, strlen(look_alikes[i].bytes)) == 0) {
            const char *name = look_alikes[i].name;
            if (report_as(lexer, DIAG_LEXICAL_CHARACTER, text, length, name)) {
                lexer_fixit(lexer, look_alikes[i].plain);
            }
            return;
        }
    }
    bool is_text = length > 1 || (unsigned char)text[0] < 128;
    bool is_said = report_as(lexer, DIAG_LEXICAL_CHARACTER, text, length,
                             is_text ? NULL
                                     : arena_format(lexer->context.arena, "byte #%02X",
                                                    (unsigned)(unsigned char)text[0]));
    if (is_said && text[0] == '.') {
        lexer_hint(lexer, lexer_words_for_point(lexer));
    }
}

/* Is it the beginning of an object or of UTF-16, or a NUL, which no text has? */
static bool begins_no_text(const Lexer *lexer, const char *text) {
    bool is_first = lexer->line == 1 && lexer->column == 1;
    return text[0] == '\0' ||
           (is_first && (strncmp(text, "\x7F", 1) == 0 || strncmp(text, "\xFF\xFE", 2) == 0 ||
                         strncmp(text, "\xFE\xFF", 2) == 0));
}

bool lexer_report_character(Lexer *lexer, const char *text, int length) {
    unsigned char byte = (unsigned char)text[0];
    bool is_text = !begins_no_text(lexer, text);
    if (byte >= 32 && byte != 127) {
        report_foreign_character(lexer, text, character_length(text, length));
    } else {
        lexer_begin_token(lexer, TOKEN_NAME);
        lexer->token->at.end_column++;
        if (!lexer->is_quiet) {
            syntax_gate_note(lexer->context.gate, lexer->token->at);
            diag_report(lexer->context.diag, DIAG_LEXICAL_CONTROL, lexer->token->at,
                        (unsigned)byte);
        }
    }
    if (!is_text && !lexer->is_quiet) {
        lexer_hint(lexer, byte >= 128 ? "the file is UTF-16: save it as UTF-8"
                                      : "this is no text, but an object or program perhaps");
    }
    return is_text;
}

/* A comment of C++, or the integer division of Python. */
void lexer_report_comment(Lexer *lexer, const char *text) {
    char opener[3] = {text[0], text[1], '\0'};
    size_t blanks = strspn(text + 2, " ");
    size_t word = strspn(text + 2 + blanks, "abcdefghijklmnopqrstuvwxyz0123456789.");
    bool may_divide = !lexer->is_line_start && word > 0 && text[2 + blanks + word] == '\0';
    if (!lexer_report(lexer, DIAG_LEXICAL_COMMENT, opener, 2)) {
        return;
    }
    if (may_divide) {
        lexer_hint(lexer, "the quotient of integers is a / b");
    } else {
        lexer_fixit(lexer, "--");
    }
}

void lexer_fixit(Lexer *lexer, const char *replacement) {
    diag_fixit(lexer->context.diag, lexer->token->at, replacement);
}

/* ---- names ---- */

int lexer_take_name(Lexer *lexer, const char *text, int length) {
    const Text *name = text_intern(lexer->context.texts, text, (size_t)length);
    int kind = lexer_take(lexer, keyword_find(lexer->context.keywords, name), text, length);
    lexer->token->text = name;
    return kind;
}

/* some_name: taken as some.name, which is what it would be in this language. */
int lexer_take_underscore(Lexer *lexer, const char *text, int length) {
    char *dotted = lexer_copy(lexer, text, length);
    for (int i = 0; i < length; i++) {
        if (dotted[i] == '_') {
            dotted[i] = '.';
        }
    }
    if (lexer_report(lexer, DIAG_LEXICAL_UNDERSCORE, text, length)) {
        lexer_hint(lexer, length == 1 ? lexer_words_for_nothing(lexer)
                                      : "a name is a letter, then letters, digits and '.'");
        if (dotted[0] != '.') {
            lexer_fixit(lexer, dotted);
        }
    }
    return lexer_take_name(lexer, dotted, length);
}

/* ---- directives ---- */

/* The length of `blanks # blanks WORD` when a line is a directive; 0 when it begins with a
 * hexadecimal number or a substitution. */
int lexer_directive_length(const char *text, int length) {
    int at = (int)strspn(text, " \t\r") + 1;
    at += (int)strspn(text + at, " \t\r");
    int word = at;
    bool is_hex = true;
    while (at < length &&
           ((text[at] >= 'A' && text[at] <= 'Z') || (text[at] >= 'a' && text[at] <= 'z') ||
            (text[at] >= '0' && text[at] <= '9') || text[at] == '.')) {
        is_hex = is_hex && strchr("0123456789ABCDEFabcdef", text[at]);
        at++;
    }
    return at == word || is_hex ? 0 : at;
}

/* The offset of a * that ends the line inside a string, which then continues on the next line; the
 * length when there is none. */
static size_t continuing_star(const char *text, size_t length) {
    bool is_quoted = false;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"') {
            is_quoted = !is_quoted;
        } else if (is_quoted && text[i] == '*') {
            if (i + 1 == length) {
                return i;
            }
            i++;
        }
    }
    return length;
}

static size_t trimmed(const char *text, size_t length) {
    while (length > 0 && strchr(" \t\r", text[length - 1])) {
        length--;
    }
    return length;
}

int lexer_finish_directive(Lexer *lexer) {
    lexer->token->text = text_intern(lexer->context.texts, lexer->raw.bytes, lexer->raw.length);
    return TOKEN_DIRECTIVE;
}

bool lexer_add_to_directive(Lexer *lexer, const char *text, int length) {
    size_t kept = trimmed(text, (size_t)length);
    string_append(&lexer->raw, text + 1, kept - 1); /* without its # or * */
    lexer_advance(lexer, text, length);
    lexer_end_token(lexer);
    size_t star = continuing_star(lexer->raw.bytes, lexer->raw.length);
    bool continues = star < lexer->raw.length && !lexer->is_skipping;
    if (continues) {
        lexer->raw.length = star;
        lexer->raw.bytes[star] = '\0';
    }
    return continues;
}

bool lexer_begin_directive(Lexer *lexer, const char *text, int length) {
    int blanks = (int)strspn(text, " \t\r");
    lexer_advance(lexer, text, blanks);
    lexer_begin_token(lexer, TOKEN_DIRECTIVE);
    lexer->raw = (StringBuilder){.arena = lexer->context.arena};
    return lexer_add_to_directive(lexer, text + blanks, length - blanks);
}

int lexer_take_substitution(Lexer *lexer, const char *text, int length) {
    if (length == 2) {
        lexer_report(lexer, DIAG_LEXICAL_SUBSTITUTION, text, length);
    }
    lexer_take(lexer, TOKEN_SUBSTITUTION, text, length);
    lexer->token->text = text_intern(lexer->context.texts, text + 2, (size_t)(length - 2));
    return TOKEN_SUBSTITUTION;
}
