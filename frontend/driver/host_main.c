/* host_main -- programs that talk with a server of the host. See host_main.h. */
#include "host_main.h"

#include "parse.h"

#include <string.h>

/* What a board of the toolset had left for the program, more or less. */
#define MEMORY_WORDS "1048576"

static bool is_named(const Text *name, const char *word) {
    return name && strcmp(name->bytes, word) == 0;
}

static bool is_primitive(const Node *type, Primitive primitive) {
    return type->kind == NODE_TYPE_PRIMITIVE && type->type_primitive.primitive == primitive;
}

/* CHAN OF SP */
static bool is_server_channel(const Node *formal) {
    const Node *type = formal->kind == NODE_FORMAL ? formal->formal.type_expr : NULL;
    if (!type || type->kind != NODE_TYPE_CHANNEL || type->type_channel.is_shared) {
        return false;
    }
    const Node *protocol = type->type_channel.protocol;
    return protocol->kind == NODE_TYPE_NAMED && is_named(protocol->type_named.name, "SP");
}

/* []INT */
static bool is_memory(const Node *formal) {
    const Node *type = formal->kind == NODE_FORMAL ? formal->formal.type_expr : NULL;
    if (!type || formal->formal.mode == FORMAL_VAL || type->kind != NODE_TYPE_ARRAY ||
        type->type_array.size) {
        return false;
    }
    return is_primitive(type->type_array.element, PRIMITIVE_INT);
}

/* PROTOCOL SP IS INT16::[]BYTE: another SP is none of the server's. */
static bool has_server_protocol(const Node *unit) {
    const Node *found = NULL;
    for (size_t i = 0; i < unit->unit.specs.count; i++) {
        const Node *node = unit->unit.specs.items[i];
        bool is_it = node->kind == NODE_PROTOCOL && is_named(node->protocol.def->def.name, "SP");
        found = is_it ? node : found;
    }
    if (!found || found->protocol.items.count != 1 ||
        found->protocol.items.items[0]->kind != NODE_TYPE_COUNTED) {
        return false;
    }
    const Node *item = found->protocol.items.items[0];
    const Node *array = item->type_counted.element;
    const Node *element = array->kind == NODE_TYPE_ARRAY ? array->type_array.element : array;
    return is_primitive(item->type_counted.count, PRIMITIVE_INT16) &&
           is_primitive(element, PRIMITIVE_BYTE);
}

static bool is_host_program(const Node *proc) {
    const NodeList *formals = &proc->proc.formals;
    bool fits = formals->count >= 2;
    for (size_t i = 0; fits && i < formals->count; i++) {
        fits = i < 2 ? is_server_channel(formals->items[i]) : is_memory(formals->items[i]);
    }
    return fits;
}

static bool is_output(const Node *formal) {
    return formal->formal.type_expr->type_channel.direction == DIRECTION_OUTPUT ||
           formal->formal.def->def.direction == DIRECTION_OUTPUT;
}

static const char *actuals(Compiler *compiler, const NodeList *formals) {
    const char *list = is_output(formals->items[0]) ? "ts!, fs?" : "fs?, ts!";
    for (size_t i = 2; i < formals->count; i++) {
        list = arena_format(compiler->arena, "%s, memory.%zu", list, i);
    }
    return list;
}

static const char *memories(Compiler *compiler, const NodeList *formals) {
    const char *list = "";
    for (size_t i = 2; i < formals->count; i++) {
        list = arena_format(compiler->arena, "%s  [" MEMORY_WORDS "]INT memory.%zu:\n", list, i);
    }
    return list;
}

void host_main_find(Compiler *compiler, const Node *unit) {
    const Node *proc = node_last_proc(unit);
    bool is_it = proc && is_host_program(proc) && has_server_protocol(unit);
    compiler->host_program = is_it ? proc : NULL;
}

static const char *program_text(Compiler *compiler, const Node *proc) {
    const NodeList *formals = &proc->proc.formals;
    return arena_format(compiler->arena,
                        "PROC host.program (CHAN INT16::[]BYTE from?, to!)\n"
                        "  CHAN OF SP fs? RETYPES from?:\n"
                        "  CHAN OF SP ts! RETYPES to!:\n"
                        "%s"
                        "  %s (%s)\n"
                        ":\n"
                        "#USE \"hostio.server\"\n"
                        "PROC host.serve (CHAN BYTE keyboard?, screen!, error!, "
                        "CHAN INT16::[]BYTE in?, out!)\n"
                        "  CHAN OF SP fs! RETYPES out!:\n"
                        "  CHAN OF SP ts? RETYPES in?:\n"
                        "  host.server (keyboard?, screen!, error!, ts?, fs!)\n"
                        ":\n"
                        "PROC host.main (CHAN BYTE keyboard?, screen!, error!)\n"
                        "  CHAN INT16::[]BYTE from, to:\n"
                        "  PAR\n"
                        "    host.serve (keyboard?, screen!, error!, to?, from!)\n"
                        "    SEQ\n"
                        "      host.program (from?, to!)\n"
                        "      to ! 0::\"\"\n"
                        ":\n",
                        memories(compiler, formals), proc->proc.def->def.name->bytes,
                        actuals(compiler, formals));
}

void host_main_add(Compiler *compiler, Node *unit) {
    if (!compiler->host_program) {
        return;
    }
    const char *text = program_text(compiler, compiler->host_program);
    const Node *added = parse_text(compiler, "host main", text, strlen(text));
    for (size_t i = 0; i < added->unit.specs.count; i++) {
        array_push(compiler->arena, &unit->unit.specs, added->unit.specs.items[i]);
    }
}
