/* index_enumerate -- the elements of two accesses, iteration by iteration, and whether they meet.
 *
 * Both accesses are run through their loops; each element reached is kept as one number with the
 * iteration of the replicated loop. Sorted, equal numbers of different iterations stand side by
 * side. When there are more elements than the budget allows, only the first iterations are
 * looked at: then a meeting is a proof, and its absence is none. */
#include "usage_index.h"

#include <stdlib.h>

#define ELEMENT_LIMIT ((size_t)1 << 17)
#define LENGTH_LIMIT  ((int64_t)1 << 14) /* of one segment */
#define LOOP_LIMIT    16
#define KEY_BITS      60
#define KEY_PARTS     24

typedef struct Element {
    int64_t key;
    int64_t instance; /* iteration of the replicated loop; 0 when there is none */
    bool is_left;
} Element;

typedef struct Enumeration {
    Arena *arena;
    const IndexPair *pair;
    ARRAY_OF(Element) elements;
    const IndexLoop *loops[LOOP_LIMIT]; /* the outermost first */
    bool is_idle[LOOP_LIMIT];           /* each iteration reaches the same elements */
    size_t loop_count;
    int64_t values[LOOP_LIMIT];
    const IndexRegion *region;
    size_t dimension_count; /* that both accesses have */
    bool used[KEY_PARTS];   /* dimensions that are whole in neither, nor one constant in both */
    unsigned key_bits;      /* of each part of a key */
    bool is_left;
    bool is_cut;       /* iterations were left out */
    bool is_shortened; /* ends of long segments were */
    bool failed;       /* a value that is not known */
} Enumeration;

static bool line_up_loops(Enumeration *run, const IndexLoop *innermost) {
    run->loop_count = innermost ? innermost->depth + 1 : 0;
    if (run->loop_count > LOOP_LIMIT) {
        return false;
    }
    for (const IndexLoop *loop = innermost; loop; loop = loop->outer) {
        run->loops[loop->depth] = loop;
    }
    return true;
}

static void add_part(Enumeration *run, int64_t *key, int64_t part) {
    if (part < 0 || (run->key_bits < KEY_BITS && part >> run->key_bits != 0)) {
        run->failed = true;
        return;
    }
    *key = run->key_bits >= KEY_BITS ? part : (*key << run->key_bits) | part;
}

/* Shared loops are part of the key: accesses meet only in the same iteration of those. */
static int64_t shared_key(Enumeration *run) {
    int64_t key = 0;
    for (size_t i = 0; i < run->loop_count && i < run->pair->shared_depth; i++) {
        add_part(run, &key, run->values[i]);
    }
    return key;
}

static void add_element(Enumeration *run, int64_t key) {
    if (run->elements.count >= ELEMENT_LIMIT * 2) {
        run->is_cut = true;
        return;
    }
    unsigned shared = run->pair->shared_depth;
    bool is_replicated = run->pair->is_replicated && shared < run->loop_count;
    Element element = {key, is_replicated ? run->values[shared] : 0, run->is_left};
    array_push(run->arena, &run->elements, element);
}

/* A segment that begins before its array stops the process before anything is chosen from it. */
static bool begins_inside(const Enumeration *run, const IndexDimension *segment) {
    for (; segment; segment = segment->within) {
        int64_t from = 0;
        if (segment->from && index_is_evaluable(segment->from) &&
            (!index_evaluate(segment->from, run->values, run->loop_count, &from) || from < 0)) {
            return false;
        }
    }
    return true;
}

static void add_elements(Enumeration *run, size_t dimension, int64_t key) {
    if (dimension == run->dimension_count) {
        add_element(run, key);
        return;
    }
    if (!run->used[dimension]) {
        add_elements(run, dimension + 1, key);
        return;
    }
    const IndexDimension *at = &run->region->dimensions[dimension];
    int64_t from = 0;
    int64_t length = 1;
    if (!index_evaluate(at->from, run->values, run->loop_count, &from) ||
        (at->length && !index_evaluate(at->length, run->values, run->loop_count, &length)) ||
        !begins_inside(run, at->within)) {
        return; /* this iteration stops with an error before the access */
    }
    if (length > LENGTH_LIMIT) {
        length = LENGTH_LIMIT;
        run->is_shortened = true;
    }
    for (int64_t i = 0; from >= 0 && i < length && !run->failed && !run->is_cut; i++) {
        int64_t next = key;
        add_part(run, &next, from + i);
        add_elements(run, dimension + 1, next);
    }
}

