/* index_product -- what is known of products, quotients and exclusive ORs with a number that is
 * the same for both accesses, but not known: w * size, (w * n) / workers, i >< half.
 *
 * Such an expression is some number. Two of them with the same right operand keep the order
 * of their left ones, or are equal together: so blocks of unknown size, and partners in a
 * butterfly, are told apart. */
#include "index_question.h"

#define FACT_LIMIT  10 /* pairs; each may double the pieces of the set */
#define ALONE_LIMIT 3  /* products by one number that are compared with 0 too */

/* `value` = left op `by` */
typedef struct Term {
    size_t value;
    IndexSide side;
    const IndexExpr *left;
} Term;

typedef struct Fact {
    IndexQuestion *question;
    const IndexExpr *by;
    Term a;
    Term b;
} Fact;

static IndexValue left_of(const Fact *fact, const Term *term) {
    return question_affine(fact->question, term->left, term->side);
}

static IndexValue value_of(const Fact *fact, const Term *term) {
    return value_dimension(fact->question, term->value);
}

static IndexValue size_of(const Fact *fact) {
    return question_affine(fact->question, fact->by, SIDE_BOTH);
}

/* size op 0 */
static void restrict_size(const Fact *fact, Operator op) {
    question_restrict(fact->question, size_of(fact), op, value_number(fact->question, 0));
}

/* ---- products ---- */

/* By `steps` at least on the left: as many sizes at least. */
static void product_grows(const Fact *fact, const Term *less, const Term *more, int64_t steps) {
    IndexQuestion *question = fact->question;
    restrict_size(fact, OPERATOR_GREATER);
    question_restrict(question,
                      value_add(question, left_of(fact, less), value_number(question, steps)),
                      OPERATOR_LESS_EQUAL, left_of(fact, more));
    question_restrict(
        question,
        value_add(question, value_of(fact, less), value_scale(question, size_of(fact), steps)),
        OPERATOR_LESS_EQUAL, value_of(fact, more));
}

static void product_falls(const Fact *fact, const Term *less, const Term *more, int64_t steps) {
    IndexQuestion *question = fact->question;
    restrict_size(fact, question->is_expanded ? OPERATOR_LESS : OPERATOR_LESS_EQUAL);
    question_restrict(question,
                      value_add(question, left_of(fact, less), value_number(question, steps)),
                      OPERATOR_LESS_EQUAL, left_of(fact, more));
    question_restrict(
        question, value_of(fact, more), OPERATOR_LESS_EQUAL,
        value_add(question, value_of(fact, less), value_scale(question, size_of(fact), steps)));
}

/* By one: the size, whatever its sign. */
static void product_steps(const Fact *fact, const Term *less, const Term *more) {
    IndexQuestion *question = fact->question;
    question_restrict(question, left_of(fact, more), OPERATOR_EQUAL,
                      value_add(question, left_of(fact, less), value_number(question, 1)));
    question_restrict(question, value_of(fact, more), OPERATOR_EQUAL,
                      value_add(question, value_of(fact, less), size_of(fact)));
}

static void product_is_zero(const Fact *fact, const Term *term) {
    question_restrict(fact->question, value_of(fact, term), OPERATOR_EQUAL,
                      value_number(fact->question, 0));
}

/* The last pieces only where products are few, because they are written out. */
static void product_pair(const void *data, int which) {
    const Fact *fact = data;
    IndexQuestion *question = fact->question;
    int64_t steps = question->is_expanded ? 2 : 1;
    switch (which) {
    case 0:
        question_restrict(question, left_of(fact, &fact->a), OPERATOR_EQUAL,
                          left_of(fact, &fact->b));
        question_restrict(question, value_of(fact, &fact->a), OPERATOR_EQUAL,
                          value_of(fact, &fact->b));
        return;
    case 1: product_grows(fact, &fact->a, &fact->b, steps); return;
    case 2: product_grows(fact, &fact->b, &fact->a, steps); return;
    case 3: product_falls(fact, &fact->a, &fact->b, steps); return;
    case 4: product_falls(fact, &fact->b, &fact->a, steps); return;
    case 5:
        restrict_size(fact, OPERATOR_EQUAL);
        product_is_zero(fact, &fact->a);
        product_is_zero(fact, &fact->b);
        return;
    case 6: product_steps(fact, &fact->a, &fact->b); return;
    case 7: product_steps(fact, &fact->b, &fact->a); return;
    }
}

