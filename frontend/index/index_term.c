/* index_term -- what is known of each term that stands for some number, and of two of
 * them: a quotient and the product with its divisor, squares, elements of constant tables, and that
 * an operator gives the same for the same operands. Products and quotients by one number that both
 * sides know are in index_product.c. */
#include "index_question.h"

#define TERM_FACTS 10 /* pairs; each may double the pieces of the set */

typedef struct Term {
    size_t value;
    IndexSide side;
    const IndexExpr *expr;
} Term;

/* One term; or two, of the same operator or table. */
typedef struct TermFact {
    IndexQuestion *question;
    Term a;
    Term b;
    const IndexExpr *product; /* QUOTIENT: with the divisor */
    IndexTable table;
} TermFact;

static IndexValue value_of(const TermFact *fact, const Term *term) {
    return value_dimension(fact->question, term->value);
}

static IndexValue left_of(const TermFact *fact, const Term *term) {
    return question_affine(fact->question, term->expr->left, term->side);
}

static IndexValue right_of(const TermFact *fact, const Term *term) {
    return question_affine(fact->question, term->expr->right, term->side);
}

static void compare_left(const TermFact *fact, Operator op) {
    question_restrict(fact->question, left_of(fact, &fact->a), op, left_of(fact, &fact->b));
}

static void compare_right(const TermFact *fact, Operator op) {
    question_restrict(fact->question, right_of(fact, &fact->a), op, right_of(fact, &fact->b));
}

static void compare_value(const TermFact *fact, Operator op) {
    question_restrict(fact->question, value_of(fact, &fact->a), op, value_of(fact, &fact->b));
}

static void compare_number(const TermFact *fact, IndexValue left, Operator op, int64_t number) {
    question_restrict(fact->question, left, op, value_number(fact->question, number));
}

/* ---- x / size, and the product (x / size) * size: what is left over is less than the size ---- */

static IndexValue left_over(const TermFact *fact) {
    return value_subtract(fact->question, left_of(fact, &fact->a),
                          question_affine(fact->question, fact->product, fact->a.side));
}

static void quotient_piece(const void *data, int which) {
    const TermFact *fact = data;
    bool is_size_positive = which == 1 || which == 2;
    bool is_natural = which == 1 || which == 3;
    if (which == 0) { /* it may not have been divided */
        compare_number(fact, right_of(fact, &fact->a), OPERATOR_EQUAL, 0);
        return;
    }
    compare_number(fact, right_of(fact, &fact->a),
                   is_size_positive ? OPERATOR_GREATER : OPERATOR_LESS, 0);
    compare_number(fact, left_of(fact, &fact->a),
                   is_natural ? OPERATOR_GREATER_EQUAL : OPERATOR_LESS, 0);
    compare_number(fact, left_over(fact), is_natural ? OPERATOR_GREATER_EQUAL : OPERATOR_LESS_EQUAL,
                   0);
    IndexValue size = right_of(fact, &fact->a);
    if (is_size_positive != is_natural) {
        size = value_scale(fact->question, size, -1);
    }
    question_restrict(fact->question, left_over(fact),
                      is_natural ? OPERATOR_LESS : OPERATOR_GREATER, size);
}

/* ---- x * x ---- */

/* (y * y) - (x * x) is (y - x) * (y + x), at least y + x. */
static void square_grows(const TermFact *fact, const Term *less, const Term *more) {
    compare_number(fact, left_of(fact, less), OPERATOR_GREATER_EQUAL, 0);
    question_restrict(fact->question, left_of(fact, less), OPERATOR_LESS, left_of(fact, more));
    IndexValue sum = value_add(fact->question, left_of(fact, less), left_of(fact, more));
    question_restrict(fact->question, value_add(fact->question, value_of(fact, less), sum),
                      OPERATOR_LESS_EQUAL, value_of(fact, more));
}

