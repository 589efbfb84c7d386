/* deferral_difference -- differences of which the loop has asked which side is the greater.
 *
 * Owns:   under which condition an iteration subtracts.
 * Holds:  a - b where a >= b is not below zero, and less than 2^w: it is out of range when its sign
 *         is up after wrapping, and only then. So such results are gathered themselves, one
 *         operation for a distance by IF, and the test never errs but for an iteration that asked
 *         more than this one condition. As the condition and both sides are known each time round,
 *         what is gathered is computed at the end of an iteration: LLVM sees that it is what is
 *         stored. */
#include "deferral_state.h"

#include "proof.h"

/* Is it a number? Then *number is its value. */
static bool is_number(LLVMValueRef value, int64_t *number) {
    bool is_one = LLVMIsAConstantInt(value) != NULL && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64;
    *number = is_one ? LLVMConstIntGetSExtValue(value) : 0;
    return is_one;
}

/* Does a >= b follow from x >= y + distance, for one of 0 and 1? */
static bool follows(LLVMValueRef a, LLVMValueRef b, LLVMValueRef x, LLVMValueRef y, int distance) {
    int64_t more, less;
    bool is_settled = a == x && b == y;
    bool is_known = (a == x && is_number(b, &less) && is_number(y, &more)) ||
                    (b == y && is_number(a, &more) && is_number(x, &less));
    return is_settled || (is_known && (more >= less || (distance == 1 && more == less - 1)));
}

/* Does the comparison, or its contrary, say that left >= right? */
static bool says_greater(LLVMValueRef condition, bool when, LLVMValueRef left, LLVMValueRef right) {
    if (LLVMIsAICmpInst(condition) == NULL) {
        return false;
    }
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(condition);
    LLVMValueRef x = LLVMGetOperand(condition, 0);
    LLVMValueRef y = LLVMGetOperand(condition, 1);
    switch (when ? predicate : proof_contrary(predicate)) {
    case LLVMIntSGT: return follows(left, right, x, y, 1);
    case LLVMIntSGE: return follows(left, right, x, y, 0);
    case LLVMIntSLT: return follows(left, right, y, x, 1);
    case LLVMIntSLE: return follows(left, right, y, x, 0);
    default: return false;
    }
}

/* Is the value there when an iteration ends, whatever way it took? */
static bool is_there(const Deferral *deferral, LLVMValueRef value) {
    if (LLVMIsAInstruction(value) == NULL) {
        return true;
    }
    LLVMBasicBlockRef block = LLVMGetInstructionParent(value);
    return !loop_has_block(&deferral->loop, block) || loop_is_always(&deferral->loop, block);
}

/* Is the block only run when the branch, which always is, goes to its successor with this index? */
static bool is_behind(const Deferral *deferral, LLVMValueRef branch, unsigned index,
                      const FlowBlock *block) {
    const FlowGraph *graph = deferral->loop.graph;
    const FlowBlock *next = flow_graph_block(graph, LLVMGetSuccessor(branch, index));
    return LLVMGetSuccessor(branch, 0) != LLVMGetSuccessor(branch, 1) && next != NULL &&
           next->before.count == 1 && flow_dominates(next, block);
}

/* The condition that the check is behind, and whether it holds there; NULL: none is of use. */
static LLVMValueRef find_condition(const Deferral *deferral, const DeferredCheck *check,
                                   const DeferredSides *sides, bool *when) {
    const CountedLoop *loop = &deferral->loop;
    const FlowBlock *block = flow_graph_block(loop->graph, LLVMGetInstructionParent(check->branch));
    for (const FlowBlock *at = block->dominator; at != NULL && loop_has_block(loop, at->block);
         at = at->dominator) {
        LLVMValueRef branch = LLVMGetBasicBlockTerminator(at->block);
        bool is_asked = loop_is_always(loop, at->block) && LLVMIsConditional(branch);
        for (unsigned i = 0; is_asked && i < 2; i++) {
            LLVMValueRef condition = LLVMGetCondition(branch);
            *when = i == 0;
            if (is_behind(deferral, branch, i, block) &&
                says_greater(condition, *when, sides->left, sides->right)) {
                return condition;
            }
        }
    }
    return NULL;
}

