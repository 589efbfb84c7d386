/* usage_actual -- what the summary of a routine says, in terms of its caller: actuals in the place
 * of formals, the callee's loops inside of the loops round the call. */
#include "usage_call.h"

#include "check.h"

static const IndexExpr *substitute(UsageCall *call, const IndexExpr *expr);

static const IndexExpr *size_of_actual(UsageCall *call, const Node *actual) {
    if (!actual->type || !type_is_array(actual->type)) {
        return index_unknown();
    }
    int64_t count = type_base(actual->type)->array.count;
    if (count != ARRAY_OPEN) {
        return index_constant(call->walk->arena, count);
    }
    const Node *named = actual->kind == NODE_END ? actual->end.channel : actual;
    if (named->kind == NODE_NAME && named->name.symbol) {
        return region_size(&call->walk->builder, named->name.symbol);
    }
    if (named->kind == NODE_SEGMENT && named->segment.length) {
        return region_index(&call->walk->builder, named->segment.length);
    }
    return index_unknown();
}

/* The same of the rows of an array. */
static const IndexExpr *row_of_actual(UsageCall *call, const Node *actual, uint32_t depth) {
    const Node *named = actual->kind == NODE_END ? actual->end.channel : actual;
    while (named->kind == NODE_SUBSCRIPT || named->kind == NODE_SEGMENT) {
        depth += named->kind == NODE_SUBSCRIPT;
        named = named->kind == NODE_SEGMENT ? named->segment.base : named->subscript.base;
    }
    return named->kind == NODE_NAME && named->name.symbol
               ? region_row_parameter(call->walk->arena, named->name.symbol, depth)
               : index_unknown();
}

/* PHASE of the clock of that name, if it is one. */
static const IndexExpr *phase_at_call(UsageCall *call, const void *name) {
    const IndexExpr *phase = NULL;
    for (const UsagePhase *at = call->before; at && name; at = at->next) {
        phase = at->clock == name ? usage_phase_value(call->walk, at, at->clock) : phase;
    }
    return phase ? phase : index_unknown();
}

/* A formal becomes its actual; what is local to the callee is not known here. */
static const IndexExpr *substitute_parameter(UsageCall *call, const IndexExpr *expr) {
    if (expr->value < call->callee->number) {
        return expr;
    }
    for (size_t i = 0; i < call->formals->count && i < call->actuals->count; i++) {
        const Symbol *formal = node_formal(call->formals, i);
        if (formal && expr->name == formal && clock_is(formal)) {
            return phase_at_call(call, call->actuals->items[i]->kind == NODE_NAME
                                           ? call->actuals->items[i]->name.symbol
                                           : NULL);
        }
        if (formal && expr->name == formal) {
            return region_index(&call->walk->builder, call->actuals->items[i]);
        }
        if (formal && expr->name == &formal->type) {
            return expr->row == 0 ? size_of_actual(call, call->actuals->items[i])
                                  : row_of_actual(call, call->actuals->items[i], expr->row);
        }
    }
    return phase_at_call(call, expr->name);
}

static const IndexExpr *substitute_loop(UsageCall *call, const IndexExpr *expr) {
    if (expr->loop->depth < call->loop_depth) {
        return expr;
    }
    const IndexLoop *to = call->to;
    for (const IndexLoop *from = call->from; from; from = from->outer, to = to->outer) {
        if (from == expr->loop) {
            return index_loop(call->walk->arena, to);
        }
    }
    return index_unknown();
}

/* A variable of the callee behind an IF, or what is not known of an actual: some number, another in
 * each call. */
static const IndexExpr *number_at_call(UsageCall *call, const IndexExpr *expr) {
    for (size_t i = 0; i < call->numbers.count; i++) {
        if (call->numbers.items[i].name == expr->name && call->numbers.items[i].row == expr->row) {
            return call->numbers.items[i].number;
        }
    }
    IndexExpr *number = usage_phase_unknown(call->walk);
    number->label = expr->label;
    CallNumber one = {expr->name, expr->row, number};
    array_push(call->walk->arena, &call->numbers, one);
    return number;
}