static bool comparison_holds(const Enumeration *run, const IndexGuard *guard) {
    int64_t left = 0;
    int64_t right = 0;
    if (!index_is_evaluable(guard->left) || !index_is_evaluable(guard->right)) {
        return true;
    }
    if (!index_evaluate(guard->left, run->values, run->loop_count, &left) ||
        !index_evaluate(guard->right, run->values, run->loop_count, &right)) {
        return false;
    }
    bool holds = guard->op == OPERATOR_EQUAL        ? left == right
                 : guard->op == OPERATOR_NOT_EQUAL  ? left != right
                 : guard->op == OPERATOR_LESS       ? left < right
                 : guard->op == OPERATOR_LESS_EQUAL ? left <= right
                 : guard->op == OPERATOR_GREATER    ? left > right
                                                    : left >= right;
    return holds != guard->is_negated;
}

/* What cannot be evaluated is taken to hold. */
static bool guards_hold(const Enumeration *run, const IndexGuard *guard) {
    for (; guard; guard = guard->outer) {
        bool holds = guard->is_choice
                         ? guards_hold(run, guard->either) || guards_hold(run, guard->other)
                         : comparison_holds(run, guard);
        if (!holds) {
            return false;
        }
    }
    return true;
}

/* ---- loops that choose nothing ---- */

static bool dimension_mentions(const IndexDimension *dimension, const IndexLoop *loop) {
    for (; dimension; dimension = dimension->within) {
        if ((dimension->from && index_mentions(dimension->from, loop)) ||
            (dimension->length && index_mentions(dimension->length, loop))) {
            return true;
        }
    }
    return false;
}

static bool guards_mention(const IndexGuard *guard, const IndexLoop *loop) {
    for (; guard; guard = guard->outer) {
        bool is_here =
            guard->is_choice
                ? guards_mention(guard->either, loop) || guards_mention(guard->other, loop)
                : index_mentions(guard->left, loop) || index_mentions(guard->right, loop);
        if (is_here) {
            return true;
        }
    }
    return false;
}

static bool is_mentioned(const Enumeration *run, const IndexRegion *region, size_t depth) {
    const IndexLoop *loop = run->loops[depth];
    for (size_t i = depth + 1; i < run->loop_count; i++) {
        if (index_mentions(run->loops[i]->count, loop)) {
            return true;
        }
    }
    for (size_t i = 0; i < region->count; i++) {
        if (dimension_mentions(&region->dimensions[i], loop)) {
            return true;
        }
    }
    return guards_mention(region->guards, loop);
}

/* SEQ i = 0 FOR SIZE part / part := .. : one of its iterations stands for all. Not of the loops
 * whose iterations tell accesses apart. */
static void find_idle_loops(Enumeration *run, const IndexRegion *region) {
    size_t first = run->pair->shared_depth + run->pair->is_replicated;
    for (size_t i = 0; i < run->loop_count; i++) {
        run->is_idle[i] = i >= first && !is_mentioned(run, region, i);
    }
}

/* A loop round both accesses whose count is not known: in each iteration they reach the same
 * elements, because no subscript that can be evaluated uses its index. One stands for all. */
static bool is_any_iteration(const IndexPair *pair, const IndexLoop *loop) {
    return loop->depth < pair->shared_depth && !index_is_evaluable(loop->count);
}

static void run_loop(Enumeration *run, size_t depth) {
    if (depth == run->loop_count) {
        if (guards_hold(run, run->region->guards)) {
            add_elements(run, 0, shared_key(run));
        }
        return;
    }
    int64_t count = 1;
    if (!is_any_iteration(run->pair, run->loops[depth]) &&
        !index_evaluate(run->loops[depth]->count, run->values, depth, &count)) {
        run->failed = true;
        return;
    }
    count = run->is_idle[depth] && count > 1 ? 1 : count;
    size_t limit = run->is_left ? ELEMENT_LIMIT : ELEMENT_LIMIT * 2;
    for (int64_t i = 0; i < count && !run->failed; i++) {
        if (run->elements.count >= limit || *run->pair->budget == 0) {
            run->is_cut = true;
            return;
        }
        (*run->pair->budget)--;
        run->values[depth] = i;
        run_loop(run, depth + 1);
    }
}

