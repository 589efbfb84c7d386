/* foresight_range -- loops whose counter goes by one from its start up or down to what the header
 * compares it with, and what is linear in it.
 *
 * Holds:  the loop may have other ways out: then the last value is one that is never reached. */
#include "foresight_state.h"

#include "intrinsic.h"
#include "proof.h"

#define DEPTH 8u

/* ---- the loop ---- */

bool range_has(const Range *range, LLVMBasicBlockRef block) {
    return name_map_find(&range->inside, &block, sizeof block) != NULL;
}

bool range_is_fixed(const Range *range, LLVMValueRef value) {
    return LLVMIsAInstruction(value) == NULL ||
           flow_dominates(flow_graph_block(range->graph, LLVMGetInstructionParent(value)),
                          range->asked);
}

/* One edge back, and one from before the loop, which leads nowhere else. */
static bool find_edges(Range *range) {
    LoopEdges edges = loop_edges(range->header);
    range->latch = edges.latch;
    range->before = range->asked = edges.before;
    return edges.back == 1 && edges.entries == 1 &&
           LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(edges.before->block)) == 1;
}

bool range_is_number(LLVMValueRef value, long long number) {
    return LLVMIsAConstantInt(value) != NULL && LLVMConstIntGetSExtValue(value) == number;
}

LLVMOpcode range_operation(LLVMValueRef value, LLVMValueRef *left, LLVMValueRef *right) {
    LLVMOpcode opcode = LLVMGetElementPtr;
    bool is_signed = true;
    LLVMValueRef operation = value;
    if (LLVMIsAExtractValueInst(value) != NULL && LLVMGetIndices(value)[0] == 0) {
        operation = LLVMGetOperand(value, 0);
        if (!proof_checked_operation(operation, &opcode, &is_signed) || !is_signed) {
            return LLVMGetElementPtr;
        }
    } else if (LLVMIsABinaryOperator(value) != NULL) {
        opcode = LLVMGetInstructionOpcode(value);
    }
    if (opcode != LLVMAdd && opcode != LLVMSub && opcode != LLVMMul) {
        return LLVMGetElementPtr;
    }
    *left = LLVMGetOperand(operation, 0);
    *right = LLVMGetOperand(operation, 1);
    return opcode;
}

/* What is added to the phi each time (LLVMAdd), or taken from it (LLVMSub); else LLVMGetElementPtr. */
static LLVMOpcode step_of(const Range *range, LLVMValueRef phi, LLVMValueRef *by) {
    LLVMValueRef left, right;
    LLVMOpcode opcode = range_operation(loop_incoming(phi, range->latch), &left, &right);
    bool is_turned = opcode == LLVMAdd && right == phi;
    *by = is_turned ? left : right;
    bool is_step = (opcode == LLVMAdd || opcode == LLVMSub) && (is_turned || left == phi);
    return is_step ? opcode : LLVMGetElementPtr;
}

/* 1, -1, or 0: something else. */
static int step_of_counter(const Range *range) {
    LLVMValueRef by;
    LLVMOpcode opcode = step_of(range, range->counter, &by);
    if (opcode == LLVMGetElementPtr) {
        return 0;
    }
    int step = range_is_number(by, 1) - range_is_number(by, -1);
    return opcode == LLVMAdd ? step : -step;
}

bool range_is_follower(const Range *range, LLVMValueRef value, Follower *follower) {
    if (LLVMIsAPHINode(value) == NULL || LLVMTypeOf(value) != LLVMTypeOf(range->counter) ||
        LLVMGetInstructionParent(value) != range->header->block) {
        return false;
    }
    follower->opcode = step_of(range, value, &follower->by);
    follower->start = loop_incoming(value, range->before);
    return follower->opcode != LLVMGetElementPtr && range_is_fixed(range, follower->by) &&
           range_is_fixed(range, follower->start);
}

int range_direction(LLVMIntPredicate predicate) {
    switch (predicate) {
    case LLVMIntSLT:
    case LLVMIntSLE:
    case LLVMIntULT:
    case LLVMIntULE: return 1;
    case LLVMIntSGT:
    case LLVMIntSGE:
    case LLVMIntUGT:
    case LLVMIntUGE: return -1;
    default: return 0;
    }
}

bool range_is_unsigned(LLVMIntPredicate predicate) {
    return predicate >= LLVMIntUGT && predicate <= LLVMIntULE;
}

