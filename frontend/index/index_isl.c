/* index_isl -- do two accesses meet? Asked of isl, which decides arithmetic of sums, multiples by
 * constants, and division and remainder by constants, for numbers that are not known as well.
 *
 * The cheap tests of usage_index.c and the cases of index_cases.c come before it; most pairs never
 * get here. */
#include "index_question.h"

#include <isl/options.h>
#include <isl/point.h>
#include <isl/val.h>

/* Most questions take less than the first; few need the second, hardly one the third. */
static const uint64_t efforts[INDEX_EFFORTS] = {3000, 20000, 100000};

/* ---- one question ---- */

static isl_bool try_to_answer(IndexQuestion *question, uint64_t effort, IndexWriter *write,
                              const void *data) {
    question->has_dimensions = true;
    question->ctx = isl_ctx_alloc();
    isl_options_set_on_error(question->ctx, ISL_ON_ERROR_CONTINUE);
    isl_ctx_set_max_operations(question->ctx, effort);
    question->space = isl_space_set_alloc(question->ctx, 0, (unsigned)question->count);
    question->set = isl_set_universe(isl_space_copy(question->space));
    write(question, data);
    return isl_set_is_empty(question->set);
}

static void charge(uint64_t *operations, uint64_t cost) {
    *operations = *operations > cost ? *operations - cost : 0;
}

/* What is left for such an effort; NULL: there is no limit. */
static uint64_t *patience_for(const IndexPair *pair, size_t which) {
    return pair->patience ? &pair->patience->operations[which] : NULL;
}

static bool may_try(const IndexPair *pair, size_t which) {
    const uint64_t *patience = patience_for(pair, which);
    bool is_given_up = (which > 0 && pair->is_hasty) || (patience && *patience == 0) ||
                       (which > 0 && pair->patience && pair->patience->looks == 0);
    return *pair->operations > 0 && !pair->is_brief && !is_given_up;
}

static void charge_both(const IndexPair *pair, size_t which, uint64_t cost) {
    uint64_t *patience = patience_for(pair, which);
    charge(pair->operations, cost);
    if (patience) {
        charge(patience, cost);
    }
}

/* Where isl stopped short a constraint may be missing: then only "empty" is an answer. An answer is
 * charged a sixth of what it might have taken. */
isl_bool isl_ask(IndexQuestion *question, Arena *arena, const IndexPair *pair, IndexWriter *write,
                 const void *data) {
    *question = (IndexQuestion){.pair = pair, .arena = arena, .is_exact = true};
    write(question, data);
    for (size_t i = 0; i < INDEX_EFFORTS && !question->has_failed && may_try(pair, i); i++) {
        isl_end(question);
        isl_bool answer = try_to_answer(question, efforts[i], write, data);
        bool is_cut = isl_ctx_last_error(question->ctx) != isl_error_none;
        charge_both(pair, i, is_cut ? efforts[i] : efforts[i] / 6);
        if (answer == isl_bool_true || (answer == isl_bool_false && !is_cut)) {
            return answer;
        }
    }
    return isl_bool_error;
}

void isl_end(IndexQuestion *question) {
    if (question->ctx) {
        isl_set_free(question->set);
        isl_space_free(question->space);
        isl_ctx_free(question->ctx);
        question->ctx = NULL;
    }
}

/* ---- the accesses ---- */

typedef struct Accesses {
    const IndexRegion *left;
    const IndexRegion *right;
    const IndexFacets *facets;
    bool is_expanded;
} Accesses;

static IndexValue end_of(IndexQuestion *question, const IndexDimension *part, IndexSide side) {
    IndexValue length =
        part->length ? question_affine(question, part->length, side) : value_number(question, 1);
    return value_add(question, question_affine(question, part->from, side), length);
}

/* A segment of no elements meets nothing; an element in front of the array stops its process. */
static void write_part(IndexQuestion *question, const IndexDimension *part, IndexSide side,
                       bool is_moved) {
    if (question->is_expanded || index_has_lookup(part->from) || index_has_lookup(part->length)) {
        question_restrict_evaluated(question, part->from, side);
        question_restrict_evaluated(question, part->length, side);
    }
    if (part->length) {
        question_restrict(question, question_affine(question, part->length, side), OPERATOR_GREATER,
                          value_number(question, 0));
    }
    if (is_moved || question->pair->is_anywhere) {
        return;
    }
    question_restrict(question, question_affine(question, part->from, side), OPERATOR_GREATER_EQUAL,
                      value_number(question, 0));
}

/* What was chosen from a segment lies in it. */
static void write_within(IndexQuestion *question, const IndexDimension *part, IndexSide side) {
    const IndexDimension *within = part->within;
    if (within && within->from && within->length) {
        question_restrict(question, question_affine(question, part->from, side),
                          OPERATOR_GREATER_EQUAL, question_affine(question, within->from, side));
        question_restrict(question, question_affine(question, part->from, side), OPERATOR_LESS,
                          end_of(question, within, side));
    }
}

