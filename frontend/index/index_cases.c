/* index_cases -- has a question no solution? Its constraints are linear systems, case by case.
 *
 * What is known of products, quotients and tables says that one of a few pieces holds. Pieces that
 * the system forbids are crossed out; where one is left it joins the system; else each is tried. A
 * system is asked for integers by index_linear.c. A case that is left may have a solution, which
 * index_point.c looks for.
 *
 * Holds: true is proved. A row that has no room, or a number that grows too large, is left out. */
#include "index_cases.h"

#include <string.h>

#define SYSTEM_LIMIT 2000 /* systems asked for one question */
#define SYSTEM_FEW   40   /* for one when there is no patience left */
#define FACTS_LIMIT  64
#define PIECES_LIMIT 8
#define POINT_LIMIT  8 /* cases of a question in which a solution is looked for */

/* ---- writing down ---- */

static void add_row(IndexQuestion *question, const LinearRow *left, const LinearRow *right,
                    int64_t constant, bool is_equality) {
    CasesRow *added = arena_new(question->arena, CasesRow);
    for (size_t i = 0; i < LINEAR_VARIABLES; i++) {
        added->row.coefficients[i] = left->coefficients[i] - right->coefficients[i];
    }
    added->row.constant = left->constant - right->constant + constant;
    added->row.is_equality = is_equality;
    CasesConjunction *target = question->cases->target;
    added->next = target->rows;
    target->rows = added;
}

typedef struct Unequal {
    IndexQuestion *question;
    const LinearRow *left;
    const LinearRow *right;
} Unequal;

static void unequal_piece(const void *data, int which) {
    const Unequal *unequal = data;
    cases_restrict(unequal->question, unequal->left, which == 0 ? OPERATOR_LESS : OPERATOR_GREATER,
                   unequal->right);
}

void cases_restrict(IndexQuestion *question, const LinearRow *left, Operator op,
                    const LinearRow *right) {
    if (op == OPERATOR_EQUAL) {
        add_row(question, left, right, 0, true);
    } else if (op == OPERATOR_LESS || op == OPERATOR_LESS_EQUAL) {
        add_row(question, right, left, op == OPERATOR_LESS ? -1 : 0, false);
    } else if (op == OPERATOR_GREATER || op == OPERATOR_GREATER_EQUAL) {
        add_row(question, left, right, op == OPERATOR_GREATER ? -1 : 0, false);
    } else if (op == OPERATOR_NOT_EQUAL) {
        Unequal unequal = {question, left, right};
        question_restrict_pieces(question, unequal_piece, &unequal, 2);
    }
}

void question_restrict_pieces(IndexQuestion *question, IndexPiece *write, const void *data,
                              int count) {
    Cases *cases = question->cases;
    if (question->is_linear) {
        return;
    }
    for (int i = 0; !cases && i < count; i++) {
        write(data, i); /* dimensions are looked for */
    }
    if (!cases) {
        return;
    }
    CasesConjunction *before = cases->target;
    CasesFact *fact = arena_new(question->arena, CasesFact);
    fact->pieces = arena_new_array(question->arena, CasesConjunction, count);
    fact->count = (size_t)count;
    for (int i = 0; i < count; i++) {
        cases->target = &fact->pieces[i];
        write(data, i);
    }
    cases->target = before;
    fact->next = before->facts;
    before->facts = fact;
}

/* ---- the search ---- */

/* A fact that is not decided, and which of its pieces are not crossed out. */
typedef struct Open {
    const CasesFact *fact;
    unsigned left; /* a bit for each piece */
} Open;

/* What holds in one case. */
typedef struct State {
    LinearSystem system;       /* equations are used up */
    LinearEquations equations; /* those */
    LinearProgress progress;
    size_t open_count;
    Open open[FACTS_LIMIT];
} State;

typedef struct Search {
    unsigned systems; /* asked so far */
    unsigned limit;
    uint64_t looks;     /* at rows */
    size_t count;       /* dimensions of the question */
    LinearPoint *point; /* the smallest solution found; NULL: none is looked for */
    unsigned points;    /* cases in which one was looked for */
} Search;

/* A row with numbers that grow too large is left out. */
static void assert_rows(LinearSystem *system, const LinearEquations *equations,
                        const CasesConjunction *conjunction) {
    for (const CasesRow *row = conjunction->rows; row; row = row->next) {
        LinearRow replaced = row->row;
        if (linear_replace(equations, &replaced)) {
            linear_add(system, &replaced);
        }
    }
}

