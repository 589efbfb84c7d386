/* index_affine -- expressions as sums of the dimensions of a question, conditions and loops as
 * constraints. */
#include "index_question.h"

#include "among.h"

/* ---- dimensions ---- */

static IndexSide side_of(const IndexQuestion *question, const IndexLoop *loop,
                         const IndexExpr *parameter, IndexSide side) {
    bool is_both = loop ? loop->depth < question->pair->shared_depth
                        : index_is_shared(parameter, question->pair);
    return is_both ? SIDE_BOTH : side;
}

static bool is_same(const IndexSampleValue *variable, const IndexLoop *loop,
                    const IndexExpr *parameter, IndexSide side) {
    if (variable->side != side || variable->loop != loop) {
        return false;
    }
    return loop || index_equal(variable->parameter, parameter);
}

size_t question_variable(IndexQuestion *question, const IndexLoop *loop, const IndexExpr *parameter,
                         IndexSide side) {
    IndexSide of = side_of(question, loop, parameter, side);
    if (!loop && !question->is_in_count) {
        question->has_parameters = true;
    }
    for (size_t i = 0; i < question->count; i++) {
        if (is_same(&question->variables[i], loop, parameter, of)) {
            return i;
        }
    }
    if (question->count == INDEX_SAMPLE_LIMIT || question->has_dimensions) {
        question->has_failed = true;
        return SIZE_MAX;
    }
    question->variables[question->count] =
        (IndexSampleValue){.loop = loop, .parameter = parameter, .side = of};
    return question->count++;
}

/* ---- operators ---- */

static bool is_constant(const IndexExpr *expr) {
    return expr->kind == INDEX_CONSTANT;
}

static bool is_mask(int64_t value) {
    return value >= 0 && value < INT64_MAX && (value & (value + 1)) == 0;
}

/* An operator that is affine when its operands are, perhaps in pieces. In one linear system bits
 * that are lost, times 2^32, would only make numbers grow. */
static bool is_understood(const IndexQuestion *question, const IndexExpr *expr) {
    int64_t right = expr->right->value;
    if (AMONG(expr->op, OPERATOR_ADD, OPERATOR_SUBTRACT)) {
        return true;
    }
    if (question->is_linear &&
        AMONG(expr->op, OPERATOR_PLUS, OPERATOR_MINUS, OPERATOR_TIMES, OPERATOR_SHIFT_LEFT,
              OPERATOR_SHIFT_RIGHT, INDEX_SMALLER, INDEX_LARGER)) {
        return false;
    }
    if (AMONG(expr->op, OPERATOR_PLUS, OPERATOR_MINUS, INDEX_SMALLER, INDEX_LARGER)) {
        return true;
    }
    if (AMONG(expr->op, OPERATOR_MULTIPLY, OPERATOR_TIMES)) {
        return is_constant(expr->left) || is_constant(expr->right);
    }
    if (!is_constant(expr->right)) {
        return false;
    }
    if (AMONG(expr->op, OPERATOR_DIVIDE, OPERATOR_REMAINDER)) {
        return right != 0 && right != INT64_MIN;
    }
    return (expr->op == OPERATOR_BITAND && is_mask(right)) ||
           (AMONG(expr->op, OPERATOR_SHIFT_LEFT, OPERATOR_SHIFT_RIGHT) && right >= 0 && right < 31);
}

IndexValue question_affine(IndexQuestion *question, const IndexExpr *expr, IndexSide side) {
    switch (expr->kind) {
    case INDEX_CONSTANT: return value_number(question, expr->value);
    case INDEX_LOOP:
        return value_dimension(question, question_variable(question, expr->loop, NULL, side));
    case INDEX_PARAMETER:
        if (!index_is_shared(expr, question->pair)) {
            question->is_exact = false;
        }
        return value_dimension(question, question_variable(question, NULL, expr, side));
    case INDEX_OPERATOR:
        if (is_understood(question, expr)) {
            return form_operator(question, expr, side);
        }
        break;
    case INDEX_LOOKUP:
    case INDEX_ELEMENT: break;
    case INDEX_UNKNOWN: question->is_exact = false; return NULL;
    }
    if (!question->is_in_count || !index_is_shared(expr, question->pair)) {
        question->is_exact = false; /* some number, the same wherever the expression stands */
    }
    return value_dimension(question, question_variable(question, NULL, expr, side));
}

