/* rendezvous -- the inlined half of channels, run queue and parking.
 *
 * Owns:   the only generated code that reads channel words and the run queue (runtime.md A2).
 * Leaves: every case but an empty channel and a plain partner to the runtime's slow paths.
 * Holds:  first to arrive: its data and site are stored, then it is published, then it parks and
 *         never touches its stack before it is resumed. Second: copies, clears the word, makes the
 *         partner ready on its own queue and goes on running. The worker is reached by me, or is
 *         what a routine that parked returned; never kept over a park.
 *
 * The empty branch of the insert is a volatile store on purpose: LLVM would turn the branch into a
 * selected store address, which costs 17 ns per communication (runtime.md B4.2). */
#include "emit.h"
#include "layout_offsets.h"

LLVMValueRef emit_field(Emitter *emitter, LLVMValueRef base, unsigned offset, const char *name) {
    if (offset == 0) {
        return base;
    }
    LLVMValueRef index = emit_i64(emitter, offset);
    return LLVMBuildInBoundsGEP2(emitter->builder, emitter->i8, base, &index, 1, name);
}

static LLVMValueRef load_pointer(Emitter *emitter, LLVMValueRef base, unsigned offset,
                                 const char *name) {
    LLVMValueRef field = emit_field(emitter, base, offset, "");
    return LLVMBuildLoad2(emitter->builder, emitter->ptr, field, name);
}

static LLVMValueRef store_field(Emitter *emitter, LLVMValueRef value, LLVMValueRef base,
                                unsigned offset) {
    return LLVMBuildStore(emitter->builder, value, emit_field(emitter, base, offset, ""));
}

static LLVMValueRef is_null(Emitter *emitter, LLVMValueRef pointer) {
    return LLVMBuildIsNull(emitter->builder, pointer, "");
}

void emit_enqueue(Emitter *emitter, LLVMValueRef process) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef empty = emit_block(emitter, "queue.empty");
    LLVMBasicBlockRef behind = emit_block(emitter, "queue.behind");
    LLVMBasicBlockRef done = emit_block(emitter, "queue.done");
    LLVMValueRef worker = emit_worker(emitter);
    LLVMValueRef head = load_pointer(emitter, worker, OFFSET_Worker_head, "head");
    store_field(emitter, LLVMConstNull(emitter->ptr), process, OFFSET_Process_next);
    LLVMBuildCondBr(builder, is_null(emitter, head), empty, behind);
    emit_enter(emitter, empty);
    LLVMValueRef first = store_field(emitter, process, worker, OFFSET_Worker_head);
    LLVMSetVolatile(first, 1);
    emit_jump(emitter, done);
    emit_enter(emitter, behind);
    LLVMValueRef tail = load_pointer(emitter, worker, OFFSET_Worker_tail, "tail");
    store_field(emitter, process, tail, OFFSET_Process_next);
    emit_jump(emitter, done);
    emit_enter(emitter, done);
    store_field(emitter, process, worker, OFFSET_Worker_tail);
}

/* Run something else: the next ready process at once when the worker is alone and undisturbed. */
static void emit_dispatch(Emitter *emitter) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef look = emit_block(emitter, "park.look");
    LLVMBasicBlockRef fast = emit_block(emitter, "park.fast");
    LLVMBasicBlockRef slow = emit_block(emitter, "park.slow");
    LLVMBasicBlockRef resumed = emit_block(emitter, "park.resumed");
    LLVMValueRef worker = emit_worker(emitter);
    LLVMValueRef mode_field = emit_field(emitter, worker, OFFSET_Worker_mode, "");
    LLVMValueRef mode = LLVMBuildLoad2(builder, emitter->i32, mode_field, "mode");
    LLVMSetVolatile(mode, 1); /* a signal handler sets MODE_ATTENTION */
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, mode, ""), look, slow);
    emit_enter(emitter, look);
    LLVMValueRef head = load_pointer(emitter, worker, OFFSET_Worker_head, "head");
    LLVMBuildCondBr(builder, is_null(emitter, head), slow, fast);
    emit_enter(emitter, fast);
    LLVMValueRef next = load_pointer(emitter, head, OFFSET_Process_next, "next");
    store_field(emitter, next, worker, OFFSET_Worker_head);
    LLVMValueRef arguments[] = {head, worker};
    emit_runtime_call(emitter, RT_switch, arguments);
    emit_jump(emitter, resumed);
    emit_enter(emitter, slow);
    emit_runtime_call(emitter, RT_park, NULL);
    emit_jump(emitter, resumed);
    emit_enter(emitter, resumed);
}

