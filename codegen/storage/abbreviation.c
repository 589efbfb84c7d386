/* abbreviation -- IS, VAL, INITIAL, RESULT, RETYPES, RESHAPES.
 *
 * Owns:   what a name introduced by an abbreviation is bound to.
 * Leaves: storage to storage.c and temporary.c, the alias rules to frontend/usage/check_alias.c.
 * Holds:  a reference, RESULT, or VAL of an element is another name for its memory: the checks
 *         forbid changing what a VAL abbreviation names while it is in scope. A scalar VAL is a
 *         register, INITIAL a copy. RETYPES gives the same bytes another type; open sizes are
 *         compared at run time. */
#include "emit.h"

/* ---- a place seen as another type of the same shape ---- */

static Place place_as(Emitter *emitter, Place from, const Type *type, Location at) {
    if (type_is_mobile(type)) {
        return from;
    }
    Place place = {.address = from.address, .type = type};
    emit_counts_for(emitter, type, from, at, place.counts);
    return place;
}

/* ---- RETYPES, RESHAPES ---- */

/* The bytes of the type without its open dimension; false: it has more than one of those. */
static bool open_and_rest(const Type *type, uint64_t *rest) {
    unsigned open = 0;
    *rest = type_size(type_leaf(type));
    const Type *base = type_base(type);
    for (; base->kind == TYPE_ARRAY; base = type_base(base->array.element)) {
        if (base->array.count == ARRAY_OPEN) {
            open++;
        } else {
            *rest *= (uint64_t)base->array.count;
        }
    }
    return open == 1;
}

/* The count of the open dimension: it takes all bytes of `from`, which must divide evenly. */
static LLVMValueRef inferred_count(Emitter *emitter, LLVMValueRef size, uint64_t rest,
                                   Location at) {
    LLVMBuilderRef builder = emitter->builder;
    if (rest == 0) {
        return emit_i32(emitter, 0);
    }
    LLVMValueRef unit = emit_i64(emitter, (int64_t)rest);
    LLVMValueRef left_over = LLVMBuildURem(builder, size, unit, "");
    LLVMValueRef divides = LLVMBuildIsNull(builder, left_over, "");
    if (!LLVMIsConstant(divides)) {
        emit_trap_unless(emitter, divides, ERROR_SIZE_MISMATCH, at, NULL, size, unit, NULL);
    }
    LLVMValueRef count = LLVMBuildUDiv(builder, size, unit, "");
    return LLVMBuildTrunc(builder, count, emitter->i32, "");
}

/* ---- sizes that are known only at run time ---- */

/* bytes * count; a negative count, or more bytes than there can be, is an error. */
static LLVMValueRef times_count(Emitter *emitter, LLVMValueRef bytes, LLVMValueRef count,
                                LLVMValueRef size, Location at) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef is_count = LLVMBuildICmp(builder, LLVMIntSGE, count, emit_i32(emitter, 0), "");
    emit_trap_unless(emitter, is_count, ERROR_COUNT, at, NULL, count, emit_i32(emitter, INT32_MAX),
                     NULL);
    LLVMValueRef operands[] = {bytes, emit_widen_count(emitter, count)};
    LLVMValueRef both =
        emit_intrinsic(emitter, "llvm.umul.with.overflow", emitter->i64, operands, 2);
    LLVMValueRef product = LLVMBuildExtractValue(builder, both, 0, "");
    LLVMValueRef overflows = LLVMBuildExtractValue(builder, both, 1, "");
    emit_trap_if(emitter, overflows, ERROR_SIZE_MISMATCH, at, NULL, size,
                 emit_i64(emitter, INT64_MAX), NULL);
    return product;
}

/* The open dimension: the bytes that are left, which must divide evenly. */
static LLVMValueRef found_count(Emitter *emitter, LLVMValueRef size, LLVMValueRef rest,
                                Location at) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef is_empty = LLVMBuildIsNull(builder, rest, "");
    LLVMValueRef unit =
        LLVMBuildSelect(builder, is_empty, emit_i64(emitter, INT64_MAX), rest, "unit");
    LLVMValueRef left_over = LLVMBuildURem(builder, size, unit, "");
    LLVMValueRef divides = LLVMBuildIsNull(builder, left_over, "");
    emit_trap_unless(emitter, divides, ERROR_SIZE_MISMATCH, at, NULL, size, rest, NULL);
    LLVMValueRef count = LLVMBuildUDiv(builder, size, unit, "");
    return LLVMBuildTrunc(builder, count, emitter->i32, "");
}

/* [n][m]T and [n][]T, where n or m is known only at run time. */
static Place retyped_by_sizes(Emitter *emitter, Place from, const Type *type, Node *type_expr,
                              Location at) {
    Place place = {.address = from.address, .type = type};
    LLVMValueRef size = emit_size_bytes(emitter, from);
    uint64_t fixed;
    open_and_rest(type, &fixed);
    LLVMValueRef bytes = emit_i64(emitter, (int64_t)fixed);
    unsigned open = 0;
    LLVMValueRef *found = NULL;
    for (Node *node = type_expr; node->kind == NODE_TYPE_ARRAY; node = node->type_array.element) {
        Node *written = node->type_array.size;
        if (written && written->constant) {
            continue;
        }
        LLVMValueRef *count = &place.counts[open++];
        if (!written) {
            found = count;
            continue;
        }
        *count = emit_scalar(emitter, written);
        bytes = times_count(emitter, bytes, *count, size, written->at);
    }
    if (found) {
        *found = found_count(emitter, size, bytes, at);
        return place;
    }
    LLVMValueRef same = LLVMBuildICmp(emitter->builder, LLVMIntEQ, size, bytes, "");
    emit_trap_unless(emitter, same, ERROR_SIZE_MISMATCH, at, NULL, size, bytes, NULL);
    return place;
}

