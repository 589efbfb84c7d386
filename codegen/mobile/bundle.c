/* bundle -- channel bundles: the object both ends point to, its channels, who holds an end.
 *
 * Owns:   where the channels of a bundle lie, making one, copies and the release of ends.
 * Leaves: moves of ends to mobile_value.c and mobile_parts.c, CLAIM to claim.c, the last holder to
 *         the runtime.
 * Holds:  a variable of an end is the address of the Bundle, NULL when undefined. The channels of
 *         all fields lie one after the other behind the header, then the pointers of the fields
 *         that are arrays. A bundle closes with its last holder only in units that can notice
 *         (CLOSED, WHILE c ? x): elsewhere a process that waits for ever would become an error of
 *         another program. */
#include "emit_sharing.h"
#include "layout_offsets.h"

#define POINTER_BYTES 8

/* ---- where things lie ---- */

static uint64_t channels_of(const Type *field) {
    uint64_t count = 1;
    for (; field->kind == TYPE_ARRAY; field = field->array.element) {
        count *= (uint64_t)field->array.count;
    }
    return count;
}

/* How many channels the fields before `index` have. */
static uint64_t channels_before(const Type *bundle, size_t index) {
    uint64_t count = 0;
    for (size_t i = 0; i < index; i++) {
        count += channels_of(bundle->record.fields[i].type);
    }
    return count;
}

static uint64_t channel_offset(const Type *bundle, size_t index) {
    return SIZE_Bundle + SIZE_Channel * channels_before(bundle, index);
}

/* Where the pointers of array field `index` begin; past the last field: the size of the object. */
static uint64_t pointers_offset(const Type *bundle, size_t index) {
    uint64_t offset = channel_offset(bundle, bundle->record.field_count);
    for (size_t i = 0; i < index; i++) {
        const Type *field = bundle->record.fields[i].type;
        offset += field->kind == TYPE_ARRAY ? POINTER_BYTES * channels_of(field) : 0;
    }
    return offset;
}

static const Type *bundle_of(const Type *end) {
    return type_base(end)->bundle_end.bundle;
}

static bool is_server(const Type *end) {
    return type_base(end)->bundle_end.direction == DIRECTION_INPUT;
}

static LLVMValueRef at(Emitter *emitter, LLVMValueRef bundle, uint64_t offset, const char *name) {
    return emit_field(emitter, bundle, (unsigned)offset, name);
}

/* ---- making one ---- */

static bool asks_for_closing(const Node *node) {
    return node->kind == NODE_CLOSED || node->kind == NODE_WHILE_INPUT;
}

static bool sees_closing(Emitter *emitter) {
    if (!emitter->is_closing_known) {
        emitter->sees_closing = node_any(emitter->unit, asks_for_closing);
        emitter->is_closing_known = true;
    }
    return emitter->sees_closing;
}

/* The pointers of the fields that are arrays. */
static void point_to_channels(Emitter *emitter, const Type *bundle, LLVMValueRef object) {
    for (size_t i = 0; i < bundle->record.field_count; i++) {
        const Type *field = bundle->record.fields[i].type;
        if (field->kind == TYPE_ARRAY && channels_of(field) > 0) {
            emit_channel_pointers(emitter, at(emitter, object, channel_offset(bundle, i), ""),
                                  at(emitter, object, pointers_offset(bundle, i), ""),
                                  emit_i64(emitter, (int64_t)channels_of(field)), SIZE_Channel,
                                  NULL);
        }
    }
}

LLVMValueRef emit_bundle(Emitter *emitter, const Type *bundle, Location where) {
    uint64_t size = pointers_offset(bundle, bundle->record.field_count);
    LLVMValueRef site = emit_site(emitter, ERROR_NO_MEMORY, where, bundle->name->bytes);
    LLVMValueRef object =
        emit_mobile_block(emitter, emit_i64(emitter, (int64_t)size), NULL, 0, site);
    LLVMBuildMemSet(emitter->builder, at(emitter, object, OFFSET_Bundle_servers, ""),
                    LLVMConstNull(emitter->i8),
                    emit_i64(emitter, (int64_t)size - OFFSET_Bundle_servers), 8);
    emit_store_field(emitter, emit_i64(emitter, 1), object, OFFSET_Bundle_servers);
    emit_store_field(emitter, emit_i64(emitter, 1), object, OFFSET_Bundle_clients);
    uint64_t count = channels_before(bundle, bundle->record.field_count);
    emit_store_field(emitter, emit_i32(emitter, (int64_t)count), object, OFFSET_Bundle_count);
    emit_store_field(emitter, emit_i32(emitter, 2), object, OFFSET_Bundle_sides);
    if (sees_closing(emitter)) {
        emit_store_field(emitter, site, object, OFFSET_Bundle_site);
    }
    point_to_channels(emitter, bundle, object);
    return object;
}