void emit_park(Emitter *emitter, LLVMValueRef object, LLVMValueRef site) {
    LLVMValueRef me = emit_me(emitter);
    store_field(emitter, object, me, OFFSET_Process_next);
    store_field(emitter, site, me, OFFSET_Process_wait);
    emit_dispatch(emitter);
}

/* The partner is parked in the matching operation: copy, clear, make it ready. */
static void emit_meet(Emitter *emitter, bool is_output, LLVMValueRef channel, LLVMValueRef partner,
                      LLVMValueRef data, LLVMValueRef size_bytes, LLVMValueRef scalar) {
    LLVMValueRef theirs = load_pointer(emitter, partner, OFFSET_Process_data, "theirs");
    if (scalar != NULL) {
        LLVMSetAlignment(LLVMBuildStore(emitter->builder, scalar, theirs), 1);
    } else {
        LLVMBuildMemCpy(emitter->builder, is_output ? theirs : data, 1, is_output ? data : theirs,
                        1, size_bytes);
    }
    store_field(emitter, LLVMConstNull(emitter->i64), channel, OFFSET_Channel_word);
    emit_enqueue(emitter, partner);
}

/* Nobody is there: publish me and park. */
static void emit_wait_for_partner(Emitter *emitter, bool is_output, LLVMValueRef channel,
                                  LLVMValueRef data, LLVMValueRef site) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef me = emit_me(emitter);
    store_field(emitter, data, me, OFFSET_Process_data);
    unsigned tag = is_output ? LAYOUT_TAG_OUTPUT_WAITING : LAYOUT_TAG_INPUT_WAITING;
    LLVMValueRef word = emit_field(emitter, me, tag, "published");
    store_field(emitter, LLVMBuildPtrToInt(builder, word, emitter->i64, ""), channel,
                OFFSET_Channel_word);
    emit_park(emitter, channel, site);
}

void emit_channel_transfer(Emitter *emitter, bool is_output, LLVMValueRef channel,
                           LLVMValueRef data, LLVMValueRef size_bytes, LLVMValueRef scalar,
                           LLVMValueRef site) {
    LLVMBuilderRef builder = emitter->builder;
    const char *verb = is_output ? "output" : "input";
    LLVMBasicBlockRef wait = emit_block(emitter, arena_format(emitter->arena, "%s.wait", verb));
    LLVMBasicBlockRef somebody = emit_block(emitter, arena_format(emitter->arena, "%s.look", verb));
    LLVMBasicBlockRef meet = emit_block(emitter, arena_format(emitter->arena, "%s.meet", verb));
    LLVMBasicBlockRef slow = emit_block(emitter, arena_format(emitter->arena, "%s.slow", verb));
    LLVMBasicBlockRef done = emit_block(emitter, arena_format(emitter->arena, "%s.done", verb));
    LLVMValueRef word = LLVMBuildLoad2(
        builder, emitter->i64, emit_field(emitter, channel, OFFSET_Channel_word, ""), "word");
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, word, ""), wait, somebody);

    emit_enter(emitter, somebody);
    unsigned expected = is_output ? LAYOUT_TAG_INPUT_WAITING : LAYOUT_TAG_OUTPUT_WAITING;
    LLVMValueRef tag = LLVMBuildAnd(builder, word, emit_i64(emitter, LAYOUT_TAG_MASK), "tag");
    LLVMValueRef plain =
        LLVMBuildICmp(builder, LLVMIntEQ, tag, emit_i64(emitter, expected), "plain");
    LLVMBuildCondBr(builder, plain, meet, slow);

    emit_enter(emitter, meet);
    LLVMValueRef partner =
        LLVMBuildIntToPtr(builder, LLVMBuildSub(builder, word, emit_i64(emitter, expected), ""),
                          emitter->ptr, "partner");
    emit_meet(emitter, is_output, channel, partner, data, size_bytes, scalar);
    emit_jump(emitter, done);

    emit_enter(emitter, slow);
    if (scalar != NULL) {
        LLVMBuildStore(builder, scalar, data);
    }
    LLVMValueRef arguments[] = {channel, data, size_bytes, site};
    emit_runtime_call(emitter, is_output ? RT_channel_output : RT_channel_input, arguments);
    emit_jump(emitter, done);

    emit_enter(emitter, wait);
    if (scalar != NULL) {
        LLVMBuildStore(builder, scalar, data);
    }
    emit_wait_for_partner(emitter, is_output, channel, data, site);
    emit_jump(emitter, done);
    emit_enter(emitter, done);
}
