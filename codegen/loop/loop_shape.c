/* loop_shape -- see the header. */
#include "loop_shape.h"

LoopEdges loop_edges(const FlowBlock *header) {
    LoopEdges edges = {0};
    for (size_t i = 0; i < header->before.count; i++) {
        FlowBlock *from = header->before.items[i];
        if (flow_dominates(header, from)) {
            edges.latch = from;
            edges.back++;
        } else {
            edges.before = from;
            edges.entries++;
        }
    }
    return edges;
}

bool loop_is_header(const FlowBlock *block) {
    return loop_edges(block).back > 0;
}

LLVMValueRef loop_incoming(LLVMValueRef phi, const FlowBlock *from) {
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (LLVMGetIncomingBlock(phi, i) == from->block) {
            return LLVMGetIncomingValue(phi, i);
        }
    }
    return NULL;
}

bool loop_collect(Arena *arena, FlowBlock *header, FlowBlock *latch, NameMap *inside,
                  LoopBlocks *blocks) {
    LoopBlocks stack = {0};
    *name_map_at(inside, &header->block, sizeof(LLVMBasicBlockRef)) = header;
    array_push(arena, &stack, latch);
    while (stack.count > 0) {
        FlowBlock *block = stack.items[--stack.count];
        void **slot = name_map_at(inside, &block->block, sizeof(LLVMBasicBlockRef));
        if (*slot != NULL) {
            continue;
        }
        *slot = block;
        if (loop_is_header(block)) {
            return false;
        }
        if (blocks != NULL) {
            array_push(arena, blocks, block);
        }
        for (size_t i = 0; i < block->before.count; i++) {
            array_push(arena, &stack, block->before.items[i]);
        }
    }
    return true;
}
