/* index_quick -- pairs of accesses that a look decides: constants apart, subscripts that step past
 * each other, the same part. It is what most pairs need, and allocates nothing. */
#include "usage_index.h"

#include "among.h"

/* ---- between which numbers ---- */

#define BOUND_LIMIT ((int64_t)1 << 31)

static const IndexBounds anywhere = {INT64_MIN, INT64_MAX};

/* Beyond INT nothing is said. */
static IndexBounds bounds(int64_t low, int64_t high) {
    bool is_known = low <= high && low >= -BOUND_LIMIT && high <= BOUND_LIMIT;
    return is_known ? (IndexBounds){low, high} : anywhere;
}

static bool is_anywhere(IndexBounds of) {
    return of.low == INT64_MIN;
}

static IndexBounds product(IndexBounds of, int64_t by) {
    return by < 0 ? bounds(of.high * by, of.low * by) : bounds(of.low * by, of.high * by);
}

/* By a constant. */
static IndexBounds bounds_of_quotient(const IndexExpr *expr, IndexBounds left) {
    int64_t by = expr->right->value;
    if (by <= 0 || by > BOUND_LIMIT) {
        return anywhere;
    }
    if (expr->op == OPERATOR_BITAND) {
        return bounds(0, by);
    }
    if (expr->op == OPERATOR_DIVIDE) {
        return is_anywhere(left) ? anywhere : bounds(left.low / by, left.high / by);
    }
    return bounds(left.low < 0 ? 1 - by : 0, left.high > 0 ? by - 1 : 0);
}

static IndexBounds bounds_of(const IndexExpr *expr, unsigned *fuel);

static IndexBounds bounds_of_operator(const IndexExpr *expr, unsigned *fuel) {
    IndexBounds left = bounds_of(expr->left, fuel);
    bool is_constant = expr->right->kind == INDEX_CONSTANT;
    if (is_constant && (expr->op == OPERATOR_DIVIDE || expr->op == OPERATOR_REMAINDER ||
                        expr->op == OPERATOR_BITAND)) {
        return bounds_of_quotient(expr, left);
    }
    IndexBounds right = is_anywhere(left) ? anywhere : bounds_of(expr->right, fuel);
    if (is_anywhere(right)) {
        return anywhere;
    }
    if (expr->op == OPERATOR_ADD) {
        return bounds(left.low + right.low, left.high + right.high);
    }
    if (expr->op == OPERATOR_SUBTRACT) {
        return bounds(left.low - right.high, left.high - right.low);
    }
    if (expr->op != OPERATOR_MULTIPLY) {
        return anywhere;
    }
    return is_constant                          ? product(left, right.low)
           : expr->left->kind == INDEX_CONSTANT ? product(right, left.low)
                                                : anywhere;
}

/* Counts of loops are sums of other loops, again and again. */
static IndexBounds bounds_of(const IndexExpr *expr, unsigned *fuel) {
    if (*fuel == 0) {
        return anywhere;
    }
    --*fuel;
    switch (expr->kind) {
    case INDEX_CONSTANT: return bounds(expr->value, expr->value);
    case INDEX_LOOP: {
        IndexBounds count = bounds_of(expr->loop->count, fuel);
        return is_anywhere(count) ? anywhere : bounds(0, count.high - 1);
    }
    case INDEX_OPERATOR: return bounds_of_operator(expr, fuel);
    case INDEX_PARAMETER:
    case INDEX_LOOKUP:
    case INDEX_ELEMENT:
    case INDEX_UNKNOWN: return anywhere;
    }
    return anywhere;
}

#define FUEL 100 /* expressions looked at */

IndexBounds index_bounds(const IndexExpr *expr) {
    unsigned fuel = FUEL;
    return bounds_of(expr, &fuel);
}

IndexBounds index_dimension_bounds(const IndexDimension *dimension) {
    if (!dimension->from) {
        return anywhere;
    }
    IndexBounds from = index_bounds(dimension->from);
    IndexBounds length = dimension->length ? index_bounds(dimension->length) : bounds(1, 1);
    if (is_anywhere(from) || is_anywhere(length)) {
        return dimension->within ? index_dimension_bounds(dimension->within) : anywhere;
    }
    return bounds(from.low, from.high + length.high - 1);
}

/* ---- constants apart ---- */

static bool is_number(const IndexExpr *expr) {
    return !expr || expr->kind == INDEX_CONSTANT;
}

static int64_t end_of(const IndexDimension *dimension) {
    return dimension->from->value + (dimension->length ? dimension->length->value : 1);
}

static bool are_constants_apart(const IndexRegion *left, const IndexRegion *right) {
    for (size_t i = 0; i < left->count && i < right->count; i++) {
        const IndexDimension *a = &left->dimensions[i];
        const IndexDimension *b = &right->dimensions[i];
        if (!a->from || !b->from || !is_number(a->from) || !is_number(b->from) ||
            !is_number(a->length) || !is_number(b->length)) {
            continue;
        }
        if (end_of(a) <= b->from->value || end_of(b) <= a->from->value) {
            return true;
        }
    }
    return false;
}

bool index_is_plain(const IndexDimension *left, const IndexDimension *right) {
    return left->from && right->from && !left->length && !right->length && is_number(left->from) &&
           is_number(right->from) && left->from->value == right->from->value;
}

