/* communication -- ? and ! for every form of protocol.
 *
 * Owns:   how a message goes over the wire: one rendezvous per item; a tag is one byte; n::a is
 *         the count, then that many elements when there are any; on CHAN OF ANY the place of each
 *         wait says the size in bytes, so that a receiver that asks for another size stops with an
 *         error and does not read beyond.
 * Leaves: the rendezvous itself to rendezvous.c, ALT to alternative.c.
 * Holds:  items are evaluated one after the other, as they are sent or received. */
#include "emit_sharing.h"
#include "layout_offsets.h"
#include "port.h"

#include <llvm-c/Target.h>

/* Wire -- one side of a communication. */
typedef struct Wire {
    bool is_output;
    LLVMValueRef channel;
    const Type *protocol;
    const char *name;
    Location at;
    const Hold *hold;  /* of an extended input: its transfers keep the partner; else NULL */
    Until *until;      /* of WHILE c ? x; else NULL */
    LLVMValueRef *met; /* for the first transfer of a chosen guard, which sets it to NULL */
} Wire;

static Wire wire_open(Emitter *emitter, Node *channel, bool is_output, Location at,
                      LLVMValueRef *met) {
    Wire wire = {
        .is_output = is_output,
        .channel = emit_channel(emitter, channel),
        .protocol = channel->type->channel.protocol,
        .name = emit_object_name(emitter, channel),
        .at = at,
        .met = met,
    };
    return wire;
}

static LLVMValueRef wire_met(const Wire *wire) {
    LLVMValueRef met = wire->met != NULL ? *wire->met : NULL;
    if (met != NULL) {
        *wire->met = NULL;
    }
    return met;
}

static bool may_find_closed(const Wire *wire) {
    return wire->until != NULL && !wire->until->is_past;
}

static WaitReason wire_reason(const Wire *wire) {
    return wire->is_output ? WAIT_OUTPUT : may_find_closed(wire) ? WAIT_UNTIL_CLOSED : WAIT_INPUT;
}

static LLVMValueRef wire_site(Emitter *emitter, const Wire *wire) {
    return emit_site(emitter, wire_reason(wire), wire->at, wire->name);
}

/* A message that has begun is finished: only its first transfer may find the channel closed. */
static void pass_first(Emitter *emitter, const Wire *wire) {
    if (may_find_closed(wire)) {
        emit_unless_closed(emitter, wire->until->end);
        wire->until->is_past = true;
    }
}

/* Whether a message of this size is a word (rendezvous.c), as it is under any other protocol. */
static LLVMValueRef is_word_size(Emitter *emitter, LLVMValueRef size) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef less = LLVMBuildSub(builder, size, emit_i64(emitter, 1), "");
    LLVMValueRef is_small = LLVMBuildICmp(builder, LLVMIntULT, less, emit_i64(emitter, 8), "");
    LLVMValueRef is_power = LLVMBuildIsNull(builder, LLVMBuildAnd(builder, size, less, ""), "");
    return LLVMBuildAnd(builder, is_small, is_power, "");
}

/* An extended input: a word waits in the partner's descriptor, anything else where that points. */
static void hold_any(Emitter *emitter, const Wire *wire, LLVMValueRef data, LLVMValueRef size) {
    LLVMBasicBlockRef word = emit_block(emitter, "any.word");
    LLVMBasicBlockRef block = emit_block(emitter, "any.block");
    LLVMBasicBlockRef done = emit_block(emitter, "any.done");
    Hold hold = *wire->hold;
    hold.any_size = size;
    LLVMBuildCondBr(emitter->builder, is_word_size(emitter, size), word, block);
    emit_enter(emitter, word);
    LLVMValueRef slot = emit_alloca(emitter, emitter->i64, "message");
    LLVMValueRef received = emit_hold_word(emitter, wire->channel, emitter->i64, &hold);
    LLVMBuildStore(emitter->builder, received, slot);
    LLVMBuildMemCpy(emitter->builder, data, 1, slot, 1, size);
    emit_jump(emitter, done);
    emit_enter(emitter, block);
    emit_hold_transfer(emitter, wire->channel, data, size, &hold);
    emit_jump(emitter, done);
    emit_enter(emitter, done);
}

