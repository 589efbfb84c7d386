/* starvation -- guards that may wait for ever while the program goes round (--states).
 *
 * Owns:   finding cycles of states in which a guard is ready and is never taken.
 * Leaves: a short cycle to lasso.h, which alternatives the text has to explore.h, saying it to
 *         summary.c.
 * Holds:  a cycle counts only if it keeps what the language promises: an ALT that is not PRI takes in
 *         the end every guard that is ready again and again when it chooses; a PRI ALT takes no
 *         later guard while an earlier one waits; no process that can go on always is left aside
 *         for ever. The cycles are those of strongly connected parts of the graph, from which steps
 *         are taken away that break such a promise, until none does (Emerson and Lei, 1987). */
#ifndef OCCC_STARVATION_H
#define OCCC_STARVATION_H

#include "array.h"
#include "explore.h"
#include "occ/explore.h"

/* LassoStep -- one of the steps of a behaviour without end. */
typedef struct LassoStep {
    const ExploreEvent *event;
    bool is_choice; /* something else could have happened */
} LassoStep;

/* Lasso -- the way to a round, and the round. */
typedef struct Lasso {
    ARRAY_OF(LassoStep) steps;
    uint32_t stem; /* how many come before the round */
} Lasso;

typedef struct Starved {
    const ExploreAlternative *alternative;
    uint32_t guard;  /* its number in the ALT as it runs, from 0 */
    uint32_t states; /* of the part that the cycle is in */
    Lasso lasso;
    const char *schedule; /* the file it was written to; or NULL */
} Starved;

typedef ARRAY_OF(Starved) StarvedList;

/* starvation_find -- all steps are known. */
StarvedList starvation_find(Arena *arena, const ExploreRegion *region, const ExploreBounds *bounds);

#endif
