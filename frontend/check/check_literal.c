/* check_literal -- literals take their type from a decoration, else from their place, else INT or
 * BYTE; a real without either is an error (language.md 1.3). */
#include "checker.h"

#include <math.h>
#include <stdlib.h>

/* Its type is that of what is shifted; the count is an INT whatever the place. */
static bool is_shift(Operator op) {
    return op == OPERATOR_SHIFT_LEFT || op == OPERATOR_SHIFT_RIGHT;
}

bool expression_is_untyped(const Node *node) {
    if (node->kind == NODE_INTEGER) {
        return !node->integer.decoration;
    }
    if (node->kind == NODE_REAL) {
        return !node->real.decoration;
    }
    if (node->kind == NODE_BYTE) {
        return !node->byte.decoration;
    }
    if (node->kind == NODE_MONADIC) {
        return node->monadic.op != OPERATOR_NOT && node->monadic.op != OPERATOR_USER &&
               expression_is_untyped(node->monadic.operand);
    }
    if (node->kind != NODE_DYADIC || !expression_is_untyped(node->dyadic.left)) {
        return false;
    }
    bool is_alike = node->dyadic.op <= OPERATOR_BITXOR && expression_is_untyped(node->dyadic.right);
    return is_shift(node->dyadic.op) || is_alike;
}

/* The default type of an untyped expression: that of its first literal that is no INT. */
const Type *literal_default_type(Checker *checker, const Node *node) {
    if (node->kind == NODE_BYTE) {
        return type_primitive(TYPE_BYTE);
    }
    if (node->kind == NODE_REAL) {
        return type_primitive(TYPE_REAL32);
    }
    if (node->kind == NODE_MONADIC) {
        return literal_default_type(checker, node->monadic.operand);
    }
    if (node->kind == NODE_DYADIC) {
        const Type *left = literal_default_type(checker, node->dyadic.left);
        return left->kind != TYPE_INT || is_shift(node->dyadic.op)
                   ? left
                   : literal_default_type(checker, node->dyadic.right);
    }
    return type_primitive(TYPE_INT);
}

static const Type *decoration_type(Checker *checker, Node *decoration, const Type *expected) {
    return decoration ? check_data_type(checker, decoration, true) : expected;
}

/* #FF.. is a bit pattern: it may fill the type to its highest bit. */
static bool hex_value(const Type *type, int64_t *value) {
    unsigned bits = type_bits(type);
    if (bits < 64 && ((uint64_t)*value >> bits) != 0) {
        return false;
    }
    if (bits < 64 && type_is_signed(type) && ((uint64_t)*value >> (bits - 1)) != 0) {
        *value -= (int64_t)1 << bits;
    }
    return true;
}

static bool decimal_fits(const Node *node, const Type *type) {
    return node->integer.is_big ? !type_is_signed(type) && type_bits(type) == 64
                                : constant_fits(type, node->integer.value);
}

static void report_range(Checker *checker, const Node *node, const Type *type) {
    diag_report(checker->diag, DIAG_TYPES_CONSTANT_RANGE, node->at,
                type_name(checker->arena, type));
    unsigned bits = type_bits(type);
    if (type_is_signed(type)) {
        long long last = (long long)(UINT64_MAX >> (65 - bits));
        diag_hint(checker->diag, "it goes from %lld to %lld", -last - 1, last);
    } else {
        diag_hint(checker->diag, "it goes from 0 to %llu",
                  (unsigned long long)(UINT64_MAX >> (64 - bits)));
    }
}

static const Type *check_integer_literal(Checker *checker, Node *node, const Type *expected) {
    const Type *type = decoration_type(checker, node->integer.decoration, expected);
    if (!type || (!node->integer.decoration && !type_is_integer(type))) {
        type = type_primitive(TYPE_INT);
    }
    if (type_is_error(type) || !type_is_integer(type)) {
        return check_fits(checker, node, type);
    }
    int64_t value = node->integer.value;
    if (node->integer.is_hex ? !hex_value(type, &value) : !decimal_fits(node, type)) {
        if (!expected || !type_is_error(expected)) { /* otherwise nobody knows its type */
            report_range(checker, node, type);
        }
        return expression_fail(checker, node);
    }
    node->constant = constant_integer(checker->arena, type, value);
    return type;
}

