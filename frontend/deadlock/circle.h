/* circle -- who waits for whom in a state without a next step.
 *
 * Owns:   the text about it.
 * Leaves: the state to search.h.
 * Holds:  it reads as the report of a run that deadlocks. */
#ifndef OCCC_CIRCLE_H
#define OCCC_CIRCLE_H

#include "search.h"

void circle_print(const Machine *machine, const Word *state, const SourceMap *sources);
/* circle_place -- "file:line:column". */
const char *circle_place(Arena *arena, const SourceMap *sources, Location at);

#endif