static void square_piece(const void *data, int which) {
    const TermFact *fact = data;
    switch (which) {
    case 0:
        compare_left(fact, OPERATOR_EQUAL);
        compare_value(fact, OPERATOR_EQUAL);
        return;
    case 1: square_grows(fact, &fact->a, &fact->b); return;
    case 2: square_grows(fact, &fact->b, &fact->a); return;
    case 3: compare_number(fact, left_of(fact, &fact->a), OPERATOR_LESS, 0); return;
    case 4: compare_number(fact, left_of(fact, &fact->b), OPERATOR_LESS, 0); return;
    }
}

/* A square of integers is at least as large as the number and its negative. */
static void restrict_square(const TermFact *fact) {
    question_restrict(fact->question, value_of(fact, &fact->a), OPERATOR_GREATER_EQUAL,
                      left_of(fact, &fact->a));
    question_restrict(fact->question, value_of(fact, &fact->a), OPERATOR_GREATER_EQUAL,
                      value_scale(fact->question, left_of(fact, &fact->a), -1));
}

/* ---- elements of tables ---- */

static void table_piece(const void *data, int which) {
    const TermFact *fact = data;
    static const Operator orders[] = {OPERATOR_EQUAL, OPERATOR_LESS, OPERATOR_GREATER};
    Operator op = orders[which];
    compare_left(fact, op);
    if (which == 0) {
        compare_value(fact, op);
    } else if (fact->table.rises) {
        bool is_strict = fact->table.is_distinct;
        Operator weak = op == OPERATOR_LESS ? OPERATOR_LESS_EQUAL : OPERATOR_GREATER_EQUAL;
        compare_value(fact, is_strict ? op : weak);
    } else if (fact->table.is_distinct) {
        compare_value(fact, OPERATOR_NOT_EQUAL);
    }
}

/* A table that is not looked into, on another way, may have any subscript. */
static void element_piece(const void *data, int which) {
    const TermFact *fact = data;
    IndexValue at = left_of(fact, &fact->a);
    switch (which) {
    case 0: compare_number(fact, at, OPERATOR_LESS, 0); return;
    case 1: compare_number(fact, at, OPERATOR_GREATER_EQUAL, fact->table.count); return;
    case 2:
        compare_number(fact, at, OPERATOR_GREATER_EQUAL, 0);
        compare_number(fact, left_of(fact, &fact->a), OPERATOR_LESS, fact->table.count);
        compare_number(fact, value_of(fact, &fact->a), OPERATOR_GREATER_EQUAL, fact->table.least);
        compare_number(fact, value_of(fact, &fact->a), OPERATOR_LESS_EQUAL, fact->table.greatest);
        return;
    }
}

/* ---- elements of an array that is not known: the same where all subscripts are ---- */

static IndexValue subscript_of(const TermFact *fact, const Term *term, int depth) {
    const IndexExpr *expr = term->expr;
    for (; depth > 0; depth--) {
        expr = expr->right;
    }
    return question_affine(fact->question, expr->left, term->side);
}

static void unknown_element_piece(const void *data, int which) {
    const TermFact *fact = data;
    int depth = 0;
    for (const IndexExpr *at = fact->a.expr; at->kind == INDEX_ELEMENT; at = at->right, depth++) {
        if (which == 0 || which == depth + 1) {
            question_restrict(fact->question, subscript_of(fact, &fact->a, depth),
                              which == 0 ? OPERATOR_EQUAL : OPERATOR_NOT_EQUAL,
                              subscript_of(fact, &fact->b, depth));
        }
    }
    if (which == 0) {
        compare_value(fact, OPERATOR_EQUAL);
    }
}

/* How many subscripts choose both; 0 when they are of different arrays, or of one that each side
 * has for itself. */
static int common_depth(const TermFact *fact) {
    const IndexExpr *a = fact->a.expr;
    const IndexExpr *b = fact->b.expr;
    int depth = 0;
    while (a->kind == INDEX_ELEMENT && b->kind == INDEX_ELEMENT) {
        a = a->right;
        b = b->right;
        depth++;
    }
    bool is_one = fact->a.side == fact->b.side || index_is_shared(a, fact->question->pair);
    return is_one && index_equal(a, b) ? depth : 0;
}

