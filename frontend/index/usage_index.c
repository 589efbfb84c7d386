/* usage_index -- the test for disjointness: two linear systems, one for each order of the
 * replicated iterations; then, where that proves nothing, iterations one by one. */
#include "usage_index.h"

/* ---- symbolic partition: [x FROM i * m FOR m], m the same everywhere ---- */

/* expr = iteration * factor + rest, factor and rest the same on both sides. */
static const IndexExpr *stride(const IndexExpr *expr, const IndexLoop *loop,
                               const IndexPair *pair) {
    if (expr->kind != INDEX_OPERATOR) {
        return NULL;
    }
    if (expr->op == OPERATOR_ADD || expr->op == OPERATOR_SUBTRACT) {
        if (index_is_shared(expr->right, pair)) {
            return stride(expr->left, loop, pair);
        }
        bool is_sum = expr->op == OPERATOR_ADD && index_is_shared(expr->left, pair);
        return is_sum ? stride(expr->right, loop, pair) : NULL;
    }
    if (expr->op != OPERATOR_MULTIPLY) {
        return NULL;
    }
    bool is_left = expr->left->kind == INDEX_LOOP && expr->left->loop == loop;
    bool is_right = expr->right->kind == INDEX_LOOP && expr->right->loop == loop;
    const IndexExpr *factor = is_left ? expr->right : expr->left;
    return (is_left || is_right) && index_is_shared(factor, pair) ? factor : NULL;
}

static const IndexDimension *segment_of(const IndexDimension *dimension) {
    return dimension->within ? dimension->within : dimension;
}

static bool is_partition(const IndexRegion *left, const IndexRegion *right, const IndexPair *pair) {
    const IndexLoop *loop =
        pair->is_replicated ? index_loop_at(left->loops, pair->shared_depth) : NULL;
    for (size_t i = 0; loop && i < left->count && i < right->count; i++) {
        const IndexDimension *a = segment_of(&left->dimensions[i]);
        const IndexDimension *b = segment_of(&right->dimensions[i]);
        if (!a->from || !b->from || !a->length || !b->length || !index_equal(a->from, b->from) ||
            !index_equal(a->length, b->length)) {
            continue;
        }
        const IndexExpr *factor = stride(a->from, loop, pair);
        if (factor && index_equal(factor, a->length)) {
            return true;
        }
    }
    return false;
}

/* ---- all of it ---- */

#define FEW_ITERATIONS 2000

/* How many there are to look at, at most, in loops of constant count. */
static uint64_t iterations(const IndexRegion *region) {
    uint64_t product = 1;
    for (const IndexLoop *loop = region->loops; loop; loop = loop->outer) {
        if (loop->count->kind == INDEX_CONSTANT && loop->count->value > 0) {
            product *= (uint64_t)loop->count->value;
        }
        product = product > FEW_ITERATIONS ? FEW_ITERATIONS + 1 : product;
    }
    return product;
}

/* Cases are asked before there is much to be looked at one by one. */
static IndexAnswer decide(const IndexRegion *left, const IndexRegion *right, IndexPair *pair) {
    if (index_system_is_empty(left, right, pair, true) &&
        (!pair->is_replicated || index_system_is_empty(left, right, pair, false))) {
        return INDEX_DISJOINT;
    }
    if (is_partition(left, right, pair)) {
        return INDEX_DISJOINT;
    }
    bool is_large = pair->is_thorough && iterations(left) + iterations(right) > FEW_ITERATIONS;
    IndexAnswer answer = is_large ? index_meet_pair(left, right, pair) : INDEX_IS_UNKNOWN;
    if (answer == INDEX_IS_UNKNOWN) {
        answer = index_enumerate_pair(left, right, pair);
    }
    if (!pair->is_thorough || is_large || answer == INDEX_DISJOINT) {
        return answer;
    }
    IndexAnswer proved = index_meet_pair(left, right, pair);
    return proved == INDEX_DISJOINT || answer != INDEX_OVERLAP ? proved : answer;
}

/* ---- conditions on elements of arrays that are not known ---- */

static bool has_element(const IndexGuard *guard) {
    for (; guard; guard = guard->outer) {
        bool is_it = guard->is_choice
                         ? has_element(guard->either) || has_element(guard->other)
                         : index_has_element(guard->left) || index_has_element(guard->right);
        if (is_it) {
            return true;
        }
    }
    return false;
}

static const IndexGuard *without_elements(Arena *arena, const IndexGuard *guard) {
    if (!guard) {
        return NULL;
    }
    IndexGuard *copy = arena_copy(arena, guard, sizeof *guard);
    copy->outer = NULL;
    bool is_left_out = has_element(copy);
    copy->outer = without_elements(arena, guard->outer);
    return is_left_out ? copy->outer : copy;
}

/* Such a condition may keep accesses apart, but that it may fail is no excuse: without it they
 * meet, or it is not known. */
static IndexAnswer decide_without_elements(const IndexRegion *left, const IndexRegion *right,
                                           IndexPair *pair) {
    Arena *arena = arena_create();
    IndexRegion first = *left;
    IndexRegion second = *right;
    first.guards = without_elements(arena, left->guards);
    second.guards = without_elements(arena, right->guards);
    bool is_overlap =
        index_is_same(&first, &second, pair) || decide(&first, &second, pair) == INDEX_OVERLAP;
    arena_destroy(arena);
    return is_overlap ? INDEX_OVERLAP : INDEX_IS_UNKNOWN;
}

/* Another PAR may have more to spend; a case that can be shown is found again. */
static bool is_final(IndexAnswer answer, const IndexPair *pair) {
    bool could_try = pair->is_thorough && *pair->budget > 0;
    return answer == INDEX_DISJOINT ||
           (answer == INDEX_IS_UNKNOWN && could_try && pair->sample.count == 0);
}

IndexAnswer index_compare(const IndexRegion *left, const IndexRegion *right, IndexPair *pair) {
    pair->has_witness = false;
    pair->sample.count = 0;
    if (index_is_apart(left, right, pair)) {
        return INDEX_DISJOINT;
    }
    if (index_is_same(left, right, pair)) {
        return INDEX_OVERLAP;
    }
    IndexKept *kept = pair->memo ? index_memo_find(pair->memo, left, right, pair) : NULL;
    if (kept && kept->is_settled) {
        return kept->answer;
    }
    pair->comparisons++;
    IndexAnswer answer = decide(left, right, pair);
    if (answer == INDEX_IS_UNKNOWN && (has_element(left->guards) || has_element(right->guards))) {
        answer = decide_without_elements(left, right, pair);
    }
    if (kept && is_final(answer, pair)) {
        *kept = (IndexKept){true, answer};
    }
    return answer;
}
