/* access -- where an element lives: names, subscripts, fields, segments, channel ends.
 *
 * Owns:   addresses and their checks, the copying of whole objects.
 * Leaves: storage and bindings to storage.c, values that have no place of their own to table.c,
 *         other names of objects to abbreviation.c.
 * Holds:  a subscript costs one unsigned comparison; after it the index is known to be in
 *         0..count-1, and addresses are computed in 64 bits without wrapping. */
#include "emit_sharing.h"

typedef Place PlaceEmitter(Emitter *emitter, Node *element);

/* ---- names for reports ---- */

const char *emit_object_name(Emitter *emitter, Node *element) {
    switch (element->kind) {
    case NODE_NAME: return element->name.name->bytes;
    case NODE_SUBSCRIPT: return emit_object_name(emitter, element->subscript.base);
    case NODE_SEGMENT: return emit_object_name(emitter, element->segment.base);
    case NODE_END: return emit_object_name(emitter, element->end.channel);
    case NODE_MOVE: return emit_object_name(emitter, element->move.element);
    case NODE_CLONE: return emit_object_name(emitter, element->clone.operand);
    case NODE_FIELD: {
        const char *base = emit_object_name(emitter, element->field.base);
        const char *field = element->field.name->bytes;
        return base != NULL ? arena_format(emitter->arena, "%s[%s]", base, field) : field;
    }
    default: return NULL;
    }
}

/* ---- elements ---- */

/* Copy the counts of the dimensions inside dimension 0 of `from` to `counts`. */
static void copy_inner_counts(LLVMValueRef *counts, Place from) {
    unsigned next = type_base(from.type)->array.count == ARRAY_OPEN ? 1 : 0;
    const Type *type = type_base(type_element(from.type, 1));
    for (; type->kind == TYPE_ARRAY; type = type_base(type->array.element)) {
        if (type->array.count == ARRAY_OPEN) {
            *counts++ = from.counts[next++];
        }
    }
}

/* The address of element `index` (i32, in range) of the array, as i8 or scalar steps. */
static LLVMValueRef element_address(Emitter *emitter, Place array, Place element,
                                    LLVMValueRef index) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef wide = emit_widen_count(emitter, index);
    if (!type_has_open_dimension(element.type)) {
        LLVMTypeRef step = lower_object(emitter, element.type);
        if (!type_is_scalar(element.type) && type_size(element.type) == 0) {
            return array.address;
        }
        return LLVMBuildInBoundsGEP2(builder, step, array.address, &wide, 1, "");
    }
    LLVMValueRef offset = emit_multiply_size(emitter, wide, emit_size_bytes(emitter, element));
    return LLVMBuildInBoundsGEP2(builder, emitter->i8, array.address, &offset, 1, "");
}

Place emit_element_slot(Emitter *emitter, Place array, LLVMValueRef index) {
    Place element = {.type = type_element(array.type, 1)};
    copy_inner_counts(element.counts, array);
    element.address = element_address(emitter, array, element, index);
    return element;
}

Place emit_element(Emitter *emitter, Place array, LLVMValueRef index) {
    Place element = emit_element_slot(emitter, array, index);
    if (element.type->kind == TYPE_CHANNEL) {
        element.address = LLVMBuildLoad2(emitter->builder, emitter->ptr, element.address, "");
    }
    return element;
}

Place emit_field_place(Emitter *emitter, Place record, size_t index) {
    const TypeField *field = &type_base(record.type)->record.fields[index];
    Place place = {.type = field->type};
    place.address = emit_field(emitter, record.address, field->offset, "");
    return place;
}

/* ---- subscripts ---- */

static void check_subscript(Emitter *emitter, Node *subscript, LLVMValueRef index,
                            LLVMValueRef count) {
    if (LLVMIsConstant(index) && LLVMIsConstant(count) &&
        LLVMConstIntGetZExtValue(index) < LLVMConstIntGetZExtValue(count)) {
        return;
    }
    bool is_empty = LLVMIsConstant(count) && LLVMIsNull(count);
    LLVMValueRef in_range = LLVMBuildICmp(emitter->builder, LLVMIntULT, index, count, "");
    LLVMValueRef last = LLVMBuildSub(emitter->builder, count, emit_i32(emitter, 1), "");
    emit_trap_unless(emitter, in_range, is_empty ? ERROR_INDEX_EMPTY : ERROR_INDEX, subscript->at,
                     emit_object_name(emitter, subscript), index, last, NULL);
}

