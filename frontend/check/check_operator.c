/* check_operator -- operands of the operators, and which FUNCTION a user-defined one means
 * (language.md 1.4, 1.6, 2.3). */
#include "checker.h"

/* What an operator takes; its result is its operand type, or BOOL. */
typedef enum OperandClass {
    OPERAND_ARITHMETIC, /* BYTE, integers, reals; both alike */
    OPERAND_INTEGER,    /* BYTE and integers; both alike */
    OPERAND_SHIFT,      /* integer, INT */
    OPERAND_EQUALITY,   /* scalars; gives BOOL */
    OPERAND_ORDER,      /* BYTE, integers, reals; gives BOOL */
    OPERAND_AFTER,      /* BYTE and integers; gives BOOL */
    OPERAND_BOOL
} OperandClass;

static OperandClass operand_class(Operator op) {
    switch (op) {
    case OPERATOR_ADD:
    case OPERATOR_SUBTRACT:
    case OPERATOR_MULTIPLY:
    case OPERATOR_DIVIDE:
    case OPERATOR_REMAINDER:
    case OPERATOR_NEGATE: return OPERAND_ARITHMETIC;
    case OPERATOR_PLUS:
    case OPERATOR_MINUS:
    case OPERATOR_TIMES:
    case OPERATOR_BITAND:
    case OPERATOR_BITOR:
    case OPERATOR_BITXOR:
    case OPERATOR_BITNOT: return OPERAND_INTEGER;
    case OPERATOR_SHIFT_LEFT:
    case OPERATOR_SHIFT_RIGHT: return OPERAND_SHIFT;
    case OPERATOR_EQUAL:
    case OPERATOR_NOT_EQUAL: return OPERAND_EQUALITY;
    case OPERATOR_LESS:
    case OPERATOR_LESS_EQUAL:
    case OPERATOR_GREATER:
    case OPERATOR_GREATER_EQUAL: return OPERAND_ORDER;
    case OPERATOR_AFTER: return OPERAND_AFTER;
    case OPERATOR_AND:
    case OPERATOR_OR:
    case OPERATOR_NOT:
    case OPERATOR_USER:
    case OPERATOR_COUNT: return OPERAND_BOOL;
    }
    return OPERAND_BOOL;
}

static bool class_takes(OperandClass class, const Type *type) {
    switch (class) {
    case OPERAND_ARITHMETIC:
    case OPERAND_ORDER: return type_is_integer(type) || type_is_real(type);
    case OPERAND_INTEGER:
    case OPERAND_SHIFT:
    case OPERAND_AFTER: return type_is_integer(type);
    case OPERAND_EQUALITY: return type_is_scalar(type);
    case OPERAND_BOOL: return type_base(type)->kind == TYPE_BOOL;
    }
    return false;
}

static bool class_gives_bool(OperandClass class) {
    return class == OPERAND_EQUALITY || class == OPERAND_ORDER || class == OPERAND_AFTER;
}

/* ---- user-defined operators ---- */

/* The spelling under which a FUNCTION defines it: REM is \ and so on; MINUS is itself. */
static const Text *operator_name(Checker *checker, Operator op, const Text *text) {
    if (op != OPERATOR_USER) {
        return text_intern_string(checker->compiler->texts, operator_spelling(op));
    }
    return text;
}

static const Type *formal_type(const Node *function, size_t index) {
    const NodeList *formals = &function->function.formals;
    if (index >= formals->count || formals->items[index]->kind != NODE_FORMAL) {
        return NULL;
    }
    const Symbol *symbol = formals->items[index]->formal.def->def.symbol;
    return symbol ? symbol->type : NULL;
}

static bool takes_exactly(const Symbol *symbol, const Type *const *types, size_t count) {
    const Node *function = symbol->definition;
    if (symbol->kind != SYMBOL_FUNCTION || !function || function->function.formals.count != count) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const Type *formal = formal_type(function, i);
        if (!formal || type_is_error(formal) || !type_accepts(formal, types[i])) {
            return false;
        }
    }
    return true;
}

static Symbol *find_user_operator(Checker *checker, const Text *name, const Type *const *types,
                                  size_t count) {
    const Binding *binding = name ? scope_bindings(checker->scope, name) : NULL;
    for (; binding; binding = binding->shadowed) {
        if (scope_sees(checker->scope, binding->symbol) &&
            takes_exactly(binding->symbol, types, count)) {
            binding->symbol->is_used = true;
            return binding->symbol;
        }
    }
    return NULL;
}

