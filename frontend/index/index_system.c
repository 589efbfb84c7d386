/* index_system -- two accesses that meet as a linear system (index_linear.c): a variable for each
 * loop of one side, shared loop, parameter, and quotient of an expression by a constant. */
#include "usage_index.h"

/* A variable of the system: a loop of one side, a shared loop, a parameter, or the quotient of an
 * expression by a constant. */
typedef struct Variable {
    const IndexLoop *loop;
    const IndexExpr *parameter;
    const IndexExpr *divided;
    int64_t by;
    bool is_floor; /* rounded down, not towards zero */
    int side;      /* 0 left, 1 right, 2 shared */
} Variable;

typedef struct Builder {
    LinearSystem system;
    Variable variables[LINEAR_VARIABLES];
    const IndexPair *pair;
    bool failed; /* too many variables */
} Builder;

#define SIDE_SHARED 2

static void begin(Builder *builder, const IndexPair *pair) {
    linear_begin(&builder->system);
    builder->pair = pair;
    builder->failed = false;
}

static int side_of(const Builder *builder, const IndexLoop *loop, int side) {
    return loop->depth < builder->pair->shared_depth ? SIDE_SHARED : side;
}

static bool is_linear(const Builder *builder, const IndexExpr *expr);
static bool add_linear(Builder *builder, const IndexExpr *expr, int side, int64_t factor,
                       LinearRow *row);

static size_t add_variable(Builder *builder, Variable variable) {
    if (builder->system.variable_count == LINEAR_VARIABLES) {
        builder->failed = true;
        return 0;
    }
    builder->variables[builder->system.variable_count] = variable;
    return builder->system.variable_count++;
}

/* 0 <= iteration, iteration <= count - 1 */
static void add_bounds(Builder *builder, size_t variable) {
    const IndexLoop *loop = builder->variables[variable].loop;
    LinearRow low = {.is_equality = false};
    low.coefficients[variable] = 1;
    linear_add(&builder->system, &low);
    LinearRow high = {.constant = -1};
    high.coefficients[variable] = -1;
    if (is_linear(builder, loop->count) &&
        add_linear(builder, loop->count, builder->variables[variable].side, 1, &high)) {
        linear_add(&builder->system, &high);
    }
}

static size_t loop_variable(Builder *builder, const IndexLoop *loop, int side) {
    int of = side_of(builder, loop, side);
    for (size_t i = 0; i < builder->system.variable_count; i++) {
        const IndexLoop *known = builder->variables[i].loop;
        /* the two sides of a replicated loop are the same loop record */
        if (known == loop && builder->variables[i].side == of) {
            return i;
        }
    }
    size_t variable = add_variable(builder, (Variable){.loop = loop, .side = of});
    if (!builder->failed) {
        add_bounds(builder, variable);
    }
    return variable;
}

static size_t parameter_variable(Builder *builder, const IndexExpr *parameter, int side) {
    bool is_own =
        parameter->kind == INDEX_PARAMETER && parameter->value >= builder->pair->first_local;
    int of = is_own ? side : SIDE_SHARED;
    for (size_t i = 0; i < builder->system.variable_count; i++) {
        const IndexExpr *known = builder->variables[i].parameter;
        if (known && index_equal(known, parameter) && builder->variables[i].side == of) {
            return i;
        }
    }
    return add_variable(builder, (Variable){.parameter = parameter, .side = of});
}

/* ---- quotients and remainders ---- */

static bool is_power_less_one(int64_t value) {
    return value > 0 && (value & (value + 1)) == 0;
}

/* expr \ by, expr / by, expr /\ (by - 1), with by a constant above 1; 0: it is none. */
static int64_t divisor_of(const IndexExpr *expr) {
    if (expr->kind != INDEX_OPERATOR || expr->right->kind != INDEX_CONSTANT) {
        return 0;
    }
    int64_t value = expr->right->value;
    if (expr->op == OPERATOR_BITAND) {
        return is_power_less_one(value) ? value + 1 : 0;
    }
    bool is_division = expr->op == OPERATOR_DIVIDE || expr->op == OPERATOR_REMAINDER;
    return is_division && value > 1 ? value : 0;
}

