/* mobile_parts -- release, forget and clone everything that an object owns.
 *
 * Owns:   the walk over the parts of arrays and records, one function of the unit for each type
 *         whose parts own something themselves.
 * Leaves: objects that may own more of their own type to mobile_recursive.c, contents and new
 *         objects to mobile.c, blocks to mobile_memory.c, the end of a scope to storage.c.
 * Holds:  an owner that has been released or forgotten owns nothing: it may be overwritten. */
#include "emit_clock.h"
#include "emit_sharing.h"

/* ---- every part that owns something ---- */

typedef void PartEmitter(Emitter *emitter, Place part, LLVMValueRef site);

/* for each leaf of the array: its elements lie one after the other whatever the dimensions */
static void each_element(Emitter *emitter, Place array, PartEmitter *emit_part, LLVMValueRef site) {
    LLVMBuilderRef builder = emitter->builder;
    const Type *leaf = type_leaf(array.type);
    LLVMValueRef size = emit_size_bytes(emitter, array);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(builder);
    LLVMBasicBlockRef test = emit_block(emitter, "parts");
    LLVMBasicBlockRef body = emit_block(emitter, "parts.body");
    LLVMBasicBlockRef end = emit_block(emitter, "parts.end");
    emit_continue(emitter, test);
    LLVMValueRef offset = LLVMBuildPhi(builder, emitter->i64, "offset");
    LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntULT, offset, size, ""), body, end);
    emit_enter(emitter, body);
    Place part = {.type = leaf};
    part.address = LLVMBuildInBoundsGEP2(builder, emitter->i8, array.address, &offset, 1, "");
    emit_part(emitter, part, site);
    LLVMValueRef next =
        LLVMBuildNUWAdd(builder, offset, emit_i64(emitter, (int64_t)type_size(leaf)), "");
    LLVMValueRef offsets[] = {emit_i64(emitter, 0), next};
    LLVMBasicBlockRef blocks[] = {before, LLVMGetInsertBlock(builder)};
    LLVMAddIncoming(offset, offsets, blocks, 2);
    emit_jump(emitter, test);
    emit_enter(emitter, end);
}

static void each_field(Emitter *emitter, Place record, PartEmitter *emit_part, LLVMValueRef site) {
    const Type *type = type_base(record.type);
    for (size_t i = 0; i < type->record.field_count; i++) {
        if (type_owns(type->record.fields[i].type)) {
            emit_part(emitter, emit_field_place(emitter, record, i), site);
        }
    }
}

/* Go into arrays and records; true when the place is one of those. */
static bool each_part(Emitter *emitter, Place place, PartEmitter *emit_part, LLVMValueRef site) {
    if (type_is_array(place.type)) {
        each_element(emitter, place, emit_part, site);
        return true;
    }
    if (type_base(place.type)->kind == TYPE_RECORD) {
        each_field(emitter, place, emit_part, site);
        return true;
    }
    return false;
}

/* ---- functions by type ---- */

/* The function of the unit for this type, by the types seen so far; *made: it has no body yet. */
static LLVMValueRef function_of_type(Emitter *emitter, MobileFunctions *functions, const Type *type,
                                     const char *verb, LLVMTypeRef result, bool *made) {
    for (size_t i = 0; i < functions->count; i++) {
        if (type_equal(functions->items[i].type, type)) {
            *made = false;
            return functions->items[i].function;
        }
    }
    const char *name =
        arena_format(emitter->arena, "occ.%s.%s", verb, type_name(emitter->arena, type));
    LLVMTypeRef parameters[] = {emitter->ptr, emitter->ptr, emitter->ptr};
    MobileFunction one = {type, emit_helper(emitter, name, result, parameters, 3)};
    array_push(emitter->arena, functions, one);
    *made = true;
    return one.function;
}

/* ---- release ---- */

static void release_part(Emitter *emitter, Place part, LLVMValueRef site);

