/* skeleton_value -- numbers, and what is made of them. See skeleton.h. */
#include "skeleton.h"

#include "constant.h"

const SkeletonValue *skeleton_any(void) {
    static const SkeletonValue any = {.kind = VALUE_ANY};
    return &any;
}

static SkeletonValue *new_value(Arena *arena, SkeletonValueKind kind) {
    SkeletonValue *value = arena_new(arena, SkeletonValue);
    value->kind = kind;
    return value;
}

const SkeletonValue *skeleton_number(Arena *arena, int64_t number) {
    SkeletonValue *value = new_value(arena, VALUE_NUMBER);
    value->number = number;
    return value;
}

const SkeletonValue *skeleton_of_variable(Arena *arena, const SkeletonVariable *variable,
                                          const SkeletonValue *index) {
    SkeletonValue *value = new_value(arena, VALUE_VARIABLE);
    value->variable = variable;
    value->index = index;
    return value;
}

/* ---- operations ---- */

static bool divide(int64_t left, Operator op, int64_t right, int64_t *result) {
    if (right == 0 || right == -1) {
        return false;
    }
    *result = op == OPERATOR_DIVIDE ? left / right : left % right;
    return true;
}

static bool shift(int64_t left, Operator op, int64_t right, int64_t *result) {
    if (left < 0 || right < 0 || right > 31 || left > UINT32_MAX) {
        return false;
    }
    *result = op == OPERATOR_SHIFT_LEFT ? left << right : left >> right;
    return true;
}

static bool compute(int64_t left, Operator op, int64_t right, int64_t *result) {
    switch (op) {
    case OPERATOR_ADD:
    case OPERATOR_PLUS: return !__builtin_add_overflow(left, right, result);
    case OPERATOR_SUBTRACT:
    case OPERATOR_MINUS:
    case OPERATOR_NEGATE: return !__builtin_sub_overflow(left, right, result);
    case OPERATOR_MULTIPLY:
    case OPERATOR_TIMES: return !__builtin_mul_overflow(left, right, result);
    case OPERATOR_DIVIDE:
    case OPERATOR_REMAINDER: return divide(left, op, right, result);
    case OPERATOR_SHIFT_LEFT:
    case OPERATOR_SHIFT_RIGHT: return shift(left, op, right, result);
    case OPERATOR_BITAND: *result = left & right; return true;
    case OPERATOR_BITOR: *result = left | right; return true;
    case OPERATOR_BITXOR: *result = left ^ right; return true;
    case OPERATOR_EQUAL: *result = left == right; return true;
    case OPERATOR_NOT_EQUAL: *result = left != right; return true;
    case OPERATOR_LESS: *result = left < right; return true;
    case OPERATOR_LESS_EQUAL: *result = left <= right; return true;
    case OPERATOR_GREATER: *result = left > right; return true;
    case OPERATOR_GREATER_EQUAL: *result = left >= right; return true;
    case OPERATOR_AND: *result = left && right; return true;
    case OPERATOR_OR: *result = left || right; return true;
    case OPERATOR_NOT: *result = !right; return true;
    default: return false;
    }
}

bool skeleton_apply(int64_t left, Operator op, int64_t right, const Type *type, int64_t *result) {
    return compute(left, op, right, result) &&
           (!type || !type_is_integer(type) || constant_fits(type, *result));
}

/* One operand of AND or OR may be enough. */
static const SkeletonValue *decided(const SkeletonValue *left, Operator op,
                                    const SkeletonValue *right) {
    bool is_and = op == OPERATOR_AND;
    if (left->kind == VALUE_NUMBER) {
        return (left->number != 0) == is_and ? right : left;
    }
    if (right->kind == VALUE_NUMBER) {
        return (right->number != 0) == is_and ? left : right;
    }
    return NULL;
}

const SkeletonValue *skeleton_operation(Arena *arena, const SkeletonValue *left, Operator op,
                                        const SkeletonValue *right, const Type *type) {
    bool is_logical = op == OPERATOR_AND || op == OPERATOR_OR;
    const SkeletonValue *one = is_logical ? decided(left, op, right) : NULL;
    if (one) {
        return one;
    }
    bool is_any = left->kind == VALUE_ANY || right->kind == VALUE_ANY;
    if (is_any && !(is_logical && left->kind != right->kind)) {
        return skeleton_any();
    }
    if (left->kind == VALUE_NUMBER && right->kind == VALUE_NUMBER) {
        int64_t number;
        return skeleton_apply(left->number, op, right->number, type, &number)
                   ? skeleton_number(arena, number)
                   : skeleton_any();
    }
    bool is_same = (op == OPERATOR_ADD && right->kind == VALUE_NUMBER && right->number == 0) ||
                   (op == OPERATOR_MULTIPLY && right->kind == VALUE_NUMBER && right->number == 1);
    if (is_same) {
        return left;
    }
    SkeletonValue *value = new_value(arena, VALUE_OPERATION);
    value->op = op;
    value->left = left;
    value->right = right;
    value->type = type;
    return value;
}

bool skeleton_has_any(const SkeletonValue *value) {
    switch (value->kind) {
    case VALUE_ANY: return true;
    case VALUE_NUMBER: return false;
    case VALUE_VARIABLE: return value->index && skeleton_has_any(value->index);
    default: return skeleton_has_any(value->left) || skeleton_has_any(value->right);
    }
}
