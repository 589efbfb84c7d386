/* explore_alts -- the alternatives of a program's text, for what `occc explore` never sees taken.
 *
 * Holds:  numbered as the code generator numbers them: those of an ALT inside of an ALT as if they
 *         stood in the outer one. ALTs of the library are left out. */
#ifndef OCCC_EXPLORE_ALTS_H
#define OCCC_EXPLORE_ALTS_H

#include "ast.h"
#include "explore.h"
#include "source.h"

/* explore_alts -- all of them, into bounds->alternatives, and the files into bounds->files. */
void explore_alts(Arena *arena, const SourceMap *sources, Node *tree, ExploreBounds *bounds);

#endif
