/* wire -- see wire.h.
 *
 * Holds:  on CHAN OF ANY the site of each wait says the size in bytes, so that a receiver that
 *         asks for another size stops with an error and does not read beyond. */
#include "wire.h"

#include "layout_offsets.h"
#include "rendezvous.h"

Wire wire_open(Emitter *emitter, Node *channel, bool is_output, Location at, LLVMValueRef *met) {
    Wire wire = {
        .is_output = is_output,
        .channel = emit_channel(emitter, channel),
        .protocol = channel->type->channel.protocol,
        .name = emit_object_name(emitter, channel),
        .at = at,
        .is_field = channel->kind == NODE_FIELD && type_is_bundle_end(channel->field.base->type),
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

/* The site of a wait; for an owner it says how to take that apart. A channel of a bundle is named
 * by the call, where a routine is given the sites of its call: then the bundle stays on its machine
 * (decision 0069). The name of any other channel says more than the call. */
static LLVMValueRef site_of(Emitter *emitter, const Wire *wire, WaitReason reason) {
    if (wire->is_field && emitter->routine->call_sites != NULL) {
        return emit_wait_site(emitter, reason, wire->at, wire->name);
    }
    LLVMValueRef shape = wire->owned != NULL ? emit_shape(emitter, wire->owned) : NULL;
    return shape != NULL ? emit_shaped_site(emitter, reason, wire->at, wire->name, shape)
                         : emit_site(emitter, reason, wire->at, wire->name);
}

LLVMValueRef wire_site(Emitter *emitter, const Wire *wire) {
    return site_of(emitter, wire, wire_reason(wire));
}

static Hold hold_of(Emitter *emitter, const Wire *wire) {
    Hold hold = *wire->hold;
    hold.await_site = site_of(emitter, wire, WAIT_EXTENDED);
    return hold;
}

/* A message that has begun is completed: only its first transfer may find the channel closed. */
static void pass_first(Emitter *emitter, const Wire *wire) {
    if (may_find_closed(wire)) {
        emit_unless_closed(emitter, wire->until->end);
        wire->until->is_past = true;
    }
}

/* ---- bytes ---- */

/* Is a message of this size a word (rendezvous.c), as it would be under any other protocol? */
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
    emit_continue(emitter, done);
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

void wire_transfer(Emitter *emitter, const Wire *wire, LLVMValueRef data, LLVMValueRef size) {
    if (wire->protocol->kind == TYPE_ANY) {
        transfer_any(emitter, wire, data, size);
        return;
    }
    if (wire->hold != NULL) {
        Hold hold = hold_of(emitter, wire);
        emit_hold_transfer(emitter, wire->channel, data, size, &hold);
        return;
    }
    emit_channel_transfer(emitter, wire->is_output, wire->channel, data, size,
                          wire_site(emitter, wire), wire_met(wire));
    pass_first(emitter, wire);
}

/* ---- scalars by value ---- */

static LLVMValueRef memory_form(Emitter *emitter, LLVMValueRef value) {
    return LLVMTypeOf(value) == emitter->i1
               ? LLVMBuildZExt(emitter->builder, value, emitter->i8, "")
               : value;
}

/* A scalar on CHAN OF ANY lies in memory. */
static void send_any_scalar(Emitter *emitter, const Wire *wire, LLVMValueRef value) {
    LLVMValueRef memory = memory_form(emitter, value);
    LLVMTypeRef type = LLVMTypeOf(memory);
    LLVMValueRef slot = emit_alloca(emitter, type, "message");
    LLVMBuildStore(emitter->builder, memory, slot);
    wire_transfer(emitter, wire, slot, message_word_bytes(emitter, type));
}

void wire_send(Emitter *emitter, const Wire *wire, LLVMValueRef value) {
    if (wire->protocol->kind == TYPE_ANY) {
        send_any_scalar(emitter, wire, value);
        return;
    }
    emit_send_word(emitter, wire->channel, memory_form(emitter, value), wire_site(emitter, wire),
                   wire_met(wire));
}

LLVMValueRef wire_receive(Emitter *emitter, const Wire *wire, LLVMTypeRef type) {
    if (wire->protocol->kind == TYPE_ANY) {
        LLVMValueRef slot = emit_alloca(emitter, type, "message");
        wire_transfer(emitter, wire, slot, message_word_bytes(emitter, type));
        return LLVMBuildLoad2(emitter->builder, type, slot, "received");
    }
    if (wire->hold != NULL) {
        Hold hold = hold_of(emitter, wire);
        return emit_hold_word(emitter, wire->channel, type, &hold);
    }
    LLVMValueRef word =
        emit_receive_word(emitter, wire->channel, type, wire_site(emitter, wire), wire_met(wire));
    pass_first(emitter, wire);
    return word;
}
