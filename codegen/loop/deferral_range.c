/* deferral_range -- results that are in range because what they are made of is small.
 *
 * Owns:   which values' sizes are gathered, how, and what is asked of them.
 * Holds:  where it is known when a strip begins, or before, that values of so many bits will do,
 *         they are to lie in -half .. half - 1: x + half is gathered by OR. Else x ^ 2x is: its
 *         greatest bit is the one above those x needs. */
#include "deferral_state.h"

#define DISTANCE_LIMIT 8
#define PEEKED         4u
#define PEEKED_GROUPS  4u
#define APART          2u

/* ---- planning ---- */

static bool plan(Deferral *deferral, LLVMValueRef value);

static bool plan_sum(Deferral *deferral, LLVMValueRef value) {
    uintptr_t index = (uintptr_t)name_map_find(&deferral->sum_of, &value, sizeof value);
    DeferredSum *sum = &deferral->sums.items[index - 1];
    deferral->is_variable = true;
    if (sum->is_open) {
        return false;
    }
    sum->is_open = true;
    bool is_planned = true;
    for (size_t i = 0; is_planned && i < sum->terms.count; i++) {
        is_planned = plan(deferral, sum->terms.items[i]);
    }
    sum->is_open = false;
    return is_planned;
}

/* Puts the access into the group, if it is of its row and not far from the others. */
static bool join(DeferredGroup *group, const LoopAccess *access) {
    if (group->ahead == NULL || !loop_access_same_row(group->ahead, access)) {
        return false;
    }
    const LoopAccess *ahead = access->distance > group->ahead->distance ? access : group->ahead;
    const LoopAccess *behind = access->distance < group->behind->distance ? access : group->behind;
    if (ahead->distance - behind->distance > DISTANCE_LIMIT) {
        return false;
    }
    group->ahead = ahead;
    group->behind = behind;
    group->value = ahead->instruction;
    return true;
}

static void plan_size(Deferral *deferral, LLVMValueRef value) {
    const LoopAccess *access = loop_access_of(&deferral->memory, value);
    size_t index = deferral->groups.count;
    for (size_t i = 0; access != NULL && access->moves && i < deferral->groups.count; i++) {
        if (join(&deferral->groups.items[i], access)) {
            index = i;
            break;
        }
    }
    if (index == deferral->groups.count) {
        DeferredGroup group = {.value = value};
        if (access != NULL && access->moves) {
            group.ahead = group.behind = access;
        }
        array_push(deferral->arena, &deferral->groups, group);
    }
    *name_map_at(&deferral->group_of, &value, sizeof value) = (void *)(index + 1);
}

static bool plan_new(Deferral *deferral, LLVMValueRef value) {
    Term term = term_of(deferral, value);
    switch (term.kind) {
    case TERM_NONE: return false;
    case TERM_FIXED:
        deferral->is_variable = deferral->is_variable || LLVMIsAConstantInt(value) == NULL;
        return true;
    case TERM_SUM: return plan_sum(deferral, value);
    case TERM_OPERATION:
        return plan(deferral, term.left) && (term.right == NULL || plan(deferral, term.right));
    case TERM_LIMITED: return true;
    case TERM_SIZED: plan_size(deferral, value); return true;
    }
    return false;
}

static bool plan(Deferral *deferral, LLVMValueRef value) {
    void **slot = name_map_at(&deferral->planned, &value, sizeof value);
    if (*slot != NULL) {
        return *slot == value;
    }
    *slot = deferral; /* neither yes nor asked for again: a sum that is a term of itself */
    bool is_planned = plan_new(deferral, value);
    *name_map_at(&deferral->planned, &value, sizeof value) = is_planned ? (void *)value : deferral;
    return is_planned;
}

bool range_plan(Deferral *deferral, LLVMValueRef result) {
    array_push(deferral->arena, &deferral->ranged, result);
    return plan(deferral, result);
}

/* ---- when a strip begins ---- */

static bool is_linear(Deferral *deferral) {
    bool is_linear = deferral->groups.count > 0;
    for (size_t i = 0; is_linear && i < deferral->ranged.count; i++) {
        is_linear = term_degree(deferral, deferral->ranged.items[i]) <= 1;
    }
    return is_linear;
}

