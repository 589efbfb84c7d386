/* replicator -- i = base FOR count STEP step, as a counted loop.
 *
 * Owns:   the loop of every replicated construct that runs one iteration after the other.
 * Holds:  base, count and step are evaluated once; a negative count is an error; the index wraps
 *         silently. The iteration number, which cannot wrap, controls the loop, so that LLVM
 *         always knows how often it runs. It is compared without sign: from that LLVM sees at once
 *         that it is not negative, and drops overflow checks on what is computed from it. */
#include "emit.h"

void emit_replicator_values(Emitter *emitter, Node *replicator, ReplicatorLoop *loop) {
    Node *step = replicator->replicator.step;
    Node *count = replicator->replicator.count;
    loop->base = emit_scalar(emitter, replicator->replicator.base);
    loop->count = emit_scalar(emitter, count);
    loop->step = step != NULL ? emit_scalar(emitter, step) : emit_i32(emitter, 1);
    if (count->constant == NULL) {
        LLVMValueRef ok =
            LLVMBuildICmp(emitter->builder, LLVMIntSGE, loop->count, emit_i32(emitter, 0), "");
        emit_trap_unless(emitter, ok, ERROR_REPLICATOR, count->at, NULL, loop->count, NULL, NULL);
        if (!emitter->options->checks) {
            LLVMValueRef zero = emit_i32(emitter, 0);
            loop->count = LLVMBuildSelect(emitter->builder, ok, loop->count, zero, "");
        }
    }
}

static LLVMValueRef index_of(Emitter *emitter, const ReplicatorLoop *loop) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef distance = loop->iteration;
    if (!LLVMIsConstant(loop->step) || LLVMConstIntGetSExtValue(loop->step) != 1) {
        distance = LLVMBuildMul(builder, distance, loop->step, "");
    }
    if (LLVMIsConstant(loop->base) && LLVMIsNull(loop->base)) {
        return distance;
    }
    return LLVMBuildAdd(builder, loop->base, distance, "");
}

void emit_replicator_begin(Emitter *emitter, Node *replicator, ReplicatorLoop *loop) {
    LLVMBuilderRef builder = emitter->builder;
    Symbol *symbol = replicator->replicator.def->def.symbol;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(builder);
    LLVMBasicBlockRef body = emit_block(emitter, "replicator.body");
    loop->header = emit_block(emitter, "replicator");
    loop->latch = emit_block(emitter, "replicator.next");
    loop->exit = emit_block(emitter, "replicator.end");
    emit_jump(emitter, loop->header);
    emit_enter(emitter, loop->header);
    loop->iteration = LLVMBuildPhi(builder, emitter->i32, "iteration");
    LLVMValueRef zero = emit_i32(emitter, 0);
    LLVMAddIncoming(loop->iteration, &zero, &before, 1);
    LLVMValueRef more = LLVMBuildICmp(builder, LLVMIntULT, loop->iteration, loop->count, "");
    LLVMBuildCondBr(builder, more, body, loop->exit);
    emit_enter(emitter, body);
    loop->index = index_of(emitter, loop);
    debug_variable(emitter, symbol, emit_bind_value(emitter, symbol, loop->index), 0);
}

void emit_replicator_end(Emitter *emitter, ReplicatorLoop *loop) {
    emit_jump(emitter, loop->latch);
    emit_enter(emitter, loop->latch);
    LLVMValueRef next = LLVMBuildAdd(emitter->builder, loop->iteration, emit_i32(emitter, 1), "");
    LLVMSetNSW(next, 1);
    LLVMSetNUW(next, 1);
    LLVMAddIncoming(loop->iteration, &next, &loop->latch, 1);
    emit_jump(emitter, loop->header);
    emit_enter(emitter, loop->exit);
}
