/* check_retypes -- RETYPES reads the same bytes as another type, RESHAPES the same elements in
 * other dimensions (language.md 1.6): sizes agree, at most one dimension is found from the size. */
#include "checker.h"

static unsigned open_dimensions(const Type *type) {
    unsigned open = 0;
    for (const Type *at = type; at->kind == TYPE_ARRAY; at = at->array.element) {
        open += at->array.count == ARRAY_OPEN;
    }
    return open;
}

/* [] in the text: to be found from the size of the value. */
static unsigned dimensions_to_find(const Node *type_expr) {
    unsigned found = 0;
    for (const Node *at = type_expr; at && at->kind == NODE_TYPE_ARRAY;
         at = at->type_array.element) {
        found += !at->type_array.size;
    }
    return found;
}

static bool has_run_size(const Node *type_expr) {
    const Node *at = type_expr;
    while (at && at->kind == NODE_TYPE_ARRAY &&
           (!at->type_array.size || at->type_array.size->constant)) {
        at = at->type_array.element;
    }
    return at && at->kind == NODE_TYPE_ARRAY;
}

void check_run_size(Checker *checker, Node **size) {
    Node *value = *size;
    Node *def = node_create(checker->arena, NODE_DEF, value->at);
    def->def.name = text_intern_string(checker->compiler->texts, "the size"); /* no name has it */
    Node *node = node_create(checker->arena, NODE_ABBREVIATION, value->at);
    node->abbreviation.mode = ABBREVIATION_INITIAL; /* what it is made from may change */
    node->abbreviation.form = FORM_IS;
    node->abbreviation.def = def;
    node->abbreviation.value = value;
    Symbol *symbol = symbol_define(checker, SYMBOL_VARIABLE, def, type_primitive(TYPE_INT), node);
    symbol->is_used = true;
    symbol->is_initial = true;
    array_push(checker->arena, &checker->run_sizes, node);
    *size = node_create(checker->arena, NODE_NAME, value->at);
    (*size)->name.name = def->def.name;
    (*size)->name.symbol = symbol;
    (*size)->type = symbol->type;
}

/* Bytes of the type with its open dimension counted as one. */
static uint64_t size_of_one(const Type *type) {
    if (type->kind != TYPE_ARRAY) {
        return type_size(type);
    }
    uint64_t count = type->array.count == ARRAY_OPEN ? 1 : (uint64_t)type->array.count;
    return count * size_of_one(type->array.element);
}

static const Type *with_count(Checker *checker, const Type *type, int64_t count) {
    if (type->kind != TYPE_ARRAY) {
        return type;
    }
    const Type *element = with_count(checker, type->array.element, count);
    return type_array(checker->arena, element,
                      type->array.count == ARRAY_OPEN ? count : type->array.count);
}

static const Type *report_sizes(Checker *checker, Node *node, const Type *wanted, const Type *type,
                                uint64_t needed, uint64_t found) {
    diag_report(checker->diag, DIAG_TYPES_RETYPES_SIZE, node->abbreviation.value->at,
                type_name(checker->arena, wanted), (unsigned long long)needed,
                type_name(checker->arena, type), (unsigned long long)found);
    return wanted;
}

/* The complete type; the one open dimension stays open when the value's size is not known. */
static const Type *fit_size(Checker *checker, Node *node, const Type *wanted, const Type *type) {
    uint64_t one = size_of_one(wanted);
    bool is_open = open_dimensions(wanted) == 1;
    if (type_has_open_dimension(type) || has_run_size(node->abbreviation.type_expr)) {
        return wanted;
    }
    uint64_t size = type_size(type);
    if (!is_open) {
        return one == size ? wanted : report_sizes(checker, node, wanted, type, one, size);
    }
    if (one == 0 || size % one != 0) {
        return report_sizes(checker, node, wanted, type, one, size);
    }
    return with_count(checker, wanted, (int64_t)(size / one));
}

static bool can_be_retyped(const Type *type) {
    const Type *leaf = type_base(type_leaf(type));
    return type_is_scalar(leaf) || (leaf->kind == TYPE_RECORD && !type_owns(leaf));
}

