/* summary -- what an exploration has found, in words.
 *
 * Owns:   how many behaviours or states, whether these are all, each end, what was never taken or
 *         reached.
 * Leaves: the ends themselves to ends.h, files to explore.c. */
#ifndef OCCC_SUMMARY_H
#define OCCC_SUMMARY_H

#include "exploration.h"

/* summary_is_all -- has every behaviour been seen? */
bool summary_is_all(const Exploration *known);
/* summary_bound -- why not, in words. */
const char *summary_bound(const Exploration *known);
/* summary_knows_steps -- is every step between states in the record? */
bool summary_knows_steps(const Exploration *known, bool is_all);
/* summary_starved -- in a line: which guard. */
const char *summary_starved(const Exploration *known, const Starved *starved);
void summary_print(const Exploration *known, bool is_all);
/* summary_print_end -- a line: how, what was printed, the schedule. */
void summary_print_end(const End *end);
/* summary_count -- `1 state`, `2 states`. */
const char *summary_count(Arena *arena, unsigned long long count, const char *noun);

#endif
