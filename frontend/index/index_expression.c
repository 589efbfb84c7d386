/* index_expression -- making, comparing and evaluating subscripts. */
#include "usage_index.h"

#include "among.h"

const IndexExpr *index_unknown(void) {
    static const IndexExpr unknown = {.kind = INDEX_UNKNOWN};
    return &unknown;
}

const IndexExpr *index_constant(Arena *arena, int64_t value) {
    IndexExpr *expr = arena_new(arena, IndexExpr);
    expr->kind = INDEX_CONSTANT;
    expr->value = value;
    return expr;
}

const IndexExpr *index_loop(Arena *arena, const IndexLoop *loop) {
    IndexExpr *expr = arena_new(arena, IndexExpr);
    expr->kind = INDEX_LOOP;
    expr->loop = loop;
    return expr;
}

static IndexExpr *make_parameter(Arena *arena, const void *name, int64_t number,
                                 const char *label) {
    IndexExpr *expr = arena_new(arena, IndexExpr);
    expr->kind = INDEX_PARAMETER;
    expr->name = name;
    expr->value = number;
    expr->label = label;
    return expr;
}

const IndexExpr *index_parameter(Arena *arena, const void *name, int64_t number,
                                 const char *label) {
    return make_parameter(arena, name, number, label);
}

const IndexExpr *index_int(Arena *arena, const void *name, int64_t number, const char *label) {
    IndexExpr *expr = make_parameter(arena, name, number, label);
    expr->is_int = true;
    return expr;
}

const IndexExpr *index_size(Arena *arena, const void *name, uint32_t row, int64_t number,
                            const char *label) {
    IndexExpr *expr = make_parameter(arena, name, number, label);
    expr->row = row;
    expr->is_int = expr->is_size = true;
    return expr;
}

#define SIZE_LIMIT 250

static uint32_t size_of(const IndexExpr *expr) {
    return expr->size ? expr->size : 1;
}

const IndexExpr *index_lookup(Arena *arena, const Constant *table, const IndexExpr *at) {
    uint32_t size = size_of(at) + 1;
    if (at->kind == INDEX_UNKNOWN || size > SIZE_LIMIT) {
        return index_unknown();
    }
    IndexExpr *expr = arena_new(arena, IndexExpr);
    expr->kind = INDEX_LOOKUP;
    expr->size = size;
    expr->table = table;
    expr->left = at;
    expr->is_assigned = at->is_assigned;
    return expr;
}

const IndexExpr *index_element(Arena *arena, const IndexExpr *array, const IndexExpr *at) {
    uint32_t size = size_of(array) + size_of(at) + 1;
    if (array->kind == INDEX_UNKNOWN || at->kind == INDEX_UNKNOWN || size > SIZE_LIMIT) {
        return index_unknown();
    }
    IndexExpr *expr = arena_new(arena, IndexExpr);
    expr->kind = INDEX_ELEMENT;
    expr->size = size;
    expr->left = at;
    expr->right = array;
    expr->is_assigned = at->is_assigned || array->is_assigned;
    return expr;
}

static int64_t reversed(int64_t value, int64_t count) {
    int64_t result = 0;
    for (int64_t i = 0; i < count; i++) {
        result |= (value >> i & 1) << (count - 1 - i);
    }
    return (int32_t)(uint32_t)result;
}