/* ---- conditions ---- */

typedef struct Choice {
    IndexQuestion *question;
    const IndexGuard *guard;
    IndexSide side;
} Choice;

static void choice_piece(const void *data, int which) {
    const Choice *choice = data;
    question_restrict_guards(
        choice->question, which == 0 ? choice->guard->either : choice->guard->other, choice->side);
}

void question_restrict_guards(IndexQuestion *question, const IndexGuard *guard, IndexSide side) {
    for (; guard; guard = guard->outer) {
        if (guard->is_choice) {
            Choice choice = {question, guard, side};
            question_restrict_pieces(question, choice_piece, &choice, 2);
            continue;
        }
        IndexValue left = question_affine(question, guard->left, side);
        IndexValue right = question_affine(question, guard->right, side);
        question_restrict(question, left, guard->is_negated ? index_negated(guard->op) : guard->op,
                          right);
    }
}

/* ---- value \ size with a size that is not known ---- */

typedef struct Remainder {
    IndexQuestion *question;
    size_t variable;
    const IndexExpr *expr;
    IndexSide side;
} Remainder;

static IndexValue remainder_value(const Remainder *remainder) {
    return question_affine(remainder->question, remainder->expr->left, remainder->side);
}

static IndexValue remainder_size(const Remainder *remainder, int64_t factor) {
    IndexQuestion *question = remainder->question;
    IndexValue size = question_affine(question, remainder->expr->right, remainder->side);
    return value_scale(question, size, factor);
}

/* The value, or the value less the size, as long as it is less than twice the size; of what is
 * beyond that it is less than the size. */
static void remainder_piece(const void *data, int which) {
    const Remainder *remainder = data;
    IndexQuestion *question = remainder->question;
    IndexValue value = remainder_value(remainder);
    IndexValue result = value_dimension(question, remainder->variable);
    switch (which) {
    case 0: question_restrict(question, value, OPERATOR_LESS, value_number(question, 0)); return;
    case 1:
        question_restrict(question, value, OPERATOR_GREATER_EQUAL, remainder_size(remainder, 2));
        question_restrict(question, remainder_value(remainder), OPERATOR_GREATER_EQUAL,
                          value_number(question, 0));
        question_restrict(question, remainder_size(remainder, 1), OPERATOR_GREATER,
                          value_number(question, 0));
        question_restrict(question, value_dimension(question, remainder->variable), OPERATOR_LESS,
                          remainder_size(remainder, 1));
        question_restrict(question, result, OPERATOR_GREATER_EQUAL, value_number(question, 0));
        return;
    case 4: /* it may not have been divided */
        question_restrict(question, remainder_size(remainder, 1), OPERATOR_LESS_EQUAL,
                          value_number(question, 0));
        return;
    case 2:
        question_restrict(question, value, OPERATOR_GREATER_EQUAL, value_number(question, 0));
        question_restrict(question, remainder_value(remainder), OPERATOR_LESS,
                          remainder_size(remainder, 1));
        question_restrict(question, result, OPERATOR_EQUAL, remainder_value(remainder));
        return;
    case 3:
        question_restrict(question, value, OPERATOR_GREATER_EQUAL, remainder_size(remainder, 1));
        question_restrict(question, remainder_value(remainder), OPERATOR_LESS,
                          remainder_size(remainder, 2));
        value = value_subtract(question, remainder_value(remainder), remainder_size(remainder, 1));
        question_restrict(question, result, OPERATOR_EQUAL, value);
        return;
    }
}

