/* check_types_expression -- the type of every expression: one switch, and what all places ask.
 *
 * Leaves: literals, operators, elements, tables, calls to the files of those names.
 * Holds:  after check_expression a node has a type; a mistake below it was reported there. */
#include "checker.h"

#include "among.h"

const Type *expression_fail(Checker *checker, Node *node) {
    checker->failed = checker->failed ? checker->failed : node;
    node->type = type_primitive(TYPE_ERROR);
    node->constant = NULL;
    return node->type;
}

static const Type *not_supported(Checker *checker, Node *node, Node **operand,
                                 const char *construct) {
    report_not_supported(checker, node->at, construct);
    if (operand && !node_is_type(*operand)) {
        check_element(checker, operand);
        element_mark_used(*operand);
    }
    return expression_fail(checker, node);
}

/* (a, b) stands only beside = */
static const Type *check_stray_list(Checker *checker, Node *node) {
    for (size_t i = 0; i < node->expression_list.items.count; i++) {
        check_expression(checker, &node->expression_list.items.items[i], NULL);
    }
    diag_report(checker->diag, DIAG_TYPES_LIST, node->at);
    return expression_fail(checker, node);
}

static const Type *value_of_element(Checker *checker, Node **slot) {
    const Type *type = check_element(checker, slot);
    Node *node = *slot;
    if (type_is_error(type)) {
        return type;
    }
    if (report_clock_no_data(checker, node, type)) {
        return expression_fail(checker, node);
    }
    if (!type_is_data(type)) {
        diag_report(checker->diag, DIAG_TYPES_NO_VALUE, node->at, type_name(checker->arena, type));
        if (type_is_channel(type)) {
            diag_hint(checker->diag, "a value is taken from a channel by an input: c ? x");
        } else if (type_is_timer(type)) {
            diag_hint(checker->diag, "the time is read by an input: t ? x");
        }
        return expression_fail(checker, node);
    }
    element_mark_read(node);
    return type;
}

static const Type *check_misplaced(Checker *checker, Node *node) {
    if (node->kind != NODE_BROKEN) {
        if (node_is_type(node)) {
            check_type(checker, node);
        }
        diag_report(checker->diag, DIAG_TYPES_NOT_EXPRESSION, node->at, node_title(node->kind));
    }
    return expression_fail(checker, node);
}

/* What has a mobile value is that where one is wanted; elsewhere it is what that holds. */
static const Type *mobile_value(Checker *checker, Node **slot, const Type *type,
                                const Type *wanted) {
    (*slot)->type = type;
    return wanted && type_owns(wanted) ? type : check_content(checker, slot);
}

static const Type *type_expression(Checker *checker, Node **slot, const Type *mobile) {
    Node *node = *slot;
    const Type *expected = mobile ? type_value(mobile) : NULL; /* of literals and tables */
    if (node->kind == NODE_NAME && check_predefined_value(checker, node)) {
        return check_function_call(checker, slot, expected);
    }
    switch (node->kind) {
    case NODE_INTEGER:
    case NODE_REAL:
    case NODE_BYTE:
    case NODE_BOOLEAN:
    case NODE_STRING: return check_literal(checker, node, expected);
    case NODE_NAME:
    case NODE_SUBSCRIPT:
    case NODE_FIELD:
    case NODE_SEGMENT:
    case NODE_END: return mobile_value(checker, slot, value_of_element(checker, slot), mobile);
    case NODE_TABLE: return check_table(checker, node, expected);
    case NODE_CONSTRUCTOR: return check_constructor(checker, node, expected);
    case NODE_MONADIC: return check_monadic(checker, node, expected);
    case NODE_DYADIC: return check_dyadic(checker, node, expected);
    case NODE_CONVERSION: return check_conversion(checker, node);
    case NODE_LIMIT: return check_limit(checker, node);
    case NODE_SIZE: return check_size(checker, node);
    case NODE_BYTESIN: return check_bytesin(checker, node);
    case NODE_OFFSETOF: return check_offsetof(checker, node);
    case NODE_FUNCTION_CALL:
        return mobile_value(checker, slot, check_function_call(checker, slot, expected), mobile);
    case NODE_VALOF: return check_valof(checker, node, mobile ? &mobile : NULL, 1);
    case NODE_EXPRESSION_LIST: return check_stray_list(checker, node);
    case NODE_ALLOCATION: return check_allocation(checker, node);
    case NODE_MOVE: return node->type;
    case NODE_CLONE: return mobile_value(checker, slot, check_clone(checker, slot), mobile);
    case NODE_DEFINED: return check_defined(checker, node);
    case NODE_CLOSED: return check_closed(checker, node);
    case NODE_PHASE: return check_phase(checker, node);
    case NODE_TYPEHASHOF: return check_typehashof(checker, node);
    case NODE_ADDROF: return not_supported(checker, node, &node->addrof.operand, "ADDROF");
    case NODE_COUNTED:
    case NODE_TAG_USE:
    case NODE_CLOCKS:
    case NODE_KINDS_OF_SPECIFICATION:
    case NODE_KINDS_OF_PART:
    case NODE_KINDS_OF_WAY:
    case NODE_KINDS_OF_PROCESS:
    case NODE_KINDS_OF_TYPE:
    case NODE_BROKEN:
    case NODE_UNIT: return check_misplaced(checker, node);
    case NODE_KIND_COUNT: bug("node of no kind");
    }
    return check_misplaced(checker, node);
}

