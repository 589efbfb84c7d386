/* while_loop -- see the header.
 *
 * A WHILE that lets others run now and then (scheduling/preemption.c) is two loops:
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
 * If i < n then i < stop: each block makes progress. In the body i < stop, so i + 1 is in range.
 *
 * i <= n is asked as it is, and stop is at most n: i + 1 is out of range if i is the greatest
 * number there is, which is what the check of the step asks instead. A loop that falls, i > n or
 * i >= n and i := i - 1, that only
 * reads elements is one of m = -1 - i that rises to -1 - n: neither is ever out of range.
 */
#include "while_loop.h"

#include "edit.h"
#include "flow_graph.h"
#include "intrinsic.h"
#include "proof.h"

typedef struct WhileLoop {
    LLVMBasicBlockRef before, header, count, look, next, end;
    LLVMValueRef index, start, limit; /* i, what it is at first, n */
    LLVMIntPredicate predicate;       /* of i and n */
    LLVMValueRef counter;             /* what rises by 1: i, or m */
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

static bool falls(const WhileLoop *loop) {
    return loop->predicate == LLVMIntSGT || loop->predicate == LLVMIntSGE;
}

/* May i be n in the body? */
static bool includes_limit(const WhileLoop *loop) {
    return loop->predicate == LLVMIntSLE || loop->predicate == LLVMIntSGE;
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
    if (LLVMIsAICmpInst(more) == NULL) {
        return false;
    }
    bool is_left = is_phi_of(LLVMGetOperand(more, 0), block);
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(more);
    loop->index = LLVMGetOperand(more, is_left ? 0 : 1);
    loop->limit = LLVMGetOperand(more, is_left ? 1 : 0);
    loop->predicate = is_left ? predicate : proof_swapped(predicate);
    return proof_swapped(predicate) != predicate && is_phi_of(loop->index, block);
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

/* Is it i + 1, or i - 1 where the loop falls? If i may be n it is checked, or promised. */
static bool is_step(const WhileLoop *loop, LLVMOpcode opcode) {
    if ((opcode != LLVMAdd && opcode != LLVMSub) || LLVMGetOperand(loop->step, 0) != loop->index ||
        LLVMIsAConstantInt(LLVMGetOperand(loop->step, 1)) == NULL) {
        return false;
    }
    long long number = LLVMConstIntGetSExtValue(LLVMGetOperand(loop->step, 1));
    long long step = opcode == LLVMAdd ? number : -number;
    return step == (falls(loop) ? -1 : 1) &&
           (LLVMIsACallInst(loop->step) != NULL || LLVMGetNSW(loop->step) ||
            !includes_limit(loop)) &&
           LLVMGetInstructionParent(loop->step) != loop->header; /* else it may be too large */
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
    return is_signed && is_step(loop, opcode);
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
static bool is_fixed(const WhileLoop *loop, const FlowGraph *graph) {
    if (LLVMIsAInstruction(loop->limit) == NULL) {
        return true;
    }
    LLVMBasicBlockRef made = LLVMGetInstructionParent(loop->limit);
    const FlowBlock *above = flow_graph_block(graph, made);
    const FlowBlock *before = flow_graph_block(graph, loop->before);
    return above != NULL && before != NULL && flow_dominates(above, before);
}

static bool writes_elements(LLVMBasicBlockRef block) {
    for (LLVMValueRef each = LLVMGetFirstInstruction(block); each != NULL;
         each = LLVMGetNextInstruction(each)) {
        if (LLVMIsAStoreInst(each) != NULL &&
            LLVMIsAGetElementPtrInst(LLVMGetOperand(each, 1)) != NULL) {
            return true;
        }
    }
    return false;
}

/* Where it writes elements it has no strips, and turned it would only be harder to prove. */
static bool is_worth_turning(const WhileLoop *loop, const FlowGraph *graph) {
    const FlowBlock *next = flow_graph_block(graph, loop->next);
    bool is_worth = next != NULL;
    for (size_t i = 0; is_worth && i < graph->order.count; i++) {
        const FlowBlock *block = graph->order.items[i];
        is_worth = !flow_dominates(next, block) || !writes_elements(block->block);
    }
    return is_worth;
}

/* Routine -- its flow graph, made when a loop first asks for it. A loop that is changed gets a
 * block behind its header, and loses an edge inside: what dominates what outside of it stays. */
typedef struct Routine {
    LLVMValueRef function;
    Arena *arena;
    FlowGraph *graph;
} Routine;

static const FlowGraph *graph_of(Routine *routine) {
    if (routine->graph == NULL) {
        routine->graph = flow_graph_create(routine->arena, routine->function);
    }
    return routine->graph;
}

static bool can_be_changed(const WhileLoop *loop, Routine *routine) {
    const FlowGraph *graph = graph_of(routine);
    return is_fixed(loop, graph) && (!falls(loop) || is_worth_turning(loop, graph));
}

static bool find(WhileLoop *loop, LLVMBasicBlockRef block, Routine *routine) {
    return find_header(loop, block) && find_count(loop) && find_phis(loop) &&
           is_counted_alone(loop) && !begins_with_phi(loop->look) && !begins_with_phi(loop->end) &&
           !begins_with_phi(loop->next) && can_be_changed(loop, routine);
}

/* ---- changing ---- */

static LLVMValueRef build_call(LLVMBuilderRef builder, const char *name, LLVMValueRef left,
                               LLVMValueRef right) {
    LLVMValueRef operands[] = {left, right};
    return intrinsic_call(builder, name, LLVMTypeOf(left), operands, 2);
}

/* How far it is down to n, or more than a block. */
static LLVMValueRef build_distance(const WhileLoop *loop, LLVMBuilderRef builder) {
    return is_number(loop->limit, 0)
               ? loop->start
               : build_call(builder, "llvm.ssub.sat", loop->start, loop->limit);
}

/* What the counter rises to. */
static LLVMValueRef build_stop(const WhileLoop *loop, LLVMBuilderRef builder) {
    edit_before(builder, LLVMGetBasicBlockTerminator(loop->before));
    LLVMTypeRef type = LLVMTypeOf(loop->index);
    LLVMValueRef most = LLVMConstInt(type, LLVMConstIntGetZExtValue(loop->most) - 1, 0);
    if (falls(loop)) {
        return build_call(builder, "llvm.smin", build_distance(loop, builder), most);
    }
    LLVMValueRef far = build_call(builder, "llvm.sadd.sat", loop->start, most);
    return build_call(builder, "llvm.smin", loop->limit, far);
}

static void end_at(const WhileLoop *loop, LLVMBuilderRef builder, LLVMValueRef stop) {
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(stop));
    LLVMBasicBlockRef done = LLVMInsertBasicBlockInContext(context, loop->look, "while.done");
    edit_at_end(builder, done);
    LLVMValueRef more = LLVMBuildICmp(builder, loop->predicate, loop->index, loop->limit, "");
    LLVMBuildCondBr(builder, more, loop->look, loop->end);
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(loop->header);
    edit_before(builder, branch);
    LLVMIntPredicate rises = falls(loop) ? proof_swapped(loop->predicate) : loop->predicate;
    LLVMValueRef goes_on = LLVMBuildICmp(builder, rises, loop->counter, stop, "");
    LLVMSetCondition(branch, goes_on);
    LLVMSetSuccessor(branch, 1, done);
}

static void drop_count(const WhileLoop *loop, LLVMBuilderRef builder) {
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(loop->count));
    LLVMInstructionEraseFromParent(LLVMGetLastInstruction(loop->count)); /* = 0? */
    LLVMReplaceAllUsesWith(loop->left, LLVMGetUndef(LLVMTypeOf(loop->left)));
    LLVMInstructionEraseFromParent(loop->left);
    LLVMInstructionEraseFromParent(loop->fewer);
    edit_at_end(builder, loop->count);
    LLVMBuildBr(builder, loop->next);
}

/* Is i + 1 (i - 1) out of range? Where i is not n it is not. */
static LLVMValueRef build_flag(const WhileLoop *loop, LLVMBuilderRef builder) {
    LLVMTypeRef type = LLVMTypeOf(loop->index);
    uint64_t greatest = (UINT64_C(1) << (LLVMGetIntTypeWidth(type) - 1)) - 1;
    LLVMValueRef last = LLVMConstInt(type, falls(loop) ? greatest + 2 : greatest - 1, 0);
    LLVMIntPredicate beyond = falls(loop) ? LLVMIntSLT : LLVMIntSGT;
    return includes_limit(loop) ? LLVMBuildICmp(builder, beyond, loop->index, last, "") : NULL;
}

/* The step becomes an operation without a flag, which is used where no check has failed. */
static void step_plainly(const WhileLoop *loop, LLVMBuilderRef builder, LLVMValueRef next) {
    if (LLVMIsACallInst(loop->step) == NULL) {
        LLVMReplaceAllUsesWith(loop->step, next);
        LLVMInstructionEraseFromParent(loop->step);
        return;
    }
    edit_before(builder, loop->step);
    proof_replace_pair(loop->step, next, build_flag(loop, builder));
}

/* The counter + 1, in front of the step. */
static LLVMValueRef build_next(const WhileLoop *loop, LLVMBuilderRef builder) {
    edit_before(builder, loop->step);
    LLVMValueRef one = LLVMConstInt(LLVMTypeOf(loop->counter), 1, 0);
    return LLVMBuildNSWAdd(builder, loop->counter, one, "");
}

static LLVMValueRef first_after_phis(LLVMBasicBlockRef block) {
    LLVMValueRef each = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(each) != NULL) {
        each = LLVMGetNextInstruction(each);
    }
    return each;
}

