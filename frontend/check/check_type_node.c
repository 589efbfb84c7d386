/* check_type_node -- types as they are written: arrays, channels, protocols, named types.
 *
 * Leaves: definitions of types to check_definition.c. */
#include "checker.h"

#define ARRAY_SIZE_LIMIT ((uint64_t)1 << 40) /* bytes; no machine holds a larger object */

static const Type *error_type(void) {
    return type_primitive(TYPE_ERROR);
}

static const Type *not_supported_type(Checker *checker, const Node *node, const char *construct) {
    report_not_supported(checker, node->at, construct);
    return error_type();
}

static const Type *mobile_chan_type(Checker *checker, const Node *node) {
    Type *type = arena_new(checker->arena, Type);
    type->kind = TYPE_MOBILE_CHAN;
    type->bundle_end.direction = node->type_primitive.direction;
    type->bundle_end.is_shared = node->type_primitive.is_shared;
    return type;
}

static const Type *primitive_type(Checker *checker, const Node *node) {
    switch (node->type_primitive.primitive) {
    case PRIMITIVE_BOOL: return type_primitive(TYPE_BOOL);
    case PRIMITIVE_BYTE: return type_primitive(TYPE_BYTE);
    case PRIMITIVE_INT: return type_primitive(TYPE_INT);
    case PRIMITIVE_INT16: return type_primitive(TYPE_INT16);
    case PRIMITIVE_INT32: return type_primitive(TYPE_INT32);
    case PRIMITIVE_INT64: return type_primitive(TYPE_INT64);
    case PRIMITIVE_UINT: return type_primitive(TYPE_UINT);
    case PRIMITIVE_UINT16: return type_primitive(TYPE_UINT16);
    case PRIMITIVE_UINT32: return type_primitive(TYPE_UINT32);
    case PRIMITIVE_UINT64: return type_primitive(TYPE_UINT64);
    case PRIMITIVE_REAL32: return type_primitive(TYPE_REAL32);
    case PRIMITIVE_REAL64: return type_primitive(TYPE_REAL64);
    case PRIMITIVE_TIMER: return type_primitive(TYPE_TIMER);
    case PRIMITIVE_ANY: return type_primitive(TYPE_ANY);
    case PRIMITIVE_BARRIER: return type_primitive(TYPE_BARRIER);
    case PRIMITIVE_CLOCK: return type_primitive(TYPE_CLOCK);
    case PRIMITIVE_MUTEX: return type_primitive(TYPE_MUTEX);
    case PRIMITIVE_MOBILE_CHAN: return mobile_chan_type(checker, node);
    case PRIMITIVE_MOBILE_PROC: return type_primitive(TYPE_MOBILE_PROC);
    case PRIMITIVE_MOBILE_ANY: return type_primitive(TYPE_MOBILE_ANY);
    }
    return error_type();
}

/* A name where a type stands: DATA TYPE, or PROTOCOL under CHAN. */
static const Type *named_type(Checker *checker, Node *node, bool protocol_allowed) {
    Symbol *symbol = name_find(checker, node->type_named.name, node->at);
    node->type_named.symbol = symbol;
    if (!symbol) {
        return error_type();
    }
    symbol->is_used = true;
    bool is_type = symbol->kind == SYMBOL_DATA_TYPE || symbol->kind == SYMBOL_CHAN_TYPE ||
                   symbol->kind == SYMBOL_PROC_TYPE;
    if (is_type || (symbol->kind == SYMBOL_PROTOCOL && protocol_allowed)) {
        return symbol->type;
    }
    diag_report(checker->diag, DIAG_NAMES_KIND, node->at, symbol->name->bytes, symbol_words(symbol),
                "a type");
    symbol_label(checker, symbol, "is defined here");
    if (symbol->kind == SYMBOL_PROTOCOL) {
        diag_hint(checker->diag, "a PROTOCOL is carried by a channel: CHAN %s",
                  symbol->name->bytes);
    }
    return error_type();
}

const Type *check_array_size(Checker *checker, Location at, const Type *element, int64_t count) {
    const Type *type = type_array(checker->arena, element, count);
    if (type_size(type) > ARRAY_SIZE_LIMIT) {
        diag_report(checker->diag, DIAG_TYPES_ARRAY_SIZE, at);
        return error_type();
    }
    return type;
}

