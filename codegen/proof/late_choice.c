/* late_choice -- see the header.
 *
 * LLVM turns a choice between a few cheap operations into a select, which cannot be mispredicted;
 * but it leaves the branch when one of the operations is checked. This pass then makes the select,
 * for a side that has a checked product with a small constant (3 * n + 1): the product is
 * multiplied without a check, and its overflow is derived from the other factor, so nothing waits
 * for the slow overflow flag. The flag of a sum comes at once, and a branch that is predicted well
 * is faster there, so a side with sums alone stays as it is.
 *
 *     before: head tests c and goes to one of the sides; each goes on to the join
 *     after:  head computes both sides, tests c and whether a check of the checked side fails
 *               yes: the checked side as it was, which fails again and reports
 *               no:  the join, where c selects the values that differ
 *
 * So the checked side is entered only to report, and never reaches the join. */
#include "late_choice.h"

#include "../../frontend/base/name_map.h"
#include "edit.h"
#include "llvm_compat.h"
#include "proof.h"
#include "redundant.h"

#include <stddef.h>

#define COST   4u /* of both sides: as LLVM's own */
#define CHECKS 3u
#define BLOCKS (CHECKS + 1u)
#define CHOSEN 2u /* values that differ */
#define OFTEN  (1u << 20)

/* Side -- blocks from the head's branch to the join; none: the branch leads there itself. */
typedef struct Side {
    LLVMBasicBlockRef first, blocks[BLOCKS];
    unsigned count, checks, products, cost;
} Side;

typedef struct Choice {
    Arena *arena;
    LLVMBuilderRef builder;
    LLVMBasicBlockRef head, join;
    LLVMValueRef branch;
    Side side, other; /* the one with checks, and the other */
    bool when;        /* of the condition: the one with checks */
    NameMap values;   /* of the sides -> in the head */
} Choice;

/* ---- finding one ---- */

/* Is it a checked product with a constant greater than 1? */
static bool is_product(LLVMValueRef value) {
    LLVMOpcode opcode;
    bool is_signed;
    return LLVMIsACallInst(value) != NULL && proof_checked_operation(value, &opcode, &is_signed) &&
           opcode == LLVMMul && is_signed && LLVMIsAConstantInt(LLVMGetOperand(value, 1)) != NULL &&
           LLVMConstIntGetSExtValue(LLVMGetOperand(value, 1)) > 1;
}

/* What it costs to compute it in vain; COST + 1: not possible, or not cheap. */
static unsigned cost_of(LLVMValueRef instruction) {
    LLVMOpcode opcode;
    bool is_signed;
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMICmp:
    case LLVMSelect:
        return LLVMGetTypeKind(LLVMTypeOf(instruction)) != LLVMVectorTypeKind ? 1 : COST + 1;
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
    case LLVMExtractValue: return 0;
    case LLVMCall: return proof_checked_operation(instruction, &opcode, &is_signed) ? 1 : COST + 1;
    default: return COST + 1;
    }
}

static bool has_one_way_in(LLVMBasicBlockRef block) {
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    return use != NULL && LLVMGetNextUse(use) == NULL;
}

/* Adds the block; returns the next one, or NULL if it cannot belong to a side. */
static LLVMBasicBlockRef follow(Side *side, LLVMBasicBlockRef block) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    for (LLVMValueRef each = LLVMGetFirstInstruction(block); each != last;
         each = LLVMGetNextInstruction(each)) {
        side->cost += cost_of(each);
        side->products += is_product(each);
    }
    bool when = false;
    if (LLVMIsABranchInst(last) == NULL || side->cost > COST || side->count == BLOCKS) {
        return NULL;
    }
    side->blocks[side->count++] = block;
    if (!LLVMIsConditional(last)) {
        return LLVMGetSuccessor(last, 0);
    }
    side->checks++;
    return branch_is_check(last, &when) ? LLVMGetSuccessor(last, !when) : NULL;
}

/* Follows blocks that have only one predecessor. */
static bool walk(const Choice *choice, Side *side, LLVMBasicBlockRef first,
                 LLVMBasicBlockRef *join) {
    *side = (Side){.first = first};
    LLVMBasicBlockRef block = first;
    while (block != NULL && block != choice->head && has_one_way_in(block)) {
        block = follow(side, block);
    }
    *join = block;
    return block != NULL;
}

static LLVMValueRef value_over(LLVMValueRef phi, LLVMBasicBlockRef from) {
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (LLVMGetIncomingBlock(phi, i) == from) {
            return LLVMGetIncomingValue(phi, i);
        }
    }
    return NULL;
}

