/* deferral_bound -- how large results can be, by the sizes of what they are made of.
 *
 * Holds:  a bound says |value| <= bound, as long as no check before it has failed: what is computed
 *         then is exact. So if all results have bounds in range no check fails, the first neither.
 *         Bounds are computed in twice the width of the results, where those of operands that are
 *         in range cannot wrap. */
#include "deferral_state.h"

#include "intrinsic.h"

#define LEAST_PLACES 4 /* below this a strip would hardly ever pass */

/* ---- bounds ---- */

static LLVMValueRef bound(Deferral *deferral, LLVMValueRef value);

LLVMValueRef bound_number(const Deferral *deferral, uint64_t number) {
    return LLVMConstInt(deferral->wide, number, 0);
}

static LLVMValueRef size_of_fixed(Deferral *deferral, LLVMValueRef value) {
    LLVMBuilderRef builder = deferral->builder;
    LLVMValueRef here = loop_value_at(&deferral->loop, builder, value, NULL);
    LLVMValueRef wide =
        LLVMIsAConstantInt(here) != NULL
            ? LLVMConstInt(deferral->wide, (unsigned long long)LLVMConstIntGetSExtValue(here), 1)
            : LLVMBuildSExt(builder, here, deferral->wide, "");
    LLVMValueRef zero = LLVMConstNull(deferral->wide);
    LLVMValueRef contrary = LLVMBuildSub(builder, zero, wide, "");
    LLVMValueRef is_below = LLVMBuildICmp(builder, LLVMIntSLT, wide, zero, "");
    return LLVMBuildSelect(builder, is_below, contrary, wide, "");
}

static LLVMValueRef count_leading_zeros(const Deferral *deferral, LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTypeRef flag = LLVMInt1TypeInContext(LLVMGetTypeContext(type));
    LLVMValueRef operands[] = {value, LLVMConstNull(flag)};
    return intrinsic_call(deferral->builder, "llvm.ctlz", type, operands, 2);
}

/* 2^n for the greatest bit n that was seen; 0 for none. Of natural numbers: all bits that were. */
static LLVMValueRef size_of_group(const Deferral *deferral, LLVMValueRef value) {
    LLVMBuilderRef builder = deferral->builder;
    uintptr_t index = (uintptr_t)name_map_find(&deferral->group_of, &value, sizeof value);
    unsigned width = width_of(value);
    if (deferral->unit != NULL) {
        return deferral->unit;
    }
    if (deferral->slack != 0) {
        return bound_number(deferral, power(width - deferral->slack) - deferral->is_natural);
    }
    if (deferral->groups.items[index - 1].is_small && !deferral->is_natural) {
        return bound_number(deferral, SMALL);
    }
    const DeferredGroup *group = deferral->groups.items[index - 1].leader;
    LLVMValueRef sizes = LLVMBuildZExt(builder, group->sizes, deferral->wide, "");
    if (deferral->is_natural) {
        return sizes;
    }
    LLVMValueRef zeros = count_leading_zeros(deferral, sizes);
    LLVMTypeRef type = deferral->wide;
    LLVMValueRef most = LLVMConstInt(type, LLVMGetIntTypeWidth(type) - 1, 0);
    LLVMValueRef bit = LLVMBuildSub(builder, most, zeros, "");
    LLVMValueRef top = LLVMBuildShl(builder, LLVMConstInt(type, 1, 0), bit, "");
    LLVMValueRef is_none = LLVMBuildICmp(builder, LLVMIntEQ, sizes, LLVMConstNull(type), "");
    return LLVMBuildSelect(builder, is_none, sizes, top, "size");
}

static void keep_within(Deferral *deferral, LLVMValueRef value, LLVMValueRef size) {
    LLVMValueRef most = bound_number(deferral, power(width_of(value) - 1) - 1);
    LLVMValueRef is_within = LLVMBuildICmp(deferral->builder, LLVMIntULE, size, most, "");
    deferral->is_within = deferral_both(deferral, deferral->is_within, is_within);
    if (deferral->unit != NULL) {
        array_push(deferral->arena, &deferral->results, ((DeferredSize){size, most}));
    }
}

static LLVMValueRef size_of_sum(Deferral *deferral, LLVMValueRef value) {
    LLVMBuilderRef builder = deferral->builder;
    uintptr_t index = (uintptr_t)name_map_find(&deferral->sum_of, &value, sizeof value);
    const DeferredSum *sum = &deferral->sums.items[index - 1];
    LLVMValueRef terms = bound_number(deferral, 0);
    for (size_t i = 0; i < sum->terms.count; i++) {
        terms = LLVMBuildAdd(builder, terms, bound(deferral, sum->terms.items[i]), "");
    }
    LLVMValueRef count = LLVMBuildIntCast2(builder, deferral->count, deferral->wide, 0, "");
    LLVMValueRef start = name_map_find(&deferral->starts, &sum->phi, sizeof sum->phi);
    return LLVMBuildAdd(builder, size_of_fixed(deferral, start),
                        LLVMBuildMul(builder, terms, count, ""), "");
}

