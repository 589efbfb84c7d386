/* flow_call -- routines: what they need and what they set, and the same seen from a call. */
#include "flow.h"

#include "predefined.h"

/* ---- definitions ---- */

static void check_results(const Flow *flow, const NodeList *formals, const Symbol *routine) {
    for (size_t i = 0; i < formals->count && !flow->state.is_dead && !flow->is_library; i++) {
        const Symbol *formal = node_formal(formals, i);
        const FlowVariable *variable = formal && formal->formal_mode == FORMAL_RESULT
                                           ? symbol_map_get(&flow->symbols->variables, formal)
                                           : NULL;
        bool is_unused = formal && !formal->is_read && !formal->is_written && !formal->is_used;
        if (!variable || is_unused) { /* names-unused has said enough */
            continue;
        }
        const FlowSet *set = variable->is_whole ? &flow->state.some : &flow->state.all;
        if (!flow_set_has(set, variable->slot)) {
            diag_report(flow->compiler->diag, DIAG_FLOW_RESULT, formal->at, formal->name->bytes,
                        routine->name->bytes);
        }
    }
}

static void walk_body(Flow *flow, const Node *node) {
    if (node->kind == NODE_PROC) {
        flow_process(flow, node->proc.body);
    } else {
        flow_read(flow, node->function.body);
    }
}

/* What a choice reads and another sets may have been set by a call before; in a recursive routine
 * that goes for everything it sets. */
static void settle_needs(Flow *flow, FlowRoutine *routine, bool is_recursive) {
    FlowSet *needs = &routine->needs;
    if (is_recursive) {
        flow_set_unite(flow->arena, &routine->asks, needs);
        *needs = (FlowSet){NULL, 0};
    }
    for (size_t slot = 0; slot < flow->slots.count; slot++) {
        if (flow_set_has(&routine->asks, slot) && !flow_set_has(&routine->some, slot)) {
            flow_set_add(flow->arena, needs, slot);
        }
    }
}

void flow_routine(Flow *flow, const Node *node) {
    const ProcInfo *info = node_info(node);
    if (!info || info->elsewhere) {
        return;
    }
    FlowRoutine *routine = arena_new(flow->arena, FlowRoutine);
    Flow outside = *flow;
    size_t mark = flow_open(flow);
    routine->base = routine->formals = mark;
    symbol_map_set(flow->arena, &flow->symbols->routines, info->symbol, routine);
    flow->state = (FlowState){.is_dead = false};
    flow->routine = routine;
    flow->loop = NULL;
    flow->phased = flow->trusted = (FlowSet){NULL, 0};
    flow->facts = NULL;
    flow->is_library = info->symbol->is_library;
    const NodeList *formals = node_formals(node);
    for (size_t i = 0; i < formals->count; i++) {
        flow_declare(flow, node_formal(formals, i), false);
    }
    walk_body(flow, node);
    check_results(flow, formals, info->symbol);
    routine->some = flow->state.some;
    routine->gone = flow->state.gone;
    settle_needs(flow, routine, info->is_recursive_used);
    routine->never_returns = flow->state.is_dead;
    routine->is_known = true;
    flow_close(flow, mark);
    flow->state = outside.state;
    flow->routine = outside.routine;
    flow->loop = outside.loop;
    flow->phased = outside.phased;
    flow->trusted = outside.trusted;
    flow->facts = outside.facts;
    flow->is_library = outside.is_library;
}

/* ---- calls ---- */

/* Names from outside of the callee: asked for here, set here. */
static void use_outside(Flow *flow, const Node *call, const Symbol *callee,
                        const FlowRoutine *routine) {
    for (size_t slot = 0; slot < routine->base && slot < flow->slots.count; slot++) {
        if (flow_set_has(&routine->needs, slot)) {
            flow_read_variable(flow, flow->slots.items[slot], call->at, callee);
        }
    }
}

static void set_outside(Flow *flow, const Node *call, const FlowRoutine *routine) {
    for (size_t slot = 0; slot < routine->base && slot < flow->slots.count; slot++) {
        if (flow_set_has(&routine->some, slot)) {
            flow_set_variable(flow, flow->slots.items[slot]);
        }
        if (flow_set_has(&routine->gone, slot)) {
            flow_move(flow, flow->slots.items[slot], call->at);
        }
    }
}

