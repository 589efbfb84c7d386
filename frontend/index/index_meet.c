/* index_meet -- two accesses that meet, as constraints: the same place in all dimensions, in two
 * iterations of the replicated loop. Asked of index_cases.c as one linear system for each order of
 * these (most pairs need no more); then as they stand; and written out by index_expand.c, where
 * only that they never meet is an answer: a case would be told in other terms. */
#include "index_question.h"

typedef struct Accesses {
    const IndexRegion *left;
    const IndexRegion *right;
    const IndexFacets *facets;
    bool is_expanded;
    Operator order; /* of the replicated iterations */
} Accesses;

static IndexValue end_of(IndexQuestion *question, const IndexDimension *part, IndexSide side) {
    IndexValue length =
        part->length ? question_affine(question, part->length, side) : value_number(question, 1);
    return value_add(question, question_affine(question, part->from, side), length);
}

/* A segment of no elements meets nothing; an element in front of the array stops its process. */
static void write_part(IndexQuestion *question, const IndexDimension *part, IndexSide side) {
    if (question->is_expanded || index_has_lookup(part->from) || index_has_lookup(part->length)) {
        question_restrict_evaluated(question, part->from, side);
        question_restrict_evaluated(question, part->length, side);
    }
    if (part->length) {
        question_restrict(question, question_affine(question, part->length, side), OPERATOR_GREATER,
                          value_number(question, 0));
    }
    if (question->pair->is_anywhere) {
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
    write_part(question, left, SIDE_LEFT);
    write_part(question, right, SIDE_RIGHT);
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
static void write_iterations(IndexQuestion *question, const IndexRegion *region, Operator order) {
    const IndexLoop *loop = index_loop_at(region->loops, question->pair->shared_depth);
    if (question->pair->is_replicated && loop) {
        size_t left = question_variable(question, loop, NULL, SIDE_LEFT);
        size_t right = question_variable(question, loop, NULL, SIDE_RIGHT);
        question_restrict(question, value_dimension(question, left), order,
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
    write_iterations(question, accesses->left, accesses->order);
    for (size_t i = 0; i < accesses->facets->count; i++) {
        write_facet(question, &accesses->facets->items[i]);
    }
    question_restrict_guards(question, accesses->left->guards, SIDE_LEFT);
    question_restrict_guards(question, accesses->right->guards, SIDE_RIGHT);
    if (!question->has_dimensions && !question->is_linear) { /* what is not exact stays so */
        write_loops(question, accesses->left->loops, SIDE_LEFT);
        write_loops(question, accesses->right->loops, SIDE_RIGHT);
    }
    question_restrict_iterations(question);
}

/* ---- written out ---- */

static void push_all(const IndexRegion *left, const IndexRegion *right, IndexFacets *facets) {
    for (size_t i = 0; i < left->count && i < right->count && facets->count < FACET_LIMIT; i++) {
        const IndexDimension *a = &left->dimensions[i];
        const IndexDimension *b = &right->dimensions[i];
        if (a->from && b->from && !index_is_plain(a, b)) {
            facets->items[facets->count++] = (IndexFacet){*a, *b};
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
    *accesses = (Accesses){left, right, facets, true, OPERATOR_NOT_EQUAL};
    return true;
}

/* ---- the answer ---- */

/* A linear system for each order of the replicated iterations. */
bool index_never_meets(const IndexRegion *left, const IndexRegion *right, const IndexPair *pair) {
    Arena *arena = arena_create();
    IndexFacets facets = {0};
    push_all(left, right, &facets);
    Accesses rising = {left, right, &facets, false, OPERATOR_LESS};
    Accesses falling = {left, right, &facets, false, OPERATOR_GREATER};
    bool answer =
        cases_system_is_empty(arena, pair, write_meeting, &rising) &&
        (!pair->is_replicated || cases_system_is_empty(arena, pair, write_meeting, &falling));
    arena_destroy(arena);
    return answer;
}

/* A case is a proof when no parameter is involved but in the counts of loops. */
static IndexAnswer judge(const Accesses *accesses, const CasesSolution *found, IndexPair *pair) {
    bool is_case = found->sample.count > 0 && !accesses->facets->is_cut &&
                   index_is_case(accesses->left, accesses->right, pair, &found->sample);
    if (is_case) {
        pair->sample = found->sample;
    }
    return is_case && !found->has_parameters ? INDEX_OVERLAP : INDEX_IS_UNKNOWN;
}

static IndexAnswer ask(Arena *arena, const IndexRegion *left, const IndexRegion *right,
                       IndexPair *pair) {
    IndexFacets facets = {0};
    index_split_pair(arena, left, right, pair, &facets);
    Accesses plain = {left, right, &facets, false, OPERATOR_NOT_EQUAL};
    Accesses expanded;
    CasesSolution found = {.has_parameters = false};
    if (cases_are_empty(arena, pair, write_meeting, &plain, &found)) {
        return INDEX_DISJOINT;
    }
    bool has_case = found.sample.count > 0;
    if (!has_case && write_out(arena, &plain, pair, &expanded) &&
        cases_are_empty(arena, pair, write_meeting, &expanded, NULL)) {
        return INDEX_DISJOINT;
    }
    return judge(&plain, &found, pair);
}

IndexAnswer index_meet_pair(const IndexRegion *left, const IndexRegion *right, IndexPair *pair) {
    pair->sample.count = 0;
    Arena *arena = arena_create();
    IndexAnswer answer = ask(arena, left, right, pair);
    arena_destroy(arena);
    return answer;
}
