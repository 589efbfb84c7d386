/* circle -- who waits for whom in a state without a next step.
 *
 * Owns:   the text about it.
 * Leaves: the state to search.h.
 * Holds:  it reads as the report of a run that deadlocks. */
#ifndef OCCC_CIRCLE_H
#define OCCC_CIRCLE_H

#include "search.h"

enum { NOBODY = -1 };

typedef struct Circle {
    const Machine *machine;
    Word *state;
    const SourceMap *sources;
    int *waits_for;  /* of each task; NOBODY */
    bool *is_inside; /* of each task: it is part of the circle */
} Circle;

Circle circle_make(const Machine *machine, const Word *state, const SourceMap *sources);
void circle_print(const Circle *circle);
/* circle_dot -- the same in Graphviz's language. */
const char *circle_dot(const Circle *circle);
/* circle_what -- what the task waits for: "output on 'c'". */
const char *circle_what(const Circle *circle, int task);
/* circle_place -- "file:line:column". */
const char *circle_place(Arena *arena, const SourceMap *sources, Location at);

#endif
