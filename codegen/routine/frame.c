/* frame -- the LLVM function being emitted: its beginning and its end.
 *
 * Leaves: me, its worker and the run queue's head to emitter/me.c.
 * Holds:  bindings that the routine has replaced are restored at its end. */
#include "emit_cache.h"
#include "llvm_compat.h"
#include "routine.h"

#include <string.h>

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
    emit_me_begin(emitter, routine);
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
