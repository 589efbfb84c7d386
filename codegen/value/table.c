/* table -- values that live in memory: tables, strings, records, constructors, results.
 *
 * Owns:   emit_into: the writing of any data value to a given place.
 * Leaves: scalars to expression.c, copies of what has a place already to access.c.
 * Holds:  the expression does not read the place written to (assignment.c sees to that); parts
 *         are written in textual order. */
#include "emit.h"

/* A part of a table or record: [i] of an array, field i of a record. */
static Place part_place(Emitter *emitter, Place whole, size_t i) {
    if (type_is_array(whole.type)) {
        return emit_element(emitter, whole, emit_i32(emitter, (int64_t)i));
    }
    return emit_field_place(emitter, whole, i);
}

static void table_into(Emitter *emitter, Node *table, Place to) {
    const NodeList *items = &table->table.items;
    for (size_t i = 0; i < items->count; i++) {
        emit_into(emitter, items->items[i], part_place(emitter, to, i));
    }
}

static void constructor_into(Emitter *emitter, Node *constructor, Place to) {
    ReplicatorLoop loop;
    emit_replicator_values(emitter, constructor->constructor.replicator, &loop);
    emit_replicator_begin(emitter, constructor->constructor.replicator, &loop);
    emit_into(emitter, constructor->constructor.value, emit_element(emitter, to, loop.iteration));
    emit_replicator_end(emitter, &loop);
}

static void valof_into(Emitter *emitter, Node *valof, Place to) {
    LLVMValueRef none = NULL;
    emit_valof(emitter, valof, &to, &none, 1);
}

static void conversion_into(Emitter *emitter, Node *conversion, Place to) {
    to.type = conversion->conversion.operand->type;
    emit_into(emitter, conversion->conversion.operand, to);
}

static void user_operator_into(Emitter *emitter, Node *node, Place to) {
    emit_user_operator(emitter, node, &to);
}

static void call_into(Emitter *emitter, Node *call, Place to) {
    emit_function_call(emitter, call, &to, 1);
}

static void unsupported_into(Emitter *emitter, Node *node, Place to) {
    (void)to;
    emit_not_supported(emitter, node->at, node_title(node->kind));
}

typedef void IntoEmitter(Emitter *emitter, Node *expression, Place to);

static IntoEmitter *into_emitter(const Node *expression) {
    switch (expression->kind) {
    case NODE_TABLE: return table_into;
    case NODE_CONSTRUCTOR: return constructor_into;
    case NODE_VALOF: return valof_into;
    case NODE_CONVERSION: return conversion_into;
    case NODE_MONADIC:
    case NODE_DYADIC: return user_operator_into;
    case NODE_FUNCTION_CALL: return call_into;
    default: return unsupported_into;
    }
}

void emit_into(Emitter *emitter, Node *expression, Place to) {
    if (type_owns(to.type) && emit_owner_into(emitter, expression, to)) {
        return;
    }
    if (type_is_scalar(expression->type)) {
        emit_store(emitter, emit_scalar(emitter, expression), to);
    } else if (expression->constant != NULL || emit_is_element(expression) ||
               type_is_mobile(expression->type)) {
        emit_copy(emitter, to, emit_data_place(emitter, expression), expression->at);
    } else {
        if (type_is_array(expression->type) && type_has_open_dimension(to.type)) {
            LLVMValueRef none[MAX_RANK];
            emit_counts_for(emitter, expression->type, to, expression->at, none);
            to.type = expression->type;
        }
        into_emitter(expression)(emitter, expression, to);
    }
}

/* ---- tables of channels: [a?, b?] is an array of pointers ---- */

static void channel_into(Emitter *emitter, Node *channel, Place to, int64_t index) {
    LLVMValueRef offset = emit_i64(emitter, index);
    LLVMValueRef slot =
        LLVMBuildInBoundsGEP2(emitter->builder, emitter->ptr, to.address, &offset, 1, "");
    LLVMBuildStore(emitter->builder, emit_channel(emitter, channel), slot);
}

Place emit_channel_table(Emitter *emitter, Node *table) {
    const NodeList *items = &table->table.items;
    LLVMTypeRef type = LLVMArrayType2(emitter->i64, type_size(table->type) / 8);
    Place place = {.address = emit_alloca(emitter, type, "channels"), .type = table->type};
    for (size_t i = 0; i < items->count; i++) {
        if (items->items[i]->type->kind == TYPE_CHANNEL) {
            channel_into(emitter, items->items[i], place, (int64_t)i);
        } else {
            Place part = emit_element(emitter, place, emit_i32(emitter, (int64_t)i));
            emit_copy(emitter, part, emit_place(emitter, items->items[i]), table->at);
        }
    }
    return place;
}
