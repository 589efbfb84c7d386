/* check_conversion -- T x, MOSTPOS T, SIZE, BYTESIN, OFFSETOF (language.md 1.6). */
#include "checker.h"

/* A literal out of INT's range still converts to a wider type: INT64 5000000000. */
static const Type *operand_context(const Node *operand, const Type *to) {
    bool is_wide = operand->kind == NODE_INTEGER && !operand->integer.decoration &&
                   (operand->integer.is_hex || operand->integer.is_big
                        ? (uint64_t)operand->integer.value > UINT32_MAX
                        : operand->integer.value > INT32_MAX);
    bool is_real = type_is_real(to) && operand->kind == NODE_REAL;
    return is_wide || is_real ? to : NULL;
}

bool conversion_rounds(const Type *to, const Type *from) {
    if (type_is_real(to)) {
        bool is_wider = type_is_real(from) && type_bits(from) <= type_bits(to);
        return !is_wider;
    }
    return type_is_real(from);
}

static const Type *fail_conversion(Checker *checker, Node *node, const Type *to, const Type *from) {
    diag_report(checker->diag, DIAG_TYPES_CONVERSION, node->at, type_name(checker->arena, from),
                type_name(checker->arena, to));
    return expression_fail(checker, node);
}

static const Type *check_rounding(Checker *checker, Node *node, const Type *to, const Type *from) {
    bool is_rounded = node->conversion.rounding != ROUNDING_NONE;
    const char *name = type_name(checker->arena, to);
    if (conversion_rounds(to, from) && !is_rounded) {
        diag_report(checker->diag, DIAG_TYPES_ROUNDING, node->at, type_name(checker->arena, from),
                    name);
        const char *operand = expression_text(checker, node->conversion.operand->at);
        diag_hint(checker->diag, "say how: %s ROUND %s (nearest) or %s TRUNC %s (towards zero)",
                  name, operand, name, operand);
        return expression_fail(checker, node);
    }
    if (is_rounded && !type_is_real(to) && !type_is_real(from)) {
        diag_report(checker->diag, DIAG_TYPES_NO_ROUNDING, node->at,
                    type_name(checker->arena, from), name);
        return expression_fail(checker, node);
    }
    return to;
}

/* v[0 FOR 3], WHILE going DO: read as a conversion, to a type that is none. */
static bool is_no_operand(Checker *checker, const Node *operand) {
    bool is_number = operand->kind == NODE_SEGMENT && operand->segment.base->kind == NODE_INTEGER;
    return is_number ||
           (operand->kind == NODE_NAME && !scope_find(checker->scope, operand->name.name));
}

const Type *check_conversion(Checker *checker, Node *node) {
    const Type *to = check_data_type(checker, node->conversion.type_expr, true);
    if (type_is_error(to) && is_no_operand(checker, node->conversion.operand)) {
        if (node->conversion.operand->kind == NODE_SEGMENT) {
            diag_hint(checker->diag, "a segment begins with its bracket: [x FROM i FOR n]");
        }
        return expression_fail(checker, node);
    }
    const Type *context = type_is_error(to) ? NULL : operand_context(node->conversion.operand, to);
    bool is_literal = node->conversion.operand->kind == NODE_TABLE ||
                      node->conversion.operand->kind == NODE_STRING;
    const Type *from = check_expression(checker, &node->conversion.operand,
                                        is_literal && !type_is_error(to) ? to : context);
    if (type_is_error(to) || type_is_error(from)) {
        return expression_fail(checker, node);
    }
    if (!is_literal && type_is_array(type_base(to)) && type_is_array(type_base(from))) {
        fail_conversion(checker, node, to, from);
        diag_hint(checker->diag, "arrays are not converted: VAL y RETYPES x: gives the array x "
                                 "another type");
        return expression_fail(checker, node);
    }
    if (!type_is_scalar(to) || !type_is_scalar(from)) {
        bool is_same = type_accepts(type_base(to), type_base(from));
        return is_same ? type_with_counts(checker->arena, to, from)
                       : fail_conversion(checker, node, to, from);
    }
    bool from_bool = type_base(from)->kind == TYPE_BOOL;
    bool to_bool = type_base(to)->kind == TYPE_BOOL;
    if ((from_bool && type_is_real(to)) || (to_bool && type_is_real(from))) {
        return fail_conversion(checker, node, to, from);
    }
    return check_rounding(checker, node, to, from);
}

