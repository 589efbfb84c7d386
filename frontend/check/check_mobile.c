/* check_mobile -- MOBILE types, allocation, CLONE, DEFINED; where a value moves (language.md 2.9).
 *
 * Leaves: mobility of channel ends to check_bundle.c, undefinedness to flow_variable.c.
 * Holds:  wherever a value that owns something goes into an object that is to own it, and the value
 *         has a name, the node becomes MOVE: every later pass sees that the name is changed. */
#include "checker.h"

/* ---- MOBILE T ---- */

/* Both ends of channels that have no locks with them, as many as the object has. */
static bool is_channel_array(const Type *type) {
    const Type *leaf = type_leaf(type);
    return type_has_open_dimension(type) && leaf->kind == TYPE_CHANNEL && !type_is_shared(type) &&
           leaf->channel.direction == DIRECTION_NONE;
}

static bool can_be_mobile(const Type *type) {
    return type_is_data(type) || type_is_clock(type) || is_channel_array(type);
}

const Type *check_mobile_type(Checker *checker, Node *node) {
    const Type *element = check_type(checker, node->type_mobile.element);
    if (type_is_error(element)) {
        return element;
    }
    if (!can_be_mobile(element) && element->kind != TYPE_PROC_TYPE) {
        diag_report(checker->diag, DIAG_TYPES_MOBILE, node->at, type_name(checker->arena, element));
        return type_primitive(TYPE_ERROR);
    }
    return type_mobile(checker->arena, element);
}

/* ---- MOBILE [n]T, MOBILE R ---- */

static bool check_dimensions(Checker *checker, NodeList *dimensions) {
    bool is_good = true;
    for (size_t i = 0; i < dimensions->count; i++) {
        check_integer(checker, &dimensions->items[i]);
        const Node *dimension = dimensions->items[i];
        is_good = is_good && !type_is_error(dimension->type);
        if (dimension->constant && dimension->constant->integer < 0) {
            diag_report(checker->diag, DIAG_TYPES_ARRAY_COUNT, dimension->at,
                        (long long)dimension->constant->integer);
            is_good = false;
        }
    }
    return is_good;
}

const Type *check_allocation(Checker *checker, Node *node) {
    Ast_allocation *allocation = &node->allocation;
    bool is_good = check_dimensions(checker, &allocation->dimensions);
    if (check_is_bundle_allocation(checker, node)) {
        return check_bundle_allocation(checker, node, NULL, 0);
    }
    if (allocation->aligned || allocation->is_dma || allocation->is_empty) {
        report_not_supported(checker, node->at, "MOBILE with ALIGNED, DMA or EMPTY");
        return expression_fail(checker, node);
    }
    const Type *process = check_process_allocation(checker, node);
    if (process) {
        return process;
    }
    const Type *element = check_type(checker, allocation->type_expr);
    if (type_is_error(element) || !is_good) {
        return expression_fail(checker, node);
    }
    bool is_array = allocation->dimensions.count > 0;
    if (!is_array && type_is_mobile(element) && type_is_recursive(element)) {
        return element;
    }
    if (!is_array && type_base(type_content(element))->kind == TYPE_RECORD) {
        diag_report(checker->diag, DIAG_TYPES_MOBILE, node->at, type_name(checker->arena, element));
        diag_hint(checker->diag, "a record is there from the start: write to its fields");
        return expression_fail(checker, node);
    }
    if (type_is_clock(element) && !is_array) {
        return type_mobile(checker->arena, element);
    }
    bool is_channel = is_array && element->kind == TYPE_CHANNEL && !type_is_shared(element);
    if ((!type_is_data(element) && !is_channel) || type_has_open_dimension(element)) {
        diag_report(checker->diag, DIAG_TYPES_MOBILE, node->at, type_name(checker->arena, element));
        return expression_fail(checker, node);
    }
    if (!is_array && type_is_mobile(element) && type_has_open_dimension(type_content(element))) {
        diag_report(checker->diag, DIAG_TYPES_OPEN, node->at, type_name(checker->arena, element));
        return expression_fail(checker, node);
    }
    if (type_open_dimensions(element) + allocation->dimensions.count > OPEN_DIMENSION_LIMIT) {
        diag_report(checker->diag, DIAG_TYPES_DIMENSIONS, node->at, OPEN_DIMENSION_LIMIT);
        return expression_fail(checker, node);
    }
    for (size_t i = 0; i < allocation->dimensions.count; i++) {
        element = type_array(checker->arena, element, ARRAY_OPEN);
    }
    const Type *type = type_mobile(checker->arena, element);
    if (!type_is_mobile(type)) {
        diag_report(checker->diag, DIAG_TYPES_MOBILE, node->at, type_name(checker->arena, element));
        return expression_fail(checker, node);
    }
    return type;
}

/* ---- the contents under a plain type ---- */

static bool is_dynamic(const Type *type) {
    const Type *content = type_content(type);
    return type_is_mobile(type) && type_is_array(content) && type_has_open_dimension(content);
}

bool check_is_plain(Checker *checker, Node *value, const Type *wanted, const char *hint) {
    if (type_is_mobile(wanted) || !is_dynamic(value->type)) {
        return true;
    }
    diag_report(checker->diag, DIAG_TYPES_MISMATCH, value->at, type_name(checker->arena, wanted),
                type_name(checker->arena, value->type));
    diag_hint(checker->diag, "%s", hint);
    expression_fail(checker, value);
    return false;
}