/* ---- using an end ---- */

LLVMValueRef emit_bundle_object(Emitter *emitter, Node *end) {
    LLVMValueRef object = emit_load(emitter, emit_place(emitter, end));
    LLVMValueRef is_defined = LLVMBuildIsNotNull(emitter->builder, object, "");
    emit_trap_unless(emitter, is_defined, ERROR_UNDEFINED_MOBILE, end->at,
                     emit_object_name(emitter, end), NULL, NULL, NULL);
    return object;
}

Place emit_bundle_field(Emitter *emitter, Node *field) {
    const Type *bundle = bundle_of(field->field.base->type);
    size_t index = (size_t)field->field.index;
    LLVMValueRef object = emit_bundle_object(emitter, field->field.base);
    bool is_array = bundle->record.fields[index].type->kind == TYPE_ARRAY;
    uint64_t offset = is_array ? pointers_offset(bundle, index) : channel_offset(bundle, index);
    Place place = {.type = field->type};
    place.address = at(emitter, object, offset, field->field.name->bytes);
    return place;
}

LLVMValueRef emit_bundle_claim(Emitter *emitter, const Type *end, LLVMValueRef object) {
    return emit_field(emitter, object, is_server(end) ? OFFSET_Bundle_server : OFFSET_Bundle_client,
                      "lock");
}

/* ---- holders ---- */

void emit_bundle_drop(Emitter *emitter, const Type *end, LLVMValueRef object) {
    LLVMValueRef arguments[] = {object, emit_i32(emitter, is_server(end))};
    emit_runtime_call(emitter, RT_bundle_drop, arguments);
}

void emit_bundle_keep(Emitter *emitter, const Type *end, LLVMValueRef object) {
    LLVMValueRef arguments[] = {object, emit_i32(emitter, is_server(end))};
    emit_runtime_call(emitter, RT_bundle_keep, arguments);
}

/* A shared end is held once more. */
void emit_bundle_copy(Emitter *emitter, Node *value, Place to) {
    LLVMBuilderRef builder = emitter->builder;
    Node *element = value->kind == NODE_CLONE ? value->clone.operand : value;
    LLVMBasicBlockRef some = emit_block(emitter, "end.keep");
    LLVMBasicBlockRef done = emit_block(emitter, "end.kept");
    LLVMValueRef object = emit_load(emitter, emit_place(emitter, element));
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, object, ""), done, some);
    emit_enter(emitter, some);
    emit_bundle_keep(emitter, to.type, object);
    emit_continue(emitter, done);
    emit_store(emitter, object, to);
}

/* ---- ends that go to other machines ---- */

static LLVMValueRef end_field(Emitter *emitter, const TypeField *field) {
    unsigned flags = (field->direction == DIRECTION_INPUT ? LAYOUT_END_TO_SERVER : 0) |
                     (field->type->kind == TYPE_ARRAY ? LAYOUT_END_ARRAY : 0);
    const Type *channel = type_leaf(field->type);
    uint64_t item_bytes = type_first_bytes(channel->channel.protocol);
    LLVMValueRef words[] = {emit_i32(emitter, (int64_t)channels_of(field->type)),
                            emit_i32(emitter, (int64_t)item_bytes), emit_i32(emitter, flags)};
    return LLVMConstStructInContext(emitter->context, words, 3, 0);
}

LLVMValueRef emit_end_shape(Emitter *emitter, const Type *end) {
    const Type *bundle = bundle_of(end);
    size_t count = bundle->record.field_count;
    LLVMValueRef *fields = arena_new_array(emitter->arena, LLVMValueRef, count + 1);
    for (size_t i = 0; i < count; i++) {
        fields[i] = end_field(emitter, &bundle->record.fields[i]);
    }
    LLVMTypeRef words[] = {emitter->i32, emitter->i32, emitter->i32};
    LLVMTypeRef type = LLVMStructTypeInContext(emitter->context, words, 3, 0);
    LLVMValueRef members[] = {emit_i64(emitter, (int64_t)pointers_offset(bundle, count)),
                              emit_i32(emitter, (int64_t)channels_before(bundle, count)),
                              emit_i32(emitter, is_server(end)), emit_i32(emitter, (int64_t)count),
                              LLVMConstArray2(type, fields, count)};
    return emit_constant_global(emitter, LLVMConstStructInContext(emitter->context, members, 5, 0),
                                "end.shape");
}
