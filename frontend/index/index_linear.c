/* index_linear -- is there an integer solution? Equations are solved by substitution and the gcd
 * test, inequalities by Fourier and Motzkin's elimination with rounding to integers.
 *
 * Holds: the answer "infeasible" is proved. Numbers that grow too large, or too many rows, end the
 *        attempt with "not proved". */
#include "usage_index.h"

#include <string.h>

#define COEFFICIENT_LIMIT ((int64_t)1 << 61) /* of a row; sums of two have room */

void linear_begin(LinearSystem *system) {
    system->variable_count = system->row_count = 0;
    system->is_full = false;
}

void linear_add(LinearSystem *system, const LinearRow *row) {
    if (system->row_count == LINEAR_ROWS) {
        system->is_full = true;
        return;
    }
    system->rows[system->row_count++] = *row;
}

static int64_t magnitude(int64_t value) {
    return value < 0 ? -value : value;
}

static int64_t gcd(int64_t left, int64_t right) {
    while (right != 0) {
        int64_t rest = left % right;
        left = right;
        right = rest;
    }
    return left;
}

static int64_t floor_divide(int64_t value, int64_t by) {
    int64_t quotient = value / by;
    return value % by != 0 && value < 0 ? quotient - 1 : quotient;
}

static bool is_small(const LinearSystem *system, const LinearRow *row) {
    for (size_t i = 0; i < system->variable_count; i++) {
        if (magnitude(row->coefficients[i]) > COEFFICIENT_LIMIT) {
            return false;
        }
    }
    return magnitude(row->constant) <= COEFFICIENT_LIMIT;
}

typedef enum RowState { ROW_USEFUL, ROW_ALWAYS, ROW_NEVER } RowState;

/* Divide by the common divisor; an equation whose constant it does not divide has no solution, an
 * inequality is tightened. */
static RowState normalise(const LinearSystem *system, LinearRow *row) {
    int64_t divisor = 0;
    for (size_t i = 0; i < system->variable_count; i++) {
        divisor = gcd(magnitude(row->coefficients[i]), divisor);
    }
    if (divisor == 0) {
        bool holds = row->is_equality ? row->constant == 0 : row->constant >= 0;
        return holds ? ROW_ALWAYS : ROW_NEVER;
    }
    if (row->is_equality && row->constant % divisor != 0) {
        return ROW_NEVER;
    }
    for (size_t i = 0; i < system->variable_count; i++) {
        row->coefficients[i] /= divisor;
    }
    row->constant = floor_divide(row->constant, divisor);
    return ROW_USEFUL;
}

static void drop_row(LinearSystem *system, size_t index) {
    system->rows[index] = system->rows[--system->row_count];
}

/* True when some row can never hold. */
static bool normalise_all(LinearSystem *system) {
    for (size_t i = 0; i < system->row_count;) {
        RowState state = normalise(system, &system->rows[i]);
        if (state == ROW_NEVER) {
            return true;
        }
        if (state == ROW_ALWAYS) {
            drop_row(system, i);
        } else {
            i++;
        }
    }
    return false;
}

/* number += factor * by, false when it grows too large. */
static bool add_product(int64_t *number, int64_t factor, int64_t by) {
    int64_t product = 0;
    return !__builtin_mul_overflow(factor, by, &product) &&
           !__builtin_add_overflow(*number, product, number) &&
           magnitude(*number) <= COEFFICIENT_LIMIT;
}

/* row += factor * by */
static bool add_multiple(const LinearSystem *system, LinearRow *row, const LinearRow *by,
                         int64_t factor) {
    for (size_t i = 0; i < system->variable_count; i++) {
        if (!add_product(&row->coefficients[i], factor, by->coefficients[i])) {
            return false;
        }
    }
    return add_product(&row->constant, factor, by->constant);
}

static bool find_unit(const LinearSystem *system, size_t *row, size_t *variable) {
    for (size_t i = 0; i < system->row_count; i++) {
        for (size_t v = 0; system->rows[i].is_equality && v < system->variable_count; v++) {
            if (magnitude(system->rows[i].coefficients[v]) == 1) {
                *row = i;
                *variable = v;
                return true;
            }
        }
    }
    return false;
}

typedef enum Progress { PROGRESS_GOES_ON, PROGRESS_INFEASIBLE, PROGRESS_GIVES_UP } Progress;

/* Use an equation x = .. to remove x from all other rows. */
static Progress substitute(LinearSystem *system, size_t index, size_t variable) {
    LinearRow equation = system->rows[index];
    drop_row(system, index);
    for (size_t i = 0; i < system->row_count; i++) {
        LinearRow *row = &system->rows[i];
        int64_t factor = -row->coefficients[variable] * equation.coefficients[variable];
        if (factor != 0 && !add_multiple(system, row, &equation, factor)) {
            return PROGRESS_GIVES_UP;
        }
    }
    return normalise_all(system) ? PROGRESS_INFEASIBLE : PROGRESS_GOES_ON;
}

/* What is left of the equations counts as two inequalities each. */
static void split_equations(LinearSystem *system) {
    size_t count = system->row_count;
    for (size_t i = 0; i < count; i++) {
        if (!system->rows[i].is_equality) {
            continue;
        }
        system->rows[i].is_equality = false;
        LinearRow opposite = {.is_equality = false};
        add_multiple(system, &opposite, &system->rows[i], -1); /* rows are small */
        linear_add(system, &opposite);
    }
}