/* The block from which the side enters the join. */
static LLVMBasicBlockRef end_of(const Choice *choice, const Side *side) {
    return side->count > 0 ? side->blocks[side->count - 1] : choice->head;
}

static bool is_choice_of_few(const Choice *choice) {
    unsigned chosen = 0;
    for (LLVMValueRef phi = LLVMGetFirstInstruction(choice->join); LLVMIsAPHINode(phi) != NULL;
         phi = LLVMGetNextInstruction(phi)) {
        LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(phi));
        bool differs = value_over(phi, end_of(choice, &choice->side)) !=
                       value_over(phi, end_of(choice, &choice->other));
        chosen += differs;
        if (differs && kind != LLVMIntegerTypeKind) {
            return false;
        }
    }
    return chosen > 0 && chosen <= CHOSEN;
}

static bool find_choice(Choice *choice) {
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(LLVMBasicBlockAsValue(choice->head)));
    choice->branch = LLVMGetBasicBlockTerminator(choice->head);
    bool when;
    if (choice->branch == NULL || LLVMIsABranchInst(choice->branch) == NULL ||
        !LLVMIsConditional(choice->branch) || branch_is_check(choice->branch, &when) ||
        LLVMGetMetadata(choice->branch, LLVMGetMDKindIDInContext(context, "prof", 4)) != NULL) {
        return false;
    }
    LLVMBasicBlockRef join, other_join;
    LLVMBasicBlockRef then = LLVMGetSuccessor(choice->branch, 0);
    LLVMBasicBlockRef otherwise = LLVMGetSuccessor(choice->branch, 1);
    if (then == otherwise || !walk(choice, &choice->side, then, &join) ||
        !walk(choice, &choice->other, otherwise, &other_join) || join != other_join) {
        return false;
    }
    choice->when = choice->side.checks > 0;
    if (!choice->when) {
        Side side = choice->side;
        choice->side = choice->other;
        choice->other = side;
    }
    choice->join = join;
    return choice->side.products > 0 && choice->other.checks == 0 &&
           choice->side.cost + choice->other.cost <= COST && join != choice->head &&
           is_choice_of_few(choice);
}

/* ---- changing it ---- */

static LLVMValueRef in_head(const Choice *choice, LLVMValueRef value) {
    LLVMValueRef found = name_map_find(&choice->values, &value, sizeof value);
    return found != NULL ? found : value;
}

/* The product is there before its flag, so overflow is derived from the other factor. */
static LLVMValueRef compute_product(Choice *choice, LLVMValueRef product, unsigned part) {
    LLVMValueRef left = in_head(choice, LLVMGetOperand(product, 0));
    LLVMValueRef right = LLVMGetOperand(product, 1);
    LLVMTypeRef type = LLVMTypeOf(left);
    int64_t factor = LLVMConstIntGetSExtValue(right);
    int64_t most = (int64_t)(UINT64_MAX >> (65u - LLVMGetIntTypeWidth(type)));
    int64_t low = (-most - 1) / factor;
    if (part == 0) {
        return LLVMBuildMul(choice->builder, left, right, "");
    }
    LLVMValueRef first = LLVMConstInt(type, (uint64_t)low, 1);
    LLVMValueRef range = LLVMConstInt(type, (uint64_t)(most / factor - low), 1);
    LLVMValueRef from_low = LLVMBuildSub(choice->builder, left, first, "");
    return LLVMBuildICmp(choice->builder, LLVMIntUGT, from_low, range, "");
}

static void compute_one(Choice *choice, LLVMValueRef value) {
    LLVMValueRef made;
    if (is_product(value)) {
        return;
    }
    if (LLVMIsAExtractValueInst(value) != NULL && is_product(LLVMGetOperand(value, 0))) {
        made = compute_product(choice, LLVMGetOperand(value, 0), LLVMGetIndices(value)[0]);
    } else {
        made = LLVMInstructionClone(value);
        for (int i = 0; i < LLVMGetNumOperands(value); i++) {
            LLVMSetOperand(made, (unsigned)i, in_head(choice, LLVMGetOperand(value, (unsigned)i)));
        }
        compat_drop_promises(made); /* it may be computed in vain, so it promises nothing */
        edit_insert(choice->builder, made);
    }
    *name_map_at(&choice->values, &value, sizeof value) = made;
}