static void release_one(Emitter *emitter, const Type *type, LLVMValueRef object,
                        LLVMValueRef site) {
    release_part(emitter, emit_object_content(emitter, type, object), site);
    emit_mobile_give(emitter, object);
}

static void release_nested(Emitter *emitter, const Type *type, LLVMValueRef object) {
    emit_nested_begin(emitter, type);
    emit_wait_for_loop(emitter, type, object);
    emit_nested_each(emitter, release_one, NULL);
}

/* (me, object, unused): release the contents, then the block. */
static LLVMValueRef release_function(Emitter *emitter, const Type *type) {
    bool made;
    LLVMValueRef function =
        function_of_type(emitter, &emitter->releases, type, "release", emitter->void_type, &made);
    if (made) {
        Routine state;
        emit_routine_begin(emitter, &state, function, NULL, emitter->routine->proc_name, false);
        LLVMValueRef object = LLVMGetParam(function, 1);
        if (emit_is_nested(type)) {
            release_nested(emitter, type, object);
        } else if (type_content(type)->kind == TYPE_PROC_TYPE) {
            emit_process_release(emitter, object);
            emit_mobile_give(emitter, object);
        } else {
            release_one(emitter, type, object, NULL);
        }
        LLVMBuildRetVoid(emitter->builder);
        emit_routine_end(emitter);
    }
    return function;
}

LLVMValueRef emit_release_body(Emitter *emitter, const Type *type) {
    bool made;
    LLVMValueRef body = function_of_type(emitter, &emitter->release_bodies, type, "release.body",
                                         emitter->void_type, &made);
    if (made) {
        Routine state;
        emit_routine_begin(emitter, &state, body, NULL, emitter->routine->proc_name, false);
        LLVMValueRef arguments[] = {emit_me(emitter), LLVMGetParam(body, 1),
                                    LLVMConstNull(emitter->ptr)};
        emit_call_of(emitter, release_function(emitter, type), arguments, 3);
        LLVMBuildRetVoid(emitter->builder);
        emit_routine_end(emitter);
    }
    return body;
}

static void release_object(Emitter *emitter, const Type *type, LLVMValueRef object) {
    if (emit_wait_for_loop(emitter, type, object)) {
        return;
    }
    if (type_is_box(type)) {
        emit_box_release(emitter, object);
        return;
    }
    if (type_is_bundle_end(type)) {
        emit_bundle_drop(emitter, type, object);
        return;
    }
    const Type *content = type_content(type);
    if (type_is_clock(content)) {
        emit_runtime_call(emitter, RT_mobile_clock_release, &object);
        return;
    }
    if (!type_owns(content) && content->kind != TYPE_PROC_TYPE) {
        emit_mobile_give(emitter, object);
        return;
    }
    if (emit_leads_to_waiting(emitter, type)) {
        release_one(emitter, type, object, NULL);
        return;
    }
    LLVMValueRef arguments[] = {emit_me(emitter), object, LLVMConstNull(emitter->ptr)};
    emit_call_of(emitter, release_function(emitter, type), arguments, 3);
    emit_set_head(emitter, NULL); /* it may have made processes ready */
}

static void release_part(Emitter *emitter, Place part, LLVMValueRef site) {
    if (!type_owns(part.type) || each_part(emitter, part, release_part, site)) {
        return;
    }
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef some = emit_block(emitter, "release");
    LLVMBasicBlockRef done = emit_block(emitter, "released");
    LLVMValueRef object = emit_load(emitter, part);
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, object, ""), done, some);
    emit_enter(emitter, some);
    release_object(emitter, part.type, object);
    emit_continue(emitter, done);
}

void emit_release(Emitter *emitter, Place place) {
    release_part(emitter, place, NULL);
}

/* ---- forget ---- */

static void forget_part(Emitter *emitter, Place part, LLVMValueRef site) {
    if (type_owns(part.type) && !each_part(emitter, part, forget_part, site)) {
        emit_store(emitter, LLVMConstNull(lower_memory(emitter, part.type)), part);
    }
}

void emit_forget(Emitter *emitter, Place place) {
    forget_part(emitter, place, NULL);
}

