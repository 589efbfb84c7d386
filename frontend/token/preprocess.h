/* preprocess -- directives: one stream of tokens out of all the files of a compilation.
 *
 * Owns:   the stack of open files, #IF and its relatives, #INCLUDE, #USE, ##N, #PRAGMA.
 * Leaves: conditions to condition.c, names to define.c, indentation to layout.c.
 * Holds:  directives are handled in the stream of tokens, so every token keeps its own file, line
 *         and column; lines of an included file are placed relative to the directive's column. */
#ifndef OCCC_PREPROCESS_H
#define OCCC_PREPROCESS_H

#include "compiler.h"
#include "lexer.h"
#include "token_tape.h"

typedef struct Preprocessor Preprocessor;

Preprocessor *preprocess_create(Compiler *compiler, const KeywordTable *keywords, SyntaxGate *gate);
/* preprocess_begin -- read this file next; what is left of the one before is dropped. */
void preprocess_begin(Preprocessor *preprocessor, const SourceFile *file);
/* preprocess_end -- free what the scanners hold. */
void preprocess_end(Preprocessor *preprocessor);
/* preprocess_next -- never DIRECTIVE or SUBSTITUTION; TOKEN_END when the file has ended. */
void preprocess_next(Preprocessor *preprocessor, Token *token);
/* preprocess_list_defines -- list what has been defined since the beginning. */
void preprocess_list_defines(const Preprocessor *preprocessor, TokenTape *tape);
/* preprocess_set_quiet -- while on, malformed tokens are not reported (inside ASM). */
void preprocess_set_quiet(Preprocessor *preprocessor, bool is_quiet);

#endif
