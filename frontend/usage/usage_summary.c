/* usage_summary -- what a routine does to its formals and free names, and the same seen from a
 * call.
 *
 * Holds: a summary has at most PART_LIMIT parts of one object in one kind, and NODE_LIMIT
 *        expressions in them, so that calls of calls do not multiply; beyond that the whole object
 *        counts. Parts are in terms of the routine's formals, its own loops and what lies outside;
 *        usage_call.c puts the actuals in. */
#include "usage_phase.h"
#include "value.h"

#include <stdlib.h>

#define PART_LIMIT  256
#define NODE_LIMIT  8000
#define PHASE_PARTS 64 /* of a routine that goes on to other phases */
#define ROUND_LIMIT 4

/* ---- making a summary ---- */

/* Formals of the routine, and what is defined outside of it. An INITIAL formal is a copy: what
 * becomes of it is the routine's own affair. */
static bool is_visible_outside(const Symbol *root, const Node *routine, const Symbol *symbol) {
    bool is_formal = root->kind == SYMBOL_FORMAL && root->owner == routine;
    return root->number < symbol->number || (is_formal && root->formal_mode != FORMAL_INITIAL);
}

static int compare_accesses(const void *left, const void *right) {
    const UsageAccess *a = *(const UsageAccess *const *)left;
    const UsageAccess *b = *(const UsageAccess *const *)right;
    if (a->root != b->root) {
        return a->root->number < b->root->number ? -1 : 1;
    }
    if (a->kind != b->kind) {
        return a->kind < b->kind ? -1 : 1;
    }
    return a < b ? -1 : a > b; /* the order in the text */
}

static bool parts_equal(const IndexRegion *left, const IndexRegion *right) {
    return left->loops == right->loops && left->guards == right->guards &&
           index_same_parts(left, right);
}

static bool is_whole(const UsageAccess *access) {
    return access->region.count == 0 && !access->region.guards;
}

/* A part of it, or what all_of made of parts in an earlier round of a recursion. */
static bool is_part(const UsageAccess *access) {
    const IndexLoop *loop = access->region.loops;
    return access->region.count > 0 || (loop && loop->is_some);
}

/* Some number of times: of a whole that stands for parts no two accesses are known to meet. */
static const IndexLoop *some_times(UsageWalk *walk) {
    IndexLoop *loop = arena_new(walk->arena, IndexLoop);
    loop->outer = walk->loops;
    loop->depth = loop->outer ? loop->outer->depth + 1 : 0;
    loop->count = index_unknown();
    loop->is_some = true;
    return loop;
}

/* All as one access of the whole: shown where least is claimed round it. */
static UsageAccess all_of(UsageWalk *walk, UsageAccess *const *group, size_t count) {
    UsageAccess all = *group[0];
    bool are_parts = is_part(group[0]);
    for (size_t i = 1; i < count; i++) {
        if (all.locks && !group[i]->locks) {
            all = *group[i];
        }
        all.locks = usage_common_locks(walk, all.locks, group[i]->locks);
        are_parts = are_parts && is_part(group[i]);
    }
    all.region = (IndexRegion){.loops = are_parts ? some_times(walk) : NULL};
    all.phases = NULL;
    all.block = NULL;
    return all;
}

/* ---- how much there is to say of a part ---- */

static size_t nodes_of(const IndexExpr *expr) {
    return !expr ? 0 : expr->size ? expr->size : 1;
}

static size_t nodes_of_guards(const IndexGuard *guard) {
    size_t nodes = 0;
    for (; guard && nodes < NODE_LIMIT; guard = guard->outer) {
        nodes += guard->is_choice ? nodes_of_guards(guard->either) + nodes_of_guards(guard->other)
                                  : nodes_of(guard->left) + nodes_of(guard->right);
    }
    return nodes;
}

static size_t nodes_of_region(const IndexRegion *region) {
    size_t nodes = nodes_of_guards(region->guards);
    for (size_t i = 0; i < region->count; i++) {
        nodes += nodes_of(region->dimensions[i].from) + nodes_of(region->dimensions[i].length);
    }
    for (const IndexLoop *loop = region->loops; loop; loop = loop->outer) {
        nodes += nodes_of(loop->count) + nodes_of(loop->value);
    }
    return nodes;
}