static void restrict_remainder(IndexQuestion *question, size_t variable) {
    const IndexSampleValue *of = &question->variables[variable];
    Remainder remainder = {question, variable, of->parameter, of->side};
    bool was_in_count = question->is_in_count;
    question->is_in_count = true; /* adds nothing that was not counted */
    IndexValue value = remainder_value(&remainder);
    IndexValue size = question_affine(question, of->parameter->right, of->side);
    if (value && size) {
        question_restrict_pieces(question, remainder_piece, &remainder, 5);
    }
    question->is_in_count = was_in_count;
}

static void restrict_table(IndexQuestion *question, const IndexExpr *lookup, IndexSide side) {
    IndexTable table;
    if (index_table_of(lookup->table, &table)) {
        question_restrict(question, question_affine(question, lookup->left, side),
                          OPERATOR_GREATER_EQUAL, value_number(question, 0));
        question_restrict(question, question_affine(question, lookup->left, side), OPERATOR_LESS,
                          value_number(question, table.count));
    }
}

void question_restrict_evaluated(IndexQuestion *question, const IndexExpr *expr, IndexSide side) {
    if (expr && expr->kind == INDEX_LOOKUP) {
        restrict_table(question, expr, side);
        question_restrict_evaluated(question, expr->left, side);
    }
    if (!expr || expr->kind != INDEX_OPERATOR) {
        return;
    }
    bool divides = expr->op == OPERATOR_DIVIDE || expr->op == OPERATOR_REMAINDER;
    if (divides && !is_constant(expr->right)) {
        question_restrict(question, question_affine(question, expr->right, side),
                          OPERATOR_NOT_EQUAL, value_number(question, 0));
    }
    question_restrict_evaluated(question, expr->left, side);
    question_restrict_evaluated(question, expr->right, side);
}

/* Of the parameters. */
static void restrict_ints(IndexQuestion *question) {
    for (size_t i = 0; i < question->count; i++) {
        const IndexExpr *parameter = question->variables[i].parameter;
        if (!question->variables[i].loop && parameter->is_int) {
            question_restrict(question, value_dimension(question, i), OPERATOR_GREATER_EQUAL,
                              value_number(question, parameter->is_size ? 0 : INT32_MIN));
            question_restrict(question, value_dimension(question, i), OPERATOR_LESS_EQUAL,
                              value_number(question, INT32_MAX));
        }
    }
}

static bool is_remainder(const IndexExpr *expr) {
    return expr->kind == INDEX_OPERATOR && expr->op == OPERATOR_REMAINDER;
}

void question_restrict_iterations(IndexQuestion *question) {
    if (!question->has_dimensions && !question->is_linear) {
        question_restrict_terms(question);
        question_restrict_facts(question);
        question_restrict_words(question);
    }
    for (size_t i = 0; i < question->count; i++) {
        const IndexLoop *loop = question->variables[i].loop;
        if (!loop && is_remainder(question->variables[i].parameter)) {
            restrict_remainder(question, i);
        }
        if (!loop) {
            continue;
        }
        question_restrict(question, value_dimension(question, i), OPERATOR_GREATER_EQUAL,
                          value_number(question, 0));
        if (loop->count->kind != INDEX_CONSTANT) { /* a count is an INT */
            question_restrict(question, value_dimension(question, i), OPERATOR_LESS,
                              value_number(question, INT32_MAX));
        }
        question->is_in_count = true;
        const IndexExpr *times = question->is_expanded
                                     ? index_expand(question->arena, question->pair, loop->count)
                                     : loop->count;
        IndexValue count = question_affine(question, times, question->variables[i].side);
        question_restrict_evaluated(question, times, question->variables[i].side);
        if (loop->value && loop->value->kind == INDEX_OPERATOR) { /* and so is the index */
            question_restrict(question,
                              question_affine(question, loop->value, question->variables[i].side),
                              OPERATOR_LESS_EQUAL, value_number(question, INT32_MAX));
        }
        question->is_in_count = false;
        question_restrict(question, value_dimension(question, i), OPERATOR_LESS, count);
    }
    if (question->is_linear) {
        return;
    }
    if (question->has_wrapped) {
        restrict_ints(question);
    }
    question_restrict_facts(
        question); /* of what counts are made of, too; the pieces are fewer now */
    question_restrict_terms(question);
    question_restrict_words(question);
}
