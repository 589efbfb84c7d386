/* while_loop -- see the header.
 *
 * A WHILE that lets others run now and then (process/preemption.c) is two loops:
 *
 *   blocks:  ...
 *   while:   i < n? else end
 *   count:   left := left - 1; left = 0? then look, and to blocks
 *   next:    body, which ends in i := i + 1; to while
 *
 * The inner one becomes one whose end is known when it begins:
 *
 *   blocks:  stop := the smaller of n and i + most, where that is not too large for its type
 *   while:   i < stop? else done
 *   next:    body; to while
 *   done:    i < n? then look, else end
 *
 * If i < n then i < stop: each block makes progress. In the body i < stop, so i + 1 is in range. */
#include "while_loop.h"

#include "flow_graph.h"
#include "proof.h"

#include <string.h>

typedef struct WhileLoop {
    LLVMBasicBlockRef before, header, count, look, next, end;
    LLVMValueRef index, start, limit; /* i, what it is at first, n */
    LLVMValueRef step;                /* i + 1: an operation, or the call that checks it */
    LLVMValueRef left, fewer;         /* the phi, and it less 1 */
    LLVMValueRef most;                /* what it is at first */
} WhileLoop;

/* ---- finding ---- */

static bool is_number(LLVMValueRef value, uint64_t number) {
    return LLVMIsAConstantInt(value) != NULL && LLVMConstIntGetZExtValue(value) == number;
}

static bool is_phi_of(LLVMValueRef value, LLVMBasicBlockRef block) {
    return LLVMIsAPHINode(value) != NULL && LLVMGetInstructionParent(value) == block &&
           LLVMCountIncoming(value) == 2;
}

static bool begins_with_phi(LLVMBasicBlockRef block) {
    return LLVMIsAPHINode(LLVMGetFirstInstruction(block)) != NULL;
}

/* while: i < n? */
static bool find_header(WhileLoop *loop, LLVMBasicBlockRef block) {
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(block);
    if (branch == NULL || LLVMIsABranchInst(branch) == NULL || !LLVMIsConditional(branch)) {
        return false;
    }
    LLVMValueRef more = LLVMGetCondition(branch);
    loop->header = block;
    loop->count = LLVMGetSuccessor(branch, 0);
    loop->end = LLVMGetSuccessor(branch, 1);
    if (LLVMIsAICmpInst(more) == NULL || LLVMGetICmpPredicate(more) != LLVMIntSLT) {
        return false;
    }
    loop->index = LLVMGetOperand(more, 0);
    loop->limit = LLVMGetOperand(more, 1);
    return is_phi_of(loop->index, block);
}

/* count: left - 1 = 0? and nothing else. */
static bool find_count(WhileLoop *loop) {
    LLVMValueRef fewer = LLVMGetFirstInstruction(loop->count);
    LLVMValueRef is_none = LLVMGetNextInstruction(fewer);
    LLVMValueRef branch = is_none != NULL ? LLVMGetNextInstruction(is_none) : NULL;
    if (branch == NULL || LLVMIsABranchInst(branch) == NULL || !LLVMIsConditional(branch) ||
        LLVMGetCondition(branch) != is_none || LLVMIsAICmpInst(is_none) == NULL ||
        LLVMGetICmpPredicate(is_none) != LLVMIntEQ || LLVMGetOperand(is_none, 0) != fewer ||
        !is_number(LLVMGetOperand(is_none, 1), 0) || LLVMGetInstructionOpcode(fewer) != LLVMSub ||
        !is_number(LLVMGetOperand(fewer, 1), 1)) {
        return false;
    }
    loop->fewer = fewer;
    loop->left = LLVMGetOperand(fewer, 0);
    loop->look = LLVMGetSuccessor(branch, 0);
    loop->next = LLVMGetSuccessor(branch, 1);
    return is_phi_of(loop->left, loop->header);
}

/* i becomes i + 1, left becomes fewer, and both begin where the loop is entered. */
static bool find_phis(WhileLoop *loop) {
    unsigned last = LLVMGetIncomingValue(loop->left, 0) == loop->fewer ? 0 : 1;
    loop->before = LLVMGetIncomingBlock(loop->left, 1 - last);
    loop->most = LLVMGetIncomingValue(loop->left, 1 - last);
    unsigned first = LLVMGetIncomingBlock(loop->index, 0) == loop->before ? 0 : 1;
    loop->start = LLVMGetIncomingValue(loop->index, first);
    LLVMValueRef step = LLVMGetIncomingValue(loop->index, 1 - first);
    if (LLVMGetIncomingValue(loop->left, last) != loop->fewer ||
        LLVMGetIncomingBlock(loop->index, first) != loop->before ||
        LLVMIsAConstantInt(loop->most) == NULL || LLVMIsAInstruction(step) == NULL) {
        return false;
    }
    LLVMOpcode opcode = LLVMGetInstructionOpcode(step);
    bool is_signed = true;
    loop->step = step;
    if (opcode == LLVMExtractValue && LLVMGetIndices(step)[0] == 0) {
        loop->step = LLVMGetOperand(step, 0);
        if (!proof_checked_operation(loop->step, &opcode, &is_signed)) {
            return false;
        }
    }
    return opcode == LLVMAdd && is_signed && LLVMGetOperand(loop->step, 0) == loop->index &&
           is_number(LLVMGetOperand(loop->step, 1), 1) &&
           LLVMGetInstructionParent(loop->step) != loop->header; /* else i + 1 may be too large */
}

