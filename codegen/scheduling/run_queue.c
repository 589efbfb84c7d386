/* run_queue -- the inlined half of run queue and parking.
 *
 * Owns:   the only generated code that reads and writes the run queue and the deferred branches.
 * Leaves: an empty queue, attention and other workers to the runtime; channels to rendezvous.c.
 * Holds:  the worker and the head of its queue are reached through me, or are returned by a routine
 *         that parked. Neither is kept over a park, nor the head over a call of the runtime, which
 *         may have made something ready. A process that parks never touches its stack before it is
 *         resumed.
 *
 * The empty branch of the insert is a volatile store on purpose: LLVM would turn the branch into a
 * selected store address, which costs 17 ns per communication. */
#include "emit.h"
#include "layout_offsets.h"

static LLVMValueRef is_null(Emitter *emitter, LLVMValueRef pointer) {
    return LLVMBuildIsNull(emitter->builder, pointer, "");
}

void emit_enqueue(Emitter *emitter, LLVMValueRef process) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef empty = emit_block(emitter, "queue.empty");
    LLVMBasicBlockRef behind = emit_block(emitter, "queue.behind");
    LLVMBasicBlockRef done = emit_block(emitter, "queue.done");
    LLVMValueRef worker = emit_worker(emitter);
    LLVMValueRef head = emit_head(emitter);
    emit_store_field(emitter, LLVMConstNull(emitter->ptr), process, OFFSET_Process_next);
    LLVMBuildCondBr(builder, is_null(emitter, head), empty, behind);
    emit_enter(emitter, empty);
    emit_set_head(emitter, process);
    LLVMValueRef first = emit_store_field(emitter, process, worker, OFFSET_Worker_head);
    LLVMSetVolatile(first, 1);
    emit_jump(emitter, done);
    emit_enter(emitter, behind);
    LLVMValueRef tail = emit_load_pointer(emitter, worker, OFFSET_Worker_tail, "tail");
    emit_store_field(emitter, process, tail, OFFSET_Process_next);
    emit_continue(emitter, done);
    emit_store_field(emitter, process, worker, OFFSET_Worker_tail);
    emit_store_field(emitter, worker, process, OFFSET_Process_worker);
}

void emit_put_first(Emitter *emitter, LLVMValueRef chain, LLVMValueRef last_link) {
    LLVMBasicBlockRef empty = emit_block(emitter, "queue.empty");
    LLVMBasicBlockRef done = emit_block(emitter, "queue.done");
    LLVMValueRef worker = emit_worker(emitter);
    LLVMValueRef head = emit_head(emitter);
    LLVMBuildStore(emitter->builder, head, last_link);
    LLVMValueRef first = LLVMBuildLoad2(emitter->builder, emitter->ptr, chain, "first");
    emit_store_field(emitter, first, worker, OFFSET_Worker_head);
    emit_set_head(emitter, first);
    LLVMBuildCondBr(emitter->builder, is_null(emitter, head), empty, done);
    emit_enter(emitter, empty);
    LLVMValueRef back = emit_i64(emitter, -(int64_t)OFFSET_Process_next);
    LLVMValueRef last =
        LLVMBuildInBoundsGEP2(emitter->builder, emitter->i8, last_link, &back, 1, "last");
    emit_store_field(emitter, last, worker, OFFSET_Worker_tail);
    emit_continue(emitter, done);
}

static LLVMValueRef load_mode(Emitter *emitter) {
    LLVMValueRef mode =
        emit_load_field(emitter, emitter->i32, emit_worker(emitter), OFFSET_Worker_mode, "mode");
    LLVMSetVolatile(mode, 1); /* a signal handler sets MODE_ATTENTION */
    return mode;
}

/* Is the worker alone, with nobody asking for attention? Otherwise C does the work. */
static LLVMValueRef is_alone(Emitter *emitter) {
    return LLVMBuildIsNull(emitter->builder, load_mode(emitter), "alone");
}

void emit_if_alone(Emitter *emitter, LLVMBasicBlockRef alone, LLVMBasicBlockRef otherwise) {
    LLVMBuildCondBr(emitter->builder, is_alone(emitter), alone, otherwise);
}

LLVMValueRef emit_if_several(Emitter *emitter, LLVMBasicBlockRef several, LLVMBasicBlockRef alone) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef mark =
        LLVMBuildAnd(builder, load_mode(emitter),
                     emit_i32(emitter, LAYOUT_MODE_SHARED | LAYOUT_MODE_EXPLORED), "mark");
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, mark, ""), alone, several);
    return mark;
}

/* Run something else: the next ready process, if there is one. The caller has found the worker
 * alone, or undisturbed. */
