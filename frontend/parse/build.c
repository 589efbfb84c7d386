/* build -- lists, names, types and specifications. */
#include "build.h"

#include <string.h>

#define MAKE(kind, at) node_create(parse->arena, NODE_##kind, (at))

/* ---- lists ---- */

NodeList build_list(Parse *parse, Node *node) {
    NodeList list = {0};
    array_push(parse->arena, &list, node);
    return list;
}

NodeList build_append(Parse *parse, NodeList list, Node *node) {
    array_push(parse->arena, &list, node);
    return list;
}

NodeList build_prepend(Parse *parse, Node *first, const NodeList *rest) {
    return build_concatenate(parse, build_list(parse, first), rest);
}

NodeList build_concatenate(Parse *parse, NodeList first, const NodeList *second) {
    for (size_t i = 0; i < second->count; i++) {
        array_push(parse->arena, &first, second->items[i]);
    }
    return first;
}

/* ---- names and types ---- */

Node *build_name(Parse *parse, const Text *name, Location at) {
    Node *node = MAKE(NAME, at);
    node->name.name = name;
    return node;
}

Node *build_def(Parse *parse, const Text *name, Location at, Direction direction) {
    Node *node = MAKE(DEF, at);
    node->def.name = name;
    node->def.direction = direction;
    return node;
}

Node *build_primitive(Parse *parse, Primitive primitive, Location at) {
    Node *node = MAKE(TYPE_PRIMITIVE, at);
    node->type_primitive.primitive = primitive;
    return node;
}

Node *build_named_type(Parse *parse, const Text *name, Location at, Direction direction) {
    Node *node = MAKE(TYPE_NAMED, at);
    node->type_named.name = name;
    node->type_named.direction = direction;
    return node;
}

Node *build_shared_type(Parse *parse, Node *type, Location at) {
    (void)parse;
    type->type_named.is_shared = true;
    type->at = at;
    return type;
}

Node *build_mobile_chan(Parse *parse, Direction direction, bool is_shared, Location at) {
    Node *node = build_primitive(parse, PRIMITIVE_MOBILE_CHAN, at);
    node->type_primitive.direction = direction;
    node->type_primitive.is_shared = is_shared;
    return node;
}

Node *build_array_type(Parse *parse, Node *size, Node *element, Location at) {
    Node *node = MAKE(TYPE_ARRAY, at);
    node->type_array.size = size;
    node->type_array.element = element;
    return node;
}

Node *build_channel_type(Parse *parse, Node *protocol, bool is_shared, Direction direction,
                         Location at) {
    Node *node = MAKE(TYPE_CHANNEL, at);
    node->type_channel.protocol = protocol;
    node->type_channel.is_shared = is_shared;
    node->type_channel.direction = direction;
    return node;
}

Node *build_mobile_type(Parse *parse, Node *element, Location at) {
    Node *node = MAKE(TYPE_MOBILE, at);
    node->type_mobile.element = element;
    return node;
}

Node *build_counted_type(Parse *parse, Node *count, Node *element, Location at) {
    Node *node = MAKE(TYPE_COUNTED, at);
    node->type_counted.count = count;
    node->type_counted.element = element;
    return node;
}

void build_check_values(Parse *parse, const NodeList *list) {
    for (size_t i = 0; i < list->count; i++) {
        if (node_is_type(list->items[i])) {
            diag_report(parse->compiler->diag, DIAG_SYNTAX_TYPE_AS_VALUE, list->items[i]->at);
            list->items[i]->kind = NODE_BROKEN;
        }
    }
}

void build_check_targets(Parse *parse, const NodeList *list) {
    for (size_t i = 0; i < list->count; i++) {
        if (node_is_type(list->items[i])) {
            diag_report(parse->compiler->diag, DIAG_SYNTAX_ASSIGN_TYPE, list->items[i]->at);
            list->items[i]->kind = NODE_BROKEN;
        }
    }
}

NodeList build_result_types(Parse *parse, NodeList list) {
    for (size_t i = 0; i < list.count; i++) {
        Node *node = list.items[i];
        if (node->kind == NODE_NAME) {
            list.items[i] = build_named_type(parse, node->name.name, node->at, DIRECTION_NONE);
        } else if (!node_is_type(node)) {
            diag_report(parse->compiler->diag, DIAG_SYNTAX_RESULT_TYPE, node->at);
            node->kind = NODE_BROKEN;
        }
    }
    return list;
}

/* ---- declarations and abbreviations ---- */

DeclarationTail *build_tail(Parse *parse, NodeList names) {
    DeclarationTail *tail = arena_new(parse->arena, DeclarationTail);
    tail->names = names;
    return tail;
}

DeclarationTail *build_abbreviation_tail(Parse *parse, Node *def, AbbreviationForm form,
                                         Node *value) {
    DeclarationTail *tail = build_tail(parse, build_list(parse, def));
    tail->is_abbreviation = true;
    tail->form = form;
    tail->value = value;
    return tail;
}

Node *build_abbreviation(Parse *parse, AbbreviationMode mode, AbbreviationForm form, Node *type,
                         Node *def, Node *value, Location at) {
    Node *node = MAKE(ABBREVIATION, at);
    node->abbreviation.mode = mode;
    node->abbreviation.form = form;
    node->abbreviation.type_expr = type;
    node->abbreviation.def = def;
    node->abbreviation.value = value;
    return node;
}