static void use_actual(Flow *flow, const Node *actual, const Symbol *formal, const Symbol *callee,
                       const FlowRoutine *routine, size_t index) {
    if (!symbol_is_reference_formal(formal)) {
        flow_read(flow, actual);
        return;
    }
    flow_subscripts(flow, actual);
    bool takes_contents =
        actual->type && type_is_mobile(actual->type) && !type_is_mobile(formal->type);
    if (takes_contents) {
        flow_read_variable(flow, flow_root(flow, actual), actual->at, NULL);
    }
    if (routine && routine->is_known && flow_set_has(&routine->needs, routine->formals + index)) {
        flow_read_variable(flow, flow_root(flow, actual), actual->at, callee);
    }
}

/* What a routine may set counts as set: most that do not say so by a status. */
static void set_actual(Flow *flow, const Node *actual, const Symbol *formal,
                       const FlowRoutine *routine, size_t index) {
    FlowVariable *variable = symbol_is_reference_formal(formal) ? flow_root(flow, actual) : NULL;
    if (symbol_is_reference_formal(formal)) {
        flow_fact_set(flow, actual, NULL);
    }
    if (!variable) {
        return;
    }
    bool is_known = routine && routine->is_known;
    size_t slot = is_known ? routine->formals + index : 0;
    if (!is_known || formal->formal_mode == FORMAL_RESULT || flow_set_has(&routine->some, slot)) {
        flow_set_variable(flow, variable);
    }
    if (is_known && flow_is_whole(actual) && flow_set_has(&routine->gone, slot)) {
        flow_move(flow, variable, actual->at);
    }
}

static void call_predefined(Flow *flow, const Symbol *callee, const NodeList *actuals) {
    for (size_t i = 0; i < actuals->count; i++) {
        if (!predefined_is_reference(callee->predefined, i)) {
            flow_read(flow, actuals->items[i]);
        }
    }
    for (size_t i = 0; i < actuals->count; i++) {
        if (predefined_is_reference(callee->predefined, i)) {
            flow_write(flow, actuals->items[i]);
        }
    }
    bool is_taken = callee->predefined == PREDEFINED_DETACH_DYNMOB && actuals->count > 0;
    if (is_taken && actuals->items[0]->kind == NODE_NAME) {
        flow_move(flow, flow_root(flow, actuals->items[0]), actuals->items[0]->at);
    }
}

/* A mobile process does to its actuals what the formals of its type permit. */
static void call_mobile_process(Flow *flow, const NodeList *formals, const Symbol *callee,
                                const NodeList *actuals) {
    for (size_t i = 0; i < actuals->count; i++) {
        use_actual(flow, actuals->items[i], node_formal(formals, i), callee, NULL, i);
    }
    for (size_t i = 0; i < actuals->count; i++) {
        set_actual(flow, actuals->items[i], node_formal(formals, i), NULL, i);
    }
}

void flow_call(Flow *flow, const Node *call, const Symbol *callee, const NodeList *actuals) {
    bool is_routine = callee && callee->definition &&
                      (callee->kind == SYMBOL_PROC || callee->kind == SYMBOL_FUNCTION);
    if (callee && callee->kind == SYMBOL_PREDEFINED) {
        call_predefined(flow, callee, actuals);
    }
    const Type *content = callee && callee->type ? type_content(callee->type) : NULL;
    if (!is_routine && content && content->kind == TYPE_PROC_TYPE) {
        call_mobile_process(flow, content->proc_type.formals, callee, actuals);
    }
    if (!is_routine) {
        return;
    }
    const FlowRoutine *routine = symbol_map_get(&flow->symbols->routines, callee);
    const NodeList *formals = node_formals(callee->definition);
    const ProcInfo *info = node_info(callee->definition);
    if (info && info->crosses_phase) {
        flow_next_phase(flow);
    }
    for (size_t i = 0; i < actuals->count; i++) {
        use_actual(flow, actuals->items[i], node_formal(formals, i), callee, routine, i);
    }
    if (routine && routine->base > 0) {
        flow_fact_forget(flow); /* it may set what is round it */
    }
    if (routine && routine->is_known) {
        use_outside(flow, call, callee, routine);
        set_outside(flow, call, routine);
    }
    for (size_t i = 0; i < actuals->count; i++) {
        set_actual(flow, actuals->items[i], node_formal(formals, i), routine, i);
    }
    if (routine && routine->is_known && routine->never_returns) {
        flow->state.is_dead = true;
    }
}