/* The quotient of a remainder or quotient is the new variable. What is left over is at least 0 and
 * less than `by`; where the value may be negative and is rounded towards zero, more than -by. */
static void add_quotient_bounds(Builder *builder, const IndexExpr *expr, int side, int64_t by,
                                size_t quotient) {
    bool is_floor = builder->variables[quotient].is_floor;
    LinearRow low = {.constant = is_floor || index_is_natural(expr) ? 0 : by - 1};
    LinearRow high = {.constant = by - 1};
    low.coefficients[quotient] = -by;
    high.coefficients[quotient] = by;
    if (add_linear(builder, expr, side, 1, &low) && add_linear(builder, expr, side, -1, &high)) {
        linear_add(&builder->system, &low);
        linear_add(&builder->system, &high);
    }
}

static size_t quotient_variable(Builder *builder, const IndexExpr *expr, int side) {
    int64_t by = divisor_of(expr);
    bool is_floor = expr->op == OPERATOR_BITAND;
    int of = index_is_shared(expr->left, builder->pair) ? SIDE_SHARED : side;
    for (size_t i = 0; i < builder->system.variable_count; i++) {
        const Variable *known = &builder->variables[i];
        if (known->divided && known->by == by && known->is_floor == is_floor && known->side == of &&
            index_equal(known->divided, expr->left)) {
            return i;
        }
    }
    size_t variable = add_variable(
        builder, (Variable){.divided = expr->left, .by = by, .is_floor = is_floor, .side = of});
    if (!builder->failed) {
        add_quotient_bounds(builder, expr->left, of, by, variable);
    }
    return variable;
}

/* ---- linear forms ---- */

bool index_is_shared(const IndexExpr *expr, const IndexPair *pair) {
    switch (expr->kind) {
    case INDEX_CONSTANT: return true;
    case INDEX_LOOP: return expr->loop->depth < pair->shared_depth;
    case INDEX_PARAMETER: return expr->value < pair->first_local;
    case INDEX_OPERATOR:
    case INDEX_ELEMENT:
        return index_is_shared(expr->left, pair) && index_is_shared(expr->right, pair);
    case INDEX_LOOKUP: return index_is_shared(expr->left, pair);
    case INDEX_UNKNOWN: return false;
    }
    return false;
}

static bool is_sum(const IndexExpr *expr) {
    return expr->kind == INDEX_OPERATOR &&
           (expr->op == OPERATOR_ADD || expr->op == OPERATOR_SUBTRACT);
}

static bool is_multiple(const IndexExpr *expr) {
    return expr->kind == INDEX_OPERATOR && expr->op == OPERATOR_MULTIPLY &&
           (expr->left->kind == INDEX_CONSTANT || expr->right->kind == INDEX_CONSTANT);
}

/* What is not linear but the same on both sides counts as a parameter. */
static bool is_linear(const Builder *builder, const IndexExpr *expr) {
    switch (expr->kind) {
    case INDEX_CONSTANT:
    case INDEX_LOOP:
    case INDEX_PARAMETER: return true;
    case INDEX_OPERATOR:
        if (is_sum(expr) || is_multiple(expr)) {
            return is_linear(builder, expr->left) && is_linear(builder, expr->right);
        }
        return index_is_shared(expr, builder->pair) ||
               (divisor_of(expr) && is_linear(builder, expr->left));
    case INDEX_LOOKUP:
    case INDEX_ELEMENT: return index_is_shared(expr, builder->pair);
    case INDEX_UNKNOWN: return false;
    }
    return false;
}

#define SUM_LIMIT    ((int64_t)1 << 40)
#define FACTOR_LIMIT ((int64_t)1 << 20)

static bool exceeds(int64_t value, int64_t limit) {
    return value > limit || value < -limit;
}