NodeList build_declaration(Parse *parse, Node *type, const DeclarationTail *tail, Location at) {
    if (tail->is_abbreviation) {
        return build_list(parse, build_abbreviation(parse, ABBREVIATION_REFERENCE, tail->form, type,
                                                    tail->names.items[0], tail->value, at));
    }
    Node *node = MAKE(DECLARATION, at);
    node->declaration.type_expr = type;
    node->declaration.names = tail->names;
    return build_list(parse, node);
}

NodeList build_initials(Parse *parse, Node *type, NodeList names, NodeList values, Location at) {
    if (names.count != values.count) {
        diag_report(parse->compiler->diag, DIAG_SYNTAX_INITIAL_COUNT, at, (unsigned)names.count,
                    (unsigned)values.count);
    }
    NodeList list = {0};
    for (size_t i = 0; i < names.count; i++) {
        Node *value = i < values.count ? values.items[i] : MAKE(BROKEN, at);
        Node *own_type = i == 0 ? type : node_copy(parse->arena, type);
        Node *node = build_abbreviation(parse, ABBREVIATION_INITIAL, FORM_IS, own_type,
                                        names.items[i], value, at);
        array_push(parse->arena, &list, node);
    }
    return list;
}

Node *build_protocol(Parse *parse, Node *def, NodeList extends, Location at) {
    Node *node = MAKE(PROTOCOL, at);
    node->protocol.def = def;
    node->protocol.extends = extends;
    return node;
}

Node *build_place(Parse *parse, Node *element, PlaceForm form, Node *address, Location at) {
    Node *node = MAKE(PLACE, at);
    node->place.element = element;
    node->place.form = form;
    node->place.at = address;
    return node;
}

/* ---- routines ---- */

Node *build_proc(Parse *parse, Node *def, NodeList formals, Node *body, Location at) {
    Node *node = MAKE(PROC, at);
    node->proc.def = def;
    node->proc.formals = formals;
    node->proc.body = body;
    return node;
}

static bool is_operator_name(const Text *name) {
    static const char *const names[] = {
        "+",  "-",  "*",  "/",  "\\", "PLUS", "MINUS",  "TIMES", "/\\",   "\\/",   "><",  "<<",
        ">>", "=",  "<>", "<",  "<=", ">",    ">=",     "~",     "NOT",   "AFTER", "?\?", "@@",
        "$$", "%",  "%%", "&&", "<%", "%>",   "<&",     "&>",    "<]",    "[>",    "<@",  "@>",
        "@",  "++", "!!", "==", "^",  "REM",  "BITAND", "BITOR", "BITNOT"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i], name->bytes) == 0) {
            return true;
        }
    }
    return false;
}

FunctionHead *build_function_head(Parse *parse, const Text *name, bool is_operator, Location at,
                                  NodeList formals, Node *body) {
    FunctionHead *head = arena_new(parse->arena, FunctionHead);
    head->def = build_def(parse, name, at, DIRECTION_NONE);
    head->formals = formals;
    head->body = body;
    if (!is_operator) {
        return head;
    }
    head->operator_text = name;
    array_push(parse->arena, &parse->operator_definitions, name);
    if (!is_operator_name(name)) {
        diag_report(parse->compiler->diag, DIAG_SYNTAX_OPERATOR_NAME, at, name->bytes);
    }
    return head;
}

Node *build_function(Parse *parse, NodeList results, FunctionMark mark, const FunctionHead *head,
                     Location at) {
    Node *node = MAKE(FUNCTION, at);
    node->function.def = head->def;
    node->function.operator_text = head->operator_text;
    node->function.is_inline = mark.is_inline;
    node->function.is_recursive = mark.is_recursive;
    node->function.results = results;
    node->function.formals = head->formals;
    node->function.body = head->body;
    return node;
}

Node *build_valof(Parse *parse, NodeList specs, Node *process, NodeList results, Location at) {
    Node *node = MAKE(VALOF, at);
    node->valof.specs = specs;
    node->valof.process = process;
    node->valof.results = results;
    return node;
}

Node *build_bad_function_body(Parse *parse, NodeList processes) {
    Node *first = processes.items[0];
    if (first->kind == NODE_ELSEWHERE) {
        return first;
    }
    if (first->kind != NODE_BROKEN && !parse->said_bare) {
        diag_report(parse->compiler->diag, DIAG_SYNTAX_FUNCTION_BODY, first->at);
        diag_hint(parse->compiler->diag,
                  "under VALOF stand one process and RESULT, two columns deeper");
    }
    return build_valof(parse, (NodeList){0}, NULL, build_list(parse, MAKE(BROKEN, first->at)),
                       first->at);
}

Node *build_formal(Parse *parse, FormalMode mode, Node *type, const Text *name, Location at,
                   Direction direction) {
    Node *node = MAKE(FORMAL, type ? location_join(type->at, at) : at);
    node->formal.mode = mode;
    node->formal.type_expr = type;
    node->formal.def = build_def(parse, name, at, direction);
    return node;
}

NodeList build_formals(Parse *parse, NodeList formals, Node *formal) {
    if (!formal->formal.type_expr && formals.count) {
        const Node *before = formals.items[formals.count - 1];
        formal->formal.mode = before->formal.mode;
        formal->formal.type_expr = node_copy(parse->arena, before->formal.type_expr);
    } else if (!formal->formal.type_expr) {
        diag_report(parse->compiler->diag, DIAG_SYNTAX_FORMAL_TYPE, formal->at);
        formal->formal.type_expr = MAKE(BROKEN, formal->at);
    }
    return build_append(parse, formals, formal);
}
