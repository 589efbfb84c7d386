/* index_search -- a case in which two accesses meet, looked for among small numbers.
 *
 * For messages only: index_meet.c gives one where all subscripts are sums; strides 1 << k, products
 * and tables are understood here by calculating them. What is found is a true case, as far as
 * conditions are known. */
#include "usage_index.h"

#define VARIABLE_LIMIT 9
#define VALUE_LIMIT    4  /* values from 0 on, */
#define FEW_LIMIT      31 /* where there are few variables */
#define WORK_LIMIT     100000

/* Also a case that is looked at: only regions, pair and sample count then. */
typedef struct Search {
    const IndexRegion *regions[2];
    const IndexPair *pair;
    IndexSample sample;
    unsigned work;
    int64_t limit;
    bool has_failed; /* too many, or what is not known */
} Search;

static IndexSide side_at(unsigned which) {
    return which == 0 ? SIDE_LEFT : SIDE_RIGHT;
}

/* ---- values in a sample ---- */

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

/* ---- what the accesses depend on ---- */

static void add_expr(Search *search, const IndexExpr *expr, unsigned which);

static void add_variable(Search *search, const IndexLoop *loop, const IndexExpr *parameter,
                         bool is_shared, unsigned which) {
    IndexSide side = is_shared ? SIDE_BOTH : side_at(which);
    for (size_t i = 0; i < search->sample.count; i++) {
        const IndexSampleValue *known = &search->sample.values[i];
        bool is_it =
            loop ? known->loop == loop : !known->loop && index_equal(known->parameter, parameter);
        if (is_it && known->side == side) {
            return;
        }
    }
    if (search->sample.count == VARIABLE_LIMIT) {
        search->has_failed = true;
        return;
    }
    search->sample.values[search->sample.count++] =
        (IndexSampleValue){.loop = loop, .parameter = parameter, .side = side};
}

static void add_expr(Search *search, const IndexExpr *expr, unsigned which) {
    if (!expr || search->has_failed) {
        return;
    }
    switch (expr->kind) {
    case INDEX_CONSTANT: return;
    case INDEX_PARAMETER:
        add_variable(search, NULL, expr, index_is_shared(expr, search->pair), which);
        return;
    case INDEX_LOOP: return; /* all loops are added */
    case INDEX_OPERATOR:
        add_expr(search, expr->left, which);
        add_expr(search, expr->right, which);
        return;
    case INDEX_LOOKUP: add_expr(search, expr->left, which); return;
    case INDEX_ELEMENT: /* whatever the array holds */
    case INDEX_UNKNOWN: search->has_failed = true; return;
    }
}

static void add_loops(Search *search, const IndexLoop *loop, unsigned which) {
    if (!loop || search->has_failed) {
        return;
    }
    add_loops(search, loop->outer, which);
    if (loop->count->kind != INDEX_UNKNOWN) { /* else it runs as often as is needed */
        add_expr(search, loop->count, which);
    }
    add_variable(search, loop, NULL, loop->depth < search->pair->shared_depth, which);
}

static void add_guards(Search *search, const IndexGuard *guard, unsigned which) {
    for (; guard; guard = guard->outer) {
        if (guard->is_choice) {
            add_guards(search, guard->either, which);
            add_guards(search, guard->other, which);
        } else {
            add_expr(search, guard->left, which);
            add_expr(search, guard->right, which);
        }
    }
}

static void add_region(Search *search, unsigned which) {
    const IndexRegion *region = search->regions[which];
    for (size_t i = 0; i < region->count; i++) {
        for (const IndexDimension *at = &region->dimensions[i]; at; at = at->within) {
            add_expr(search, at->from, which);
            add_expr(search, at->length, which);
        }
    }
    add_guards(search, region->guards, which);
    add_loops(search, region->loops, which);
}

/* ---- is it a case ---- */

static bool value_of(const Search *search, const IndexExpr *expr, unsigned which, int64_t *value) {
    return index_sample_value(&search->sample, expr, side_at(which), value);
}

static bool guards_hold(const Search *search, const IndexGuard *guard, unsigned which) {
    for (; guard; guard = guard->outer) {
        int64_t left = 0;
        int64_t right = 0;
        int64_t holds = 0;
        if (guard->is_choice) {
            if (!guards_hold(search, guard->either, which) &&
                !guards_hold(search, guard->other, which)) {
                return false;
            }
        } else if (!value_of(search, guard->left, which, &left) ||
                   !value_of(search, guard->right, which, &right) ||
                   !index_apply(guard->op, left, right, &holds) ||
                   (holds != 0) == guard->is_negated) {
            return false;
        }
    }
    return true;
}

