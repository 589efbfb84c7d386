/* index_value -- sums of the dimensions of a question, and constraints between two of them.
 *
 * Holds: a constraint with a side that could be anything is left out; the question then says less
 *        than it should, and "empty" is still proved. */
#include "index_question.h"

#define SUM_LIMIT ((int64_t)1 << 40)

static bool is_small(int64_t value) {
    return value <= SUM_LIMIT && value >= -SUM_LIMIT;
}

static LinearRow *new_row(const IndexQuestion *question) {
    return arena_new(question->arena, LinearRow);
}

IndexValue value_dimension(const IndexQuestion *question, size_t variable) {
    if (!question->has_dimensions || variable >= question->count) {
        return NULL;
    }
    LinearRow *row = new_row(question);
    row->coefficients[variable] = 1;
    return row;
}

IndexValue value_number(const IndexQuestion *question, int64_t value) {
    if (!question->has_dimensions || !is_small(value)) {
        return NULL;
    }
    LinearRow *row = new_row(question);
    row->constant = value;
    return row;
}

/* left + factor * right */
static IndexValue add_multiple(const IndexQuestion *question, IndexValue left, int64_t factor,
                               IndexValue right) {
    if (!left || !right) {
        return NULL;
    }
    LinearRow *sum = new_row(question);
    bool is_kept = true;
    for (size_t i = 0; i < LINEAR_VARIABLES; i++) {
        sum->coefficients[i] = left->coefficients[i] + factor * right->coefficients[i];
        is_kept = is_kept && is_small(sum->coefficients[i]);
    }
    sum->constant = left->constant + factor * right->constant;
    return is_kept && is_small(sum->constant) ? sum : NULL;
}

IndexValue value_add(const IndexQuestion *question, IndexValue left, IndexValue right) {
    return add_multiple(question, left, 1, right);
}

IndexValue value_subtract(const IndexQuestion *question, IndexValue left, IndexValue right) {
    return add_multiple(question, left, -1, right);
}

IndexValue value_scale(const IndexQuestion *question, IndexValue value, int64_t factor) {
    if (!value) {
        return NULL;
    }
    LinearRow *row = new_row(question);
    bool is_kept = true;
    for (size_t i = 0; i < LINEAR_VARIABLES && is_kept; i++) {
        is_kept = !__builtin_mul_overflow(value->coefficients[i], factor, &row->coefficients[i]) &&
                  is_small(row->coefficients[i]);
    }
    is_kept = is_kept && !__builtin_mul_overflow(value->constant, factor, &row->constant);
    return is_kept && is_small(row->constant) ? row : NULL;
}

void question_restrict(IndexQuestion *question, IndexValue left, Operator op, IndexValue right) {
    if (left && right) {
        cases_restrict(question, left, op, right);
    }
}