/* What was assigned to a variable of the callee: known in a PAR, and to routines that may be called
 * in one. */
static const IndexExpr *substitute_assigned(UsageCall *call, const IndexExpr *expr) {
    UsageWalk *walk = call->walk;
    IndexExpr *plain = arena_copy(walk->arena, expr, sizeof *expr);
    plain->is_assigned = false;
    const IndexExpr *value = substitute(call, plain);
    if (value->kind == INDEX_UNKNOWN && expr->kind == INDEX_PARAMETER) {
        value = number_at_call(call, expr);
    }
    return walk->here.pars > 0 ? value : index_assigned(walk->arena, value);
}

/* Element `at` of a formal is that of its actual. */
static const IndexExpr *substitute_element(UsageCall *call, const IndexExpr *expr) {
    const IndexExpr *at = substitute(call, expr->left);
    const IndexExpr *array = expr->right;
    for (size_t i = 0; i < call->formals->count && i < call->actuals->count; i++) {
        const Symbol *formal = node_formal(call->formals, i);
        if (formal && array->name == formal) {
            return region_element(&call->walk->builder, call->actuals->items[i], at);
        }
    }
    bool is_outer = array->kind == INDEX_ELEMENT || array->value < call->callee->number;
    array = array->kind == INDEX_ELEMENT ? substitute_element(call, array) : array;
    return is_outer ? index_element(call->walk->arena, array, at) : index_unknown();
}

static const IndexExpr *substitute(UsageCall *call, const IndexExpr *expr) {
    Arena *arena = call->walk->arena;
    if (expr->is_assigned) {
        return substitute_assigned(call, expr);
    }
    switch (expr->kind) {
    case INDEX_CONSTANT:
    case INDEX_UNKNOWN: return expr;
    case INDEX_LOOP: return substitute_loop(call, expr);
    case INDEX_PARAMETER: return substitute_parameter(call, expr);
    case INDEX_OPERATOR:
        return index_operator(arena, expr->op, substitute(call, expr->left),
                              substitute(call, expr->right));
    case INDEX_LOOKUP: return index_lookup(arena, expr->table, substitute(call, expr->left));
    case INDEX_ELEMENT: return substitute_element(call, expr);
    }
    return index_unknown();
}

/* The callee's own loops go inside of the loops round the call. */
static const IndexLoop *copy_loops(UsageCall *call, const IndexLoop *loop) {
    if (!loop || loop->depth < call->loop_depth) {
        return call->walk->loops;
    }
    const IndexLoop *outer = copy_loops(call, loop->outer);
    IndexLoop *copy = arena_new(call->walk->arena, IndexLoop);
    copy->outer = outer;
    copy->depth = outer ? outer->depth + 1 : 0;
    copy->name = loop->name;
    copy->is_some = loop->is_some;
    call->from = loop->outer;
    call->to = outer;
    copy->count = substitute(call, loop->count);
    call->from = loop;
    call->to = copy;
    copy->value = loop->value ? substitute(call, loop->value) : NULL;
    return copy;
}

static const IndexGuard *copy_guards(UsageCall *call, const IndexGuard *guard,
                                     const IndexGuard *last);

/* A chain of a choice of which nothing is left holds always, and so does the choice. */
static const IndexGuard *copy_choice(UsageCall *call, const IndexGuard *guard,
                                     const IndexGuard *outer) {
    const IndexGuard *either = copy_guards(call, guard->either, NULL);
    const IndexGuard *other = copy_guards(call, guard->other, NULL);
    if (!either || !other) {
        return outer;
    }
    IndexGuard *copy = arena_new(call->walk->arena, IndexGuard);
    *copy = (IndexGuard){.outer = outer, .is_choice = true, .either = either, .other = other};
    return copy;
}

