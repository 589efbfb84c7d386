/* foreign -- calls of routines written in C (#PRAGMA EXTERNAL).
 *
 * Owns:   how our values travel to C, and the thunk that calls it.
 * Leaves: stacks and threads to the runtime (foreign.h there).
 * Holds:  arguments go in a record in the frame: 4 words for the runtime, the result, the
 *         arguments, 8 bytes each. The thunk takes them out and calls the C function by C's
 *         convention. It runs on a system stack, so nothing need be known of C's use of the stack.
 *         C sees int32_t, int16_t, int64_t, uint8_t for BYTE and BOOL (0 or 1), float, double;
 *         addresses of what is not passed by value; for each [] an int32_t after the address. The
 *         last word for the runtime is the channel that identifies a call of BX. A function of the
 *         runtime that is told the site of the call (occ.at.) gets the record's address before the
 *         arguments; its words are the caller and the site. */
#include "layout_offsets.h"
#include "routine.h"

enum { PROCESS_OFFSET = 8, HANDLE_OFFSET = 24, RESULT_OFFSET = 32, FIRST_ARGUMENT = 40 };

/* ---- the thunk ---- */

static bool is_narrow(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) < 32;
}

/* Finds the signed narrow formals; an argument that is not for a scalar formal is wide. */
static void find_signed(Emitter *emitter, const NodeList *formals, bool *is_signed) {
    size_t next = 1;
    for (size_t i = 0; i < formals->count; i++) {
        const Symbol *symbol = formals->items[i]->formal.def->def.symbol;
        LLVMTypeRef types[CAPTURE_MAX];
        is_signed[next] = type_is_scalar(symbol->type) && type_is_integer(symbol->type) &&
                          type_is_signed(symbol->type);
        next += capture_types(emitter, symbol, types);
    }
}

/* C expects what is narrower than int extended to int. */
static LLVMValueRef load_argument(Emitter *emitter, LLVMValueRef record, unsigned index,
                                  LLVMTypeRef type, bool is_signed) {
    LLVMValueRef slot = emit_field(emitter, record, FIRST_ARGUMENT + 8 * (index - 1), "");
    LLVMValueRef value = LLVMBuildLoad2(emitter->builder, type, slot, "");
    if (!is_narrow(type)) {
        return value;
    }
    return is_signed ? LLVMBuildSExt(emitter->builder, value, emitter->i32, "")
                     : LLVMBuildZExt(emitter->builder, value, emitter->i32, "");
}

/* BOOL comes back as a byte that C promises only to be nonzero for TRUE. */
static void store_result(Emitter *emitter, LLVMValueRef result, LLVMTypeRef wanted,
                         LLVMValueRef record) {
    if (LLVMGetTypeKind(wanted) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(wanted) == 1) {
        LLVMValueRef zero = LLVMConstNull(emitter->i8);
        result = LLVMBuildICmp(emitter->builder, LLVMIntNE, result, zero, "");
    }
    LLVMBuildStore(emitter->builder, result, emit_field(emitter, record, RESULT_OFFSET, ""));
}

static LLVMValueRef c_function(Emitter *emitter, const char *symbol, LLVMTypeRef type) {
    LLVMValueRef function = LLVMGetNamedFunction(emitter->module, symbol);
    return function ? function : LLVMAddFunction(emitter->module, symbol, type);
}

static void fill_thunk(Emitter *emitter, const RoutineBody *body, const NodeList *formals,
                       const RoutineDecl *decl, LLVMValueRef thunk) {
    unsigned count = LLVMCountParamTypes(decl->type);
    LLVMTypeRef *types = arena_new_array(emitter->arena, LLVMTypeRef, count + 1);
    LLVMValueRef *values = arena_new_array(emitter->arena, LLVMValueRef, count + 1);
    bool *is_signed = arena_new_array(emitter->arena, bool, count + CAPTURE_MAX + 1);
    find_signed(emitter, formals, is_signed);
    LLVMGetParamTypes(decl->type, types);
    LLVMValueRef record = LLVMGetParam(thunk, 0);
    for (unsigned i = 1; i < count; i++) {
        values[i] = load_argument(emitter, record, i, types[i], is_signed[i]);
        types[i] = LLVMTypeOf(values[i]);
    }
    unsigned first = 1;
    if (body->kind == BODY_PLACED) {
        first = 0;
        values[0] = record;
        types[0] = emitter->ptr;
    }
    LLVMTypeRef result = emitter->void_type;
    LLVMTypeRef ours = decl->scalar_result ? lower_scalar(emitter, decl->scalar_result) : result;
    bool is_bool = decl->scalar_result && ours == emitter->i1;
    LLVMTypeRef type =
        LLVMFunctionType(is_bool ? emitter->i8 : ours, types + first, count - first, 0);
    LLVMValueRef function = c_function(emitter, body->symbol, type);
    LLVMValueRef called =
        LLVMBuildCall2(emitter->builder, type, function, values + first, count - first, "");
    if (decl->scalar_result) {
        store_result(emitter, called, ours, record);
    }
    LLVMBuildRetVoid(emitter->builder);
}

