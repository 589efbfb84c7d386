/* alias_statement -- calls, assignments and counted inputs: objects that one process would use
 * under two names (language.md 3.3). */
#include "alias.h"
#include "predefined.h"

#define ACTUAL_LIMIT 256 /* compared with each other */

/* What one actual gives to its formal: one part and what its subscripts read, or for a VAL
 * expression all that it reads. */
typedef struct Given {
    const Symbol *formal;
    const Symbol *root;
    IndexRegion region;
    Direction direction; /* of channels */
    bool is_value;
    bool is_subscript; /* chooses the part, so it stays as it is while the part has a name */
    Location at;
} Given;

typedef ARRAY_OF(Given) GivenList;

/* is_subscript: what i of p (x[i]) is made from. */
static void give_reads(UsageWalk *walk, const Node *actual, const Symbol *formal, bool is_subscript,
                       GivenList *given) {
    size_t start = walk->accesses.count;
    Alias *alias = walk->alias;
    walk->alias = NULL; /* the walk itself looks at the reads */
    if (is_subscript) {
        usage_subscripts(walk, actual);
    } else {
        usage_read(walk, actual);
    }
    walk->alias = alias;
    for (size_t i = start; i < walk->accesses.count; i++) {
        const UsageAccess *access = &walk->accesses.items[i];
        if (access->kind == USAGE_READ && !access->view) {
            Given one = {formal,
                         access->root,
                         access->region,
                         DIRECTION_NONE,
                         true,
                         is_subscript,
                         is_subscript ? access->at : actual->at};
            array_push(walk->arena, given, one);
        }
    }
    walk->accesses.count = start;
}

static void give_part(UsageWalk *walk, const Node *actual, const Symbol *formal, GivenList *given) {
    const Node *root = element_root(actual);
    if (root->kind == NODE_TABLE) {
        for (size_t i = 0; i < root->table.items.count; i++) {
            give_part(walk, root->table.items.items[i], formal, given);
        }
        return;
    }
    ObjectPart part = region_of(&walk->builder, actual);
    if (!part.root || type_is_timer(formal->type)) {
        return;
    }
    bool is_end = actual->kind == NODE_END;
    Direction direction = formal->direction != DIRECTION_NONE ? formal->direction
                          : is_end                            ? actual->end.direction
                                                              : DIRECTION_NONE;
    Given one = {
        formal,    part.root, {part.dimensions, part.count, walk->loops, walk->here.guards, 0},
        direction, false,     false,
        actual->at};
    array_push(walk->arena, given, one);
    give_reads(walk, actual, formal, true, given);
}

/* What is calculated, not just named, has been calculated before the call: p (x, x + 1), and what a
 * function gives: p (x, f (x)). */
static bool is_calculated(UsageWalk *walk, const Node *actual, const Symbol *formal) {
    bool is_result = actual->kind == NODE_FUNCTION_CALL;
    return is_result || (type_is_scalar(formal->type) && !region_of(&walk->builder, actual).root);
}

static GivenList give(UsageWalk *walk, const NodeList *formals, const NodeList *actuals) {
    GivenList given = {0};
    for (size_t i = 0; i < actuals->count; i++) {
        const Symbol *formal = node_formal(formals, i);
        if (!formal || !formal->type || type_is_error(formal->type) ||
            formal->formal_mode == FORMAL_INITIAL) {
            continue;
        }
        bool is_value = formal->formal_mode == FORMAL_VAL;
        if (is_value && is_calculated(walk, actuals->items[i], formal)) {
            continue;
        }
        if (is_value) {
            give_reads(walk, actuals->items[i], formal, false, &given);
        } else {
            give_part(walk, actuals->items[i], formal, &given);
        }
    }
    return given;
}

static bool may_be_together(const Given *a, const Given *b) {
    if (a->is_value || b->is_value) {
        return a->is_value && b->is_value;
    }
    bool is_channel = type_is_channel(a->formal->type) || type_is_channel(b->formal->type);
    if (type_is_shared(a->formal->type) && type_is_shared(b->formal->type)) {
        return true;
    }
    if (is_channel) {
        return a->direction == DIRECTION_NONE || a->direction != b->direction;
    }
    return false;
}

static void report_together(UsageWalk *walk, const Symbol *callee, const Given *a, const Given *b) {
    Diag *diag = walk->compiler->diag;
    const Given *subscript = a->is_subscript ? a : b->is_subscript ? b : NULL;
    const Given *other = subscript == a ? b : a;
    if (subscript) {
        diag_report(diag, DIAG_ALIAS_SUBSCRIPT, other->at, other->root->name->bytes,
                    subscript->formal->name->bytes);
        diag_label(diag, subscript->at, "here it chooses '%s'", subscript->formal->name->bytes);
        diag_primary_label(diag, "here as '%s'", other->formal->name->bytes);
        return;
    }
    diag_report(diag, DIAG_ALIAS_ACTUALS, b->at, a->root->name->bytes, callee->name->bytes,
                a->formal->name->bytes, b->formal->name->bytes);
    diag_label(diag, a->at, "here as '%s'", a->formal->name->bytes);
    diag_primary_label(diag, "here as '%s'", b->formal->name->bytes);
}

static void check_together(UsageWalk *walk, const Symbol *callee, const GivenList *given) {
    for (size_t i = 0; i < given->count && i < ACTUAL_LIMIT; i++) {
        for (size_t k = i + 1; k < given->count && k < ACTUAL_LIMIT; k++) {
            const Given *a = &given->items[i];
            const Given *b = &given->items[k];
            if (a->root != b->root || a->formal == b->formal || may_be_together(a, b) ||
                a->root->permits_aliases ||
                alias_compare(&a->region, &b->region) != INDEX_OVERLAP) {
                continue;
            }
            report_together(walk, callee, a, b);
            return;
        }
    }
}

