/* flow_graph -- the blocks of one function, their order, and the dominator tree.
 *
 * Holds:  unreachable blocks are not in it. The graph is valid while no edge of the function
 *         changes. A dominates B when every path from the entry to B goes through A. */
#ifndef OCCC_FLOW_GRAPH_H
#define OCCC_FLOW_GRAPH_H

#include "../../frontend/base/name_map.h"
#include "../frontend/base/array.h"

#include <llvm-c/Core.h>

#include <stdbool.h>

typedef struct FlowBlock FlowBlock;

struct FlowBlock {
    LLVMBasicBlockRef block;
    unsigned order;                  /* in reverse post-order: 1 is the entry */
    FlowBlock *dominator;            /* the nearest; NULL: the entry */
    unsigned enter, leave;           /* numbers of a walk over the dominator tree */
    ARRAY_OF(FlowBlock *) dominates; /* its children in that tree */
    ARRAY_OF(FlowBlock *) before;    /* one for each edge that leads here */
    void *facts;                     /* of its user */
};

typedef struct FlowGraph {
    Arena *arena;
    NameMap blocks; /* LLVMBasicBlockRef -> FlowBlock */
    ARRAY_OF(FlowBlock *) order;
} FlowGraph;

FlowGraph *flow_graph_create(Arena *arena, LLVMValueRef function);
/* flow_graph_block -- NULL when nothing reaches it. */
FlowBlock *flow_graph_block(const FlowGraph *graph, LLVMBasicBlockRef block);
/* flow_dominates -- every block dominates itself. */
bool flow_dominates(const FlowBlock *a, const FlowBlock *b);

#endif
