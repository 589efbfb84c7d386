/* usage_conflict -- the accesses of the components of a PAR against each other (language.md 3.2).
 *
 * The accesses are sorted by object; objects used by one component only are left. Pairs of one
 * object are compared as usage_index.h says, those whose constant subscripts are apart not at all.
 * One message for each object and PAR.
 *
 * What arithmetic proves disjoint is accepted, whether the number of replications is constant or
 * not; what is open is `usage-unproved`, which may be made a warning. */
#include "usage_conflict.h"

#include <stdlib.h>

#define COMPARISON_LIMIT 20000 /* compared by arithmetic */
#define ELEMENT_BUDGET   4000000
#define DOUBT_LIMIT      4    /* pairs of one object that are looked at case by case in vain */
#define LATE_COMPARISONS 2000 /* after that */
#define MANY             32   /* accesses of an object: comparisons are remembered */
#define RECENT           16   /* accesses looked back at for repetitions */

/* ---- candidates ---- */

static int compare_candidates(const void *left, const void *right) {
    const Candidate *a = left;
    const Candidate *b = right;
    if (a->access->root != b->access->root) {
        return a->access->root->number < b->access->root->number ? -1 : 1;
    }
    if (a->low != b->low) {
        return a->low < b->low ? -1 : 1;
    }
    if (a->component != b->component) {
        return a->component < b->component ? -1 : 1;
    }
    return a->access < b->access ? -1 : a->access > b->access;
}

static bool is_repetition(const Candidate *a, const Candidate *b) {
    const IndexRegion *left = &a->access->region;
    const IndexRegion *right = &b->access->region;
    return a->component == b->component && a->access->kind == b->access->kind &&
           usage_same_locks(a->access->locks, b->access->locks) && left->loops == right->loops &&
           left->guards == right->guards && index_same_parts(left, right);
}

/* Sorted by object; repetitions dropped where they stand near. */
static void sort_candidates(CandidateList *list) {
    if (list->count < 2) {
        return;
    }
    qsort(list->items, list->count, sizeof *list->items, compare_candidates);
    size_t kept = 1;
    for (size_t i = 1; i < list->count; i++) {
        bool is_known = false;
        for (size_t k = kept; k > 0 && kept - k < RECENT && !is_known; k--) {
            const Candidate *earlier = &list->items[k - 1];
            if (earlier->access->root != list->items[i].access->root) {
                break;
            }
            is_known = is_repetition(earlier, &list->items[i]);
        }
        if (!is_known) {
            list->items[kept++] = list->items[i];
        }
    }
    list->count = kept;
}

static void set_bounds(Candidate *candidate, size_t dimension) {
    const IndexRegion *region = &candidate->access->region;
    candidate->low = INT64_MIN;
    candidate->high = INT64_MAX;
    if (dimension < region->count) {
        IndexBounds bounds = index_dimension_bounds(&region->dimensions[dimension]);
        candidate->low = bounds.low;
        candidate->high = bounds.high;
    }
}

static const UsageAccess *plain(const UsageAccess *access) {
    return access->plain ? access->plain : access;
}

/* x[i + j] := ..   under two PARs is one mistake; it was reported for the inner one. */
static bool is_reported(const ParCheck *check, const Candidate *group, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const UsageAccess *access = group[i].access;
        for (size_t k = 0; k < check->walk->compared.reported.count; k++) {
            const UsageReported *reported = &check->walk->compared.reported.items[k];
            if (reported->root == access->root && reported->at.file == access->at.file &&
                reported->at.line == access->at.line && reported->at.column == access->at.column) {
                return true;
            }
        }
    }
    return false;
}