/* Which operands the latest FUNCTION of that operator takes, if there is one. */
static void label_user_operator(Checker *checker, const Text *name) {
    const Binding *binding = name ? scope_bindings(checker->scope, name) : NULL;
    while (binding && !scope_sees(checker->scope, binding->symbol)) {
        binding = binding->shadowed;
    }
    const Symbol *symbol = binding ? binding->symbol : NULL;
    if (!symbol || symbol->kind != SYMBOL_FUNCTION || !formal_type(symbol->definition, 0)) {
        return;
    }
    const Type *left = formal_type(symbol->definition, 0);
    const Type *right = formal_type(symbol->definition, 1);
    diag_label(checker->diag, symbol->at, "this '%s' takes %s%s%s", name->bytes,
               type_name(checker->arena, left), right ? " and " : "",
               right ? type_name(checker->arena, right) : "");
}

/* Types of operands for finding the FUNCTION: literals count as INT, BYTE, REAL32. */
static const Type *natural_type(Checker *checker, Node **slot) {
    return expression_is_untyped(*slot) ? literal_default_type(checker, *slot)
                                        : check_expression(checker, slot, NULL);
}

static bool has_error(const Type *const *types, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (type_is_error(types[i])) {
            return true;
        }
    }
    return false;
}

/* True when the operator is user-defined for these operands: they are checked then, and *symbol
 * is NULL after a message. */
static bool resolve_user_operator(Checker *checker, Node *node, Operator op, const Text *text,
                                  Node **const *operands, size_t count, Symbol **symbol) {
    const Text *name = operator_name(checker, op, text);
    *symbol = NULL;
    if (op != OPERATOR_USER && (!name || !scope_bindings(checker->scope, name))) {
        return false;
    }
    const Type *types[2] = {NULL, NULL};
    for (size_t i = 0; i < count; i++) {
        types[i] = natural_type(checker, operands[i]);
    }
    if (!has_error(types, count)) {
        *symbol = find_user_operator(checker, name, types, count);
    }
    if (!*symbol && op != OPERATOR_USER) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        check_expression(checker, operands[i], types[i]);
    }
    if (!*symbol && !has_error(types, count) && !name_is_unread(checker, name)) {
        diag_report(checker->diag, DIAG_TYPES_NO_OPERATOR, node->at, name ? name->bytes : "?",
                    type_name(checker->arena, types[0]), count == 2 ? " and " : "",
                    count == 2 ? type_name(checker->arena, types[1]) : "");
        label_user_operator(checker, name);
    }
    return true;
}

/* ---- the operators of the language ---- */

static void hint_array(Checker *checker, Operator op, const Type *array) {
    bool is_text = type_base(type_element(array, 1))->kind == TYPE_BYTE;
    if (operand_class(op) == OPERAND_EQUALITY) {
        diag_hint(checker->diag, is_text
                                     ? "texts are compared by equal.string (a, b) of the course "
                                       "library"
                                     : "arrays are compared element by element, in a loop");
    } else if (is_text && op == OPERATOR_ADD) {
        diag_hint(checker->diag, "texts are joined by append.string (a, b) of the module useful, "
                                 "or copied into parts of an array: [a FROM 0 FOR n] := b");
    }
}

/* x AND y of integers. */
static void hint_bits(Checker *checker, Operator op) {
    const char *bits = op == OPERATOR_AND   ? "/\\"
                       : op == OPERATOR_OR  ? "\\/"
                       : op == OPERATOR_NOT ? "~"
                                            : NULL;
    if (bits) {
        diag_hint(checker->diag, "%s is for conditions, such as x <> 0; of bits it is %s",
                  operator_spelling(op), bits);
    }
}

/* Its FUNCTION is there but could not be read, which has been reported. */
static bool is_unread(Checker *checker, Operator op) {
    return name_is_unread(checker, operator_name(checker, op, NULL));
}