/* ---- clone ---- */

static void clone_part(Emitter *emitter, Place part, LLVMValueRef site);

/* A new object with the bits of the contents: what they own still belongs to the other object. */
static LLVMValueRef copy_object(Emitter *emitter, const Type *type, LLVMValueRef object,
                                LLVMValueRef site) {
    Place from = emit_object_content(emitter, type, object);
    unsigned open = type_open_dimensions(from.type);
    LLVMValueRef bytes = emit_size_bytes(emitter, from);
    LLVMValueRef size = LLVMBuildNUWAdd(emitter->builder, bytes,
                                        emit_i64(emitter, emit_mobile_header_bytes(open)), "");
    LLVMValueRef copy = emit_mobile_block(emitter, size, from.counts, open, site);
    LLVMValueRef to = emit_field(emitter, copy, emit_mobile_header_bytes(open), "copy");
    unsigned align = emit_content_align(open);
    LLVMBuildMemCpy(emitter->builder, to, align, from.address, align, bytes);
    return copy;
}

static void clone_one(Emitter *emitter, const Type *type, LLVMValueRef copy, LLVMValueRef site) {
    clone_part(emitter, emit_object_content(emitter, type, copy), site);
}

/* (me, object, site): a new object with the same contents, cloned part by part. */
static LLVMValueRef clone_function(Emitter *emitter, const Type *type) {
    bool made;
    LLVMValueRef function =
        function_of_type(emitter, &emitter->clones, type, "clone", emitter->ptr, &made);
    if (!made) {
        return function;
    }
    Routine state;
    emit_routine_begin(emitter, &state, function, NULL, emitter->routine->proc_name, false);
    LLVMValueRef site = LLVMGetParam(function, 2);
    LLVMValueRef copy = copy_object(emitter, type, LLVMGetParam(function, 1), site);
    if (emit_is_nested(type)) {
        emit_nested_begin(emitter, type);
        emit_wait_for_loop(emitter, type, copy);
        emit_nested_each(emitter, clone_one, site);
    } else {
        clone_one(emitter, type, copy, site);
    }
    LLVMBuildRet(emitter->builder, copy);
    emit_routine_end(emitter);
    return function;
}

/* If there is a loop for the type, it goes through the copy. */
static LLVMValueRef clone_object(Emitter *emitter, const Type *type, LLVMValueRef object,
                                 LLVMValueRef site) {
    LLVMValueRef arguments[] = {emit_me(emitter), object, site};
    bool leads = emit_leads_to_waiting(emitter, type);
    if (!leads) {
        return emit_call_of(emitter, clone_function(emitter, type), arguments, 3);
    }
    LLVMValueRef copy = copy_object(emitter, type, object, site);
    if (!emit_wait_for_loop(emitter, type, copy)) {
        clone_one(emitter, type, copy, site);
    }
    return copy;
}

/* The part holds the bits of another owner: clone what they own. */
static void clone_part(Emitter *emitter, Place part, LLVMValueRef site) {
    if (!type_owns(part.type) || each_part(emitter, part, clone_part, site)) {
        return;
    }
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef some = emit_block(emitter, "clone");
    LLVMBasicBlockRef done = emit_block(emitter, "cloned");
    LLVMValueRef object = emit_load(emitter, part);
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, object, ""), done, some);
    emit_enter(emitter, some);
    if (type_is_clock(type_content(part.type))) {
        emit_store(emitter, emit_mobile_clock_copy(emitter, object, site), part);
        emit_continue(emitter, done);
        return;
    }
    if (type_is_bundle_end(part.type)) {
        emit_bundle_keep(emitter, part.type, object);
        emit_continue(emitter, done);
        return;
    }
    emit_store(emitter, clone_object(emitter, part.type, object, site), part);
    emit_continue(emitter, done);
}

void emit_clone_parts(Emitter *emitter, Place place, Location at, const char *name) {
    clone_part(emitter, place, emit_site(emitter, ERROR_NO_MEMORY, at, name));
}