static void report(ParCheck *check, const UsageConflict *conflict) {
    UsageConflict shown = *conflict;
    bool has_patience = check->walk->compared.patience > 0;
    if (!conflict->is_proved && check->pair.sample.count == 0 && has_patience) {
        index_search_sample(&conflict->a->region, &conflict->b->region, &check->pair);
    }
    shown.a = plain(conflict->a);
    shown.b = plain(conflict->b);
    shown.clocks = &check->clocks;
    usage_report_conflict(check->walk, &check->pair, &shown);
    if (conflict->is_proved) {
        UsageReported reported = {conflict->a->root, conflict->a->at};
        array_push(check->walk->arena, &check->walk->compared.reported, reported);
    }
}

/* The first pair that cannot be decided. */
typedef struct Doubt {
    UsageConflict conflict;
    IndexSample sample;
    unsigned count;
} Doubt;

static void note_doubt(ParCheck *check, Doubt *doubt, const UsageConflict *conflict) {
    bool has_more = check->pair.sample.count > 0 && doubt->sample.count == 0;
    if (doubt->count == 0 || has_more) {
        doubt->conflict = *conflict;
        doubt->sample = check->pair.sample;
    }
    if (++doubt->count == DOUBT_LIMIT) {
        check->pair.is_thorough = false;
        uint32_t late = check->pair.comparisons + LATE_COMPARISONS;
        check->last_comparison = late < COMPARISON_LIMIT ? late : COMPARISON_LIMIT;
    }
}

#define WRITES_LOOKED_AT 64

/* Two branches that write tell more than one that writes and one that reads. */
static bool find_two_writes(ParCheck *check, const Candidate *group, size_t count,
                            UsageConflict *conflict) {
    for (size_t i = 0; i < count && i < WRITES_LOOKED_AT; i++) {
        for (size_t k = i; k < count && k < WRITES_LOOKED_AT; k++) {
            const Candidate *a = &group[i];
            const Candidate *b = &group[k];
            bool is_pair = a->access->kind == USAGE_WRITE && b->access->kind == USAGE_WRITE &&
                           (check->pair.is_replicated || a->component != b->component);
            if (is_pair && !pair_are_claimed(check, a, b) &&
                pair_compare(check, a, b) == INDEX_OVERLAP) {
                *conflict = (UsageConflict){.a = a->access, .b = b->access, .is_proved = true};
                return true;
            }
        }
    }
    return false;
}

/* True when the pair is a proved conflict; one that cannot be decided is kept in *doubt. */
static bool check_pair(ParCheck *check, const Candidate *a, const Candidate *b, Doubt *doubt) {
    bool is_replicated = check->pair.is_replicated;
    if ((!is_replicated && a->component == b->component) ||
        !pair_uses_conflict(a->access, b->access) || pair_are_claimed(check, a, b)) {
        return false;
    }
    IndexAnswer answer = pair_compare(check, a, b);
    UsageConflict conflict = {.a = a->access, .b = b->access, .is_proved = answer == INDEX_OVERLAP};
    if (answer == INDEX_IS_UNKNOWN) {
        note_doubt(check, doubt, &conflict);
    }
    if (answer == INDEX_OVERLAP) {
        doubt->conflict = conflict;
        doubt->sample = check->pair.sample;
    }
    return answer == INDEX_OVERLAP;
}

static void report_proved(ParCheck *check, const Candidate *group, size_t count,
                          const Doubt *found) {
    UsageConflict conflict = found->conflict;
    bool is_read = conflict.a->kind <= USAGE_MEASURE || conflict.b->kind <= USAGE_MEASURE;
    IndexPair pair = check->pair;
    if (is_read && !find_two_writes(check, group, count, &conflict)) {
        pair.comparisons = check->pair.comparisons;
        check->pair = pair;
    }
    report(check, &conflict);
}

/* x[n + 1] and x[n + 2], n the same for all branches: as good as constants. */
static bool is_constant_apart(const ParCheck *check, const IndexRegion *first,
                              const IndexRegion *region, int64_t *offset) {
    int64_t base = 0;
    if (region->count != 1 || !region->dimensions[0].from || region->dimensions[0].length) {
        return false;
    }
    const IndexExpr *varying = index_take_offset(region->dimensions[0].from, offset);
    return index_same(index_take_offset(first->dimensions[0].from, &base), varying) &&
           index_is_shared(varying, &check->pair);
}

