/* loop_shape -- the edges and the blocks of a loop.
 *
 * Holds:  a loop is known by its header: a block that dominates one of those that lead to it. */
#ifndef OCCC_LOOP_SHAPE_H
#define OCCC_LOOP_SHAPE_H

#include "flow_graph.h"

/* LoopEdges -- the edges into a header: the last one from within and the last from before it. */
typedef struct LoopEdges {
    FlowBlock *latch, *before; /* NULL: there is none */
    unsigned back, entries;    /* how many of each */
} LoopEdges;

typedef ARRAY_OF(FlowBlock *) LoopBlocks;

LoopEdges loop_edges(const FlowBlock *header);
bool loop_is_header(const FlowBlock *block);
/* loop_incoming -- what the phi is when control comes from that block; NULL: it does not. */
LLVMValueRef loop_incoming(LLVMValueRef phi, const FlowBlock *from);
/* loop_collect -- all that lead to the latch, LLVMBasicBlockRef -> FlowBlock, and as a list without
 * the header (NULL: not wanted). False: another loop lies within. */
bool loop_collect(Arena *arena, FlowBlock *header, FlowBlock *latch, NameMap *inside,
                  LoopBlocks *blocks);

#endif