static const IndexGuard *copy_guards(UsageCall *call, const IndexGuard *guard,
                                     const IndexGuard *last) {
    if (!guard) {
        return last;
    }
    const IndexGuard *outer = copy_guards(call, guard->outer, last);
    if (guard->is_choice) {
        return copy_choice(call, guard, outer);
    }
    const IndexExpr *left = substitute(call, guard->left);
    const IndexExpr *right = substitute(call, guard->right);
    if (left->kind == INDEX_UNKNOWN || right->kind == INDEX_UNKNOWN) {
        return outer;
    }
    IndexGuard *copy = arena_new(call->walk->arena, IndexGuard);
    *copy = *guard;
    copy->outer = outer;
    copy->left = left;
    copy->right = right;
    return copy;
}

static const IndexDimension *copy_within(UsageCall *call, const IndexDimension *within) {
    if (!within || !within->length) {
        return NULL;
    }
    IndexDimension *copy = arena_new(call->walk->arena, IndexDimension);
    copy->from = substitute(call, within->from);
    copy->length = substitute(call, within->length);
    return copy;
}

#define LOOPS_THROUGH_CALLS 32

bool usage_call_is_deep(const UsageCall *call, const IndexLoop *loop) {
    return loop && loop->depth >= call->loop_depth + LOOPS_THROUGH_CALLS;
}

/* In more loops than anything could be proved of: somewhere, some number of times. */
static IndexRegion anywhere(UsageCall *call) {
    IndexLoop *loop = arena_new(call->walk->arena, IndexLoop);
    loop->outer = call->walk->loops;
    loop->depth = loop->outer ? loop->outer->depth + 1 : 0;
    loop->count = index_unknown();
    loop->is_some = true;
    return (IndexRegion){.loops = loop, .guards = call->walk->here.guards};
}

/* Outside of PARs what is not known of an actual is the whole of it; a free name keeps its
 * unknowns. */
IndexRegion usage_call_region(UsageCall *call, const IndexRegion *region, bool is_free) {
    if (usage_call_is_deep(call, region->loops)) {
        return anywhere(call);
    }
    IndexRegion copy = {.count = region->count};
    copy.loops = copy_loops(call, region->loops);
    bool keeps_unknown = is_free || call->walk->here.pars > 0;
    call->from = region->loops;
    call->to = copy.loops;
    copy.guards = copy_guards(call, region->guards, call->walk->here.guards);
    IndexDimension *dimensions =
        arena_new_array(call->walk->arena, IndexDimension, region->count + 1);
    for (size_t i = 0; i < region->count; i++) {
        const IndexDimension *from = &region->dimensions[i];
        const IndexExpr *first = from->from ? substitute(call, from->from) : NULL;
        const IndexExpr *length = from->length ? substitute(call, from->length) : NULL;
        bool is_known =
            first && first->kind != INDEX_UNKNOWN && (!length || length->kind != INDEX_UNKNOWN);
        if (is_known || keeps_unknown) {
            dimensions[i] = (IndexDimension){first, length, copy_within(call, from->within)};
        }
    }
    copy.dimensions = dimensions;
    return copy;
}

static const Node *actual_of(const UsageCall *call, const Symbol *root) {
    for (size_t i = 0; i < call->formals->count && i < call->actuals->count; i++) {
        if (node_formal(call->formals, i) == root) {
            return call->actuals->items[i];
        }
    }
    return NULL;
}

/* What the callee claims, inside of what is claimed round the call; of its own MUTEXes each call
 * has others. */