/* Computes the side in the head; returns whether a check of it fails, or NULL: it has none. */
static LLVMValueRef compute(Choice *choice, const Side *side) {
    LLVMValueRef fails = NULL;
    for (unsigned i = 0; i < side->count; i++) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(side->blocks[i]);
        for (LLVMValueRef each = LLVMGetFirstInstruction(side->blocks[i]); each != last;
             each = LLVMGetNextInstruction(each)) {
            compute_one(choice, each);
        }
        bool when;
        if (LLVMIsConditional(last) && branch_is_check(last, &when)) {
            LLVMValueRef fail = in_head(choice, LLVMGetCondition(last));
            fail = when ? LLVMBuildNot(choice->builder, fail, "") : fail;
            fails = fails == NULL ? fail : LLVMBuildOr(choice->builder, fails, fail, "");
        }
    }
    return fails;
}

/* Makes the join's phi take the selected value, not the values of the sides. */
static void choose(Choice *choice, LLVMValueRef phi, LLVMValueRef condition,
                   LLVMBasicBlockRef next) {
    LLVMBasicBlockRef ends[] = {end_of(choice, &choice->side), end_of(choice, &choice->other)};
    LLVMValueRef checked = in_head(choice, value_over(phi, ends[0]));
    LLVMValueRef other = in_head(choice, value_over(phi, ends[1]));
    edit_before(choice->builder, LLVMGetBasicBlockTerminator(next));
    LLVMValueRef value = checked == other ? checked
                                          : LLVMBuildSelect(choice->builder, condition,
                                                            choice->when ? checked : other,
                                                            choice->when ? other : checked, "");
    edit_before(choice->builder, phi);
    LLVMValueRef made = LLVMBuildPhi(choice->builder, LLVMTypeOf(phi), "");
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        LLVMValueRef incoming = LLVMGetIncomingValue(phi, i);
        if (from != ends[0] && from != ends[1]) {
            LLVMAddIncoming(made, &incoming, &from, 1);
        }
    }
    LLVMAddIncoming(made, &value, &next, 1);
    LLVMReplaceAllUsesWith(phi, made);
    LLVMInstructionEraseFromParent(phi);
}

/* The side is entered only to report. */
static void leave_nowhere(const Choice *choice) {
    LLVMBasicBlockRef end = end_of(choice, &choice->side);
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(LLVMGetCondition(choice->branch)));
    LLVMBasicBlockRef nowhere = LLVMInsertBasicBlockInContext(context, choice->join, "nowhere");
    edit_at_end(choice->builder, nowhere);
    LLVMBuildUnreachable(choice->builder);
    LLVMValueRef last = LLVMGetBasicBlockTerminator(end);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++) {
        if (LLVMGetSuccessor(last, i) == choice->join) {
            LLVMSetSuccessor(last, i, nowhere);
        }
    }
}

static void remove_other(const Choice *choice) {
    for (unsigned i = 0; i < choice->other.count; i++) {
        LLVMDeleteBasicBlock(choice->other.blocks[i]);
    }
}

static void make_selection(Choice *choice) {
    LLVMBuilderRef builder = choice->builder;
    LLVMValueRef condition = LLVMGetCondition(choice->branch);
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(condition));
    edit_before(builder, choice->branch);
    compute(choice, &choice->other);
    LLVMValueRef fails = compute(choice, &choice->side);
    LLVMValueRef is_side = choice->when ? condition : LLVMBuildNot(builder, condition, "");
    fails = LLVMBuildAnd(builder, is_side, fails, "");
    LLVMBasicBlockRef next = LLVMInsertBasicBlockInContext(context, choice->side.first, "chosen");
    LLVMValueRef made = LLVMBuildCondBr(builder, fails, choice->side.first, next);
    compat_set_branch_weights(context, made, 1, OFTEN);
    edit_at_end(builder, next);
    LLVMBuildBr(builder, choice->join);
    LLVMValueRef phi = LLVMGetFirstInstruction(choice->join);
    while (LLVMIsAPHINode(phi) != NULL) {
        LLVMValueRef following = LLVMGetNextInstruction(phi);
        choose(choice, phi, condition, next);
        phi = following;
    }
    leave_nowhere(choice);
    LLVMInstructionEraseFromParent(choice->branch);
    remove_other(choice);
}

/* ---- the module ---- */

static void settle_function(Arena *arena, LLVMBuilderRef builder, LLVMValueRef function) {
    LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
    for (; block != NULL; block = LLVMGetNextBasicBlock(block)) {
        Choice choice = {.arena = arena, .builder = builder, .head = block};
        choice.values.arena = arena;
        if (find_choice(&choice)) {
            make_selection(&choice);
        }
    }
}

void late_choice_settle(LLVMModuleRef module) {
    Arena *arena = arena_create();
    LLVMBuilderRef builder = edit_open(module);
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        settle_function(arena, builder, function);
    }
    edit_close(builder);
    arena_destroy(arena);
}
