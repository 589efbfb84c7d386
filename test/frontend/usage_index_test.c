/* usage_index -- the answers on known cases, and on thousands of random pairs against trying every
 * pair of iterations. */
#include "usage_index.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static Arena *arena;

static const IndexExpr *number(int64_t value) {
    return index_constant(arena, value);
}

static const IndexExpr *op(Operator operator, const IndexExpr * left, const IndexExpr *right) {
    return index_operator(arena, operator, left, right);
}

static const IndexExpr *add(const IndexExpr *left, const IndexExpr *right) {
    return op(OPERATOR_ADD, left, right);
}

static const IndexExpr *times(const IndexExpr *left, const IndexExpr *right) {
    return op(OPERATOR_MULTIPLY, left, right);
}

static IndexLoop *loop(const IndexLoop *outer, const IndexExpr *count) {
    IndexLoop *made = arena_new(arena, IndexLoop);
    made->outer = outer;
    made->count = count;
    made->depth = outer ? outer->depth + 1 : 0;
    made->name = "i";
    return made;
}

static IndexRegion element(const IndexLoop *loops, const IndexExpr *from) {
    IndexDimension *dimension = arena_new(arena, IndexDimension);
    dimension->from = from;
    return (IndexRegion){dimension, 1, loops, NULL, 0};
}

static IndexRegion segment(const IndexLoop *loops, const IndexExpr *from, const IndexExpr *length) {
    IndexRegion region = element(loops, from);
    ((IndexDimension *)region.dimensions)->length = length;
    return region;
}

/* As the branches of a PAR are compared. */
static IndexAnswer replicated(IndexRegion left, IndexRegion right) {
    uint64_t budget = 1000000;
    IndexPair pair = {
        .is_replicated = true, .is_thorough = true, .budget = &budget, .first_local = INT64_MAX};
    return index_compare(&left, &right, &pair);
}

static IndexAnswer side_by_side(IndexRegion left, IndexRegion right) {
    uint64_t budget = 1000000;
    IndexPair pair = {.budget = &budget, .first_local = INT64_MAX, .shared_depth = UINT32_MAX};
    return index_compare(&left, &right, &pair);
}

static void test_usage_index__affine(void) {
    IndexLoop *i = loop(NULL, number(10));
    const IndexExpr *at = index_loop(arena, i);
    assert(replicated(element(i, at), element(i, at)) == INDEX_DISJOINT);
    assert(replicated(element(i, at), element(i, add(at, number(1)))) == INDEX_OVERLAP);
    assert(replicated(element(i, times(at, number(2))),
                      element(i, add(times(at, number(2)), number(1)))) == INDEX_DISJOINT);
    assert(replicated(segment(i, times(at, number(4)), number(4)),
                      segment(i, times(at, number(4)), number(4))) == INDEX_DISJOINT);
    assert(replicated(segment(i, times(at, number(4)), number(5)),
                      segment(i, times(at, number(4)), number(5))) == INDEX_OVERLAP);
    assert(replicated(element(i, number(3)), element(i, number(3))) == INDEX_OVERLAP);
}

static void test_usage_index__one_by_one(void) {
    IndexLoop *i = loop(NULL, number(10));
    const IndexExpr *at = index_loop(arena, i);
    const IndexExpr *next = op(OPERATOR_REMAINDER, add(at, number(1)), number(10));
    const IndexExpr *half = op(OPERATOR_DIVIDE, at, number(2));
    assert(replicated(element(i, next), element(i, next)) == INDEX_DISJOINT);
    assert(replicated(element(i, next), element(i, at)) == INDEX_OVERLAP);
    assert(replicated(element(i, half), element(i, half)) == INDEX_OVERLAP);
    IndexLoop *many = loop(NULL, number(100000));
    const IndexExpr *turned =
        op(OPERATOR_REMAINDER, add(index_loop(arena, many), number(7)), number(100000));
    assert(replicated(element(many, turned), element(many, turned)) == INDEX_DISJOINT);
}

static void test_usage_index__unknown_count(void) {
    const IndexExpr *n = index_parameter(arena, "n", 1, "n");
    const IndexExpr *m = index_parameter(arena, "m", 2, "m");
    IndexLoop *i = loop(NULL, n);
    const IndexExpr *at = index_loop(arena, i);
    assert(replicated(element(i, at), element(i, at)) == INDEX_DISJOINT);
    assert(replicated(element(i, add(at, m)), element(i, add(at, m))) == INDEX_DISJOINT);
    assert(replicated(element(i, at), element(i, add(at, m))) == INDEX_IS_UNKNOWN);
    IndexRegion part = segment(i, times(at, m), m);
    assert(replicated(part, part) == INDEX_DISJOINT);
    IndexRegion too_long = segment(i, times(at, m), add(m, number(1)));
    assert(replicated(too_long, too_long) != INDEX_DISJOINT);
}