static unsigned narrowest_group(const Deferral *deferral) {
    unsigned narrowest = 64;
    for (size_t i = 0; i < deferral->groups.count; i++) {
        unsigned width = width_of(deferral->groups.items[i].value);
        narrowest = width < narrowest ? width : narrowest;
    }
    return narrowest;
}

LLVMValueRef range_begin(Deferral *deferral) {
    if (deferral->slack != 0 || !deferral->is_variable || !is_linear(deferral)) {
        return NULL;
    }
    LLVMBuilderRef builder = deferral->builder;
    LLVMValueRef is_within = NULL;
    LLVMValueRef places = bound_greatest_size(deferral, &is_within);
    LLVMValueRef most = bound_number(deferral, narrowest_group(deferral) - 1);
    places = bound_extreme(deferral, LLVMIntSLT, places, most);
    LLVMValueRef least = bound_number(deferral, deferral->products.count > 0 ? SMALL_PLACES : 0);
    if (deferral->products.count > 0) {
        LLVMValueRef is_enough = LLVMBuildICmp(builder, LLVMIntSGE, places, least, "");
        is_within = deferral_both(deferral, is_within, is_enough);
    }
    places = bound_extreme(deferral, LLVMIntSGT, places, least);
    deferral->half = LLVMBuildShl(builder, bound_number(deferral, 1), places, "half");
    return is_within;
}

/* ---- settling, gathering, testing ---- */

/* Values that need at most five eighths of their bits are small: below that sizes are measured. */
void range_settle(Deferral *deferral) {
    unsigned most = narrowest_group(deferral) * 3 / 8;
    bool is_settled = false;
    for (unsigned slack = deferral->is_natural ? 1 : 2;
         !deferral->is_variable && !is_settled && slack <= most; slack++) {
        deferral->slack = slack;
        bound_all(deferral);
        LLVMValueRef within = deferral->is_within;
        is_settled = within == NULL || (LLVMIsAConstantInt(within) != NULL && !LLVMIsNull(within));
    }
    deferral->slack = is_settled ? deferral->slack : 0;
}

unsigned range_cost(const Deferral *deferral) {
    unsigned each = deferral->is_natural ? 1 : deferral->slack != 0 ? 2 : 3;
    return (unsigned)deferral->groups.count * each;
}

void range_forget(Deferral *deferral) {
    deferral->groups.count = deferral->ranged.count = 0;
    deferral->planned = deferral->group_of = (NameMap){.arena = deferral->arena};
    deferral->slack = 0;
    deferral->is_variable = false;
}

/* Half of the interval that a value is to lie in, around 0; NULL: its size is measured. */
static LLVMValueRef half_of(const Deferral *deferral, const DeferredGroup *group) {
    LLVMTypeRef type = LLVMTypeOf(group->value);
    if (group->is_small) {
        return LLVMConstInt(type, SMALL, 0);
    }
    if (deferral->slack != 0) {
        return LLVMConstInt(type, power(LLVMGetIntTypeWidth(type) - deferral->slack), 0);
    }
    return deferral->half == NULL
               ? NULL
               : LLVMBuildIntCast2(deferral->builder, deferral->half, type, 0, "");
}

static LLVMValueRef size_part(const Deferral *deferral, LLVMValueRef value, LLVMValueRef half) {
    LLVMBuilderRef builder = deferral->builder;
    if (deferral->is_natural) {
        return value;
    }
    return half != NULL ? LLVMBuildAdd(builder, value, half, "")
                        : LLVMBuildXor(builder, value, LLVMBuildAdd(builder, value, value, ""), "");
}

/* The elements that only those behind see. */
static LLVMValueRef first_sizes(const Deferral *deferral, const DeferredGroup *group,
                                LLVMValueRef half) {
    LLVMBuilderRef builder = deferral->builder;
    const CountedLoop *loop = &deferral->loop;
    LLVMTypeRef type = LLVMTypeOf(group->value);
    LLVMValueRef sizes = LLVMConstNull(type);
    int64_t count = group->ahead != NULL ? group->ahead->distance - group->behind->distance : 0;
    for (int64_t i = 0; i < count; i++) {
        LLVMValueRef start = name_map_find(&deferral->starts, &loop->counter, sizeof loop->counter);
        LLVMValueRef step = LLVMConstInt(LLVMTypeOf(start), (unsigned long long)i, 0);
        LLVMValueRef counter = LLVMBuildAdd(builder, start, step, "");
        LLVMValueRef address = loop_value_at(loop, builder, group->behind->address, counter);
        LLVMValueRef value = LLVMBuildLoad2(builder, type, address, "");
        LLVMSetAlignment(value, LLVMGetAlignment(group->behind->instruction));
        sizes = LLVMBuildOr(builder, sizes, size_part(deferral, value, half), "");
    }
    return sizes;
}