/* Beside 0 * size. */
static void product_alone(const void *data, int which) {
    const Fact *fact = data;
    IndexQuestion *question = fact->question;
    switch (which) {
    case 0:
        question_restrict(question, left_of(fact, &fact->a), OPERATOR_EQUAL,
                          value_number(question, 0));
        question_restrict(question, value_of(fact, &fact->a), OPERATOR_EQUAL,
                          value_number(question, 0));
        return;
    case 1:
        restrict_size(fact, OPERATOR_GREATER);
        question_restrict(question, left_of(fact, &fact->a), OPERATOR_GREATER,
                          value_number(question, 0));
        question_restrict(question, value_of(fact, &fact->a), OPERATOR_GREATER_EQUAL,
                          size_of(fact));
        return;
    case 2:
        question_restrict(question, left_of(fact, &fact->a), OPERATOR_LESS,
                          value_number(question, 0));
        return;
    case 3:
        restrict_size(fact, OPERATOR_LESS_EQUAL);
        question_restrict(question, left_of(fact, &fact->a), OPERATOR_GREATER,
                          value_number(question, 0));
        return;
    }
}

/* Of a left operand between constants. */
static void product_bounded(const void *data, int which) {
    const Fact *fact = data;
    IndexQuestion *question = fact->question;
    IndexBounds bounds = index_bounds(fact->a.left);
    int64_t least = which == 0 ? bounds.low : bounds.high;
    int64_t most = which == 0 ? bounds.high : bounds.low;
    restrict_size(fact, which == 0 ? OPERATOR_GREATER_EQUAL : OPERATOR_LESS);
    question_restrict(question, value_of(fact, &fact->a), OPERATOR_GREATER_EQUAL,
                      value_scale(question, size_of(fact), least));
    question_restrict(question, value_of(fact, &fact->a), OPERATOR_LESS_EQUAL,
                      value_scale(question, size_of(fact), most));
}

/* ---- quotients: in order when divided by a positive number ---- */

static void quotient_pair(const void *data, int which) {
    const Fact *fact = data;
    const Term *less = which == 1 ? &fact->b : &fact->a;
    const Term *more = which == 1 ? &fact->a : &fact->b;
    switch (which) {
    case 0:
    case 1:
        restrict_size(fact, OPERATOR_GREATER);
        question_restrict(fact->question, left_of(fact, less), OPERATOR_LESS, left_of(fact, more));
        question_restrict(fact->question, value_of(fact, less), OPERATOR_LESS_EQUAL,
                          value_of(fact, more));
        return;
    case 2:
        question_restrict(fact->question, left_of(fact, less), OPERATOR_EQUAL, left_of(fact, more));
        question_restrict(fact->question, value_of(fact, less), OPERATOR_EQUAL,
                          value_of(fact, more));
        return;
    case 3:
        restrict_size(fact, OPERATOR_LESS_EQUAL);
        question_restrict(fact->question, left_of(fact, less), OPERATOR_NOT_EQUAL,
                          left_of(fact, more));
        return;
    }
}

/* ---- quotient and remainder together are the number ---- */

typedef struct Whole {
    Fact quotients;
    size_t remainders[2];
} Whole;

