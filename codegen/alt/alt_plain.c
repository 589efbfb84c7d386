/* alt_plain -- which conditions and items of guards may be evaluated again, or not at all.
 *
 * Owns:   which expressions are plain, and which of those can fail.
 * Leaves: when guards are evaluated to alt_guard.c.
 * Holds:  what is plain has the same value as long as the process is in the ALT: no other process
 *         changes what it reads (usage rules). Names under #PRAGMA SHARED or PLACE are not plain,
 *         nor is asking whether a channel has closed. An error shows only on evaluation. */
#include "alternative.h"

/* ---- plain expressions ---- */

static bool is_plain_operator(Operator op) {
    switch (op) {
    case OPERATOR_EQUAL:
    case OPERATOR_NOT_EQUAL:
    case OPERATOR_LESS:
    case OPERATOR_LESS_EQUAL:
    case OPERATOR_GREATER:
    case OPERATOR_GREATER_EQUAL:
    case OPERATOR_AND:
    case OPERATOR_OR: return true;
    case OPERATOR_ADD:
    case OPERATOR_SUBTRACT:
    case OPERATOR_MULTIPLY:
    case OPERATOR_DIVIDE:
    case OPERATOR_REMAINDER:
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
    case OPERATOR_NOT:
    case OPERATOR_NEGATE:
    case OPERATOR_USER:
    case OPERATOR_COUNT: return false;
    }
    return false;
}

bool alt_is_plain(const Node *expression) {
    if (expression->constant != NULL) {
        return true;
    }
    if (expression->kind == NODE_NAME) {
        return !symbol_is_shared(expression->name.symbol);
    }
    if (expression->kind == NODE_SUBSCRIPT) {
        return alt_is_plain(expression->subscript.base) &&
               alt_is_plain(expression->subscript.index);
    }
    if (expression->kind == NODE_FIELD) {
        return alt_is_plain(expression->field.base);
    }
    if (expression->kind == NODE_MONADIC) {
        return expression->monadic.op == OPERATOR_NOT && alt_is_plain(expression->monadic.operand);
    }
    if (expression->kind != NODE_DYADIC) {
        return false;
    }
    return is_plain_operator(expression->dyadic.op) && alt_is_plain(expression->dyadic.left) &&
           alt_is_plain(expression->dyadic.right);
}

bool alt_has_plain_items(const Node *guard) {
    for (size_t i = 0; guard->kind == NODE_OUTPUT && i < guard->output.items.count; i++) {
        const Node *item = guard->output.items.items[i];
        if (item->kind == NODE_COUNTED) {
            if (!alt_is_plain(item->counted.count) || !alt_is_plain(item->counted.array)) {
                return false;
            }
        } else if (item->kind != NODE_TAG_USE && !alt_is_plain(item)) {
            return false;
        }
    }
    return true;
}

/* ---- what can fail ---- */

static bool is_within(int64_t index, int64_t count) {
    return index >= 0 && index < count;
}

/* Is the array's size known, and the index always within it? */
static bool is_inside(const Node *subscript) {
    const Type *array = subscript->subscript.base->type;
    const Node *index = subscript->subscript.index;
    if (array->kind != TYPE_ARRAY || array->array.count == ARRAY_OPEN) {
        return false;
    }
    if (index->constant != NULL) {
        return is_within(index->constant->integer, array->array.count);
    }
    if (index->kind != NODE_NAME || index->name.symbol->kind != SYMBOL_REPLICATOR) {
        return false;
    }
    const Node *replicator = index->name.symbol->definition;
    const Constant *base = replicator->replicator.base->constant;
    const Constant *count = replicator->replicator.count->constant;
    return replicator->replicator.step == NULL && base != NULL && count != NULL &&
           is_within(base->integer, array->array.count) &&
           count->integer <= array->array.count - base->integer;
}

bool alt_may_fail(const Node *plain) {
    if (plain->constant != NULL) {
        return false;
    }
    if (type_is_mobile(plain->type)) {
        return true; /* an undefined one has no contents */
    }
    if (plain->kind == NODE_SUBSCRIPT) {
        return !is_inside(plain) || alt_may_fail(plain->subscript.base) ||
               alt_may_fail(plain->subscript.index);
    }
    if (plain->kind == NODE_DYADIC) {
        return alt_may_fail(plain->dyadic.left) || alt_may_fail(plain->dyadic.right);
    }
    if (plain->kind == NODE_MONADIC) {
        return alt_may_fail(plain->monadic.operand);
    }
    if (plain->kind == NODE_FIELD) {
        return alt_may_fail(plain->field.base);
    }
    return false;
}

/* False for what is evaluated only sometimes, and for what differs from one index to the next. */
bool alt_fails_at_ends(const Node *plain) {
    if (!alt_may_fail(plain) || plain->kind == NODE_NAME) {
        return true;
    }
    if (plain->kind == NODE_DYADIC) {
        bool is_lazy = plain->dyadic.op == OPERATOR_AND || plain->dyadic.op == OPERATOR_OR;
        return alt_fails_at_ends(plain->dyadic.left) &&
               (is_lazy ? !alt_may_fail(plain->dyadic.right)
                        : alt_fails_at_ends(plain->dyadic.right));
    }
    if (plain->kind == NODE_MONADIC) {
        return alt_fails_at_ends(plain->monadic.operand);
    }
    if (type_is_mobile(plain->type)) {
        return false;
    }
    if (plain->kind == NODE_SUBSCRIPT) {
        const Node *index = plain->subscript.index;
        return alt_fails_at_ends(plain->subscript.base) &&
               (index->constant != NULL || index->kind == NODE_NAME);
    }
    return plain->kind == NODE_FIELD && alt_fails_at_ends(plain->field.base);
}

bool alt_may_items_fail(const Node *guard) {
    for (size_t i = 0; guard->kind == NODE_OUTPUT && i < guard->output.items.count; i++) {
        const Node *item = guard->output.items.items[i];
        if (item->kind == NODE_COUNTED) {
            return true;
        }
        if (item->kind != NODE_TAG_USE &&
            (alt_may_fail(item) || type_has_open_dimension(item->type))) {
            return true;
        }
    }
    return false;
}