/* [n][m]T of RETYPES: only the sizes of its own dimensions may be known when it runs. */
static const Type *array_element_type(Checker *checker, Node *element, bool takes_run_sizes) {
    checker->takes_run_sizes = takes_run_sizes && element->kind == NODE_TYPE_ARRAY;
    const Type *type = check_type(checker, element);
    checker->takes_run_sizes = false;
    return type;
}

static const Type *open_array(Checker *checker, const Node *node, const Type *element) {
    if (type_open_dimensions(element) >= OPEN_DIMENSION_LIMIT) {
        diag_report(checker->diag, DIAG_TYPES_DIMENSIONS, node->at, OPEN_DIMENSION_LIMIT);
        return error_type();
    }
    return type_array(checker->arena, element, ARRAY_OPEN);
}

static const Type *array_type(Checker *checker, Node *node) {
    bool takes_run_sizes = checker->takes_run_sizes;
    const Type *element = array_element_type(checker, node->type_array.element, takes_run_sizes);
    Node **size = &node->type_array.size;
    if (report_clock_no_data(checker, node, element)) {
        return error_type();
    }
    if (!*size) {
        return open_array(checker, node, element);
    }
    if (takes_run_sizes) {
        check_integer(checker, size);
        if ((*size)->type && !type_is_error((*size)->type) && !(*size)->constant) {
            check_run_size(checker, size);
            return open_array(checker, node, element);
        }
    }
    int64_t count = 0;
    if (!check_constant_integer(checker, size, &count)) {
        if (!type_is_error((*size)->type)) {
            diag_hint(checker->diag, RUN_SIZE_HINT);
        }
        return error_type();
    }
    if (count < 0) {
        diag_report(checker->diag, DIAG_TYPES_ARRAY_COUNT, (*size)->at, (long long)count);
        return error_type();
    }
    return check_array_size(checker, node->at, element, count);
}

static const Type *channel_type(Checker *checker, Node *node) {
    const Type *protocol = check_protocol_type(checker, node->type_channel.protocol);
    Direction direction = node->type_channel.direction;
    if (!node->type_channel.is_shared) {
        return type_channel(checker->arena, protocol, direction);
    }
    Type *type = arena_new(checker->arena, Type);
    type->kind = TYPE_CHANNEL;
    type->channel.protocol = protocol;
    type->channel.is_shared_input = direction != DIRECTION_OUTPUT;
    type->channel.is_shared_output = direction != DIRECTION_INPUT;
    return type;
}

static const Type *port_type(Checker *checker, Node *node) {
    const Type *element = check_data_type(checker, node->type_port.element, false);
    if (type_is_error(element)) {
        return error_type();
    }
    Type *type = arena_new(checker->arena, Type);
    type->kind = TYPE_PORT;
    type->element = element;
    return type;
}

/* count::[]T, only in a protocol */
static const Type *counted_type(Checker *checker, Node *node) {
    const Type *count = check_type(checker, node->type_counted.count);
    const Type *array = check_type(checker, node->type_counted.element);
    if (type_is_error(count) || type_is_error(array)) {
        return error_type();
    }
    if (!type_is_integer(count)) {
        diag_report(checker->diag, DIAG_TYPES_COUNTED_COUNT, node->type_counted.count->at,
                    type_name(checker->arena, count));
        return error_type();
    }
    const Type *element = array->kind == TYPE_ARRAY ? array->array.element : array;
    if (report_clock_no_data(checker, node->type_counted.element, element)) {
        return error_type();
    }
    if (!type_is_data(element) || type_has_open_dimension(element) || type_owns(element)) {
        diag_report(checker->diag, DIAG_TYPES_PROTOCOL_ITEM, node->type_counted.element->at,
                    type_name(checker->arena, array));
        return error_type();
    }
    Type *type = arena_new(checker->arena, Type);
    type->kind = TYPE_COUNTED;
    type->counted.count = count;
    type->counted.element = element;
    return type;
}

static const Type *bundle_end_or_named(Checker *checker, Node *node, bool protocol_allowed) {
    if (node->type_named.is_shared || node->type_named.direction != DIRECTION_NONE) {
        return check_bundle_end_type(checker, node);
    }
    return named_type(checker, node, protocol_allowed);
}

