/* closing -- CLOSE c!, and the end of WHILE c ? x.
 *
 * Leaves: what closing does to the partner to the runtime (close.c).
 * Holds:  an input that finds its channel closed sets PROCESS_SAW_CLOSE in the flags of me; the
 *         code that tests the flag clears it. */
#include "emit.h"
#include "layout_offsets.h"

void emit_unless_closed(Emitter *emitter, LLVMBasicBlockRef end) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef saw = emit_block(emitter, "channel.closed");
    LLVMBasicBlockRef open = emit_block(emitter, "channel.open");
    LLVMValueRef field = emit_field(emitter, emit_me(emitter), OFFSET_Process_flags, "");
    LLVMValueRef flags = LLVMBuildLoad2(builder, emitter->i8, field, "flags");
    LLVMValueRef bit = LLVMConstInt(emitter->i8, LAYOUT_PROCESS_SAW_CLOSE, 0);
    LLVMValueRef is_set = LLVMBuildAnd(builder, flags, bit, "");
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, is_set, ""), open, saw);
    emit_enter(emitter, saw);
    LLVMBuildStore(builder, LLVMBuildXor(builder, flags, bit, ""), field);
    emit_jump(emitter, end);
    emit_enter(emitter, open);
}

void emit_close(Emitter *emitter, Node *close) {
    Node *channel = close->close.end->end.channel;
    LLVMValueRef arguments[] = {
        emit_channel(emitter, channel),
        emit_site(emitter, ERROR_CLOSED, close->at, emit_object_name(emitter, channel)),
    };
    emit_gate(emitter, arguments[0], EXPLORE_CLOSE,
              emit_site(emitter, WAIT_OUTPUT, close->at, emit_object_name(emitter, channel)));
    emit_runtime_call(emitter, RT_channel_close, arguments);
}