static void bound_by_offsets(ParCheck *check, Candidate *group, size_t count) {
    const IndexRegion *first = &group[0].access->region;
    for (size_t i = 0; i < count; i++) {
        if (!is_constant_apart(check, first, &group[i].access->region, &group[i].offset)) {
            return;
        }
    }
    for (size_t i = 0; i < count; i++) {
        group[i].low = group[i].high = group[i].offset;
    }
    qsort(group, count, sizeof *group, compare_candidates);
}

/* Where the phases do not tell accesses apart, their subscripts may. */
static void bound_by_subscripts(const ParCheck *check, Candidate *group, size_t count) {
    for (size_t i = 0; i < count; i++) {
        set_bounds(&group[i], check->clocks.count);
    }
    qsort(group, count, sizeof *group, compare_candidates);
}

static void classify(ParCheck *check, Candidate *group, size_t count) {
    check->offsets = index_offset_table(check->walk->arena);
    for (size_t i = 0; i < count; i++) {
        Candidate *candidate = &group[i];
        candidate->offset_class =
            index_offset_class(check->offsets, &candidate->access->region, &candidate->offset);
    }
}

/* All accesses of one object. Sorted by their lower bound: a candidate is compared with those that
 * begin before it ends. */
static void check_object(ParCheck *check, Candidate *group, size_t count) {
    Doubt doubt = {.count = 0};
    check->offsets = NULL;
    if (group[0].low == INT64_MIN && check->clocks.count > 0) {
        bound_by_subscripts(check, group, count);
    }
    if (group[0].low == INT64_MIN && group[0].access->region.count == 1 &&
        group[0].access->region.dimensions[0].from) {
        bound_by_offsets(check, group, count);
    }
    if (count >= MANY) {
        classify(check, group, count);
    }
    check->pair.is_thorough = true;
    check->last_comparison = COMPARISON_LIMIT;
    if (pair_are_separated(check, group, count)) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        size_t first = check->pair.is_replicated ? i : i + 1;
        for (size_t k = first; k < count && group[k].low <= group[i].high; k++) {
            if (check_pair(check, &group[i], &group[k], &doubt)) {
                report_proved(check, group, count, &doubt);
                return;
            }
        }
        if (pair_is_exhausted(check) && doubt.count > 0) {
            break;
        }
    }
    if (doubt.count > 0) {
        check->pair.sample = doubt.sample;
        report(check, &doubt.conflict);
    }
}

/* Input in one branch, output in another: the channel is used as it is meant. */
static void note_pair(ParCheck *check, const Candidate *group, size_t count) {
    Symbol *root = group[0].access->root;
    if (root->kind != SYMBOL_VARIABLE || root->type->kind != TYPE_CHANNEL) {
        return;
    }
    size_t inputs = SIZE_MAX;
    size_t outputs = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        size_t *place = group[i].access->kind == USAGE_INPUT ? &inputs : &outputs;
        *place =
            *place == SIZE_MAX || *place == group[i].component ? group[i].component : SIZE_MAX - 1;
    }
    if (inputs != SIZE_MAX && outputs != SIZE_MAX &&
        (inputs != outputs || inputs == SIZE_MAX - 1 || check->pair.is_replicated)) {
        usage_note_pair(check->walk, root);
    }
}

/* Only objects that some component changes or communicates through, and another uses. */
static bool is_interesting(const ParCheck *check, const Candidate *group, size_t count) {
    bool has_effect = false;
    bool has_others = check->pair.is_replicated;
    for (size_t i = 0; i < count; i++) {
        has_effect = has_effect || (group[i].access->kind != USAGE_READ &&
                                    group[i].access->kind != USAGE_MEASURE);
        has_others = has_others || group[i].component != group[0].component;
    }
    return has_effect && has_others;
}

