/* layout -- indentation and continuation lines become NL, INDENT and OUTDENT.
 *
 * Owns:   the columns of the open blocks, the open brackets, what continues a line, the words that
 *         are keywords only in some places.
 * Leaves: whether a block is allowed here to the grammar.
 * Holds:  every INDENT it gives out is matched by an OUTDENT, also where the text is wrong, and
 *         every line ends in one NL. */
#ifndef OCCC_LAYOUT_H
#define OCCC_LAYOUT_H

#include "preprocess.h"

typedef struct Layout Layout;

Layout *layout_create(const LexerContext *context, Preprocessor *preprocessor);
/* layout_begin -- a file begins (after preprocess_begin). */
void layout_begin(Layout *layout);
/* layout_next -- the next token for the grammar; at the end TOKEN_END, any number of times. */
void layout_next(Layout *layout, Token *token);
/* layout_has_lost_heading -- was a block without its heading seen? What it defines has no name. */
bool layout_has_lost_heading(const Layout *layout);

#endif