/* ---- x /\ y ---- */

/* Not more than an operand that is not negative. A value is used up where it is used, so the
 * operand is made anew. */
static void bits_of_operand(const TermFact *fact, int which,
                            IndexValue (*operand)(const TermFact *fact, const Term *term)) {
    compare_number(fact, operand(fact, &fact->a),
                   which == 0 ? OPERATOR_LESS : OPERATOR_GREATER_EQUAL, 0);
    if (which == 1) {
        compare_number(fact, value_of(fact, &fact->a), OPERATOR_GREATER_EQUAL, 0);
        question_restrict(fact->question, value_of(fact, &fact->a), OPERATOR_LESS_EQUAL,
                          operand(fact, &fact->a));
    }
}

static void bits_of_left(const void *data, int which) {
    bits_of_operand(data, which, left_of);
}

static void bits_of_right(const void *data, int which) {
    bits_of_operand(data, which, right_of);
}

/* (x + y) - (x /\ y) is x \/ y: what is that has all bits of y. */
static void bits_joined(const TermFact *fact, const Term *term, const Term *joined, int which) {
    IndexValue sum = value_add(fact->question, left_of(fact, term), right_of(fact, term));
    sum = value_subtract(fact->question, sum, value_of(fact, term));
    question_restrict(fact->question, left_of(fact, joined),
                      which == 0 ? OPERATOR_NOT_EQUAL : OPERATOR_EQUAL, sum);
    if (which == 1) {
        question_restrict(fact->question, value_of(fact, joined), OPERATOR_EQUAL,
                          right_of(fact, joined));
    }
}

static void bits_first_joined(const void *data, int which) {
    const TermFact *fact = data;
    bits_joined(fact, &fact->b, &fact->a, which);
}

static void bits_second_joined(const void *data, int which) {
    const TermFact *fact = data;
    bits_joined(fact, &fact->a, &fact->b, which);
}

/* ---- any other operator ---- */

static void operator_piece(const void *data, int which) {
    const TermFact *fact = data;
    switch (which) {
    case 0:
        compare_left(fact, OPERATOR_EQUAL);
        compare_right(fact, OPERATOR_EQUAL);
        compare_value(fact, OPERATOR_EQUAL);
        return;
    case 1: compare_right(fact, OPERATOR_NOT_EQUAL); return;
    case 2:
        compare_right(fact, OPERATOR_EQUAL);
        compare_left(fact, OPERATOR_NOT_EQUAL);
        if (fact->a.expr->op == OPERATOR_BITXOR) {
            compare_value(fact, OPERATOR_NOT_EQUAL);
        }
        return;
    }
}

/* ---- which of the dimensions ---- */

static const IndexExpr *term_of(const IndexQuestion *question, size_t variable) {
    const IndexExpr *expr =
        question->variables[variable].loop ? NULL : question->variables[variable].parameter;
    bool is_term = expr && (expr->kind == INDEX_OPERATOR || expr->kind == INDEX_LOOKUP ||
                            expr->kind == INDEX_ELEMENT);
    return is_term ? expr : NULL;
}

/* While dimensions are looked for this finds them, and nothing is there. */
static bool are_there(const TermFact *fact, const Term *term) {
    if (term->expr->kind == INDEX_ELEMENT) {
        bool has_all = true;
        int depth = 0;
        for (const IndexExpr *at = term->expr; at->kind == INDEX_ELEMENT; at = at->right) {
            has_all = subscript_of(fact, term, depth++) && has_all;
        }
        return has_all;
    }
    bool has_left = left_of(fact, term) != NULL;
    bool has_right = term->expr->kind == INDEX_LOOKUP || right_of(fact, term);
    return has_left && has_right;
}

static bool is_square(const IndexExpr *expr) {
    return expr->op == OPERATOR_MULTIPLY && index_equal(expr->left, expr->right);
}