/* An end that many may hold; of SHARED! CHAN the input end is one process's like any other. */
static bool is_shared_end(const UsageAccess *access) {
    const Type *leaf = type_leaf(access->root->type);
    if (leaf->kind != TYPE_CHANNEL) {
        return false;
    }
    return (leaf->channel.is_shared_input && access->kind != USAGE_OUTPUT) ||
           (leaf->channel.is_shared_output && access->kind != USAGE_INPUT);
}

static bool is_exempt(const ParCheck *check, const UsageAccess *access) {
    const Symbol *root = access->root;
    if (access->view && access->view->number <= check->latest) {
        return true; /* the branches know the view: its own parts are compared */
    }
    return root->permits_sharing || is_shared_end(access) ||
           (int64_t)root->number >= check->pair.first_local;
}

static bool is_of_data(UsageKind kind) {
    return kind != USAGE_CLAIM && kind != USAGE_NEXT;
}

static CandidateList gather(ParCheck *check, const size_t *starts, size_t components) {
    CandidateList list = {0};
    for (size_t i = 0; i < components; i++) {
        for (size_t k = starts[i]; k < starts[i + 1]; k++) {
            Candidate candidate = {.access = &check->walk->accesses.items[k], .component = i};
            if (is_of_data(candidate.access->kind) && !is_exempt(check, candidate.access)) {
                candidate.access =
                    usage_phase_access(check->walk->arena, &check->clocks, check->par, i,
                                       check->before, candidate.access);
                set_bounds(&candidate, 0);
                array_push(check->walk->arena, &list, candidate);
            }
        }
    }
    sort_candidates(&list);
    return list;
}

/* ---- the PAR ---- */

/* False when there is nothing to pair_compare: at most one component runs. */
static bool set_up(ParCheck *check, const Node *par) {
    const Node *replicator = par->par.replicator;
    unsigned depth = check->walk->loops ? check->walk->loops->depth + 1 : 0;
    check->pair.budget = &check->budget;
    check->pair.memo = check->walk->compared.memo;
    check->pair.patience = &check->walk->compared.patience;
    check->pair.first_local = INT64_MAX;
    check->pair.shared_depth = depth;
    if (!replicator || replicator->kind != NODE_REPLICATOR) {
        return par->par.body.count > 1;
    }
    const Ast_replicator *loop = &replicator->replicator;
    check->pair.shared_depth = depth - 1;
    check->pair.is_replicated = true;
    if (loop->def->def.symbol) {
        check->pair.first_local = loop->def->def.symbol->number;
    }
    return !loop->count->constant || loop->count->constant->integer > 1;
}

void usage_check_par(UsageWalk *walk, const Node *par, const size_t *starts, uint32_t latest,
                     const UsagePhase *before, const UsagePhase *const *ends) {
    ParCheck check = {
        .walk = walk, .budget = ELEMENT_BUDGET, .latest = latest, .par = par, .before = before};
    usage_phase_clocks(walk->arena, par, &check.clocks);
    bool is_enough = walk->is_silent || diag_limit_reached(walk->compiler->diag);
    if (is_enough || !set_up(&check, par)) {
        return;
    }
    if (check.clocks.count > 0) {
        usage_check_blocks(walk, par, starts, check.pair, before, &check.clocks, ends);
    }
    CandidateList list = gather(&check, starts, par->par.body.count);
    for (size_t i = 0; i < list.count;) {
        size_t end = i + 1;
        while (end < list.count && list.items[end].access->root == list.items[i].access->root) {
            end++;
        }
        note_pair(&check, &list.items[i], end - i);
        if (is_interesting(&check, &list.items[i], end - i) &&
            !is_reported(&check, &list.items[i], end - i)) {
            check_object(&check, &list.items[i], end - i);
        }
        i = end;
    }
}
