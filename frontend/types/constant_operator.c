/* constant_operator -- the results of operators on constants (language.md 1.6).
 *
 * Holds: + - * / \ are checked for overflow in the width of the type, PLUS MINUS TIMES and the bit
 *        operators wrap; reals are IEEE and silent. Nothing here relies on C's signed overflow. */
#include "constant.h"

#include <math.h>

static uint64_t mask_of(unsigned bits) {
    return bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

/* The low bits of `value` as an integer of the type: sign- or zero-extended. */
static int64_t wrap(const Type *type, uint64_t value) {
    unsigned bits = type_bits(type);
    uint64_t low = value & mask_of(bits);
    if (type_is_signed(type) && bits < 64 && (low >> (bits - 1)) != 0) {
        low |= ~mask_of(bits);
    }
    return (int64_t)low;
}

static bool is_unsigned_64(const Type *type) {
    return type_bits(type) == 64 && !type_is_signed(type);
}

/* Exact result of a 64-bit signed operation, or false. */
static bool add_signed(int64_t left, int64_t right, int64_t *result) {
    if (right > 0 ? left > INT64_MAX - right : left < INT64_MIN - right) {
        return false;
    }
    *result = left + right;
    return true;
}

static bool subtract_signed(int64_t left, int64_t right, int64_t *result) {
    if (right < 0 ? left > INT64_MAX + right : left < INT64_MIN + right) {
        return false;
    }
    *result = left - right;
    return true;
}

static bool multiply_signed(int64_t left, int64_t right, int64_t *result) {
    if (left == 0 || right == 0) {
        *result = 0;
        return true;
    }
    if ((left == -1 && right == INT64_MIN) || (right == -1 && left == INT64_MIN)) {
        return false;
    }
    int64_t product = (int64_t)((uint64_t)left * (uint64_t)right);
    if (product / right != left) {
        return false;
    }
    *result = product;
    return true;
}

/* UINT64 kept as its bits. */
static bool combine_unsigned(Operator op, uint64_t left, uint64_t right, uint64_t *result) {
    if (op == OPERATOR_ADD) {
        *result = left + right;
        return *result >= left;
    }
    if (op == OPERATOR_SUBTRACT) {
        *result = left - right;
        return left >= right;
    }
    *result = left * right;
    return left == 0 || *result / left == right;
}

static bool combine_checked(Operator op, const Type *type, int64_t left, int64_t right,
                            int64_t *result) {
    if (is_unsigned_64(type)) {
        uint64_t bits = 0;
        bool done = combine_unsigned(op, (uint64_t)left, (uint64_t)right, &bits);
        *result = (int64_t)bits;
        return done;
    }
    bool done = op == OPERATOR_ADD        ? add_signed(left, right, result)
                : op == OPERATOR_SUBTRACT ? subtract_signed(left, right, result)
                                          : multiply_signed(left, right, result);
    return done && constant_fits(type, *result);
}

static ConstantOutcome divide(Operator op, const Type *type, int64_t left, int64_t right,
                              int64_t *result) {
    if (right == 0) {
        return CONSTANT_DIVIDE_BY_ZERO;
    }
    if (is_unsigned_64(type)) {
        uint64_t a = (uint64_t)left;
        uint64_t b = (uint64_t)right;
        *result = (int64_t)(op == OPERATOR_DIVIDE ? a / b : a % b);
        return CONSTANT_DONE;
    }
    if (right == -1) { /* MOSTNEG / -1 overflows; MOSTNEG \ -1 is 0 */
        *result = op == OPERATOR_DIVIDE && left != INT64_MIN ? -left : 0;
        bool overflows =
            op == OPERATOR_DIVIDE && (left == INT64_MIN || !constant_fits(type, *result));
        return overflows ? CONSTANT_OVERFLOW : CONSTANT_DONE;
    }
    *result = op == OPERATOR_DIVIDE ? left / right : left % right;
    return CONSTANT_DONE;
}

static ConstantOutcome shift(Operator op, const Type *type, int64_t left, int64_t count,
                             int64_t *result) {
    unsigned bits = type_bits(type);
    if (count < 0 || count > (int64_t)bits) {
        return CONSTANT_SHIFT_RANGE;
    }
    uint64_t value = (uint64_t)left & mask_of(bits);
    if (count == 64) {
        value = 0;
    } else {
        value = op == OPERATOR_SHIFT_LEFT ? value << count : value >> count;
    }
    *result = wrap(type, value);
    return CONSTANT_DONE;
}

static int compare_integers(const Type *type, int64_t left, int64_t right) {
    if (is_unsigned_64(type)) {
        return ((uint64_t)left > (uint64_t)right) - ((uint64_t)left < (uint64_t)right);
    }
    return (left > right) - (left < right);
}

/* a AFTER b: (a MINUS b) > 0 in a signed type of the same width. */
static bool is_after(const Type *type, int64_t left, int64_t right) {
    unsigned bits = type_bits(type);
    uint64_t difference = ((uint64_t)left - (uint64_t)right) & mask_of(bits);
    return difference != 0 && (difference >> (bits - 1)) == 0;
}

static ConstantOutcome dyadic_integer(Operator op, const Type *type, int64_t left, int64_t right,
                                      int64_t *result) {
    uint64_t a = (uint64_t)left;
    uint64_t b = (uint64_t)right;
    int order = compare_integers(type, left, right);
    switch (op) {
    case OPERATOR_ADD:
    case OPERATOR_SUBTRACT:
    case OPERATOR_MULTIPLY:
        return combine_checked(op, type, left, right, result) ? CONSTANT_DONE : CONSTANT_OVERFLOW;
    case OPERATOR_DIVIDE:
    case OPERATOR_REMAINDER: return divide(op, type, left, right, result);
    case OPERATOR_PLUS: *result = wrap(type, a + b); break;
    case OPERATOR_MINUS: *result = wrap(type, a - b); break;
    case OPERATOR_TIMES: *result = wrap(type, a * b); break;
    case OPERATOR_BITAND: *result = wrap(type, a & b); break;
    case OPERATOR_BITOR: *result = wrap(type, a | b); break;
    case OPERATOR_BITXOR: *result = wrap(type, a ^ b); break;
    case OPERATOR_SHIFT_LEFT:
    case OPERATOR_SHIFT_RIGHT: return shift(op, type, left, right, result);
    case OPERATOR_EQUAL: *result = order == 0; break;
    case OPERATOR_NOT_EQUAL: *result = order != 0; break;
    case OPERATOR_LESS: *result = order < 0; break;
    case OPERATOR_LESS_EQUAL: *result = order <= 0; break;
    case OPERATOR_GREATER: *result = order > 0; break;
    case OPERATOR_GREATER_EQUAL: *result = order >= 0; break;
    case OPERATOR_AFTER: *result = is_after(type, left, right); break;
    case OPERATOR_AND: *result = left && right; break;
    case OPERATOR_OR: *result = left || right; break;
    case OPERATOR_BITNOT:
    case OPERATOR_NOT:
    case OPERATOR_NEGATE:
    case OPERATOR_USER:
    case OPERATOR_COUNT: return CONSTANT_UNKNOWN;
    }
    return CONSTANT_DONE;
}

/* The value is rounded to REAL32 by constant_real: in double, an operation on two REAL32s is exact
 * enough that one rounding gives what IEEE requires. */
static ConstantOutcome dyadic_real(Arena *arena, Operator op, double left, double right,
                                   const Type *type, const Constant **result) {
    bool truth = false;
    double value = 0;
    switch (op) {
    case OPERATOR_ADD: value = left + right; break;
    case OPERATOR_SUBTRACT: value = left - right; break;
    case OPERATOR_MULTIPLY: value = left * right; break;
    case OPERATOR_DIVIDE: value = left / right; break;
    case OPERATOR_REMAINDER: value = remainder(left, right); break;
    case OPERATOR_EQUAL: truth = left == right; break;
    case OPERATOR_NOT_EQUAL: truth = left != right; break;
    case OPERATOR_LESS: truth = left < right; break;
    case OPERATOR_LESS_EQUAL: truth = left <= right; break;
    case OPERATOR_GREATER: truth = left > right; break;
    case OPERATOR_GREATER_EQUAL: truth = left >= right; break;
    case OPERATOR_PLUS:
    case OPERATOR_MINUS:
    case OPERATOR_TIMES:
    case OPERATOR_BITAND:
    case OPERATOR_BITOR:
    case OPERATOR_BITXOR:
    case OPERATOR_BITNOT:
    case OPERATOR_SHIFT_LEFT:
    case OPERATOR_SHIFT_RIGHT:
    case OPERATOR_AFTER:
    case OPERATOR_AND:
    case OPERATOR_OR:
    case OPERATOR_NOT:
    case OPERATOR_NEGATE:
    case OPERATOR_USER:
    case OPERATOR_COUNT: return CONSTANT_UNKNOWN;
    }
    *result = type_is_real(type) ? constant_real(arena, type, value)
                                 : constant_integer(arena, type, truth);
    return CONSTANT_DONE;
}

ConstantOutcome constant_dyadic(Arena *arena, Operator op, const Constant *left,
                                const Constant *right, const Type *result_type,
                                const Constant **result) {
    if (!left || !right || !type_is_scalar(left->type) || !type_is_scalar(right->type)) {
        return CONSTANT_UNKNOWN;
    }
    if (type_is_real(left->type)) {
        return dyadic_real(arena, op, left->real, right->real, result_type, result);
    }
    int64_t value = 0;
    ConstantOutcome outcome = dyadic_integer(op, left->type, left->integer, right->integer, &value);
    if (outcome == CONSTANT_DONE) {
        *result = constant_integer(arena, result_type, value);
    }
    return outcome;
}

ConstantOutcome constant_monadic(Arena *arena, Operator op, const Constant *operand,
                                 const Constant **result) {
    if (!operand || !type_is_scalar(operand->type)) {
        return CONSTANT_UNKNOWN;
    }
    const Type *type = operand->type;
    if (type_is_real(type)) {
        if (op != OPERATOR_NEGATE) {
            return CONSTANT_UNKNOWN;
        }
        *result = constant_real(arena, type, -operand->real);
        return CONSTANT_DONE;
    }
    int64_t value = 0;
    if (op == OPERATOR_NEGATE) {
        if (!combine_checked(OPERATOR_SUBTRACT, type, 0, operand->integer, &value)) {
            return CONSTANT_OVERFLOW;
        }
    } else if (op == OPERATOR_MINUS) {
        value = wrap(type, 0 - (uint64_t)operand->integer);
    } else if (op == OPERATOR_BITNOT) {
        value = wrap(type, ~(uint64_t)operand->integer);
    } else if (op == OPERATOR_NOT) {
        value = !operand->integer;
    } else {
        return CONSTANT_UNKNOWN;
    }
    *result = constant_integer(arena, type, value);
    return CONSTANT_DONE;
}
