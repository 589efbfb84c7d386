/* token -- the unit that passes from lexer to preprocessor to layout filter to grammar.
 *
 * Owns:   token kinds and the table of keywords.
 * Holds:  `indent` is the column layout compares (from 0; leading tabs go to multiples of 8, an
 *         included file is shifted by its directive's column); `at` is always the place in the
 *         file as the user sees it. */
#ifndef OCCC_TOKEN_H
#define OCCC_TOKEN_H

#include "arena.h"
#include "source.h"
#include "text.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum TokenKind {
#define TOKEN(NAME, shown, CLASS)     TOKEN_##NAME,
#define KEYWORD(NAME, word, CLASS)    TOKEN_##NAME,
#define CONTEXTUAL(NAME, word, CLASS) TOKEN_##NAME,
#include "token.def"
#undef TOKEN
#undef KEYWORD
#undef CONTEXTUAL
    TOKEN_KIND_COUNT
} TokenKind;

typedef enum TokenClass {
    CLASS_OTHER,
    CLASS_RECOVERY,
    CLASS_OPERAND,
    CLASS_MONADIC,
    CLASS_OPERATOR,
    CLASS_TYPE,
    CLASS_PROCESS,
    CLASS_SPEC
} TokenClass;

typedef struct Token {
    TokenKind kind;
    Location at;
    int32_t indent;
    int32_t file_indent; /* the part of indent that comes from the #INCLUDE of the file */
    bool starts_line;
    bool has_tab;     /* a tab is before it, at the head of its line */
    bool is_hex;      /* INTEGER */
    bool is_too_big;  /* INTEGER: from 9223372036854775808 on; value has its bits */
    int64_t value;    /* INTEGER, BYTE_LITERAL */
    const Text *text; /* NAME and keywords; STRING, decoded; REAL_LITERAL, USER_OPERATOR: spelling;
                         PRAGMA, DIRECTIVE: the line after the #; SUBSTITUTION: the name */
} Token;

typedef struct KeywordTable KeywordTable;

KeywordTable *keyword_table_create(Arena *arena, TextTable *texts);
/* keyword_find -- the kind of a reserved word; TOKEN_NAME for any other. */
TokenKind keyword_find(const KeywordTable *table, const Text *text);
/* contextual_find -- the same for contextual keywords, which are not reserved. */
TokenKind contextual_find(const KeywordTable *table, const Text *text);

/* keyword_numbered -- the n-th keyword, reserved or contextual, from 0; NULL: there are no more. */
const char *keyword_numbered(size_t number);

/* token_shown -- what a message calls this kind of token; symbols and words without quotes. */
const char *token_shown(TokenKind kind);
/* token_is_spelled -- has the kind one spelling, which a message quotes? */
bool token_is_spelled(TokenKind kind);
TokenClass token_class(TokenKind kind);

#endif