/* An object passed by reference is not used freely, one passed by VAL is not changed freely. */
static void check_free(UsageWalk *walk, const Symbol *callee, const GivenList *given) {
    const RoutineUsage *usage = symbol_map_get(&walk->routines, callee);
    Diag *diag = walk->compiler->diag;
    for (size_t i = 0; usage && i < usage->accesses.count; i++) {
        const UsageAccess *access = &usage->accesses.items[i];
        bool is_data = access->kind == USAGE_READ || access->kind == USAGE_WRITE;
        if (!is_data || access->root->number > callee->number || access->root->permits_aliases) {
            continue;
        }
        for (size_t k = 0; k < given->count; k++) {
            const Given *one = &given->items[k];
            if (one->root != access->root || one->is_subscript ||
                (one->is_value && access->kind == USAGE_READ) ||
                alias_compare(&one->region, &access->region) == INDEX_DISJOINT ||
                alias_is_apart(&one->region, &access->region)) {
                continue;
            }
            diag_report(diag, DIAG_ALIAS_FREE, one->at, one->root->name->bytes,
                        callee->name->bytes);
            diag_label(diag, access->at, "used here");
            return;
        }
    }
}

void alias_call(UsageWalk *walk, const Node *call, const Symbol *callee, const NodeList *actuals) {
    (void)call;
    if (!walk->alias || walk->is_silent) {
        return;
    }
    const NodeList *formals = node_formals(callee->definition);
    GivenList given = give(walk, formals, actuals);
    check_together(walk, callee, &given);
    check_free(walk, callee, &given);
}

void alias_activation(UsageWalk *walk, const Symbol *callee, const NodeList *formals,
                      const NodeList *actuals) {
    if (walk->alias && !walk->is_silent) {
        GivenList given = give(walk, formals, actuals);
        check_together(walk, callee, &given);
    }
}

/* Those that it changes: its formals have a place and no name. */
void alias_predefined(UsageWalk *walk, const Symbol *callee, const NodeList *actuals) {
    static const char *const words[] = {"first", "second", "third", "fourth"};
    Diag *diag = walk->compiler->diag;
    for (size_t i = 0; walk->alias && !walk->is_silent && i < actuals->count; i++) {
        for (size_t k = i + 1; k < actuals->count && k < sizeof words / sizeof *words; k++) {
            ObjectPart a = region_of(&walk->builder, actuals->items[i]);
            ObjectPart b = region_of(&walk->builder, actuals->items[k]);
            IndexRegion left = {a.dimensions, a.count, walk->loops, walk->here.guards, 0};
            IndexRegion right = {b.dimensions, b.count, walk->loops, walk->here.guards, 0};
            if (predefined_is_reference(callee->predefined, i) &&
                predefined_is_reference(callee->predefined, k) && a.root && a.root == b.root &&
                !a.root->permits_aliases && alias_compare(&left, &right) == INDEX_OVERLAP) {
                diag_report(diag, DIAG_ALIAS_ACTUALS, actuals->items[k]->at, a.root->name->bytes,
                            callee->name->bytes, words[i], words[k]);
                return;
            }
        }
    }
}

/* ---- assignment and counted input ---- */

/* Chosen by subscripts alone, as many of them. */
static bool are_elements(const IndexRegion *left, const IndexRegion *right) {
    bool is_element = left->count == right->count;
    for (size_t i = 0; i < left->count && is_element; i++) {
        is_element = !left->dimensions[i].length && !right->dimensions[i].length;
    }
    return is_element;
}

void alias_assign(UsageWalk *walk, const Node *target, const Node *value) {
    if (!walk->alias || walk->is_silent || !target->type || !type_is_array(target->type)) {
        return;
    }
    ObjectPart to = region_of(&walk->builder, target);
    ObjectPart from = region_of(&walk->builder, value);
    if (!to.root || to.root != from.root || to.root->permits_aliases) {
        return;
    }
    IndexRegion left = {to.dimensions, to.count, walk->loops, walk->here.guards, 0};
    IndexRegion right = {from.dimensions, from.count, walk->loops, walk->here.guards, 0};
    if (are_elements(&left, &right)) {
        return; /* where they meet they are the same part, which may be assigned to itself */
    }
    if (!index_same_parts(&left, &right) && alias_compare(&left, &right) == INDEX_OVERLAP) {
        diag_report(walk->compiler->diag, DIAG_ALIAS_ASSIGN, target->at, to.root->name->bytes);
        diag_label(walk->compiler->diag, value->at, "overlaps");
    }
}

void alias_counted(UsageWalk *walk, const Node *item, size_t start) {
    if (!walk->alias || walk->is_silent) {
        return;
    }
    ObjectPart count = region_of(&walk->builder, item->counted.count);
    ObjectPart array = region_of(&walk->builder, item->counted.array);
    IndexRegion left = {count.dimensions, count.count, walk->loops, walk->here.guards, 0};
    IndexRegion right = {array.dimensions, array.count, walk->loops, walk->here.guards, 0};
    bool overlaps =
        count.root && count.root == array.root && alias_compare(&left, &right) == INDEX_OVERLAP;
    for (size_t i = start; count.root && i < walk->accesses.count && !overlaps; i++) {
        overlaps = walk->accesses.items[i].root == count.root;
    }
    if (overlaps) {
        diag_report(walk->compiler->diag, DIAG_ALIAS_COUNT, item->at, count.root->name->bytes);
    }
}