/* One item of CHAN OF ANY: always by the runtime, which compares the sizes of both sides. */
static void transfer_any(Emitter *emitter, const Wire *wire, LLVMValueRef data, LLVMValueRef size) {
    if (wire->hold != NULL) {
        hold_any(emitter, wire, data, size);
        return;
    }
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef is_word = is_word_size(emitter, size);
    LLVMValueRef bytes = LLVMBuildSelect(builder, is_word, size, emit_i64(emitter, 0), "");
    LLVMValueRef word = emit_field(emitter, emit_me(emitter), OFFSET_Process_data, "");
    if (wire->is_output) {
        LLVMBuildMemCpy(builder, word, 1, data, 1, bytes);
    }
    LLVMValueRef arguments[] = {
        wire->channel,
        LLVMBuildSelect(builder, is_word, word, data, ""),
        size,
        emit_sized_site(emitter, wire_reason(wire), wire->at, wire->name, size),
    };
    emit_runtime_call(emitter, wire->is_output ? RT_channel_output : RT_channel_input, arguments);
    pass_first(emitter, wire);
    if (!wire->is_output) {
        word = emit_field(emitter, emit_me(emitter), OFFSET_Process_data, "");
        LLVMBuildMemCpy(builder, data, 1, word, 1, bytes);
    }
}

static void transfer(Emitter *emitter, const Wire *wire, LLVMValueRef data, LLVMValueRef size) {
    if (wire->protocol->kind == TYPE_ANY) {
        transfer_any(emitter, wire, data, size);
        return;
    }
    if (wire->hold != NULL) {
        emit_hold_transfer(emitter, wire->channel, data, size, wire->hold);
        return;
    }
    emit_channel_transfer(emitter, wire->is_output, wire->channel, data, size,
                          wire_site(emitter, wire), wire_met(wire));
    pass_first(emitter, wire);
}

/* ---- scalars by value: tags, counts, sizes ---- */

static LLVMValueRef memory_form(Emitter *emitter, LLVMValueRef value) {
    return LLVMTypeOf(value) == emitter->i1
               ? LLVMBuildZExt(emitter->builder, value, emitter->i8, "")
               : value;
}

static LLVMValueRef size_of(Emitter *emitter, LLVMTypeRef type) {
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(emitter->module);
    return emit_i64(emitter, (int64_t)LLVMStoreSizeOfType(layout, type));
}

/* A scalar on CHAN OF ANY lies in memory. */
static void send_any_scalar(Emitter *emitter, const Wire *wire, LLVMValueRef value) {
    LLVMValueRef memory = memory_form(emitter, value);
    LLVMTypeRef type = LLVMTypeOf(memory);
    LLVMValueRef slot = emit_alloca(emitter, type, "message");
    LLVMBuildStore(emitter->builder, memory, slot);
    transfer(emitter, wire, slot, size_of(emitter, type));
}

static void send_scalar(Emitter *emitter, const Wire *wire, LLVMValueRef value) {
    if (wire->protocol->kind == TYPE_ANY) {
        send_any_scalar(emitter, wire, value);
        return;
    }
    emit_send_word(emitter, wire->channel, memory_form(emitter, value), wire_site(emitter, wire),
                   wire_met(wire));
}

static LLVMValueRef receive_scalar(Emitter *emitter, const Wire *wire, LLVMTypeRef type) {
    if (wire->protocol->kind == TYPE_ANY) {
        LLVMValueRef slot = emit_alloca(emitter, type, "message");
        transfer(emitter, wire, slot, size_of(emitter, type));
        return LLVMBuildLoad2(emitter->builder, type, slot, "received");
    }
    if (wire->hold != NULL) {
        return emit_hold_word(emitter, wire->channel, type, wire->hold);
    }
    LLVMValueRef word =
        emit_receive_word(emitter, wire->channel, type, wire_site(emitter, wire), wire_met(wire));
    pass_first(emitter, wire);
    return word;
}

/* The integer that holds an item of this type, when the protocol says that it is one word; else
 * NULL. On CHAN OF ANY the two sides may name types of different kinds: transfer_any decides. */
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
    transfer(emitter, wire, place.address, emit_size_bytes(emitter, place));
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
    send_scalar(emitter, wire, word);
}

/* ---- owners: the address of a mobile goes over, and nobody else keeps it ---- */