static const Type *report_class(Checker *checker, Node *node, Operator op, const Node *operand) {
    if (is_unread(checker, op)) {
        return expression_fail(checker, node);
    }
    diag_report(checker->diag, DIAG_TYPES_OPERATOR, operand->at, operator_spelling(op),
                type_name(checker->arena, operand->type));
    label_user_operator(checker, operator_name(checker, op, NULL));
    if (op == OPERATOR_NEGATE && type_base(operand->type)->kind == TYPE_BYTE) {
        diag_hint(checker->diag, "a BYTE has no sign: write 0 MINUS x, or convert it to INT");
    } else if (type_is_array(type_content(operand->type))) {
        hint_array(checker, op, type_content(operand->type));
    } else if (type_base(type_content(operand->type))->kind == TYPE_RECORD) {
        diag_hint(checker->diag,
                  "records are compared by their fields, or by a FUNCTION \"%s\" "
                  "of their type",
                  operator_spelling(op));
    } else if (type_is_integer(operand->type)) {
        hint_bits(checker, op);
    }
    return expression_fail(checker, node);
}

const Type *check_monadic(Checker *checker, Node *node, const Type *expected) {
    Operator op = node->monadic.op;
    Node **operands[] = {&node->monadic.operand};
    Symbol *symbol = NULL;
    if (resolve_user_operator(checker, node, op, node->monadic.operator_text, operands, 1,
                              &symbol)) {
        node->monadic.user_operator = symbol;
        return symbol ? symbol->type : expression_fail(checker, node);
    }
    OperandClass class = operand_class(op);
    const Type *context = class == OPERAND_BOOL ? NULL : expected;
    const Type *type = check_expression(checker, &node->monadic.operand, context);
    if (type_is_error(type)) {
        return expression_fail(checker, node);
    }
    bool is_negated_byte = op == OPERATOR_NEGATE && type_base(type)->kind == TYPE_BYTE;
    if (!class_takes(class, type) || is_negated_byte) {
        return report_class(checker, node, op, node->monadic.operand);
    }
    return type;
}

/* IF / (a, b) = (c, d) */
static const Type *compare_lists(Checker *checker, Node *node) {
    Node *left = node->dyadic.left;
    Node *right = node->dyadic.right;
    if (node != checker->choice) {
        diag_report(checker->diag, DIAG_TYPES_LIST_PLACE, node->at);
        return expression_fail(checker, node);
    }
    bool are_lists = left->kind == NODE_EXPRESSION_LIST && right->kind == NODE_EXPRESSION_LIST;
    if (!are_lists || node->dyadic.op != OPERATOR_EQUAL) {
        check_expression(checker, &node->dyadic.left, NULL);
        check_expression(checker, &node->dyadic.right, NULL);
        return expression_fail(checker, node);
    }
    NodeList *lefts = &left->expression_list.items;
    NodeList *rights = &right->expression_list.items;
    if (lefts->count != rights->count) {
        diag_report(checker->diag, DIAG_TYPES_LIST_COUNT, node->at, lefts->count, rights->count);
        return expression_fail(checker, node);
    }
    left->type = right->type = type_primitive(TYPE_BOOL);
    for (size_t i = 0; i < lefts->count; i++) {
        Node pair = {.kind = NODE_DYADIC, .at = node->at};
        pair.dyadic.op = OPERATOR_EQUAL;
        pair.dyadic.left = lefts->items[i];
        pair.dyadic.right = rights->items[i];
        check_dyadic(checker, &pair, NULL);
        lefts->items[i] = pair.dyadic.left;
        rights->items[i] = pair.dyadic.right;
    }
    return type_primitive(TYPE_BOOL);
}

/* 1.5 * n: the literal is no INT, whatever is wanted. */
static void report_real_literal(Checker *checker, Node *node, const Node *literal,
                                const Type *other, const Type *context) {
    bool is_wide = context && type_base(context)->kind == TYPE_REAL64;
    bool is_left = literal == node->dyadic.left;
    const char *name = type_name(checker->arena, other);
    diag_report(checker->diag, DIAG_TYPES_OPERANDS, node->at, operator_spelling(node->dyadic.op),
                is_left ? "a real number" : name, is_left ? name : "a real number");
    diag_hint(checker->diag, "there are no implicit conversions: convert the %s, as in %s ROUND n",
              name, is_wide ? "REAL64" : "REAL32");
    node->dyadic.left->type = type_primitive(TYPE_ERROR);
    node->dyadic.right->type = type_primitive(TYPE_ERROR);
}

static bool is_real_beside_integer(Checker *checker, const Node *literal, const Type *other) {
    return type_is_integer(other) && literal_default_type(checker, literal)->kind == TYPE_REAL32;
}

