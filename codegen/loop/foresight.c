/* foresight -- see the header.
 *
 * A counter that steps by one takes just the values from its first to its last. A check that
 * compares a linear function of it (sums and constant multiples) with a value that does not change
 * in the loop, or asks such a function for overflow, holds for all of them if it holds for the
 * first and the last. So `ok`, that both hold, is computed before the loop, and the check becomes
 * `ok OR check`. */
#include "foresight.h"

#include "edit.h"
#include "foresight_state.h"
#include "llvm_compat.h"
#include "proof.h"
#include "redundant.h"

#define OFTEN (1u << 20)

/* ---- checks ---- */

static LLVMValueRef without_not(LLVMValueRef condition, bool *when) {
    while (LLVMIsAInstruction(condition) != NULL &&
           LLVMGetInstructionOpcode(condition) == LLVMXor &&
           range_is_number(LLVMGetOperand(condition, 1), -1)) {
        condition = LLVMGetOperand(condition, 0);
        *when = !*when;
    }
    return condition;
}

static bool is_linear(const Range *range, LLVMValueRef value) {
    return range_degree(range, value) <= 1;
}

/* The overflow of a sum or product that is linear. */
static bool is_sum_check(const Range *range, Check *check, LLVMValueRef condition, bool when) {
    LLVMOpcode opcode;
    bool is_signed;
    if (LLVMIsAExtractValueInst(condition) == NULL || LLVMGetIndices(condition)[0] != 1 || when) {
        return false;
    }
    check->operation = LLVMGetOperand(condition, 0);
    if (!proof_checked_operation(check->operation, &opcode, &is_signed) || !is_signed) {
        return false;
    }
    unsigned left = range_degree(range, LLVMGetOperand(check->operation, 0));
    unsigned right = range_degree(range, LLVMGetOperand(check->operation, 1));
    return left <= 1 && right <= 1 && (opcode != LLVMMul || left + right <= 1);
}

/* A comparison of two linear values. An unsigned one is accepted only if its right side does not
 * change in the loop: demand_at then asks that the right side is not negative, so a left side below
 * it is not negative either, and what holds at both ends holds in between. */
static bool is_order_check(const Range *range, Check *check, LLVMValueRef condition, bool when) {
    if (LLVMIsAICmpInst(condition) == NULL ||
        LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(condition, 0))) != LLVMIntegerTypeKind) {
        return false;
    }
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(condition);
    check->predicate = when ? predicate : proof_contrary(predicate);
    check->left = LLVMGetOperand(condition, 0);
    check->right = LLVMGetOperand(condition, 1);
    if (check->predicate == LLVMIntUGT || check->predicate == LLVMIntUGE) {
        LLVMValueRef left = check->left;
        check->left = check->right;
        check->right = left;
        check->predicate = proof_swapped(check->predicate);
    }
    return range_direction(check->predicate) != 0 && is_linear(range, check->left) &&
           is_linear(range, check->right) &&
           (!range_is_unsigned(check->predicate) || range_is_fixed(range, check->right));
}

static bool find_check(const Range *range, LLVMValueRef branch, Check *check) {
    *check = (Check){.branch = branch};
    if (!branch_is_check(branch, &check->when) ||
        !range_has(range, LLVMGetSuccessor(branch, !check->when))) {
        return false;
    }
    bool when = check->when;
    LLVMValueRef condition = without_not(LLVMGetCondition(branch), &when);
    if (is_sum_check(range, check, condition, when)) {
        return true;
    }
    check->operation = NULL;
    return is_order_check(range, check, condition, when);
}

/* A value that must be below `right` (unsigned), and rises by 1 with a counter that is never
 * negative. Such a counter takes at most half of all numbers, so the value cannot wrap round to
 * where it began: if it is below `right` at both ends, and `right` is not negative, it is in
 * between. So whether it overflows need not be asked. */
static bool is_plain(const Range *range, const Check *check) {
    return check->operation == NULL && range_is_unsigned(check->predicate) &&
           range_direction(check->predicate) > 0 && range_is_unsigned(range->predicate) &&
           range_direction(range->predicate) > 0 && range_rises_by_one(range, check->left);
}

static void demand_at(Range *range, const Check *check, LLVMValueRef counter) {
    LLVMBuilderRef builder = range->builder;
    if (check->operation != NULL) {
        LLVMOpcode opcode;
        bool is_signed;
        proof_checked_operation(check->operation, &opcode, &is_signed);
        LLVMValueRef left = range_value_at(range, LLVMGetOperand(check->operation, 0), counter);
        LLVMValueRef right = range_value_at(range, LLVMGetOperand(check->operation, 1), counter);
        LLVMValueRef sum = range_checked(range, opcode, left, right);
        LLVMValueRef flag = LLVMBuildExtractValue(builder, sum, 1, "");
        range_demand(range, LLVMBuildNot(builder, flag, ""));
        return;
    }
    LLVMValueRef left = is_plain(range, check) ? range_plainly_at(range, check->left, counter)
                                               : range_value_at(range, check->left, counter);
    LLVMValueRef right = range_value_at(range, check->right, counter);
    range_demand(range, LLVMBuildICmp(builder, check->predicate, left, right, ""));
    if (range_is_unsigned(check->predicate)) {
        LLVMValueRef none = LLVMConstNull(LLVMTypeOf(right));
        range_demand(range, LLVMBuildICmp(builder, LLVMIntSGE, right, none, ""));
    }
}

