/* usage_call -- calls: the accesses of the callee's summary, made where the call stands; predefined
 * routines and mobile processes. */
#include "usage_call.h"

#include "alias.h"
#include "predefined.h"

/* A view that the routine made itself is nothing to its callers: what it showed is what counts. */
static const Symbol *view_outside(const UsageCall *call, const Symbol *view) {
    return view && view->owner == call->callee->definition ? NULL : view;
}

static void add_access(UsageCall *call, const UsageAccess *inner, Symbol *root, const Symbol *name,
                       IndexRegion region, Location at) {
    bool is_anywhere = usage_call_is_deep(call, inner->region.loops); /* its loops have no copy */
    call->from = is_anywhere ? NULL : inner->region.loops;
    call->to = region.loops;
    UsageAccess access = {.root = root,
                          .kind = inner->kind,
                          .region = region,
                          .at = at,
                          .inner_at = inner->via ? inner->inner_at : inner->at,
                          .name = name,
                          .view = view_outside(call, inner->view),
                          .phases = usage_call_phases(call, call->before, inner->phases, false),
                          .block = usage_call_block(call, inner->block),
                          .call = call->node,
                          .via = inner->via ? inner->via : call->callee,
                          .locks = usage_call_locks(call, inner->locks)};
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
static bool is_settled(const UsageCall *call, const IndexRegion *region) {
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

static void add_through_actual(UsageCall *call, const UsageAccess *inner, const Node *actual);

static void add_viewed(UsageCall *call, const UsageAccess *inner, const Symbol *view, Location at) {
    const Node *value = view->definition->abbreviation.value;
    UsageAccess whole = *inner;
    whole.region = (IndexRegion){0};
    whole.view = view;
    whole.at = at;
    add_through_actual(call, &whole, value);
}

static void add_through_actual(UsageCall *call, const UsageAccess *inner, const Node *actual) {
    const Node *root = element_root(actual);
    if (root->kind == NODE_TABLE) { /* ends of several channels: any of them */
        for (size_t i = 0; i < root->table.items.count; i++) {
            UsageAccess whole = *inner;
            whole.region.count = 0;
            add_through_actual(call, &whole, root->table.items.items[i]);
        }
        return;
    }
    ObjectPart part = region_of(&call->walk->builder, actual);
    if (!is_tracked(part.root)) {
        return;
    }
    IndexRegion region = usage_call_region(call, &inner->region, false);
    if (part.count == 0 || is_settled(call, &region)) {
        region_compose(call->walk->arena, &part, region.dimensions, region.count);
    }
    region.dimensions = part.dimensions;
    region.count = part.count;
    add_access(call, inner, part.root, part.name, region, actual->at);
    if (region_is_view(part.root)) {
        add_viewed(call, inner, part.root, actual->at);
    }
}

/* Names that the routine has itself are nothing to its callers. */
static const Symbol *name_outside(const UsageCall *call, const Symbol *name) {
    while (name && name->number > call->callee->number) {
        name = symbol_abbreviated(name);
    }
    return name;
}

static void add_summary(UsageCall *call, const RoutineUsage *usage, const Node *node) {
    for (size_t i = 0; i < usage->accesses.count; i++) {
        const UsageAccess inner = usage->accesses.items[i];
        if (inner.root->number < call->callee->number) {
            IndexRegion region = usage_call_region(call, &inner.region, true);
            add_access(call, &inner, inner.root, name_outside(call, inner.name), region, node->at);
            continue;
        }
        for (size_t k = 0; k < call->formals->count && k < call->actuals->count; k++) {
            if (node_formal(call->formals, k) == inner.root &&
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
        const Symbol *formal = node_formal(formals, i);
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
    const NodeList *formals = node_formals(callee->definition);
    if (is_misfit(formals, actuals)) {
        return;
    }
    size_t start = walk->accesses.count;
    for (size_t i = 0; i < actuals->count; i++) {
        const Symbol *formal = i < formals->count ? node_formal(formals, i) : NULL;
        bool is_value =
            !formal || formal->formal_mode == FORMAL_VAL || formal->formal_mode == FORMAL_INITIAL;
        size_t first = walk->accesses.count;
        read_actual(walk, actuals->items[i], is_value);
        bool is_of_val_array = formal && formal->formal_mode == FORMAL_VAL && formal->type &&
                               !type_is_error(formal->type) && !type_is_scalar(formal->type);
        for (; first < walk->accesses.count; first++) {
            walk->accesses.items[first].is_of_val_array = is_of_val_array;
        }
    }
    size_t end = walk->accesses.count;
    alias_call(walk, node, callee, actuals);
    const RoutineUsage *usage = symbol_map_get(&walk->routines, callee);
    const ProcInfo *info =
        callee->definition->kind == NODE_PROC ? callee->definition->proc.info : NULL;
    UsageCall call = {.walk = walk,
                      .callee = callee,
                      .node = node,
                      .formals = formals,
                      .actuals = actuals,
                      .before = walk->here.phases,
                      .info = info && info->crosses_phase ? info : NULL};
    if (usage && usage->is_known) {
        call.loop_depth = usage->loop_depth;
        add_summary(&call, usage, node);
    }
    call.from = call.to = NULL;
    walk->here.phases =
        usage_call_phases(&call, walk->here.phases, usage ? usage->after : NULL, true);
    usage_phase_span(walk, start, end);
}