static void whole_piece(const void *data, int which) {
    const Whole *whole = data;
    const Fact *fact = &whole->quotients;
    IndexQuestion *question = fact->question;
    switch (which) {
    case 0: restrict_size(fact, OPERATOR_EQUAL); return; /* it may not have been divided */
    case 1:
        question_restrict(question, value_of(fact, &fact->a), OPERATOR_NOT_EQUAL,
                          value_of(fact, &fact->b));
        return;
    case 2:
        question_restrict(question, value_dimension(question, whole->remainders[0]),
                          OPERATOR_NOT_EQUAL, value_dimension(question, whole->remainders[1]));
        return;
    case 3:
        question_restrict(question, left_of(fact, &fact->a), OPERATOR_EQUAL,
                          left_of(fact, &fact->b));
        return;
    }
}

/* The dimension of left \ by, where there is a quotient of the same; SIZE_MAX: there is none. */
static size_t remainder_beside(const IndexQuestion *question, const Term *quotient,
                               const IndexExpr *by) {
    for (size_t i = 0; i < question->count; i++) {
        const IndexSampleValue *variable = &question->variables[i];
        const IndexExpr *expr = variable->loop ? NULL : variable->parameter;
        if (expr && expr->kind == INDEX_OPERATOR && expr->op == OPERATOR_REMAINDER &&
            variable->side == quotient->side && index_equal(expr->right, by) &&
            index_equal(expr->left, quotient->left)) {
            return i;
        }
    }
    return SIZE_MAX;
}

static void restrict_whole(const Fact *quotients) {
    Whole whole = {*quotients,
                   {remainder_beside(quotients->question, &quotients->a, quotients->by),
                    remainder_beside(quotients->question, &quotients->b, quotients->by)}};
    if (whole.remainders[0] != SIZE_MAX && whole.remainders[1] != SIZE_MAX) {
        question_restrict_pieces(quotients->question, whole_piece, &whole, 4);
    }
}

/* ---- exclusive ORs: a = b >< by where b = a >< by ---- */

static void exclusive_equal(const void *data, int which) {
    const Fact *fact = data;
    Operator op = which == 0 ? OPERATOR_EQUAL : OPERATOR_NOT_EQUAL;
    question_restrict(fact->question, left_of(fact, &fact->a), op, left_of(fact, &fact->b));
    question_restrict(fact->question, value_of(fact, &fact->a), op, value_of(fact, &fact->b));
}

static void exclusive_partner(const void *data, int which) {
    const Fact *fact = data;
    Operator op = which == 0 ? OPERATOR_EQUAL : OPERATOR_NOT_EQUAL;
    question_restrict(fact->question, left_of(fact, &fact->a), op, value_of(fact, &fact->b));
    question_restrict(fact->question, value_of(fact, &fact->a), op, left_of(fact, &fact->b));
}

/* ---- which of the dimensions ---- */

/* left op by: the operands as the facts want them, left NULL when this is none of them */
typedef struct Operands {
    const IndexExpr *left;
    const IndexExpr *by;
} Operands;

/* size * i is i * size. A product that is the same for both accesses may be turned: nx * ny stands
 * beside y * nx as ny * nx. */
static Operands operands_of(const IndexQuestion *question, size_t variable, Operator op,
                            bool is_turned) {
    const IndexExpr *expr =
        question->variables[variable].loop ? NULL : question->variables[variable].parameter;
    bool is_it = expr && expr->kind == INDEX_OPERATOR && expr->op == op &&
                 expr->right->kind != INDEX_UNKNOWN && expr->left->kind != INDEX_UNKNOWN;
    bool is_by_right = is_it && index_is_shared(expr->right, question->pair);
    bool is_by_left =
        is_it && op == OPERATOR_MULTIPLY && index_is_shared(expr->left, question->pair);
    if (is_by_right && !is_turned) {
        return (Operands){expr->left, expr->right};
    }
    return is_by_left && is_by_right == is_turned ? (Operands){expr->right, expr->left}
                                                  : (Operands){NULL, NULL};
}