void check_formal_mobile(Checker *checker, const Node *formal, const Type *type) {
    if (formal->formal.mode == FORMAL_VAL && formal->formal.type_expr->kind == NODE_TYPE_MOBILE &&
        is_dynamic(type)) {
        const Type *content = type_content(type);
        diag_report(checker->diag, DIAG_TYPES_MOBILE, formal->formal.def->at, "a VAL parameter");
        diag_hint(checker->diag, "VAL %s takes what a mobile holds",
                  type_name(checker->arena, content));
    }
}

/* ---- CLONE x, DEFINED x ---- */

/* `type` is that of the operand, which has been checked. */
static const Type *mobile_operand(Checker *checker, Node *node, Node *operand, const Type *type,
                                  const char *word) {
    element_mark_read(operand);
    if (!type_is_error(type) && !type_owns(type)) {
        diag_report(checker->diag, DIAG_TYPES_NOT_MOBILE, node->at, word,
                    type_name(checker->arena, type));
        return expression_fail(checker, node);
    }
    return type;
}

/* A MOBILE RECORD of at most 8 bytes is a plain value: its clone is itself. */
static bool is_small_mobile(const Type *type) {
    const Type *base = type_base(type);
    return base->kind == TYPE_RECORD && base->record.is_mobile && !type_owns(type);
}

static const Node *declared_type(const Symbol *symbol) {
    const Node *definition = symbol ? symbol->definition : NULL;
    return !definition                            ? NULL
           : definition->kind == NODE_DECLARATION ? definition->declaration.type_expr
           : definition->kind == NODE_FORMAL      ? definition->formal.type_expr
                                                  : NULL;
}

/* The type, as it is written, of a variable or an element of one; NULL for other elements. */
static const Node *written_type(const Node *element) {
    if (element->kind == NODE_NAME) {
        return declared_type(symbol_object(element->name.symbol));
    }
    const Node *array =
        element->kind == NODE_SUBSCRIPT ? written_type(element->subscript.base) : NULL;
    if (array && array->kind == NODE_TYPE_MOBILE) {
        array = array->type_mobile.element;
    }
    return array && array->kind == NODE_TYPE_ARRAY ? array->type_array.element : NULL;
}

/* MOBILE INT and what else is too small for an object: a plain value that is said to be mobile. */
static bool is_said_mobile(const Type *type, const Node *element) {
    const Node *written = type_is_error(type) || type_owns(type) ? NULL : written_type(element);
    return written && written->kind == NODE_TYPE_MOBILE;
}

const Type *check_clone(Checker *checker, Node **slot) {
    Node *node = *slot;
    const Type *operand = check_element(checker, &node->clone.operand);
    if (is_small_mobile(operand) || is_said_mobile(operand, node->clone.operand)) {
        element_mark_read(node->clone.operand);
        *slot = node->clone.operand;
        return operand;
    }
    const Type *type = mobile_operand(checker, node, node->clone.operand, operand, "CLONE");
    if (!type_is_error(type) && !type_can_be_cloned(type)) {
        diag_report(checker->diag, DIAG_TYPES_CLONE, node->at, type_name(checker->arena, type));
        if (type_is_clock(type_content(type))) {
            diag_hint(checker->diag, "to enrol another process, send it the clock or FORK it with "
                                     "the clock: the sender stays enrolled");
        }
        return expression_fail(checker, node);
    }
    return type;
}

const Type *check_defined(Checker *checker, Node *node) {
    const Type *operand = check_element(checker, &node->defined.operand);
    const Type *type = mobile_operand(checker, node, node->defined.operand, operand, "DEFINED");
    if (!type_is_error(type) && (type_is_array(type) || type_base(type)->kind == TYPE_RECORD)) {
        diag_report(checker->diag, DIAG_TYPES_NOT_MOBILE, node->at, "DEFINED",
                    type_name(checker->arena, type));
        return expression_fail(checker, node);
    }
    return type_is_error(type) ? type : type_primitive(TYPE_BOOL);
}

/* ---- MOBILE INT and the other scalars ---- */

const Type *check_content(Checker *checker, Node **slot) {
    Node *element = *slot;
    const Type *scalar = type_is_error(element->type) ? NULL : type_mobile_scalar(element->type);
    if (!scalar) {
        return element->type;
    }
    Node *index = node_create(checker->arena, NODE_INTEGER, element->at);
    index->type = type_primitive(TYPE_INT);
    index->constant = constant_integer(checker->arena, index->type, 0);
    Node *content = node_create(checker->arena, NODE_SUBSCRIPT, element->at);
    content->subscript = (Ast_subscript){.base = element, .index = index, .is_content = true};
    content->type = scalar;
    *slot = content;
    return scalar;
}

/* ---- moves ---- */

/* The same type; or into a box, or out of one. */
static bool moves_to(const Type *wanted, const Type *type) {
    return type_equal(wanted, type) || type_boxes(wanted, type) || type_boxes(type, wanted);
}

void check_move(Checker *checker, Node **slot, const Type *wanted) {
    Node *node = *slot;
    if (!wanted || type_is_error(wanted) || !node->type || type_is_error(node->type) ||
        !element_is_element(node) || !type_owns(node->type) || !moves_to(wanted, node->type)) {
        return;
    }
    if (type_is_bundle_end(node->type) && type_base(node->type)->bundle_end.is_shared) {
        return; /* it is copied: both are ends */
    }
    Symbol *symbol = node_root(node);
    if (!symbol || !element_check_changeable(checker, node, symbol)) {
        return;
    }
    Node *move = node_create(checker->arena, NODE_MOVE, node->at);
    move->move.element = node;
    move->type = node->type;
    *slot = move;
}