/* The INT value of an operator, false where the program would stop with an error. */
bool index_apply(IndexOperator op, int64_t left, int64_t right, int64_t *result) {
    int64_t value = 0;
    switch (op) {
    case OPERATOR_ADD:
        if (__builtin_add_overflow(left, right, &value)) {
            return false;
        }
        break;
    case OPERATOR_SUBTRACT:
        if (__builtin_sub_overflow(left, right, &value)) {
            return false;
        }
        break;
    case OPERATOR_MULTIPLY:
        if (__builtin_mul_overflow(left, right, &value)) {
            return false;
        }
        break;
    case OPERATOR_DIVIDE:
    case OPERATOR_REMAINDER:
        if (right == 0 || (right == -1 && left == INT64_MIN)) {
            return false;
        }
        value = op == OPERATOR_DIVIDE ? left / right : left % right;
        break;
    case OPERATOR_PLUS: value = (int32_t)(uint32_t)((uint64_t)left + (uint64_t)right); break;
    case OPERATOR_MINUS: value = (int32_t)(uint32_t)((uint64_t)left - (uint64_t)right); break;
    case OPERATOR_TIMES: value = (int32_t)(uint32_t)((uint64_t)left * (uint64_t)right); break;
    case OPERATOR_BITAND: value = left & right; break;
    case OPERATOR_BITOR: value = left | right; break;
    case OPERATOR_BITXOR: value = left ^ right; break;
    case OPERATOR_SHIFT_LEFT:
    case OPERATOR_SHIFT_RIGHT: {
        if (right < 0 || right > 32) {
            return false;
        }
        uint64_t bits = (uint32_t)left;
        bits = op == OPERATOR_SHIFT_LEFT ? bits << right : bits >> right;
        value = (int32_t)(uint32_t)bits;
        break;
    }
    case OPERATOR_EQUAL: value = left == right; break;
    case OPERATOR_NOT_EQUAL: value = left != right; break;
    case OPERATOR_LESS: value = left < right; break;
    case OPERATOR_LESS_EQUAL: value = left <= right; break;
    case OPERATOR_GREATER: value = left > right; break;
    case OPERATOR_GREATER_EQUAL: value = left >= right; break;
    case INDEX_SMALLER: value = left < right ? left : right; break;
    case INDEX_LARGER: value = left > right ? left : right; break;
    case INDEX_REVERSED:
        if (right < 0 || right > 32) {
            return false;
        }
        value = reversed(left, right);
        break;
    default: return false; /* none on two numbers */
    }
    *result = value;
    return value >= INT32_MIN && value <= INT32_MAX;
}

static bool is_mask(const IndexExpr *expr) {
    return expr->kind == INDEX_CONSTANT && expr->value >= 0 &&
           (expr->value & (expr->value + 1)) == 0;
}

/* ---- bits ---- */

#define BITS_WRITTEN_OUT 4

/* A constant with few bits, beside an expression that may be written down several times. */
static bool is_few_bits(IndexOperator op, const IndexExpr *left, const IndexExpr *right) {
    bool is_bitwise = op == OPERATOR_BITXOR || op == OPERATOR_BITOR || op == OPERATOR_BITAND;
    return is_bitwise && right->kind == INDEX_CONSTANT && right->value > 0 &&
           right->value <= INT32_MAX && size_of(left) < 20 &&
           __builtin_popcountll((uint64_t)right->value) <= BITS_WRITTEN_OUT &&
           !(op == OPERATOR_BITAND && is_mask(right));
}

/* 1 or 0 */
static const IndexExpr *bit_of(Arena *arena, const IndexExpr *expr, int64_t bit) {
    const IndexExpr *lower =
        index_operator(arena, OPERATOR_BITAND, expr, index_constant(arena, 2 * bit - 1));
    return bit == 1 ? lower
                    : index_operator(arena, OPERATOR_DIVIDE, lower, index_constant(arena, bit));
}

/* x >< 4 is x + (4 * (1 - (2 * bit))): sums, of remainders that the tests know. */
static const IndexExpr *write_bits(Arena *arena, IndexOperator op, const IndexExpr *left,
                                   int64_t constant) {
    const IndexExpr *sum = op == OPERATOR_BITAND ? index_constant(arena, 0) : left;
    int64_t each = op == OPERATOR_BITAND ? 1 : op == OPERATOR_BITOR ? -1 : -2;
    for (int64_t bit = 1; bit <= constant; bit *= 2) {
        if ((constant & bit) == 0) {
            continue;
        }
        const IndexExpr *change = index_operator(
            arena, OPERATOR_MULTIPLY, index_constant(arena, each * bit), bit_of(arena, left, bit));
        if (op != OPERATOR_BITAND) {
            change = index_operator(arena, OPERATOR_ADD, change, index_constant(arena, bit));
        }
        sum = index_operator(arena, OPERATOR_ADD, sum, change);
    }
    return sum;
}

static bool is_zero(const IndexExpr *expr) {
    return expr->kind == INDEX_CONSTANT && expr->value == 0;
}