static bool find_counter(Range *range) {
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(range->header->block);
    if (LLVMIsABranchInst(branch) == NULL || !LLVMIsConditional(branch) ||
        LLVMIsAICmpInst(LLVMGetCondition(branch)) == NULL) {
        return false;
    }
    LLVMValueRef condition = LLVMGetCondition(branch);
    bool goes_on = range_has(range, LLVMGetSuccessor(branch, 0));
    if (goes_on == range_has(range, LLVMGetSuccessor(branch, 1))) {
        return false;
    }
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(condition);
    predicate = goes_on ? predicate : proof_contrary(predicate);
    LLVMValueRef left = LLVMGetOperand(condition, 0);
    LLVMValueRef right = LLVMGetOperand(condition, 1);
    bool is_left = range_is_fixed(range, right);
    range->counter = is_left ? left : right;
    range->bound = is_left ? right : left;
    range->predicate = is_left ? predicate : proof_swapped(predicate);
    if (!range_is_fixed(range, range->bound) || LLVMIsAPHINode(range->counter) == NULL ||
        LLVMGetInstructionParent(range->counter) != range->header->block ||
        LLVMGetTypeKind(LLVMTypeOf(range->counter)) != LLVMIntegerTypeKind) {
        return false;
    }
    bool is_first = LLVMGetIncomingBlock(range->counter, 0) == range->latch->block;
    range->start = LLVMGetIncomingValue(range->counter, is_first);
    int direction = range_direction(range->predicate);
    return direction != 0 && step_of_counter(range) == direction;
}

bool range_find(Range *range) {
    return find_edges(range) &&
           loop_collect(range->arena, range->header, range->latch, &range->inside,
                        &range->blocks) &&
           find_counter(range);
}

/* ---- blocks of iterations ---- */

/* blocks:  done := 0, and later the end of the last block
 *          the end of this block := the smaller of count and another number
 * The counter goes from `done` to that end, so all its values lie in 0 .. count - 1. */
bool range_widen(const Range *range, Range *all) {
    if (range->predicate != LLVMIntULT || LLVMIsAPHINode(range->start) == NULL ||
        intrinsic_called(range->bound) != intrinsic_number("llvm.umin")) {
        return false;
    }
    FlowBlock *blocks = flow_graph_block(range->graph, LLVMGetInstructionParent(range->start));
    LoopEdges edges = loop_edges(blocks);
    if (edges.back != 1 || edges.entries != 1 ||
        LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(edges.before->block)) != 1 ||
        loop_incoming(range->start, edges.latch) != range->bound ||
        !range_is_number(loop_incoming(range->start, edges.before), 0)) {
        return false;
    }
    *all = *range;
    all->known = (NameMap){.arena = range->arena};
    all->asked = edges.before;
    all->start = loop_incoming(range->start, edges.before);
    for (unsigned i = 0; i < 2; i++) {
        all->bound = LLVMGetOperand(range->bound, i);
        if (range_is_fixed(all, all->bound)) {
            return true;
        }
    }
    return false;
}

/* ---- what is linear in the counter ---- */

static unsigned degree_of(const Range *range, LLVMValueRef value, unsigned depth) {
    LLVMValueRef left, right;
    if (range_is_fixed(range, value) || value == range->counter) {
        return value == range->counter;
    }
    Follower follower;
    if (range_is_follower(range, value, &follower)) {
        return 1;
    }
    LLVMOpcode opcode = depth > 0 ? range_operation(value, &left, &right) : LLVMGetElementPtr;
    if (opcode == LLVMGetElementPtr) {
        return 2;
    }
    unsigned a = degree_of(range, left, depth - 1);
    unsigned b = degree_of(range, right, depth - 1);
    return opcode == LLVMMul ? a + b : a > b ? a : b;
}

unsigned range_degree(const Range *range, LLVMValueRef value) {
    return degree_of(range, value, DEPTH);
}

static bool rises_by_one(const Range *range, LLVMValueRef value, unsigned depth) {
    LLVMValueRef left, right;
    if (value == range->counter) {
        return true;
    }
    switch (depth > 0 ? range_operation(value, &left, &right) : LLVMGetElementPtr) {
    case LLVMAdd:
        return (range_is_fixed(range, left) && rises_by_one(range, right, depth - 1)) ||
               (range_is_fixed(range, right) && rises_by_one(range, left, depth - 1));
    case LLVMSub: return range_is_fixed(range, right) && rises_by_one(range, left, depth - 1);
    default: return false;
    }
}

bool range_rises_by_one(const Range *range, LLVMValueRef value) {
    return rises_by_one(range, value, DEPTH);
}
