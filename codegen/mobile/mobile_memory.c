/* mobile_memory -- blocks for mobile objects: the inlined half of the runtime's mobile.c.
 *
 * Owns:   taking and giving back, as functions of the unit; the header of a new object.
 * Leaves: what objects hold to mobile.c, empty and full lists and large blocks to the runtime.
 * Holds:  the functions that write counts are never inlined: loads of counts are marked as if the
 *         memory never changed (mobile.c), which is true only after those functions return. */
#include "emit.h"
#include "layout_offsets.h"
#include "llvm_compat.h"

/* The link step knows functions by name, so those of two units must have different names. */
static const char *helper_name(Emitter *emitter, const char *name) {
    return arena_format(emitter->arena, "%s.%s", emitter->options->unit_name, name);
}

static LLVMValueRef find_helper(Emitter *emitter, const char *name) {
    return LLVMGetNamedFunction(emitter->module, helper_name(emitter, name));
}

LLVMValueRef emit_helper(Emitter *emitter, const char *name, LLVMTypeRef result,
                         LLVMTypeRef *parameters, unsigned count) {
    LLVMTypeRef type = LLVMFunctionType(result, parameters, count, 0);
    LLVMValueRef function = LLVMAddFunction(emitter->module, helper_name(emitter, name), type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    compat_add_attribute(emitter->context, function, COMPAT_FUNCTION, "nounwind", 0);
    return function;
}

/* The list of free blocks of a class (i64). */
static LLVMValueRef free_list(Emitter *emitter, LLVMValueRef store, LLVMValueRef class) {
    LLVMValueRef lists = emit_field(emitter, store, OFFSET_MobileStore_free, "");
    return LLVMBuildInBoundsGEP2(emitter->builder, emitter->ptr, lists, &class, 1, "list");
}

static LLVMValueRef mobile_store(Emitter *emitter) {
    return emit_load_field(emitter, emitter->ptr, emit_worker(emitter), OFFSET_Worker_mobiles,
                           "store");
}

/* ---- taking: (me, size_bytes, site) ---- */

static void emit_take_body(Emitter *emitter, LLVMValueRef function) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef small = emit_block(emitter, "mobile.small");
    LLVMBasicBlockRef pop = emit_block(emitter, "mobile.pop");
    LLVMBasicBlockRef slow = emit_block(emitter, "mobile.allocate");
    LLVMValueRef size = LLVMGetParam(function, 1);
    LLVMValueRef rounded =
        LLVMBuildAdd(builder, size, emit_i64(emitter, LAYOUT_SIZE_CLASS_UNIT - 1), "");
    LLVMValueRef class =
        LLVMBuildUDiv(builder, rounded, emit_i64(emitter, LAYOUT_SIZE_CLASS_UNIT), "class");
    LLVMValueRef limit = emit_i64(emitter, LAYOUT_MOBILE_CLASS_LIMIT);
    LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntULE, class, limit, ""), small, slow);
    emit_enter(emitter, small);
    LLVMValueRef list = free_list(emitter, mobile_store(emitter), class);
    LLVMValueRef first = LLVMBuildLoad2(builder, emitter->ptr, list, "first");
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, first, ""), slow, pop);
    emit_enter(emitter, pop);
    LLVMBuildStore(builder,
                   emit_load_field(emitter, emitter->ptr, first, OFFSET_Mobile_next, "rest"), list);
    LLVMBuildRet(builder, first);
    emit_enter(emitter, slow);
    LLVMValueRef arguments[] = {size, LLVMGetParam(function, 2)};
    LLVMBuildRet(builder, emit_runtime_call(emitter, RT_mobile_allocate, arguments));
}

static LLVMValueRef helper_begin(Emitter *emitter, Routine *state, const char *name,
                                 LLVMTypeRef result, LLVMTypeRef *parameters, unsigned count) {
    LLVMValueRef function = emit_helper(emitter, name, result, parameters, count);
    const char *proc_name = emitter->routine != NULL ? emitter->routine->proc_name : "";
    emit_routine_begin(emitter, state, function, NULL, proc_name, false);
    return function;
}

static LLVMValueRef take_function(Emitter *emitter) {
    LLVMValueRef function = find_helper(emitter, "occ.mobile.take");
    if (function == NULL) {
        LLVMTypeRef parameters[] = {emitter->ptr, emitter->i64, emitter->ptr};
        Routine state;
        function = helper_begin(emitter, &state, "occ.mobile.take", emitter->ptr, parameters, 3);
        emit_take_body(emitter, function);
        emit_routine_end(emitter);
    }
    return function;
}

/* ---- a new object: (me, size_bytes, site, counts..) ---- */