static void assert_all(State *state, const CasesConjunction *conjunction) {
    assert_rows(&state->system, &state->equations, conjunction);
    state->progress = linear_settle(&state->system, &state->equations);
    for (const CasesFact *fact = conjunction->facts; fact; fact = fact->next) {
        if (state->open_count < FACTS_LIMIT && fact->count <= PIECES_LIMIT) {
            state->open[state->open_count++] = (Open){fact, (1U << fact->count) - 1};
        }
    }
}

static void copy_system(LinearSystem *copy, const LinearSystem *system) {
    copy->variable_count = system->variable_count;
    copy->row_count = system->row_count;
    copy->is_full = system->is_full;
    copy->looks = 0;
    memcpy(copy->rows, system->rows, system->row_count * sizeof *system->rows);
}

static bool is_impossible(Search *search, const State *state, const CasesConjunction *more) {
    LinearSystem copy;
    search->systems++;
    copy_system(&copy, &state->system);
    if (more) {
        assert_rows(&copy, &state->equations, more);
    }
    bool answer = linear_is_infeasible(&copy);
    search->looks += copy.looks;
    return answer;
}

static void cross_out(Search *search, const State *state, Open *open) {
    for (size_t i = 0; i < open->fact->count; i++) {
        if ((open->left >> i & 1) && is_impossible(search, state, &open->fact->pieces[i])) {
            open->left &= ~(1U << i);
        }
    }
}

typedef enum Progress { PROGRESS_STAYS, PROGRESS_GROWS, PROGRESS_ENDS } Progress;

/* Facts of which one piece is left join the system; ENDS: state->progress says why. */
static Progress propagate_once(Search *search, State *state) {
    Progress progress = PROGRESS_STAYS;
    for (size_t i = 0; i < state->open_count && search->systems < search->limit;) {
        Open *open = &state->open[i];
        cross_out(search, state, open);
        if (open->left == 0) {
            state->progress = LINEAR_INFEASIBLE;
            return PROGRESS_ENDS;
        }
        if ((open->left & (open->left - 1)) != 0) {
            i++;
            continue;
        }
        const CasesConjunction *piece = &open->fact->pieces[__builtin_ctz(open->left)];
        state->open[i] = state->open[--state->open_count];
        assert_all(state, piece);
        if (state->progress != LINEAR_GOES_ON) {
            return PROGRESS_ENDS;
        }
        progress = PROGRESS_GROWS;
    }
    return progress;
}

static bool is_empty(Search *search, State *state);

static void copy_state(State *copy, const State *state) {
    copy_system(&copy->system, &state->system);
    copy->progress = state->progress;
    copy->equations.count = state->equations.count;
    memcpy(copy->equations.variables, state->equations.variables, sizeof copy->equations.variables);
    memcpy(copy->equations.rows, state->equations.rows,
           state->equations.count * sizeof *copy->equations.rows);
    copy->open_count = state->open_count;
    memcpy(copy->open, state->open, state->open_count * sizeof *copy->open);
}

/* No integer is left for some variable. Rounding is exact for the one that is eliminated last. */
static bool is_squeezed_out(Search *search, const State *state) {
    bool is_out = false;
    for (size_t i = 0; i < state->system.variable_count && !is_out; i++) {
        LinearSystem copy;
        int64_t low = 0;
        int64_t high = 0;
        copy_system(&copy, &state->system);
        is_out = !linear_bounds(&copy, i, &low, &high);
        search->looks += copy.looks;
    }
    return is_out;
}

static bool wants_point(const Search *search) {
    return search->point && search->points < POINT_LIMIT && search->systems < search->limit;
}

/* Numbers that are not negative come first, then smaller ones. */
static bool is_before(const LinearPoint *point, const LinearPoint *other, size_t count) {
    if (point->is_natural != other->is_natural) {
        return point->is_natural;
    }
    size_t i = 0;
    while (i < count && point->values[i] == other->values[i]) {
        i++;
    }
    return i < count && point->values[i] < other->values[i];
}

/* All equations are part of the system again. */
static void find_point(Search *search, const State *state) {
    LinearSystem whole;
    copy_system(&whole, &state->system);
    for (size_t i = 0; i < state->equations.count; i++) {
        linear_add(&whole, &state->equations.rows[i]);
    }
    LinearPoint point;
    search->points++;
    linear_find_point(&whole, search->count, &point);
    search->looks += whole.looks;
    if (point.is_found &&
        (!search->point->is_found || is_before(&point, search->point, search->count))) {
        *search->point = point;
    }
}