static bool has_run_size(const Node *type_expr) {
    for (const Node *at = type_expr; at && at->kind == NODE_TYPE_ARRAY;
         at = at->type_array.element) {
        if (at->type_array.size && !at->type_array.size->constant) {
            return true;
        }
    }
    return false;
}

static Place retyped(Emitter *emitter, Place from, const Type *type, Node *type_expr, Location at) {
    Place place = {.address = from.address, .type = type};
    uint64_t rest;
    if (type_is_channel(type) && !type_protocols_agree(type_leaf(from.type), type_leaf(type))) {
        emit_error(emitter, ERROR_PROTOCOL, at, NULL, NULL);
    }
    if (type->kind == TYPE_CHANNEL) {
        return place_as(emitter, from, type, at);
    }
    if (has_run_size(type_expr)) {
        return retyped_by_sizes(emitter, from, type, type_expr, at);
    }
    LLVMValueRef size = emit_size_bytes(emitter, from);
    if (open_and_rest(type, &rest)) {
        place.counts[0] = inferred_count(emitter, size, rest, at);
        return place;
    }
    if (type_has_open_dimension(type)) {
        emit_not_supported(emitter, at, "RETYPES to several open dimensions");
        return emit_no_place(emitter, type);
    }
    LLVMValueRef wanted = emit_i64(emitter, (int64_t)type_size(type));
    LLVMValueRef same = LLVMBuildICmp(emitter->builder, LLVMIntEQ, size, wanted, "");
    if (!LLVMIsConstant(same)) {
        emit_trap_unless(emitter, same, ERROR_SIZE_MISMATCH, at, NULL, size, wanted, NULL);
    }
    return place;
}

/* ---- the modes ---- */

static void bind_object(Emitter *emitter, Symbol *symbol, Place place, LLVMValueRef heap) {
    Binding *binding = emit_bind_place(emitter, symbol, place);
    binding->heap = heap;
    debug_variable(emitter, symbol, binding, 0);
}

static void bind_scalar(Emitter *emitter, Symbol *symbol, LLVMValueRef value) {
    debug_variable(emitter, symbol, emit_bind_value(emitter, symbol, value), 0);
}

/* INITIAL []T x IS e: the size is that of the value. */
static void bind_initial_open(Emitter *emitter, Symbol *symbol, Node *value) {
    Place from = emit_data_place(emitter, value);
    Place place = place_as(emitter, from, symbol->type, symbol->at);
    place = emit_heap_copy(emitter, place, symbol->at, symbol->name->bytes);
    bind_object(emitter, symbol, place, place.address);
}

static void bind_initial(Emitter *emitter, Symbol *symbol, Node *value) {
    if (type_has_open_dimension(symbol->type)) {
        bind_initial_open(emitter, symbol, value);
        return;
    }
    LLVMValueRef heap;
    Place place = emit_object(emitter, symbol->type, symbol->name->bytes, &heap, symbol->at);
    emit_into(emitter, value, place);
    bind_object(emitter, symbol, place, heap);
}

static Place source_place(Emitter *emitter, Node *abbreviation, const Type *type) {
    Node *value = abbreviation->abbreviation.value;
    bool is_written = abbreviation->abbreviation.mode != ABBREVIATION_VAL;
    Place from = is_written ? emit_target(emitter, value) : emit_place(emitter, value);
    if (!type_is_mobile(type)) {
        bool was_target = emitter->is_target;
        emitter->is_target = is_written;
        from = emit_content(emitter, from, value);
        emitter->is_target = was_target;
    }
    Symbol *symbol = abbreviation->abbreviation.def->def.symbol;
    emit_enter_abbreviation(emitter, symbol,
                            type_is_channel(type) ? emit_named_ends(emitter, value, from,
                                                                    symbol_direction(symbol, value))
                                                  : emit_named_place(value, from, is_written));
    return abbreviation->abbreviation.form == FORM_IS
               ? place_as(emitter, from, type, value->at)
               : retyped(emitter, from, type, abbreviation->abbreviation.type_expr, value->at);
}

static void bind_val(Emitter *emitter, Node *abbreviation, Symbol *symbol) {
    if (!type_is_scalar(symbol->type)) {
        bind_object(emitter, symbol, source_place(emitter, abbreviation, symbol->type), NULL);
    } else if (abbreviation->abbreviation.form == FORM_IS) {
        bind_scalar(emitter, symbol, emit_scalar(emitter, abbreviation->abbreviation.value));
    } else {
        Place place = source_place(emitter, abbreviation, symbol->type);
        bind_scalar(emitter, symbol, emit_load(emitter, place));
    }
}

void emit_abbreviation(Emitter *emitter, Node *abbreviation) {
    Symbol *symbol = abbreviation->abbreviation.def->def.symbol;
    if (symbol->constant != NULL || emitter->routine == NULL) {
        return; /* at the outermost level a VAL is evaluated where it is used (storage.c) */
    }
    if (type_is_timer(symbol->type)) {
        Node *value = abbreviation->abbreviation.value;
        Place timers = emit_place(emitter, value);
        emit_bind_place(emitter, symbol, place_as(emitter, timers, symbol->type, value->at));
        return;
    }
    switch (abbreviation->abbreviation.mode) {
    case ABBREVIATION_VAL: bind_val(emitter, abbreviation, symbol); break;
    case ABBREVIATION_INITIAL:
        bind_initial(emitter, symbol, abbreviation->abbreviation.value);
        break;
    case ABBREVIATION_REFERENCE:
    case ABBREVIATION_RESULT:
        bind_object(emitter, symbol, source_place(emitter, abbreviation, symbol->type), NULL);
        break;
    }
}
