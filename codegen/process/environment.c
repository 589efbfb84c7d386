/* environment -- see the header. */
#include "environment.h"

static size_t *place_of(Environment *environment, const Symbol *symbol) {
    void **slot = name_map_at(&environment->places, &symbol, sizeof symbol);
    if (*slot == NULL) {
        *slot = arena_new(environment->places.arena, size_t);
    }
    return *slot;
}

void environment_add(Emitter *emitter, Environment *environment, const ParInfo *info, size_t part) {
    for (size_t i = 0; i < info->captured[part].count; i++) {
        Symbol *symbol = info->captured[part].items[i];
        size_t *place = place_of(environment, symbol);
        if (*place == 0) {
            array_push(emitter->arena, &environment->names, symbol);
            *place = environment->names.count;
        }
    }
}

static LLVMTypeRef in_memory(Emitter *emitter, LLVMTypeRef type) {
    return type == emitter->i1 ? emitter->i8 : type;
}

void environment_lay_out(Emitter *emitter, Environment *environment, unsigned header) {
    LLVMTypeRef types[CAPTURE_MAX];
    unsigned size = header;
    environment->offsets = arena_new_array(emitter->arena, unsigned, environment->names.count);
    for (size_t i = 0; i < environment->names.count; i++) {
        environment->offsets[i] = size;
        size += 8 * (unsigned)capture_types(emitter, environment->names.items[i], types);
    }
    environment->record =
        emit_alloca(emitter, LLVMArrayType2(emitter->i64, size / 8), "environment");
}

void environment_fill(Emitter *emitter, Environment *environment) {
    LLVMValueRef values[CAPTURE_MAX];
    for (size_t i = 0; i < environment->names.count; i++) {
        size_t count = capture_values(emitter, environment->names.items[i], values);
        for (size_t k = 0; k < count; k++) {
            LLVMValueRef value = values[k];
            if (LLVMTypeOf(value) == emitter->i1) {
                value = LLVMBuildZExt(emitter->builder, value, emitter->i8, "");
            }
            unsigned offset = environment->offsets[i] + 8 * (unsigned)k;
            LLVMBuildStore(emitter->builder, value,
                           emit_field(emitter, environment->record, offset, ""));
        }
    }
}

/* Binds only the names of this part: a PAR may have hundreds, and most parts use one or two. */
void environment_bind(Emitter *emitter, Environment *environment, const ParInfo *info, size_t part,
                      unsigned argument) {
    LLVMTypeRef types[CAPTURE_MAX];
    LLVMValueRef values[CAPTURE_MAX];
    LLVMValueRef record = LLVMGetParam(emitter->routine->function, 1);
    for (size_t i = 0; i < info->captured[part].count; i++) {
        Symbol *symbol = info->captured[part].items[i];
        size_t count = capture_types(emitter, symbol, types);
        unsigned first = environment->offsets[*place_of(environment, symbol) - 1];
        for (size_t k = 0; k < count; k++) {
            LLVMValueRef slot = emit_field(emitter, record, first + 8 * (unsigned)k, "");
            LLVMTypeRef memory = in_memory(emitter, types[k]);
            values[k] = LLVMBuildLoad2(emitter->builder, memory, slot, symbol->name->bytes);
            if (memory != types[k]) {
                values[k] = LLVMBuildTrunc(emitter->builder, values[k], types[k], "");
            }
        }
        if (count > 0) { /* a timer has no value */
            capture_bind(emitter, symbol, values);
            Binding *binding = emit_find_binding(emitter, symbol);
            debug_variable(emitter, symbol, binding, argument + (unsigned)i);
        }
    }
}