/* The first elements of the strip and the last. */
static LLVMValueRef peek_of(const Deferral *deferral, const LoopAccess *access, bool is_small) {
    LLVMBuilderRef builder = deferral->builder;
    const CountedLoop *loop = &deferral->loop;
    LLVMValueRef start = name_map_find(&deferral->starts, &loop->counter, sizeof loop->counter);
    LLVMTypeRef counter = LLVMTypeOf(start);
    LLVMValueRef last = LLVMBuildSub(builder, deferral->count, LLVMConstInt(counter, 1, 0), "");
    LLVMValueRef seen = LLVMConstNull(access->type);
    LLVMValueRef small = LLVMConstInt(access->type, SMALL, 0);
    for (unsigned i = 0; i < PEEKED; i++) {
        LLVMValueRef step = i + 1 == PEEKED ? last : LLVMConstInt(counter, i, 0);
        LLVMValueRef at = LLVMBuildAdd(builder, start, step, "");
        LLVMValueRef address = loop_value_at(loop, builder, access->address, at);
        LLVMValueRef value = LLVMBuildLoad2(builder, access->type, address, "");
        LLVMSetAlignment(value, LLVMGetAlignment(access->instruction));
        value = is_small ? size_part(deferral, value, small) : value;
        seen = LLVMBuildOr(builder, seen, value, "");
    }
    if (is_small) {
        LLVMValueRef most =
            LLVMConstInt(access->type, SMALL * !deferral->is_natural + SMALL - 1, 0);
        return LLVMBuildICmp(builder, LLVMIntULE, seen, most, "");
    }
    return LLVMBuildICmp(builder, LLVMIntSGE, seen, LLVMConstNull(access->type), "");
}

LLVMValueRef range_peek(Deferral *deferral) {
    LLVMValueRef all = NULL;
    for (size_t i = 0; i < deferral->groups.count && i < PEEKED_GROUPS; i++) {
        const DeferredGroup *group = &deferral->groups.items[i];
        const LoopAccess *access =
            group->behind != NULL ? group->behind : loop_access_of(&deferral->memory, group->value);
        if (access != NULL && (deferral->is_natural || group->is_small)) {
            all = deferral_both(deferral, all, peek_of(deferral, access, group->is_small));
        }
    }
    return all;
}

/* The values of a list, but for those that vectors take. Two are gathered apart: as `a | b` each
 * would cost a copy of an element that is needed for more. */
static void gather_values(Deferral *deferral, const LoopCopy *copy, LLVMBasicBlockRef before,
                          DeferredGroup *group, const RowValues *values, LLVMValueRef first) {
    LLVMBuilderRef builder = deferral->builder;
    LLVMTypeRef type = LLVMTypeOf(group->value);
    edit_at_end(builder, before);
    LLVMValueRef half = half_of(deferral, group);
    LLVMValueRef none = LLVMConstNull(type);
    LLVMValueRef parts[APART] = {none, none};
    size_t count = 0;
    loop_copy_at_end(copy);
    for (size_t i = 0; i < values->count; i++) {
        if (values->items[i] != NULL) {
            LLVMValueRef value = loop_copy_of(copy, values->items[i]);
            LLVMValueRef part = size_part(deferral, value, half);
            size_t at = deferral->makes_vectors ? 0 : count++ % APART;
            parts[at] = LLVMBuildOr(builder, parts[at], part, "");
        }
    }
    group->sizes = deferral_gather(deferral, copy, before, first, parts[0]);
    if (count > 1) {
        LLVMValueRef others = deferral_gather(deferral, copy, before, none, parts[1]);
        edit_at_end(builder, copy->exit);
        group->sizes = LLVMBuildOr(builder, group->sizes, others, "");
    }
}

