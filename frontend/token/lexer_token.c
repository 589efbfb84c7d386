/* lexer_token -- places, messages, names and directives of the scanner. */
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

/* At the characters of `text`, which come next; they are the %s of the message. False when the
 * message is held back. */
bool lexer_report(Lexer *lexer, DiagId id, const char *text, int length) {
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
    const char *shown = arena_format(lexer->context.arena, "%.*s", length > 40 ? 40 : length, text);
    diag_report(lexer->context.diag, id, *at, shown);
    return true;
}

void lexer_hint(Lexer *lexer, const char *words) {
    diag_hint(lexer->context.diag, "%s", words);
}

void lexer_report_character(Lexer *lexer, const char *text, int length) {
    unsigned char byte = (unsigned char)text[0];
    if (byte >= 32 && byte != 127) {
        lexer_report(lexer, DIAG_LEXICAL_CHARACTER, text, length);
        return;
    }
    lexer_begin_token(lexer, TOKEN_NAME);
    lexer->token->at.end_column++;
    if (!lexer->is_quiet) {
        syntax_gate_note(lexer->context.gate, lexer->token->at);
        diag_report(lexer->context.diag, DIAG_LEXICAL_CONTROL, lexer->token->at, (unsigned)byte);
    }
}

void lexer_take_brace(Lexer *lexer, const char *text, int length) {
    if (!lexer->has_braces && lexer_report(lexer, DIAG_LEXICAL_BRACE, text, length)) {
        lexer->has_braces = true;
        lexer_hint(lexer, "a block is the lines two columns deeper than the line above it");
    }
    lexer_advance(lexer, text, length);
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

static char *copy_characters(Lexer *lexer, const char *text, int length) {
    return arena_format(lexer->context.arena, "%.*s", length, text);
}

/* some_name: taken as some.name, which is what it would be in this language. */
int lexer_take_underscore(Lexer *lexer, const char *text, int length) {
    char *dotted = copy_characters(lexer, text, length);
    for (int i = 0; i < length; i++) {
        if (dotted[i] == '_') {
            dotted[i] = '.';
        }
    }
    if (lexer_report(lexer, DIAG_LEXICAL_UNDERSCORE, text, length)) {
        lexer_hint(lexer, "a name is a letter, then letters, digits and '.'");
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

/* The offset of a * that ends the line inside a string, which then goes on on the next line; the
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
