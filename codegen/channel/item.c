/* item -- one item of a message: a scalar, an array or record, an owner, n::a.
 *
 * Owns:   which transfers an item takes; n::a is the count, then that many elements when there are
 *         any; what becomes of mobiles that are sent and received.
 * Leaves: the transfers to wire.c, the order of items and tags to communication.c.
 * Holds:  items are evaluated one after the other, as they are sent or received. A variable that
 *         owns something is empty while its process waits for what it will own. */
#include "item.h"

#include "emit_sharing.h"

/* The integer that holds an item of this type, when the protocol makes it one word; else NULL. On
 * CHAN OF ANY the two sides may name types of different kinds: transfer_any decides. */
static LLVMTypeRef word_type(Emitter *emitter, const Wire *wire, const Type *wanted) {
    if (wanted == NULL || wire->protocol->kind == TYPE_ANY || type_has_open_dimension(wanted)) {
        return NULL;
    }
    uint64_t size = type_size(wanted);
    bool is_word = size == 1 || size == 2 || size == 4 || size == 8;
    return is_word ? LLVMIntTypeInContext(emitter->context, (unsigned)size * 8) : NULL;
}

/* ---- whole items ---- */

static void transfer_place(Emitter *emitter, const Wire *wire, Place place) {
    wire_transfer(emitter, wire, place.address, emit_size_bytes(emitter, place));
}

/* An array whose size is known only at run time must have the size the protocol says. */
static void check_protocol_size(Emitter *emitter, const Type *wanted, Place place, Location at) {
    if (wanted != NULL && wanted->kind == TYPE_ARRAY && type_has_open_dimension(place.type)) {
        LLVMValueRef counts[MAX_RANK];
        emit_counts_for(emitter, wanted, place, at, counts);
    }
}

static void send_place(Emitter *emitter, const Wire *wire, Place place, const Type *wanted) {
    LLVMTypeRef type = word_type(emitter, wire, wanted);
    if (type == NULL) {
        transfer_place(emitter, wire, place);
        return;
    }
    LLVMValueRef word = LLVMBuildLoad2(emitter->builder, type, place.address, "word");
    LLVMSetAlignment(word, 1);
    wire_send(emitter, wire, word);
}

/* ---- owners: a mobile is sent by its address, NULL if undefined; the sender loses it ---- */

/* Where an item is received. The variable of an owner is empty while its process waits. Plain data
 * goes into the contents of a mobile; for a dynamic one a new object is made. */
static Place receive_place(Emitter *emitter, Node *item, const Type *wanted) {
    if (!type_owns(item->type)) {
        return emit_target(emitter, item);
    }
    if (wanted == NULL || wanted->kind == TYPE_ANY ||
        (type_is_mobile(item->type) && !type_is_mobile(wanted) &&
         !type_has_open_dimension(type_content(item->type)))) {
        return emit_data_target(emitter, item);
    }
    Place place = emit_target(emitter, item);
    emit_release(emitter, place);
    emit_forget(emitter, place);
    if (type_owns(wanted)) {
        return place;
    }
    LLVMValueRef counts[MAX_RANK];
    Place shape = {.type = wanted};
    emit_counts_for(emitter, type_content(item->type), shape, item->at, counts);
    const char *name = emit_object_name(emitter, item);
    LLVMValueRef object = emit_mobile_object(emitter, item->type, counts, item->at, name);
    emit_store(emitter, object, place);
    Place content = emit_object_content(emitter, item->type, object);
    content.type = wanted;
    return content;
}

static void send_value(Emitter *emitter, const Wire *wire, Node *item, const Type *wanted,
                       LLVMValueRef value, LLVMValueRef kept) {
    if (value != NULL) {
        wire_send(emitter, wire, value);
        return;
    }
    if (kept != NULL) {
        Place place = {.address = kept, .type = item->type};
        send_place(emitter, wire, place, wanted);
        return;
    }
    if (wanted != NULL && type_owns(wanted)) {
        send_place(emitter, wire, emit_loose_value(emitter, item, wanted), wanted);
        return;
    }
    Place place = emit_data_place(emitter, item);
    check_protocol_size(emitter, wanted, place, item->at);
    send_place(emitter, wire, place, wanted);
}

