/* me -- the process that runs the routine being emitted, its worker, and who is next.
 *
 * Holds:  all three lie in slots of the frame, so that LLVM keeps them in registers; each is set
 *         again after whatever may have switched. At -O0, where nothing is kept in registers, there
 *         are no slots: me is the parameter, which no switch changes, and the others are loaded
 *         from memory each time. */
#include "emit.h"
#include "layout_offsets.h"

static bool has_slots(const Emitter *emitter) {
    return emitter->options->optimisation > 0;
}

void emit_me_begin(Emitter *emitter, Routine *routine) {
    if (has_slots(emitter)) {
        routine->me_slot = emit_alloca(emitter, emitter->ptr, "me.now");
        routine->worker_slot = emit_alloca(emitter, emitter->ptr, "worker.now");
        routine->head_slot = emit_alloca(emitter, emitter->ptr, "head.now");
    }
    emit_set_me(emitter, LLVMGetParam(routine->function, 0), NULL, NULL);
}

LLVMValueRef emit_me(Emitter *emitter) {
    const Routine *routine = emitter->routine;
    return has_slots(emitter)
               ? LLVMBuildLoad2(emitter->builder, emitter->ptr, routine->me_slot, "me")
               : LLVMGetParam(routine->function, 0);
}

LLVMValueRef emit_worker(Emitter *emitter) {
    return has_slots(emitter)
               ? LLVMBuildLoad2(emitter->builder, emitter->ptr, emitter->routine->worker_slot,
                                "worker")
               : emit_load_pointer(emitter, emit_me(emitter), OFFSET_Process_worker, "worker");
}

LLVMValueRef emit_head(Emitter *emitter) {
    return has_slots(emitter)
               ? LLVMBuildLoad2(emitter->builder, emitter->ptr, emitter->routine->head_slot, "head")
               : emit_load_pointer(emitter, emit_worker(emitter), OFFSET_Worker_head, "head");
}

void emit_set_head(Emitter *emitter, LLVMValueRef head) {
    if (!has_slots(emitter)) {
        return;
    }
    if (head == NULL) {
        head = emit_load_pointer(emitter, emit_worker(emitter), OFFSET_Worker_head, "head");
    }
    LLVMBuildStore(emitter->builder, head, emitter->routine->head_slot);
}

void emit_set_me(Emitter *emitter, LLVMValueRef me, LLVMValueRef worker, LLVMValueRef head) {
    if (!has_slots(emitter)) {
        return;
    }
    if (worker == NULL) {
        worker = emit_load_pointer(emitter, me, OFFSET_Process_worker, "worker");
    }
    LLVMBuildStore(emitter->builder, me, emitter->routine->me_slot);
    LLVMBuildStore(emitter->builder, worker, emitter->routine->worker_slot);
    emit_set_head(emitter, head);
}

void emit_return_me(Emitter *emitter) {
    LLVMBuildRet(emitter->builder, emit_me(emitter));
}

void emit_return_nothing(Emitter *emitter, bool may_wait) {
    if (may_wait) {
        emit_return_me(emitter);
    } else {
        LLVMBuildRetVoid(emitter->builder);
    }
}
