/* foresight_end -- the ends of a loop's range, and values at them, computed before the loop.
 *
 * Holds:  every + - * on the way is checked: where none overflows at either end, none does between
 *         them, and what is linear is exact. */
#include "foresight_state.h"

#include "intrinsic.h"
#include "llvm_compat.h"

/* What was moved out of a loop, or is computed in vain, may promise (nsw) what only a check in the
 * loop would have kept. */
static void drop_promises(Range *range, LLVMValueRef value) {
    if (LLVMIsAInstruction(value) == NULL || LLVMIsAPHINode(value) != NULL) {
        return;
    }
    void **slot = name_map_at(&range->exact, &value, sizeof value);
    if (*slot != NULL) {
        return;
    }
    *slot = value;
    if (LLVMIsALoadInst(value) != NULL) {
        return;
    }
    compat_drop_promises(value);
    for (int i = 0; i < LLVMGetNumOperands(value); i++) {
        drop_promises(range, LLVMGetOperand(value, (unsigned)i));
    }
}

void range_demand(Range *range, LLVMValueRef condition) {
    range->ok =
        range->ok == NULL ? condition : LLVMBuildAnd(range->builder, range->ok, condition, "");
}

LLVMValueRef range_checked(Range *range, LLVMOpcode opcode, LLVMValueRef left, LLVMValueRef right) {
    const char *name = opcode == LLVMAdd   ? "llvm.sadd.with.overflow"
                       : opcode == LLVMSub ? "llvm.ssub.with.overflow"
                                           : "llvm.smul.with.overflow";
    LLVMValueRef operands[] = {left, right};
    return intrinsic_call(range->builder, name, LLVMTypeOf(left), operands, 2);
}

static LLVMValueRef demand_exact(Range *range, LLVMOpcode opcode, LLVMValueRef left,
                                 LLVMValueRef right) {
    LLVMValueRef sum = range_checked(range, opcode, left, right);
    LLVMValueRef flag = LLVMBuildExtractValue(range->builder, sum, 1, "");
    range_demand(range, LLVMBuildNot(range->builder, flag, ""));
    return LLVMBuildExtractValue(range->builder, sum, 0, "");
}

/* It has gone as often as the counter. */
static LLVMValueRef follower_at(Range *range, const Follower *follower, LLVMValueRef counter) {
    LLVMValueRef first = range_value_at(range, follower->start, counter);
    if (counter == range->start) {
        return first;
    }
    bool rises = range_direction(range->predicate) > 0;
    LLVMValueRef turns = rises ? demand_exact(range, LLVMSub, counter, range->start)
                               : demand_exact(range, LLVMSub, range->start, counter);
    LLVMValueRef by = range_value_at(range, follower->by, counter);
    return demand_exact(range, follower->opcode, first, demand_exact(range, LLVMMul, turns, by));
}

static LLVMValueRef make_value(Range *range, LLVMValueRef value, LLVMValueRef counter) {
    Follower follower;
    if (range_is_follower(range, value, &follower)) {
        return follower_at(range, &follower, counter);
    }
    LLVMValueRef left, right;
    LLVMOpcode opcode = range_operation(value, &left, &right);
    return demand_exact(range, opcode, range_value_at(range, left, counter),
                        range_value_at(range, right, counter));
}

LLVMValueRef range_value_at(Range *range, LLVMValueRef value, LLVMValueRef counter) {
    if (value == range->counter) {
        return counter;
    }
    if (range_is_fixed(range, value)) {
        drop_promises(range, value);
        return value;
    }
    const RangeKey key = {value, counter};
    LLVMValueRef known = name_map_find(&range->known, &key, sizeof key);
    if (known == NULL) {
        known = make_value(range, value, counter);
        *name_map_at(&range->known, &key, sizeof key) = known;
    }
    return known;
}

LLVMValueRef range_plainly_at(Range *range, LLVMValueRef value, LLVMValueRef counter) {
    LLVMValueRef left, right;
    if (value == range->counter) {
        return counter;
    }
    if (range_is_fixed(range, value)) {
        drop_promises(range, value);
        return value;
    }
    LLVMOpcode opcode = range_operation(value, &left, &right);
    return LLVMBuildBinOp(range->builder, opcode, range_plainly_at(range, left, counter),
                          range_plainly_at(range, right, counter), "");
}

/* The value of the counter nearest to the bound. */
static LLVMValueRef last_of(const Range *range) {
    LLVMValueRef one = LLVMConstInt(LLVMTypeOf(range->bound), 1, 0);
    switch (range->predicate) {
    case LLVMIntSLT:
    case LLVMIntULT: return LLVMBuildSub(range->builder, range->bound, one, "last");
    case LLVMIntSGT:
    case LLVMIntUGT: return LLVMBuildAdd(range->builder, range->bound, one, "last");
    default: return range->bound;
    }
}

/* Behind the last value lies one that ends the loop: the counter does not come round. */
static void demand_end(Range *range) {
    LLVMTypeRef type = LLVMTypeOf(range->bound);
    LLVMValueRef none = LLVMConstNull(type);
    LLVMValueRef all = LLVMConstAllOnes(type);
    LLVMValueRef least = LLVMConstInt(type, UINT64_C(1) << (LLVMGetIntTypeWidth(type) - 1), 0);
    LLVMValueRef extreme = range->predicate == LLVMIntSLE   ? LLVMConstNot(least)
                           : range->predicate == LLVMIntSGE ? least
                           : range->predicate == LLVMIntULE ? all
                           : range->predicate == LLVMIntUGE ? none
                                                            : NULL;
    if (extreme != NULL) {
        range_demand(range, LLVMBuildICmp(range->builder, LLVMIntNE, range->bound, extreme, ""));
    }
}

LLVMValueRef range_last(Range *range) {
    LLVMBuilderRef builder = range->builder;
    drop_promises(range, range->start);
    drop_promises(range, range->bound);
    range_demand(range, LLVMBuildICmp(builder, range->predicate, range->start, range->bound, ""));
    demand_end(range);
    LLVMValueRef last = last_of(range);
    if (range_is_unsigned(range->predicate)) {
        LLVMValueRef none = LLVMConstNull(LLVMTypeOf(last));
        range_demand(range, LLVMBuildICmp(builder, LLVMIntSGE, range->start, none, ""));
        range_demand(range, LLVMBuildICmp(builder, LLVMIntSGE, last, none, ""));
    }
    return last;
}
