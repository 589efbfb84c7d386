/* communication -- ? and ! for every form of protocol.
 *
 * Owns:   the statements: which tag and items a message has, the variants of CASE, what an extended
 *         input and WHILE c ? x do between transfers, the items of an output guard.
 * Leaves: an item to item.c, a transfer to wire.c, the rendezvous itself to rendezvous.c, ALT to
 *         alternative.c.
 * Holds:  a tag is one byte and is sent first. */
#include "item.h"
#include "port.h"

/* The type that the protocol gives item `index` after the tag; NULL when it does not matter. */
static const Type *item_type(const Type *protocol, const TypeTag *tag, size_t index) {
    if (tag != NULL) {
        return index < tag->item_count ? tag->items[index] : NULL;
    }
    if (protocol->kind == TYPE_SEQUENCE) {
        return index < protocol->sequence.item_count ? protocol->sequence.items[index] : NULL;
    }
    return protocol;
}

static void receive_items(Emitter *emitter, const Wire *wire, const NodeList *items,
                          const TypeTag *tag) {
    for (size_t i = 0; i < items->count; i++) {
        Wire item = *wire;
        item.hold = i + 1 == items->count ? wire->hold : NULL;
        item_receive(emitter, &item, items->items[i], item_type(wire->protocol, tag, i));
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
        wire_send(emitter, &wire,
                  LLVMConstInt(emitter->i8, (unsigned long long)use->tag_use.value, 0));
    }
    for (size_t i = first; i < items->count; i++) {
        item_send(emitter, &wire, items->items[i], item_type(wire.protocol, tag, i - first),
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
    Node *item = output->output.items.items[index];
    const Node *scalar = item_scalar(item);
    if (scalar != NULL) {
        return scalar->type;
    }
    const Type *protocol = output->output.channel->type->channel.protocol;
    size_t first;
    const TypeTag *tag = output_tag(output, protocol, &first);
    return index >= first && item_is_kept(item, item_type(protocol, tag, index - first))
               ? item->type
               : NULL;
}

void emit_output_items(Emitter *emitter, Node *output, LLVMValueRef *slots) {
    const NodeList *items = &output->output.items;
    const Type *protocol = output->output.channel->type->channel.protocol;
    size_t first;
    const TypeTag *tag = output_tag(output, protocol, &first);
    for (size_t i = first; i < items->count; i++) {
        Node *item = items->items[i];
        LLVMValueRef value = item_value(emitter, item, NULL);
        item_check(emitter, item, item_type(protocol, tag, i - first), value);
        Place slot = {.type = emit_item_slot_type(output, i)};
        if (slots == NULL || slot.type == NULL) {
            continue;
        }
        slot.address = slots[i];
        if (value != NULL) {
            emit_store(emitter, value, slot);
        } else {
            emit_copy(emitter, slot, emit_data_place(emitter, item), item->at);
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

/* An extended input lets its partner go after the tag, if there are items to come. */
static void emit_variant(Emitter *emitter, const Wire *wire, Node *variant) {
    const NodeList *specs = &variant->variant.specs;
    const NodeList *items = &variant->variant.items;
    emit_specifications(emitter, specs, variant);
    const TypeTag *tag = &wire->protocol->variant.tags[variant->variant.tag->tag_use.index];
    if (wire->hold != NULL && items->count > 0) {
        emit_hold_end(emitter, wire->channel, wire->hold);
    }
    receive_items(emitter, wire, items, tag);
    emit_coverage(emitter, COVERAGE_OPTION, variant->at, variant->at);
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
    LLVMValueRef tag = wire_receive(emitter, wire, emitter->i8);
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
    emit_error(emitter, ERROR_NO_VARIANT, input_case->at, wire->name, number);
    emit_continue(emitter, done);
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
    emit_continue(emitter, next);
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
