/* index_quotient -- operators as linear sums: a quotient by a constant is a dimension of its own,
 * which constraints bind to what is divided; a remainder is what was divided less that quotient
 * times the divisor. Bits that an INT loses are a quotient by 2^32. */
#include "index_cases.h"

#include "among.h"

#define INT_VALUES ((int64_t)1 << 32)

/* The dimension for a key; *is_new: nothing binds it yet. Nothing when there are too many. */
static IndexValue auxiliary(IndexQuestion *question, const CasesTerm *key, bool *is_new) {
    Cases *cases = question->cases;
    *is_new = false;
    if (!cases) {
        return NULL; /* dimensions are looked for */
    }
    size_t k = 0;
    while (k < cases->term_count &&
           (cases->terms[k].kind != key->kind || cases->terms[k].by != key->by ||
            cases->terms[k].side != key->side || !index_equal(cases->terms[k].expr, key->expr))) {
        k++;
    }
    *is_new = k == cases->term_count;
    if (question->count + k >= LINEAR_VARIABLES) {
        *is_new = false;
        return NULL;
    }
    if (*is_new) {
        cases->terms[cases->term_count++] = *key;
    }
    LinearRow *row = arena_new(question->arena, LinearRow);
    row->coefficients[question->count + k] = 1;
    return row;
}

static CasesTerm term_of(const IndexQuestion *question, CasesTermKind kind, const IndexExpr *expr,
                         int64_t by, IndexSide side) {
    return (CasesTerm){kind, expr, by, index_is_shared(expr, question->pair) ? SIDE_BOTH : side};
}

/* low <= value <= high */
static void bound(IndexQuestion *question, IndexValue value, int64_t low, int64_t high) {
    question_restrict(question, value, OPERATOR_GREATER_EQUAL, value_number(question, low));
    question_restrict(question, value, OPERATOR_LESS_EQUAL, value_number(question, high));
}

/* ---- quotients ---- */

/* value = quotient * by + rest */
typedef struct Division {
    IndexQuestion *question;
    IndexValue value;
    IndexValue rest;
    int64_t by;
} Division;

/* The rest has the sign of the value. */
static void division_piece(const void *data, int which) {
    const Division *division = data;
    IndexQuestion *question = division->question;
    IndexValue zero = value_number(question, 0);
    if (which == 0) {
        question_restrict(question, division->value, OPERATOR_GREATER_EQUAL, zero);
        bound(question, division->rest, 0, division->by - 1);
    } else {
        question_restrict(question, division->value, OPERATOR_LESS, zero);
        bound(question, division->rest, 1 - division->by, 0);
    }
}

/* What binds a dimension holds whatever case it is met in. */
static CasesConjunction *define(IndexQuestion *question) {
    CasesConjunction *before = question->cases->target;
    question->cases->target = &question->cases->root;
    return before;
}

static IndexValue quotient(IndexQuestion *question, const CasesTerm *key, IndexValue value) {
    bool is_new = false;
    IndexValue result = auxiliary(question, key, &is_new);
    if (!is_new || !value) {
        return result;
    }
    IndexValue product = value_scale(question, result, key->by);
    Division division = {question, value, value_subtract(question, value, product), key->by};
    CasesConjunction *before = define(question);
    if (key->kind == TERM_TRUNCATED && !index_is_natural(key->expr)) {
        if (question->is_linear) {
            bound(question, division.rest, 1 - key->by, key->by - 1);
        }
        question_restrict_pieces(question, division_piece, &division, 2);
    } else {
        bound(question, division.rest, 0, key->by - 1);
    }
    question->cases->target = before;
    return result;
}

/* value - quotient * by */
static IndexValue left_over(IndexQuestion *question, const CasesTerm *key, IndexValue value) {
    IndexValue result = quotient(question, key, value);
    return value_subtract(question, value, value_scale(question, result, key->by));
}

static IndexValue divide(IndexQuestion *question, const IndexExpr *expr, IndexSide side) {
    int64_t by = expr->right->value;
    IndexValue value = question_affine(question, expr->left, side);
    CasesTerm key = term_of(question, TERM_TRUNCATED, expr->left, by < 0 ? -by : by, side);
    if (expr->op == OPERATOR_REMAINDER) {
        return left_over(question, &key, value);
    }
    IndexValue result = quotient(question, &key, value);
    return by < 0 ? value_scale(question, result, -1) : result;
}

/* ---- bits ---- */

