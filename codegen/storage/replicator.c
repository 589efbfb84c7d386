/* replicator -- i = base FOR count STEP step, as a counted loop.
 *
 * Owns:   the loop of every replicated construct that runs one iteration after the other.
 * Holds:  base, count and step are evaluated once; a negative count is an error; the index wraps
 *         silently. The iteration number, which cannot wrap, controls the loop, so that LLVM
 *         always knows the trip count. It is compared unsigned: that tells LLVM at once that it is
 *         not negative, so overflow checks on what is computed from it are dropped. */
#include "emit.h"

void emit_replicator_values(Emitter *emitter, Node *replicator, ReplicatorLoop *loop) {
    Node *step = replicator->replicator.step;
    Node *count = replicator->replicator.count;
    loop->look = LOOK_NEVER;
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

static LLVMValueRef add_unwrapped(Emitter *emitter, LLVMValueRef left, LLVMValueRef right) {
    LLVMValueRef sum = LLVMBuildAdd(emitter->builder, left, right, "");
    LLVMSetNSW(sum, 1);
    LLVMSetNUW(sum, 1);
    return sum;
}

/* The loop over the blocks; leaves the builder where a block begins. */
static void begin_blocks(Emitter *emitter, ReplicatorLoop *loop) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(builder);
    LLVMBasicBlockRef some = emit_block(emitter, "replicator.block");
    loop->blocks = emit_block(emitter, "replicator.blocks");
    emit_continue(emitter, loop->blocks);
    loop->done = LLVMBuildPhi(builder, emitter->i32, "done");
    LLVMValueRef zero = emit_i32(emitter, 0);
    LLVMAddIncoming(loop->done, &zero, &before, 1);
    LLVMValueRef more = LLVMBuildICmp(builder, LLVMIntULT, loop->done, loop->count, "");
    LLVMBuildCondBr(builder, more, some, loop->exit);
    emit_enter(emitter, some);
    LLVMValueRef operands[] = {add_unwrapped(emitter, loop->done, emit_i32(emitter, loop->block)),
                               loop->count};
    loop->limit = emit_intrinsic(emitter, "llvm.umin", emitter->i32, operands, 2);
}

/* There is no look after the last block: what encloses the loop looks, if it is a loop. */
static void end_blocks(Emitter *emitter, ReplicatorLoop *loop) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef look = emit_block(emitter, "replicator.look");
    LLVMValueRef more = LLVMBuildICmp(builder, LLVMIntULT, loop->limit, loop->count, "");
    LLVMValueRef branch = LLVMBuildCondBr(builder, more, look, loop->exit);
    emit_branch_weights(emitter, branch, 1, 1u << 10);
    emit_enter(emitter, look);
    emit_look_for_attention(emitter);
    LLVMBasicBlockRef last = LLVMGetInsertBlock(emitter->builder);
    LLVMAddIncoming(loop->done, &loop->limit, &last, 1);
    emit_jump(emitter, loop->blocks);
}

static void bind_index(Emitter *emitter, Node *replicator, ReplicatorLoop *loop) {
    Symbol *symbol = replicator->replicator.def->def.symbol;
    loop->index = index_of(emitter, loop);
    debug_variable(emitter, symbol, emit_bind_value(emitter, symbol, loop->index), 0);
}

void emit_replicator_begin(Emitter *emitter, Node *replicator, ReplicatorLoop *loop) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef body = emit_block(emitter, "replicator.body");
    loop->header = emit_block(emitter, "replicator");
    loop->latch = emit_block(emitter, "replicator.next");
    loop->exit = emit_block(emitter, "replicator.end");
    LLVMBasicBlockRef end = loop->exit;
    LLVMValueRef first = emit_i32(emitter, 0);
    loop->limit = loop->count;
    if (loop->look == LOOK_IN_BLOCKS) {
        begin_blocks(emitter, loop);
        first = loop->done;
        end = loop->block_end = emit_block(emitter, "replicator.block.end");
    }
    LLVMBasicBlockRef before = LLVMGetInsertBlock(builder);
    emit_continue(emitter, loop->header);
    loop->iteration = LLVMBuildPhi(builder, emitter->i32, "iteration");
    LLVMAddIncoming(loop->iteration, &first, &before, 1);
    LLVMValueRef more = LLVMBuildICmp(builder, LLVMIntULT, loop->iteration, loop->limit, "");
    LLVMBuildCondBr(builder, more, body, end);
    emit_enter(emitter, body);
    bind_index(emitter, replicator, loop);
}

void emit_replicator_iteration(Emitter *emitter, Node *replicator, ReplicatorLoop *loop,
                               unsigned iteration) {
    loop->iteration = emit_i32(emitter, iteration);
    bind_index(emitter, replicator, loop);
}

void emit_replicator_end(Emitter *emitter, ReplicatorLoop *loop) {
    emit_continue(emitter, loop->latch);
    if (loop->look == LOOK_ALWAYS) {
        emit_look_for_attention(emitter);
    }
    LLVMValueRef next = add_unwrapped(emitter, loop->iteration, emit_i32(emitter, 1));
    LLVMBasicBlockRef last = LLVMGetInsertBlock(emitter->builder);
    LLVMAddIncoming(loop->iteration, &next, &last, 1);
    emit_jump(emitter, loop->header);
    if (loop->look == LOOK_IN_BLOCKS) {
        emit_enter(emitter, loop->block_end);
        end_blocks(emitter, loop);
    }
    emit_enter(emitter, loop->exit);
}
