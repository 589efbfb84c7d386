/* constant_data -- values the checks worked out, as LLVM constants.
 *
 * Owns:   constants in registers and the read-only globals of constant arrays and records.
 * Leaves: how such values are computed to frontend/types/constant.h.
 * Holds:  one global for the same bytes, however often and wherever they are written: a routine
 *         whose calls pass equal tables is seen to have one argument, and is specialised to it. */
#include "emit.h"

#define GLOBAL_ALIGNMENT 16
#define FIRST_CAPACITY   64

/* ConstantGlobals -- a map to globals from what each was made for: a Constant *, or its bytes as an
 * LLVM constant (LLVM has one for equal bytes). Open addressing, capacity a power of two. */
typedef struct ConstantGlobals {
    const void **keys;
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

static size_t find_slot(const ConstantGlobals *globals, const void *key) {
    size_t mask = globals->capacity - 1;
    size_t slot = ((uintptr_t)key >> 4) * 0x9E3779B9u & mask;
    while (globals->keys[slot] != NULL && globals->keys[slot] != key) {
        slot = (slot + 1) & mask;
    }
    return slot;
}

static void grow(Emitter *emitter, ConstantGlobals *globals) {
    ConstantGlobals old = *globals;
    globals->capacity = old.capacity == 0 ? FIRST_CAPACITY : old.capacity * 2;
    globals->keys = arena_new_array(emitter->arena, const void *, globals->capacity);
    globals->globals = arena_new_array(emitter->arena, LLVMValueRef, globals->capacity);
    for (size_t i = 0; i < old.capacity; i++) {
        if (old.keys[i] != NULL) {
            size_t slot = find_slot(globals, old.keys[i]);
            globals->keys[slot] = old.keys[i];
            globals->globals[slot] = old.globals[i];
        }
    }
}

/* The slot of the global for that key; it may still be empty. */
static LLVMValueRef *global_of(Emitter *emitter, const void *key) {
    ConstantGlobals *globals = emitter->constants;
    if (2 * globals->count >= globals->capacity) {
        grow(emitter, globals);
    }
    size_t slot = find_slot(globals, key);
    if (globals->keys[slot] == NULL) {
        globals->keys[slot] = key;
        globals->count++;
    }
    return &globals->globals[slot];
}

static LLVMValueRef make_global(Emitter *emitter, LLVMValueRef bytes, size_t size) {
    LLVMValueRef global = emit_constant_global(emitter, bytes, "constant");
    LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
    LLVMSetAlignment(global, size >= GLOBAL_ALIGNMENT ? GLOBAL_ALIGNMENT : 4);
    return global;
}

static LLVMValueRef global_of_bytes(Emitter *emitter, const Constant *constant) {
    size_t size = (size_t)constant->image.size_bytes;
    LLVMValueRef bytes = LLVMConstStringInContext2(
        emitter->context, (const char *)constant->image.bytes, size, /* DontNullTerminate */ 1);
    LLVMValueRef *global = global_of(emitter, bytes);
    if (*global == NULL) {
        *global = make_global(emitter, bytes, size);
    }
    return *global;
}

Place emit_constant_place(Emitter *emitter, const Constant *constant) {
    if (emitter->constants == NULL) {
        emitter->constants = arena_new(emitter->arena, ConstantGlobals);
    }
    LLVMValueRef global = *global_of(emitter, constant);
    if (global == NULL) {
        global = global_of_bytes(emitter, constant); /* which may move the table */
        *global_of(emitter, constant) = global;
    }
    return (Place){.address = global, .type = constant->type};
}
