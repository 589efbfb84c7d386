/* index_value -- values and constraints of a question: linear sums for index_cases.c, piecewise
 * affine functions and a set for isl.
 *
 * Holds: a constraint with a side that could be anything is left out; the question then says less
 *        than it should, and "empty" is still proved. */
#include "index_question.h"

#include <isl/val.h>

static const IndexValue nothing = {NULL, NULL};

bool value_is_there(IndexValue value) {
    return value.form || value.function;
}

void value_drop(IndexValue value) {
    isl_pw_aff_free(value.function);
}

/* ---- linear sums ---- */

#define SUM_LIMIT ((int64_t)1 << 40)

static bool is_small(int64_t value) {
    return value <= SUM_LIMIT && value >= -SUM_LIMIT;
}

static LinearRow *new_row(const IndexQuestion *question) {
    return arena_new(question->arena, LinearRow);
}

/* left + factor * right; nothing when a number grows too large. */
static IndexValue add_multiple(const IndexQuestion *question, const LinearRow *left, int64_t factor,
                               const LinearRow *right) {
    LinearRow *sum = new_row(question);
    bool is_kept = true;
    for (size_t i = 0; i < LINEAR_VARIABLES; i++) {
        sum->coefficients[i] = left->coefficients[i] + factor * right->coefficients[i];
        is_kept = is_kept && is_small(sum->coefficients[i]);
    }
    sum->constant = left->constant + factor * right->constant;
    return is_kept && is_small(sum->constant) ? (IndexValue){.form = sum} : nothing;
}

/* ---- both ---- */

IndexValue value_dimension(const IndexQuestion *question, size_t variable) {
    if (!question->has_dimensions || variable >= question->count) {
        return nothing;
    }
    if (question->cases) {
        LinearRow *row = new_row(question);
        row->coefficients[variable] = 1;
        return (IndexValue){.form = row};
    }
    isl_local_space *local = isl_local_space_from_space(isl_space_copy(question->space));
    isl_aff *dimension = isl_aff_var_on_domain(local, isl_dim_set, (unsigned)variable);
    return (IndexValue){.function = isl_pw_aff_from_aff(dimension)};
}

IndexValue value_number(const IndexQuestion *question, int64_t value) {
    if (!question->has_dimensions || (question->cases && !is_small(value))) {
        return nothing;
    }
    if (question->cases) {
        LinearRow *row = new_row(question);
        row->constant = value;
        return (IndexValue){.form = row};
    }
    isl_local_space *local = isl_local_space_from_space(isl_space_copy(question->space));
    isl_val *number = isl_val_int_from_si(question->ctx, value);
    return (IndexValue){.function = isl_pw_aff_from_aff(isl_aff_val_on_domain(local, number))};
}

IndexValue value_add(const IndexQuestion *question, IndexValue left, IndexValue right) {
    if (!question->cases) {
        return (IndexValue){.function = isl_pw_aff_add(left.function, right.function)};
    }
    return left.form && right.form ? add_multiple(question, left.form, 1, right.form) : nothing;
}

IndexValue value_subtract(const IndexQuestion *question, IndexValue left, IndexValue right) {
    if (!question->cases) {
        return (IndexValue){.function = isl_pw_aff_sub(left.function, right.function)};
    }
    return left.form && right.form ? add_multiple(question, left.form, -1, right.form) : nothing;
}

IndexValue value_negate(const IndexQuestion *question, IndexValue value) {
    if (!question->cases) {
        return (IndexValue){.function = isl_pw_aff_neg(value.function)};
    }
    return value.form ? value_scale(question, value, -1) : nothing;
}

IndexValue value_scale(const IndexQuestion *question, IndexValue value, int64_t factor) {
    if (!question->cases) {
        isl_val *by = isl_val_int_from_si(question->ctx, factor);
        return (IndexValue){.function = isl_pw_aff_scale_val(value.function, by)};
    }
    if (!value.form) {
        return nothing;
    }
    LinearRow *row = new_row(question);
    bool is_kept = true;
    for (size_t i = 0; i < LINEAR_VARIABLES && is_kept; i++) {
        is_kept =
            !__builtin_mul_overflow(value.form->coefficients[i], factor, &row->coefficients[i]) &&
            is_small(row->coefficients[i]);
    }
    is_kept = is_kept && !__builtin_mul_overflow(value.form->constant, factor, &row->constant);
    return is_kept && is_small(row->constant) ? (IndexValue){.form = row} : nothing;
}

/* ---- constraints ---- */

static isl_set *comparison(isl_pw_aff *left, Operator op, isl_pw_aff *right) {
    if (op == OPERATOR_EQUAL) {
        return isl_pw_aff_eq_set(left, right);
    }
    if (op == OPERATOR_NOT_EQUAL) {
        return isl_pw_aff_ne_set(left, right);
    }
    if (op == OPERATOR_LESS || op == OPERATOR_GREATER) {
        return op == OPERATOR_LESS ? isl_pw_aff_lt_set(left, right)
                                   : isl_pw_aff_gt_set(left, right);
    }
    if (op == OPERATOR_LESS_EQUAL || op == OPERATOR_GREATER_EQUAL) {
        return op == OPERATOR_LESS_EQUAL ? isl_pw_aff_le_set(left, right)
                                         : isl_pw_aff_ge_set(left, right);
    }
    isl_pw_aff_free(left);
    isl_pw_aff_free(right);
    return NULL;
}

void question_restrict(IndexQuestion *question, IndexValue left, Operator op, IndexValue right) {
    if (!value_is_there(left) || !value_is_there(right)) {
        value_drop(left);
        value_drop(right);
        return;
    }
    if (question->cases) {
        cases_restrict(question, left.form, op, right.form);
        return;
    }
    isl_set *more = comparison(left.function, op, right.function);
    question->set = isl_set_intersect(question->set, more);
}

/* The piece just described is added to `pieces`. */
static isl_set *add_piece(isl_set *pieces, isl_set *piece) {
    if (pieces && isl_set_is_empty(piece) == isl_bool_true) { /* each further fact would split it */
        isl_set_free(piece);
        return pieces;
    }
    return pieces ? isl_set_union(pieces, piece) : piece;
}

void question_restrict_pieces(IndexQuestion *question, IndexPiece *write, const void *data,
                              int count) {
    if (question->cases) {
        cases_restrict_pieces(question, write, data, count);
        return;
    }
    isl_set *before = question->set;
    isl_set *pieces = NULL;
    for (int i = 0; i < count; i++) {
        question->set = isl_set_copy(before);
        write(data, i);
        pieces = add_piece(pieces, question->set);
    }
    isl_set_free(before);
    question->set = isl_set_coalesce(pieces);
}