static void test_usage_index__parameters(void) {
    const IndexExpr *n = index_parameter(arena, "n", 1, "n");
    const IndexExpr *size = index_parameter(arena, "size", 2, "size");
    assert(side_by_side(element(NULL, n), element(NULL, add(n, number(1)))) == INDEX_DISJOINT);
    assert(side_by_side(element(NULL, n), element(NULL, n)) == INDEX_OVERLAP);
    assert(side_by_side(element(NULL, n), element(NULL, size)) == INDEX_IS_UNKNOWN);
    assert(side_by_side(segment(NULL, number(0), n),
                        segment(NULL, n, op(OPERATOR_SUBTRACT, size, n))) == INDEX_DISJOINT);
    const IndexExpr *half = op(OPERATOR_DIVIDE, size, number(2));
    assert(side_by_side(segment(NULL, number(0), half),
                        segment(NULL, half, op(OPERATOR_SUBTRACT, size, half))) == INDEX_DISJOINT);
    assert(side_by_side(element(NULL, index_unknown()), element(NULL, index_unknown())) ==
           INDEX_IS_UNKNOWN);
}

static void test_usage_index__local_parameters_are_each_their_own(void) {
    IndexLoop *i = loop(NULL, number(10));
    IndexRegion region = element(i, index_parameter(arena, "local", 50, "local"));
    uint64_t budget = 1000;
    IndexPair pair = {.is_replicated = true, .budget = &budget, .first_local = 40};
    assert(index_compare(&region, &region, &pair) == INDEX_IS_UNKNOWN);
}

static void test_usage_index__guards(void) {
    IndexLoop *i = loop(NULL, number(10));
    IndexGuard first = {.op = OPERATOR_EQUAL, .left = index_loop(arena, i), .right = number(0)};
    IndexGuard others = first;
    others.is_negated = true;
    IndexRegion whole = {.loops = i, .guards = &first};
    assert(replicated(whole, whole) == INDEX_DISJOINT);
    IndexRegion rest = {.loops = i, .guards = &others};
    assert(replicated(rest, rest) == INDEX_OVERLAP);
}

/* ---- random pairs ---- */

typedef struct Form {
    int64_t outer, inner, constant, length;
} Form;

static int64_t pick(int64_t low, int64_t high) {
    return low + rand() % (high - low + 1);
}

static IndexRegion region_of(const Form *form, const IndexLoop *outer, const IndexLoop *inner) {
    const IndexExpr *from = add(times(index_loop(arena, outer), number(form->outer)),
                                times(index_loop(arena, inner), number(form->inner)));
    from = add(from, number(form->constant));
    return form->length == 1 ? element(inner, from) : segment(inner, from, number(form->length));
}

static bool touches(const Form *a, const Form *b, int64_t ai, int64_t aj, int64_t bi, int64_t bj) {
    int64_t left = a->outer * ai + a->inner * aj + a->constant;
    int64_t right = b->outer * bi + b->inner * bj + b->constant;
    return left < right + b->length && right < left + a->length;
}

static bool meet(const Form *a, const Form *b, int64_t outer, int64_t a_inner, int64_t b_inner) {
    for (int64_t ai = 0; ai < outer; ai++) {
        for (int64_t bi = 0; bi < outer; bi++) {
            for (int64_t aj = 0; ai != bi && aj < a_inner; aj++) {
                for (int64_t bj = 0; bj < b_inner; bj++) {
                    if (touches(a, b, ai, aj, bi, bj)) {
                        return true;
                    }
                }
            }
        }
    }
    return false;
}

static void test_usage_index__agrees_with_trying_all(void) {
    srand(12345);
    for (int round = 0; round < 4000; round++) {
        int64_t counts[3] = {pick(2, 7), pick(1, 5), pick(1, 5)};
        IndexLoop *outer = loop(NULL, number(counts[0]));
        IndexLoop *left = loop(outer, number(counts[1]));
        IndexLoop *right = loop(outer, number(counts[2]));
        Form a = {pick(0, 8), pick(0, 4), pick(20, 30), pick(1, 3)};
        Form b = {pick(0, 8), pick(0, 4), pick(20, 30), pick(1, 3)};
        IndexAnswer answer = replicated(region_of(&a, outer, left), region_of(&b, outer, right));
        bool really = meet(&a, &b, counts[0], counts[1], counts[2]);
        if (answer != (really ? INDEX_OVERLAP : INDEX_DISJOINT)) {
            fprintf(stderr, "round %d: answer %d, really %d\n", round, (int)answer, really);
            exit(1);
        }
    }
}