static Place loose_item(Emitter *emitter, Node *item, const Type *wanted) {
    Place loose = emit_loose_value(emitter, item, wanted);
    if (type_is_mobile(wanted) || type_is_bundle_end(wanted) || type_is_box(wanted)) {
        LLVMValueRef object = emit_load(emitter, loose);
        LLVMValueRef is_defined = LLVMBuildIsNotNull(emitter->builder, object, "");
        emit_trap_unless(emitter, is_defined, ERROR_UNDEFINED_MOBILE, item->at,
                         emit_object_name(emitter, item), NULL, NULL, NULL);
    }
    return loose;
}

/* Where an item is received. The variable of an owner is empty while its process waits. Plain data
 * goes into the contents of a mobile; a dynamic one is made for it. */
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
                       LLVMValueRef value) {
    if (value != NULL) {
        send_scalar(emitter, wire, value);
        return;
    }
    if (wanted != NULL && type_owns(wanted)) {
        send_place(emitter, wire, loose_item(emitter, item, wanted), wanted);
        return;
    }
    Place place = emit_data_place(emitter, item);
    check_protocol_size(emitter, wanted, place, item->at);
    send_place(emitter, wire, place, wanted);
}

/* The mobile out of the MOBILE.ANY that is received, if it is of the variable's type. */
static void receive_boxed(Emitter *emitter, const Wire *wire, Node *item) {
    Place place = emit_target(emitter, item);
    emit_release(emitter, place);
    emit_forget(emitter, place);
    LLVMValueRef word = receive_scalar(emitter, wire, emitter->i64);
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
    LLVMValueRef word = receive_scalar(emitter, wire, type);
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
        emit_hold_end(emitter, wire->channel, wire->hold); /* of the count */
    }
    LLVMValueRef size = array_prefix_bytes(emitter, array, count);
    transfer(emitter, wire, array.address, size);
    emit_jump(emitter, done);
    emit_enter(emitter, done);
}

/* The count of an item, checked against the array beside it. */
static void send_counted(Emitter *emitter, const Wire *wire, Node *item, LLVMValueRef count) {
    Place array = emit_data_place(emitter, item->counted.array);
    LLVMValueRef checked = check_count(emitter, count, item->counted.count->type, array, item);
    send_scalar(emitter, wire, count);
    transfer_elements(emitter, wire, array, checked);
}

static void receive_counted(Emitter *emitter, const Wire *wire, Node *item) {
    Node *count_node = item->counted.count;
    Place count_place = emit_target(emitter, count_node);
    LLVMValueRef count = receive_scalar(emitter, wire, lower_memory(emitter, count_node->type));
    Place array = emit_data_target(emitter, item->counted.array);
    LLVMValueRef checked = check_count(emitter, count, count_node->type, array, item);
    transfer_elements(emitter, wire, array, checked);
    emit_store(emitter, count, count_place);
}

/* ---- items of a protocol ---- */

/* What the protocol says of item `index` after the tag: NULL when it does not matter. */
static const Type *item_type(const Type *protocol, const TypeTag *tag, size_t index) {
    if (tag != NULL) {
        return index < tag->item_count ? tag->items[index] : NULL;
    }
    if (protocol->kind == TYPE_SEQUENCE) {
        return index < protocol->sequence.item_count ? protocol->sequence.items[index] : NULL;
    }
    return protocol;
}

/* The scalar of an item that is evaluated before the message begins: the whole item, or the count
 * of n::a; NULL for anything else. */
static Node *scalar_part(Node *item) {
    if (item->kind == NODE_COUNTED) {
        return item->counted.count;
    }
    return item->kind != NODE_TAG_USE && type_is_scalar(item->type) ? item : NULL;
}

static LLVMValueRef value_of_item(Emitter *emitter, Node *item, LLVMValueRef slot) {
    Node *scalar = scalar_part(item);
    if (scalar == NULL) {
        return NULL;
    }
    if (slot == NULL) {
        return emit_scalar(emitter, scalar);
    }
    Place place = {.address = slot, .type = scalar->type};
    return emit_load(emitter, place);
}