const IndexExpr *index_assigned(Arena *arena, const IndexExpr *expr) {
    if (expr->is_assigned || expr->kind == INDEX_UNKNOWN) {
        return expr;
    }
    IndexExpr *copy = arena_copy(arena, expr, sizeof *expr);
    copy->is_assigned = true;
    return copy;
}

/* x >> 3 of what is never negative is x / 8. */
static bool is_quotient(IndexOperator op, const IndexExpr *left, const IndexExpr *right) {
    return op == OPERATOR_SHIFT_RIGHT && right->kind == INDEX_CONSTANT && right->value >= 0 &&
           right->value < 31 && index_is_natural(left);
}

static const IndexExpr *make_operator(Arena *arena, IndexOperator op, const IndexExpr *left,
                                      const IndexExpr *right) {
    if (left->kind == INDEX_UNKNOWN || right->kind == INDEX_UNKNOWN) {
        return index_unknown();
    }
    if (left->kind == INDEX_CONSTANT && right->kind == INDEX_CONSTANT) {
        int64_t value = 0;
        bool is_done = index_apply(op, left->value, right->value, &value);
        return is_done ? index_constant(arena, value) : index_unknown();
    }
    if ((op == OPERATOR_ADD && is_zero(left))) {
        return right;
    }
    if ((op == OPERATOR_ADD || op == OPERATOR_SUBTRACT) && is_zero(right)) {
        return left;
    }
    bool is_commuted = (op == OPERATOR_BITXOR || op == OPERATOR_BITOR || op == OPERATOR_BITAND) &&
                       left->kind == INDEX_CONSTANT;
    if (is_commuted) {
        return make_operator(arena, op, right, left);
    }
    if (is_few_bits(op, left, right)) {
        return write_bits(arena, op, left, right->value);
    }
    if (is_quotient(op, left, right)) {
        return make_operator(arena, OPERATOR_DIVIDE, left,
                             index_constant(arena, (int64_t)1 << right->value));
    }
    bool is_wrapped =
        left->kind == INDEX_OPERATOR && left->op == OPERATOR_PLUS && is_zero(left->right);
    if (op == OPERATOR_BITAND && is_mask(right) && is_wrapped) {
        left = left->left; /* the lower bits are the same */
    }
    uint32_t size = size_of(left) + size_of(right) + 1;
    if (size > SIZE_LIMIT) {
        return index_unknown();
    }
    IndexExpr *expr = arena_new(arena, IndexExpr);
    expr->kind = INDEX_OPERATOR;
    expr->size = size;
    expr->op = op;
    expr->left = left;
    expr->right = right;
    return expr;
}

const IndexExpr *index_operator(Arena *arena, IndexOperator op, const IndexExpr *left,
                                const IndexExpr *right) {
    const IndexExpr *expr = make_operator(arena, op, left, right);
    return left->is_assigned || right->is_assigned ? index_assigned(arena, expr) : expr;
}

bool index_equal(const IndexExpr *left, const IndexExpr *right) {
    if (left->kind != right->kind) {
        return false;
    }
    switch (left->kind) {
    case INDEX_CONSTANT: return left->value == right->value;
    case INDEX_LOOP: return left->loop == right->loop;
    case INDEX_PARAMETER:
        return left->name == right->name && left->row == right->row && left->value == right->value;
    case INDEX_OPERATOR:
        return left->op == right->op && index_equal(left->left, right->left) &&
               index_equal(left->right, right->right);
    case INDEX_LOOKUP: return left->table == right->table && index_equal(left->left, right->left);
    case INDEX_ELEMENT:
        return index_equal(left->left, right->left) && index_equal(left->right, right->right);
    case INDEX_UNKNOWN: return false;
    }
    return false;
}

bool index_same(const IndexExpr *left, const IndexExpr *right) {
    return left == right || (left && right && index_equal(left, right));
}

bool index_same_parts(const IndexRegion *left, const IndexRegion *right) {
    bool is_same = left->count == right->count;
    for (size_t i = 0; i < left->count && is_same; i++) {
        is_same = index_same(left->dimensions[i].from, right->dimensions[i].from) &&
                  index_same(left->dimensions[i].length, right->dimensions[i].length);
    }
    return is_same;
}

