/* diag_line -- lines of the user's text: what their indentation says about blocks. */
#ifndef OCCC_DIAG_LINE_H
#define OCCC_DIAG_LINE_H

#include "source.h"

/* line_indent -- the blanks at its head; -1: the line is empty, a comment, or not there. */
int line_indent(const SourceMap *sources, uint32_t file, uint32_t number);
/* line_begins_at -- is the place the first thing on its line? */
bool line_begins_at(const SourceMap *sources, Location where);
bool line_begins_with(const SourceMap *sources, Location where, const char *word);
/* line_has_block_below -- may the line be a choice, an option, a variant or a guard? */
bool line_has_block_below(const SourceMap *sources, Location where);
/* line_in_one_block -- the same column, and no line between them stands less deep. */
bool line_in_one_block(const SourceMap *sources, Location one, Location other);
/* line_in_one_definition -- no definition begins at the margin between the two lines. */
bool line_in_one_definition(const SourceMap *sources, Location one, Location other);
/* line_in_one_bracket -- does a bracket that the line of `one` opens stay open until `other`? */
bool line_in_one_bracket(const SourceMap *sources, Location one, Location other);
/* line_in_one_brace -- the same for braces, which belong to another language. */
bool line_in_one_brace(const SourceMap *sources, Location one, Location other);

#endif