/* One object in one kind: the different parts, or the whole. */
static void summarise_group(UsageWalk *walk, const RoutineUsage *usage, UsageAccess *const *group,
                            size_t count, bool only_whole, UsageAccessList *summary) {
    size_t first = summary->count;
    size_t nodes = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_known = false;
        for (size_t k = first; k < summary->count && !is_known; k++) {
            is_known = parts_equal(&summary->items[k].region, &group[i]->region) &&
                       usage_same_locks(summary->items[k].locks, group[i]->locks) &&
                       usage_phase_same(summary->items[k].phases, group[i]->phases) &&
                       summary->items[k].block == group[i]->block;
        }
        if (is_known) {
            continue;
        }
        nodes += nodes_of_region(&group[i]->region);
        bool takes_all = only_whole || nodes > NODE_LIMIT ||
                         (is_whole(group[i]) && !group[i]->phases) ||
                         summary->count - first >= (group[i]->phases ? PHASE_PARTS : PART_LIMIT);
        UsageAccess access = *group[i];
        if (takes_all) {
            access = all_of(walk, group, count);
            usage_recursion_bound(walk, usage, &access);
            summary->count = first;
        }
        array_push(walk->arena, summary, access);
        if (takes_all) {
            return;
        }
    }
}

static UsageAccessList summarise(UsageWalk *walk, const Node *routine, const RoutineUsage *usage,
                                 size_t start) {
    const ProcInfo *info = node_info(routine);
    ARRAY_OF(UsageAccess *) visible = {0};
    for (size_t i = start; i < walk->accesses.count; i++) {
        UsageAccess *access = &walk->accesses.items[i];
        if (is_visible_outside(access->root, routine, info->symbol)) {
            array_push(walk->arena, &visible, access);
        }
    }
    if (visible.count > 1) {
        qsort(visible.items, visible.count, sizeof *visible.items, compare_accesses);
    }
    UsageAccessList summary = {0};
    for (size_t i = 0; i < visible.count;) {
        size_t end = i + 1;
        while (end < visible.count && visible.items[end]->root == visible.items[i]->root &&
               visible.items[end]->kind == visible.items[i]->kind) {
            end++;
        }
        summarise_group(walk, usage, &visible.items[i], end - i, info->is_recursive_used, &summary);
        i = end;
    }
    return summary;
}

/* ---- routines ---- */

static RoutineUsage *usage_of(UsageWalk *walk, Symbol *symbol) {
    RoutineUsage *usage = symbol_map_get(&walk->routines, symbol);
    if (!usage) {
        usage = arena_new(walk->arena, RoutineUsage);
        symbol_map_set(walk->arena, &walk->routines, symbol, usage);
    }
    return usage;
}

static void define_formals(UsageWalk *walk, const Node *routine) {
    const NodeList *formals = node_formals(routine);
    for (size_t i = 0; i < formals->count; i++) {
        if (formals->items[i]->kind == NODE_FORMAL) {
            usage_define(walk, formals->items[i]->formal.def);
        }
    }
}

static void walk_body(UsageWalk *walk, const Node *routine, RoutineUsage *usage) {
    const ProcInfo *info = node_info(routine);
    size_t start = walk->accesses.count;
    size_t values = value_mark(walk);
    const UsageHere outside = walk->here;
    usage_define(walk, node_def(routine));
    define_formals(walk, routine);
    value_begin_routine(walk);
    walk->here = (UsageHere){.own = walk->latest,
                             .phases = walk->alias ? NULL : usage_phase_routine(walk, routine),
                             .is_doubtful = info != NULL && info->clocks_are_wrong};
    if (routine->kind == NODE_PROC) {
        usage_process(walk, routine->proc.body);
    } else if (routine->function.body->kind == NODE_VALOF) {
        usage_read(walk, routine->function.body);
    }
    usage_warn_of_self(walk, routine, start);
    usage_recursion_look(walk, usage, start);
    usage->accesses = summarise(walk, routine, usage, start);
    usage->is_known = true;
    usage->after = info->is_recursive_used ? NULL : walk->here.phases;
    walk->here = outside;
    value_restore(walk, values);
    walk->accesses.count = start;
}