static const Type *type_of_node(Checker *checker, Node *node, bool protocol_allowed) {
    switch (node->kind) {
    case NODE_TYPE_PRIMITIVE: return primitive_type(checker, node);
    case NODE_TYPE_NAMED: return bundle_end_or_named(checker, node, protocol_allowed);
    case NODE_TYPE_ARRAY: return array_type(checker, node);
    case NODE_TYPE_CHANNEL: return channel_type(checker, node);
    case NODE_TYPE_PORT: return port_type(checker, node);
    case NODE_TYPE_MOBILE: return check_mobile_type(checker, node);
    case NODE_TYPE_COUNTED: return counted_type(checker, node);
    case NODE_TYPE_BUFFERED: return not_supported_type(checker, node, "BUFFERED");
    case NODE_KINDS_OF_EXPRESSION:
    case NODE_KINDS_OF_SPECIFICATION:
    case NODE_KINDS_OF_PART:
    case NODE_KINDS_OF_WAY:
    case NODE_KINDS_OF_PROCESS:
    case NODE_BROKEN:
    case NODE_UNIT: return error_type();
    case NODE_KIND_COUNT: bug("node of no kind");
    }
    return error_type();
}

static const Type *check_node(Checker *checker, Node *node, bool protocol_allowed) {
    check_depth(checker, node);
    node->type = type_of_node(checker, node, protocol_allowed);
    checker->depth--;
    return node->type;
}

/* A CHAN TYPE or PROC TYPE by itself is no type of variables: of the one there are two ends, of the
 * other MOBILE processes. */
bool check_is_whole_type(Checker *checker, Node *node, const Type *type) {
    const Type *leaf = type_leaf(type);
    if (leaf->kind == TYPE_BUNDLE) {
        const char *name = type_name(checker->arena, leaf);
        diag_report(checker->diag, DIAG_TYPES_BUNDLE_END, node->at, name);
        diag_hint(checker->diag, "%s? is the end of the server, %s! that of a client", name, name);
    } else if (leaf->kind == TYPE_PROC_TYPE) {
        const char *name = type_name(checker->arena, leaf);
        diag_report(checker->diag, DIAG_TYPES_NOT_DATA, node->at, name);
        diag_hint(checker->diag, "a variable that holds a process of it is a MOBILE %s", name);
    } else {
        return true;
    }
    node->type = error_type();
    return false;
}

/* TIMER and CHAN are types too: what may be declared with them is the caller's question. */
const Type *check_type(Checker *checker, Node *node) {
    const Type *type = check_node(checker, node, false);
    if (type->kind == TYPE_ANY || type->kind == TYPE_COUNTED) {
        diag_report(checker->diag, DIAG_TYPES_ONLY_PROTOCOL, node->at,
                    type_name(checker->arena, type));
        node->type = error_type();
    }
    return node->type;
}

const Type *check_protocol_type(Checker *checker, Node *node) {
    const Type *type = check_node(checker, node, true);
    bool is_protocol = type->kind == TYPE_ANY || type->kind == TYPE_COUNTED ||
                       type->kind == TYPE_SEQUENCE || type->kind == TYPE_VARIANT;
    if (is_protocol || type_is_error(type)) {
        return type;
    }
    if (report_clock_no_data(checker, node, type)) {
        node->type = error_type();
    } else if (!check_is_whole_type(checker, node, type)) {
        return node->type;
    } else if (!type_is_data(type) || type_has_open_dimension(type)) {
        diag_report(checker->diag, DIAG_TYPES_PROTOCOL_ITEM, node->at,
                    type_name(checker->arena, type));
        if (type_has_open_dimension(type) && type_is_data(type)) {
            diag_hint(checker->diag, "give the size, or send the count first: CHAN INT::%s",
                      type_name(checker->arena, type));
        } else if (type_is_channel(type)) {
            diag_hint(checker->diag, "what moves is a MOBILE []CHAN, or an end of a CHAN TYPE");
        }
        node->type = error_type();
    }
    return node->type;
}

const Type *check_data_type(Checker *checker, Node *node, bool open_allowed) {
    const Type *type = check_type(checker, node);
    if (type_is_error(type)) {
        return type;
    }
    if (report_clock_no_data(checker, node, type)) {
        node->type = error_type();
    } else if (!check_is_whole_type(checker, node, type)) {
        return node->type;
    } else if (!type_is_data(type)) {
        diag_report(checker->diag, DIAG_TYPES_NOT_DATA, node->at, type_name(checker->arena, type));
        node->type = error_type();
    } else if (!open_allowed && type_has_open_dimension(type)) {
        diag_report(checker->diag, DIAG_TYPES_OPEN, node->at, type_name(checker->arena, type));
        diag_hint(checker->diag, RUN_SIZE_HINT);
        node->type = error_type();
    }
    return node->type;
}
