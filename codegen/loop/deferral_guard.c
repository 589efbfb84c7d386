/* deferral_guard -- checks that are left and do not depend on data, asked before a strip.
 *
 * Holds:  one that depends on nothing in the loop is asked once. One of a value that rises with the
 *         counter by 1 is asked for the first and the last iteration of the strip: what holds at
 *         both ends of an interval, of a comparison with a fixed value or of + - * not overflowing,
 *         holds within, if the value does not wrap in between. Of the two ends a comparison is
 *         asked of the one that is nearer to failing. */
#include "deferral_state.h"

#include "proof.h"

/* The value of the condition that has to rise without wrapping; NULL: the condition has another
 * form. */
static LLVMValueRef rising_part(const Deferral *deferral, LLVMValueRef condition, bool *is_signed) {
    const CountedLoop *loop = &deferral->loop;
    LLVMValueRef operation = deferral_operation(condition);
    LLVMOpcode opcode;
    bool is_contrary = false;
    if (operation != NULL) {
        proof_checked_operation(operation, &opcode, is_signed);
    } else {
        operation = deferral_without_not(condition, &is_contrary);
        if (LLVMIsAICmpInst(operation) == NULL) {
            return NULL;
        }
        LLVMIntPredicate predicate = LLVMGetICmpPredicate(operation);
        *is_signed = predicate >= LLVMIntSGT;
        if (predicate == LLVMIntEQ || predicate == LLVMIntNE) {
            return NULL;
        }
    }
    LLVMValueRef left = LLVMGetOperand(operation, 0);
    LLVMValueRef right = LLVMGetOperand(operation, 1);
    bool is_left = loop_nature(loop, right) == NATURE_FIXED;
    LLVMValueRef rising = is_left ? left : right;
    bool is_one = is_left || loop_nature(loop, left) == NATURE_FIXED;
    return is_one && loop_slope(loop, rising) != 0 ? rising : NULL;
}

bool guard_plan(Deferral *deferral) {
    const CountedLoop *loop = &deferral->loop;
    for (size_t i = 0; i < loop->blocks.count; i++) {
        LLVMValueRef branch = LLVMGetBasicBlockTerminator(loop->blocks.items[i]->block);
        bool when, is_signed;
        if (!loop_check(loop, branch, &when)) {
            continue;
        }
        LLVMValueRef condition = LLVMGetCondition(branch);
        bool is_settled = LLVMIsAConstantInt(condition) != NULL && !LLVMIsNull(condition) == when;
        LoopNature nature = loop_nature(loop, condition);
        bool is_known =
            nature == NATURE_FIXED ||
            (nature == NATURE_COUNTED && rising_part(deferral, condition, &is_signed) != NULL);
        if (!is_settled && nature != NATURE_DATA) {
            DeferredCheck check = {branch, condition};
            if (!is_known) {
                return false;
            }
            array_push(deferral->arena, &deferral->guards, check);
        }
    }
    return true;
}

static LLVMValueRef holds_at(Deferral *deferral, const DeferredCheck *check, LLVMValueRef counter) {
    bool when;
    loop_check(&deferral->loop, check->branch, &when);
    LLVMValueRef condition =
        loop_value_at(&deferral->loop, deferral->builder, check->condition, counter);
    return when ? condition : LLVMBuildNot(deferral->builder, condition, "");
}

/* Do its ends say by themselves that the value rises? Those of the counter do, compared as the loop
 * compares it: a strip has iterations (deferral_begin.c). Of numbers that is folded anyway. */
static bool is_known_to_rise(const CountedLoop *loop, LLVMValueRef rising, LLVMValueRef first,
                             bool is_signed) {
    return rising == loop->counter && loop->is_signed == is_signed &&
           LLVMIsAConstantInt(first) == NULL;
}

/* Is the condition, of a value that goes one way, true for a smaller value whenever it is true for
 * a greater one (SIDE_BELOW), or the other way round? */
typedef enum Side { SIDE_BELOW, SIDE_ABOVE, SIDE_UNKNOWN } Side;

static Side side_of(const DeferredCheck *check, LLVMValueRef rising, bool when) {
    bool is_contrary = !when;
    LLVMValueRef compared = deferral_without_not(check->condition, &is_contrary);
    if (LLVMIsAICmpInst(compared) == NULL) {
        return SIDE_UNKNOWN;
    }
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(compared);
    bool is_less = predicate == LLVMIntULT || predicate == LLVMIntULE || predicate == LLVMIntSLT ||
                   predicate == LLVMIntSLE;
    bool is_left = LLVMGetOperand(compared, 0) == rising;
    return (is_less == is_left) != is_contrary ? SIDE_BELOW : SIDE_ABOVE;
}

/* Of both ends and those between, where the value goes from the first to the last without
 * wrapping. */
static LLVMValueRef holds_within(Deferral *deferral, const DeferredCheck *check, LLVMValueRef first,
                                 LLVMValueRef last) {
    const CountedLoop *loop = &deferral->loop;
    LLVMBuilderRef builder = deferral->builder;
    bool is_signed, when;
    loop_check(loop, check->branch, &when);
    LLVMValueRef rising = rising_part(deferral, check->condition, &is_signed);
    LLVMValueRef low = loop_value_at(loop, builder, rising, first);
    LLVMValueRef high = loop_value_at(loop, builder, rising, last);
    bool is_rising = loop_slope(loop, rising) > 0;
    LLVMIntPredicate predicate = is_signed   ? is_rising ? LLVMIntSLE : LLVMIntSGE
                                 : is_rising ? LLVMIntULE
                                             : LLVMIntUGE;
    LLVMValueRef all = is_known_to_rise(loop, rising, first, is_signed)
                           ? NULL
                           : LLVMBuildICmp(builder, predicate, low, high, "");
    Side side = side_of(check, rising, when);
    if (side != (is_rising ? SIDE_BELOW : SIDE_ABOVE)) {
        all = deferral_both(deferral, all, holds_at(deferral, check, first));
    }
    if (side != (is_rising ? SIDE_ABOVE : SIDE_BELOW)) {
        all = deferral_both(deferral, all, holds_at(deferral, check, last));
    }
    return all;
}

LLVMValueRef guard_test(Deferral *deferral, LLVMValueRef first, LLVMValueRef last) {
    LLVMValueRef all = NULL;
    for (size_t i = 0; i < deferral->guards.count; i++) {
        const DeferredCheck *check = &deferral->guards.items[i];
        bool is_counted = loop_nature(&deferral->loop, check->condition) == NATURE_COUNTED;
        LLVMValueRef holds = is_counted ? holds_within(deferral, check, first, last)
                                        : holds_at(deferral, check, first);
        all = deferral_both(deferral, all, holds);
    }
    return all;
}
