/* index_words -- what is known of words of bits with a number that is not known: i << k keeps the
 * order of what loses no bits, BITREVNBITS (i, k) is a permutation of the numbers below 1 << k, and
 * 1 << (k + 1) is twice 1 << k. */
#include "index_question.h"

#define WORD_FACTS 8 /* pairs; each is several pieces */

typedef struct Term {
    size_t value;
    IndexSide side;
    const IndexExpr *expr;
} Term;

typedef struct WordFact {
    IndexQuestion *question;
    Term a;
    Term b;
    const IndexExpr *power; /* 1 << k */
    const IndexExpr *count; /* whole >> k; or NULL */
    int64_t doubled;        /* how often: of two powers */
} WordFact;

static IndexValue value_of(const WordFact *fact, const Term *term) {
    return value_dimension(fact->question, term->value);
}

static IndexValue left_of(const WordFact *fact, const Term *term) {
    return question_affine(fact->question, term->expr->left, term->side);
}

static IndexValue shared(const WordFact *fact, const IndexExpr *expr) {
    return question_affine(fact->question, expr, SIDE_BOTH);
}

static void compare_number(const WordFact *fact, IndexValue value, Operator op, int64_t number) {
    question_restrict(fact->question, value, op, value_number(fact->question, number));
}

/* ---- the operand is not one of 0 .. limit - 1 ---- */

static void outside(const WordFact *fact, const Term *term, const IndexExpr *limit, bool is_below) {
    if (is_below) {
        compare_number(fact, left_of(fact, term), OPERATOR_LESS, 0);
    } else {
        question_restrict(fact->question, left_of(fact, term), OPERATOR_GREATER_EQUAL,
                          shared(fact, limit));
    }
}

/* One of the last four pieces of a fact. */
static void outside_piece(const WordFact *fact, const IndexExpr *limit, int which) {
    outside(fact, which < 2 ? &fact->a : &fact->b, limit, which % 2 == 0);
}

/* ---- BITREVNBITS ---- */

static void reversed_pair(const void *data, int which) {
    const WordFact *fact = data;
    if (which > 1) {
        outside_piece(fact, fact->power, which - 2);
        return;
    }
    Operator op = which == 0 ? OPERATOR_EQUAL : OPERATOR_NOT_EQUAL;
    question_restrict(fact->question, left_of(fact, &fact->a), op, left_of(fact, &fact->b));
    question_restrict(fact->question, value_of(fact, &fact->a), op, value_of(fact, &fact->b));
}

/* Twice is not at all. */
static void reversed_partner(const void *data, int which) {
    const WordFact *fact = data;
    if (which > 1) {
        outside_piece(fact, fact->power, which - 2);
        return;
    }
    Operator op = which == 0 ? OPERATOR_EQUAL : OPERATOR_NOT_EQUAL;
    question_restrict(fact->question, left_of(fact, &fact->a), op, value_of(fact, &fact->b));
    question_restrict(fact->question, value_of(fact, &fact->a), op, left_of(fact, &fact->b));
}

/* ---- shifts to the left, of numbers below whole >> k: none loses a bit ---- */

static void shifted_grows(const WordFact *fact, const Term *less, const Term *more) {
    IndexQuestion *question = fact->question;
    compare_number(fact, shared(fact, fact->power), OPERATOR_GREATER, 0);
    question_restrict(question, left_of(fact, less), OPERATOR_LESS, left_of(fact, more));
    question_restrict(question,
                      value_add(question, value_of(fact, less), shared(fact, fact->power)),
                      OPERATOR_LESS_EQUAL, value_of(fact, more));
}

static void shifted_pair(const void *data, int which) {
    const WordFact *fact = data;
    switch (which) {
    case 0:
        question_restrict(fact->question, left_of(fact, &fact->a), OPERATOR_EQUAL,
                          left_of(fact, &fact->b));
        question_restrict(fact->question, value_of(fact, &fact->a), OPERATOR_EQUAL,
                          value_of(fact, &fact->b));
        return;
    case 1: shifted_grows(fact, &fact->a, &fact->b); return;
    case 2: shifted_grows(fact, &fact->b, &fact->a); return;
    case 7: compare_number(fact, shared(fact, fact->count->left), OPERATOR_LESS, 0); return;
    default: outside_piece(fact, fact->count, which - 3); return;
    }
}

/* ---- 1 << (k + 1) beside 1 << k: twice as much, or it has lost the bit ---- */