/* Checked before, and no other context can change it: operands are looked at once to find a
 * user-defined operator and again for the operators of the language. */
static bool is_settled(const Node *node) {
    bool is_operation =
        AMONG(node->kind, NODE_MONADIC, NODE_DYADIC, NODE_CONVERSION, NODE_FUNCTION_CALL,
              NODE_VALOF, NODE_SIZE, NODE_BYTESIN, NODE_OFFSETOF, NODE_LIMIT);
    return is_operation && node->type && !expression_is_untyped(node);
}

const char *expression_text(Checker *checker, Location at) {
    size_t length = 0;
    const char *line = source_line(checker->compiler->sources, at.file, at.line, &length);
    size_t start = at.column - 1;
    size_t end = at.end_column - 1;
    if (at.line != at.end_line || end > length || start >= end || end - start > 30) {
        return "(...)";
    }
    bool is_simple = true;
    for (size_t i = start; i < end; i++) {
        is_simple = is_simple && line[i] != ' ';
    }
    return arena_format(checker->arena, is_simple ? "%.*s" : "(%.*s)", (int)(end - start),
                        line + start);
}

/* A single end where a shared one of the same bundle is wanted. */
static void hint_sharing(Checker *checker, const Node *node, const Type *wanted) {
    const Symbol *symbol = node_root(node);
    if (symbol && element_is_claimed(symbol)) {
        diag_hint(checker->diag, "inside of CLAIM '%s' is the one end; outside it is shared",
                  symbol->name->bytes);
    } else {
        diag_hint(checker->diag, "ends are made shared: shared, other := MOBILE %s",
                  wanted->bundle_end.bundle->name->bytes);
    }
}

static void hint_conversion(Checker *checker, const Node *node, const Type *wanted,
                            const Type *type) {
    if (node->kind == NODE_INTEGER && type_is_real(wanted)) {
        diag_hint(checker->diag, "a real number has a point: %lld.0",
                  (long long)node->integer.value);
    } else if (node->kind == NODE_INTEGER && wanted->kind == TYPE_BOOL) {
        diag_hint(checker->diag, "its values are TRUE and FALSE");
    } else if (node->kind == NODE_REAL && type_is_real(wanted)) {
        diag_hint(checker->diag,
                  "a literal without a type in brackets takes the one that is needed");
    } else if (type_is_scalar(wanted) && type_is_scalar(type)) {
        const char *rounding = conversion_rounds(wanted, type) ? " ROUND" : "";
        diag_hint(checker->diag, "convert it: %s%s %s", type_name(checker->arena, wanted), rounding,
                  expression_text(checker, node->at));
    } else if (wanted->kind == TYPE_ARRAY && type->kind == TYPE_ARRAY &&
               wanted->array.count != ARRAY_OPEN && type->array.count != ARRAY_OPEN &&
               type_equal(wanted->array.element, type->array.element)) {
        diag_hint(checker->diag,
                  "the sizes must be equal; the first %lld elements of an array are "
                  "[a FROM 0 FOR %lld]",
                  (long long)(wanted->array.count < type->array.count ? wanted->array.count
                                                                      : type->array.count),
                  (long long)(wanted->array.count < type->array.count ? wanted->array.count
                                                                      : type->array.count));
    } else if (wanted->kind == TYPE_BUNDLE_END && type->kind == TYPE_BUNDLE_END &&
               wanted->bundle_end.bundle == type->bundle_end.bundle &&
               wanted->bundle_end.is_shared && !type->bundle_end.is_shared) {
        hint_sharing(checker, node, wanted);
    } else if (type->kind == TYPE_TUPLE) {
        diag_hint(checker->diag, "take several results by a multiple assignment: a, b := f ()");
    }
}

