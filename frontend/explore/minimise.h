/* minimise -- the shortest behaviour to an end (--minimise).
 *
 * Owns:   the searches for it, their bound in time, what is said of it.
 * Leaves: a search to the program (runtime/explore), which has what it looks for in the record.
 * Holds:  behaviours that differ only in the order of independent steps have as many steps, and an
 *         exploration sees one of each; so when all were run the schedule to a deadlock is the
 *         shortest already. An error ends everything: the behaviour that was seen may have steps
 *         that do not lead to it. Therefore all behaviours of at most 0, 1, 2... steps are run,
 *         without the reduction by races, which is not sound for behaviours that are cut off: of
 *         what sleeps the other order has as many steps. The first that comes to the end is the
 *         shortest. */
#ifndef OCCC_MINIMISE_H
#define OCCC_MINIMISE_H

#include "exploration.h"

/* minimise_end -- end->way, end->region and end->shortness; is_all: the exploration has seen every
 * behaviour. */
void minimise_end(const Exploration *known, bool is_all, End *end);

#endif