static IndexAnswer by_cases(IndexRegion left, IndexRegion right, IndexSample *sample) {
    uint64_t budget = 1000000;
    IndexPair pair = {
        .is_replicated = true, .is_thorough = true, .budget = &budget, .first_local = INT64_MAX};
    IndexAnswer answer = index_meet_pair(&left, &right, &pair);
    *sample = pair.sample;
    return answer;
}

/* A sample is a case in which the two really meet. */
static bool is_true_sample(const IndexSample *sample, IndexRegion left, IndexRegion right) {
    int64_t at[2] = {0, 0};
    int64_t length[2] = {1, 1};
    const IndexDimension *parts[2] = {left.dimensions, right.dimensions};
    for (int i = 0; i < 2; i++) {
        IndexSide side = i == 0 ? SIDE_LEFT : SIDE_RIGHT;
        if (!index_sample_value(sample, parts[i]->from, side, &at[i]) ||
            (parts[i]->length && !index_sample_value(sample, parts[i]->length, side, &length[i]))) {
            return false;
        }
    }
    return at[0] < at[1] + length[1] && at[1] < at[0] + length[0];
}

static void test_usage_index__cases_agree_with_trying_all(void) {
    srand(54321);
    for (int round = 0; round < 500; round++) {
        int64_t counts[3] = {pick(2, 7), pick(1, 5), pick(1, 5)};
        IndexLoop *outer = loop(NULL, number(counts[0]));
        IndexLoop *left = loop(outer, number(counts[1]));
        IndexLoop *right = loop(outer, number(counts[2]));
        Form a = {pick(0, 8), pick(0, 4), pick(20, 30), pick(1, 3)};
        Form b = {pick(0, 8), pick(0, 4), pick(20, 30), pick(1, 3)};
        IndexRegion one = region_of(&a, outer, left);
        IndexRegion other = region_of(&b, outer, right);
        IndexSample sample;
        IndexAnswer answer = by_cases(one, other, &sample);
        bool really = meet(&a, &b, counts[0], counts[1], counts[2]);
        if (answer != (really ? INDEX_OVERLAP : INDEX_DISJOINT) ||
            (really && !is_true_sample(&sample, one, other))) {
            fprintf(stderr, "round %d: cases say %d, really %d\n", round, (int)answer, really);
            exit(1);
        }
    }
}

/* row * width + column, and what is too wide for it. */
static void test_usage_index__flat_rows_of_unknown_width(void) {
    const IndexExpr *width = index_parameter(arena, "width", 1, "width");
    const IndexExpr *height = index_parameter(arena, "height", 2, "height");
    IndexLoop *row = loop(NULL, height);
    IndexLoop *column = loop(row, width);
    IndexLoop *wide = loop(row, add(width, number(1)));
    const IndexExpr *start = times(index_loop(arena, row), width);
    IndexSample sample;
    IndexRegion good = element(column, add(start, index_loop(arena, column)));
    assert(by_cases(good, good, &sample) == INDEX_DISJOINT);
    IndexRegion bad = element(wide, add(start, index_loop(arena, wide)));
    assert(by_cases(bad, bad, &sample) == INDEX_IS_UNKNOWN);
}

static void test_usage_index__cases_say_apart_only_where_it_is_true(void) {
    static const IndexOperator operators[] = {OPERATOR_DIVIDE, OPERATOR_REMAINDER,
                                              OPERATOR_ADD,    INDEX_SMALLER,
                                              INDEX_LARGER,    OPERATOR_SHIFT_LEFT};
    srand(13579);
    int proved = 0;
    for (int round = 0; round < 2000; round++) {
        int64_t count = pick(2, 7);
        IndexLoop *branch = loop(NULL, number(count));
        const IndexExpr *subscripts[2];
        for (int i = 0; i < 2; i++) {
            const IndexExpr *base =
                add(times(number(pick(-3, 4)), index_loop(arena, branch)), number(pick(10, 20)));
            base = index_operator(arena, operators[pick(0, 5)], base, number(pick(2, 5)));
            subscripts[i] = add(times(number(pick(0, 2)), index_loop(arena, branch)), base);
        }
        bool really = false;
        for (int64_t i = 0; i < count * count; i++) {
            int64_t at[] = {i / count, i % count};
            int64_t left = 0;
            int64_t right = 0;
            bool has_both = index_evaluate(subscripts[0], &at[0], 1, &left) &&
                            index_evaluate(subscripts[1], &at[1], 1, &right);
            really = really || (has_both && at[0] != at[1] && left >= 0 && left == right);
        }
        IndexSample sample;
        IndexAnswer answer =
            by_cases(element(branch, subscripts[0]), element(branch, subscripts[1]), &sample);
        proved += answer == INDEX_DISJOINT;
        assert(!really || answer != INDEX_DISJOINT);
    }
    assert(proved > 300);
}

