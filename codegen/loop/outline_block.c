/* outline_block -- phis made anew, since LLVM-C takes nothing out of one, and dead blocks. */
#include "edit.h"
#include "outline_state.h"

void outline_remake_phi(LLVMBuilderRef builder, LLVMValueRef phi, const NameMap *set, bool keeps,
                        LLVMValueRef value, LLVMBasicBlockRef from) {
    edit_before(builder, phi);
    LLVMValueRef made = LLVMBuildPhi(builder, LLVMTypeOf(phi), "");
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
        LLVMValueRef incoming = LLVMGetIncomingValue(phi, i);
        if ((name_map_find(set, &block, sizeof block) != NULL) == keeps) {
            LLVMAddIncoming(made, &incoming, &block, 1);
        }
    }
    if (value != NULL) {
        LLVMAddIncoming(made, &value, &from, 1);
    }
    LLVMReplaceAllUsesWith(phi, made);
    LLVMInstructionEraseFromParent(phi);
}

static void leave_out_of_phis(const NameMap *dead, LLVMBuilderRef builder,
                              LLVMBasicBlockRef block) {
    LLVMValueRef next;
    for (LLVMValueRef phi = LLVMGetFirstInstruction(block); LLVMIsAPHINode(phi) != NULL;
         phi = next) {
        next = LLVMGetNextInstruction(phi);
        outline_remake_phi(builder, phi, dead, false, NULL, NULL);
    }
}

static void empty(LLVMBasicBlockRef block) {
    LLVMValueRef last;
    while ((last = LLVMGetLastInstruction(block)) != NULL) {
        if (LLVMGetFirstUse(last) != NULL) {
            LLVMReplaceAllUsesWith(last, LLVMGetPoison(LLVMTypeOf(last)));
        }
        LLVMInstructionEraseFromParent(last);
    }
}

void outline_drop_dead(const FlowGraph *graph, LLVMBuilderRef builder, LLVMValueRef function) {
    NameMap dead = {.arena = graph->arena};
    ARRAY_OF(LLVMBasicBlockRef) blocks = {0};
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        if (flow_graph_block(graph, block) == NULL) {
            array_push(graph->arena, &blocks, block);
            *name_map_at(&dead, &block, sizeof block) = block;
        }
    }
    for (size_t i = 0; i < blocks.count; i++) {
        LLVMValueRef branch = LLVMGetBasicBlockTerminator(blocks.items[i]);
        for (unsigned j = 0; j < LLVMGetNumSuccessors(branch); j++) {
            LLVMBasicBlockRef to = LLVMGetSuccessor(branch, j);
            if (flow_graph_block(graph, to) != NULL) {
                leave_out_of_phis(&dead, builder, to);
            }
        }
    }
    for (size_t i = 0; i < blocks.count; i++) {
        empty(blocks.items[i]);
    }
    for (size_t i = 0; i < blocks.count; i++) {
        LLVMDeleteBasicBlock(blocks.items[i]);
    }
}