/* The code is elsewhere: its interface tells; a C function may do to each formal what its mode
 * lets it do. */
static void take_elsewhere(UsageWalk *walk, const Node *routine, RoutineUsage *usage) {
    usage_define(walk, node_def(routine));
    define_formals(walk, routine);
    const RoutineBody *body = node_info(routine)->elsewhere;
    usage->accesses.count = 0;
    usage->after = NULL;
    usage->is_known = true;
    if (body->usage) {
        usage_text_decode(walk->arena, routine, body->usage, usage);
        return;
    }
    const NodeList *formals = node_formals(routine);
    for (size_t i = 0; i < formals->count; i++) {
        const Node *formal = formals->items[i];
        Symbol *symbol = formal->kind == NODE_FORMAL ? formal->formal.def->def.symbol : NULL;
        bool is_known_by = symbol && symbol->type && type_is_channel(symbol->type);
        if (is_known_by || (symbol && symbol->type && type_is_sync(symbol->type))) {
            continue; /* meant for several processes; C does not communicate */
        }
        bool is_read = symbol && formal->formal.mode == FORMAL_REFERENCE;
        bool is_written = is_read || (symbol && formal->formal.mode == FORMAL_RESULT);
        UsageAccess access = {
            .root = symbol, .name = symbol, .at = symbol ? symbol->at : formal->at};
        if (is_read) {
            array_push(walk->arena, &usage->accesses, access);
        }
        access.kind = USAGE_WRITE;
        if (is_written) {
            array_push(walk->arena, &usage->accesses, access);
        }
    }
}

#define ACCESS_WEIGHT 4096 /* more than there are locks in an access */

static size_t size_of(const RoutineUsage *usage) {
    size_t size = usage->accesses.count * ACCESS_WEIGHT;
    for (size_t i = 0; i < usage->accesses.count; i++) {
        for (const UsageLock *at = usage->accesses.items[i].locks; at; at = at->outer) {
            size++;
        }
    }
    return size;
}

static void forget_locks(RoutineUsage *usage) {
    for (size_t i = 0; i < usage->accesses.count; i++) {
        usage->accesses.items[i].locks = NULL;
    }
}

/* A recursive routine is walked until its summary stays the same; the last time messages are
 * given. Routines inside of it take part in its rounds. */
static void walk_recursive(UsageWalk *walk, const Node *routine, RoutineUsage *usage) {
    bool was_silent = walk->is_silent;
    walk->recursion++;
    walk->is_silent = true;
    size_t known = SIZE_MAX;
    for (unsigned round = 0; round < ROUND_LIMIT && size_of(usage) != known; round++) {
        known = usage->is_known ? size_of(usage) : SIZE_MAX;
        walk_body(walk, routine, usage);
    }
    if (size_of(usage) != known) {
        forget_locks(usage); /* each round may find an access with less claimed round it */
    }
    if (!walk->alias && usage_recursion_begin(walk, node_formals(routine), usage)) {
        do {
            walk_body(walk, routine, usage);
        } while (!usage_recursion_is_settled(usage));
    }
    walk->is_silent = was_silent;
    walk_body(walk, routine, usage);
    walk->recursion--;
}

void usage_routine(UsageWalk *walk, const Node *routine) {
    const ProcInfo *info = node_info(routine);
    if (!info) {
        return;
    }
    RoutineUsage *usage = usage_of(walk, info->symbol);
    usage->loop_depth = walk->loops ? walk->loops->depth + 1 : 0;
    if (info->elsewhere) {
        take_elsewhere(walk, routine, usage);
    } else if (info->is_recursive_used && walk->recursion == 0) {
        walk_recursive(walk, routine, usage);
    } else {
        walk_body(walk, routine, usage);
    }
}
