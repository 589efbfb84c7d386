/* usage_index -- do two accesses meet? Answers given before; two linear systems, one for each order
 * of the replicated iterations; linear systems case by case; in the end iterations one by one. */
#include "usage_index.h"

/* ---- all of it ---- */

static IndexAnswer decide(const IndexRegion *left, const IndexRegion *right, IndexPair *pair) {
    if (index_never_meets(left, right, pair)) {
        return INDEX_DISJOINT;
    }
    IndexAnswer answer = pair->is_thorough ? index_meet_pair(left, right, pair) : INDEX_IS_UNKNOWN;
    return answer == INDEX_IS_UNKNOWN ? index_enumerate_pair(left, right, pair) : answer;
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
