/* usage_recursion -- which part of an array a recursive routine uses, by its VAL formals: a[lo] up
 * to a[hi - 1], up to a[hi], or n elements from a[lo] on.
 *
 * Holds: a part is proved by induction. It is assumed of the calls inside, and holds when all that
 *        the body then uses lies in it. Parts of several arrays are assumed together, for calls may
 *        exchange them. What is refuted gives way to the next candidate, and in the end to the
 *        whole. Which elements of the part are used is not known: nothing is proved to meet. */
#include "usage.h"

#define GROUP_LIMIT     8  /* arrays, read or written */
#define CANDIDATE_LIMIT 40 /* parts */
#define ROUND_LIMIT     12 /* walks of the body */

/* One array in one kind of access. */
typedef struct Group {
    const Symbol *root;
    UsageKind kind;
    size_t candidate; /* the first that is not refuted; behind the last: the whole */
} Group;

struct UsageRecursion {
    size_t candidate_count;
    IndexDimension candidates[CANDIDATE_LIMIT];
    size_t group_count;
    Group groups[GROUP_LIMIT];
    unsigned rounds;
    bool is_settled; /* the last walk refuted nothing */
};

/* ---- candidates ---- */

static void add_candidate(UsageRecursion *recursion, const IndexExpr *from,
                          const IndexExpr *length) {
    if (recursion->candidate_count < CANDIDATE_LIMIT) {
        recursion->candidates[recursion->candidate_count++] = (IndexDimension){from, length, NULL};
    }
}

/* lo .. hi - 1, n elements from lo on, lo .. hi */
static void add_candidates(UsageWalk *walk, UsageRecursion *recursion, const Symbol *first,
                           const Symbol *second) {
    const IndexExpr *low = region_name(&walk->builder, first);
    const IndexExpr *high = region_name(&walk->builder, second);
    const IndexExpr *length = index_operator(walk->arena, OPERATOR_SUBTRACT, high, low);
    add_candidate(recursion, low, length);
    add_candidate(recursion, low, high);
    add_candidate(
        recursion, low,
        index_operator(walk->arena, OPERATOR_ADD, length, index_constant(walk->arena, 1)));
}

static const Symbol *number_formal(const Node *formal) {
    bool is_value = formal->kind == NODE_FORMAL && formal->formal.mode == FORMAL_VAL;
    const Symbol *symbol = is_value ? formal->formal.def->def.symbol : NULL;
    bool is_int = symbol && symbol->type && type_base(symbol->type)->kind == TYPE_INT;
    return is_int ? symbol : NULL;
}

static void find_candidates(UsageWalk *walk, UsageRecursion *recursion, const NodeList *formals) {
    for (size_t i = 0; i < formals->count; i++) {
        for (size_t k = 0; k < formals->count; k++) {
            const Symbol *first = number_formal(formals->items[i]);
            const Symbol *second = number_formal(formals->items[k]);
            if (first && second && first != second) {
                add_candidates(walk, recursion, first, second);
            }
        }
    }
}

/* ---- groups ---- */

static Group *find_group(UsageRecursion *recursion, const UsageAccess *access) {
    for (size_t i = 0; recursion && i < recursion->group_count; i++) {
        Group *group = &recursion->groups[i];
        if (group->root == access->root && group->kind == access->kind) {
            return group;
        }
    }
    return NULL;
}

/* An array of which parts are used; its accesses are taken out of the summary. */
static bool take_group(UsageRecursion *recursion, const UsageAccess *access) {
    const Type *type = access->root->type;
    bool is_array = type && !type_is_error(type) && type_is_array(type) && !type_is_mobile(type);
    bool is_part = access->region.loops && access->region.loops->is_some;
    if (!is_array || !is_part || recursion->group_count == GROUP_LIMIT) {
        return false;
    }
    recursion->groups[recursion->group_count++] = (Group){access->root, access->kind, 0};
    return true;
}

bool usage_recursion_begin(UsageWalk *walk, const NodeList *formals, RoutineUsage *usage) {
    UsageRecursion *recursion = arena_new(walk->arena, UsageRecursion);
    find_candidates(walk, recursion, formals);
    UsageAccessList rest = {0};
    for (size_t i = 0; recursion->candidate_count > 0 && i < usage->accesses.count; i++) {
        if (!take_group(recursion, &usage->accesses.items[i])) {
            array_push(walk->arena, &rest, usage->accesses.items[i]);
        }
    }
    if (recursion->group_count == 0) {
        return false;
    }
    usage->accesses = rest; /* the first walk shows what the body itself uses */
    usage->recursion = recursion;
    return true;
}

/* ---- what a walk shows ---- */

static void look_at(UsageWalk *walk, UsageRecursion *recursion, const UsageAccess *access) {
    Group *group = find_group(recursion, access);
    while (group && group->candidate < recursion->candidate_count &&
           !index_is_within(&access->region, &recursion->candidates[group->candidate],
                            &walk->compared.patience)) {
        group->candidate++;
        recursion->is_settled = false;
    }
}

void usage_recursion_look(UsageWalk *walk, RoutineUsage *usage, size_t start) {
    UsageRecursion *recursion = usage->recursion;
    if (!recursion) {
        return;
    }
    recursion->is_settled = recursion->rounds > 0;
    recursion->rounds++;
    for (size_t i = start; i < walk->accesses.count; i++) {
        look_at(walk, recursion, &walk->accesses.items[i]);
    }
    for (size_t i = 0; recursion->rounds == ROUND_LIMIT && i < recursion->group_count; i++) {
        recursion->groups[i].candidate = recursion->candidate_count;
    }
}

/* The whole holds for sure. */
bool usage_recursion_is_settled(const RoutineUsage *usage) {
    return usage->recursion->is_settled || usage->recursion->rounds > ROUND_LIMIT;
}

void usage_recursion_bound(UsageWalk *walk, const RoutineUsage *usage, UsageAccess *all) {
    const UsageRecursion *recursion = usage->recursion;
    const Group *group = find_group(usage->recursion, all);
    if (group && group->candidate < recursion->candidate_count) {
        all->region.dimensions = arena_copy(walk->arena, &recursion->candidates[group->candidate],
                                            sizeof(IndexDimension));
        all->region.count = 1;
    }
}
