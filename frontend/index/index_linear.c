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
    system->looks = 0;
}

void linear_add(LinearSystem *system, const LinearRow *row) {
    if (system->row_count == LINEAR_ROWS) {
        system->is_full = true;
        return;
    }
    system->rows[system->row_count++] = *row;
}

/* Of the least number one less: it is too large for a row either way. */
static int64_t magnitude(int64_t value) {
    return value == INT64_MIN ? INT64_MAX : value < 0 ? -value : value;
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

/* For each variable in the row. */
#define FOR_USED(variable, set)                                                                    \
    for (uint32_t variable##_left = (set), variable = 0;                                           \
         variable##_left && (variable = (uint32_t)__builtin_ctz(variable##_left), true);           \
         variable##_left &= variable##_left - 1)

static bool is_small(const LinearRow *row) {
    FOR_USED(i, row->used) {
        if (magnitude(row->coefficients[i]) > COEFFICIENT_LIMIT) {
            return false;
        }
    }
    return magnitude(row->constant) <= COEFFICIENT_LIMIT;
}

typedef enum RowState { ROW_USEFUL, ROW_ALWAYS, ROW_NEVER } RowState;

/* Divide by the common divisor; an equation whose constant it does not divide has no solution, an
 * inequality is tightened. */
static RowState normalise(LinearRow *row) {
    int64_t divisor = 0;
    FOR_USED(i, row->used) {
        if (row->coefficients[i] == INT64_MIN) {
            return ROW_USEFUL; /* and not small */
        }
        if (row->coefficients[i] == 0) {
            row->used &= ~(1U << i);
        } else if (divisor != 1) {
            divisor = gcd(magnitude(row->coefficients[i]), divisor);
        }
    }
    if (divisor == 1) {
        return ROW_USEFUL;
    }
    if (divisor == 0) {
        bool holds = row->is_equality ? row->constant == 0 : row->constant >= 0;
        return holds ? ROW_ALWAYS : ROW_NEVER;
    }
    if (row->is_equality && row->constant % divisor != 0) {
        return ROW_NEVER;
    }
    FOR_USED(i, row->used) {
        row->coefficients[i] /= divisor;
    }
    row->constant = floor_divide(row->constant, divisor);
    return ROW_USEFUL;
}

static void drop_row(LinearSystem *system, size_t index) {
    system->rows[index] = system->rows[--system->row_count];
}

static LinearProgress normalise_all(LinearSystem *system) {
    for (size_t i = 0; i < system->row_count;) {
        LinearRow *row = &system->rows[i];
        if (row->used != 0) {
            i++;
            continue; /* it is small already */
        }
        row->used = (1U << system->variable_count) - 1;
        RowState state = normalise(row);
        if (state == ROW_NEVER) {
            return LINEAR_INFEASIBLE;
        }
        if (state == ROW_ALWAYS) {
            drop_row(system, i);
        } else if (!is_small(row)) {
            return LINEAR_GIVES_UP;
        } else {
            i++;
        }
    }
    return LINEAR_GOES_ON;
}

/* number += factor * by, false when it grows too large. */
static bool add_product(int64_t *number, int64_t factor, int64_t by) {
    int64_t product = 0;
    return !__builtin_mul_overflow(factor, by, &product) &&
           !__builtin_add_overflow(*number, product, number) &&
           magnitude(*number) <= COEFFICIENT_LIMIT;
}

/* row += factor * by */
static bool add_multiple(LinearRow *row, const LinearRow *by, int64_t factor) {
    row->used |= by->used;
    FOR_USED(i, by->used) {
        if (!add_product(&row->coefficients[i], factor, by->coefficients[i])) {
            return false;
        }
    }
    return add_product(&row->constant, factor, by->constant);
}

/* An equation with a coefficient of 1, not that of the variable `kept`. */
static bool find_unit(const LinearSystem *system, size_t kept, size_t *row, size_t *variable) {
    uint32_t others = kept < LINEAR_VARIABLES ? ~(1U << kept) : UINT32_MAX;
    for (size_t i = 0; i < system->row_count; i++) {
        uint32_t used = system->rows[i].is_equality ? system->rows[i].used & others : 0;
        FOR_USED(v, used) {
            if (magnitude(system->rows[i].coefficients[v]) == 1) {
                *row = i;
                *variable = v;
                return true;
            }
        }
    }
    return false;
}

/* Use an equation x = .. to remove x from all other rows. */
static LinearProgress substitute(LinearSystem *system, size_t index, size_t variable) {
    LinearRow equation = system->rows[index];
    drop_row(system, index);
    for (size_t i = 0; i < system->row_count;) {
        LinearRow *row = &system->rows[i];
        int64_t factor = -row->coefficients[variable] * equation.coefficients[variable];
        RowState state = ROW_USEFUL;
        if (factor != 0) {
            if (!add_multiple(row, &equation, factor)) {
                return LINEAR_GIVES_UP;
            }
            state = normalise(row);
        }
        if (state == ROW_NEVER) {
            return LINEAR_INFEASIBLE;
        }
        if (state == ROW_ALWAYS) {
            drop_row(system, i);
        } else {
            i++;
        }
    }
    return LINEAR_GOES_ON;
}

/* ---- equations without a coefficient of 1 ---- */

/* What is left of a number when a multiple of `by` is taken away: of these the nearest to 0. */
static int64_t nearest_remainder(int64_t number, int64_t by) {
    int64_t remainder = number - by * floor_divide(number, by);
    return remainder > by / 2 ? remainder - by : remainder;
}

/* The variable with the smallest coefficient. */
static size_t smallest(const LinearRow *row) {
    size_t best = (size_t)__builtin_ctz(row->used);
    FOR_USED(i, row->used) {
        if (magnitude(row->coefficients[i]) < magnitude(row->coefficients[best])) {
            best = i;
        }
    }
    return best;
}

/* A further equation that has one: 3i - 4q = 1 says that i is -1 - 4t for some t, a new variable.
 * The coefficients of the first shrink when it is used. */
static bool add_unit(LinearSystem *system) {
    const LinearRow *equation = NULL;
    for (size_t i = 0; i < system->row_count && !equation; i++) {
        equation = system->rows[i].is_equality ? &system->rows[i] : NULL;
    }
    if (!equation || system->variable_count == LINEAR_VARIABLES ||
        system->row_count == LINEAR_ROWS) {
        return false;
    }
    int64_t by = magnitude(equation->coefficients[smallest(equation)]) + 1;
    LinearRow row = {.is_equality = true, .constant = nearest_remainder(equation->constant, by)};
    FOR_USED(i, equation->used) {
        row.coefficients[i] = nearest_remainder(equation->coefficients[i], by);
    }
    row.coefficients[system->variable_count] = -by;
    row.used = equation->used | 1U << system->variable_count++;
    normalise(&row); /* a coefficient is 1 */
    linear_add(system, &row);
    return true;
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
        add_multiple(&opposite, &system->rows[i], -1); /* rows are small */
        linear_add(system, &opposite);
    }
}

/* ---- rows with the same coefficients ---- */

/* b = sign * a; the same variables are in both. */
static bool is_parallel(const LinearRow *a, const LinearRow *b, int64_t sign) {
    FOR_USED(i, a->used) {
        if (a->coefficients[i] != sign * b->coefficients[i]) {
            return false;
        }
    }
    return true;
}

typedef enum Merge { MERGE_NONE, MERGE_SAME, MERGE_EQUATION, MERGE_NEVER } Merge;

/* Of two inequalities with the same coefficients the tighter one stays; two that say the opposite
 * of one another leave one number: an equation. */
static Merge merge_pair(LinearRow *row, const LinearRow *other) {
    if (row->used != other->used || other->is_equality) {
        return MERGE_NONE;
    }
    if (is_parallel(row, other, 1)) {
        row->constant = other->constant < row->constant ? other->constant : row->constant;
        return MERGE_SAME;
    }
    if (!is_parallel(row, other, -1) || row->constant + other->constant > 0) {
        return MERGE_NONE;
    }
    row->is_equality = row->constant + other->constant == 0;
    return row->is_equality ? MERGE_EQUATION : MERGE_NEVER;
}

static LinearProgress merge_rows(LinearSystem *system, bool *has_equation) {
    for (size_t i = 0; i < system->row_count; i++) {
        LinearRow *row = &system->rows[i];
        for (size_t k = i + 1; k < system->row_count && !row->is_equality;) {
            Merge merge = merge_pair(row, &system->rows[k]);
            if (merge == MERGE_NEVER) {
                return LINEAR_INFEASIBLE;
            }
            *has_equation = *has_equation || merge == MERGE_EQUATION;
            if (merge == MERGE_NONE) {
                k++;
            } else {
                drop_row(system, k);
            }
        }
    }
    return LINEAR_GOES_ON;
}

/* ---- Fourier and Motzkin's elimination ---- */

typedef struct Uses {
    size_t lower;
    size_t upper;
    bool is_lower_unit; /* all coefficients are 1 */
    bool is_upper_unit;
} Uses;

static void count_uses(const LinearSystem *system, Uses *uses) {
    for (size_t v = 0; v < system->variable_count; v++) {
        uses[v] = (Uses){0, 0, true, true};
    }
    for (size_t i = 0; i < system->row_count; i++) {
        FOR_USED(v, system->rows[i].used) {
            int64_t coefficient = system->rows[i].coefficients[v];
            uses[v].lower += coefficient > 0;
            uses[v].upper += coefficient < 0;
            uses[v].is_lower_unit = uses[v].is_lower_unit && coefficient <= 1;
            uses[v].is_upper_unit = uses[v].is_upper_unit && coefficient >= -1;
        }
    }
}

#define INEXACT_COST 64 /* an elimination that loses integers is put off */

/* The variable whose elimination makes the fewest new rows; false when none is left but `kept`. */
static bool choose_variable(const LinearSystem *system, size_t kept, size_t *variable) {
    Uses uses[LINEAR_VARIABLES];
    count_uses(system, uses);
    size_t best = SIZE_MAX;
    for (size_t v = 0; v < system->variable_count; v++) {
        if (v == kept || uses[v].lower + uses[v].upper == 0) {
            continue;
        }
        bool is_exact = uses[v].is_lower_unit || uses[v].is_upper_unit;
        size_t cost = uses[v].lower * uses[v].upper * (is_exact ? 1 : INEXACT_COST);
        if (cost < best) {
            best = cost;
            *variable = v;
        }
    }
    return best != SIZE_MAX;
}

/* A lower bound with an upper bound: what that leaves goes into next. False: it has no solution. A
 * row whose numbers grow too large is left out. */
static bool combine(LinearSystem *next, const LinearRow *lower, const LinearRow *upper,
                    size_t variable) {
    LinearRow row = {.is_equality = false};
    int64_t low = lower->coefficients[variable];
    int64_t high = -upper->coefficients[variable];
    int64_t common = gcd(low, high);
    if (!add_multiple(&row, lower, high / common) || !add_multiple(&row, upper, low / common)) {
        return true;
    }
    RowState state = normalise(&row);
    if (state == ROW_USEFUL) {
        linear_add(next, &row);
    }
    return state != ROW_NEVER;
}

/* Each lower bound of the variable with each upper bound. */
static LinearProgress eliminate(LinearSystem *system, size_t variable) {
    LinearSystem next;
    linear_begin(&next);
    next.variable_count = system->variable_count;
    for (size_t i = 0; i < system->row_count; i++) {
        const LinearRow *lower = &system->rows[i];
        if (lower->coefficients[variable] == 0) {
            linear_add(&next, lower);
        }
        for (size_t k = 0; lower->coefficients[variable] > 0 && k < system->row_count; k++) {
            if (system->rows[k].coefficients[variable] < 0 &&
                !combine(&next, lower, &system->rows[k], variable)) {
                return LINEAR_INFEASIBLE;
            }
        }
    }
    system->row_count = next.row_count; /* where it was full rows are left out */
    memcpy(system->rows, next.rows, next.row_count * sizeof *next.rows);
    return LINEAR_GOES_ON;
}

/* All equations are used up, also those that inequalities amount to. */
static LinearProgress settle_equations(LinearSystem *system) {
    bool has_equation = true;
    LinearProgress progress = LINEAR_GOES_ON;
    while (progress == LINEAR_GOES_ON && has_equation) {
        size_t row = 0;
        size_t variable = 0;
        has_equation = false;
        if (find_unit(system, SIZE_MAX, &row, &variable)) {
            progress = substitute(system, row, variable);
            has_equation = true;
        } else {
            progress = merge_rows(system, &has_equation);
            has_equation = has_equation || add_unit(system);
        }
    }
    split_equations(system);
    return progress;
}

bool linear_replace(const LinearEquations *equations, LinearRow *row) {
    row->used = (1U << LINEAR_VARIABLES) - 1;
    for (size_t i = 0; i < equations->count; i++) {
        size_t variable = equations->variables[i];
        int64_t sign = equations->rows[i].coefficients[variable];
        if (row->coefficients[variable] != 0 &&
            !add_multiple(row, &equations->rows[i], -row->coefficients[variable] * sign)) {
            return false;
        }
    }
    row->used = 0;
    return true;
}

LinearProgress linear_settle(LinearSystem *system, LinearEquations *equations) {
    LinearProgress progress = normalise_all(system);
    size_t row = 0;
    size_t variable = 0;
    while (progress == LINEAR_GOES_ON && equations->count < LINEAR_VARIABLES &&
           (find_unit(system, SIZE_MAX, &row, &variable) ||
            (add_unit(system) && find_unit(system, SIZE_MAX, &row, &variable)))) {
        equations->rows[equations->count] = system->rows[row];
        equations->variables[equations->count++] = variable;
        progress = substitute(system, row, variable);
    }
    return progress;
}

bool linear_is_infeasible(LinearSystem *system) {
    LinearProgress progress = normalise_all(system);
    size_t variable = 0;
    while (progress == LINEAR_GOES_ON) {
        system->looks += system->row_count;
        progress = settle_equations(system);
        if (progress != LINEAR_GOES_ON || !choose_variable(system, SIZE_MAX, &variable)) {
            break;
        }
        progress = eliminate(system, variable);
    }
    return progress == LINEAR_INFEASIBLE;
}

/* What is left of the rows says of the variable. */
static void read_bounds(const LinearSystem *system, size_t variable, int64_t *low, int64_t *high) {
    for (size_t i = 0; i < system->row_count; i++) {
        const LinearRow *row = &system->rows[i];
        int64_t by = row->coefficients[variable];
        if (by > 0) {
            int64_t least = -floor_divide(row->constant, by);
            *low = least > *low ? least : *low;
        } else if (by < 0) {
            int64_t most = floor_divide(row->constant, -by);
            *high = most < *high ? most : *high;
        }
    }
}

bool linear_bounds(LinearSystem *system, size_t variable, int64_t *low, int64_t *high) {
    LinearProgress progress = normalise_all(system);
    size_t row = 0;
    size_t other = 0;
    *low = INT64_MIN;
    *high = INT64_MAX;
    while (progress == LINEAR_GOES_ON && find_unit(system, variable, &row, &other)) {
        progress = substitute(system, row, other);
    }
    split_equations(system);
    while (progress == LINEAR_GOES_ON && choose_variable(system, variable, &other)) {
        system->looks += system->row_count;
        progress = eliminate(system, other);
    }
    if (progress == LINEAR_GOES_ON && variable < LINEAR_VARIABLES) {
        read_bounds(system, variable, low, high);
    }
    return progress != LINEAR_INFEASIBLE && *low <= *high;
}