static void send_item(Emitter *emitter, const Wire *wire, Node *item, const Type *wanted,
                      LLVMValueRef slot) {
    LLVMValueRef value = value_of_item(emitter, item, slot);
    if (item->kind == NODE_COUNTED) {
        send_counted(emitter, wire, item, value);
    } else {
        send_value(emitter, wire, item, wanted, value);
    }
}

static void receive_items(Emitter *emitter, const Wire *wire, const NodeList *items,
                          const TypeTag *tag) {
    for (size_t i = 0; i < items->count; i++) {
        Wire item = *wire;
        item.hold = i + 1 == items->count ? wire->hold : NULL;
        if (items->items[i]->kind == NODE_COUNTED) {
            receive_counted(emitter, &item, items->items[i]);
        } else {
            receive_value(emitter, &item, items->items[i], item_type(wire->protocol, tag, i));
        }
    }
}

/* The tag of the message, or NULL; *first is the item after it. */
static const TypeTag *output_tag(const Node *output, const Type *protocol, size_t *first) {
    const NodeList *items = &output->output.items;
    bool has_tag = items->count > 0 && items->items[0]->kind == NODE_TAG_USE;
    *first = has_tag;
    return has_tag ? &protocol->variant.tags[items->items[0]->tag_use.index] : NULL;
}

void emit_output_evaluated(Emitter *emitter, Node *output, LLVMValueRef *slots, LLVMValueRef met) {
    Wire wire = wire_open(emitter, output->output.channel, true, output->at, &met);
    const NodeList *items = &output->output.items;
    size_t first;
    const TypeTag *tag = output_tag(output, wire.protocol, &first);
    if (tag != NULL) {
        Node *use = items->items[0];
        send_scalar(emitter, &wire,
                    LLVMConstInt(emitter->i8, (unsigned long long)use->tag_use.value, 0));
    }
    for (size_t i = first; i < items->count; i++) {
        send_item(emitter, &wire, items->items[i], item_type(wire.protocol, tag, i - first),
                  slots != NULL ? slots[i] : NULL);
    }
}

void emit_output(Emitter *emitter, Node *output) {
    if (output->output.channel->type->kind == TYPE_PORT) {
        emit_port_output(emitter, output);
        return;
    }
    emit_output_evaluated(emitter, output, NULL, NULL);
}

/* ---- the items of an output guard ---- */

const Type *emit_item_slot_type(const Node *output, size_t index) {
    const Node *scalar = scalar_part(output->output.items.items[index]);
    return scalar != NULL ? scalar->type : NULL;
}

void emit_output_items(Emitter *emitter, Node *output, LLVMValueRef *slots) {
    const NodeList *items = &output->output.items;
    const Type *protocol = output->output.channel->type->channel.protocol;
    size_t first;
    const TypeTag *tag = output_tag(output, protocol, &first);
    for (size_t i = first; i < items->count; i++) {
        Node *item = items->items[i];
        LLVMValueRef value = value_of_item(emitter, item, NULL);
        if (value != NULL) {
            Place slot = {.address = slots[i], .type = emit_item_slot_type(output, i)};
            emit_store(emitter, value, slot);
        }
        if (item->kind == NODE_COUNTED) {
            Place array = emit_data_place(emitter, item->counted.array);
            check_count(emitter, value, item->counted.count->type, array, item);
        } else if (value == NULL && !type_owns(item->type)) { /* owners move once it is chosen */
            Place place = emit_data_place(emitter, item);
            check_protocol_size(emitter, item_type(protocol, tag, i - first), place, item->at);
        }
    }
}

void emit_input(Emitter *emitter, Node *input, LLVMValueRef met) {
    if (input->input.is_timer) {
        emit_timer_read(emitter, input);
        return;
    }
    if (input->input.channel->type->kind == TYPE_PORT) {
        emit_port_input(emitter, input);
        return;
    }
    Wire wire = wire_open(emitter, input->input.channel, false, input->at, &met);
    receive_items(emitter, &wire, &input->input.items, NULL);
}

/* ---- c ? CASE ---- */

