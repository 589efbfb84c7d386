/* loop_blocks -- see the header.
 *
 *   before:
 *   blocks:  done := 0, later stop; done < count? else exit
 *   block:   stop := the smaller of done + most and count
 *            the loop from done to stop
 *   end:     stop < count? then look, and to blocks
 *
 * becomes
 *
 *   before:  first := the smaller of most and count
 *   blocks:  done := 0, later stop; stop := first, later next; done < count? else exit
 *   block:   done < stop is promised
 *            the loop from done to stop
 *   end:     stop < count? then next := the smaller of stop + most and count; look, and to blocks
 *
 * So neither `done` nor `done + most` are wanted when the loop is over, and LLVM knows that it runs
 * stop - done times. */
#include "loop_blocks.h"

#include "edit.h"
#include "intrinsic.h"
#include "llvm_compat.h"
#include "loop_shape.h"

/* Blocks -- such a loop. */
typedef struct Blocks {
    FlowBlock *before, *header, *latch;
    LLVMValueRef done, stop, most, count;
} Blocks;

/* stop := the smaller of done + most and count? */
static bool is_stop(Blocks *blocks) {
    if (blocks->stop == NULL || intrinsic_called(blocks->stop) != intrinsic_number("llvm.umin")) {
        return false;
    }
    LLVMValueRef sum = LLVMGetOperand(blocks->stop, 0);
    blocks->count = LLVMGetOperand(blocks->stop, 1);
    if (LLVMIsAInstruction(sum) == NULL || LLVMGetInstructionOpcode(sum) != LLVMAdd ||
        LLVMGetOperand(sum, 0) != blocks->done) {
        return false;
    }
    blocks->most = LLVMGetOperand(sum, 1);
    return LLVMIsAConstantInt(blocks->most) != NULL;
}

/* done < count? is asked in the header, and stop is made where it is so. */
static bool is_asked(const FlowGraph *graph, const Blocks *blocks) {
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(blocks->header->block);
    if (LLVMIsABranchInst(branch) == NULL || !LLVMIsConditional(branch)) {
        return false;
    }
    LLVMValueRef asked = LLVMGetCondition(branch);
    FlowBlock *made = flow_graph_block(graph, LLVMGetInstructionParent(blocks->stop));
    FlowBlock *then = flow_graph_block(graph, LLVMGetSuccessor(branch, 0));
    return LLVMIsAICmpInst(asked) != NULL && LLVMGetICmpPredicate(asked) == LLVMIntULT &&
           LLVMGetOperand(asked, 0) == blocks->done && LLVMGetOperand(asked, 1) == blocks->count &&
           then->before.count == 1 && flow_dominates(then, made);
}

static bool find_blocks(const FlowGraph *graph, FlowBlock *header, Blocks *blocks) {
    LoopEdges edges = loop_edges(header);
    if (edges.back != 1 || edges.entries != 1) {
        return false;
    }
    *blocks = (Blocks){.before = edges.before, .header = header, .latch = edges.latch};
    for (LLVMValueRef phi = LLVMGetFirstInstruction(header->block); LLVMIsAPHINode(phi) != NULL;
         phi = LLVMGetNextInstruction(phi)) {
        LLVMValueRef first = loop_incoming(phi, edges.before);
        blocks->done = phi;
        blocks->stop = loop_incoming(phi, edges.latch);
        if (LLVMIsAConstantInt(first) != NULL && LLVMIsNull(first) && is_stop(blocks)) {
            LLVMValueRef count = blocks->count;
            bool is_known = LLVMIsAInstruction(count) == NULL ||
                            flow_dominates(flow_graph_block(graph, LLVMGetInstructionParent(count)),
                                           edges.before);
            return is_known && is_asked(graph, blocks);
        }
    }
    return false;
}

static LLVMValueRef build_least(LLVMBuilderRef builder, const Blocks *blocks, LLVMValueRef a) {
    LLVMValueRef least = LLVMGetCalledValue(blocks->stop);
    LLVMValueRef operands[] = {a, blocks->count};
    return LLVMBuildCall2(builder, LLVMGlobalGetValueType(least), least, operands, 2, "");
}

static void settle(LLVMBuilderRef builder, const Blocks *blocks) {
    LLVMValueRef old = blocks->stop;
    edit_before(builder, LLVMGetBasicBlockTerminator(blocks->before->block));
    LLVMValueRef first = build_least(builder, blocks, blocks->most);
    edit_before(builder, LLVMGetFirstInstruction(blocks->header->block));
    LLVMValueRef stop = LLVMBuildPhi(builder, LLVMTypeOf(old), "stop");
    edit_before(builder, LLVMGetBasicBlockTerminator(blocks->latch->block));
    LLVMValueRef sum = LLVMBuildNUWAdd(builder, stop, blocks->most, "");
    LLVMValueRef next = build_least(builder, blocks, sum);
    LLVMAddIncoming(stop, (LLVMValueRef[]){first, next},
                    (LLVMBasicBlockRef[]){blocks->before->block, blocks->latch->block}, 2);
    edit_before(builder, old);
    compat_promise(builder, LLVMBuildICmp(builder, LLVMIntULT, blocks->done, stop, ""));
    LLVMReplaceAllUsesWith(old, stop);
    LLVMInstructionEraseFromParent(old);
}

static void look_at_function(LLVMBuilderRef builder, LLVMValueRef function) {
    Arena *arena = arena_create();
    FlowGraph *graph = flow_graph_create(arena, function);
    for (size_t i = 0; i < graph->order.count; i++) {
        Blocks blocks;
        if (find_blocks(graph, graph->order.items[i], &blocks)) {
            settle(builder, &blocks);
        }
    }
    arena_destroy(arena);
}

void loop_blocks_settle(LLVMModuleRef module) {
    LLVMBuilderRef builder = edit_open(module);
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        if (!LLVMIsDeclaration(function)) {
            look_at_function(builder, function);
        }
    }
    edit_close(builder);
}
