/* mobile_value -- values on their way into objects that own them.
 *
 * Owns:   evaluating into an owner: moves, clones, allocations, results, copies of plain values;
 *         assignment to owners; temporaries that own something.
 * Leaves: the objects themselves to mobile.c.
 * Holds:  emit_owner_into expects that its target owns nothing yet. A temporary owner is empty at
 *         the start of its routine, and is released before it is used again and at the end of the
 *         process in whose text it stands; so it is given back on every path. */
#include "emit_clock.h"
#include "emit_sharing.h"

/* ---- temporaries ---- */

Place emit_owned_temporary(Emitter *emitter, const Type *type, Location at) {
    Place place = {.type = type};
    LLVMTypeRef memory = type_is_mobile(type) ? emitter->ptr : lower_object(emitter, type);
    if (type_size(type) > FRAME_OBJECT_LIMIT) {
        emit_not_supported(emitter, at, "a large array of mobiles as a value without a name");
        return emit_no_place(emitter, type);
    }
    place.address = emit_zeroed_alloca(emitter, memory, "owned");
    array_push(emitter->arena, &emitter->routine->owned, place);
    emit_release(emitter, place);
    return place;
}

void emit_end_owned(Emitter *emitter, size_t live) {
    Routine *routine = emitter->routine;
    while (routine->owned.count > live) {
        Place place = routine->owned.items[--routine->owned.count];
        if (!emit_is_terminated(emitter)) {
            emit_release(emitter, place);
            emit_forget(emitter, place);
        }
    }
}

/* ---- values ---- */

/* Move the bits of an owner, with all it owns, to another place of the same type. */
static void relocate(Emitter *emitter, Place to, Place from) {
    if (type_is_mobile(from.type)) {
        emit_store(emitter, emit_load(emitter, from), to);
    } else {
        LLVMBuildMemCpy(emitter->builder, to.address, 1, from.address, 1,
                        emit_size_bytes(emitter, from));
    }
}

static void move_into(Emitter *emitter, Node *move, Place to) {
    Place from = emit_place(emitter, move->move.element);
    relocate(emitter, to, from);
    emit_forget(emitter, from);
}

static void clone_into(Emitter *emitter, Node *clone, Place to) {
    Node *operand = clone->clone.operand;
    Place from = emit_place(emitter, operand);
    relocate(emitter, to, from);
    emit_clone_parts(emitter, to, clone->at, emit_object_name(emitter, operand));
}

static void allocation_into(Emitter *emitter, Node *allocation, Place to) {
    if (type_content(to.type)->kind == TYPE_PROC_TYPE) {
        emit_store(emitter, emit_process_object(emitter, allocation), to);
        return;
    }
    if (type_is_clock(type_content(to.type))) {
        emit_store(emitter, emit_mobile_clock(emitter, allocation->at), to);
        return;
    }
    const NodeList *dimensions = &allocation->allocation.dimensions;
    LLVMValueRef counts[MAX_RANK];
    for (size_t i = 0; i < dimensions->count && i < MAX_RANK; i++) {
        counts[i] = emit_scalar(emitter, dimensions->items[i]);
        LLVMValueRef is_count =
            LLVMBuildICmp(emitter->builder, LLVMIntSGE, counts[i], emit_i32(emitter, 0), "");
        emit_trap_unless(emitter, is_count, ERROR_MOBILE_COUNT, dimensions->items[i]->at, NULL,
                         counts[i], NULL, NULL);
    }
    LLVMValueRef object =
        emit_fresh_object(emitter, allocation->type, counts, allocation->at, NULL);
    emit_store(emitter, object, to);
}

/* A result is written through its address, so the owner it goes to must be empty and in memory. */
static void result_into(Emitter *emitter, Node *value, Place to) {
    emit_forget(emitter, to);
    if (value->kind == NODE_VALOF) {
        LLVMValueRef none = NULL;
        emit_valof(emitter, value, &to, &none, 1);
    } else if (value->kind == NODE_FUNCTION_CALL) {
        emit_function_call(emitter, value, &to, 1);
    } else {
        emit_user_operator(emitter, value, &to);
    }
}

/* ---- copies of contents ---- */

static void check_same_counts(Emitter *emitter, const Type *wanted, Place from, Location at) {
    LLVMValueRef counts[MAX_RANK];
    emit_counts_for(emitter, wanted, from, at, counts);
}

