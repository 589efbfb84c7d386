/* mobile_resize -- RESIZE.MOBILE.ARRAY.1D (m, n): the first elements stay (language.md 2.9).
 *
 * Owns:   what becomes of the elements beyond the shorter of both arrays.
 * Leaves: the memory to the runtime, which keeps the block when the new array fits.
 * Holds:  the address that comes back must be another value to LLVM even when it is the same: the
 *         count it points to has changed (mobile.c). */
#include "layout_offsets.h"
#include "predefined.h"

/* max (0, left - right), as i32 counts. */
static LLVMValueRef excess(Emitter *emitter, LLVMValueRef left, LLVMValueRef right) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef is_more = LLVMBuildICmp(builder, LLVMIntUGT, left, right, "");
    LLVMValueRef more = LLVMBuildSub(builder, left, right, "");
    return LLVMBuildSelect(builder, is_more, more, emit_i32(emitter, 0), "excess");
}

/* The elements of `array` from `from` on, `count` of them. */
static Place tail(Emitter *emitter, Place array, LLVMValueRef from, LLVMValueRef count) {
    Place part = array;
    Place before = array;
    before.counts[0] = from;
    LLVMValueRef offset = emit_size_bytes(emitter, before);
    part.address = LLVMBuildGEP2(emitter->builder, emitter->i8, array.address, &offset, 1, "tail");
    part.counts[0] = count;
    return part;
}

static LLVMValueRef resized(Emitter *emitter, PredefinedCall *call, Place mobile,
                            LLVMValueRef object, const char *name) {
    LLVMValueRef count = call->operands[1];
    Place old = emit_object_content(emitter, mobile.type, object);
    if (type_owns(old.type)) {
        emit_release(emitter, tail(emitter, old, count, excess(emitter, old.counts[0], count)));
    }
    Place wanted = {.type = old.type, .counts = {count}};
    LLVMValueRef size = LLVMBuildNUWAdd(emitter->builder, emit_size_bytes(emitter, wanted),
                                        emit_i64(emitter, LAYOUT_MOBILE_DATA), "");
    LLVMValueRef arguments[] = {object, size, count,
                                emit_site(emitter, ERROR_NO_MEMORY, call->at, name)};
    LLVMValueRef moved = emit_runtime_call(emitter, RT_mobile_resize, arguments);
    Place content = wanted;
    content.address = emit_field(emitter, moved, LAYOUT_MOBILE_DATA, "");
    Place fresh = tail(emitter, content, old.counts[0], excess(emitter, count, old.counts[0]));
    LLVMBuildMemSet(emitter->builder, fresh.address, LLVMConstNull(emitter->i8),
                    emit_size_bytes(emitter, fresh), 1);
    return moved;
}

void predefined_resize(Emitter *emitter, PredefinedCall *call) {
    LLVMBuilderRef builder = emitter->builder;
    Node *actual = call->actuals->items[0];
    const char *name = emit_object_name(emitter, actual);
    LLVMValueRef count = call->operands[1];
    LLVMValueRef is_count = LLVMBuildICmp(builder, LLVMIntSGE, count, emit_i32(emitter, 0), "");
    emit_trap_unless(emitter, is_count, ERROR_MOBILE_COUNT, call->at, name, count, NULL, NULL);
    Place mobile = emit_target(emitter, actual);
    LLVMBasicBlockRef make = emit_block(emitter, "resize.make");
    LLVMBasicBlockRef keep = emit_block(emitter, "resize.keep");
    LLVMBasicBlockRef done = emit_block(emitter, "resize.done");
    LLVMValueRef object = emit_load(emitter, mobile);
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, object, ""), make, keep);
    emit_enter(emitter, make);
    emit_store(emitter, emit_fresh_object(emitter, mobile.type, &count, call->at, name), mobile);
    emit_jump(emitter, done);
    emit_enter(emitter, keep);
    emit_store(emitter, resized(emitter, call, mobile, object, name), mobile);
    emit_continue(emitter, done);
}