static bool are_there(const Fact *fact) {
    bool was_in_count = fact->question->is_in_count;
    fact->question->is_in_count = true; /* adds nothing that was not counted */
    IndexValue parts[] = {left_of(fact, &fact->a), left_of(fact, &fact->b), size_of(fact)};
    bool is_complete = parts[0] && parts[1] && parts[2];
    fact->question->is_in_count = was_in_count;
    return is_complete;
}

static void restrict_pair(const Fact *fact, Operator op, bool is_alone) {
    if (!are_there(fact)) {
        return; /* while dimensions are looked for */
    }
    bool was_in_count = fact->question->is_in_count;
    fact->question->is_in_count = true;
    if (op == OPERATOR_MULTIPLY) {
        question_restrict_pieces(fact->question, is_alone ? product_alone : product_pair, fact,
                                 is_alone                      ? 4
                                 : fact->question->is_expanded ? 8
                                                               : 5);
    } else if (op == OPERATOR_DIVIDE) {
        question_restrict_pieces(fact->question, quotient_pair, fact, 4);
        restrict_whole(fact);
    } else {
        question_restrict_pieces(fact->question, exclusive_equal, fact, 2);
        question_restrict_pieces(fact->question, exclusive_partner, fact, 2);
    }
    fact->question->is_in_count = was_in_count;
}

static size_t count_by(const IndexQuestion *question, Operator op, const IndexExpr *by) {
    size_t count = 0;
    for (size_t i = 0; i < question->count; i++) {
        Operands operands = operands_of(question, i, op, false);
        count += operands.left && index_equal(operands.by, by);
    }
    return count;
}

/* The two by the same number; one of them may have to be turned. */
static bool find_fact(IndexQuestion *question, Operator op, size_t i, size_t k, Fact *fact) {
    for (int turned = 0; turned < (i == k ? 1 : 3); turned++) {
        Operands a = operands_of(question, i, op, turned == 1);
        Operands b = operands_of(question, k, op, turned == 2);
        if (a.left && b.left && index_equal(a.by, b.by)) {
            fact->question = question;
            fact->by = a.by;
            fact->a = (Term){i, question->variables[i].side, a.left};
            fact->b = (Term){k, question->variables[k].side, b.left};
            return true;
        }
    }
    return false;
}

#define BOUNDED_LIMIT 1000

static void restrict_bounded(IndexQuestion *question, size_t variable, const Operands *operands) {
    IndexBounds bounds = index_bounds(operands->left);
    Fact fact = {question,
                 operands->by,
                 {variable, question->variables[variable].side, operands->left},
                 {0}};
    fact.b = fact.a;
    if (bounds.low > -BOUNDED_LIMIT && bounds.high < BOUNDED_LIMIT && are_there(&fact)) {
        bool was_in_count = question->is_in_count;
        question->is_in_count = true;
        question_restrict_pieces(question, product_bounded, &fact, 2);
        question->is_in_count = was_in_count;
    }
}

static void restrict_all(IndexQuestion *question, Operator op) {
    unsigned facts = 0;
    for (size_t i = 0; i < question->count; i++) {
        Operands first = operands_of(question, i, op, false);
        if (!first.left) {
            continue;
        }
        if (op == OPERATOR_MULTIPLY) {
            restrict_bounded(question, i, &first);
        }
        bool is_alone = op == OPERATOR_MULTIPLY && count_by(question, op, first.by) <= ALONE_LIMIT;
        for (size_t k = is_alone ? i : i + 1; k < question->count && facts < FACT_LIMIT; k++) {
            Fact fact;
            if (find_fact(question, op, i, k, &fact)) {
                restrict_pair(&fact, op, k == i);
                facts++;
            }
        }
    }
}

void question_restrict_facts(IndexQuestion *question) {
    restrict_all(question, OPERATOR_BITXOR);
    restrict_all(question, OPERATOR_DIVIDE); /* of products: those are found here */
    restrict_all(question, OPERATOR_MULTIPLY);
}
