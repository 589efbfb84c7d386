/* search -- all orders of a machine's steps, as far as they differ.
 *
 * Owns:   which steps are tried, and which states have been seen.
 * Leaves: what a step does to machine_run.h.
 * Holds:  steps of one task alone, and messages between two that wait for nothing else, are
 *         independent of all others: where there is one, no other is tried (persistent sets keep
 *         every deadlock). All states are kept in full. */
#ifndef OCCC_SEARCH_H
#define OCCC_SEARCH_H

#include "machine_run.h"

typedef enum SearchEnd {
    SEARCH_SAFE,
    SEARCH_DEADLOCK,
    SEARCH_TOO_MANY,
    SEARCH_TOO_MANY_FORKED /* for the pool of a FORK */
} SearchEnd;

typedef struct SearchResult {
    SearchEnd end;
    size_t states;
    bool has_choices; /* some state has more than one step */
    Word *deadlock;
} SearchResult;

/* SearchTest -- is a state from which no step leads as it should be? */
typedef bool SearchTest(const Machine *machine, const Word *state);
SearchResult search_states(Machine *machine, SearchTest *is_fine);
/* search_deadlock -- it should be the end of all. */
SearchResult search_deadlock(Machine *machine);

#endif