static const Type *report_mismatch(Checker *checker, Node *node, const Type *wanted) {
    if (check_repeats(checker, node, NULL, wanted, node->type)) {
        return expression_fail(checker, node);
    }
    diag_report(checker->diag, DIAG_TYPES_MISMATCH, node->at, type_name(checker->arena, wanted),
                type_name(checker->arena, node->type));
    note_same_name(checker, wanted, node->type);
    return expression_fail(checker, node);
}

/* 5 where a MOBILE INT is wanted is a table of one: what its object will hold. */
static const Type *check_holder(Checker *checker, Node **slot, const Type *wanted) {
    Node *value = *slot;
    const Type *scalar = wanted && !type_is_error(wanted) ? type_mobile_scalar(wanted) : NULL;
    if (!scalar || type_is_error(value->type) || type_owns(value->type)) {
        return value->type;
    }
    if (!type_equal(scalar, value->type)) {
        const Type *type = value->type;
        report_mismatch(checker, value, scalar);
        hint_conversion(checker, value, scalar, type); /* of no message: no hint */
        return value->type;
    }
    Node *table = node_create(checker->arena, NODE_TABLE, value->at);
    array_push(checker->arena, &table->table.items, value);
    table->type = type_content(wanted);
    *slot = table;
    return table->type;
}

const Type *check_expression(Checker *checker, Node **slot, const Type *expected) {
    if (is_settled(*slot)) {
        return (*slot)->type;
    }
    check_depth(checker, *slot);
    const Type *type = type_expression(checker, slot, expected);
    (*slot)->type = type;
    if (!type_is_error(type)) {
        check_fold(checker, *slot);
    }
    checker->depth--;
    check_is_no_any(checker, *slot);
    return check_holder(checker, slot, expected);
}

const Type *check_fits(Checker *checker, Node *node, const Type *wanted) {
    const Type *type = node->type;
    bool is_copy = type_is_mobile(wanted) && !type_is_mobile(type);
    if (type_accepts(is_copy ? type_content(wanted) : wanted, type)) {
        return type;
    }
    report_mismatch(checker, node, wanted);
    hint_conversion(checker, node, wanted, type); /* of no message: no hint */
    return node->type;
}

/* One of the two is MOBILE.CHAN, .PROC or .ANY, and holds the other or is to give it. */
static bool is_boxed(const Node *node, const Type *other) {
    return type_boxes(other, node->type) || type_boxes(node->type, other);
}

/* What was sent as a mobile object arrives as one. */
void check_receives(Checker *checker, Node *variable, const Type *sent) {
    const Type *type = variable->type;
    if (is_boxed(variable, sent)) {
        return;
    }
    if (type_is_mobile(sent) ? !type_equal(sent, type) : !type_matches(sent, type)) {
        report_mismatch(checker, variable, sent);
        if (!type_is_error(type)) {
            diag_hint(checker->diag,
                      "messages are taken in as they were sent: input into a "
                      "variable of type %s",
                      type_name(checker->arena, sent));
        }
    }
}

const Type *check_value(Checker *checker, Node **slot, const Type *wanted) {
    check_expression(checker, slot, wanted);
    const Type *type = check_fits(checker, *slot, wanted);
    check_move(checker, slot, wanted);
    return type;
}

void check_copies(Checker *checker, Node *node, const Type *wanted) {
    const Type *type = node->type;
    if (is_boxed(node, wanted)) {
        return;
    }
    bool is_open = type_has_open_dimension(type_content(wanted)) ||
                   type_has_open_dimension(type_content(type));
    if (!is_open || !type_matches(wanted, type)) {
        check_fits(checker, node, wanted);
    }
}

void check_integer(Checker *checker, Node **slot) {
    check_value(checker, slot, type_primitive(TYPE_INT));
}

/* A number is no condition, though BOOL x would be one. */
void check_condition(Checker *checker, Node **slot) {
    const Type *wanted = type_primitive(TYPE_BOOL);
    if (type_is_integer(check_expression(checker, slot, wanted))) {
        report_mismatch(checker, *slot, wanted);
        diag_hint(checker->diag, "a condition is a comparison: %s <> 0",
                  expression_text(checker, (*slot)->at));
        return;
    }
    check_fits(checker, *slot, wanted);
    check_move(checker, slot, wanted);
}