static const Type *check_byte_literal(Checker *checker, Node *node, const Type *expected) {
    const Type *type = decoration_type(checker, node->byte.decoration, expected);
    if (!type || (!node->byte.decoration && !type_is_integer(type))) {
        type = type_primitive(TYPE_BYTE);
    }
    if (type_is_error(type) || !type_is_integer(type)) {
        return check_fits(checker, node, type);
    }
    if (!constant_fits(type, node->byte.value)) {
        report_range(checker, node, type);
        return expression_fail(checker, node);
    }
    node->constant = constant_integer(checker->arena, type, node->byte.value);
    return type;
}

static const Type *check_real_literal(Checker *checker, Node *node, const Type *expected) {
    const Type *type = decoration_type(checker, node->real.decoration, expected);
    if (type && type_is_error(type)) {
        return expression_fail(checker, node);
    }
    if (type && !type_is_real(type)) {
        diag_report(checker->diag, DIAG_TYPES_MISMATCH, node->at, type_name(checker->arena, type),
                    "a real literal");
        return expression_fail(checker, node);
    }
    if (!type) {
        diag_report(checker->diag, DIAG_TYPES_REAL_TYPE, node->at);
        diag_hint(checker->diag, "say which: %s (REAL32) or %s (REAL64)", node->real.digits->bytes,
                  node->real.digits->bytes);
        return expression_fail(checker, node);
    }
    const char *digits = node->real.digits->bytes;
    bool is_single = type_bits(type) == 32;
    double value = is_single ? (double)strtof(digits, NULL) : strtod(digits, NULL);
    if (isinf(value)) {
        diag_report(checker->diag, DIAG_TYPES_CONSTANT_RANGE, node->at,
                    type_name(checker->arena, type));
        return expression_fail(checker, node);
    }
    node->constant = constant_real(checker->arena, type, value);
    return type;
}

static bool is_array_of_bytes(const Type *type) {
    const Type *base = type_base(type);
    return base->kind == TYPE_ARRAY && type_base(base->array.element)->kind == TYPE_BYTE;
}

/* A string takes a DATA TYPE that names an array of bytes, or an element type that names BYTE. */
static const Type *check_string(Checker *checker, Node *node, const Type *expected) {
    const Type *wanted = decoration_type(checker, node->string.decoration, expected);
    uint32_t length = node->string.text->length;
    const Type *element = type_primitive(TYPE_BYTE);
    const Type *type = NULL;
    if (wanted && is_array_of_bytes(wanted)) {
        element = type_base(wanted)->array.element;
        bool fits = type_base(wanted)->array.count == (int64_t)length;
        type = wanted->kind == TYPE_NAMED && fits ? wanted : NULL;
    }
    if (!type) {
        type = type_array(checker->arena, element, (int64_t)length);
    }
    node->constant =
        constant_image(checker->arena, type, (const uint8_t *)node->string.text->bytes, length);
    node->type = type;
    return node->string.decoration ? check_fits(checker, node, wanted) : type;
}

const Type *check_literal(Checker *checker, Node *node, const Type *expected) {
    node->type = literal_default_type(checker, node);
    if (node->kind == NODE_INTEGER) {
        return check_integer_literal(checker, node, expected);
    }
    if (node->kind == NODE_BYTE) {
        return check_byte_literal(checker, node, expected);
    }
    if (node->kind == NODE_REAL) {
        return check_real_literal(checker, node, expected);
    }
    if (node->kind == NODE_STRING) {
        return check_string(checker, node, expected);
    }
    node->constant =
        constant_integer(checker->arena, type_primitive(TYPE_BOOL), node->boolean.value);
    return type_primitive(TYPE_BOOL);
}
