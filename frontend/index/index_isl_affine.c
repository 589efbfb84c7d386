/* index_isl_affine -- expressions as piecewise affine functions, conditions as sets. */
#include "index_isl.h"

#include <isl/val.h>

/* ---- dimensions ---- */

static IndexSide side_of(const IslQuestion *question, const IndexLoop *loop,
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

size_t isl_variable(IslQuestion *question, const IndexLoop *loop, const IndexExpr *parameter,
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
    if (question->count == INDEX_SAMPLE_LIMIT || question->space) {
        question->has_failed = true;
        return SIZE_MAX;
    }
    question->variables[question->count] =
        (IndexSampleValue){.loop = loop, .parameter = parameter, .side = of};
    return question->count++;
}

isl_pw_aff *isl_dimension(const IslQuestion *question, size_t variable) {
    if (!question->space || variable >= question->count) {
        return NULL;
    }
    isl_local_space *local = isl_local_space_from_space(isl_space_copy(question->space));
    return isl_pw_aff_from_aff(isl_aff_var_on_domain(local, isl_dim_set, (unsigned)variable));
}

isl_pw_aff *isl_number(const IslQuestion *question, int64_t value) {
    if (!question->space) {
        return NULL;
    }
    isl_local_space *local = isl_local_space_from_space(isl_space_copy(question->space));
    isl_val *number = isl_val_int_from_si(question->ctx, value);
    return isl_pw_aff_from_aff(isl_aff_val_on_domain(local, number));
}

/* ---- operators ---- */

#define INT_VALUES ((int64_t)1 << 32)

static isl_val *value_of(const IslQuestion *question, int64_t value) {
    return isl_val_int_from_si(question->ctx, value);
}

/* The INT that is left when higher bits are dropped. */
static isl_pw_aff *wrap(IslQuestion *question, isl_pw_aff *value) {
    question->has_wrapped = true;
    isl_pw_aff *half = isl_number(question, INT_VALUES / 2);
    value = isl_pw_aff_add(value, isl_pw_aff_copy(half));
    value = isl_pw_aff_mod_val(value, value_of(question, INT_VALUES));
    return isl_pw_aff_sub(value, half);
}

static isl_pw_aff *scale(const IslQuestion *question, isl_pw_aff *value, int64_t factor) {
    return isl_pw_aff_scale_val(value, value_of(question, factor));
}

/* Truncates towards zero; the remainder has the sign of the value. */
static isl_pw_aff *divide(const IslQuestion *question, isl_pw_aff *value, int64_t by,
                          bool is_remainder) {
    isl_pw_aff *divisor = isl_number(question, by < 0 ? -by : by);
    if (is_remainder) {
        return isl_pw_aff_tdiv_r(value, divisor);
    }
    isl_pw_aff *quotient = isl_pw_aff_tdiv_q(value, divisor);
    return by < 0 ? isl_pw_aff_neg(quotient) : quotient;
}

/* Zero bits come in from the left: a negative value counts as the number of its bits. */
static isl_pw_aff *shift_right(IslQuestion *question, isl_pw_aff *value, int64_t by) {
    question->has_wrapped = true;
    value = isl_pw_aff_mod_val(value, value_of(question, INT_VALUES));
    value = isl_pw_aff_scale_down_val(value, value_of(question, (int64_t)1 << by));
    return isl_pw_aff_floor(value);
}

static bool is_constant(const IndexExpr *expr) {
    return expr->kind == INDEX_CONSTANT;
}

static bool is_mask(int64_t value) {
    return value >= 0 && (value & (value + 1)) == 0;
}

/* An operator that is affine when its operands are, perhaps in pieces. */
static bool is_understood(const IndexExpr *expr) {
    int64_t right = expr->right->value;
    switch ((int)expr->op) {
    case OPERATOR_ADD:
    case OPERATOR_SUBTRACT:
    case OPERATOR_PLUS:
    case OPERATOR_MINUS:
    case INDEX_SMALLER:
    case INDEX_LARGER: return true;
    case OPERATOR_MULTIPLY:
    case OPERATOR_TIMES: return is_constant(expr->left) || is_constant(expr->right);
    case OPERATOR_DIVIDE:
    case OPERATOR_REMAINDER: return is_constant(expr->right) && right != 0;
    case OPERATOR_BITAND: return is_constant(expr->right) && is_mask(right);
    case OPERATOR_SHIFT_LEFT:
    case OPERATOR_SHIFT_RIGHT: return is_constant(expr->right) && right >= 0 && right < 31;
    }
    return false;
}

static isl_pw_aff *multiply(IslQuestion *question, const IndexExpr *expr, IndexSide side) {
    bool is_left = is_constant(expr->left);
    int64_t factor = is_left ? expr->left->value : expr->right->value;
    const IndexExpr *other = is_left ? expr->right : expr->left;
    isl_pw_aff *value = isl_affine(question, other, side);
    return value ? scale(question, value, factor) : NULL;
}

static isl_pw_aff *affine_operator(IslQuestion *question, const IndexExpr *expr, IndexSide side) {
    if (expr->op == OPERATOR_MULTIPLY || expr->op == OPERATOR_TIMES) {
        isl_pw_aff *product = multiply(question, expr, side);
        return expr->op == OPERATOR_TIMES && product ? wrap(question, product) : product;
    }
    isl_pw_aff *left = isl_affine(question, expr->left, side);
    int64_t by = expr->right->value;
    switch ((int)expr->op) {
    case OPERATOR_ADD: return isl_pw_aff_add(left, isl_affine(question, expr->right, side));
    case OPERATOR_SUBTRACT: return isl_pw_aff_sub(left, isl_affine(question, expr->right, side));
    case INDEX_SMALLER: return isl_pw_aff_min(left, isl_affine(question, expr->right, side));
    case INDEX_LARGER: return isl_pw_aff_max(left, isl_affine(question, expr->right, side));
    case OPERATOR_PLUS:
        left = isl_pw_aff_add(left, isl_affine(question, expr->right, side));
        return left ? wrap(question, left) : NULL;
    case OPERATOR_MINUS:
        left = isl_pw_aff_sub(left, isl_affine(question, expr->right, side));
        return left ? wrap(question, left) : NULL;
    }
    if (!left) {
        return NULL;
    }
    switch ((int)expr->op) {
    case OPERATOR_DIVIDE: return divide(question, left, by, false);
    case OPERATOR_REMAINDER: return divide(question, left, by, true);
    case OPERATOR_BITAND: return isl_pw_aff_mod_val(left, value_of(question, by + 1));
    case OPERATOR_SHIFT_LEFT: return wrap(question, scale(question, left, (int64_t)1 << by));
    case OPERATOR_SHIFT_RIGHT: return shift_right(question, left, by);
    }
    return isl_pw_aff_free(left);
}

isl_pw_aff *isl_affine(IslQuestion *question, const IndexExpr *expr, IndexSide side) {
    switch (expr->kind) {
    case INDEX_CONSTANT: return isl_number(question, expr->value);
    case INDEX_LOOP: return isl_dimension(question, isl_variable(question, expr->loop, NULL, side));
    case INDEX_PARAMETER:
        if (!index_is_shared(expr, question->pair)) {
            question->is_exact = false;
        }
        return isl_dimension(question, isl_variable(question, NULL, expr, side));
    case INDEX_OPERATOR:
        if (is_understood(expr)) {
            return affine_operator(question, expr, side);
        }
        break;
    case INDEX_LOOKUP: break;
    case INDEX_UNKNOWN: question->is_exact = false; return NULL;
    }
    if (!question->is_in_count || !index_is_shared(expr, question->pair)) {
        question->is_exact = false; /* some number, the same wherever the expression stands */
    }
    return isl_dimension(question, isl_variable(question, NULL, expr, side));
}

/* ---- conditions ---- */

static isl_set *comparison(isl_pw_aff *left, Operator op, isl_pw_aff *right) {
    switch ((int)op) {
    case OPERATOR_EQUAL: return isl_pw_aff_eq_set(left, right);
    case OPERATOR_NOT_EQUAL: return isl_pw_aff_ne_set(left, right);
    case OPERATOR_LESS: return isl_pw_aff_lt_set(left, right);
    case OPERATOR_LESS_EQUAL: return isl_pw_aff_le_set(left, right);
    case OPERATOR_GREATER: return isl_pw_aff_gt_set(left, right);
    case OPERATOR_GREATER_EQUAL: return isl_pw_aff_ge_set(left, right);
    }
    isl_pw_aff_free(left);
    isl_pw_aff_free(right);
    return NULL;
}

void isl_restrict(IslQuestion *question, isl_pw_aff *left, Operator op, isl_pw_aff *right) {
    if (!left || !right) {
        isl_pw_aff_free(left);
        isl_pw_aff_free(right);
        return;
    }
    question->set = isl_set_intersect(question->set, comparison(left, op, right));
}

/* The set in which one of two chains holds. */
static void restrict_choice(IslQuestion *question, const IndexGuard *guard, IndexSide side) {
    isl_set *before = question->set;
    question->set = isl_set_copy(before);
    isl_restrict_guards(question, guard->either, side);
    isl_set *either = question->set;
    question->set = before;
    isl_restrict_guards(question, guard->other, side);
    question->set = question->space ? isl_set_union(either, question->set) : NULL;
}

void isl_restrict_guards(IslQuestion *question, const IndexGuard *guard, IndexSide side) {
    for (; guard; guard = guard->outer) {
        if (guard->is_choice) {
            restrict_choice(question, guard, side);
            continue;
        }
        isl_pw_aff *left = isl_affine(question, guard->left, side);
        isl_pw_aff *right = isl_affine(question, guard->right, side);
        isl_restrict(question, left, guard->is_negated ? index_negated(guard->op) : guard->op,
                     right);
    }
}

/* value \ size with a size that is not known: the value, or the value less the size, as long as it
 * is less than twice the size. What is beyond is left open. */
static void restrict_remainder(IslQuestion *question, size_t variable) {
    const IndexExpr *expr = question->variables[variable].parameter;
    IndexSide side = question->variables[variable].side;
    question->is_in_count = true; /* adds nothing that was not counted */
    isl_pw_aff *value = isl_affine(question, expr->left, side);
    isl_pw_aff *size = isl_affine(question, expr->right, side);
    question->is_in_count = false;
    if (!value || !size) {
        isl_pw_aff_free(value);
        isl_pw_aff_free(size);
        return;
    }
    isl_pw_aff *zero = isl_number(question, 0);
    isl_pw_aff *twice = isl_pw_aff_add(isl_pw_aff_copy(size), isl_pw_aff_copy(size));
    isl_set *low = isl_set_intersect(
        comparison(isl_pw_aff_copy(value), OPERATOR_GREATER_EQUAL, isl_pw_aff_copy(zero)),
        comparison(isl_pw_aff_copy(value), OPERATOR_LESS, isl_pw_aff_copy(size)));
    isl_set *high = isl_set_intersect(
        comparison(isl_pw_aff_copy(value), OPERATOR_GREATER_EQUAL, isl_pw_aff_copy(size)),
        comparison(isl_pw_aff_copy(value), OPERATOR_LESS, isl_pw_aff_copy(twice)));
    isl_set *cases = comparison(isl_pw_aff_copy(value), OPERATOR_LESS, zero);
    cases = isl_set_union(cases, comparison(isl_pw_aff_copy(value), OPERATOR_GREATER_EQUAL, twice));
    low = isl_set_intersect(
        low, comparison(isl_dimension(question, variable), OPERATOR_EQUAL, isl_pw_aff_copy(value)));
    high = isl_set_intersect(high, comparison(isl_dimension(question, variable), OPERATOR_EQUAL,
                                              isl_pw_aff_sub(value, size)));
    cases = isl_set_union(cases, isl_set_union(low, high));
    question->set = isl_set_intersect(question->set, cases);
}

static void restrict_table(IslQuestion *question, const IndexExpr *lookup, IndexSide side) {
    IndexTable table;
    if (index_table_of(lookup->table, &table)) {
        isl_restrict(question, isl_affine(question, lookup->left, side), OPERATOR_GREATER_EQUAL,
                     isl_number(question, 0));
        isl_restrict(question, isl_affine(question, lookup->left, side), OPERATOR_LESS,
                     isl_number(question, table.count));
    }
}

void isl_restrict_evaluated(IslQuestion *question, const IndexExpr *expr, IndexSide side) {
    if (expr && expr->kind == INDEX_LOOKUP) {
        restrict_table(question, expr, side);
        isl_restrict_evaluated(question, expr->left, side);
    }
    if (!expr || expr->kind != INDEX_OPERATOR) {
        return;
    }
    bool divides = expr->op == OPERATOR_DIVIDE || expr->op == OPERATOR_REMAINDER;
    if (divides && !is_constant(expr->right)) {
        isl_restrict(question, isl_affine(question, expr->right, side), OPERATOR_NOT_EQUAL,
                     isl_number(question, 0));
    }
    isl_restrict_evaluated(question, expr->left, side);
    isl_restrict_evaluated(question, expr->right, side);
}

/* Of the parameters. */
static void restrict_ints(IslQuestion *question) {
    for (size_t i = 0; i < question->count; i++) {
        const IndexExpr *parameter = question->variables[i].parameter;
        if (!question->variables[i].loop && parameter->is_int) {
            isl_restrict(question, isl_dimension(question, i), OPERATOR_GREATER_EQUAL,
                         isl_number(question, parameter->is_size ? 0 : INT32_MIN));
            isl_restrict(question, isl_dimension(question, i), OPERATOR_LESS_EQUAL,
                         isl_number(question, INT32_MAX));
        }
    }
}

static bool is_remainder(const IndexExpr *expr) {
    return expr->kind == INDEX_OPERATOR && expr->op == OPERATOR_REMAINDER;
}

void isl_restrict_iterations(IslQuestion *question) {
    if (!question->space) {
        isl_restrict_terms(question);
        isl_restrict_facts(question);
    }
    for (size_t i = 0; i < question->count; i++) {
        const IndexLoop *loop = question->variables[i].loop;
        if (!loop && is_remainder(question->variables[i].parameter)) {
            restrict_remainder(question, i);
        }
        if (!loop) {
            continue;
        }
        isl_restrict(question, isl_dimension(question, i), OPERATOR_GREATER_EQUAL,
                     isl_number(question, 0));
        if (loop->count->kind != INDEX_CONSTANT) { /* a count is an INT */
            isl_restrict(question, isl_dimension(question, i), OPERATOR_LESS,
                         isl_number(question, INT32_MAX));
        }
        question->is_in_count = true;
        const IndexExpr *times = question->is_expanded
                                     ? index_expand(question->arena, question->pair, loop->count)
                                     : loop->count;
        isl_pw_aff *count = isl_affine(question, times, question->variables[i].side);
        isl_restrict_evaluated(question, times, question->variables[i].side);
        if (loop->value && loop->value->kind == INDEX_OPERATOR) { /* and so is the index */
            isl_restrict(question, isl_affine(question, loop->value, question->variables[i].side),
                         OPERATOR_LESS_EQUAL, isl_number(question, INT32_MAX));
        }
        question->is_in_count = false;
        isl_restrict(question, isl_dimension(question, i), OPERATOR_LESS, count);
    }
    if (question->has_wrapped) {
        restrict_ints(question);
    }
    isl_restrict_facts(question); /* of what counts are made of, too; the pieces are fewer now */
    isl_restrict_terms(question);
}
