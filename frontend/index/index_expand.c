/* index_expand -- subscripts written out for a second question: products of sums as sums of
 * products, x \ size as x - ((x / size) * size), x \/ y as (x + y) - (x /\ y).
 *
 * Then the same products stand on both sides: w * (q + 1) in one access and w * q in another, or
 * (2 * half) * (k / half) and k \ half in one. The first question keeps rows whole, which
 * index_split.c needs. */
#include "index_question.h"

typedef struct Expander {
    Arena *arena;
    const IndexPair *pair;
    bool has_changed;
} Expander;

static const IndexExpr *make(const Expander *expander, IndexOperator op, const IndexExpr *left,
                             const IndexExpr *right) {
    return index_operator(expander->arena, op, left, right);
}

static bool is_operator(const IndexExpr *expr, Operator op) {
    return expr->kind == INDEX_OPERATOR && expr->op == op;
}

static bool is_constant(const IndexExpr *expr) {
    return expr->kind == INDEX_CONSTANT;
}

static bool is_sum(const IndexExpr *expr) {
    return is_operator(expr, OPERATOR_ADD) || is_operator(expr, OPERATOR_SUBTRACT);
}

/* The constant factor stands on the left. */
static bool is_scaled(const IndexExpr *expr) {
    return is_operator(expr, OPERATOR_MULTIPLY) && is_constant(expr->left);
}

static const IndexExpr *product(Expander *expander, const IndexExpr *left, const IndexExpr *right) {
    if (is_constant(left) || is_constant(right)) {
        return is_constant(right) ? make(expander, OPERATOR_MULTIPLY, right, left)
                                  : make(expander, OPERATOR_MULTIPLY, left, right);
    }
    if (is_sum(left)) {
        expander->has_changed = true;
        return make(expander, left->op, product(expander, left->left, right),
                    product(expander, left->right, right));
    }
    if (is_sum(right)) {
        expander->has_changed = true;
        return make(expander, right->op, product(expander, left, right->left),
                    product(expander, left, right->right));
    }
    if (is_scaled(left)) {
        expander->has_changed = true;
        return product(expander, left->left, product(expander, left->right, right));
    }
    if (is_scaled(right)) {
        expander->has_changed = true;
        return product(expander, right->left, product(expander, left, right->right));
    }
    expander->has_changed = expander->has_changed || is_operator(left, OPERATOR_DIVIDE) ||
                            is_operator(right, OPERATOR_DIVIDE);
    bool is_turned =
        index_is_shared(left, expander->pair) && !index_is_shared(right, expander->pair);
    return is_turned ? make(expander, OPERATOR_MULTIPLY, right, left)
                     : make(expander, OPERATOR_MULTIPLY, left, right);
}

static const IndexExpr *expand(Expander *expander, const IndexExpr *expr) {
    if (expr->kind == INDEX_LOOKUP) {
        return index_lookup(expander->arena, expr->table, expand(expander, expr->left));
    }
    if (expr->kind == INDEX_ELEMENT) {
        return index_element(expander->arena, expand(expander, expr->right),
                             expand(expander, expr->left));
    }
    if (expr->kind != INDEX_OPERATOR) {
        return expr;
    }
    const IndexExpr *left = expand(expander, expr->left);
    const IndexExpr *right = expand(expander, expr->right);
    if (expr->op == OPERATOR_MULTIPLY) {
        return product(expander, left, right);
    }
    if (expr->op == OPERATOR_REMAINDER && !is_constant(right)) {
        expander->has_changed = true;
        const IndexExpr *quotient = make(expander, OPERATOR_DIVIDE, left, right);
        return make(expander, OPERATOR_SUBTRACT, left, product(expander, quotient, right));
    }
    if (expr->op == OPERATOR_DIVIDE && !is_constant(right)) {
        expander->has_changed = true; /* its product with the divisor stands beside it */
    }
    if (expr->op == OPERATOR_BITOR) {
        expander->has_changed = true;
        return make(expander, OPERATOR_SUBTRACT, make(expander, OPERATOR_ADD, left, right),
                    make(expander, OPERATOR_BITAND, left, right));
    }
    return make(expander, expr->op, left, right);
}

/* Where it grows too large it stays what it was. */
static const IndexExpr *expand_or_keep(Expander *expander, const IndexExpr *expr) {
    const IndexExpr *expanded = expr ? expand(expander, expr) : NULL;
    return expanded && expanded->kind != INDEX_UNKNOWN ? expanded : expr;
}

static const IndexGuard *expand_guards(Expander *expander, const IndexGuard *guard) {
    if (!guard) {
        return NULL;
    }
    IndexGuard *copy = arena_copy(expander->arena, guard, sizeof *guard);
    copy->outer = expand_guards(expander, guard->outer);
    if (guard->is_choice) {
        copy->either = expand_guards(expander, guard->either);
        copy->other = expand_guards(expander, guard->other);
    } else {
        copy->left = expand_or_keep(expander, guard->left);
        copy->right = expand_or_keep(expander, guard->right);
    }
    return copy;
}

static const IndexDimension *expand_within(Expander *expander, const IndexDimension *within) {
    if (!within) {
        return NULL;
    }
    IndexDimension *copy = arena_copy(expander->arena, within, sizeof *within);
    copy->from = expand_or_keep(expander, within->from);
    copy->length = expand_or_keep(expander, within->length);
    copy->within = expand_within(expander, within->within);
    return copy;
}

static IndexRegion expand_region(Expander *expander, const IndexRegion *region) {
    IndexRegion copy = *region;
    IndexDimension *dimensions =
        arena_new_array(expander->arena, IndexDimension, region->count + 1);
    for (size_t i = 0; i < region->count; i++) {
        dimensions[i] = *expand_within(expander, &region->dimensions[i]);
    }
    copy.dimensions = dimensions;
    copy.guards = expand_guards(expander, region->guards);
    return copy;
}

/* The counts stay what they are: they are told of as they are written out. */
static void look_at_counts(Expander *expander, const IndexLoop *loop) {
    for (; loop && !expander->has_changed; loop = loop->outer) {
        expand_or_keep(expander, loop->count);
    }
}

bool index_expand_pair(Arena *arena, const IndexPair *pair, IndexRegion *left, IndexRegion *right) {
    Expander expander = {.arena = arena, .pair = pair};
    *left = expand_region(&expander, left);
    *right = expand_region(&expander, right);
    look_at_counts(&expander, left->loops);
    look_at_counts(&expander, right->loops);
    return expander.has_changed;
}

const IndexExpr *index_expand_product(Arena *arena, const IndexPair *pair, const IndexExpr *left,
                                      const IndexExpr *right) {
    Expander expander = {.arena = arena, .pair = pair};
    return product(&expander, left, right);
}

const IndexExpr *index_expand(Arena *arena, const IndexPair *pair, const IndexExpr *expr) {
    Expander expander = {.arena = arena, .pair = pair};
    return expand_or_keep(&expander, expr);
}