/* ok OR check; `ok` is fixed. */
static void ask_first(Range *range, const Check *check) {
    LLVMBuilderRef builder = range->builder;
    LLVMValueRef branch = check->branch;
    edit_before(builder, branch);
    LLVMValueRef condition = LLVMGetCondition(branch);
    condition = check->when ? condition : LLVMBuildNot(builder, condition, "");
    condition = LLVMBuildOr(builder, range->ok, condition, "");
    LLVMValueRef made = LLVMBuildCondBr(builder, condition, LLVMGetSuccessor(branch, !check->when),
                                        LLVMGetSuccessor(branch, check->when));
    compat_set_branch_weights(LLVMGetTypeContext(LLVMTypeOf(condition)), made, OFTEN, 1);
    LLVMInstructionEraseFromParent(branch);
}

/* ---- loops ---- */

Checks checks_find(const Range *range) {
    Checks checks = {0};
    for (size_t i = 0; i < range->blocks.count; i++) {
        Check check;
        LLVMValueRef branch = LLVMGetBasicBlockTerminator(range->blocks.items[i]->block);
        if (find_check(range, branch, &check)) {
            array_push(range->arena, &checks, check);
        }
    }
    return checks;
}

void checks_demand(Range *range, const Checks *checks) {
    edit_before(range->builder, LLVMGetBasicBlockTerminator(range->asked->block));
    LLVMValueRef last = range_last(range);
    for (size_t i = 0; i < checks->count; i++) {
        demand_at(range, &checks->items[i], range->start);
        demand_at(range, &checks->items[i], last);
    }
}

/* `copies`: how many loops for a single block the routine has got so far; NULL: none is made. */
static bool plant(Range *range, unsigned *copies) {
    Checks checks = checks_find(range);
    if (checks.count == 0) {
        return false;
    }
    if (copies != NULL) {
        *copies += block_foresee(range, &checks, *copies);
    }
    checks_demand(range, &checks);
    for (size_t i = 0; i < checks.count; i++) {
        ask_first(range, &checks.items[i]);
    }
    return true;
}

/* The loop over what strips have left over: it seldom runs, so it is not worth it. */
static bool is_left_over(const Range *range) {
    return compat_is_described(LLVMGetBasicBlockTerminator(range->latch->block));
}

static bool look_at_function(Arena *arena, LLVMBuilderRef builder, LLVMValueRef function,
                             bool may_be_long) {
    bool is_planted = false;
    unsigned copies = 0;
    const FlowGraph *graph = flow_graph_create(arena, function);
    for (size_t i = 0; i < graph->order.count; i++) {
        Range range = {
            .arena = arena, .builder = builder, .graph = graph, .header = graph->order.items[i]};
        range.inside.arena = range.exact.arena = range.known.arena = arena;
        if (range_find(&range) && !is_left_over(&range)) {
            is_planted = plant(&range, may_be_long ? &copies : NULL) || is_planted;
        }
    }
    return is_planted;
}

/* ---- functions ---- */

static unsigned hiding_kind(void) {
    return LLVMGetEnumAttributeKindForName("optnone", 7);
}

static void hide(LLVMValueRef function) {
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    compat_add_attribute(context, function, COMPAT_FUNCTION, "optnone", 0);
}

static bool has_open_check(LLVMValueRef function) {
    bool when;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef branch = LLVMGetBasicBlockTerminator(block);
        if (branch_is_check(branch, &when) &&
            LLVMIsAInstruction(LLVMGetCondition(branch)) != NULL) {
            return true;
        }
    }
    return false;
}

bool foresight_begin(LLVMModuleRef module) {
    bool is_any = false;
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        bool is_open = !LLVMIsDeclaration(function) && !compat_is_left_alone(function) &&
                       has_open_check(function);
        if (!is_open && !LLVMIsDeclaration(function)) {
            hide(function);
        }
        is_any = is_any || is_open;
    }
    return is_any;
}

bool foresight_plant(LLVMModuleRef module, bool may_be_long) {
    Arena *arena = arena_create();
    LLVMBuilderRef builder = edit_open(module);
    bool is_any = false;
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        bool is_planted = !LLVMIsDeclaration(function) && !compat_is_left_alone(function) &&
                          look_at_function(arena, builder, function, may_be_long);
        if (!is_planted && !LLVMIsDeclaration(function)) {
            hide(function);
        }
        is_any = is_any || is_planted;
    }
    edit_close(builder);
    arena_destroy(arena);
    return is_any;
}

void foresight_end(LLVMModuleRef module) {
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        if (!compat_is_left_alone(function)) {
            LLVMRemoveEnumAttributeAtIndex(function, COMPAT_FUNCTION, hiding_kind());
        }
    }
}