bool index_any(const IndexExpr *expr, IndexTest *test, const void *data) {
    return expr->left ? index_any(expr->left, test, data) ||
                            (expr->right && index_any(expr->right, test, data))
                      : test(expr, data);
}

bool index_is_natural(const IndexExpr *expr) {
    switch (expr->kind) {
    case INDEX_CONSTANT: return expr->value >= 0;
    case INDEX_LOOP: return true;
    case INDEX_OPERATOR:
        if (expr->op == OPERATOR_REMAINDER) {
            return index_is_natural(expr->left);
        }
        if (expr->op == OPERATOR_BITAND) {
            return index_is_natural(expr->left) || index_is_natural(expr->right);
        }
        return AMONG(expr->op, OPERATOR_ADD, OPERATOR_MULTIPLY, OPERATOR_DIVIDE) &&
               index_is_natural(expr->left) && index_is_natural(expr->right);
    case INDEX_PARAMETER:
    case INDEX_LOOKUP:
    case INDEX_ELEMENT:
    case INDEX_UNKNOWN: return false;
    }
    return false;
}

bool index_has_element(const IndexExpr *expr) {
    return expr->kind == INDEX_ELEMENT || (expr->left && index_has_element(expr->left)) ||
           (expr->right && index_has_element(expr->right));
}

static bool is_loop(const IndexExpr *leaf, const void *loop) {
    return leaf->kind == INDEX_LOOP && leaf->loop == loop;
}

bool index_mentions(const IndexExpr *expr, const IndexLoop *loop) {
    return index_any(expr, is_loop, loop);
}

static bool has_no_number(const IndexExpr *leaf, const void *data) {
    (void)data;
    return leaf->kind == INDEX_PARAMETER || leaf->kind == INDEX_UNKNOWN ||
           (leaf->kind == INDEX_LOOP && !index_is_evaluable(leaf->loop->count));
}

bool index_is_evaluable(const IndexExpr *expr) {
    return !index_any(expr, has_no_number, NULL);
}

bool index_evaluate(const IndexExpr *expr, const int64_t *values, size_t value_count,
                    int64_t *result) {
    int64_t left = 0;
    int64_t right = 0;
    switch (expr->kind) {
    case INDEX_CONSTANT: *result = expr->value; return true;
    case INDEX_LOOP:
        if (expr->loop->depth >= value_count) {
            return false;
        }
        *result = values[expr->loop->depth];
        return true;
    case INDEX_OPERATOR:
        return index_evaluate(expr->left, values, value_count, &left) &&
               index_evaluate(expr->right, values, value_count, &right) &&
               index_apply(expr->op, left, right, result);
    case INDEX_LOOKUP:
        return index_evaluate(expr->left, values, value_count, &left) &&
               index_table_element(expr->table, left, result);
    case INDEX_PARAMETER:
    case INDEX_ELEMENT:
    case INDEX_UNKNOWN: return false;
    }
    return false;
}

Operator index_negated(Operator op) {
    return op == OPERATOR_EQUAL        ? OPERATOR_NOT_EQUAL
           : op == OPERATOR_NOT_EQUAL  ? OPERATOR_EQUAL
           : op == OPERATOR_LESS       ? OPERATOR_GREATER_EQUAL
           : op == OPERATOR_LESS_EQUAL ? OPERATOR_GREATER
           : op == OPERATOR_GREATER    ? OPERATOR_LESS_EQUAL
                                       : OPERATOR_LESS;
}

bool index_is_shared(const IndexExpr *expr, const IndexPair *pair) {
    switch (expr->kind) {
    case INDEX_CONSTANT: return true;
    case INDEX_LOOP: return expr->loop->depth < pair->shared_depth;
    case INDEX_PARAMETER: return expr->value < pair->first_local;
    case INDEX_OPERATOR:
    case INDEX_ELEMENT:
        return index_is_shared(expr->left, pair) && index_is_shared(expr->right, pair);
    case INDEX_LOOKUP: return index_is_shared(expr->left, pair);
    case INDEX_UNKNOWN: return false;
    }
    return false;
}

const IndexLoop *index_loop_at(const IndexLoop *loop, unsigned depth) {
    while (loop && loop->depth > depth) {
        loop = loop->outer;
    }
    return loop && loop->depth == depth ? loop : NULL;
}