static void emit_dispatch(Emitter *emitter) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef fast = emit_block(emitter, "park.fast");
    LLVMBasicBlockRef slow = emit_block(emitter, "park.slow");
    LLVMBasicBlockRef resumed = emit_block(emitter, "park.resumed");
    LLVMValueRef worker = emit_worker(emitter);
    LLVMValueRef head = emit_head(emitter);
    LLVMBuildCondBr(builder, is_null(emitter, head), slow, fast);
    emit_enter(emitter, fast);
    LLVMValueRef next = emit_load_pointer(emitter, head, OFFSET_Process_next, "next");
    emit_store_field(emitter, next, worker, OFFSET_Worker_head);
    LLVMValueRef arguments[] = {head, worker, next};
    emit_runtime_call(emitter, RT_switch, arguments);
    emit_jump(emitter, resumed);
    emit_enter(emitter, slow);
    emit_runtime_call(emitter, RT_park, NULL);
    emit_continue(emitter, resumed);
}

void emit_let_others_run(Emitter *emitter, LLVMBasicBlockRef nobody) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef others = emit_block(emitter, "yield");
    LLVMBasicBlockRef unasked = emit_block(emitter, "yield.unasked");
    LLVMBasicBlockRef asked = emit_block(emitter, "yield.asked");
    LLVMBasicBlockRef resumed = emit_block(emitter, "yield.resumed");
    LLVMBuildCondBr(builder, is_null(emitter, emit_head(emitter)), nobody, others);
    emit_enter(emitter, others);
    LLVMValueRef asks =
        LLVMBuildAnd(builder, load_mode(emitter), emit_i32(emitter, ~LAYOUT_MODE_SHARED), "");
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, asks, ""), unasked, asked);
    emit_enter(emitter, asked);
    emit_runtime_call(emitter, RT_reschedule, NULL);
    emit_jump(emitter, resumed);
    emit_enter(emitter, unasked);
    emit_enqueue(emitter, emit_me(emitter));
    emit_dispatch(emitter);
    emit_continue(emitter, resumed);
}

void emit_park(Emitter *emitter, LLVMValueRef object, LLVMValueRef site) {
    LLVMValueRef me = emit_me(emitter);
    emit_store_field(emitter, object, me, OFFSET_Process_next);
    emit_store_field(emitter, site, me, OFFSET_Process_wait);
    emit_dispatch(emitter);
}

/* ---- branches that wait until their parent comes to them (parallel.c) ---- */

void emit_defer(Emitter *emitter, LLVMValueRef process) {
    LLVMValueRef worker = emit_worker(emitter);
    LLVMValueRef earlier = emit_load_pointer(emitter, worker, OFFSET_Worker_deferred, "deferred");
    emit_store_field(emitter, earlier, process, OFFSET_Process_next);
    emit_store_field(emitter, worker, process, OFFSET_Process_worker);
    emit_store_field(emitter, process, worker, OFFSET_Worker_deferred);
}

void emit_park_for_branch(Emitter *emitter, LLVMValueRef join, LLVMValueRef site) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef some = emit_block(emitter, "branch.some");
    LLVMBasicBlockRef mine = emit_block(emitter, "branch.mine");
    LLVMBasicBlockRef other = emit_block(emitter, "branch.other");
    LLVMBasicBlockRef resumed = emit_block(emitter, "branch.resumed");
    emit_store_field(emitter, join, emit_me(emitter), OFFSET_Process_next);
    emit_store_field(emitter, site, emit_me(emitter), OFFSET_Process_wait);
    LLVMValueRef worker = emit_worker(emitter);
    LLVMValueRef head = emit_head(emitter);
    LLVMValueRef first = emit_load_pointer(emitter, worker, OFFSET_Worker_deferred, "deferred");
    LLVMBuildCondBr(builder, is_null(emitter, first), other, some);
    emit_enter(emitter, some);
    LLVMValueRef its = emit_load_pointer(emitter, first, OFFSET_Process_join, "join");
    LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntEQ, its, join, ""), mine, other);
    emit_enter(emitter, mine);
    emit_store_field(emitter, emit_load_pointer(emitter, first, OFFSET_Process_next, "rest"),
                     worker, OFFSET_Worker_deferred);
    LLVMValueRef taken =
        emit_load_field(emitter, emitter->i32, worker, OFFSET_Worker_deferred_taken, "");
    emit_store_field(emitter, LLVMBuildAdd(builder, taken, emit_i32(emitter, 1), ""), worker,
                     OFFSET_Worker_deferred_taken);
    LLVMValueRef arguments[] = {first, worker, head};
    emit_runtime_call(emitter, RT_switch, arguments);
    emit_jump(emitter, resumed);
    emit_enter(emitter, other);
    emit_dispatch(emitter);
    emit_continue(emitter, resumed);
}

/* ---- where every choice is controlled ---- */

/* It costs one test of the worker's mode, before a call of the runtime that costs more. */
void emit_gate(Emitter *emitter, LLVMValueRef object, unsigned kind, LLVMValueRef site) {
    LLVMBasicBlockRef wait = emit_block(emitter, "gate.wait");
    LLVMBasicBlockRef pass = emit_block(emitter, "gate.pass");
    emit_if_alone(emitter, pass, wait);
    emit_enter(emitter, wait);
    LLVMValueRef arguments[] = {object, emit_i32(emitter, (int64_t)kind), site};
    emit_runtime_call(emitter, RT_gate, arguments);
    emit_continue(emitter, pass);
}