/* Take the mobile out of the MOBILE.ANY that is received, if it has the variable's type. */
static void receive_boxed(Emitter *emitter, const Wire *wire, Node *item) {
    Place place = emit_target(emitter, item);
    emit_release(emitter, place);
    emit_forget(emitter, place);
    LLVMValueRef word = wire_receive(emitter, wire, emitter->i64);
    LLVMValueRef box = LLVMBuildIntToPtr(emitter->builder, word, emitter->ptr, "box");
    const char *name = emit_object_name(emitter, item);
    emit_store(emitter, emit_unbox(emitter, box, item->type, item->at, name), place);
}

static void receive_value(Emitter *emitter, const Wire *wire, Node *item, const Type *wanted) {
    if (wanted != NULL && type_boxes(wanted, item->type)) {
        receive_boxed(emitter, wire, item);
        return;
    }
    Place place = receive_place(emitter, item, wanted);
    check_protocol_size(emitter, wanted, place, item->at);
    LLVMTypeRef type = type_is_scalar(item->type) && wire->protocol->kind != TYPE_ANY
                           ? lower_memory(emitter, item->type)
                           : word_type(emitter, wire, wanted);
    if (type == NULL) {
        transfer_place(emitter, wire, place);
        return;
    }
    LLVMValueRef word = wire_receive(emitter, wire, type);
    LLVMSetAlignment(LLVMBuildStore(emitter->builder, word, place.address), 1);
}

/* ---- n::a ---- */

static LLVMValueRef array_prefix_bytes(Emitter *emitter, Place array, LLVMValueRef count) {
    Place element = {.type = array.type->array.element};
    unsigned skip = array.type->array.count == ARRAY_OPEN;
    for (unsigned i = 0; i + skip < MAX_RANK; i++) {
        element.counts[i] = array.counts[i + skip];
    }
    LLVMValueRef each = emit_size_bytes(emitter, element);
    LLVMValueRef wide = LLVMBuildZExt(emitter->builder, count, emitter->i64, "");
    return LLVMBuildMul(emitter->builder, wide, each, "");
}

/* The count as i32, checked against the elements there are; other widths are range-checked too. */
static LLVMValueRef check_count(Emitter *emitter, LLVMValueRef count, const Type *type, Place array,
                                Node *item) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef wide = type_is_signed(type) ? LLVMBuildSExt(builder, count, emitter->i64, "")
                                             : LLVMBuildZExt(builder, count, emitter->i64, "");
    if (type_bits(type) == 64) {
        wide = count;
    }
    LLVMValueRef there = emit_count(emitter, array);
    LLVMValueRef limit = LLVMBuildZExt(builder, there, emitter->i64, "");
    LLVMValueRef fits = LLVMBuildICmp(builder, LLVMIntULE, wide, limit, "");
    emit_trap_unless(emitter, fits, ERROR_COUNT, item->at,
                     emit_object_name(emitter, item->counted.array), wide, limit, NULL);
    return LLVMBuildTrunc(builder, wide, emitter->i32, "");
}

static void transfer_elements(Emitter *emitter, const Wire *wire, Place array, LLVMValueRef count) {
    LLVMBasicBlockRef some = emit_block(emitter, "counted.some");
    LLVMBasicBlockRef done = emit_block(emitter, "counted.done");
    LLVMValueRef none = LLVMBuildIsNull(emitter->builder, count, "");
    LLVMBuildCondBr(emitter->builder, none, done, some);
    emit_enter(emitter, some);
    if (wire->hold != NULL) {
        emit_hold_end(emitter, wire->channel, wire->hold); /* the partner was held for the count */
    }
    LLVMValueRef size = array_prefix_bytes(emitter, array, count);
    wire_transfer(emitter, wire, array.address, size);
    emit_continue(emitter, done);
}

/* The count of an item, checked against the array beside it. */
static void send_counted(Emitter *emitter, const Wire *wire, Node *item, LLVMValueRef count) {
    Place array = emit_data_place(emitter, item->counted.array);
    LLVMValueRef checked = check_count(emitter, count, item->counted.count->type, array, item);
    wire_send(emitter, wire, count);
    transfer_elements(emitter, wire, array, checked);
}

static void receive_counted(Emitter *emitter, const Wire *wire, Node *item) {
    Node *count_node = item->counted.count;
    Place count_place = emit_target(emitter, count_node);
    LLVMValueRef count = wire_receive(emitter, wire, lower_memory(emitter, count_node->type));
    Place array = emit_data_target(emitter, item->counted.array);
    LLVMValueRef checked = check_count(emitter, count, count_node->type, array, item);
    transfer_elements(emitter, wire, array, checked);
    emit_store(emitter, count, count_place);
}