static bool add_product(Builder *builder, const IndexExpr *expr, int side, int64_t factor,
                        LinearRow *row) {
    bool is_left = expr->left->kind == INDEX_CONSTANT;
    int64_t constant = is_left ? expr->left->value : expr->right->value;
    const IndexExpr *other = is_left ? expr->right : expr->left;
    return !exceeds(constant, FACTOR_LIMIT) &&
           add_linear(builder, other, side, factor * constant, row);
}

/* A remainder is what was divided less the quotient times the divisor. */
static bool add_divided(Builder *builder, const IndexExpr *expr, int side, int64_t factor,
                        LinearRow *row) {
    int64_t by = divisor_of(expr);
    size_t quotient = quotient_variable(builder, expr, side);
    if (builder->failed || exceeds(by, FACTOR_LIMIT)) {
        return false;
    }
    if (expr->op == OPERATOR_DIVIDE) {
        row->coefficients[quotient] += factor;
        return true;
    }
    row->coefficients[quotient] -= factor * by;
    return add_linear(builder, expr->left, side, factor, row);
}

/* row += factor * expr; false when a number grows too large or there are too many variables. */
static bool add_linear(Builder *builder, const IndexExpr *expr, int side, int64_t factor,
                       LinearRow *row) {
    if (exceeds(factor, FACTOR_LIMIT)) {
        return false;
    }
    switch (expr->kind) {
    case INDEX_CONSTANT:
        if (exceeds(expr->value, SUM_LIMIT)) {
            return false;
        }
        row->constant += factor * expr->value;
        return !exceeds(row->constant, SUM_LIMIT);
    case INDEX_LOOP:
        row->coefficients[loop_variable(builder, expr->loop, side)] += factor;
        return !builder->failed;
    case INDEX_PARAMETER:
        row->coefficients[parameter_variable(builder, expr, side)] += factor;
        return !builder->failed;
    case INDEX_OPERATOR:
        if (is_multiple(expr)) {
            return add_product(builder, expr, side, factor, row);
        }
        if (is_sum(expr)) {
            return add_linear(builder, expr->left, side, factor, row) &&
                   add_linear(builder, expr->right, side,
                              expr->op == OPERATOR_SUBTRACT ? -factor : factor, row);
        }
        if (divisor_of(expr) && is_linear(builder, expr->left)) {
            return add_divided(builder, expr, side, factor, row);
        }
        row->coefficients[parameter_variable(builder, expr, side)] += factor;
        return !builder->failed;
    case INDEX_LOOKUP:
    case INDEX_ELEMENT:
        row->coefficients[parameter_variable(builder, expr, side)] += factor;
        return !builder->failed;
    case INDEX_UNKNOWN: return false;
    }
    return false;
}

/* ---- the rows of a pair ---- */

/* left - right + constant, = 0 or >= 0; left out where it is not linear. */
static void add_difference(Builder *builder, const IndexExpr *left, int left_side,
                           const IndexExpr *right, int right_side, int64_t constant,
                           bool is_equality) {
    LinearRow row = {.constant = constant, .is_equality = is_equality};
    if (is_linear(builder, left) && is_linear(builder, right) &&
        add_linear(builder, left, left_side, 1, &row) &&
        add_linear(builder, right, right_side, -1, &row)) {
        linear_add(&builder->system, &row);
    }
}

/* from_b <= from_a + length_a - 1, and length_a >= 1 */
static void add_reach(Builder *builder, const IndexDimension *a, int a_side,
                      const IndexDimension *b, int b_side) {
    LinearRow row = {.constant = -1};
    LinearRow positive = {.constant = -1};
    if (!a->length) {
        add_difference(builder, a->from, a_side, b->from, b_side, 0, false);
        return;
    }
    if (!is_linear(builder, a->length)) {
        return;
    }
    if (add_linear(builder, a->length, a_side, 1, &positive)) {
        linear_add(&builder->system, &positive);
    }
    if (is_linear(builder, a->from) && is_linear(builder, b->from) &&
        add_linear(builder, a->length, a_side, 1, &row) &&
        add_linear(builder, a->from, a_side, 1, &row) &&
        add_linear(builder, b->from, b_side, -1, &row)) {
        linear_add(&builder->system, &row);
    }
}

