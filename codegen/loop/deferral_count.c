/* deferral_count -- how many iterations a strip has.
 *
 * Holds:  a strip of values in range must not take a sum of them out of range: it has an end,
 *         before which sums of small numbers are small. Where a loop runs in blocks, between which
 *         it looks for attention (loop_blocks.h), a block has one strip: two loops instead of
 *         three, which LLVM and the reader of its code have less to do with. */
#include "deferral_state.h"
#include "intrinsic.h"

#define STRIP_LEAST     16    /* below that a strip of its own takes longer than its checks */
#define STRIP           2048u /* iterations at most: so many sizes are a sum's bound */
#define STRIP_OF_NARROW 256u  /* where sums have 16 bits: they hold fewer */
#define NARROW_WIDTH    16u

static bool is_constant(LLVMValueRef value) {
    return LLVMIsAConstantInt(value) != NULL;
}

uint64_t count_most(const Deferral *deferral) {
    for (size_t i = 0; i < deferral->sums.count; i++) {
        LLVMTypeRef type = LLVMTypeOf(deferral->sums.items[i].phi);
        if (LLVMGetIntTypeWidth(type) <= NARROW_WIDTH) {
            return STRIP_OF_NARROW;
        }
    }
    return STRIP;
}

LLVMValueRef count_end(const CountedLoop *loop, LLVMBuilderRef builder) {
    if (!loop->includes_limit) {
        return loop->limit;
    }
    LLVMTypeRef type = LLVMTypeOf(loop->limit);
    LLVMValueRef one = LLVMConstInt(type, 1, 0);
    uint64_t greatest = (UINT64_C(1) << (LLVMGetIntTypeWidth(type) - 1)) - 1;
    if (is_constant(loop->limit)) {
        bool is_greatest = LLVMConstIntGetZExtValue(loop->limit) == greatest;
        return is_greatest ? loop->limit : LLVMConstAdd(loop->limit, one);
    }
    LLVMValueRef most = LLVMConstInt(type, greatest - 1, 0);
    LLVMValueRef is_less = LLVMBuildICmp(builder, LLVMIntSLT, loop->limit, most, "");
    LLVMValueRef last = LLVMBuildSelect(builder, is_less, loop->limit, most, "");
    return LLVMBuildNSWAdd(builder, last, one, "end");
}

uint64_t count_single(const Deferral *deferral) {
    const CountedLoop *loop = &deferral->loop;
    LLVMValueRef start = loop_start(loop, loop->counter);
    if (!is_constant(start) || !is_constant(loop->limit)) {
        return 0;
    }
    LLVMValueRef end = count_end(loop, deferral->builder);
    int64_t count = LLVMConstIntGetSExtValue(end) - LLVMConstIntGetSExtValue(start);
    return count >= STRIP_LEAST && count <= (int64_t)count_most(deferral) ? (uint64_t)count : 0;
}

bool count_suits(uint64_t grain, uint64_t count) {
    return count >= STRAIGHT && count % grain == 0;
}

bool count_block(const Deferral *deferral) {
    const CountedLoop *loop = &deferral->loop;
    LLVMValueRef stop = loop->limit;
    if (loop->includes_limit || loop->is_signed || LLVMIsACallInst(stop) == NULL ||
        intrinsic_called(stop) != intrinsic_number("llvm.umin")) {
        return false;
    }
    LLVMValueRef next = LLVMGetOperand(stop, 0);
    if (LLVMIsAInstruction(next) == NULL || LLVMGetInstructionOpcode(next) != LLVMAdd ||
        LLVMGetOperand(next, 0) != loop_start(loop, loop->counter) ||
        !is_constant(LLVMGetOperand(next, 1))) {
        return false;
    }
    uint64_t most = LLVMConstIntGetZExtValue(LLVMGetOperand(next, 1));
    if (most > count_most(deferral)) {
        LLVMSetOperand(next, 1, LLVMConstInt(LLVMTypeOf(next), count_most(deferral), 0));
    }
    return true;
}
