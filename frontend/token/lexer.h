/* lexer -- the characters of one file as tokens; lexer.l holds the patterns.
 *
 * Owns:   what a token looks like, and the messages about characters that form none.
 * Leaves: directives to preprocess.c (it gets their whole line), indentation to layout.c. */
#ifndef OCCC_LEXER_H
#define OCCC_LEXER_H

#include "diag.h"
#include "syntax_gate.h"
#include "token.h"

typedef struct Lexer Lexer;

/* What all lexers of one parse share. */
typedef struct LexerContext {
    Arena *arena;
    TextTable *texts;
    Diag *diag;
    const KeywordTable *keywords;
    SyntaxGate *gate;
} LexerContext;

/* lexer_create -- `indent` is the column that the file's lines are relative to. */
Lexer *lexer_create(const LexerContext *context, const SourceFile *file, int32_t indent);
void lexer_destroy(Lexer *lexer);
/* lexer_next -- the next token; at the end TOKEN_END, any number of times. */
void lexer_next(Lexer *lexer, Token *token);
/* lexer_skip_lines -- while on, only directives are seen (the inactive part of an #IF). */
void lexer_skip_lines(Lexer *lexer, bool is_skipping);
/* lexer_set_quiet -- while on, malformed tokens are not reported (inside ASM). */
void lexer_set_quiet(Lexer *lexer, bool is_quiet);
/* lexer_shift -- move the lines that follow by so many columns (#RELAX). */
void lexer_shift(Lexer *lexer, int32_t columns);

#endif
