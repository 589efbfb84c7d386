/* parse -- files to a tree: source, preprocessor, lexer, layout filter and grammar wired together.
 *
 * Owns:   the order of the files, recovery after a syntax error.
 * Leaves: the shape of the tree to ast.def and grammar.y, wording to syntax_error.c.
 * Holds:  the result is always a whole UNIT; where the text is wrong it has BROKEN nodes and errors
 *         were reported. */
#ifndef OCCC_PARSE_H
#define OCCC_PARSE_H

#include "ast.h"
#include "compiler.h"

/* parse_program -- the files of a compilation, one after the other, as one UNIT. A file that cannot
 * be read is fatal. "-" is the standard input. */
Node *parse_program(Compiler *compiler, const char *const *paths, size_t path_count);
/* parse_file -- the same for one file, without keeping its tokens on the tape. */
Node *parse_file(Compiler *compiler, const SourceFile *file);
/* parse_text -- the same for a text in memory; `path` is its name in messages. */
Node *parse_text(Compiler *compiler, const char *path, const char *bytes, size_t length);

#endif
