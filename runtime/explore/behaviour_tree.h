/* behaviour_tree -- every behaviour that was seen, with all its steps.
 *
 * Owns:   the tree of ExploreNode in the record (occ/explore.h), and its bound.
 * Leaves: drawing a graph of it to frontend/explore/behaviour_graph.h.
 * Holds:  a behaviour is in it completely or not at all. Runs that were given up are not in it:
 *         another run has their behaviour. In common memory, under its lock. */
#ifndef RT_BEHAVIOUR_TREE_H
#define RT_BEHAVIOUR_TREE_H

#include "search.h"

void behaviour_tree_add(ExploreRegion *region, const SearchRun *run, const ExploreEnd *end);

#endif