/* FALSE AND x, TRUE OR x: the right operand is not evaluated. */
static bool left_decides(const Node *node) {
    bool is_and = node->dyadic.op == OPERATOR_AND;
    return (is_and || node->dyadic.op == OPERATOR_OR) && constant_is(node->dyadic.left, !is_and);
}

/* Give a literal the type of the other operand; two literals take the context, or the default. */
static void check_alike(Checker *checker, Node *node, const Type *context) {
    Node **left = &node->dyadic.left;
    Node **right = &node->dyadic.right;
    bool left_untyped = expression_is_untyped(*left);
    bool right_untyped = expression_is_untyped(*right);
    if (left_untyped && right_untyped) {
        bool is_real = literal_default_type(checker, node)->kind == TYPE_REAL32;
        const Type *common = context   ? context
                             : is_real ? NULL
                                       : literal_default_type(checker, node);
        check_expression(checker, left, common);
        check_expression(checker, right, common);
    } else if (left_untyped) {
        const Type *other = check_expression(checker, right, NULL);
        if (is_real_beside_integer(checker, *left, other)) {
            report_real_literal(checker, node, *left, other, context);
        } else {
            check_expression(checker, left, other);
        }
    } else {
        const Type *other = check_expression(checker, left, NULL);
        bool outside = check_exclude(checker, left_decides(node));
        if (right_untyped && is_real_beside_integer(checker, *right, other)) {
            report_real_literal(checker, node, *right, other, context);
        } else {
            check_expression(checker, right, other);
        }
        checker->is_excluded = outside;
    }
}

static const Type *check_shift(Checker *checker, Node *node, const Type *expected) {
    const Type *type = check_expression(checker, &node->dyadic.left, expected);
    check_integer(checker, &node->dyadic.right);
    if (type_is_error(type) || type_is_error(node->dyadic.right->type)) {
        return expression_fail(checker, node);
    }
    return class_takes(OPERAND_SHIFT, type)
               ? type
               : report_class(checker, node, node->dyadic.op, node->dyadic.left);
}

static const Type *check_two(Checker *checker, Node *node, OperandClass class,
                             const Type *expected) {
    bool takes_context = class == OPERAND_ARITHMETIC || class == OPERAND_INTEGER;
    check_alike(checker, node, takes_context ? expected : NULL);
    const Type *left = node->dyadic.left->type;
    const Type *right = node->dyadic.right->type;
    if (type_is_error(left) || type_is_error(right)) {
        return expression_fail(checker, node);
    }
    Operator op = node->dyadic.op;
    if (!class_takes(class, left)) {
        return report_class(checker, node, op, node->dyadic.left);
    }
    if (!class_takes(class, right)) {
        return report_class(checker, node, op, node->dyadic.right);
    }
    if (!type_equal(left, right)) {
        if (is_unread(checker, op) ||
            check_repeats(checker, node->dyadic.left, check_named_in(node->dyadic.right), left,
                          right)) {
            return expression_fail(checker, node);
        }
        diag_report(checker->diag, DIAG_TYPES_OPERANDS, node->at, operator_spelling(op),
                    type_name(checker->arena, left), type_name(checker->arena, right));
        bool has_point_missing =
            type_is_real(left) ? node->dyadic.right->kind == NODE_INTEGER
                               : type_is_real(right) && node->dyadic.left->kind == NODE_INTEGER;
        diag_hint(checker->diag, has_point_missing
                                     ? "a real number has a point: 1.0"
                                     : "convert one of them: there are no implicit conversions");
        return expression_fail(checker, node);
    }
    return class_gives_bool(class) ? type_primitive(TYPE_BOOL) : left;
}

const Type *check_dyadic(Checker *checker, Node *node, const Type *expected) {
    Operator op = node->dyadic.op;
    if (node->dyadic.left->kind == NODE_EXPRESSION_LIST ||
        node->dyadic.right->kind == NODE_EXPRESSION_LIST) {
        return compare_lists(checker, node);
    }
    Node **operands[] = {&node->dyadic.left, &node->dyadic.right};
    Symbol *symbol = NULL;
    if (resolve_user_operator(checker, node, op, node->dyadic.operator_text, operands, 2,
                              &symbol)) {
        node->dyadic.user_operator = symbol;
        return symbol ? symbol->type : expression_fail(checker, node);
    }
    OperandClass class = operand_class(op);
    return class == OPERAND_SHIFT ? check_shift(checker, node, expected)
                                  : check_two(checker, node, class, expected);
}