static bool is_empty_in_each(Search *search, const State *state) {
    size_t best = 0;
    for (size_t i = 1; i < state->open_count; i++) {
        if (__builtin_popcount(state->open[i].left) < __builtin_popcount(state->open[best].left)) {
            best = i;
        }
    }
    const Open *open = &state->open[best];
    bool is_empty_so_far = true;
    for (size_t i = 0; i < open->fact->count; i++) {
        if (!(open->left >> i & 1)) {
            continue;
        }
        State next;
        copy_state(&next, state);
        next.open[best] = next.open[--next.open_count];
        assert_all(&next, &open->fact->pieces[i]);
        is_empty_so_far = is_empty(search, &next) && is_empty_so_far;
        if (!is_empty_so_far && !wants_point(search)) {
            return false;
        }
    }
    return is_empty_so_far;
}

static bool is_empty(Search *search, State *state) {
    Progress progress = state->progress == LINEAR_GOES_ON ? PROGRESS_GROWS : PROGRESS_ENDS;
    while (progress == PROGRESS_GROWS) {
        if (is_impossible(search, state, NULL)) {
            return true;
        }
        progress = propagate_once(search, state);
    }
    if (progress == PROGRESS_ENDS) {
        return state->progress == LINEAR_INFEASIBLE;
    }
    if (state->open_count > 0) {
        return search->systems < search->limit && is_empty_in_each(search, state);
    }
    if (is_squeezed_out(search, state)) {
        return true;
    }
    if (wants_point(search)) {
        find_point(search, state);
    }
    return false;
}

static bool is_empty_patiently(uint64_t *patience, State *state, size_t count, LinearPoint *point) {
    Search search = {.limit = patience && *patience == 0 ? SYSTEM_FEW : SYSTEM_LIMIT,
                     .count = count,
                     .point = point};
    bool answer = is_empty(&search, state);
    if (patience) {
        *patience -= search.looks < *patience ? search.looks : *patience;
    }
    return answer;
}

static void keep_solution(const IndexQuestion *question, const LinearPoint *point,
                          CasesSolution *found) {
    found->sample.count = 0;
    found->has_parameters = question->has_parameters;
    for (size_t i = 0; point->is_found && i < question->count; i++) {
        found->sample.values[i] = question->variables[i];
        found->sample.values[i].value = point->values[i];
        found->sample.count++;
    }
}

/* Twice: to find the dimensions, and to write the rows. False: there are too many dimensions; one
 * linear system does without those that have no room. */
static bool write_rows(IndexQuestion *question, Cases *cases, IndexWriter *write,
                       const void *data) {
    write(question, data);
    if (question->has_failed && !question->is_linear) {
        return false;
    }
    cases->target = &cases->root;
    question->cases = cases;
    question->has_dimensions = true;
    write(question, data);
    return true;
}

bool cases_system_is_empty(Arena *arena, const IndexPair *pair, IndexWriter *write,
                           const void *data) {
    IndexQuestion question = {.pair = pair, .arena = arena, .is_linear = true};
    Cases cases = {.term_count = 0};
    if (!write_rows(&question, &cases, write, data)) {
        return false;
    }
    LinearSystem system;
    linear_begin(&system);
    system.variable_count = question.count + cases.term_count;
    for (const CasesRow *row = cases.root.rows; row; row = row->next) {
        linear_add(&system, &row->row);
    }
    return linear_is_infeasible(&system);
}

bool cases_are_empty(Arena *arena, const IndexPair *pair, IndexWriter *write, const void *data,
                     CasesSolution *found) {
    IndexQuestion question = {.pair = pair, .arena = arena, .is_exact = true};
    Cases cases = {.term_count = 0};
    if (!write_rows(&question, &cases, write, data)) {
        return false;
    }
    State state;
    linear_begin(&state.system);
    state.system.variable_count = question.count + cases.term_count;
    state.equations.count = state.open_count = 0;
    assert_all(&state, &cases.root);
    LinearPoint point;
    point.is_found = false;
    bool wants = found && question.is_exact;
    bool answer = is_empty_patiently(pair->patience, &state, question.count, wants ? &point : NULL);
    if (wants) {
        keep_solution(&question, &point, found);
    }
    return answer;
}