static void doubled_piece(const void *data, int which) {
    const WordFact *fact = data;
    int64_t limit = (int64_t)1 << (30 - fact->doubled);
    compare_number(fact, value_of(fact, &fact->a),
                   which == 2 ? OPERATOR_LESS_EQUAL : OPERATOR_GREATER, which == 1 ? limit : 0);
    if (which == 0) {
        compare_number(fact, value_of(fact, &fact->a), OPERATOR_LESS_EQUAL, limit);
        question_restrict(
            fact->question, value_of(fact, &fact->b), OPERATOR_EQUAL,
            value_scale(fact->question, value_of(fact, &fact->a), (int64_t)1 << fact->doubled));
    } else if (which == 1) {
        compare_number(fact, value_of(fact, &fact->b), OPERATOR_LESS_EQUAL, 0);
    }
}

/* ---- which of the dimensions ---- */

static const IndexExpr *term_of(const IndexQuestion *question, size_t variable, IndexOperator op) {
    const IndexExpr *expr =
        question->variables[variable].loop ? NULL : question->variables[variable].parameter;
    bool is_it = expr && expr->kind == INDEX_OPERATOR && expr->op == op &&
                 index_is_shared(expr->right, question->pair);
    return is_it ? expr : NULL;
}

static const IndexExpr *find_count(const IndexQuestion *question, const IndexExpr *by) {
    for (size_t i = 0; i < question->count; i++) {
        const IndexExpr *expr = term_of(question, i, OPERATOR_SHIFT_RIGHT);
        if (expr && index_equal(expr->right, by) && index_is_shared(expr, question->pair)) {
            return expr;
        }
    }
    return NULL;
}

/* While dimensions are looked for this finds them, and nothing is there. */
static bool are_there(const WordFact *fact) {
    bool has_left = left_of(fact, &fact->a) != NULL;
    bool has_right = left_of(fact, &fact->b) != NULL;
    bool has_power = shared(fact, fact->power) != NULL;
    bool has_whole = !fact->count || shared(fact, fact->count->left);
    bool has_count = !fact->count || shared(fact, fact->count);
    return has_left && has_right && has_power && has_whole && has_count;
}

static bool is_power(const IndexExpr *expr) {
    return expr->left->kind == INDEX_CONSTANT && expr->left->value == 1;
}

/* Of two powers. */
static void restrict_powers(WordFact *fact) {
    int64_t a = 0;
    int64_t b = 0;
    const IndexExpr *first = index_take_offset(fact->a.expr->right, &a);
    const IndexExpr *second = index_take_offset(fact->b.expr->right, &b);
    if (!index_equal(first, second) || a == b || b - a > 8 || a - b > 8) {
        return;
    }
    if (a > b) {
        Term more = fact->a;
        fact->a = fact->b;
        fact->b = more;
    }
    fact->doubled = a > b ? a - b : b - a;
    if (value_of(fact, &fact->a)) {
        question_restrict_pieces(fact->question, doubled_piece, fact, 3);
    }
}

static void restrict_pair(WordFact *fact) {
    IndexQuestion *question = fact->question;
    const IndexExpr *by = fact->a.expr->right;
    bool is_shift = fact->a.expr->op == OPERATOR_SHIFT_LEFT;
    if (is_shift && is_power(fact->a.expr) && is_power(fact->b.expr)) {
        restrict_powers(fact);
        return;
    }
    if (!index_equal(by, fact->b.expr->right)) {
        return;
    }
    fact->count = is_shift ? find_count(question, by) : NULL;
    fact->power = index_operator(question->arena, OPERATOR_SHIFT_LEFT,
                                 index_constant(question->arena, 1), by);
    if (fact->power->kind == INDEX_UNKNOWN || !are_there(fact)) {
        return;
    }
    if (!is_shift) {
        question_restrict_pieces(question, reversed_pair, fact, 6);
        question_restrict_pieces(question, reversed_partner, fact, 6);
    } else if (fact->count) {
        question_restrict_pieces(question, shifted_pair, fact, fact->count->left->is_size ? 7 : 8);
    }
}

static void restrict_all(IndexQuestion *question, IndexOperator op) {
    unsigned facts = 0;
    for (size_t i = 0; i < question->count; i++) {
        WordFact fact = {.question = question};
        fact.a = (Term){i, question->variables[i].side, term_of(question, i, op)};
        for (size_t k = i + 1; fact.a.expr && k < question->count && facts < WORD_FACTS; k++) {
            WordFact two = fact;
            two.b = (Term){k, question->variables[k].side, term_of(question, k, op)};
            if (two.b.expr) {
                restrict_pair(&two);
                facts++;
            }
        }
    }
}

void question_restrict_words(IndexQuestion *question) {
    bool was_in_count = question->is_in_count;
    question->is_in_count = true; /* adds nothing that was not counted */
    restrict_all(question, INDEX_REVERSED);
    restrict_all(question, OPERATOR_SHIFT_LEFT);
    question->is_in_count = was_in_count;
}