void foreign_declare(Emitter *emitter, const RoutineBody *body, const NodeList *formals,
                     RoutineDecl *decl) {
    LLVMTypeRef record[] = {emitter->ptr};
    const char *name =
        arena_format(emitter->arena, "%s.external.%s", emitter->options->unit_name, body->symbol);
    LLVMTypeRef type = LLVMFunctionType(emitter->void_type, record, 1, 0);
    decl->function = LLVMAddFunction(emitter->module, name, type);
    LLVMSetLinkage(decl->function, LLVMInternalLinkage);
    LLVMBasicBlockRef outside = LLVMGetInsertBlock(emitter->builder);
    LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(emitter->builder);
    LLVMSetCurrentDebugLocation2(emitter->builder, NULL);
    LLVMPositionBuilderAtEnd(
        emitter->builder, LLVMAppendBasicBlockInContext(emitter->context, decl->function, "call"));
    fill_thunk(emitter, body, formals, decl, decl->function);
    if (outside) {
        LLVMPositionBuilderAtEnd(emitter->builder, outside);
        LLVMSetCurrentDebugLocation2(emitter->builder, location);
    }
}

/* ---- the call ---- */

LLVMValueRef emit_foreign_call(Emitter *emitter, const RoutineBody *body, const RoutineDecl *decl,
                               LLVMValueRef *arguments, size_t count, Location at) {
    LLVMTypeRef type = LLVMArrayType2(emitter->i64, FIRST_ARGUMENT / 8 + count);
    LLVMValueRef record = emit_alloca(emitter, type, "arguments");
    for (unsigned i = 1; i < count; i++) {
        LLVMValueRef slot = emit_field(emitter, record, FIRST_ARGUMENT + 8 * (i - 1), "");
        LLVMBuildStore(emitter->builder, arguments[i], slot);
    }
    LLVMValueRef handle = body->has_handle ? arguments[1] : LLVMConstNull(emitter->ptr);
    if (body->kind == BODY_PLACED) {
        handle = emit_site(emitter, ERROR_ASSERT, at, NULL);
        LLVMBuildStore(emitter->builder, emit_me(emitter),
                       emit_field(emitter, record, PROCESS_OFFSET, ""));
        LLVMBuildStore(emitter->builder, handle, emit_field(emitter, record, HANDLE_OFFSET, ""));
    }
    LLVMValueRef call[] = {decl->function, record, NULL};
    if (body->kind == BODY_C || body->kind == BODY_PLACED) {
        emit_runtime_call(emitter, RT_foreign_call, call);
    } else {
        LLVMBuildStore(emitter->builder, handle, emit_field(emitter, record, HANDLE_OFFSET, ""));
        call[2] = emit_wait_site(emitter, WAIT_BLOCKING_CALL, at, body->symbol);
        emit_runtime_call(emitter, RT_blocking_call, call);
    }
    if (!decl->scalar_result) {
        return NULL;
    }
    LLVMValueRef slot = emit_field(emitter, record, RESULT_OFFSET, "");
    return LLVMBuildLoad2(emitter->builder, lower_scalar(emitter, decl->scalar_result), slot, "");
}

/* ---- FORK: a routine of ours round the call ---- */

LLVMValueRef emit_foreign_routine(Emitter *emitter, const Node *proc, const RoutineDecl *decl) {
    const RoutineBody *body = proc->proc.info->elsewhere;
    const char *name =
        arena_format(emitter->arena, "%s.routine.%s", emitter->options->unit_name, body->symbol);
    LLVMValueRef function = LLVMGetNamedFunction(emitter->module, name);
    if (function != NULL) {
        return function;
    }
    function = LLVMAddFunction(emitter->module, name, decl->type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    Routine state;
    if (decl->may_wait) {
        LLVMSetFunctionCallConv(function, CALL_PRESERVE_NONE);
    }
    emit_routine_begin(emitter, &state, function, NULL, proc->proc.def->def.name->bytes,
                       decl->may_wait);
    debug_routine(emitter, proc->at, proc->proc.def->def.name->bytes);
    unsigned count = LLVMCountParams(function);
    LLVMValueRef *arguments = arena_new_array(emitter->arena, LLVMValueRef, count);
    LLVMGetParams(function, arguments);
    emit_foreign_call(emitter, body, decl, arguments, count, proc->at);
    emit_return_nothing(emitter, decl->may_wait);
    emit_routine_end(emitter);
    return function;
}
