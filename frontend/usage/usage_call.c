/* usage_call -- the summary of a routine in terms of its caller: actuals in the place of formals,
 * the callee's loops inside of the loops round the call. */
#include "usage_phase.h"

#include "check.h"

#include "alias.h"
#include "predefined.h"

static const NodeList *formals_of(const Node *routine) {
    return routine->kind == NODE_PROC ? &routine->proc.formals : &routine->function.formals;
}

static Symbol *formal_symbol(const NodeList *formals, size_t index) {
    const Node *formal = formals->items[index];
    return formal->kind == NODE_FORMAL ? formal->formal.def->def.symbol : NULL;
}

typedef struct Call {
    UsageWalk *walk;
    const Symbol *callee;
    const Node *node;
    const NodeList *formals;
    const NodeList *actuals;
    unsigned loop_depth;
    const ProcInfo *info; /* of the callee; NULL: it goes on to no other phase */
    const UsagePhase *before;
    const IndexLoop *from; /* the chain of the callee, and its copy: same lengths */
    const IndexLoop *to;
} Call;

static const IndexExpr *substitute(Call *call, const IndexExpr *expr);

static const IndexExpr *size_of_actual(Call *call, const Node *actual) {
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

/* PHASE of the clock of that name, if it is one. */
static const IndexExpr *phase_at_call(Call *call, const void *name) {
    const IndexExpr *phase = NULL;
    for (const UsagePhase *at = call->before; at && name; at = at->next) {
        phase = at->clock == name ? usage_phase_value(call->walk, at, at->clock) : phase;
    }
    return phase ? phase : index_unknown();
}

/* A formal becomes its actual; what is local to the callee is not known here. */
static const IndexExpr *substitute_parameter(Call *call, const IndexExpr *expr) {
    if (expr->value < call->callee->number) {
        return expr;
    }
    for (size_t i = 0; i < call->formals->count && i < call->actuals->count; i++) {
        const Symbol *formal = formal_symbol(call->formals, i);
        if (formal && expr->name == formal && clock_is(formal)) {
            return phase_at_call(call, call->actuals->items[i]->kind == NODE_NAME
                                           ? call->actuals->items[i]->name.symbol
                                           : NULL);
        }
        if (formal && expr->name == formal) {
            return region_index(&call->walk->builder, call->actuals->items[i]);
        }
        if (formal && expr->name == &formal->type) {
            return size_of_actual(call, call->actuals->items[i]);
        }
    }
    return phase_at_call(call, expr->name);
}

static const IndexExpr *substitute_loop(Call *call, const IndexExpr *expr) {
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

static const IndexExpr *substitute(Call *call, const IndexExpr *expr) {
    Arena *arena = call->walk->arena;
    switch (expr->kind) {
    case INDEX_CONSTANT:
    case INDEX_UNKNOWN: return expr;
    case INDEX_LOOP: return substitute_loop(call, expr);
    case INDEX_PARAMETER: return substitute_parameter(call, expr);
    case INDEX_OPERATOR:
        return index_operator(arena, expr->op, substitute(call, expr->left),
                              substitute(call, expr->right));
    case INDEX_LOOKUP: return index_lookup(arena, expr->table, substitute(call, expr->left));
    }
    return index_unknown();
}

/* The callee's own loops go inside of the loops round the call. */
static const IndexLoop *copy_loops(Call *call, const IndexLoop *loop) {
    if (!loop || loop->depth < call->loop_depth) {
        return call->walk->loops;
    }
    const IndexLoop *outer = copy_loops(call, loop->outer);
    IndexLoop *copy = arena_new(call->walk->arena, IndexLoop);
    copy->outer = outer;
    copy->depth = outer ? outer->depth + 1 : 0;
    copy->name = loop->name;
    call->from = loop->outer;
    call->to = outer;
    copy->count = substitute(call, loop->count);
    call->from = loop;
    call->to = copy;
    copy->value = loop->value ? substitute(call, loop->value) : NULL;
    return copy;
}

static const IndexGuard *copy_guards(Call *call, const IndexGuard *guard, const IndexGuard *last);

/* A chain of a choice of which nothing is left holds always, and so does the choice. */
static const IndexGuard *copy_choice(Call *call, const IndexGuard *guard, const IndexGuard *outer) {
    const IndexGuard *either = copy_guards(call, guard->either, NULL);
    const IndexGuard *other = copy_guards(call, guard->other, NULL);
    if (!either || !other) {
        return outer;
    }
    IndexGuard *copy = arena_new(call->walk->arena, IndexGuard);
    *copy = (IndexGuard){.outer = outer, .is_choice = true, .either = either, .other = other};
    return copy;
}

static const IndexGuard *copy_guards(Call *call, const IndexGuard *guard, const IndexGuard *last) {
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

static const IndexDimension *copy_within(Call *call, const IndexDimension *within) {
    if (!within || !within->length) {
        return NULL;
    }
    IndexDimension *copy = arena_new(call->walk->arena, IndexDimension);
    copy->from = substitute(call, within->from);
    copy->length = substitute(call, within->length);
    return copy;
}

#define LOOPS_THROUGH_CALLS 32

static bool is_deep(const Call *call, const IndexLoop *loop) {
    return loop && loop->depth >= call->loop_depth + LOOPS_THROUGH_CALLS;
}

/* In more loops than anything could be proved of: somewhere, some number of times. */
static IndexRegion anywhere(Call *call) {
    IndexLoop *loop = arena_new(call->walk->arena, IndexLoop);
    loop->outer = call->walk->loops;
    loop->depth = loop->outer ? loop->outer->depth + 1 : 0;
    loop->count = index_unknown();
    return (IndexRegion){.loops = loop, .guards = call->walk->guards};
}

/* In terms of an actual, what is not known is the whole of it; a free name keeps its unknowns. */
static IndexRegion copy_region(Call *call, const IndexRegion *region, bool is_free) {
    if (is_deep(call, region->loops)) {
        return anywhere(call);
    }
    IndexRegion copy = {.count = region->count};
    copy.loops = copy_loops(call, region->loops);
    call->from = region->loops;
    call->to = copy.loops;
    copy.guards = copy_guards(call, region->guards, call->walk->guards);
    IndexDimension *dimensions =
        arena_new_array(call->walk->arena, IndexDimension, region->count + 1);
    for (size_t i = 0; i < region->count; i++) {
        const IndexDimension *from = &region->dimensions[i];
        const IndexExpr *first = from->from ? substitute(call, from->from) : NULL;
        const IndexExpr *length = from->length ? substitute(call, from->length) : NULL;
        bool is_known =
            first && first->kind != INDEX_UNKNOWN && (!length || length->kind != INDEX_UNKNOWN);
        if (is_known || is_free) {
            dimensions[i] = (IndexDimension){first, length, copy_within(call, from->within)};
        }
    }
    copy.dimensions = dimensions;
    return copy;
}

static const Node *actual_of(const Call *call, const Symbol *root) {
    for (size_t i = 0; i < call->formals->count && i < call->actuals->count; i++) {
        if (formal_symbol(call->formals, i) == root) {
            return call->actuals->items[i];
        }
    }
    return NULL;
}

/* What the callee claims, inside of what is claimed round the call; of its own MUTEXes each call
 * has others. */
static const UsageLock *copy_locks(Call *call, const UsageLock *lock) {
    if (!lock) {
        return call->walk->locks;
    }
    const UsageLock *outer = copy_locks(call, lock->outer);
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
static bool find_inner_clock(const Call *call, const UsagePhase *outer, const Symbol **inner) {
    size_t found = 0;
    for (size_t i = 0; i < call->formals->count && i < call->actuals->count; i++) {
        const Node *actual = call->actuals->items[i];
        if (outer->clock && actual->kind == NODE_NAME && actual->name.symbol == outer->clock) {
            *inner = formal_symbol(call->formals, i);
            found++;
        }
    }
    for (size_t i = 0; i < call->info->free_names.count; i++) {
        if (outer->clock && call->info->free_names.items[i] == outer->clock) {
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
static UsagePhase phase_through(Call *call, const UsagePhase *outer, const UsagePhase *list,
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

static const UsagePhase *phases_through(Call *call, const UsagePhase *outer, const UsagePhase *list,
                                        bool is_now) {
    if (!outer) {
        return NULL;
    }
    UsagePhase *phase = arena_copy(call->walk->arena, outer, sizeof *outer);
    const Symbol *clock = NULL;
    if (call->info && find_inner_clock(call, outer, &clock)) {
        *phase = phase_through(call, outer, list, clock, is_now);
    }
    phase->next = phases_through(call, outer->next, list, is_now);
    return phase;
}

/* The clock in whose block it is, as the caller knows it. */
static const Symbol *outer_block(const Call *call, const Symbol *block) {
    if (!block || call->walk->block) {
        return call->walk->block;
    }
    const Node *actual = actual_of(call, block);
    if (actual) {
        return actual->kind == NODE_NAME ? actual->name.symbol : NULL;
    }
    return block->number < call->callee->number ? block : NULL;
}

/* ---- accesses ---- */

/* A view that the routine made itself is nothing to its callers: what it showed is what counts. */
static const Symbol *view_outside(const Call *call, const Symbol *view) {
    return view && view->owner == call->callee->definition ? NULL : view;
}

static void add_access(Call *call, const UsageAccess *inner, Symbol *root, const Symbol *name,
                       IndexRegion region, Location at) {
    bool is_anywhere = is_deep(call, inner->region.loops); /* its loops have no copy */
    call->from = is_anywhere ? NULL : inner->region.loops;
    call->to = region.loops;
    UsageAccess access = {.root = root,
                          .kind = inner->kind,
                          .region = region,
                          .at = at,
                          .inner_at = inner->via ? inner->inner_at : inner->at,
                          .name = name,
                          .view = view_outside(call, inner->view),
                          .phases = phases_through(call, call->before, inner->phases, false),
                          .block = outer_block(call, inner->block),
                          .call = call->node,
                          .via = inner->via ? inner->via : call->callee,
                          .locks = copy_locks(call, inner->locks)};
    array_push(call->walk->arena, &call->walk->accesses, access);
    if (access.kind == USAGE_CLAIM) {
        usage_check_nested(call->walk, &access);
    } else if (!access.view) {
        alias_access(call->walk, &access);
    }
}

static bool is_tracked(const Symbol *symbol) {
    return symbol && region_is_object(symbol) && symbol->type && !type_is_error(symbol->type);
}

/* The callee's loops have constant counts and its subscripts are known: only then are parts of the
 * actual told apart; otherwise the actual counts as a whole, as the field has it. */
static bool is_settled(const Call *call, const IndexRegion *region) {
    for (const IndexLoop *loop = region->loops; loop && loop != call->walk->loops;
         loop = loop->outer) {
        if (loop->count->kind != INDEX_CONSTANT) {
            return false;
        }
    }
    for (size_t i = 0; i < region->count; i++) {
        if (!region->dimensions[i].from) {
            return false;
        }
    }
    return true;
}

static void add_through_actual(Call *call, const UsageAccess *inner, const Node *actual);

static void add_viewed(Call *call, const UsageAccess *inner, const Symbol *view, Location at) {
    const Node *value = view->definition->abbreviation.value;
    UsageAccess whole = *inner;
    whole.region = (IndexRegion){0};
    whole.view = view;
    whole.at = at;
    add_through_actual(call, &whole, value);
}

static void add_through_actual(Call *call, const UsageAccess *inner, const Node *actual) {
    if (actual->kind == NODE_TABLE) { /* ends of several channels: any of them */
        for (size_t i = 0; i < actual->table.items.count; i++) {
            UsageAccess whole = *inner;
            whole.region.count = 0;
            add_through_actual(call, &whole, actual->table.items.items[i]);
        }
        return;
    }
    ObjectPart part = region_of(&call->walk->builder, actual);
    if (!is_tracked(part.root)) {
        return;
    }
    IndexRegion region = copy_region(call, &inner->region, false);
    if (part.count == 0 || is_settled(call, &region)) {
        region_compose(call->walk->arena, &part, region.dimensions, region.count);
    }
    region.dimensions = part.dimensions;
    region.count = part.count;
    region.named = part.named;
    add_access(call, inner, part.root, part.name, region, actual->at);
    if (region_is_view(part.root)) {
        add_viewed(call, inner, part.root, actual->at);
    }
}

static void add_summary(Call *call, const RoutineUsage *usage, const Node *node) {
    for (size_t i = 0; i < usage->accesses.count; i++) {
        const UsageAccess inner = usage->accesses.items[i];
        if (inner.root->number < call->callee->number) {
            IndexRegion region = copy_region(call, &inner.region, true);
            add_access(call, &inner, inner.root, inner.name, region, node->at);
            continue;
        }
        for (size_t k = 0; k < call->formals->count && k < call->actuals->count; k++) {
            if (formal_symbol(call->formals, k) == inner.root &&
                !type_is_error(call->actuals->items[k]->type)) {
                add_through_actual(call, &inner, call->actuals->items[k]);
                break;
            }
        }
    }
}

static void read_actual(UsageWalk *walk, const Node *actual, bool is_value) {
    if (is_value) {
        usage_read(walk, actual);
    } else {
        usage_subscripts(walk, actual);
    }
}

static void call_predefined(UsageWalk *walk, const Symbol *callee, const NodeList *actuals) {
    if (predefined_is_refused(callee->predefined)) {
        return;
    }
    for (size_t i = 0; i < actuals->count; i++) {
        bool is_reference = predefined_is_reference(callee->predefined, i);
        read_actual(walk, actuals->items[i], !is_reference);
        if (is_reference) {
            usage_element(walk, actuals->items[i], USAGE_WRITE);
        }
    }
    alias_predefined(walk, callee, actuals);
}

/* An error was reported: which of its own names the routine uses as what is not known. */
static bool is_misfit(const NodeList *formals, const NodeList *actuals) {
    return actuals->count > 0 && actuals->count != formals->count;
}

/* Several may be given it at once: no MOBILE PROC changes it. */
static bool is_lent(const Symbol *formal) {
    return type_is_sync(formal->type) ||
           (type_is_shared(formal->type) && formal->formal_mode == FORMAL_REFERENCE);
}

/* A mobile process does to its actuals whatever its formals permit, and is itself changed. */
static void call_mobile_process(UsageWalk *walk, const Node *node, const NodeList *formals,
                                const NodeList *actuals) {
    usage_element(walk, node->call.callee, USAGE_WRITE);
    if (is_misfit(formals, actuals)) {
        return;
    }
    for (size_t i = 0; i < actuals->count; i++) {
        const Symbol *formal = formal_symbol(formals, i);
        if (!formal || !formal->type) {
            continue;
        }
        if (is_lent(formal)) {
            usage_subscripts(walk, actuals->items[i]);
            if (type_is_data(formal->type)) {
                usage_element(walk, actuals->items[i], USAGE_READ);
            }
        } else if (type_is_channel(formal->type)) {
            usage_subscripts(walk, actuals->items[i]);
            usage_element(walk, actuals->items[i],
                          formal->direction == DIRECTION_INPUT ? USAGE_INPUT : USAGE_OUTPUT);
        } else if (formal->formal_mode == FORMAL_VAL) {
            usage_read(walk, actuals->items[i]);
        } else {
            usage_subscripts(walk, actuals->items[i]);
            usage_element(walk, actuals->items[i], USAGE_WRITE);
        }
    }
    alias_activation(walk, node->call.callee->name.symbol, formals, actuals);
}

void usage_call(UsageWalk *walk, const Node *node, const Symbol *callee, const NodeList *actuals) {
    if (callee && callee->kind == SYMBOL_PREDEFINED) {
        call_predefined(walk, callee, actuals);
    }
    const Type *content = callee && callee->type ? type_content(callee->type) : NULL;
    if (content && content->kind == TYPE_PROC_TYPE && node->kind == NODE_CALL &&
        callee->kind != SYMBOL_PROC) {
        call_mobile_process(walk, node, content->proc_type.formals, actuals);
    }
    bool is_routine = callee && callee->definition &&
                      (callee->kind == SYMBOL_PROC || callee->kind == SYMBOL_FUNCTION);
    if (!is_routine) {
        return;
    }
    const NodeList *formals = formals_of(callee->definition);
    if (is_misfit(formals, actuals)) {
        return;
    }
    size_t start = walk->accesses.count;
    for (size_t i = 0; i < actuals->count; i++) {
        const Symbol *formal = i < formals->count ? formal_symbol(formals, i) : NULL;
        bool is_value =
            !formal || formal->formal_mode == FORMAL_VAL || formal->formal_mode == FORMAL_INITIAL;
        size_t first = walk->accesses.count;
        read_actual(walk, actuals->items[i], is_value);
        bool is_lasting = formal && formal->formal_mode == FORMAL_VAL && formal->type &&
                          !type_is_error(formal->type) && !type_is_scalar(formal->type);
        for (; first < walk->accesses.count; first++) {
            walk->accesses.items[first].is_lasting = is_lasting;
        }
    }
    size_t end = walk->accesses.count;
    alias_call(walk, node, callee, actuals);
    const RoutineUsage *usage = callee->usage;
    const ProcInfo *info =
        callee->definition->kind == NODE_PROC ? callee->definition->proc.info : NULL;
    Call call = {.walk = walk,
                 .callee = callee,
                 .node = node,
                 .formals = formals,
                 .actuals = actuals,
                 .before = walk->phases,
                 .info = info && info->crosses_phase ? info : NULL};
    if (usage && usage->is_known) {
        call.loop_depth = usage->loop_depth;
        add_summary(&call, usage, node);
    }
    call.from = call.to = NULL;
    walk->phases = phases_through(&call, walk->phases, usage ? usage->after : NULL, true);
    usage_phase_span(walk, start, end);
}