/* Of an extended input only a tag without items is held while its items would come. */
static void emit_variant(Emitter *emitter, const Wire *wire, Node *variant) {
    const NodeList *specs = &variant->variant.specs;
    const NodeList *items = &variant->variant.items;
    emit_specifications(emitter, specs, variant);
    const TypeTag *tag = &wire->protocol->variant.tags[variant->variant.tag->tag_use.index];
    if (wire->hold != NULL && items->count > 0) {
        emit_hold_end(emitter, wire->channel, wire->hold);
    }
    receive_items(emitter, wire, items, tag);
    emit_process(emitter, variant->variant.process);
    if (wire->hold != NULL && !wire->hold->outlasts_variants) {
        emit_hold_end(emitter, wire->channel, wire->hold);
    }
    if (variant->variant.after != NULL) {
        emit_process(emitter, variant->variant.after);
    }
    emit_scope_end(emitter, specs);
}

static void emit_variants(Emitter *emitter, const Wire *wire, Node *input_case) {
    const NodeList *variants = &input_case->input_case.variants;
    LLVMValueRef tag = receive_scalar(emitter, wire, emitter->i8);
    LLVMBasicBlockRef other = emit_block(emitter, "variant.none");
    LLVMBasicBlockRef done = emit_block(emitter, "variant.done");
    LLVMValueRef choice = LLVMBuildSwitch(emitter->builder, tag, other, (unsigned)variants->count);
    for (size_t i = 0; i < variants->count; i++) {
        Node *variant = variants->items[i];
        LLVMBasicBlockRef block =
            emit_block(emitter, arena_format(emitter->arena, "variant.%s",
                                             variant->variant.tag->tag_use.name->bytes));
        int64_t value = variant->variant.tag->tag_use.value;
        LLVMAddCase(choice, LLVMConstInt(emitter->i8, (unsigned long long)value, 0), block);
        emit_enter(emitter, block);
        emit_variant(emitter, wire, variant);
        emit_jump(emitter, done);
    }
    emit_enter(emitter, other);
    LLVMValueRef number = LLVMBuildZExt(emitter->builder, tag, emitter->i64, "");
    emit_error(emitter, ERROR_NO_VARIANT, input_case->at, wire->name, number, NULL, NULL);
    emit_jump(emitter, done);
    emit_enter(emitter, done);
}

void emit_input_case(Emitter *emitter, Node *input_case, LLVMValueRef met) {
    Wire wire = wire_open(emitter, input_case->input_case.channel, false, input_case->at, &met);
    emit_variants(emitter, &wire, input_case);
}

/* ---- c ?? ---- */

void emit_extended_input(Emitter *emitter, Node *extended) {
    Node *input = extended->extended_input.input;
    bool is_case = input->kind == NODE_INPUT_CASE;
    Node *channel = is_case ? input->input_case.channel : input->input.channel;
    Wire wire = wire_open(emitter, channel, false, input->at, NULL);
    Hold hold = {
        .partner = emit_alloca(emitter, emitter->i64, "held"),
        .site = wire_site(emitter, &wire),
        .await_site = emit_site(emitter, WAIT_EXTENDED, wire.at, wire.name),
        .at = wire.at,
        .name = wire.name,
        .outlasts_variants = extended->extended_input.during != NULL,
    };
    wire.hold = &hold;
    if (is_case) {
        emit_variants(emitter, &wire, input);
    } else {
        receive_items(emitter, &wire, &input->input.items, NULL);
    }
    if (extended->extended_input.during != NULL) {
        emit_process(emitter, extended->extended_input.during);
        emit_hold_end(emitter, wire.channel, &hold);
    }
    if (extended->extended_input.after != NULL) {
        emit_process(emitter, extended->extended_input.after);
    }
}

/* ---- WHILE c ? x ---- */

void emit_while_input(Emitter *emitter, Node *while_input) {
    Node *input = while_input->while_input.input;
    bool is_case = input->kind == NODE_INPUT_CASE;
    LLVMBasicBlockRef next = emit_block(emitter, "while.input");
    Until until = {.end = emit_block(emitter, "while.closed")};
    emit_jump(emitter, next);
    emit_enter(emitter, next);
    Node *channel = is_case ? input->input_case.channel : input->input.channel;
    Wire wire = wire_open(emitter, channel, false, input->at, NULL);
    wire.until = &until;
    if (is_case) {
        emit_variants(emitter, &wire, input);
    } else {
        receive_items(emitter, &wire, &input->input.items, NULL);
        emit_process(emitter, while_input->while_input.process);
    }
    emit_jump(emitter, next);
    emit_enter(emitter, until.end);
}
