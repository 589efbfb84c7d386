/* capture -- a name as a list of IR values: how arguments, free names and environments carry it.
 *
 * Owns:   the one rule that says which values a name needs in another routine.
 * Holds:  scalars that cannot change go by value; channels as Channel *; other objects as an
 *         address and an i32 for each open dimension; timers and known constants need nothing,
 *         except open arrays of timers: their counts, after an address that nobody reads. */
#include "emit.h"

static bool needs_nothing(const Symbol *symbol) {
    return symbol->constant != NULL || symbol->type == NULL ||
           (type_is_timer(symbol->type) && !type_has_open_dimension(symbol->type)) ||
           (symbol->kind == SYMBOL_VALUE && symbol->owner == NULL);
}

size_t capture_types(Emitter *emitter, const Symbol *symbol, LLVMTypeRef *types) {
    if (needs_nothing(symbol)) {
        return 0;
    }
    if (symbol_is_given_by_value(symbol)) {
        types[0] = lower_scalar(emitter, symbol->type);
        return 1;
    }
    size_t open = type_open_dimensions(symbol->type);
    types[0] = emitter->ptr;
    for (size_t i = 0; i < open; i++) {
        types[1 + i] = emitter->i32;
    }
    return 1 + open;
}

size_t capture_values(Emitter *emitter, Symbol *symbol, LLVMValueRef *values) {
    if (needs_nothing(symbol)) {
        return 0;
    }
    Binding *binding = emit_find_binding(emitter, symbol);
    if (symbol_is_given_by_value(symbol)) {
        values[0] = binding->is_value ? binding->value : emit_load(emitter, binding->place);
        return 1;
    }
    size_t open = type_open_dimensions(symbol->type);
    values[0] = binding->place.address;
    for (size_t i = 0; i < open; i++) {
        values[1 + i] = binding->place.counts[i];
    }
    return 1 + open;
}

void capture_bind(Emitter *emitter, Symbol *symbol, const LLVMValueRef *values) {
    if (needs_nothing(symbol)) {
        return;
    }
    if (symbol_is_given_by_value(symbol)) {
        emit_bind_value(emitter, symbol, values[0]);
        return;
    }
    Place place = {.address = values[0], .type = symbol->type};
    size_t open = type_open_dimensions(symbol->type);
    for (size_t i = 0; i < open; i++) {
        place.counts[i] = values[1 + i];
    }
    emit_bind_place(emitter, symbol, place);
}