static void write_facet(IndexQuestion *question, const IndexFacet *facet) {
    const IndexDimension *left = &facet->left;
    const IndexDimension *right = &facet->right;
    write_part(question, left, SIDE_LEFT, facet->is_moved);
    write_part(question, right, SIDE_RIGHT, facet->is_moved);
    write_within(question, left, SIDE_LEFT);
    write_within(question, right, SIDE_RIGHT);
    if (!left->length && !right->length) {
        question_restrict(question, question_affine(question, left->from, SIDE_LEFT),
                          OPERATOR_EQUAL, question_affine(question, right->from, SIDE_RIGHT));
        return;
    }
    question_restrict(question, question_affine(question, left->from, SIDE_LEFT), OPERATOR_LESS,
                      end_of(question, right, SIDE_RIGHT));
    question_restrict(question, question_affine(question, right->from, SIDE_RIGHT), OPERATOR_LESS,
                      end_of(question, left, SIDE_LEFT));
}

/* Two iterations of the replicated loop, not the same one. */
static void write_iterations(IndexQuestion *question, const IndexRegion *region) {
    const IndexLoop *loop = index_loop_at(region->loops, question->pair->shared_depth);
    if (question->pair->is_replicated && loop) {
        size_t left = question_variable(question, loop, NULL, SIDE_LEFT);
        size_t right = question_variable(question, loop, NULL, SIDE_RIGHT);
        question_restrict(question, value_dimension(question, left), OPERATOR_NOT_EQUAL,
                          value_dimension(question, right));
    }
}

#define LOOPS_LEFT_OUT 8 /* dimensions that are kept for what comes after */

/* A loop that runs no time makes no access. */
static void write_loops(IndexQuestion *question, const IndexLoop *loop, IndexSide side) {
    for (; loop; loop = loop->outer) {
        question->is_exact = question->is_exact && !loop->is_some;
        if (loop->count->kind != INDEX_CONSTANT && loop->count->kind != INDEX_UNKNOWN &&
            question->count + LOOPS_LEFT_OUT < INDEX_SAMPLE_LIMIT) {
            question_variable(question, loop, NULL, side);
        }
    }
}

static void write_meeting(IndexQuestion *question, const void *data) {
    const Accesses *accesses = data;
    question->is_expanded = accesses->is_expanded;
    write_iterations(question, accesses->left);
    for (size_t i = 0; i < accesses->facets->count; i++) {
        write_facet(question, &accesses->facets->items[i]);
    }
    question_restrict_guards(question, accesses->left->guards, SIDE_LEFT);
    question_restrict_guards(question, accesses->right->guards, SIDE_RIGHT);
    if (!question->has_dimensions) { /* what is not exact stays so */
        write_loops(question, accesses->left->loops, SIDE_LEFT);
        write_loops(question, accesses->right->loops, SIDE_RIGHT);
    }
    question_restrict_iterations(question);
}

/* ---- samples ---- */

#define SAMPLE_OPERATIONS 50000 /* for each of two ways; only what is reported needs one */

static void start_afresh(isl_ctx *ctx) {
    isl_ctx_reset_error(ctx);
    isl_ctx_reset_operations(ctx);
    isl_ctx_set_max_operations(ctx, SAMPLE_OPERATIONS);
}

/* Small numbers are read with less effort. */
static isl_set *prefer_small(const IndexQuestion *question) {
    start_afresh(question->ctx);
    isl_set *small = isl_set_copy(question->set);
    for (size_t i = 0; i < question->count; i++) {
        small = isl_set_lower_bound_si(small, isl_dim_set, (unsigned)i, 0);
    }
    isl_set *least = isl_set_lexmin(small);
    if (isl_set_is_empty(least) == isl_bool_false) {
        return least;
    }
    isl_set_free(least);
    start_afresh(question->ctx);
    return isl_set_copy(question->set);
}

static bool read_number(isl_point *point, unsigned position, int64_t *number) {
    isl_val *value = isl_point_get_coordinate_val(point, isl_dim_set, (int)position);
    bool is_small = isl_val_is_int(value) == isl_bool_true &&
                    isl_val_cmp_si(value, INT32_MIN) >= 0 && isl_val_cmp_si(value, INT32_MAX) <= 0;
    *number = is_small ? isl_val_get_num_si(value) : 0;
    isl_val_free(value);
    return is_small;
}

static void find_sample(const IndexQuestion *question, IndexSample *sample) {
    isl_point *point = isl_set_sample_point(prefer_small(question));
    bool is_found = point && isl_point_is_void(point) == isl_bool_false;
    for (size_t i = 0; i < question->count && is_found; i++) {
        sample->values[i] = question->variables[i];
        is_found = read_number(point, (unsigned)i, &sample->values[i].value);
    }
    sample->count = is_found ? question->count : 0;
    isl_point_free(point);
}

