/* deferral_begin -- where a strip begins: which iterations, and whether it may be tried.
 *
 * Holds:  a strip has a multiple of the iterations that vectors fill, and at least one vector: LLVM
 *         is told so, and makes no loop for what is left over. */
#include "deferral_strip.h"
#include "llvm_compat.h"

static void enter_strips(const CountedLoop *loop, const Strips *at) {
    LLVMValueRef leads = LLVMGetBasicBlockTerminator(loop->before->block);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(leads); i++) {
        if (LLVMGetSuccessor(leads, i) == loop->header->block) {
            LLVMSetSuccessor(leads, i, at->strips);
        }
    }
}

/* It begins where the loop does. */
static void begin_only(Deferral *deferral, Strips *at) {
    for (LLVMValueRef phi = strip_first_phi(deferral); LLVMIsAPHINode(phi) != NULL;
         phi = LLVMGetNextInstruction(phi)) {
        *name_map_at(&deferral->starts, &phi, sizeof phi) = loop_start(&deferral->loop, phi);
    }
    at->tries_natural = at->tries_small = strip_flag(deferral, true);
    edit_at_end(deferral->builder, at->strips);
}

static void begin_single(Deferral *deferral, Strips *at, uint64_t count) {
    const CountedLoop *loop = &deferral->loop;
    begin_only(deferral, at);
    LLVMBuildBr(deferral->builder, at->begin);
    deferral->count = LLVMConstInt(LLVMTypeOf(loop->counter), count, 0);
    at->stop = count_end(loop, deferral->builder);
}

/* A multiple of what vectors fill, which is not none: that is promised. */
static void set_count(Deferral *deferral, Strips *at, LLVMValueRef some) {
    LLVMBuilderRef builder = deferral->builder;
    LLVMValueRef counter = strip_start(deferral, deferral->loop.counter);
    LLVMValueRef mask = LLVMConstInt(LLVMTypeOf(counter), ~(deferral_grain(deferral) - 1), 1);
    deferral->count = LLVMBuildAnd(builder, some, mask, "count");
    at->stop = LLVMBuildAdd(builder, counter, deferral->count, "stop");
    LLVMIntPredicate predicate = deferral->loop.is_signed ? LLVMIntSLT : LLVMIntULT;
    compat_promise(builder, LLVMBuildICmp(builder, predicate, counter, at->stop, ""));
    compat_promise(builder, LLVMBuildIsNotNull(builder, deferral->count, ""));
}

static LLVMValueRef least_count(const Deferral *deferral) {
    return LLVMConstInt(LLVMTypeOf(deferral->loop.counter), deferral_fewest(deferral), 0);
}

static void begin_block(Deferral *deferral, Strips *at) {
    const CountedLoop *loop = &deferral->loop;
    LLVMBuilderRef builder = deferral->builder;
    begin_only(deferral, at);
    at->left = LLVMBuildSub(builder, loop->limit, loop_start(loop, loop->counter), "left");
    LLVMValueRef many = LLVMBuildICmp(builder, LLVMIntUGE, at->left, least_count(deferral), "");
    LLVMBuildCondBr(builder, many, at->begin, at->checked);
    edit_at_end(builder, at->begin);
    set_count(deferral, at, at->left);
}

static void begin_strips(Deferral *deferral, Strips *at) {
    const CountedLoop *loop = &deferral->loop;
    LLVMBuilderRef builder = deferral->builder;
    LLVMBasicBlockRef before = loop->before->block;
    edit_at_end(builder, at->strips);
    for (LLVMValueRef phi = strip_first_phi(deferral); LLVMIsAPHINode(phi) != NULL;
         phi = LLVMGetNextInstruction(phi)) {
        LLVMValueRef now = LLVMBuildPhi(builder, LLVMTypeOf(phi), "");
        LLVMValueRef start = loop_start(loop, phi);
        strip_add_way(now, start, before);
        *name_map_at(&deferral->starts, &phi, sizeof phi) = now;
    }
    at->tries_natural = LLVMBuildPhi(builder, strip_flag_type(deferral), "natural");
    at->tries_small = LLVMBuildPhi(builder, strip_flag_type(deferral), "small");
    strip_add_way(at->tries_natural, strip_flag(deferral, true), before);
    strip_add_way(at->tries_small, strip_flag(deferral, true), before);
    LLVMValueRef counter = strip_start(deferral, loop->counter);
    LLVMIntPredicate predicate = loop->is_signed ? LLVMIntSLT : LLVMIntULT;
    LLVMValueRef end = count_end(loop, builder);
    LLVMValueRef some = LLVMBuildICmp(builder, predicate, counter, end, "");
    at->left = LLVMBuildSub(builder, end, counter, "left");
    LLVMValueRef many = LLVMBuildICmp(builder, LLVMIntUGE, at->left, least_count(deferral), "");
    LLVMValueRef enough = LLVMBuildAnd(builder, some, many, "");
    LLVMBuildCondBr(builder, enough, at->begin, at->checked);
}

/* How many iterations the next strip has. */
static void measure_strip(Deferral *deferral, Strips *at) {
    LLVMBuilderRef builder = deferral->builder;
    LLVMTypeRef type = LLVMTypeOf(deferral->loop.counter);
    edit_at_end(builder, at->begin);
    LLVMValueRef most = LLVMConstInt(type, count_most(deferral), 0);
    LLVMValueRef is_long = LLVMBuildICmp(builder, LLVMIntUGT, at->left, most, "");
    set_count(deferral, at, LLVMBuildSelect(builder, is_long, most, at->left, ""));
}

static void ask_first(Deferral *deferral, Strips *at) {
    const CountedLoop *loop = &deferral->loop;
    LLVMBuilderRef builder = deferral->builder;
    LLVMValueRef counter = strip_start(deferral, loop->counter);
    edit_at_end(builder, at->begin);
    LLVMValueRef one = LLVMConstInt(LLVMTypeOf(counter), 1, 0);
    LLVMValueRef last = LLVMBuildSub(builder, at->stop, one, "");
    LLVMValueRef holds = guard_test(deferral, counter, last);
    LLVMValueRef apart = loop_memory_is_apart(loop, &deferral->memory, deferral->layout, builder,
                                              counter, deferral->count);
    holds = deferral_both(deferral, holds, apart);
    if (holds != NULL) {
        strip_branch_likely(deferral, holds, at->first, at->checked);
    } else {
        LLVMBuildBr(builder, at->first);
    }
}

void strip_begin(Deferral *deferral, Strips *at, uint64_t single, bool is_block) {
    enter_strips(&deferral->loop, at);
    if (is_block) {
        begin_block(deferral, at);
    } else if (single != 0) {
        begin_single(deferral, at, single);
    } else {
        begin_strips(deferral, at);
        measure_strip(deferral, at);
    }
    ask_first(deferral, at);
}