static const Type *retypes_value(Checker *checker, Node *node) {
    Node **value = &node->abbreviation.value;
    bool is_val = node->abbreviation.mode == ABBREVIATION_VAL;
    if (is_val || node->abbreviation.mode == ABBREVIATION_INITIAL) {
        return check_expression(checker, value, NULL);
    }
    check_element(checker, value);
    const Type *type = check_is_no_any(checker, *value);
    element_mark_used(*value);
    if (!type_is_error(type) && !node_root(*value)) {
        diag_report(checker->diag, DIAG_TYPES_NOT_ELEMENT, (*value)->at);
        diag_hint(checker->diag, "name a value by: VAL ... RETYPES ...");
        return expression_fail(checker, *value);
    }
    return type;
}

/* Whether the directions of the new name and of the channel named are written alike. */
static bool directions_agree(Checker *checker, const Node *node) {
    const Node *value = node->abbreviation.value;
    Direction written = value->kind == NODE_END ? value->end.direction : DIRECTION_NONE;
    if (node->abbreviation.def->def.direction == written) {
        return true;
    }
    diag_report(checker->diag, DIAG_TYPES_RETYPES_DIRECTION, value->at);
    diag_hint(checker->diag, "write both with '?', both with '!', or both without");
    return false;
}

/* Another protocol for the same channels, in the same number. */
static const Type *retype_channel(Checker *checker, Node *node, const Type *wanted,
                                  const Type *type) {
    bool are_channels =
        type_leaf(type)->kind == TYPE_CHANNEL && type_leaf(wanted)->kind == TYPE_CHANNEL;
    if (!are_channels || (type->kind == TYPE_CHANNEL) != (wanted->kind == TYPE_CHANNEL)) {
        const Type *culprit = type_leaf(type)->kind == TYPE_CHANNEL ? wanted : type;
        diag_report(checker->diag, DIAG_TYPES_RETYPES, node->at,
                    type_name(checker->arena, culprit));
        return type_primitive(TYPE_ERROR);
    }
    if (!directions_agree(checker, node)) {
        return type_primitive(TYPE_ERROR);
    }
    if (!type_protocols_agree(type_leaf(type), type_leaf(wanted))) {
        diag_report(checker->diag, DIAG_TYPES_RETYPES_PROTOCOL, node->at,
                    type_name(checker->arena, type), type_name(checker->arena, wanted));
    }
    return wanted;
}

const Type *check_retypes(Checker *checker, Node *node, const Type *wanted) {
    const Type *type = type_content(retypes_value(checker, node));
    if (!wanted || type_is_error(type) || type_is_error(wanted)) {
        return wanted ? wanted : type_primitive(TYPE_ERROR);
    }
    if (report_clock_no_data(checker, node->abbreviation.value, type) ||
        report_clock_no_data(checker, node->abbreviation.type_expr, wanted)) {
        return type_primitive(TYPE_ERROR);
    }
    bool is_channel = type_is_channel(type) || type_is_channel(wanted);
    if (is_channel && type_is_error(retype_channel(checker, node, wanted, type))) {
        return type_primitive(TYPE_ERROR);
    }
    if (!is_channel && (!can_be_retyped(type) || !can_be_retyped(wanted))) {
        const Type *culprit = can_be_retyped(type) ? wanted : type;
        diag_report(checker->diag, DIAG_TYPES_RETYPES, node->at,
                    type_name(checker->arena, culprit));
        return type_primitive(TYPE_ERROR);
    }
    if (dimensions_to_find(node->abbreviation.type_expr) > 1) {
        diag_report(checker->diag, DIAG_TYPES_RETYPES_OPEN, node->abbreviation.type_expr->at);
        return type_primitive(TYPE_ERROR);
    }
    bool is_reshape = node->abbreviation.form == FORM_RESHAPES;
    if (is_reshape && !type_equal(type_leaf(wanted), type_leaf(type))) {
        diag_report(checker->diag, DIAG_TYPES_RESHAPES, node->at,
                    type_name(checker->arena, type_leaf(type)),
                    type_name(checker->arena, type_leaf(wanted)));
        return type_primitive(TYPE_ERROR);
    }
    return fit_size(checker, node, wanted, type);
}
