/* network_value -- which values an expression has at a place of the network: those of replicators
 * and of VAL formals are followed. See network_walk.h. */
#include "network_walk.h"

#include <inttypes.h>
#include <limits.h>

static bool add(int64_t left, int64_t right, int64_t *result) {
    *result = (int64_t)((uint64_t)left + (uint64_t)right);
    return true;
}

static bool subtract(int64_t left, int64_t right, int64_t *result) {
    *result = (int64_t)((uint64_t)left - (uint64_t)right);
    return true;
}

static bool multiply(int64_t left, int64_t right, int64_t *result) {
    *result = (int64_t)((uint64_t)left * (uint64_t)right);
    return true;
}

static bool divide(int64_t left, int64_t right, int64_t *result) {
    *result = right == 0 || right == -1 ? -left : left / right;
    return right != 0 && left != INT64_MIN;
}

static bool remainder_of(int64_t left, int64_t right, int64_t *result) {
    *result = right == 0 || right == -1 ? 0 : left % right;
    return right != 0;
}

static bool bits_and(int64_t left, int64_t right, int64_t *result) {
    *result = left & right;
    return true;
}

static bool bits_xor(int64_t left, int64_t right, int64_t *result) {
    *result = left ^ right;
    return true;
}

/* Those that indices are made with; any other result is any value. */
static IndexCombination *const combinations[OPERATOR_COUNT] = {
    [OPERATOR_ADD] = add,           [OPERATOR_PLUS] = add,
    [OPERATOR_SUBTRACT] = subtract, [OPERATOR_MINUS] = subtract,
    [OPERATOR_MULTIPLY] = multiply, [OPERATOR_TIMES] = multiply,
    [OPERATOR_DIVIDE] = divide,     [OPERATOR_REMAINDER] = remainder_of,
    [OPERATOR_BITAND] = bits_and,   [OPERATOR_BITXOR] = bits_xor,
};

static const IndexSet *value_of_size(NetWalk *walk, const Node *operand) {
    const NetRef *ref = node_is_type(operand) ? NULL : network_refer(walk, operand);
    int64_t length = ref ? ref->length : -1;
    if (length < 0 && operand->type && type_is_array(operand->type)) {
        length = type_base(operand->type)->array.count;
    }
    return length < 0 ? NULL : index_set_one(walk->arena, length);
}

const IndexSet *network_value(NetWalk *walk, const Node *expression) {
    const Constant *constant = expression->constant;
    if (constant && constant->type && type_is_integer(constant->type)) {
        return index_set_one(walk->arena, constant->integer);
    }
    if (expression->kind == NODE_NAME && expression->name.symbol) {
        return symbol_map_get(&walk->values, expression->name.symbol);
    }
    if (expression->kind == NODE_CONVERSION && expression->type &&
        type_is_integer(expression->type)) {
        return network_value(walk, expression->conversion.operand);
    }
    if (expression->kind == NODE_SIZE) {
        return value_of_size(walk, expression->size.operand);
    }
    if (expression->kind == NODE_DYADIC && combinations[expression->dyadic.op]) {
        const IndexSet *left = network_value(walk, expression->dyadic.left);
        const IndexSet *right = left ? network_value(walk, expression->dyadic.right) : NULL;
        return index_set_combine(walk->arena, left, right, combinations[expression->dyadic.op]);
    }
    return NULL;
}

void network_set_value(NetWalk *walk, const Symbol *symbol, const IndexSet *values) {
    symbol_map_set(walk->arena, &walk->values, symbol, values);
}

const char *network_text(NetWalk *walk, const Node *expression, const IndexSet *values) {
    enum { TEXT_LIMIT = 24 };
    if (values && values->count == 1) {
        return arena_format(walk->arena, "%" PRId64, values->values[0]);
    }
    Location at = expression->at;
    size_t length = 0;
    const char *line = at.file && at.line == at.end_line
                           ? source_line(walk->sources, at.file, at.line, &length)
                           : NULL;
    bool is_short = line && at.end_column > at.column && at.end_column - at.column <= TEXT_LIMIT &&
                    at.end_column - 1 <= length;
    return is_short ? arena_format(walk->arena, "%.*s", (int)(at.end_column - at.column),
                                   line + at.column - 1)
                    : "..";
}