/* The INT that is left when higher bits are dropped. */
static IndexValue wrap(IndexQuestion *question, const IndexExpr *expr, IndexSide side,
                       IndexValue value) {
    question->has_wrapped = true;
    CasesTerm key = term_of(question, TERM_WRAPPED, expr, INT_VALUES, side);
    IndexValue half = value_number(question, INT_VALUES / 2);
    return value_subtract(question, left_over(question, &key, value_add(question, value, half)),
                          half);
}

/* Zero bits come in from the left: a negative value counts as the number of its bits. */
static IndexValue shift_right(IndexQuestion *question, const IndexExpr *expr, IndexSide side) {
    question->has_wrapped = true;
    CasesTerm bits = term_of(question, TERM_ROUNDED_DOWN, expr->left, INT_VALUES, side);
    IndexValue value = left_over(question, &bits, question_affine(question, expr->left, side));
    CasesTerm key = term_of(question, TERM_SHIFTED, expr, (int64_t)1 << expr->right->value, side);
    return quotient(question, &key, value);
}

/* ---- the smaller or larger of two ---- */

typedef struct Extreme {
    IndexQuestion *question;
    IndexValue values[2];
    IndexValue result;
} Extreme;

static void extreme_piece(const void *data, int which) {
    const Extreme *extreme = data;
    question_restrict(extreme->question, extreme->result, OPERATOR_EQUAL, extreme->values[which]);
}

static IndexValue extreme(IndexQuestion *question, const IndexExpr *expr, IndexSide side) {
    IndexValue left = question_affine(question, expr->left, side);
    IndexValue right = question_affine(question, expr->right, side);
    CasesTerm key = term_of(question, TERM_EXTREME, expr, 0, side);
    bool is_new = false;
    Extreme data = {question, {left, right}, auxiliary(question, &key, &is_new)};
    if (is_new) {
        Operator op = expr->op == INDEX_SMALLER ? OPERATOR_LESS_EQUAL : OPERATOR_GREATER_EQUAL;
        CasesConjunction *before = define(question);
        question_restrict(question, data.result, op, left);
        question_restrict(question, data.result, op, right);
        question_restrict_pieces(question, extreme_piece, &data, 2);
        question->cases->target = before;
    }
    return data.result;
}

/* ---- all of them ---- */

static IndexValue product(IndexQuestion *question, const IndexExpr *expr, IndexSide side) {
    bool is_left = expr->left->kind == INDEX_CONSTANT;
    int64_t factor = is_left ? expr->left->value : expr->right->value;
    const IndexExpr *other = is_left ? expr->right : expr->left;
    return value_scale(question, question_affine(question, other, side), factor);
}

static IndexValue sum(IndexQuestion *question, const IndexExpr *expr, IndexSide side) {
    bool is_difference = expr->op == OPERATOR_SUBTRACT || expr->op == OPERATOR_MINUS;
    IndexValue left = question_affine(question, expr->left, side);
    IndexValue right = question_affine(question, expr->right, side);
    return is_difference ? value_subtract(question, left, right) : value_add(question, left, right);
}

IndexValue form_operator(IndexQuestion *question, const IndexExpr *expr, IndexSide side) {
    if (AMONG(expr->op, OPERATOR_ADD, OPERATOR_SUBTRACT)) {
        return sum(question, expr, side);
    }
    if (AMONG(expr->op, OPERATOR_PLUS, OPERATOR_MINUS)) {
        return wrap(question, expr, side, sum(question, expr, side));
    }
    if (expr->op == OPERATOR_MULTIPLY) {
        return product(question, expr, side);
    }
    if (expr->op == OPERATOR_TIMES) {
        return wrap(question, expr, side, product(question, expr, side));
    }
    if (AMONG(expr->op, OPERATOR_DIVIDE, OPERATOR_REMAINDER)) {
        return divide(question, expr, side);
    }
    if (AMONG(expr->op, INDEX_SMALLER, INDEX_LARGER)) {
        return extreme(question, expr, side);
    }
    if (expr->op == OPERATOR_SHIFT_RIGHT) {
        return shift_right(question, expr, side);
    }
    IndexValue value = question_affine(question, expr->left, side);
    int64_t by = expr->right->value;
    if (expr->op == OPERATOR_SHIFT_LEFT) {
        return wrap(question, expr, side, value_scale(question, value, (int64_t)1 << by));
    }
    CasesTerm key = term_of(question, TERM_ROUNDED_DOWN, expr->left, by + 1, side); /* a mask */
    return left_over(question, &key, value);
}
