/* timer -- reading the time and waiting for it.
 *
 * Owns:  t ? x  and  t ? AFTER e  as processes; an ALT guard on time is alternative.c's.
 * Holds: the time is an INT in microseconds that wraps; waiting ends when it is AFTER e. */
#include "emit.h"
#include "llvm_compat.h"

void emit_time(Emitter *emitter, Node *input) {
    LLVMValueRef now = emit_runtime_call(emitter, RT_time_now, NULL);
    emit_store(emitter, now, emit_target(emitter, input->input.items.items[0]));
}

/* It makes nobody ready, so the head of the queue stays valid. */
void emit_time_if_used(Emitter *emitter, Node *input) {
    LLVMValueRef head = emit_head(emitter);
    LLVMValueRef now = emit_runtime_call(emitter, RT_time_now, NULL);
    compat_only_reads(emitter->context, now);
    emit_set_head(emitter, head);
    emit_store(emitter, now, emit_target(emitter, input->input.items.items[0]));
}

void emit_timer_read(Emitter *emitter, Node *input) {
    emit_place(emitter, input->input.channel); /* for its checks */
    emit_time(emitter, input);
}

void emit_delay(Emitter *emitter, Node *delay) {
    emit_place(emitter, delay->delay.timer);
    LLVMValueRef arguments[] = {
        emit_scalar(emitter, delay->delay.time),
        emit_wait_site(emitter, WAIT_TIMER, delay->at,
                       emit_object_name(emitter, delay->delay.timer)),
    };
    emit_runtime_call(emitter, RT_timer_wait, arguments);
}