static void test_usage_index__cases_decide_blocks(void) {
    const IndexExpr *size = index_parameter(arena, "size", 1, "size");
    IndexLoop *worker = loop(NULL, index_parameter(arena, "workers", 2, "workers"));
    IndexLoop *item = loop(worker, size);
    const IndexExpr *from = times(index_loop(arena, worker), size);
    IndexRegion block = element(item, add(from, index_loop(arena, item)));
    IndexSample sample;
    assert(by_cases(block, block, &sample) == INDEX_DISJOINT);
    IndexRegion wide =
        element(item, add(add(from, index_loop(arena, item)), index_loop(arena, item)));
    assert(by_cases(wide, wide, &sample) == INDEX_IS_UNKNOWN);
}

static void test_usage_index__linear_finds_parity(void) {
    LinearSystem system = {.variable_count = 3}; /* x = 2y, x + 1 = 2z, as inequalities */
    LinearRow rows[] = {{.coefficients = {1, -2, 0}},
                        {.coefficients = {-1, 2, 0}},
                        {.coefficients = {1, 0, -2}, .constant = 1},
                        {.coefficients = {-1, 0, 2}, .constant = -1}};
    for (size_t i = 0; i < 4; i++) {
        linear_add(&system, &rows[i]);
    }
    LinearSystem three = system;
    assert(linear_is_infeasible(&system));
    three.row_count = 3; /* x + 1 >= 2z only */
    assert(!linear_is_infeasible(&three));
}

static void test_usage_index__linear_solves_equations(void) {
    for (int64_t last = 3; last < 12; last++) { /* 3x - 4y = 1, 5x - 3z = 2, 4 <= x <= last */
        LinearSystem system = {.variable_count = 3};
        LinearRow rows[] = {{.coefficients = {3, -4, 0}, .constant = -1, .is_equality = true},
                            {.coefficients = {5, 0, -3}, .constant = -2, .is_equality = true},
                            {.coefficients = {1, 0, 0}, .constant = -4},
                            {.coefficients = {-1, 0, 0}, .constant = last}};
        bool really = true;
        for (int64_t x = 4; x <= last; x++) {
            really = really && !(x % 4 == 3 && (5 * x - 2) % 3 == 0);
        }
        for (size_t i = 0; i < 4; i++) {
            linear_add(&system, &rows[i]);
        }
        assert(linear_is_infeasible(&system) == really);
    }
}

static void test_usage_index__linear_gives_up_where_numbers_grow(void) {
    LinearSystem system = {.variable_count = 3};
    int64_t large = (int64_t)1 << 60;
    LinearRow rows[] = {{.coefficients = {large, 3, 0}, .constant = -1},
                        {.coefficients = {-large - 1, 0, 5}, .constant = 1},
                        {.coefficients = {0, -7, -large + 1}, .constant = large}};
    for (size_t i = 0; i < 3; i++) {
        linear_add(&system, &rows[i]);
    }
    assert(!linear_is_infeasible(&system));
}

static void test_usage_index__linear(void) {
    LinearSystem system = {.variable_count = 2};
    LinearRow even = {.coefficients = {2, -4}, .constant = 1, .is_equality = true};
    linear_add(&system, &even);
    assert(linear_is_infeasible(&system)); /* 2x - 4y = -1 */
    LinearSystem narrow = {.variable_count = 1};
    LinearRow low = {.coefficients = {3}, .constant = -1};
    LinearRow high = {.coefficients = {-3}, .constant = 2};
    linear_add(&narrow, &low);
    linear_add(&narrow, &high);
    assert(linear_is_infeasible(&narrow)); /* 1 <= 3x <= 2 */
}

int main(void) {
    arena = arena_create();
    test_usage_index__affine();
    test_usage_index__one_by_one();
    test_usage_index__unknown_count();
    test_usage_index__parameters();
    test_usage_index__local_parameters_are_each_their_own();
    test_usage_index__guards();
    test_usage_index__linear();
    test_usage_index__agrees_with_trying_all();
    test_usage_index__cases_agree_with_trying_all();
    test_usage_index__flat_rows_of_unknown_width();
    test_usage_index__cases_say_apart_only_where_it_is_true();
    test_usage_index__cases_decide_blocks();
    test_usage_index__linear_finds_parity();
    test_usage_index__linear_solves_equations();
    test_usage_index__linear_gives_up_where_numbers_grow();
    arena_destroy(arena);
    return 0;
}