static unsigned uses_of(LLVMValueRef value) {
    unsigned uses = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
        uses++;
    }
    return uses;
}

/* Nobody else uses what is going to vanish. */
static bool is_counted_alone(const WhileLoop *loop) {
    return uses_of(loop->left) == 1 && uses_of(loop->fewer) == 2 /* the comparison and the phi */ &&
           uses_of(LLVMBasicBlockAsValue(loop->count)) == 1;
}

/* Is n there before the loop begins? */
static bool is_fixed(const WhileLoop *loop) {
    if (LLVMIsAInstruction(loop->limit) == NULL) {
        return true;
    }
    Arena *arena = arena_create();
    LLVMBasicBlockRef made = LLVMGetInstructionParent(loop->limit);
    FlowGraph *graph = flow_graph_create(arena, LLVMGetBasicBlockParent(loop->header));
    const FlowBlock *above = flow_graph_block(graph, made);
    const FlowBlock *before = flow_graph_block(graph, loop->before);
    bool is_fixed = above != NULL && before != NULL && flow_dominates(above, before);
    arena_destroy(arena);
    return is_fixed;
}

static bool find(WhileLoop *loop, LLVMBasicBlockRef block) {
    return find_header(loop, block) && find_count(loop) && find_phis(loop) &&
           is_counted_alone(loop) && !begins_with_phi(loop->look) && !begins_with_phi(loop->end) &&
           !begins_with_phi(loop->next) && is_fixed(loop);
}

/* ---- changing ---- */

static LLVMValueRef build_call(LLVMBuilderRef builder, const char *name, LLVMValueRef left,
                               LLVMValueRef right) {
    LLVMTypeRef type = LLVMTypeOf(left);
    LLVMContextRef context = LLVMGetTypeContext(type);
    LLVMModuleRef module =
        LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInsertBlock(builder)));
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(module, id, &type, 1);
    LLVMValueRef operands[] = {left, right};
    return LLVMBuildCall2(builder, LLVMIntrinsicGetType(context, id, &type, 1), function, operands,
                          2, "");
}

static LLVMValueRef build_stop(const WhileLoop *loop, LLVMBuilderRef builder) {
    LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(loop->before));
    LLVMTypeRef type = LLVMTypeOf(loop->index);
    LLVMValueRef most = LLVMConstInt(type, LLVMConstIntGetZExtValue(loop->most) - 1, 0);
    LLVMValueRef far = build_call(builder, "llvm.sadd.sat", loop->start, most);
    return build_call(builder, "llvm.smin", loop->limit, far);
}

static void end_at(const WhileLoop *loop, LLVMBuilderRef builder, LLVMValueRef stop) {
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(stop));
    LLVMBasicBlockRef done = LLVMInsertBasicBlockInContext(context, loop->look, "while.done");
    LLVMPositionBuilderAtEnd(builder, done);
    LLVMValueRef more = LLVMBuildICmp(builder, LLVMIntSLT, loop->index, loop->limit, "");
    LLVMBuildCondBr(builder, more, loop->look, loop->end);
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(loop->header);
    LLVMPositionBuilderBefore(builder, branch);
    LLVMValueRef goes_on = LLVMBuildICmp(builder, LLVMIntSLT, loop->index, stop, "");
    LLVMSetCondition(branch, goes_on);
    LLVMSetSuccessor(branch, 1, done);
}

static void drop_count(const WhileLoop *loop, LLVMBuilderRef builder) {
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(loop->count));
    LLVMInstructionEraseFromParent(LLVMGetLastInstruction(loop->count)); /* = 0? */
    LLVMReplaceAllUsesWith(loop->left, LLVMGetUndef(LLVMTypeOf(loop->left)));
    LLVMInstructionEraseFromParent(loop->left);
    LLVMInstructionEraseFromParent(loop->fewer);
    LLVMPositionBuilderAtEnd(builder, loop->count);
    LLVMBuildBr(builder, loop->next);
}

static void step_plainly(const WhileLoop *loop, LLVMBuilderRef builder) {
    if (LLVMIsACallInst(loop->step) == NULL) {
        LLVMSetNSW(loop->step, 1);
        return;
    }
    LLVMPositionBuilderBefore(builder, loop->step);
    LLVMValueRef one = LLVMConstInt(LLVMTypeOf(loop->index), 1, 0);
    LLVMValueRef next = LLVMBuildNSWAdd(builder, loop->index, one, "");
    LLVMUseRef use;
    while ((use = LLVMGetFirstUse(loop->step)) != NULL) {
        LLVMValueRef part = LLVMGetUser(use);
        bool is_flag = LLVMGetIndices(part)[0] != 0;
        LLVMReplaceAllUsesWith(part, is_flag ? LLVMConstNull(LLVMTypeOf(part)) : next);
        LLVMInstructionEraseFromParent(part);
    }
    LLVMInstructionEraseFromParent(loop->step);
}

bool while_loops_count(LLVMValueRef function, LLVMBuilderRef builder) {
    bool has_changed = false;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        WhileLoop loop;
        if (find(&loop, block)) {
            end_at(&loop, builder, build_stop(&loop, builder));
            drop_count(&loop, builder);
            step_plainly(&loop, builder);
            has_changed = true;
        }
    }
    return has_changed;
}