/* A new object with the contents of `from`. */
static void copy_into_object(Emitter *emitter, Place from, Place to, Location at) {
    const Type *content = type_content(to.type);
    LLVMValueRef counts[MAX_RANK];
    emit_counts_for(emitter, content, from, at, counts);
    LLVMValueRef object = emit_mobile_object(emitter, to.type, counts, at, NULL);
    Place copy = emit_object_content(emitter, to.type, object);
    for (unsigned i = 0, open = 0; i < type_rank(content); i++) {
        const Type *dimension = type_base(type_element(content, i));
        if (dimension->array.count == ARRAY_OPEN) {
            copy.counts[open] = counts[open];
            open++;
        }
    }
    LLVMBuildMemCpy(emitter->builder, copy.address, 1, from.address, 1,
                    emit_size_bytes(emitter, from));
    emit_clone_parts(emitter, copy, at, NULL);
    emit_store(emitter, object, to);
}

/* A table, constructor or call of known size goes to its place without a copy in between. */
static void value_into_object(Emitter *emitter, Node *value, Place to) {
    Place shape = {.type = value->type};
    LLVMValueRef counts[MAX_RANK];
    emit_counts_for(emitter, type_content(to.type), shape, value->at, counts);
    LLVMValueRef object = emit_mobile_object(emitter, to.type, counts, value->at, NULL);
    Place content = emit_object_content(emitter, to.type, object);
    content.type = value->type;
    emit_into(emitter, value, content);
    emit_store(emitter, object, to);
}

static void content_into(Emitter *emitter, Node *value, Place to) {
    bool has_place = value->constant != NULL || emit_is_element(value) ||
                     type_is_mobile(value->type) || type_has_open_dimension(value->type);
    if (type_is_mobile(to.type) && !has_place) {
        value_into_object(emitter, value, to);
        return;
    }
    Place from = emit_data_place(emitter, value);
    if (type_is_mobile(to.type)) {
        copy_into_object(emitter, from, to, value->at);
        return;
    }
    check_same_counts(emitter, to.type, from, value->at);
    LLVMBuildMemCpy(emitter->builder, to.address, 1, from.address, 1,
                    emit_size_bytes(emitter, from));
    emit_clone_parts(emitter, to, value->at, NULL);
}

/* Into a MOBILE.ANY, or out of one. */
static void boxed_into(Emitter *emitter, Node *value, Place to) {
    Place loose = emit_loose_value(emitter, value, value->type);
    LLVMValueRef object = emit_load(emitter, loose);
    if (type_is_box(to.type)) {
        object = emit_box(emitter, value->type, object, value->at);
    } else {
        object = emit_unbox(emitter, object, to.type, value->at, emit_object_name(emitter, value));
    }
    emit_store(emitter, object, to);
}

static bool is_result(const Node *value) {
    return value->kind == NODE_FUNCTION_CALL || value->kind == NODE_VALOF ||
           value->kind == NODE_MONADIC || value->kind == NODE_DYADIC;
}

bool emit_owner_into(Emitter *emitter, Node *value, Place to) {
    bool is_same = type_owns(value->type) && type_is_mobile(value->type) == type_is_mobile(to.type);
    is_same = is_same && (!type_is_mobile(to.type) || type_equal(value->type, to.type));
    if (type_boxes(to.type, value->type) || type_boxes(value->type, to.type)) {
        boxed_into(emitter, value, to);
    } else if (value->kind == NODE_MOVE) {
        move_into(emitter, value, to);
    } else if (type_is_clock(type_content(to.type)) && emit_is_element(value)) {
        emit_mobile_clock_enrol(emitter, value, to);
    } else if (type_is_bundle_end(to.type) && !is_result(value)) {
        emit_bundle_copy(emitter, value, to);
    } else if (is_same && value->kind == NODE_CLONE) {
        clone_into(emitter, value, to);
    } else if (is_same && value->kind == NODE_ALLOCATION) {
        allocation_into(emitter, value, to);
    } else if (is_same && is_result(value)) {
        result_into(emitter, value, to);
    } else if (is_same && (value->kind == NODE_TABLE || value->kind == NODE_CONSTRUCTOR)) {
        emit_forget(emitter, to);
        return false; /* part by part */
    } else {
        content_into(emitter, value, to);
    }
    return true;
}

/* ---- assignment ---- */

Place emit_loose_value(Emitter *emitter, Node *value, const Type *type) {
    Place loose = {.type = type};
    if (type_is_mobile(type)) {
        loose.address = emit_alloca(emitter, emitter->ptr, "value");
    } else {
        loose = emit_temporary(emitter, type, value->at);
    }
    emit_into(emitter, value, loose);
    return loose;
}

void emit_own(Emitter *emitter, Place to, Place loose) {
    LLVMValueRef object = type_is_mobile(to.type) ? emit_load(emitter, loose) : NULL;
    emit_release(emitter, to);
    if (object != NULL) {
        emit_store(emitter, object, to);
    } else {
        relocate(emitter, to, loose);
    }
}