static LLVMValueRef make_function(Emitter *emitter, unsigned open) {
    const char *name = arena_format(emitter->arena, "occ.mobile.make%u", open);
    LLVMValueRef function = find_helper(emitter, name);
    if (function != NULL) {
        return function;
    }
    LLVMValueRef take = take_function(emitter);
    LLVMTypeRef parameters[3 + MAX_RANK] = {emitter->ptr, emitter->i64, emitter->ptr};
    for (unsigned i = 0; i < open; i++) {
        parameters[3 + i] = emitter->i32;
    }
    Routine state;
    function = helper_begin(emitter, &state, name, emitter->ptr, parameters, 3 + open);
    compat_add_attribute(emitter->context, function, COMPAT_FUNCTION, "noinline", 0);
    LLVMValueRef arguments[] = {LLVMGetParam(function, 0), LLVMGetParam(function, 1),
                                LLVMGetParam(function, 2)};
    LLVMValueRef object = emit_call_of(emitter, take, arguments, 3);
    for (unsigned i = 0; i < open; i++) {
        emit_store_field(emitter, LLVMGetParam(function, 3 + i), object,
                         OFFSET_Mobile_counts + 4 * i);
    }
    LLVMBuildRet(emitter->builder, object);
    emit_routine_end(emitter);
    return function;
}

LLVMValueRef emit_mobile_block(Emitter *emitter, LLVMValueRef size_bytes,
                               const LLVMValueRef *counts, unsigned open, LLVMValueRef site) {
    LLVMValueRef function = open == 0 ? take_function(emitter) : make_function(emitter, open);
    LLVMValueRef arguments[3 + MAX_RANK] = {emit_me(emitter), size_bytes, site};
    for (unsigned i = 0; i < open; i++) {
        arguments[3 + i] = counts[i];
    }
    return emit_call_of(emitter, function, arguments, 3 + open);
}

/* ---- giving back: (me, object) ---- */

static void emit_give_body(Emitter *emitter, LLVMValueRef function) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef small = emit_block(emitter, "mobile.small");
    LLVMBasicBlockRef some = emit_block(emitter, "mobile.some");
    LLVMBasicBlockRef push = emit_block(emitter, "mobile.push");
    LLVMBasicBlockRef link = emit_block(emitter, "mobile.link");
    LLVMBasicBlockRef slow = emit_block(emitter, "mobile.release");
    LLVMValueRef object = LLVMGetParam(function, 1);
    LLVMValueRef class =
        emit_load_field(emitter, emitter->i16, object, OFFSET_Mobile_size_class, "class");
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, class, ""), slow, small);
    emit_enter(emitter, small);
    LLVMValueRef store = mobile_store(emitter);
    LLVMValueRef list = free_list(emitter, store, LLVMBuildZExt(builder, class, emitter->i64, ""));
    LLVMValueRef first = LLVMBuildLoad2(builder, emitter->ptr, list, "first");
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, first, ""), push, some);
    emit_enter(emitter, some);
    LLVMValueRef below = emit_load_field(emitter, emitter->i32, first, OFFSET_Mobile_depth, "");
    LLVMValueRef more = LLVMBuildAdd(builder, below, emit_i32(emitter, 1), "");
    LLVMValueRef depth = emit_merge(emitter, push, emit_i32(emitter, 0), small, more, "depth");
    LLVMValueRef limit =
        emit_load_field(emitter, emitter->i32, store, OFFSET_MobileStore_limit, "limit");
    LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntULT, depth, limit, ""), link, slow);
    emit_enter(emitter, link);
    emit_store_field(emitter, depth, object, OFFSET_Mobile_depth);
    emit_store_field(emitter, first, object, OFFSET_Mobile_next);
    LLVMBuildStore(builder, object, list);
    LLVMBuildRetVoid(builder);
    emit_enter(emitter, slow);
    emit_runtime_call(emitter, RT_mobile_release, &object);
    LLVMBuildRetVoid(builder);
}

static LLVMValueRef give_function(Emitter *emitter) {
    LLVMValueRef function = find_helper(emitter, "occ.mobile.give");
    if (function == NULL) {
        LLVMTypeRef parameters[] = {emitter->ptr, emitter->ptr};
        Routine state;
        function =
            helper_begin(emitter, &state, "occ.mobile.give", emitter->void_type, parameters, 2);
        emit_give_body(emitter, function);
        emit_routine_end(emitter);
    }
    return function;
}

void emit_mobile_give(Emitter *emitter, LLVMValueRef object) {
    LLVMValueRef arguments[] = {emit_me(emitter), object};
    emit_call_of(emitter, give_function(emitter), arguments, 2);
}
