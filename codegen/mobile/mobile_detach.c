/* mobile_detach -- DETACH.DYNMOB (m, addr, size) and ATTACH.DYNMOB (addr, size, m): a mobile array
 * that is represented by a number meanwhile (language.md 1.8, decision 0024).
 *
 * Owns:   what becomes of the variables.
 * Leaves: the numbers to the runtime's detached.c.
 * Holds:  a count may be smaller after ATTACH, so the address that comes back must be another value
 *         to LLVM (mobile.c). */
#include "predefined.h"

void predefined_detach(Emitter *emitter, PredefinedCall *call) {
    LLVMBuilderRef builder = emitter->builder;
    Node *actual = call->actuals->items[0];
    Place mobile = emit_target(emitter, actual);
    Place number = emit_target(emitter, call->actuals->items[1]);
    Place size = emit_target(emitter, call->actuals->items[2]);
    LLVMValueRef arguments[] = {
        emit_load(emitter, mobile),
        emit_site(emitter, ERROR_NO_MEMORY, call->at, emit_object_name(emitter, actual)),
    };
    LLVMValueRef both = emit_runtime_call(emitter, RT_mobile_detach, arguments);
    emit_forget(emitter, mobile);
    LLVMValueRef high = LLVMBuildLShr(builder, both, emit_i64(emitter, 32), "");
    emit_store(emitter, LLVMBuildTrunc(builder, both, emitter->i32, "number"), number);
    emit_store(emitter, LLVMBuildTrunc(builder, high, emitter->i32, "size"), size);
}

void predefined_attach(Emitter *emitter, PredefinedCall *call) {
    Node *actual = call->actuals->items[2];
    LLVMValueRef arguments[] = {
        call->operands[0],
        call->operands[1],
        emit_site(emitter, ERROR_NOT_DETACHED, call->at, emit_object_name(emitter, actual)),
    };
    LLVMValueRef object = emit_runtime_call(emitter, RT_mobile_attach, arguments);
    Place mobile = emit_target(emitter, actual);
    emit_release(emitter, mobile);
    emit_store(emitter, object, mobile);
}