static void gather_rows(Deferral *deferral, const LoopCopy *copy, LLVMBasicBlockRef before,
                        DeferredGroup *group, const RowValues *rows) {
    LLVMBuilderRef builder = deferral->builder;
    LLVMTypeRef type = row_type(rows->items[0]);
    edit_at_end(builder, before);
    LLVMValueRef half = half_of(deferral, group);
    half = half != NULL ? row_splat(deferral, half, type) : NULL;
    LLVMValueRef part = LLVMConstNull(type);
    loop_copy_at_end(copy);
    for (size_t i = 0; i < rows->count; i++) {
        LLVMValueRef row = row_load(deferral, copy, rows->items[i]);
        part = LLVMBuildOr(builder, part, size_part(deferral, row, half), "");
    }
    LLVMValueRef sizes = deferral_gather(deferral, copy, before, LLVMConstNull(type), part);
    edit_at_end(builder, copy->exit);
    sizes = row_reduce(deferral, "llvm.vector.reduce.or", sizes);
    group->sizes = LLVMBuildOr(builder, group->sizes, sizes, "");
}

/* Sizes that are asked the same are gathered in one value, and those that are measured of the
 * elements of a row. */
static void gather_group(Deferral *deferral, const LoopCopy *copy, LLVMBasicBlockRef before,
                         DeferredGroup *group) {
    LLVMTypeRef type = LLVMTypeOf(group->value);
    edit_at_end(deferral->builder, before);
    LLVMValueRef half = half_of(deferral, group);
    LLVMValueRef first = LLVMConstNull(type);
    RowValues values = {0};
    RowValues rows = {0};
    bool is_known = group->is_small || deferral->slack != 0 || deferral->half != NULL;
    DeferredGroup *end = deferral->groups.items + deferral->groups.count;
    for (DeferredGroup *each = group; each < end; each++) {
        bool is_shared = each->leader == NULL && LLVMTypeOf(each->value) == type &&
                         each->is_small == group->is_small &&
                         (is_known || row_is_same(deferral, group->value, each->value));
        if (each == group || is_shared) {
            each->leader = group;
            first = LLVMBuildOr(deferral->builder, first, first_sizes(deferral, each, half), "");
            array_push(deferral->arena, &values, each->value);
        }
    }
    row_take_runs(deferral, &values, &rows);
    gather_values(deferral, copy, before, group, &values, first);
    if (rows.count > 0) {
        gather_rows(deferral, copy, before, group, &rows);
    }
}

void range_gather(Deferral *deferral, const LoopCopy *copy, LLVMBasicBlockRef before) {
    for (size_t i = 0; i < deferral->groups.count; i++) {
        if (deferral->groups.items[i].leader == NULL) {
            gather_group(deferral, copy, before, &deferral->groups.items[i]);
        }
    }
}

/* Is every value that was gathered as x + half below twice the half? Natural numbers, gathered as
 * they are, are below the half; those that are measured at least not below zero. */
static LLVMValueRef fits(const Deferral *deferral, const DeferredGroup *group) {
    LLVMBuilderRef builder = deferral->builder;
    LLVMTypeRef type = LLVMTypeOf(group->sizes);
    LLVMValueRef half = half_of(deferral, group);
    if (half == NULL) {
        return LLVMBuildICmp(builder, LLVMIntSGE, group->sizes, LLVMConstNull(type), "");
    }
    LLVMValueRef end = deferral->is_natural ? half : LLVMBuildAdd(builder, half, half, "");
    LLVMValueRef most = LLVMBuildSub(builder, end, LLVMConstInt(type, 1, 0), "");
    return LLVMBuildICmp(builder, LLVMIntULE, group->sizes, most, "");
}

LLVMValueRef range_test(Deferral *deferral) {
    LLVMValueRef all = NULL;
    if (deferral->half == NULL) {
        bound_all(deferral);
        all = deferral->is_within;
    }
    bool is_halved = deferral->is_natural || deferral->half != NULL || deferral->slack != 0;
    for (size_t i = 0; i < deferral->groups.count; i++) {
        const DeferredGroup *group = &deferral->groups.items[i];
        if (group->leader == group && (is_halved || group->is_small)) {
            all = deferral_both(deferral, all, fits(deferral, group));
        }
    }
    return all;
}