/* ---- any item ---- */

Node *item_scalar(Node *item) {
    if (item->kind == NODE_COUNTED) {
        return item->counted.count;
    }
    return item->kind != NODE_TAG_USE && type_is_scalar(item->type) ? item : NULL;
}

/* A FUNCTION may read names from outside. */
static bool reads_shared(const Symbol *function) {
    const Node *definition = function->definition;
    const ProcInfo *info =
        definition != NULL && definition->kind == NODE_FUNCTION ? definition->function.info : NULL;
    bool is_found = false;
    for (size_t i = 0; info != NULL && i < info->free_names.count; i++) {
        is_found = is_found || symbol_is_shared(info->free_names.items[i]);
    }
    return is_found;
}

static void search_shared(Node **child, void *context) {
    bool *is_found = context;
    if ((*child)->kind == NODE_NAME) {
        const Symbol *symbol = (*child)->name.symbol;
        *is_found = *is_found || (symbol->kind == SYMBOL_FUNCTION ? reads_shared(symbol)
                                                                  : symbol_is_shared(symbol));
    }
    node_visit_children(*child, search_shared, context);
}

bool item_is_kept(Node *item, const Type *wanted) {
    bool is_data = item->kind != NODE_TAG_USE && !type_owns(item->type) &&
                   !type_has_open_dimension(item->type) && (wanted == NULL || !type_owns(wanted));
    bool is_shared = false;
    if (is_data && type_size(item->type) <= FRAME_OBJECT_LIMIT) {
        search_shared(&item, &is_shared);
    }
    return is_shared;
}

LLVMValueRef item_value(Emitter *emitter, Node *item, LLVMValueRef slot) {
    Node *scalar = item_scalar(item);
    if (scalar == NULL) {
        return NULL;
    }
    if (slot == NULL) {
        return emit_scalar(emitter, scalar);
    }
    Place place = {.address = slot, .type = scalar->type};
    return emit_load(emitter, place);
}

/* An owner moves when its guard is chosen, undefined or not: until then only its place is checked.
 * A value made for the message is made now for its errors, released, and made again to be sent. */
static void check_owner(Emitter *emitter, Node *item, const Type *wanted) {
    Node *owner = item->kind == NODE_MOVE    ? item->move.element
                  : item->kind == NODE_CLONE ? item->clone.operand
                                             : item;
    if (type_owns(owner->type) && emit_is_element(owner)) {
        emit_place(emitter, owner);
    } else if (owner->kind == NODE_ALLOCATION || owner->kind == NODE_FUNCTION_CALL ||
               owner->kind == NODE_VALOF) {
        emit_release(emitter, emit_loose_value(emitter, item, wanted));
    } else if (!type_owns(owner->type)) {
        Place place = emit_data_place(emitter, owner);
        check_protocol_size(emitter, type_content(wanted), place, item->at);
    }
}

void item_check(Emitter *emitter, Node *item, const Type *wanted, LLVMValueRef value) {
    if (item->kind == NODE_COUNTED) {
        Place array = emit_data_place(emitter, item->counted.array);
        check_count(emitter, value, item->counted.count->type, array, item);
    } else if (value == NULL && (wanted == NULL || !type_owns(wanted))) {
        check_protocol_size(emitter, wanted, emit_data_place(emitter, item), item->at);
    } else if (value == NULL) {
        check_owner(emitter, item, wanted);
    }
}

static Wire wire_for(const Wire *wire, const Type *wanted) {
    Wire own = *wire;
    own.owned = wanted != NULL && type_owns(wanted) ? wanted : NULL;
    return own;
}

void item_send(Emitter *emitter, const Wire *wire, Node *item, const Type *wanted,
               LLVMValueRef slot) {
    LLVMValueRef value = item_value(emitter, item, slot);
    Wire own = wire_for(wire, wanted);
    if (item->kind == NODE_COUNTED) {
        send_counted(emitter, &own, item, value);
    } else {
        send_value(emitter, &own, item, wanted, value, slot);
    }
}

void item_receive(Emitter *emitter, const Wire *wire, Node *item, const Type *wanted) {
    Wire own = wire_for(wire, wanted);
    if (item->kind == NODE_COUNTED) {
        receive_counted(emitter, &own, item);
    } else {
        receive_value(emitter, &own, item, wanted);
    }
}
