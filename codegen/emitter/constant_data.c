/* constant_data -- values the checks worked out, as LLVM constants.
 *
 * Owns:   constants in registers and the read-only globals of constant arrays and records.
 * Leaves: how such values are computed to frontend/types/constant.h.
 * Holds:  one global for each Constant, however often it is used. */
#include "emit.h"

#define GLOBAL_ALIGNMENT 16
#define FIRST_CAPACITY   64

/* ConstantGlobals -- Constant * to its global: open addressing, capacity a power of two. */
typedef struct ConstantGlobals {
    const Constant **keys;
    LLVMValueRef *globals;
    size_t capacity;
    size_t count;
} ConstantGlobals;

LLVMValueRef emit_constant_scalar(Emitter *emitter, const Constant *constant) {
    LLVMTypeRef type = lower_scalar(emitter, constant->type);
    if (type_is_real(constant->type)) {
        return LLVMConstReal(type, constant->real);
    }
    return LLVMConstInt(type, (unsigned long long)constant->integer, 1);
}

/* ---- the globals ---- */

static size_t find_slot(const ConstantGlobals *globals, const Constant *constant) {
    size_t mask = globals->capacity - 1;
    size_t slot = ((uintptr_t)constant >> 4) * 0x9E3779B9u & mask;
    while (globals->keys[slot] != NULL && globals->keys[slot] != constant) {
        slot = (slot + 1) & mask;
    }
    return slot;
}

static void grow(Emitter *emitter, ConstantGlobals *globals) {
    ConstantGlobals old = *globals;
    globals->capacity = old.capacity == 0 ? FIRST_CAPACITY : old.capacity * 2;
    globals->keys = arena_new_array(emitter->arena, const Constant *, globals->capacity);
    globals->globals = arena_new_array(emitter->arena, LLVMValueRef, globals->capacity);
    for (size_t i = 0; i < old.capacity; i++) {
        if (old.keys[i] != NULL) {
            size_t slot = find_slot(globals, old.keys[i]);
            globals->keys[slot] = old.keys[i];
            globals->globals[slot] = old.globals[i];
        }
    }
}

static LLVMValueRef make_global(Emitter *emitter, const Constant *constant) {
    size_t size = (size_t)constant->image.size_bytes;
    LLVMValueRef bytes = LLVMConstStringInContext2(
        emitter->context, (const char *)constant->image.bytes, size, /* DontNullTerminate */ 1);
    LLVMValueRef global = LLVMAddGlobal(emitter->module, LLVMTypeOf(bytes), "constant");
    LLVMSetInitializer(global, bytes);
    LLVMSetGlobalConstant(global, 1);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
    LLVMSetAlignment(global, size >= GLOBAL_ALIGNMENT ? GLOBAL_ALIGNMENT : 4);
    return global;
}

Place emit_constant_place(Emitter *emitter, const Constant *constant) {
    if (emitter->constants == NULL) {
        emitter->constants = arena_new(emitter->arena, ConstantGlobals);
    }
    ConstantGlobals *globals = emitter->constants;
    if (2 * globals->count >= globals->capacity) {
        grow(emitter, globals);
    }
    size_t slot = find_slot(globals, constant);
    if (globals->keys[slot] == NULL) {
        globals->keys[slot] = constant;
        globals->globals[slot] = make_global(emitter, constant);
        globals->count++;
    }
    return (Place){.address = globals->globals[slot], .type = constant->type};
}