/* The loop of i that falls becomes one of m that rises; the step is made plain. */
static void turn(WhileLoop *loop, LLVMBuilderRef builder) {
    LLVMValueRef phi = loop->index;
    bool is_first = LLVMGetIncomingBlock(phi, 0) == loop->before;
    LLVMBasicBlockRef latch = LLVMGetIncomingBlock(phi, is_first ? 1 : 0);
    LLVMValueRef none = LLVMConstNull(LLVMTypeOf(phi));
    edit_before(builder, phi);
    loop->counter = LLVMBuildPhi(builder, LLVMTypeOf(phi), "");
    edit_before(builder, first_after_phis(loop->header));
    loop->index = LLVMBuildNSWSub(builder, loop->start, loop->counter, "");
    LLVMReplaceAllUsesWith(phi, loop->index);
    LLVMInstructionEraseFromParent(phi);
    LLVMValueRef next = build_next(loop, builder);
    step_plainly(loop, builder, LLVMBuildNSWSub(builder, loop->start, next, ""));
    LLVMAddIncoming(loop->counter, &none, &loop->before, 1);
    LLVMAddIncoming(loop->counter, &next, &latch, 1);
}

static void change(WhileLoop *loop, LLVMBuilderRef builder) {
    if (falls(loop)) {
        turn(loop, builder);
    } else {
        loop->counter = loop->index;
        step_plainly(loop, builder, build_next(loop, builder));
    }
    end_at(loop, builder, build_stop(loop, builder));
    drop_count(loop, builder);
}

bool while_loops_count(LLVMValueRef function, LLVMBuilderRef builder) {
    Routine routine = {.function = function, .arena = arena_create()};
    bool has_changed = false;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        WhileLoop loop;
        if (find(&loop, block, &routine)) {
            change(&loop, builder);
            has_changed = true;
        }
    }
    arena_destroy(routine.arena);
    return has_changed;
}

void while_loops_count_all(LLVMModuleRef module) {
    LLVMBuilderRef builder = edit_open(module);
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        while_loops_count(function, builder);
    }
    edit_close(builder);
}