LLVMValueRef difference_negated(LLVMValueRef comparison) {
    if (LLVMIsAICmpInst(comparison) == NULL || LLVMGetICmpPredicate(comparison) != LLVMIntNE) {
        return NULL;
    }
    LLVMValueRef number = LLVMGetOperand(comparison, 1);
    unsigned width =
        LLVMIsAConstantInt(number) != NULL ? LLVMGetIntTypeWidth(LLVMTypeOf(number)) : 0;
    bool is_least =
        width > 1 && width <= 64 && LLVMConstIntGetZExtValue(number) == UINT64_C(1) << (width - 1);
    return is_least ? LLVMGetOperand(comparison, 0) : NULL;
}

/* The number that is negated behind the check; NULL: it is something else. */
static LLVMValueRef negated(const Deferral *deferral, const DeferredCheck *check) {
    bool when;
    bool is_contrary = false;
    LLVMValueRef made = deferral_without_not(check->condition, &is_contrary);
    bool goes_on = loop_check(&deferral->loop, check->branch, &when) && when != is_contrary;
    return goes_on ? difference_negated(made) : NULL;
}

/* The sides of the difference that is checked; false: it is something else. */
static bool find_sides(const Deferral *deferral, const DeferredCheck *check, DeferredSides *sides) {
    LLVMOpcode opcode;
    bool is_signed;
    LLVMValueRef operation = deferral_operation(check->condition);
    if (operation == NULL) {
        sides->right = negated(deferral, check);
        sides->left = sides->right != NULL ? LLVMConstNull(LLVMTypeOf(sides->right)) : NULL;
        return sides->right != NULL;
    }
    sides->left = LLVMGetOperand(operation, 0);
    sides->right = LLVMGetOperand(operation, 1);
    return proof_checked_operation(operation, &opcode, &is_signed) && is_signed &&
           opcode == LLVMSub;
}

static DeferredDifference *difference_of(Deferral *deferral, LLVMValueRef condition, bool when,
                                         LLVMTypeRef type) {
    for (size_t i = 0; i < deferral->differences.count; i++) {
        DeferredDifference *each = &deferral->differences.items[i];
        if (each->condition == condition && each->type == type && each->sides[when].left == NULL) {
            return each;
        }
    }
    DeferredDifference none = {.condition = condition, .type = type};
    array_push(deferral->arena, &deferral->differences, none);
    return &deferral->differences.items[deferral->differences.count - 1];
}

bool difference_plan(Deferral *deferral, const DeferredCheck *check) {
    DeferredSides sides;
    bool when;
    if (!find_sides(deferral, check, &sides) || !is_there(deferral, sides.left) ||
        !is_there(deferral, sides.right)) {
        return false;
    }
    LLVMValueRef condition = find_condition(deferral, check, &sides, &when);
    if (condition != NULL) {
        LLVMTypeRef type = LLVMTypeOf(sides.left);
        difference_of(deferral, condition, when, type)->sides[when] = sides;
        flag_of_form(deferral, (DeferredFlag){.type = type, .is_sign = true});
    }
    return condition != NULL;
}

/* ---- gathering ---- */

/* What is gathered where there is no difference: x where that is known not to be below zero, beside
 * -x, for so LLVM sees that both are the size of x; or zero. */
static LLVMValueRef build_none(const LoopCopy *copy, const DeferredDifference *difference,
                               bool when) {
    const DeferredSides *other = &difference->sides[!when];
    LLVMValueRef zero = LLVMConstNull(difference->type);
    bool is_size =
        other->left == zero && says_greater(difference->condition, when, other->right, zero);
    return is_size ? loop_copy_of(copy, other->right) : zero;
}

static LLVMValueRef build_side(Deferral *deferral, const LoopCopy *copy,
                               const DeferredDifference *difference, bool when) {
    const DeferredSides *sides = &difference->sides[when];
    if (sides->left == NULL) {
        return build_none(copy, difference, when);
    }
    return LLVMBuildSub(deferral->builder, loop_copy_of(copy, sides->left),
                        loop_copy_of(copy, sides->right), "");
}

LLVMValueRef difference_part(Deferral *deferral, const LoopCopy *copy, LLVMTypeRef type,
                             LLVMValueRef part) {
    for (size_t i = 0; i < deferral->differences.count; i++) {
        const DeferredDifference *each = &deferral->differences.items[i];
        if (each->type == type) {
            LLVMValueRef yes = build_side(deferral, copy, each, true);
            LLVMValueRef no = build_side(deferral, copy, each, false);
            LLVMValueRef made = LLVMBuildSelect(deferral->builder,
                                                loop_copy_of(copy, each->condition), yes, no, "");
            part = LLVMBuildOr(deferral->builder, part, made, "");
        }
    }
    return part;
}