/* The difference of two natural numbers is no greater than the greater one. */
static bool is_natural_difference(const Deferral *deferral, const Term *term) {
    return deferral->is_natural && term->opcode == LLVMSub &&
           term_of(deferral, term->left).kind == TERM_SIZED &&
           term_of(deferral, term->right).kind == TERM_SIZED;
}

static LLVMValueRef size_of_operation(Deferral *deferral, const Term *term) {
    LLVMBuilderRef builder = deferral->builder;
    LLVMValueRef left = bound(deferral, term->left);
    if (term->opcode == LLVMShl) {
        uint64_t places = LLVMConstIntGetZExtValue(term->right);
        return LLVMBuildShl(builder, left, bound_number(deferral, places), "");
    }
    if (term->opcode == LLVMSExt) {
        return left;
    }
    LLVMValueRef right = bound(deferral, term->right);
    if (is_natural_difference(deferral, term)) {
        return bound_extreme(deferral, LLVMIntUGT, left, right);
    }
    return term->opcode == LLVMMul ? LLVMBuildMul(builder, left, right, "")
                                   : LLVMBuildAdd(builder, left, right, "");
}

static LLVMValueRef bound_new(Deferral *deferral, LLVMValueRef value) {
    Term term = term_of(deferral, value);
    LLVMValueRef size = NULL;
    switch (term.kind) {
    case TERM_NONE: break;
    case TERM_FIXED: return size_of_fixed(deferral, value);
    case TERM_LIMITED: return bound_number(deferral, term.limit);
    case TERM_SIZED: return size_of_group(deferral, value);
    case TERM_SUM: size = size_of_sum(deferral, value); break;
    case TERM_OPERATION: size = size_of_operation(deferral, &term); break;
    }
    keep_within(deferral, value, size);
    return size;
}

static LLVMValueRef bound(Deferral *deferral, LLVMValueRef value) {
    LLVMValueRef known = name_map_find(&deferral->bounds, &value, sizeof value);
    if (known == NULL) {
        known = bound_new(deferral, value);
        *name_map_at(&deferral->bounds, &value, sizeof value) = known;
    }
    return known;
}

void bound_all(Deferral *deferral) {
    deferral->bounds = (NameMap){.arena = deferral->arena};
    deferral->is_within = NULL;
    for (size_t i = 0; i < deferral->ranged.count; i++) {
        bound(deferral, deferral->ranged.items[i]);
    }
}

/* ---- limits, for values of any size ---- */

LLVMValueRef bound_extreme(const Deferral *deferral, LLVMIntPredicate predicate, LLVMValueRef a,
                           LLVMValueRef b) {
    if (a == NULL) {
        return b;
    }
    LLVMValueRef is_a = LLVMBuildICmp(deferral->builder, predicate, a, b, "");
    return LLVMBuildSelect(deferral->builder, is_a, a, b, "");
}

/* The results are rest + factor * size, when all values have that size: the greatest power of two
 * that keeps them in range, by the least room and the greatest factor. */
LLVMValueRef bound_greatest_size(Deferral *deferral, LLVMValueRef *is_within) {
    LLVMBuilderRef builder = deferral->builder;
    LLVMValueRef one = bound_number(deferral, 1);
    LLVMValueRef room = NULL;
    LLVMValueRef factor = one;
    deferral->results.count = 0;
    deferral->unit = bound_number(deferral, 0);
    bound_all(deferral);
    *is_within = deferral->is_within;
    size_t count = deferral->results.count;
    deferral->unit = one;
    bound_all(deferral);
    *is_within = deferral_both(deferral, *is_within, deferral->is_within);
    for (size_t i = 0; i < count; i++) {
        DeferredSize none = deferral->results.items[i];
        LLVMValueRef here = LLVMBuildSub(builder, none.most, none.size, "");
        LLVMValueRef with_one = deferral->results.items[count + i].size;
        room = bound_extreme(deferral, LLVMIntULT, room, here);
        factor = bound_extreme(deferral, LLVMIntUGT, factor,
                               LLVMBuildSub(builder, with_one, none.size, ""));
    }
    deferral->unit = NULL;
    /* |room| has bits - zeros places, so 2^(that - 1) <= room; and factor <= 2^(places of factor -
     * 1) */
    LLVMValueRef less = count_leading_zeros(deferral, room);
    LLVMValueRef more = count_leading_zeros(deferral, LLVMBuildSub(builder, factor, one, ""));
    LLVMValueRef places = LLVMBuildSub(builder, LLVMBuildSub(builder, more, less, ""), one, "");
    LLVMValueRef least = bound_number(deferral, LEAST_PLACES);
    *is_within =
        deferral_both(deferral, *is_within, LLVMBuildICmp(builder, LLVMIntSGE, places, least, ""));
    return places;
}
