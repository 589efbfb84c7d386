/* port -- PORTs: a place in the machine's port space that is read and written (language.md 1.4).
 *
 * Owns:   what PLACE does: the address a PORT has; input from and output to it.
 * Leaves: the access itself to the runtime (port.h).
 * Holds:  the address of a PORT's Place is its number; it is never loaded or stored. The PORTs of
 *         an array have consecutive numbers. A PORT that is not placed has the number -1. */
#include "port.h"

static void bind_port(Emitter *emitter, Symbol *symbol, LLVMValueRef number) {
    LLVMValueRef wide = LLVMBuildSExt(emitter->builder, number, emitter->i64, "");
    Place place = {
        .type = symbol->type,
        .address = LLVMBuildIntToPtr(emitter->builder, wide, emitter->ptr, symbol->name->bytes),
    };
    emit_bind_place(emitter, symbol, place);
}

void emit_declare_port(Emitter *emitter, Symbol *symbol) {
    bind_port(emitter, symbol, emit_i32(emitter, -1));
}

void emit_place_specification(Emitter *emitter, Node *place) {
    Node *element = place->place.element;
    if (place->place.form == PLACED_TYPE && element->kind == NODE_DEF) {
        emit_declare_symbol(emitter, element->def.symbol);
    }
    bool has_address = place->place.form == PLACE_AT || place->place.form == PLACED_TYPE;
    if (!has_address || type_leaf(element->type)->kind != TYPE_PORT) {
        return;
    }
    Symbol *symbol = element->kind == NODE_DEF    ? element->def.symbol
                     : element->kind == NODE_NAME ? element->name.symbol
                                                  : NULL;
    if (symbol == NULL) {
        emit_not_supported(emitter, place->at, "PLACE of a part of an array");
        return;
    }
    bind_port(emitter, symbol, emit_scalar(emitter, place->place.at));
}

static void access_port(Emitter *emitter, RuntimeCall routine, Node *channel, Place data,
                        Location at) {
    Place port = emit_place(emitter, channel);
    LLVMValueRef arguments[] = {
        port.address,
        data.address,
        emit_size_bytes(emitter, data),
        emit_site(emitter, ERROR_PORT, at, emit_object_name(emitter, channel)),
    };
    emit_runtime_call(emitter, routine, arguments);
}

void emit_port_output(Emitter *emitter, Node *output) {
    Node *item = output->output.items.items[0];
    const Type *type = output->output.channel->type->element;
    LLVMValueRef heap;
    Place data = emit_object(emitter, type, "message", &heap, output->at);
    emit_into(emitter, item, data);
    access_port(emitter, RT_port_output, output->output.channel, data, output->at);
    if (heap != NULL) {
        emit_runtime_call(emitter, RT_heap_free, &heap);
    }
}

void emit_port_input(Emitter *emitter, Node *input) {
    Place data = emit_place(emitter, input->input.items.items[0]);
    access_port(emitter, RT_port_input, input->input.channel, data, input->at);
}
