/* recursion -- the callee runs on a block of its own, its arguments in a record of the caller.
 *
 * Owns:   those calls; the copies of routines that call themselves.
 * Leaves: which calls are recursive to call.c.
 * Holds:  how much stack a chain of calls needs must be known, so a cycle is cut by a new block. To
 *         cut it less often, a small routine that never waits is emitted several times: each copy
 *         calls the next directly, only the last calls the first, on a new block, where it looks for
 *         attention. The copies are ordinary functions, and their depth is computed like that of
 *         any other. */
#include "routine.h"

/* ---- copies ---- */

void recursion_make_copies(Emitter *emitter, Node *routine, RoutineDecl *decl) {
    decl->has_loops = recursion_has_loops(routine);
    decl->copy_count = recursion_copies(routine, decl->may_wait);
    decl->copies = arena_new_array(emitter->arena, LLVMValueRef, decl->copy_count);
    decl->copies[0] = decl->function;
    size_t length;
    const char *base = LLVMGetValueName2(decl->function, &length);
    for (unsigned i = 1; i < decl->copy_count; i++) {
        const char *name = arena_format(emitter->arena, "%s$copy%u", base, i);
        decl->copies[i] = LLVMAddFunction(emitter->module, name, decl->type);
        LLVMSetLinkage(decl->copies[i], LLVMInternalLinkage);
    }
}

LLVMValueRef recursion_next_copy(const Emitter *emitter, const RoutineDecl *decl) {
    const Routine *here = emitter->routine;
    unsigned next = here->copy + 1;
    bool is_in_it = here->copy < decl->copy_count && decl->copies[here->copy] == here->function;
    return is_in_it && next < decl->copy_count ? decl->copies[next] : NULL;
}

/* ---- blocks ---- */

/* body (me, record): loads the arguments, calls the routine, stores a scalar result in slot 0. It lets
 * others run before, as only this function is sure to be passed in any recursion; and afterwards where
 * loops may make the way back long. */
static LLVMValueRef segment_body(Emitter *emitter, RoutineDecl *decl) {
    if (decl->segment != NULL) {
        return decl->segment;
    }
    size_t length;
    const char *base = LLVMGetValueName2(decl->function, &length);
    const char *name = arena_format(emitter->arena, "%s.segment", base);
    LLVMTypeRef parameters[] = {emitter->ptr, emitter->ptr};
    LLVMTypeRef result_type = decl->may_wait ? emitter->ptr : emitter->void_type;
    LLVMTypeRef type = LLVMFunctionType(result_type, parameters, 2, 0);
    decl->segment = LLVMAddFunction(emitter->module, name, type);
    LLVMSetLinkage(decl->segment, LLVMInternalLinkage);
    if (decl->may_wait) {
        LLVMSetFunctionCallConv(decl->segment, CALL_PRESERVE_NONE);
    }
    Routine state;
    emit_routine_begin(emitter, &state, decl->segment, NULL, emitter->routine->proc_name,
                       decl->may_wait);
    emit_look_for_attention(emitter);
    unsigned count = LLVMCountParamTypes(decl->type);
    LLVMTypeRef *types = arena_new_array(emitter->arena, LLVMTypeRef, count);
    LLVMValueRef *arguments = arena_new_array(emitter->arena, LLVMValueRef, count);
    LLVMGetParamTypes(decl->type, types);
    arguments[0] = emit_me(emitter);
    LLVMValueRef record = LLVMGetParam(decl->segment, 1);
    for (unsigned i = 1; i < count; i++) {
        LLVMValueRef slot = emit_field(emitter, record, 8 * i, "");
        arguments[i] = LLVMBuildLoad2(emitter->builder, types[i], slot, "");
    }
    LLVMValueRef result =
        LLVMBuildCall2(emitter->builder, decl->type, decl->function, arguments, count, "");
    LLVMSetInstructionCallConv(result, LLVMGetFunctionCallConv(decl->function));
    if (decl->scalar_result != NULL) {
        LLVMBuildStore(emitter->builder, result, record);
    }
    if (decl->may_wait) {
        emit_set_me(emitter, result, NULL, NULL);
    }
    if (decl->has_loops) {
        emit_look_for_attention(emitter);
    }
    emit_return_nothing(emitter, decl->may_wait);
    emit_routine_end(emitter);
    return decl->segment;
}

LLVMValueRef emit_block_size(Emitter *emitter, LLVMValueRef body) {
    size_t length;
    const char *name = arena_format(emitter->arena, "%s$stk", LLVMGetValueName2(body, &length));
    LLVMValueRef size = LLVMGetNamedGlobal(emitter->module, name);
    if (size == NULL) {
        size = LLVMAddGlobal(emitter->module, emitter->i32, name);
        LLVMSetLinkage(size, LLVMExternalLinkage);
        LLVMSetVisibility(size, LLVMHiddenVisibility);
        LLVMSetGlobalConstant(size, 1);
        LLVMSetAlignment(size, 4);
    }
    return size;
}

LLVMValueRef emit_call_on_segment(Emitter *emitter, RoutineDecl *decl, LLVMValueRef *arguments,
                                  size_t count, Location at) {
    LLVMTypeRef record_type = LLVMArrayType2(emitter->i64, count);
    LLVMValueRef record = emit_alloca(emitter, record_type, "arguments");
    for (unsigned i = 1; i < count; i++) {
        LLVMBuildStore(emitter->builder, arguments[i], emit_field(emitter, record, 8 * i, ""));
    }
    LLVMValueRef body = segment_body(emitter, decl);
    LLVMValueRef size =
        LLVMBuildLoad2(emitter->builder, emitter->i32, emit_block_size(emitter, body), "");
    LLVMValueRef call[] = {
        body,
        record,
        LLVMBuildZExt(emitter->builder, size, emitter->i64, ""),
        emit_site(emitter, ERROR_NO_MEMORY, at, NULL),
    };
    emit_runtime_call(emitter, decl->may_wait ? RT_call_on_segment : RT_call_on_segment_c, call);
    if (decl->scalar_result == NULL) {
        return NULL;
    }
    return LLVMBuildLoad2(emitter->builder, lower_scalar(emitter, decl->scalar_result), record, "");
}