/* ---- subscripts that step past each other: 2 * i and (2 * k) + 1 ---- */

#define TERM_LIMIT  8
#define TERM_FACTOR ((int64_t)1 << 30)

typedef struct Term {
    const IndexExpr *variable; /* a loop, a parameter, or what is no sum: some integer */
    int side;                  /* 2: of both */
    int64_t factor;
} Term;

/* left - right, as a sum. */
typedef struct Difference {
    const IndexPair *pair;
    size_t count;
    int64_t constant;
    Term terms[TERM_LIMIT];
} Difference;

static bool add_term(Difference *sum, const IndexExpr *variable, int side, int64_t factor) {
    int of = index_is_shared(variable, sum->pair) ? 2 : side;
    size_t i = 0;
    while (i < sum->count &&
           (sum->terms[i].side != of || !index_equal(sum->terms[i].variable, variable))) {
        i++;
    }
    if (i == TERM_LIMIT) {
        return false;
    }
    if (i == sum->count) {
        sum->terms[sum->count++] = (Term){variable, of, 0};
    }
    sum->terms[i].factor += factor;
    return true;
}

static bool is_large(int64_t factor) {
    return factor > TERM_FACTOR || factor < -TERM_FACTOR;
}

/* False where there is too much of it. */
static bool add_expr(Difference *sum, const IndexExpr *expr, int side, int64_t factor) {
    if (is_large(factor)) {
        return false;
    }
    if (expr->kind == INDEX_CONSTANT) {
        sum->constant += factor * expr->value;
        return !is_large(expr->value);
    }
    if (expr->kind != INDEX_OPERATOR) {
        return expr->kind != INDEX_UNKNOWN && add_term(sum, expr, side, factor);
    }
    if (AMONG(expr->op, OPERATOR_ADD, OPERATOR_SUBTRACT)) {
        int64_t sign = expr->op == OPERATOR_ADD ? 1 : -1;
        return add_expr(sum, expr->left, side, factor) &&
               add_expr(sum, expr->right, side, sign * factor);
    }
    if (expr->op == OPERATOR_MULTIPLY) {
        bool is_left = expr->left->kind == INDEX_CONSTANT;
        const IndexExpr *by = is_left ? expr->left : expr->right;
        if (by->kind == INDEX_CONSTANT) {
            return !is_large(by->value) &&
                   add_expr(sum, is_left ? expr->right : expr->left, side, factor * by->value);
        }
    }
    return add_term(sum, expr, side, factor);
}

static int64_t common_divisor(const Difference *sum) {
    int64_t divisor = 0;
    for (size_t i = 0; i < sum->count; i++) {
        int64_t other = sum->terms[i].factor;
        other = other < 0 ? -other : other;
        while (other != 0) {
            int64_t rest = divisor % other;
            divisor = other;
            other = rest;
        }
    }
    return divisor;
}

/* No integers make the two equal. */
static bool steps_past(const IndexExpr *left, const IndexExpr *right, const IndexPair *pair) {
    Difference sum;
    sum.pair = pair;
    sum.count = 0;
    sum.constant = 0;
    if (!add_expr(&sum, left, 0, 1) || !add_expr(&sum, right, 1, -1)) {
        return false;
    }
    int64_t divisor = common_divisor(&sum);
    return divisor == 0 ? sum.constant != 0 : sum.constant % divisor != 0;
}

bool index_is_apart(const IndexRegion *left, const IndexRegion *right, const IndexPair *pair) {
    if (are_constants_apart(left, right)) {
        return true;
    }
    for (size_t i = 0; i < left->count && i < right->count; i++) {
        const IndexDimension *a = &left->dimensions[i];
        const IndexDimension *b = &right->dimensions[i];
        if (a->from && b->from && !a->length && !b->length && steps_past(a->from, b->from, pair)) {
            return true;
        }
    }
    return false;
}

/* ---- the same part in every run ---- */

static bool is_positive(const IndexExpr *length) {
    return !length || (length->kind == INDEX_CONSTANT && length->value > 0);
}

/* A loop that may run in one branch and not in another, or never runs. */
static bool has_own_count(const IndexRegion *region, const IndexPair *pair) {
    for (const IndexLoop *loop = region->loops; loop; loop = loop->outer) {
        bool is_idle = loop->count->kind == INDEX_CONSTANT && loop->count->value <= 0;
        if (is_idle || (loop->depth >= pair->shared_depth && !index_is_shared(loop->count, pair))) {
            return true;
        }
    }
    return false;
}

/* Guards that are not constant may keep the access from happening. */
bool index_is_same(const IndexRegion *left, const IndexRegion *right, const IndexPair *pair) {
    size_t count = left->count < right->count ? left->count : right->count;
    for (size_t i = 0; i < count; i++) {
        const IndexDimension *a = &left->dimensions[i];
        const IndexDimension *b = &right->dimensions[i];
        if (!a->from || !b->from) {
            continue;
        }
        if (!index_is_shared(a->from, pair) || !index_equal(a->from, b->from) ||
            !is_positive(a->length) || !is_positive(b->length)) {
            return false;
        }
    }
    return !left->guards && !right->guards && !has_own_count(left, pair) &&
           !has_own_count(right, pair);
}
