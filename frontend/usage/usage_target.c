/* usage_target -- multiple assignment: the targets are written together, so they are different, and
 * none of them is read by a subscript of another (language.md 3.2). What may be the same or not,
 * v[i] and v[j], is compared when the program runs. */
#include "symbol_map.h"
#include "usage.h"

#define ELEMENT_BUDGET 200000

static bool is_constant(const Node *expression) {
    return !expression || expression->constant;
}

static bool is_written_down(const Node *element) {
    for (; element_base(element); element = element_base(element)) {
        bool is_known = element->kind == NODE_SUBSCRIPT ? is_constant(element->subscript.index)
                        : element->kind == NODE_SEGMENT ? is_constant(element->segment.from) &&
                                                              is_constant(element->segment.length)
                                                        : true;
        if (!is_known) {
            return false;
        }
    }
    return true;
}

static bool is_same_choice(const Node *first, const Node *second) {
    if (first->kind != NODE_SUBSCRIPT || second->kind != NODE_SUBSCRIPT) {
        return first->kind == NODE_FIELD && second->kind == NODE_FIELD;
    }
    const Node *left = first->subscript.index;
    const Node *right = second->subscript.index;
    bool are_names = left->kind == NODE_NAME && right->kind == NODE_NAME;
    return (left->constant && right->constant) ||
           (are_names && left->name.symbol == right->name.symbol);
}

static size_t depth_of(const Node *element) {
    size_t depth = 0;
    for (; element_base(element); element = element_base(element)) {
        depth++;
    }
    return depth;
}

/* That they meet does not hang on values of variables: x[2] and x[2], x[i] and x[i], x and x[i]. */
static bool is_certain(const Node *first, const Node *second) {
    if (is_written_down(first) && is_written_down(second)) {
        return true;
    }
    size_t left = depth_of(first);
    size_t right = depth_of(second);
    for (; left > right; left--) {
        first = element_base(first);
    }
    for (; right > left; right--) {
        second = element_base(second);
    }
    for (; left > 0; left--) {
        if (!is_same_choice(first, second)) {
            return false;
        }
        first = element_base(first);
        second = element_base(second);
    }
    return true;
}

static bool compare_targets(UsageWalk *walk, const Node *assign, size_t i, size_t k) {
    Diag *diag = walk->compiler->diag;
    const Node *first = assign->assign.targets.items[i];
    const Node *second = assign->assign.targets.items[k];
    walk->builder.is_instant = true; /* all subscripts are evaluated before anything is written */
    ObjectPart a = region_of(&walk->builder, first);
    ObjectPart b = region_of(&walk->builder, second);
    walk->builder.is_instant = false;
    if (!a.root || a.root != b.root || a.root->permits_sharing) {
        return false;
    }
    if (a.name != b.name) {
        return false; /* two names in scope are two parts: check_alias, or a check at run time, saw
                       * to it
                       */
    }
    uint64_t budget = ELEMENT_BUDGET;
    IndexPair pair = {.budget = &budget,
                      .is_thorough = true,
                      .first_local = INT64_MAX,
                      .shared_depth = UINT32_MAX};
    IndexRegion left = {a.dimensions, a.count, walk->loops, walk->here.guards, 0};
    IndexRegion right = {b.dimensions, b.count, walk->loops, walk->here.guards, 0};
    IndexAnswer answer = index_compare(&left, &right, &pair);
    if (answer != INDEX_OVERLAP || !is_certain(first, second)) {
        return false;
    }
    diag_report(diag, DIAG_USAGE_TARGETS, second->at, a.root->name->bytes);
    diag_label(diag, first->at, "the other target");
    return true;
}

static void report_subscript(UsageWalk *walk, const Node *written, const UsageAccess *use) {
    Diag *diag = walk->compiler->diag;
    diag_report(diag, DIAG_USAGE_TARGET_SUBSCRIPT, written->at, use->root->name->bytes);
    diag_label(diag, use->at, "used here");
}

/* i, x[i] := ..   the subscript is read while i is written. */
static bool compare_subscripts(UsageWalk *walk, const Node *assign, size_t i, size_t k) {
    const Node *written = assign->assign.targets.items[i];
    const Node *other = assign->assign.targets.items[k];
    ObjectPart part = region_of(&walk->builder, written);
    size_t start = walk->accesses.count;
    usage_subscripts(walk, other);
    bool is_used = false;
    for (size_t n = start; part.root && !is_used && n < walk->accesses.count; n++) {
        if (walk->accesses.items[n].root == part.root) {
            report_subscript(walk, written, &walk->accesses.items[n]);
            is_used = true;
        }
    }
    walk->accesses.count = start;
    return is_used;
}

/* ---- lists ---- */

#define SHORT_LIST                                                                                 \
    200 /* each is compared with each: longer lists would make the work quadratic                  \
         */

static void check_short_list(UsageWalk *walk, const Node *assign) {
    size_t count = assign->assign.targets.count;
    bool is_reported = false; /* one of them is enough */
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < count && !is_reported; k++) {
            is_reported = (k > i && compare_targets(walk, assign, i, k)) ||
                          (k != i && compare_subscripts(walk, assign, i, k));
        }
    }
}

/* Target -- of a long list, and the ones before it that write the same object. */
typedef struct Target {
    size_t index;
    const struct Target *before;
} Target;

typedef SYMBOL_MAP_OF(const Target) Targets;

/* Is it one of those that write its object? The last SHORT_LIST of them are compared with it. */
static bool add_target(UsageWalk *walk, const Node *assign, size_t index, Targets *targets) {
    ObjectPart part = region_of(&walk->builder, assign->assign.targets.items[index]);
    if (!part.root) {
        return false;
    }
    const Target *before = symbol_map_get(targets, part.root);
    Target *target = arena_new(walk->arena, Target);
    *target = (Target){index, before};
    symbol_map_set(walk->arena, targets, part.root, target);
    bool is_reported = false;
    for (size_t n = 0; before && n < SHORT_LIST && !is_reported; n++) {
        is_reported = compare_targets(walk, assign, before->index, index);
        before = before->before;
    }
    return is_reported;
}

static bool check_subscripts(UsageWalk *walk, const Node *assign, size_t index,
                             const Targets *targets) {
    size_t start = walk->accesses.count;
    usage_subscripts(walk, assign->assign.targets.items[index]);
    bool is_used = false;
    for (size_t n = start; !is_used && n < walk->accesses.count; n++) {
        const UsageAccess *use = &walk->accesses.items[n];
        const Target *target = use->root ? symbol_map_get(targets, use->root) : NULL;
        if (target && target->index == index) {
            target = target->before;
        }
        if (target) {
            report_subscript(walk, assign->assign.targets.items[target->index], use);
            is_used = true;
        }
    }
    walk->accesses.count = start;
    return is_used;
}

static void check_long_list(UsageWalk *walk, const Node *assign) {
    size_t count = assign->assign.targets.count;
    Targets targets = {0};
    bool is_reported = false;
    for (size_t i = 0; i < count && !is_reported; i++) {
        is_reported = add_target(walk, assign, i, &targets);
    }
    for (size_t i = 0; i < count && !is_reported; i++) {
        is_reported = check_subscripts(walk, assign, i, &targets);
    }
}

void usage_check_targets(UsageWalk *walk, const Node *assign) {
    if (walk->is_silent) {
        return;
    }
    if (assign->assign.targets.count <= SHORT_LIST) {
        check_short_list(walk, assign);
    } else {
        check_long_list(walk, assign);
    }
}