/* What was chosen from a segment lies in it. */
static void add_within(Builder *builder, const IndexDimension *dimension, int side) {
    const IndexDimension *within = dimension->within;
    if (!within || !within->from || !within->length) {
        return;
    }
    IndexDimension first = {dimension->from, NULL, NULL};
    add_difference(builder, dimension->from, side, within->from, side, 0, false);
    add_reach(builder, within, side, &first, side);
}

/* A subscript of which nothing is known still lies in the segment it chooses from. */
static const IndexDimension *known_part(const Builder *builder, const IndexDimension *dimension) {
    while (dimension->from && dimension->within && !is_linear(builder, dimension->from)) {
        dimension = dimension->within;
    }
    return dimension;
}

static void add_dimension(Builder *builder, const IndexDimension *left,
                          const IndexDimension *right) {
    left = known_part(builder, left);
    right = known_part(builder, right);
    if (!left->from || !right->from) {
        return;
    }
    add_within(builder, left, 0);
    add_within(builder, right, 1);
    if (!left->length && !right->length) {
        add_difference(builder, left->from, 0, right->from, 1, 0, true);
        return;
    }
    add_reach(builder, left, 0, right, 1);
    add_reach(builder, right, 1, left, 0);
}

Operator index_negated(Operator op) {
    return op == OPERATOR_EQUAL        ? OPERATOR_NOT_EQUAL
           : op == OPERATOR_NOT_EQUAL  ? OPERATOR_EQUAL
           : op == OPERATOR_LESS       ? OPERATOR_GREATER_EQUAL
           : op == OPERATOR_LESS_EQUAL ? OPERATOR_GREATER
           : op == OPERATOR_GREATER    ? OPERATOR_LESS_EQUAL
                                       : OPERATOR_LESS;
}

/* A guard says something of the iterations; <> and OR are two cases, and left out. */
static void add_guards(Builder *builder, const IndexGuard *guard, int side) {
    for (; guard; guard = guard->outer) {
        if (guard->is_choice) {
            continue;
        }
        Operator op = guard->is_negated ? index_negated(guard->op) : guard->op;
        const IndexExpr *left = guard->left;
        const IndexExpr *right = guard->right;
        if (op == OPERATOR_EQUAL) {
            add_difference(builder, left, side, right, side, 0, true);
        } else if (op == OPERATOR_LESS || op == OPERATOR_LESS_EQUAL) {
            add_difference(builder, right, side, left, side, op == OPERATOR_LESS ? -1 : 0, false);
        } else if (op != OPERATOR_NOT_EQUAL) {
            add_difference(builder, left, side, right, side, op == OPERATOR_GREATER ? -1 : 0,
                           false);
        }
    }
}

const IndexLoop *index_loop_at(const IndexLoop *loop, unsigned depth) {
    while (loop && loop->depth > depth) {
        loop = loop->outer;
    }
    return loop && loop->depth == depth ? loop : NULL;
}

bool index_system_is_empty(const IndexRegion *left, const IndexRegion *right, const IndexPair *pair,
                           bool left_first) {
    Builder builder;
    begin(&builder, pair);
    const IndexLoop *loop =
        pair->is_replicated ? index_loop_at(left->loops, pair->shared_depth) : NULL;
    if (loop) {
        LinearRow order = {.constant = -1};
        size_t a = loop_variable(&builder, loop, 0);
        size_t b = loop_variable(&builder, loop, 1);
        order.coefficients[a] += left_first ? -1 : 1;
        order.coefficients[b] += left_first ? 1 : -1;
        linear_add(&builder.system, &order);
    }
    size_t count = left->count < right->count ? left->count : right->count;
    for (size_t i = 0; i < count; i++) {
        if (!index_is_plain(&left->dimensions[i], &right->dimensions[i])) {
            add_dimension(&builder, &left->dimensions[i], &right->dimensions[i]);
        }
    }
    add_guards(&builder, left->guards, 0);
    add_guards(&builder, right->guards, 1);
    return linear_is_infeasible(&builder.system);
}
