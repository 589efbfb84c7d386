/* lexer_state -- what lexer.l and its helpers share; nobody else includes it.
 *
 * Each lexer_take_* makes a token of `text`, with its messages, and returns its kind. */
#ifndef OCCC_LEXER_STATE_H
#define OCCC_LEXER_STATE_H

#include "array.h"
#include "lexer.h"
#include "literal.h"

struct Lexer {
    LexerContext context;
    const SourceFile *file;
    void *scanner;
    Token *token; /* being made */
    uint32_t line;
    uint32_t column;     /* of the next character, from 1 */
    int32_t indent;      /* layout column of the next character in this file, from 0 */
    int32_t base_indent; /* added for an included file */
    bool is_line_start;  /* no token yet on this line */
    bool has_tab;
    bool is_quiet;
    bool is_skipping;
    bool has_braces;   /* reported once a file */
    bool ends_below;   /* the string just reported has its closing " on the next line */
    StringBuilder raw; /* of a string, over its lines */
    ARRAY_OF(const Text *) bad_words; /* names that begin with a digit, each reported once */
};

/* ---- lexer_token.c ---- */

void lexer_new_line(Lexer *lexer);
/* lexer_advance -- skip characters that make no token. */
void lexer_advance(Lexer *lexer, const char *text, int length);
void lexer_begin_token(Lexer *lexer, TokenKind kind);
void lexer_end_token(Lexer *lexer);
int lexer_take(Lexer *lexer, TokenKind kind, const char *text, int length);
/* lexer_take_brace -- skip it; reported once a file. */
void lexer_take_brace(Lexer *lexer, const char *text, int length);
int lexer_take_name(Lexer *lexer, const char *text, int length);
int lexer_take_underscore(Lexer *lexer, const char *text, int length);
/* A directive: its first line, further ones (from their *), its token. The first two return true
 * when a string continues on the next line. */
bool lexer_begin_directive(Lexer *lexer, const char *text, int length);
bool lexer_add_to_directive(Lexer *lexer, const char *text, int length);
int lexer_finish_directive(Lexer *lexer);
int lexer_take_substitution(Lexer *lexer, const char *text, int length);
int lexer_directive_length(const char *text, int length);
char *lexer_copy(Lexer *lexer, const char *text, int length); /* NUL-terminated */
bool lexer_report(Lexer *lexer, DiagId id, const char *text, int length);
/* lexer_report_character -- false: the file is no text, so reading on makes no sense. */
bool lexer_report_character(Lexer *lexer, const char *text, int length);
void lexer_report_comment(Lexer *lexer, const char *text);
/* lexer_hint_update, lexer_hint_arrow -- add to the message just made about += or ->. */
void lexer_hint_update(Lexer *lexer, char operator);
void lexer_hint_arrow(Lexer *lexer);
const char *lexer_words_for_nothing(const Lexer *lexer);
const char *lexer_words_for_point(const Lexer *lexer);
/* lexer_hint, lexer_fixit -- add to the message just made; the fix-it replaces its place. */
void lexer_hint(Lexer *lexer, const char *words);
void lexer_fixit(Lexer *lexer, const char *replacement);

/* ---- lexer_literal.c ---- */

int lexer_take_integer(Lexer *lexer, const char *text, int length);
int lexer_take_hex(Lexer *lexer, const char *text, int length);
int lexer_take_exponent(Lexer *lexer, const char *text, int length);
int lexer_take_bad_number(Lexer *lexer, const char *text, int length);
int lexer_take_byte(Lexer *lexer, const char *text, int length);
void lexer_string_begin(Lexer *lexer);
/* lexer_string_is_complete -- one line of a string, from its opening " or *; false when it
 * continues on the next line. */
bool lexer_string_is_complete(Lexer *lexer, const char *text, int length);
/* lexer_string_finish -- fault: DIAG_COUNT when the string is properly closed. */
int lexer_string_finish(Lexer *lexer, DiagId fault);

#endif
