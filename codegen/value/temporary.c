/* temporary -- storage of values without a name: results, tables, right sides of assignments.
 *
 * Owns:   temporaries, and freeing those that do not fit in the frame.
 * Leaves: objects of declarations to storage.c.
 * Holds:  a temporary belongs to one place in the text: evaluated again, the place uses the same
 *         storage, and its value is dead by then. A large one is taken from the heap when it is
 *         first needed and given back when the routine returns. */
#include "emit.h"

/* A pointer in the frame, NULL until the heap object is made. */
static LLVMValueRef heap_slot(Emitter *emitter) {
    LLVMValueRef slot = emit_zeroed_alloca(emitter, emitter->ptr, "temporary");
    array_push(emitter->arena, &emitter->routine->temporaries, slot);
    return slot;
}

static LLVMValueRef heap_temporary(Emitter *emitter, uint64_t size, Location at) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef make = emit_block(emitter, "temporary.make");
    LLVMBasicBlockRef ready = emit_block(emitter, "temporary.ready");
    LLVMValueRef slot = heap_slot(emitter);
    LLVMValueRef old = LLVMBuildLoad2(builder, emitter->ptr, slot, "");
    LLVMBasicBlockRef before = LLVMGetInsertBlock(builder);
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, old, ""), make, ready);
    emit_enter(emitter, make);
    LLVMValueRef made = emit_heap(emitter, emit_i64(emitter, (int64_t)size), at, NULL);
    LLVMBuildStore(builder, made, slot);
    return emit_merge(emitter, ready, old, before, made, "temporary");
}

static void begin_temporary(Emitter *emitter, LLVMValueRef slot) {
    emit_lifetime_start(emitter, slot);
    array_push(emitter->arena, &emitter->routine->live, slot);
}

Place emit_temporary(Emitter *emitter, const Type *type, Location at) {
    Place place = {.type = type};
    if (type_is_scalar(type)) {
        place.address = emit_alloca(emitter, lower_memory(emitter, type), "temporary");
        begin_temporary(emitter, place.address);
        return place;
    }
    uint64_t size = type_size(type);
    if (size > FRAME_OBJECT_LIMIT) {
        place.address = heap_temporary(emitter, size, at);
        return place;
    }
    place.address = emit_alloca(emitter, LLVMArrayType2(emitter->i8, size), "temporary");
    LLVMSetAlignment(place.address, 8);
    begin_temporary(emitter, place.address);
    return place;
}

void emit_end_temporaries(Emitter *emitter, size_t live) {
    Routine *routine = emitter->routine;
    while (routine->live.count > live) {
        emit_lifetime_end(emitter, routine->live.items[--routine->live.count]);
    }
}

Place emit_heap_copy(Emitter *emitter, Place from, Location at, const char *name) {
    Place copy = from;
    copy.address = emit_heap(emitter, emit_size_bytes(emitter, from), at, name);
    emit_copy(emitter, copy, from, at);
    return copy;
}

/* ---- the end of the routine ---- */

static void free_temporary(Emitter *emitter, LLVMValueRef slot) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef give = emit_block(emitter, "temporary.free");
    LLVMBasicBlockRef done = emit_block(emitter, "temporary.done");
    LLVMValueRef object = LLVMBuildLoad2(builder, emitter->ptr, slot, "");
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, object, ""), done, give);
    emit_enter(emitter, give);
    emit_runtime_call(emitter, RT_heap_free, &object);
    emit_continue(emitter, done);
}

/* Take the return out of its block, free the temporaries there, and return after that. */
static void free_before_return(Emitter *emitter, LLVMValueRef ret) {
    Routine *routine = emitter->routine;
    LLVMBasicBlockRef block = LLVMGetInstructionParent(ret);
    LLVMInstructionRemoveFromParent(ret);
    LLVMPositionBuilderAtEnd(emitter->builder, block);
    for (size_t i = 0; i < routine->temporaries.count; i++) {
        free_temporary(emitter, routine->temporaries.items[i]);
    }
    LLVMInsertIntoBuilder(emitter->builder, ret);
}

void emit_release_temporaries(Emitter *emitter) {
    Routine *routine = emitter->routine;
    if (routine->temporaries.count == 0) {
        return;
    }
    ARRAY_OF(LLVMValueRef) returns = {0};
    LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(routine->function);
    for (; block != NULL; block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
        if (last != NULL && LLVMIsAReturnInst(last) != NULL) {
            array_push(emitter->arena, &returns, last);
        }
    }
    for (size_t i = 0; i < returns.count; i++) {
        free_before_return(emitter, returns.items[i]);
    }
}
