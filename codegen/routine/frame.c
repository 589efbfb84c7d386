/* frame -- the LLVM function that is being emitted: its beginning, its end, and me in it.
 *
 * Holds:  me, the worker and the head of its queue lie in slots of the frame, so that LLVM keeps
 *         them in registers; each is set anew after whatever may have switched. At -O0, where
 *         nothing is kept in registers, there are no slots: me is the parameter, which no switch
 *         changes, and the others are loaded from where they are. Bindings that the routine has
 *         replaced are restored at its end. */
#include "emit_cache.h"
#include "layout_offsets.h"
#include "llvm_compat.h"
#include "routine.h"

#include <string.h>

static bool has_slots(const Emitter *emitter) {
    return emitter->options->optimisation > 0;
}

void emit_routine_begin(Emitter *emitter, Routine *routine, LLVMValueRef function, Node *node,
                        const char *proc_name, bool may_wait) {
    memset(routine, 0, sizeof *routine);
    routine->function = function;
    routine->node = node;
    routine->proc_name = proc_name;
    routine->may_wait = may_wait;
    routine->outer = emitter->routine;
    LLVMSetValueName2(LLVMGetParam(function, 0), "me", 2);
    compat_add_attribute(emitter->context, function, 1, "noundef", 0);
    routine->resume_block = LLVMGetInsertBlock(emitter->builder);
    routine->resume_location = LLVMGetCurrentDebugLocation2(emitter->builder);
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    *name_map_at(&emitter->cache->routines, name, length) = node;
    emitter->routine = routine;
    emitter->scope = (EmitScope){NULL, 0, NULL};
    routine->entry = LLVMAppendBasicBlockInContext(emitter->context, function, "frame");
    LLVMBasicBlockRef body = LLVMAppendBasicBlockInContext(emitter->context, function, "body");
    routine->body = body;
    LLVMPositionBuilderAtEnd(emitter->builder, body);
    LLVMSetCurrentDebugLocation2(emitter->builder, NULL);
    if (has_slots(emitter)) {
        routine->me_slot = emit_alloca(emitter, emitter->ptr, "me.now");
        routine->worker_slot = emit_alloca(emitter, emitter->ptr, "worker.now");
        routine->head_slot = emit_alloca(emitter, emitter->ptr, "head.now");
    }
    emit_set_me(emitter, LLVMGetParam(function, 0), NULL, NULL);
}

void emit_routine_end(Emitter *emitter) {
    Routine *routine = emitter->routine;
    LLVMSetCurrentDebugLocation2(emitter->builder, NULL);
    emit_release_temporaries(emitter);
    LLVMPositionBuilderAtEnd(emitter->builder, routine->entry);
    LLVMBuildBr(emitter->builder, routine->body);
    for (size_t i = routine->saved.count; i-- > 0;) {
        routine->saved.items[i].symbol->backend = routine->saved.items[i].backend;
    }
    emitter->routine = routine->outer;
    if (routine->resume_block != NULL) {
        LLVMPositionBuilderAtEnd(emitter->builder, routine->resume_block);
        LLVMSetCurrentDebugLocation2(emitter->builder, routine->resume_location);
    }
}

/* ---- me ---- */

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
