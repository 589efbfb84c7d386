/* instruction -- blocks, constants, globals and fields, for every file that emits code.
 *
 * Holds:  a block that was terminated is never emitted into; fields are those of layout.def. */
#include "emit.h"

#include "llvm_compat.h"

/* ---- blocks and constants ---- */

LLVMBasicBlockRef emit_block(Emitter *emitter, const char *name) {
    return LLVMAppendBasicBlockInContext(emitter->context, emitter->routine->function, name);
}

bool emit_is_terminated(Emitter *emitter) {
    return LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(emitter->builder)) != NULL;
}

void emit_enter(Emitter *emitter, LLVMBasicBlockRef block) {
    LLVMMoveBasicBlockAfter(block, LLVMGetLastBasicBlock(emitter->routine->function));
    LLVMPositionBuilderAtEnd(emitter->builder, block);
}

void emit_jump(Emitter *emitter, LLVMBasicBlockRef block) {
    if (!emit_is_terminated(emitter)) {
        LLVMBuildBr(emitter->builder, block);
    }
}

void emit_continue(Emitter *emitter, LLVMBasicBlockRef block) {
    emit_jump(emitter, block);
    emit_enter(emitter, block);
}

LLVMValueRef emit_merge(Emitter *emitter, LLVMBasicBlockRef block, LLVMValueRef other,
                        LLVMBasicBlockRef other_from, LLVMValueRef here, const char *name) {
    LLVMValueRef values[] = {other, here};
    LLVMBasicBlockRef blocks[] = {other_from, LLVMGetInsertBlock(emitter->builder)};
    emit_continue(emitter, block);
    LLVMValueRef phi = LLVMBuildPhi(emitter->builder, LLVMTypeOf(other), name);
    LLVMAddIncoming(phi, values, blocks, 2);
    return phi;
}

LLVMValueRef emit_call_of(Emitter *emitter, LLVMValueRef function, LLVMValueRef *arguments,
                          unsigned count) {
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    return LLVMBuildCall2(emitter->builder, type, function, arguments, count, "");
}

/* Not at -O0, where nobody reads them. */
void emit_branch_weights(Emitter *emitter, LLVMValueRef branch, uint32_t taken,
                         uint32_t not_taken) {
    if (emitter->options->optimisation > 0) {
        compat_set_branch_weights(emitter->context, branch, taken, not_taken);
    }
}

LLVMValueRef emit_i32(Emitter *emitter, int64_t value) {
    return LLVMConstInt(emitter->i32, (unsigned long long)value, 1);
}

LLVMValueRef emit_i64(Emitter *emitter, int64_t value) {
    return LLVMConstInt(emitter->i64, (unsigned long long)value, 1);
}

LLVMValueRef emit_constant_global(Emitter *emitter, LLVMValueRef value, const char *name) {
    LLVMValueRef global = LLVMAddGlobal(emitter->module, LLVMTypeOf(value), name);
    LLVMSetInitializer(global, value);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetGlobalConstant(global, 1);
    return global;
}

/* ---- fields ---- */

LLVMValueRef emit_field(Emitter *emitter, LLVMValueRef base, unsigned offset, const char *name) {
    if (offset == 0) {
        return base;
    }
    LLVMValueRef index = emit_i64(emitter, offset);
    return LLVMBuildInBoundsGEP2(emitter->builder, emitter->i8, base, &index, 1, name);
}

LLVMValueRef emit_load_field(Emitter *emitter, LLVMTypeRef type, LLVMValueRef base, unsigned offset,
                             const char *name) {
    LLVMValueRef field = emit_field(emitter, base, offset, "");
    return LLVMBuildLoad2(emitter->builder, type, field, name);
}

LLVMValueRef emit_store_field(Emitter *emitter, LLVMValueRef value, LLVMValueRef base,
                              unsigned offset) {
    return LLVMBuildStore(emitter->builder, value, emit_field(emitter, base, offset, ""));
}

LLVMValueRef emit_load_pointer(Emitter *emitter, LLVMValueRef base, unsigned offset,
                               const char *name) {
    return emit_load_field(emitter, emitter->ptr, base, offset, name);
}

/* ---- the frame ---- */

LLVMValueRef emit_alloca(Emitter *emitter, LLVMTypeRef type, const char *name) {
    LLVMBasicBlockRef here = LLVMGetInsertBlock(emitter->builder);
    LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(emitter->builder);
    LLVMPositionBuilderAtEnd(emitter->builder, emitter->routine->entry);
    LLVMSetCurrentDebugLocation2(emitter->builder, NULL);
    LLVMValueRef slot = LLVMBuildAlloca(emitter->builder, type, name);
    LLVMPositionBuilderAtEnd(emitter->builder, here);
    LLVMSetCurrentDebugLocation2(emitter->builder, location);
    return slot;
}
