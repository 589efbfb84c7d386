/* behaviour_graph -- the behaviours that were seen as a graph of states, and its files.
 *
 * Owns:   making states of the tree that the program has kept (runtime/explore/behaviour_tree.h), or
 *         of its steps from state to state (--states).
 * Leaves: the words of a step to step_label.h, the files to graph_file.c.
 * Holds:  two places of the tree are one state when the same can happen after them, step by step,
 *         with the same labels and ends (strong bisimulation): as a transition system the graph is
 *         equal to the tree. State 0 is the beginning; numbers do not depend on the runners unless
 *         two steps of one state have the same label. An end of behaviours is a state, too. */
#ifndef OCCC_BEHAVIOUR_GRAPH_H
#define OCCC_BEHAVIOUR_GRAPH_H

#include "ends.h"
#include "explore.h"

typedef struct GraphEdge {
    uint32_t label; /* of graph.labels */
    uint32_t target;
} GraphEdge;

typedef struct GraphState {
    size_t first; /* of graph.edges, sorted */
    size_t count;
    const End *end; /* what a behaviour has come to here; or NULL */
} GraphState;

typedef struct BehaviourGraph {
    ARRAY_OF(GraphState) states;
    ARRAY_OF(GraphEdge) edges;
    const char **labels;
} BehaviourGraph;

/* behaviour_graph -- of all that is in the record; the name of the source, to leave it out. */
BehaviourGraph behaviour_graph(Arena *arena, const ExploreRegion *region, const Ends *ends,
                               const ExploreBounds *bounds, const char *source);
/* state_graph -- likewise, where states were recognised. */
BehaviourGraph state_graph(Arena *arena, const ExploreRegion *region, const Ends *ends,
                           const ExploreBounds *bounds, const char *source);

/* ---- for these two ---- */

/* graph_in_order -- the states that can be reached from `first`, numbered level by level. */
BehaviourGraph graph_in_order(Arena *arena, const BehaviourGraph *graph, uint32_t first);
/* graph_labels -- number the texts, so that the same have the same number, in the order of texts. */
const char **graph_labels(Arena *arena, const char **texts, uint32_t *numbers, size_t count);
/* graph_compare_edges -- by label, then by state. */
int graph_compare_edges(const void *one, const void *other);
/* graph_end -- the one at that place of the record; NULL: none. */
const End *graph_end(const ExploreRegion *region, const Ends *ends, uint64_t place);

/* graph_goes_round -- is there a way from a state back to it? */
bool graph_goes_round(Arena *arena, const BehaviourGraph *graph);

/* ---- false: the file cannot be written ---- */
bool graph_write_dot(Arena *arena, const BehaviourGraph *graph, const char *path);
/* graph_write_aut -- Aldebaran's form, which CADP and mCRL2 read. */
bool graph_write_aut(Arena *arena, const BehaviourGraph *graph, const char *path);

#endif
