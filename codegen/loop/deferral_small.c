/* deferral_small -- strips that sum up small natural numbers.
 *
 *   sum := sum + a[i]     of INTs
 *
 * Holds:  C takes one addition for each vector of a sum, and reads as many as the machine can; to
 *         gather the sizes beside it takes a second operation. So four vectors are added as
 *         numbers of 16 bits without sign, by sums that stop at the greatest (paddusw), and the
 *         four are added to the sum and gathered together. The upper halves of elements below 2^16
 *         are zero and stay so, the lower ones are their sum unless it reached the greatest. So
 *         when all that was gathered is below 2^15, every element was natural, and every sum is
 *         exact. Partial sums rise: if the last is in range they all are. Such a strip is tried
 *         before the others where the first elements and the last are small enough; when it does
 *         not do, no further one of its loop is. */
#include "deferral_state.h"

#include "proof.h"

#define VECTORS 4u
#define LANES   4u
#define WIDTH   32u
#define LEAST   128u /* iterations: fewer are not worth another copy */

/* ---- is it such a loop? ---- */

/* Is the value the phi plus an element, each time round? */
static bool is_plain_sum(const Deferral *deferral, const DeferredSum *sum) {
    LLVMOpcode opcode;
    bool is_signed;
    LLVMValueRef operation =
        proof_operation(loop_last(&deferral->loop, sum->phi), &opcode, &is_signed);
    return operation != NULL && opcode == LLVMAdd && is_signed && sum->terms.count == 1 &&
           (LLVMGetOperand(operation, 0) == sum->phi || LLVMGetOperand(operation, 1) == sum->phi) &&
           sum->terms.items[0] == deferral->memory.accesses.items[0].instruction;
}

static bool has_other_values(const Deferral *deferral) {
    const CountedLoop *loop = &deferral->loop;
    LLVMValueRef phi = LLVMGetFirstInstruction(loop->header->block);
    unsigned count = 0;
    for (; LLVMIsAPHINode(phi) != NULL; phi = LLVMGetNextInstruction(phi)) {
        count++;
    }
    return count != 2; /* the counter and the sum */
}

bool small_suits(const Deferral *deferral) {
    const LoopMemory *memory = &deferral->memory;
    if (memory->stores != 0 || memory->accesses.count != 1 || deferral->sums.count != 1 ||
        deferral->checks.count != 1 || deferral->groups.count != 1 || deferral->flags.count != 0 ||
        deferral->products.count != 0) {
        return false;
    }
    LLVMTypeRef type = memory->accesses.items[0].type;
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == WIDTH &&
           LLVMTypeOf(deferral->sums.items[0].phi) == type && !has_other_values(deferral) &&
           loop_always_runs_all(&deferral->loop) &&
           is_plain_sum(deferral, &deferral->sums.items[0]);
}

bool small_suits_count(const Deferral *deferral) {
    bool is_known = LLVMIsAConstantInt(deferral->count) != NULL;
    uint64_t count = is_known ? LLVMConstIntGetZExtValue(deferral->count) : LEAST;
    return count >= LEAST && count % ((uint64_t)VECTORS * LANES) == 0;
}

/* ---- a strip ---- */

static LLVMValueRef load_at(const Deferral *deferral, LLVMTypeRef type, LLVMValueRef row,
                            LLVMValueRef place) {
    const LoopAccess *access = &deferral->memory.accesses.items[0];
    LLVMValueRef address =
        LLVMBuildInBoundsGEP2(deferral->builder, access->type, row, &place, 1, "");
    LLVMValueRef loaded = LLVMBuildLoad2(deferral->builder, type, address, "small");
    LLVMSetAlignment(loaded, LLVMGetAlignment(access->instruction));
    return loaded;
}

/* Several vectors, or many strips that do not do would be tried. */
LLVMValueRef small_peek(Deferral *deferral, LLVMValueRef row) {
    LLVMBuilderRef builder = deferral->builder;
    LLVMTypeRef element = deferral->memory.accesses.items[0].type;
    LLVMTypeRef type = LLVMVectorType(element, LANES);
    LLVMTypeRef word = LLVMInt64TypeInContext(LLVMGetTypeContext(element));
    LLVMValueRef count = LLVMBuildZExt(builder, deferral->count, word, "");
    LLVMValueRef last = LLVMBuildSub(builder, count, LLVMConstInt(word, LANES, 0), "");
    LLVMValueRef seen = load_at(deferral, type, row, last);
    for (uint64_t i = 0; i < VECTORS; i++) {
        LLVMValueRef place = LLVMConstInt(word, i * LANES, 0);
        seen = LLVMBuildOr(builder, seen, load_at(deferral, type, row, place), "");
    }
    LLVMValueRef sizes = row_reduce(deferral, "llvm.vector.reduce.or", seen);
    LLVMValueRef end = LLVMConstInt(element, SMALL / VECTORS, 0);
    return LLVMBuildICmp(builder, LLVMIntULT, sizes, end, "");
}

