/* starvation_search -- the graph of states as starvation.c and lasso.c see it. */
#ifndef OCCC_STARVATION_SEARCH_H
#define OCCC_STARVATION_SEARCH_H

#include "starvation.h"

#define NONE UINT32_MAX

/* Choice -- an ALT of a process. */
typedef struct Choice {
    uint32_t process;
    uint16_t site;
} Choice;

typedef struct Guard {
    uint32_t choice;
    uint16_t position;
    const ExploreAlternative *alternative; /* NULL: of the library */
    bool waits;                            /* for somebody: it is no SKIP and no time */
    ExploreOrder order;
} Guard;

typedef struct Step {
    uint32_t from, to;     /* states from 0; to NONE: the program ends */
    uint32_t guards[2];    /* that it takes; NONE */
    uint32_t processes[2]; /* numbers; NONE */
    bool is_away;          /* taken away */
    const ExploreEvent *event;
} Step;

typedef struct StarvationSearch {
    Arena *arena;
    const ExploreRegion *region;
    const ExploreBounds *bounds;
    uint32_t state_count;
    ARRAY_OF(Step) steps; /* by the state before them */
    uint32_t *first;      /* of each state; one more behind the last */
    ARRAY_OF(Choice) choices;
    ARRAY_OF(Guard) guards;
    ARRAY_OF(uint32_t) processes;
    /* parts */
    uint32_t *part;         /* of each state */
    uint32_t *members;      /* states, part by part */
    uint32_t *member_first; /* of each part; one more behind the last */
    uint32_t part_count;
    uint32_t *taken_in; /* by guard: the last part in which it is taken, from 1 */
    uint32_t *seen;     /* by process: see is_left_aside */
    uint32_t *moves_in;
} StarvationSearch;

#define EACH_STEP(step, search, state)                                                             \
    for (Step *step = &(search)->steps.items[(search)->first[state]],                              \
              *step##_end = &(search)->steps.items[(search)->first[(state) + 1]];                  \
         step < step##_end; step++)

/* starvation_is_inside -- the step is not taken away, and stays in its part. */
bool starvation_is_inside(const StarvationSearch *search, const Step *step);
/* starvation_is_ready -- the guard is, in that state. */
bool starvation_is_ready(const StarvationSearch *search, uint32_t state, uint32_t guard);
/* starvation_has_turn -- the ALT of the guard chooses by that step. */
bool starvation_has_turn(const StarvationSearch *search, const Step *step, uint32_t guard);
/* starvation_is_of -- does going round in that part for ever keep all promises, and leave the guard
 * out? Steps that break one may be taken away. */
bool starvation_is_of(StarvationSearch *search, uint32_t part, uint32_t guard);

#endif