static bool are_in_count(const Search *search) {
    for (size_t i = 0; i < search->sample.count; i++) {
        const IndexSampleValue *variable = &search->sample.values[i];
        int64_t count = 0;
        if (variable->loop && variable->loop->count->kind != INDEX_UNKNOWN &&
            (!value_of(search, variable->loop->count, variable->side == SIDE_RIGHT, &count) ||
             variable->value >= count)) {
            return false;
        }
    }
    return true;
}

static bool bounds_of(const Search *search, const IndexDimension *part, unsigned which,
                      IndexBounds *bounds) {
    int64_t length = 1;
    if (!value_of(search, part->from, which, &bounds->low) ||
        (part->length && !value_of(search, part->length, which, &length))) {
        return false;
    }
    bounds->high = bounds->low + length - 1;
    IndexBounds around;
    bool is_within = !part->within || !part->within->from ||
                     (bounds_of(search, part->within, which, &around) &&
                      around.low <= bounds->low && bounds->high <= around.high);
    return bounds->low >= 0 && length > 0 && is_within;
}

static bool parts_meet(const Search *search) {
    const IndexRegion *left = search->regions[0];
    const IndexRegion *right = search->regions[1];
    for (size_t i = 0; i < left->count && i < right->count; i++) {
        IndexBounds a;
        IndexBounds b;
        if (!left->dimensions[i].from || !right->dimensions[i].from) {
            continue;
        }
        if (!bounds_of(search, &left->dimensions[i], 0, &a) ||
            !bounds_of(search, &right->dimensions[i], 1, &b) || a.high < b.low || b.high < a.low) {
            return false;
        }
    }
    return true;
}

static bool are_two_branches(const Search *search) {
    const IndexPair *pair = search->pair;
    const IndexLoop *loop =
        pair->is_replicated ? index_loop_at(search->regions[0]->loops, pair->shared_depth) : NULL;
    int64_t values[2] = {0, 1};
    for (size_t i = 0; loop && i < search->sample.count; i++) {
        if (search->sample.values[i].loop == loop) {
            values[search->sample.values[i].side == SIDE_RIGHT] = search->sample.values[i].value;
        }
    }
    return values[0] != values[1];
}

/* Those that are not in the sample, too: their counts are constants. */
static bool all_run(const IndexLoop *loop) {
    while (loop && !(loop->count->kind == INDEX_CONSTANT && loop->count->value <= 0)) {
        loop = loop->outer;
    }
    return !loop;
}

static bool is_case(const Search *search) {
    return all_run(search->regions[0]->loops) && all_run(search->regions[1]->loops) &&
           are_two_branches(search) && are_in_count(search) && parts_meet(search) &&
           guards_hold(search, search->regions[0]->guards, 0) &&
           guards_hold(search, search->regions[1]->guards, 1);
}

bool index_is_case(const IndexRegion *left, const IndexRegion *right, const IndexPair *pair,
                   const IndexSample *sample) {
    Search search = {.regions = {left, right}, .pair = pair, .sample = *sample};
    return is_case(&search);
}

static bool find(Search *search, size_t next) {
    if (next == search->sample.count) {
        search->work++;
        return is_case(search);
    }
    for (int64_t value = 0; value <= search->limit && search->work < WORK_LIMIT; value++) {
        search->sample.values[next].value = value;
        if (find(search, next + 1)) {
            return true;
        }
    }
    return false;
}

/* As many values for each variable as the work allows. */
static int64_t value_limit(size_t variables) {
    for (int64_t limit = FEW_LIMIT; limit > VALUE_LIMIT; limit--) {
        int64_t work = 1;
        for (size_t i = 0; i < variables && work <= WORK_LIMIT; i++) {
            work *= limit + 1;
        }
        if (work <= WORK_LIMIT) {
            return limit;
        }
    }
    return VALUE_LIMIT;
}

void index_search_sample(const IndexRegion *left, const IndexRegion *right, IndexPair *pair) {
    Search search = {.regions = {left, right}, .pair = pair};
    add_region(&search, 0);
    add_region(&search, 1);
    search.limit = value_limit(search.sample.count);
    if (search.has_failed || !find(&search, 0)) {
        return;
    }
    pair->sample = search.sample;
}