const Type *check_limit(Checker *checker, Node *node) {
    const Type *type = check_data_type(checker, node->limit.type_expr, false);
    if (type_is_error(type)) {
        return expression_fail(checker, node);
    }
    if (!type_is_integer(type)) {
        diag_report(checker->diag, DIAG_TYPES_LIMIT, node->at, type_name(checker->arena, type));
        return expression_fail(checker, node);
    }
    unsigned bits = type_bits(type);
    uint64_t highest =
        type_is_signed(type) ? (UINT64_MAX >> (65 - bits)) : (UINT64_MAX >> (64 - bits));
    int64_t lowest = type_is_signed(type) ? -(int64_t)highest - 1 : 0;
    node->constant =
        constant_integer(checker->arena, type, node->limit.is_negative ? lowest : (int64_t)highest);
    return type;
}

bool symbol_names_type(const Symbol *symbol) {
    return symbol->kind == SYMBOL_DATA_TYPE || symbol->kind == SYMBOL_PROTOCOL ||
           symbol->kind == SYMBOL_CHAN_TYPE || symbol->kind == SYMBOL_PROC_TYPE;
}

const Type *check_measured_type(Checker *checker, Node **slot) {
    Node *node = *slot;
    if (node_is_type(node)) {
        return check_type(checker, node);
    }
    const Symbol *symbol =
        node->kind == NODE_NAME ? scope_find(checker->scope, node->name.name) : NULL;
    if (symbol && symbol_names_type(symbol)) {
        node->name.symbol = (Symbol *)symbol;
        node->name.symbol->is_used = true;
        node->type = symbol->type;
        return symbol->type;
    }
    const Type *type = check_element(checker, slot);
    element_mark_used(*slot);
    return type;
}

const Type *check_size(Checker *checker, Node *node) {
    const Type *type = check_measured_type(checker, &node->size.operand);
    if (type_is_error(type)) {
        return expression_fail(checker, node);
    }
    type = type_value(type);
    if (report_clock_no_data(checker, node->size.operand, type)) {
        return expression_fail(checker, node);
    }
    if (!type_is_array(type)) {
        diag_report(checker->diag, DIAG_TYPES_SIZE, node->at, type_name(checker->arena, type));
        if (type_is_data(type)) {
            diag_hint(checker->diag, "BYTESIN (x) gives the bytes of any object");
        }
        return expression_fail(checker, node);
    }
    int64_t count = type_base(type)->array.count;
    if (count != ARRAY_OPEN) {
        node->constant = constant_integer(checker->arena, type_primitive(TYPE_INT), count);
    }
    return type_primitive(TYPE_INT);
}

const Type *check_bytesin(Checker *checker, Node *node) {
    const Type *type = check_measured_type(checker, &node->bytesin.operand);
    if (type_is_error(type)) {
        return expression_fail(checker, node);
    }
    if (report_clock_no_data(checker, node->bytesin.operand, type)) {
        return expression_fail(checker, node);
    }
    if (!type_is_data(type)) {
        diag_report(checker->diag, DIAG_TYPES_BYTESIN, node->at, type_name(checker->arena, type));
        return expression_fail(checker, node);
    }
    type = type_content(type);
    if (!type_has_open_dimension(type)) {
        node->constant =
            constant_integer(checker->arena, type_primitive(TYPE_INT), (int64_t)type_size(type));
    }
    return type_primitive(TYPE_INT);
}

const Type *check_typehashof(Checker *checker, Node *node) {
    const Type *type = check_measured_type(checker, &node->typehashof.operand);
    if (type_is_error(type)) {
        return expression_fail(checker, node);
    }
    node->constant =
        constant_integer(checker->arena, type_primitive(TYPE_INT), type_hash(checker->arena, type));
    return type_primitive(TYPE_INT);
}

const Type *check_offsetof(Checker *checker, Node *node) {
    const Type *type = check_data_type(checker, node->offsetof_.type_expr, false);
    if (type_is_error(type)) {
        return expression_fail(checker, node);
    }
    const Type *base = type_base(type);
    const TypeField *field =
        base->kind == TYPE_RECORD ? type_field(base, node->offsetof_.field, NULL) : NULL;
    if (!field) {
        diag_report(checker->diag, DIAG_NAMES_FIELD, node->at, type_name(checker->arena, type),
                    node->offsetof_.field->bytes);
        return expression_fail(checker, node);
    }
    node->constant =
        constant_integer(checker->arena, type_primitive(TYPE_INT), (int64_t)field->offset);
    return type_primitive(TYPE_INT);
}
