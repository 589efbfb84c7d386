/* start -- new processes and the joins they end in, for PAR and FORK.
 *
 * Owns:   the block of a new process, its initial stack, the count of a join.
 * Leaves: the case that a worker has no free block or is not alone to the runtime; the run queue to
 *         run_queue.c.
 * Holds:  a process is complete before it is in any queue. A join lies in the frame of the parent,
 *         which parks there. */
#include "start.h"
#include "emit_sharing.h"
#include "layout_offsets.h"

/* A block for a process of size_bytes: off the worker's free list, or from the runtime. */
static LLVMValueRef emit_take_block(Emitter *emitter, LLVMValueRef size_bytes, bool is_fork,
                                    LLVMValueRef site) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef small = emit_block(emitter, "start.small");
    LLVMBasicBlockRef pop = emit_block(emitter, "start.pop");
    LLVMBasicBlockRef slow = emit_block(emitter, "start.allocate");
    LLVMBasicBlockRef done = emit_block(emitter, "start.block");
    LLVMValueRef limit =
        emit_i64(emitter, (int64_t)LAYOUT_SIZE_CLASS_LIMIT * LAYOUT_SIZE_CLASS_UNIT);
    LLVMValueRef is_small = LLVMBuildICmp(builder, LLVMIntULE, size_bytes, limit, "");
    LLVMBuildCondBr(builder, is_small, small, slow);

    emit_enter(emitter, small);
    LLVMValueRef worker = emit_worker(emitter);
    LLVMValueRef class =
        LLVMBuildUDiv(builder, size_bytes, emit_i64(emitter, LAYOUT_SIZE_CLASS_UNIT), "class");
    LLVMValueRef lists = emit_field(emitter, worker, OFFSET_Worker_free, "");
    LLVMValueRef list = LLVMBuildInBoundsGEP2(builder, emitter->ptr, lists, &class, 1, "list");
    LLVMValueRef first = LLVMBuildLoad2(builder, emitter->ptr, list, "first");
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, first, ""), slow, pop);

    emit_enter(emitter, pop);
    LLVMValueRef rest = LLVMBuildLoad2(builder, emitter->ptr,
                                       emit_field(emitter, first, OFFSET_Process_next, ""), "rest");
    LLVMBuildStore(builder, rest, list);
    emit_jump(emitter, done);

    emit_enter(emitter, slow);
    if (is_fork) {
        emit_runtime_call(emitter, RT_fork_pause, NULL);
    }
    LLVMValueRef arguments[] = {size_bytes, site};
    LLVMValueRef made = emit_runtime_call(emitter, RT_block_allocate, arguments);
    return emit_merge(emitter, done, first, pop, made, "process");
}

static LLVMValueRef below(Emitter *emitter, LLVMValueRef process, int64_t bytes) {
    LLVMValueRef offset = emit_i64(emitter, -bytes);
    return LLVMBuildInBoundsGEP2(emitter->builder, emitter->i8, process, &offset, 1, "");
}

/* The initial stack, from low to high: room for rbp, occ_process_start, the body. */
LLVMValueRef emit_new_process(Emitter *emitter, LLVMValueRef body, LLVMValueRef block_size,
                              LLVMValueRef more_bytes, LLVMValueRef join, LLVMValueRef index,
                              LLVMValueRef site) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef depth = LLVMBuildLoad2(builder, emitter->i32, block_size, "");
    LLVMValueRef size = LLVMBuildZExt(builder, depth, emitter->i64, "size");
    if (more_bytes != NULL) {
        size = LLVMBuildAdd(builder, size, more_bytes, "");
    }
    LLVMValueRef process = emit_take_block(emitter, size, more_bytes != NULL, site);
    LLVMBuildStore(builder, body, below(emitter, process, 8));
    LLVMBuildStore(builder, emit_runtime_function(emitter, "occ_process_start"),
                   below(emitter, process, 16));
    LLVMBuildStore(builder, below(emitter, process, 24),
                   emit_field(emitter, process, OFFSET_Process_sp, ""));
    LLVMValueRef environment = join;
    if (more_bytes != NULL) {
        LLVMValueRef offset = LLVMBuildSub(builder, emit_i64(emitter, SIZE_Process), size, "low");
        environment = LLVMBuildInBoundsGEP2(builder, emitter->i8, process, &offset, 1, "");
    }
    LLVMBuildStore(builder, environment, emit_field(emitter, process, OFFSET_Process_data, ""));
    LLVMBuildStore(builder, join, emit_field(emitter, process, OFFSET_Process_join, ""));
    LLVMBuildStore(builder, index, emit_field(emitter, process, OFFSET_Process_index, ""));
    LLVMValueRef mine = emit_field(emitter, emit_me(emitter), OFFSET_Process_priority, "");
    LLVMValueRef priority = LLVMBuildLoad2(builder, emitter->i8, mine, "priority");
    LLVMBuildStore(builder, priority, emit_field(emitter, process, OFFSET_Process_priority, ""));
    return process;
}

/* ---- join ---- */

void emit_join_begin(Emitter *emitter, LLVMValueRef join, LLVMValueRef count, LLVMValueRef site) {
    LLVMBuildStore(emitter->builder, LLVMBuildZExt(emitter->builder, count, emitter->i64, ""),
                   emit_field(emitter, join, OFFSET_Join_count, ""));
    LLVMBuildStore(emitter->builder, site != NULL ? site : LLVMConstNull(emitter->ptr),
                   emit_field(emitter, join, OFFSET_Join_waiter, ""));
}

/* is_deferred: branches may wait for this process to arrive here. */
static void emit_join_wait(Emitter *emitter, LLVMValueRef join, LLVMValueRef site,
                           bool is_deferred) {
    LLVMValueRef me = emit_me(emitter);
    if (!is_deferred) {
        emit_store_field(emitter, me, join, OFFSET_Join_waiter);
        emit_park(emitter, join, site);
        return;
    }
    LLVMValueRef at_once = emit_field(emitter, me, LAYOUT_JOIN_AT_ONCE, "");
    emit_store_field(emitter, at_once, join, OFFSET_Join_waiter);
    emit_park_for_branch(emitter, join, site);
}

void emit_join_all(Emitter *emitter, LLVMValueRef join, LLVMValueRef site, bool is_deferred) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef alone = emit_block(emitter, "par.alone");
    LLVMBasicBlockRef slow = emit_block(emitter, "par.slow");
    LLVMBasicBlockRef wait = emit_block(emitter, "par.wait");
    LLVMBasicBlockRef done = emit_block(emitter, "par.done");
    emit_if_alone(emitter, alone, slow);
    emit_enter(emitter, slow);
    LLVMValueRef arguments[] = {join, site};
    emit_runtime_call(emitter, RT_join, arguments);
    emit_jump(emitter, done);
    emit_enter(emitter, alone);
    LLVMValueRef field = emit_field(emitter, join, OFFSET_Join_count, "");
    LLVMValueRef count = LLVMBuildLoad2(builder, emitter->i64, field, "running");
    LLVMValueRef left = LLVMBuildSub(builder, count, emit_i64(emitter, 1), "");
    LLVMBuildStore(builder, left, field);
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, left, ""), done, wait);
    emit_enter(emitter, wait);
    emit_join_wait(emitter, join, site, is_deferred);
    emit_continue(emitter, done);
}

void emit_join_end(Emitter *emitter, LLVMValueRef join, LLVMValueRef site) {
    emit_join_all(emitter, join, site, false);
}