/* Not one that index_product.c looks at. */
static bool is_plain(const IndexQuestion *question, const IndexExpr *expr) {
    bool is_shared = index_is_shared(expr->right, question->pair);
    return expr->op != OPERATOR_MULTIPLY && expr->op != INDEX_SMALLER && expr->op != INDEX_LARGER &&
           !(is_shared && (expr->op == OPERATOR_DIVIDE || expr->op == OPERATOR_BITXOR));
}

static void restrict_alone(TermFact *fact) {
    IndexQuestion *question = fact->question;
    const IndexExpr *expr = fact->a.expr;
    bool has_product =
        fact->product && question_affine(question, fact->product, fact->a.side) != NULL;
    if (!are_there(fact, &fact->a) || expr->kind == INDEX_ELEMENT) {
        return;
    }
    if (expr->kind == INDEX_LOOKUP) {
        if (index_table_of(expr->table, &fact->table)) {
            question_restrict_pieces(question, element_piece, fact, 3);
        }
    } else if (is_square(expr)) {
        restrict_square(fact);
    } else if (expr->op == OPERATOR_BITAND) {
        question_restrict_pieces(question, bits_of_left, fact, 2);
        question_restrict_pieces(question, bits_of_right, fact, 2);
    } else if (has_product) {
        question_restrict_pieces(question, quotient_piece, fact, 5);
    }
}

static void restrict_two(TermFact *fact) {
    const IndexExpr *a = fact->a.expr;
    const IndexExpr *b = fact->b.expr;
    if (!are_there(fact, &fact->a) || !are_there(fact, &fact->b)) {
        return;
    }
    if (a->kind == INDEX_ELEMENT) {
        question_restrict_pieces(fact->question, unknown_element_piece, fact,
                                 common_depth(fact) + 1);
    } else if (a->kind == INDEX_LOOKUP) {
        if (a->table == b->table && index_table_of(a->table, &fact->table)) {
            question_restrict_pieces(fact->question, table_piece, fact, 3);
        }
    } else if (is_square(a) && is_square(b)) {
        question_restrict_pieces(fact->question, square_piece, fact, 5);
    } else if (a->op == b->op && is_plain(fact->question, a) && is_plain(fact->question, b)) {
        question_restrict_pieces(fact->question, operator_piece, fact, 3);
        if (a->op == OPERATOR_BITAND && index_is_shared(a->right, fact->question->pair) &&
            index_equal(a->right, b->right)) {
            question_restrict_pieces(fact->question, bits_first_joined, fact, 2);
            question_restrict_pieces(fact->question, bits_second_joined, fact, 2);
        }
    }
}

static bool are_alike(const TermFact *fact) {
    const IndexExpr *a = fact->a.expr;
    const IndexExpr *b = fact->b.expr;
    if (a->kind != b->kind || (a->kind == INDEX_LOOKUP && a->table != b->table)) {
        return false;
    }
    if (a->kind == INDEX_ELEMENT) {
        return common_depth(fact) > 0;
    }
    return a->kind == INDEX_LOOKUP || (is_square(a) && is_square(b)) ||
           (a->op == b->op && is_plain(fact->question, a) && is_plain(fact->question, b));
}

void question_restrict_terms(IndexQuestion *question) {
    bool was_in_count = question->is_in_count;
    question->is_in_count = true; /* adds nothing that was not counted */
    unsigned facts = 0;
    for (size_t i = 0; i < question->count; i++) {
        const IndexExpr *expr = term_of(question, i);
        if (!expr) {
            continue;
        }
        TermFact fact = {.question = question, .a = {i, question->variables[i].side, expr}};
        if (question->is_expanded && expr->kind == INDEX_OPERATOR && expr->op == OPERATOR_DIVIDE) {
            fact.product = index_expand_product(question->arena, question->pair, expr, expr->right);
        }
        restrict_alone(&fact);
        for (size_t k = i + 1; k < question->count && facts < TERM_FACTS; k++) {
            const IndexExpr *other = term_of(question, k);
            fact.b = (Term){k, question->variables[k].side, other};
            if (other && are_alike(&fact)) {
                restrict_two(&fact);
                facts++;
            }
        }
    }
    question->is_in_count = was_in_count;
}