const UsageLock *usage_call_locks(UsageCall *call, const UsageLock *lock) {
    if (!lock) {
        return call->walk->here.locks;
    }
    const UsageLock *outer = usage_call_locks(call, lock->outer);
    const Node *actual = actual_of(call, lock->root);
    ObjectPart part = {.root = lock->root};
    if (actual) {
        part = region_of(&call->walk->builder, actual);
    } else if (lock->root->number >= call->callee->number) {
        return outer;
    }
    IndexDimension *dimensions =
        arena_new_array(call->walk->arena, IndexDimension, lock->count + 1);
    for (size_t i = 0; i < lock->count; i++) {
        dimensions[i].from = substitute(call, lock->dimensions[i].from);
    }
    region_compose(call->walk->arena, &part, dimensions, lock->count);
    return usage_add_lock(call->walk, outer, &part, call->node->at);
}

/* ---- phases ---- */

/* What the callee calls a clock of the caller: a formal, the same free name, or one of those it
 * does not see. False: it does nothing with it. */
static bool find_inner_clock(const UsageCall *call, const UsagePhase *outer, const Symbol **inner) {
    size_t found = 0;
    for (size_t i = 0; i < call->formals->count && i < call->actuals->count; i++) {
        const Node *actual = call->actuals->items[i];
        if (outer->clock && actual->kind == NODE_NAME &&
            symbol_object(actual->name.symbol) == outer->clock) {
            *inner = node_formal(call->formals, i);
            found++;
        }
    }
    for (size_t i = 0; i < call->info->free_names.count; i++) {
        if (outer->clock && symbol_object(call->info->free_names.items[i]) == outer->clock) {
            *inner = outer->clock;
            found++;
        }
    }
    if (found > 1) {
        *inner = call->callee; /* two names for one: no phase is known by this */
    }
    if (found == 0 && call->info->nexts_all && !outer->is_frozen) {
        *inner = NULL;
        found = 1;
    }
    return found > 0;
}

/* Where the caller is after what the callee has done so far; now, when it has ended. */
static UsagePhase phase_through(UsageCall *call, const UsagePhase *outer, const UsagePhase *list,
                                const Symbol *clock, bool is_now) {
    UsagePhase phase = *outer;
    const UsagePhase *inner = usage_phase_find(list, clock);
    bool is_known = inner && usage_phase_is_known(inner);
    const IndexExpr *steps = index_unknown();
    if (is_known) {
        steps = substitute(call, usage_phase_number(call->walk->arena, inner));
    }
    phase.is_uncertain = outer->is_uncertain || steps->kind == INDEX_UNKNOWN;
    phase.steps = is_now && steps->kind == INDEX_UNKNOWN
                      ? usage_phase_unknown(call->walk)
                      : index_operator(call->walk->arena, OPERATOR_ADD, outer->steps, steps);
    if (inner) {
        phase.is_resumed = inner->is_resumed || (outer->is_resumed && !inner->since.line);
        phase.is_left = outer->is_left || inner->is_left;
        if (inner->since.line) {
            phase.since = inner->since;
            phase.head = inner->head;
        } else if (steps->kind != INDEX_CONSTANT || steps->value > 0) {
            phase.since = call->node->at; /* the text is elsewhere */
            phase.head = NULL;
        }
    }
    return phase;
}

const UsagePhase *usage_call_phases(UsageCall *call, const UsagePhase *outer,
                                    const UsagePhase *list, bool is_now) {
    if (!outer) {
        return NULL;
    }
    UsagePhase *phase = arena_copy(call->walk->arena, outer, sizeof *outer);
    const Symbol *clock = NULL;
    if (call->info && find_inner_clock(call, outer, &clock)) {
        *phase = phase_through(call, outer, list, clock, is_now);
    }
    phase->next = usage_call_phases(call, outer->next, list, is_now);
    return phase;
}

/* The clock in whose block it is, as the caller knows it. */
const Symbol *usage_call_block(const UsageCall *call, const Symbol *block) {
    if (!block || call->walk->here.block) {
        return call->walk->here.block;
    }
    const Node *actual = actual_of(call, block);
    if (actual) {
        return actual->kind == NODE_NAME ? actual->name.symbol : NULL;
    }
    return block->number < call->callee->number ? block : NULL;
}
