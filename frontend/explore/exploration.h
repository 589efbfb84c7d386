/* exploration -- the program is run through its behaviours, within the bounds.
 *
 * Owns:   what is told to the program, the progress line, when it is to stop, what it has found.
 * Leaves: the runs to the program (runtime/explore); saying what was found to summary.h.
 * Holds:  one exploration at a time: ^C stops it. */
#ifndef OCCC_EXPLORATION_H
#define OCCC_EXPLORATION_H

#include "behaviour_graph.h"
#include "ends.h"
#include "explore.h"
#include "starvation.h"

#include <signal.h>

/* Exploration -- what is wanted, and what is known when it is over. */
typedef struct Exploration {
    Arena *arena;
    const char *name; /* of the source */
    const char *path; /* of the program */
    char **words;
    const ExploreBounds *bounds;
    /* known */
    Program *program;
    ExploreRegion *region;
    Ends ends;
    StarvedList starved;    /* where all steps between states are known */
    BehaviourGraph graph;   /* if it is wanted, or states are recognised */
    const char *stopped_by; /* the bound; or NULL */
    double began;
    double seconds;
    bool has_shown; /* a progress line */
} Exploration;

/* exploration_run -- from its beginning to its end or a bound. */
void exploration_run(Exploration *known);
/* exploration_wait -- for another search with that program, at most so many seconds. False: it had to
 * be stopped. */
bool exploration_wait(Program *program, double seconds);
/* Was ^C typed? */
extern volatile sig_atomic_t exploration_is_interrupted;

#endif