static const IndexSampleValue *find_value(const IndexSample *sample, const IndexExpr *expr,
                                          IndexSide side) {
    for (size_t i = 0; i < sample->count; i++) {
        const IndexSampleValue *value = &sample->values[i];
        bool is_named = expr->kind == INDEX_LOOP
                            ? value->loop == expr->loop
                            : !value->loop && index_equal(value->parameter, expr);
        if (is_named && (value->side == side || value->side == SIDE_BOTH)) {
            return value;
        }
    }
    return NULL;
}

bool index_sample_value(const IndexSample *sample, const IndexExpr *expr, IndexSide side,
                        int64_t *result) {
    const IndexSampleValue *value = find_value(sample, expr, side);
    if (value) {
        *result = value->value;
        return true;
    }
    if (expr->kind == INDEX_CONSTANT) {
        *result = expr->value;
        return true;
    }
    int64_t left = 0;
    int64_t right = 0;
    if (expr->kind == INDEX_LOOKUP) {
        return index_sample_value(sample, expr->left, side, &left) &&
               index_table_element(expr->table, left, result);
    }
    return expr->kind == INDEX_OPERATOR && index_sample_value(sample, expr->left, side, &left) &&
           index_sample_value(sample, expr->right, side, &right) &&
           index_apply(expr->op, left, right, result);
}

/* ---- the answer ---- */

static IndexAnswer judge(IndexQuestion *question, isl_bool is_empty, IndexPair *pair) {
    if (is_empty == isl_bool_true) {
        return INDEX_DISJOINT;
    }
    if (is_empty == isl_bool_error || !question->is_exact ||
        isl_ctx_last_error(question->ctx) != isl_error_none) {
        return INDEX_IS_UNKNOWN;
    }
    find_sample(question, &pair->sample);
    bool is_certain = !question->has_parameters && pair->sample.count > 0;
    return is_certain ? INDEX_OVERLAP : INDEX_IS_UNKNOWN;
}

/* ---- written out ---- */

static void push_all(const IndexRegion *left, const IndexRegion *right, IndexFacets *facets) {
    for (size_t i = 0; i < left->count && i < right->count && facets->count < FACET_LIMIT; i++) {
        const IndexDimension *a = &left->dimensions[i];
        const IndexDimension *b = &right->dimensions[i];
        if (a->from && b->from && !index_is_plain(a, b)) {
            facets->items[facets->count++] = (IndexFacet){*a, *b, false};
        }
    }
}

/* The same accesses written out; false: they are what they were. */
static bool write_out(Arena *arena, const Accesses *plain, const IndexPair *pair,
                      Accesses *accesses) {
    IndexRegion *left = arena_copy(arena, plain->left, sizeof *left);
    IndexRegion *right = arena_copy(arena, plain->right, sizeof *right);
    if (!index_expand_pair(arena, pair, left, right)) {
        return false;
    }
    IndexFacets *facets = arena_new(arena, IndexFacets);
    push_all(left, right, facets);
    *accesses = (Accesses){left, right, facets, true};
    return true;
}

/* Only that they never meet is an answer: a case would be told in other terms. */
static bool are_apart_expanded(Arena *arena, const Accesses *accesses, const IndexPair *pair) {
    IndexQuestion question;
    if (*pair->operations == 0) {
        return false;
    }
    bool is_empty = isl_ask(&question, arena, pair, write_meeting, accesses) == isl_bool_true;
    isl_end(&question);
    return is_empty;
}

static IndexAnswer ask(Arena *arena, const IndexRegion *left, const IndexRegion *right,
                       IndexPair *pair) {
    IndexFacets facets = {0};
    index_split_pair(arena, left, right, pair, &facets);
    Accesses plain = {left, right, &facets, false};
    Accesses expanded;
    bool has_expanded = write_out(arena, &plain, pair, &expanded);
    if (cases_are_empty(arena, pair, write_meeting, &plain) ||
        (has_expanded && cases_are_empty(arena, pair, write_meeting, &expanded))) {
        return INDEX_DISJOINT;
    }
    IndexQuestion question;
    isl_bool is_empty = isl_ask(&question, arena, pair, write_meeting, &plain);
    question.is_exact = question.is_exact && !facets.is_cut;
    IndexAnswer answer = judge(&question, is_empty, pair);
    isl_end(&question);
    if (answer == INDEX_IS_UNKNOWN && has_expanded && are_apart_expanded(arena, &expanded, pair)) {
        pair->sample.count = 0;
        answer = INDEX_DISJOINT;
    }
    return answer;
}

IndexAnswer index_isl_pair(const IndexRegion *left, const IndexRegion *right, IndexPair *pair) {
    pair->sample.count = 0;
    if (*pair->operations == 0) {
        return INDEX_IS_UNKNOWN;
    }
    Arena *arena = arena_create();
    IndexAnswer answer = ask(arena, left, right, pair);
    arena_destroy(arena);
    return answer;
}