static unsigned shared_loops(const IndexPair *pair, const IndexLoop *innermost) {
    unsigned depth = innermost ? innermost->depth + 1 : 0;
    return depth < pair->shared_depth ? depth : pair->shared_depth;
}

/* Whole dimensions always meet, so only those given in both take part in the key. */
static bool choose_parts(Enumeration *run, const IndexRegion *left, const IndexRegion *right) {
    run->dimension_count = left->count < right->count ? left->count : right->count;
    if (run->dimension_count > KEY_PARTS) {
        return false;
    }
    unsigned parts = shared_loops(run->pair, left->loops);
    unsigned others = shared_loops(run->pair, right->loops);
    parts = others > parts ? others : parts;
    for (size_t i = 0; i < run->dimension_count; i++) {
        run->used[i] = left->dimensions[i].from && right->dimensions[i].from &&
                       !index_is_plain(&left->dimensions[i], &right->dimensions[i]);
        parts += run->used[i];
    }
    run->key_bits = parts == 0 ? KEY_BITS : KEY_BITS / parts;
    return true;
}

static bool are_loops_evaluable(const IndexPair *pair, const IndexLoop *loop) {
    for (; loop; loop = loop->outer) {
        if (!is_any_iteration(pair, loop) && !index_is_evaluable(loop->count)) {
            return false;
        }
    }
    return true;
}

static bool is_evaluable(const Enumeration *run, const IndexRegion *region) {
    for (size_t i = 0; i < run->dimension_count; i++) {
        const IndexDimension *dimension = &region->dimensions[i];
        if (run->used[i] && (!index_is_evaluable(dimension->from) ||
                             (dimension->length && !index_is_evaluable(dimension->length)))) {
            return false;
        }
    }
    return are_loops_evaluable(run->pair, region->loops);
}

static int compare_elements(const void *left, const void *right) {
    const Element *a = left;
    const Element *b = right;
    if (a->key != b->key) {
        return a->key < b->key ? -1 : 1;
    }
    if (a->instance != b->instance) {
        return a->instance < b->instance ? -1 : 1;
    }
    return (int)a->is_left - (int)b->is_left;
}

/* A left and a right element of the same key, and of different iterations when replicated. In the
 * run of one key it is enough to keep the first left and the first right one: if those are of the
 * same iteration, a later one of either side differs from the other's first. */
static bool find_meeting(const Enumeration *run, IndexPair *pair) {
    const Element *first[2] = {NULL, NULL};
    for (size_t i = 0; i < run->elements.count; i++) {
        const Element *element = &run->elements.items[i];
        if (i == 0 || element->key != run->elements.items[i - 1].key) {
            first[0] = first[1] = NULL;
        }
        const Element *other = first[!element->is_left];
        if (other && (!pair->is_replicated || other->instance != element->instance)) {
            pair->witness[0] = element->is_left ? element->instance : other->instance;
            pair->witness[1] = element->is_left ? other->instance : element->instance;
            pair->has_witness = pair->is_replicated;
            return true;
        }
        if (!first[element->is_left]) {
            first[element->is_left] = element;
        }
    }
    return false;
}

static bool run_side(Enumeration *run, const IndexRegion *region, bool is_left) {
    run->region = region;
    run->is_left = is_left;
    if (!line_up_loops(run, region->loops) || !is_evaluable(run, region)) {
        return false;
    }
    find_idle_loops(run, region);
    run_loop(run, 0);
    return !run->failed;
}

IndexAnswer index_enumerate_pair(const IndexRegion *left, const IndexRegion *right,
                                 IndexPair *pair) {
    Enumeration run = {.pair = pair};
    if (!choose_parts(&run, left, right)) {
        return INDEX_IS_UNKNOWN;
    }
    run.arena = arena_create();
    IndexAnswer answer = INDEX_IS_UNKNOWN;
    if (run_side(&run, left, true) && run_side(&run, right, false)) {
        if (run.elements.count > 1) {
            qsort(run.elements.items, run.elements.count, sizeof *run.elements.items,
                  compare_elements);
        }
        bool meets = find_meeting(&run, pair);
        answer = meets                            ? INDEX_OVERLAP
                 : run.is_cut || run.is_shortened ? INDEX_IS_UNKNOWN
                                                  : INDEX_DISJOINT;
    }
    arena_destroy(run.arena);
    return answer;
}