/* ---- rows with the same coefficients ---- */

/* b = sign * a */
static bool is_parallel(const LinearSystem *system, const LinearRow *a, const LinearRow *b,
                        int64_t sign) {
    for (size_t i = 0; i < system->variable_count; i++) {
        if (a->coefficients[i] != sign * b->coefficients[i]) {
            return false;
        }
    }
    return true;
}

/* Of two inequalities with the same coefficients the tighter one stays; two that say the opposite
 * of one another leave one number: an equation. */
static Progress merge_rows(LinearSystem *system, bool *has_equation) {
    for (size_t i = 0; i < system->row_count; i++) {
        LinearRow *row = &system->rows[i];
        for (size_t k = i + 1; k < system->row_count && !row->is_equality;) {
            LinearRow *other = &system->rows[k];
            if (!other->is_equality && is_parallel(system, row, other, 1)) {
                row->constant = other->constant < row->constant ? other->constant : row->constant;
                drop_row(system, k);
                continue;
            }
            if (!other->is_equality && is_parallel(system, row, other, -1)) {
                if (row->constant + other->constant < 0) {
                    return PROGRESS_INFEASIBLE;
                }
                if (row->constant + other->constant == 0) {
                    row->is_equality = *has_equation = true;
                    drop_row(system, k);
                }
            }
            k++;
        }
    }
    return PROGRESS_GOES_ON;
}

/* ---- Fourier and Motzkin's elimination ---- */

typedef struct Uses {
    size_t lower;
    size_t upper;
    bool is_lower_unit; /* all coefficients are 1 */
    bool is_upper_unit;
} Uses;

static Uses uses_of(const LinearSystem *system, size_t variable) {
    Uses uses = {0, 0, true, true};
    for (size_t i = 0; i < system->row_count; i++) {
        int64_t coefficient = system->rows[i].coefficients[variable];
        uses.lower += coefficient > 0;
        uses.upper += coefficient < 0;
        uses.is_lower_unit = uses.is_lower_unit && coefficient <= 1;
        uses.is_upper_unit = uses.is_upper_unit && coefficient >= -1;
    }
    return uses;
}

#define INEXACT_COST 4 /* an elimination that loses integers is put off */

/* The variable whose elimination makes the fewest new rows; false when none is left. */
static bool choose_variable(const LinearSystem *system, size_t *variable) {
    size_t best = SIZE_MAX;
    for (size_t v = 0; v < system->variable_count; v++) {
        Uses uses = uses_of(system, v);
        if (uses.lower + uses.upper == 0) {
            continue;
        }
        bool is_exact = uses.is_lower_unit || uses.is_upper_unit;
        size_t cost = uses.lower * uses.upper * (is_exact ? 1 : INEXACT_COST);
        if (cost < best) {
            best = cost;
            *variable = v;
        }
    }
    return best != SIZE_MAX;
}

/* Each lower bound of the variable with each upper bound. */
static Progress eliminate(LinearSystem *system, size_t variable) {
    LinearSystem next;
    linear_begin(&next);
    next.variable_count = system->variable_count;
    for (size_t i = 0; i < system->row_count; i++) {
        const LinearRow *lower = &system->rows[i];
        if (lower->coefficients[variable] == 0) {
            linear_add(&next, lower);
        }
        for (size_t k = 0; lower->coefficients[variable] > 0 && k < system->row_count; k++) {
            const LinearRow *upper = &system->rows[k];
            if (upper->coefficients[variable] >= 0) {
                continue;
            }
            LinearRow row = {.is_equality = false};
            if (!add_multiple(system, &row, lower, -upper->coefficients[variable]) ||
                !add_multiple(system, &row, upper, lower->coefficients[variable])) {
                return PROGRESS_GIVES_UP;
            }
            linear_add(&next, &row);
        }
    }
    if (next.is_full) {
        return PROGRESS_GIVES_UP;
    }
    system->row_count = next.row_count;
    memcpy(system->rows, next.rows, next.row_count * sizeof *next.rows);
    return normalise_all(system) ? PROGRESS_INFEASIBLE : PROGRESS_GOES_ON;
}

/* All equations are used up, also those that inequalities amount to. */
static Progress settle_equations(LinearSystem *system) {
    bool has_equation = true;
    Progress progress = PROGRESS_GOES_ON;
    while (progress == PROGRESS_GOES_ON && has_equation) {
        size_t row = 0;
        size_t variable = 0;
        has_equation = false;
        if (find_unit(system, &row, &variable)) {
            progress = substitute(system, row, variable);
            has_equation = true;
        } else {
            progress = merge_rows(system, &has_equation);
            has_equation = has_equation && find_unit(system, &row, &variable);
        }
    }
    split_equations(system);
    return progress;
}

bool linear_is_infeasible(LinearSystem *system) {
    if (normalise_all(system)) {
        return true;
    }
    for (size_t i = 0; i < system->row_count; i++) {
        if (!is_small(system, &system->rows[i])) {
            return false;
        }
    }
    Progress progress = PROGRESS_GOES_ON;
    size_t variable = 0;
    while (progress == PROGRESS_GOES_ON) {
        progress = settle_equations(system);
        if (progress != PROGRESS_GOES_ON || !choose_variable(system, &variable)) {
            break;
        }
        progress = eliminate(system, variable);
    }
    return progress == PROGRESS_INFEASIBLE;
}