/* An undefined mobile array has no elements: then that is the error. */
static void check_mobile_subscript(Emitter *emitter, Node *subscript, Place array,
                                   LLVMValueRef index) {
    if (!emitter->options->checks) {
        return;
    }
    LLVMBasicBlockRef failed = emit_block(emitter, "check.failed");
    LLVMBasicBlockRef passed = emit_block(emitter, "check.passed");
    LLVMValueRef count = emit_count(emitter, array);
    LLVMValueRef in_range = LLVMBuildICmp(emitter->builder, LLVMIntULT, index, count, "");
    LLVMBuildCondBr(emitter->builder, in_range, passed, failed);
    emit_enter(emitter, failed);
    emit_trap_unless(emitter, emit_is_something(emitter, array), ERROR_UNDEFINED_MOBILE,
                     subscript->at, emit_object_name(emitter, subscript->subscript.base), NULL,
                     NULL, NULL);
    check_subscript(emitter, subscript, index, count);
    emit_continue(emitter, passed);
}

static Place subscript_place(Emitter *emitter, Node *node) {
    Place array = emit_data_place(emitter, node->subscript.base);
    LLVMValueRef index = emit_scalar(emitter, node->subscript.index);
    if (type_is_mobile(node->subscript.base->type) && type_has_open_dimension(array.type)) {
        check_mobile_subscript(emitter, node, array, index);
        return emit_element(emitter, array, index);
    }
    check_subscript(emitter, node, index, emit_count(emitter, array));
    return emit_element(emitter, array, index);
}

static Place field_place(Emitter *emitter, Node *node) {
    if (type_is_bundle_end(node->field.base->type)) {
        return emit_bundle_field(emitter, node);
    }
    Place record = emit_data_place(emitter, node->field.base);
    return emit_field_place(emitter, record, (size_t)node->field.index);
}

/* ---- segments: [a FROM from FOR length] lies in a when from <= count and length <= count - from,
 * both unsigned, so that negative bounds fail too ---- */

static bool is_known_below(LLVMValueRef value, LLVMValueRef limit) {
    return LLVMIsConstant(value) && LLVMIsConstant(limit) &&
           LLVMConstIntGetZExtValue(value) <= LLVMConstIntGetZExtValue(limit);
}

static void check_segment(Emitter *emitter, Node *node, LLVMValueRef from, LLVMValueRef length,
                          LLVMValueRef count) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef rest = LLVMBuildSub(builder, count, from, "");
    if (is_known_below(from, count) && is_known_below(length, rest)) {
        return;
    }
    LLVMValueRef starts = LLVMBuildICmp(builder, LLVMIntULE, from, count, "");
    LLVMValueRef ends = LLVMBuildICmp(builder, LLVMIntULE, length, rest, "");
    LLVMValueRef inside = LLVMBuildAnd(builder, starts, ends, "");
    LLVMValueRef last = LLVMBuildSub(builder, count, emit_i32(emitter, 1), "");
    emit_trap_unless(emitter, inside, ERROR_SEGMENT, node->at, emit_object_name(emitter, node),
                     from, length, last);
}

/* The type holds what is known at compile time: a constant length makes a fixed dimension. */
Place emit_segment(Emitter *emitter, Place array, LLVMValueRef from, LLVMValueRef length) {
    bool is_fixed = LLVMIsConstant(length);
    int64_t count = is_fixed ? (int64_t)LLVMConstIntGetZExtValue(length) : ARRAY_OPEN;
    Place element = {.type = type_element(array.type, 1)};
    copy_inner_counts(element.counts, array);
    Place segment = {.type = type_array(emitter->arena, element.type, count)};
    segment.address = element_address(emitter, array, element, from);
    if (!is_fixed) {
        segment.counts[0] = length;
    }
    copy_inner_counts(segment.counts + (is_fixed ? 0 : 1), array);
    return segment;
}

static Place segment_place(Emitter *emitter, Node *node) {
    Place array = emit_data_place(emitter, node->segment.base);
    LLVMValueRef count = emit_count(emitter, array);
    LLVMValueRef from = node->segment.from != NULL ? emit_scalar(emitter, node->segment.from)
                                                   : emit_i32(emitter, 0);
    LLVMValueRef length = node->segment.length != NULL
                              ? emit_scalar(emitter, node->segment.length)
                              : LLVMBuildSub(emitter->builder, count, from, "");
    check_segment(emitter, node, from, length, count);
    return emit_segment(emitter, array, from, length);
}