/* Four vectors from this place on, added as numbers of 16 bits. */
static LLVMValueRef add_four(Deferral *deferral, LLVMValueRef row, LLVMValueRef place,
                             LLVMTypeRef type) {
    LLVMBuilderRef builder = deferral->builder;
    LLVMTypeRef half = LLVMInt16TypeInContext(LLVMGetTypeContext(type));
    LLVMTypeRef halves = LLVMVectorType(half, 2 * LANES);
    LLVMValueRef total = NULL;
    for (uint64_t i = 0; i < VECTORS; i++) {
        LLVMValueRef ahead = LLVMConstInt(LLVMTypeOf(place), i * LANES, 0);
        LLVMValueRef at = LLVMBuildNUWAdd(builder, place, ahead, "");
        LLVMValueRef each = LLVMBuildBitCast(builder, load_at(deferral, type, row, at), halves, "");
        total = total == NULL ? each : deferral_saturating(deferral, LLVMAdd, false, total, each);
    }
    return LLVMBuildBitCast(builder, total, type, "");
}

static LLVMValueRef begin_phi(LLVMBuilderRef builder, LLVMTypeRef type, LLVMBasicBlockRef before) {
    LLVMValueRef phi = LLVMBuildPhi(builder, type, "");
    LLVMValueRef none = LLVMConstNull(type);
    LLVMAddIncoming(phi, &none, &before, 1);
    return phi;
}

LLVMValueRef small_build(Deferral *deferral, LLVMValueRef row, SmallBlocks *at, LLVMValueRef *sum) {
    LLVMBuilderRef builder = deferral->builder;
    LLVMTypeRef element = deferral->memory.accesses.items[0].type;
    LLVMTypeRef type = LLVMVectorType(element, LANES);
    LLVMTypeRef word = LLVMInt64TypeInContext(LLVMGetTypeContext(element));
    edit_at_end(builder, at->before);
    LLVMValueRef end = LLVMBuildZExt(builder, deferral->count, word, "");
    LLVMBuildBr(builder, at->loop);
    edit_at_end(builder, at->loop);
    LLVMValueRef place = begin_phi(builder, word, at->before);
    LLVMValueRef sums = begin_phi(builder, type, at->before);
    LLVMValueRef seen = begin_phi(builder, type, at->before);
    LLVMValueRef four = add_four(deferral, row, place, type);
    LLVMValueRef all = LLVMBuildAdd(builder, sums, four, "");
    LLVMValueRef gathered = LLVMBuildOr(builder, seen, four, "");
    LLVMValueRef step = LLVMConstInt(word, (uint64_t)VECTORS * LANES, 0);
    LLVMValueRef next = LLVMBuildNUWAdd(builder, place, step, "");
    LLVMAddIncoming(place, &next, &at->loop, 1);
    LLVMAddIncoming(sums, &all, &at->loop, 1);
    LLVMAddIncoming(seen, &gathered, &at->loop, 1);
    LLVMValueRef more = LLVMBuildICmp(builder, LLVMIntULT, next, end, "");
    LLVMBuildCondBr(builder, more, at->loop, at->test);

    edit_at_end(builder, at->test);
    LLVMValueRef most = LLVMConstInt(element, SMALL - 1, 0);
    LLVMValueRef sizes = row_reduce(deferral, "llvm.vector.reduce.or", gathered);
    LLVMValueRef are_small = LLVMBuildICmp(builder, LLVMIntULE, sizes, most, "");
    LLVMValueRef phi = deferral->sums.items[0].phi;
    LLVMValueRef start = name_map_find(&deferral->starts, &phi, sizeof phi);
    LLVMValueRef total = row_reduce(deferral, "llvm.vector.reduce.add", all);
    *sum = LLVMBuildAdd(builder, start, total, "");
    LLVMValueRef rises = LLVMBuildICmp(builder, LLVMIntSGE, *sum, start, "");
    return LLVMBuildAnd(builder, are_small, rises, "");
}