/* ---- names and other elements ---- */

static Place scalar_in_memory(Emitter *emitter, LLVMValueRef value, const Type *type, Location at) {
    Place place = emit_temporary(emitter, type, at);
    emit_store(emitter, value, place);
    return place;
}

static Place name_place(Emitter *emitter, Node *node) {
    Symbol *symbol = node->name.symbol;
    if (type_is_timer(symbol->type) && !type_has_open_dimension(symbol->type)) {
        return emit_no_place(emitter, symbol->type);
    }
    Binding *binding = emit_find_binding(emitter, symbol);
    if (binding->is_value) {
        return scalar_in_memory(emitter, binding->value, symbol->type, node->at);
    }
    return binding->place;
}

static Place end_place(Emitter *emitter, Node *node) {
    return emit_data_place(emitter, node->end.channel);
}

/* An expression of some data type: a constant, or a value put in a temporary. */
static Place value_place(Emitter *emitter, Node *expression) {
    if (type_is_scalar(expression->type)) {
        LLVMValueRef value = emit_scalar(emitter, expression);
        return scalar_in_memory(emitter, value, expression->type, expression->at);
    }
    if (expression->constant != NULL) {
        Place place = emit_constant_place(emitter, expression->constant);
        place.type = expression->type;
        return place;
    }
    if (expression->kind == NODE_TABLE && type_is_channel(expression->type)) {
        return emit_channel_table(emitter, expression);
    }
    if (type_owns(expression->type)) {
        Place owned = emit_owned_temporary(emitter, expression->type, expression->at);
        emit_into(emitter, expression, owned);
        return owned;
    }
    if (type_has_open_dimension(expression->type)) {
        emit_not_supported(emitter, expression->at, "array expression of unknown size");
        return emit_no_place(emitter, expression->type);
    }
    Place place = emit_temporary(emitter, expression->type, expression->at);
    emit_into(emitter, expression, place);
    return place;
}

Place emit_no_place(Emitter *emitter, const Type *type) {
    Place place = {.address = LLVMGetUndef(emitter->ptr), .type = type};
    for (unsigned i = 0; i < MAX_RANK; i++) {
        place.counts[i] = emit_i32(emitter, 0);
    }
    return place;
}

static PlaceEmitter *element_emitter(const Node *element) {
    switch (element->kind) {
    case NODE_NAME: return name_place;
    case NODE_SUBSCRIPT: return subscript_place;
    case NODE_FIELD: return field_place;
    case NODE_SEGMENT: return segment_place;
    case NODE_END: return end_place;
    default: return value_place;
    }
}

Place emit_place(Emitter *emitter, Node *element) {
    return element_emitter(element)(emitter, element);
}

bool emit_is_element(const Node *expression) {
    return element_emitter(expression) != value_place;
}

LLVMValueRef emit_channel(Emitter *emitter, Node *channel) {
    return emit_place(emitter, channel).address;
}

/* ---- copies ---- */

static void check_same_counts(Emitter *emitter, Place to, Place from, Location at) {
    unsigned rank = type_rank(to.type);
    for (unsigned i = 0; i < rank && i < type_rank(from.type); i++) {
        LLVMValueRef wanted = emit_place_count(emitter, to, i);
        LLVMValueRef given = emit_place_count(emitter, from, i);
        if (wanted != given) {
            LLVMValueRef same = LLVMBuildICmp(emitter->builder, LLVMIntEQ, wanted, given, "");
            emit_trap_unless(emitter, same, ERROR_SIZE_MISMATCH, at, NULL, given, wanted, NULL);
        }
    }
}

typedef LLVMValueRef BytesCopy(LLVMBuilderRef builder, LLVMValueRef to, unsigned to_align,
                               LLVMValueRef from, unsigned from_align, LLVMValueRef size);

static void copy_by(Emitter *emitter, Place to, Place from, Location at, BytesCopy *copy) {
    if (type_is_scalar(to.type)) {
        emit_store(emitter, emit_load(emitter, from), to);
        return;
    }
    check_same_counts(emitter, to, from, at);
    copy(emitter->builder, to.address, 1, from.address, 1, emit_size_bytes(emitter, to));
}

void emit_copy(Emitter *emitter, Place to, Place from, Location at) {
    copy_by(emitter, to, from, at, LLVMBuildMemCpy);
}

void emit_copy_over(Emitter *emitter, Place to, Place from, Location at) {
    copy_by(emitter, to, from, at, LLVMBuildMemMove);
}
