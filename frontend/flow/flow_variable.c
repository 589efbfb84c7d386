/* flow_variable -- variables from their declaration to the end of their scope, and expressions. */
#include "flow.h"

#include "evaluation.h"

/* ---- slots ---- */

static void take_slot(Flow *flow, FlowVariable *variable) {
    size_t slot = flow->slots.count;
    array_push(flow->arena, &flow->slots, variable);
    if (variable) {
        variable->slot = slot;
    }
    flow_set_remove(&flow->state.some, slot);
    flow_set_remove(&flow->state.all, slot);
    flow_set_remove(&flow->state.gone, slot);
    flow_set_remove(&flow->trusted, slot);
}

/* May be without a value from the start, which the running program looks after; moves as one. */
static bool moves_whole(const Type *type) {
    return type_is_mobile(type) || type_is_bundle_end(type);
}

static bool is_followed(const Symbol *symbol) {
    if (!symbol->type || type_is_error(symbol->type) || !type_is_data(symbol->type) ||
        (type_owns(symbol->type) && !moves_whole(symbol->type)) || symbol->permits_sharing) {
        return false;
    }
    bool is_formal = symbol->kind == SYMBOL_FORMAL && (symbol->formal_mode == FORMAL_REFERENCE ||
                                                       symbol->formal_mode == FORMAL_RESULT);
    return is_formal ||
           (symbol->kind == SYMBOL_VARIABLE && (!symbol->is_initial || moves_whole(symbol->type)));
}

static bool is_composite(const Type *type) {
    const Type *base = type_base(type);
    return base->kind == TYPE_ARRAY || base->kind == TYPE_RECORD;
}

void flow_declare(Flow *flow, Symbol *symbol, bool has_value) {
    if (!symbol || !is_followed(symbol)) {
        take_slot(flow, NULL);
        return;
    }
    FlowVariable *variable = arena_new(flow->arena, FlowVariable);
    variable->symbol = symbol;
    variable->is_whole = is_composite(symbol->type);
    symbol_map_set(flow->arena, &flow->symbols->variables, symbol, variable);
    take_slot(flow, variable);
    if (has_value || type_size(symbol->type) == 0 || moves_whole(symbol->type)) {
        flow_set_variable(flow, variable);
    }
}

size_t flow_open(const Flow *flow) {
    return flow->slots.count;
}

void flow_close(Flow *flow, size_t mark) {
    while (flow->slots.count > mark) {
        FlowVariable *variable = flow->slots.items[--flow->slots.count];
        if (variable) {
            symbol_map_set(flow->arena, &flow->symbols->variables, variable->symbol, NULL);
        }
    }
}

/* ---- elements ---- */

FlowVariable *flow_root(const Flow *flow, const Node *node) {
    const Symbol *symbol = node ? symbol_object(node_root(node)) : NULL;
    return symbol && is_followed(symbol) ? symbol_map_get(&flow->symbols->variables, symbol) : NULL;
}

/* ---- reading ---- */

static void report_read(Flow *flow, const FlowVariable *variable, Location at,
                        const Symbol *reader) {
    Diag *diag = flow->compiler->diag;
    const char *name = variable->symbol->name->bytes;
    bool is_certain = !flow_set_has(&flow->state.some, variable->slot);
    diag_report(diag, is_certain ? DIAG_FLOW_UNDEFINED : DIAG_FLOW_MAYBE_UNDEFINED, at, name);
    if (reader) {
        diag_primary_label(diag, "'%s' uses it", reader->name->bytes);
    }
    diag_label(diag, variable->symbol->at, "declared here");
}

/* Whether some path may bring no value is said of single values only. Inside of the CLAIM of a
 * MUTEX others may have set the elements of an array that are used. */
static bool lacks_value(const Flow *flow, const FlowVariable *variable) {
    if (variable->is_whole && flow->mutexes > 0) {
        return false;
    }
    const FlowSet *set = variable->is_whole ? &flow->state.some : &flow->state.all;
    bool is_set = flow->state.is_dead || flow_set_has(set, variable->slot) ||
                  flow_set_has(&flow->trusted, variable->slot);
    bool is_set_here = flow_set_has(&flow->state.some, variable->slot);
    return !is_set && (is_set_here || !flow_is_for_later_rounds(flow, variable));
}

static bool is_outside(const Flow *flow, const FlowVariable *variable) {
    bool is_formal = variable->symbol->kind == SYMBOL_FORMAL &&
                     variable->symbol->formal_mode == FORMAL_REFERENCE;
    return flow->routine && (variable->slot < flow->routine->base || is_formal);
}

static void report_moved(Flow *flow, FlowVariable *variable, Location at) {
    Diag *diag = flow->compiler->diag;
    if (!variable->is_reported && !flow->is_library) {
        diag_report(diag, DIAG_FLOW_MOVED, at, variable->symbol->name->bytes);
        diag_label(diag, variable->moved_at, "it moved away here%s",
                   flow->is_later_round ? ", in an earlier round" : "");
    }
    variable->is_reported = true;
}

void flow_read_variable(Flow *flow, FlowVariable *variable, Location at, const Symbol *reader) {
    if (variable && !flow->state.is_dead && flow_set_has(&flow->state.gone, variable->slot)) {
        report_moved(flow, variable, at);
        return;
    }
    if (!variable || !lacks_value(flow, variable)) {
        return;
    }
    if (is_outside(flow, variable)) {
        if (!flow_set_has(&flow->state.some, variable->slot)) {
            FlowRoutine *routine = flow->routine;
            flow_set_add(flow->arena, routine->choices > 0 ? &routine->asks : &routine->needs,
                         variable->slot);
        }
        return;
    }
    if (!variable->is_reported && !flow->is_library &&
        !flow_is_said_to_be_defined(flow, variable->symbol, at)) {
        report_read(flow, variable, at, reader);
    }
    variable->is_reported = true;
}

/* ---- evaluation ---- */

/* Who asks may know better from here on. */
static void ask_defined(Flow *flow, const FlowVariable *variable) {
    if (variable) {
        flow_set_remove(&flow->state.gone, variable->slot);
    }
}

/* The name of a variable, or an abbreviation of all of it: not of a part. */
bool flow_is_whole(const Node *element) {
    while (element->kind == NODE_NAME && symbol_abbreviated(element->name.symbol)) {
        element = element->name.symbol->definition->abbreviation.value;
    }
    return element->kind == NODE_NAME;
}

static void use(void *context, const Node *element, ObjectUse use) {
    Flow *flow = context;
    FlowVariable *variable = flow_root(flow, element);
    switch (use) {
    case OBJECT_READ:
    case OBJECT_PHASE: flow_read_variable(flow, variable, element->at, NULL); return;
    case OBJECT_MOVED:
        flow_read_variable(flow, variable, element->at, NULL);
        if (flow_is_whole(element)) {
            flow_move(flow, variable, element->at);
        }
        return;
    case OBJECT_ASKED: ask_defined(flow, variable); return;
    case OBJECT_MEASURED: return; /* one that is not there has the size 0 */
    case OBJECT_END: flow_use_channel(flow, element->end.channel); return;
    }
}

static void call(void *context, const Node *node, const Symbol *callee, const NodeList *actuals) {
    flow_call(context, node, callee, actuals);
}

static void repeat(void *context, const Node *replicator, bool ends) {
    (void)context;
    (void)replicator;
    (void)ends;
}

/* The second operand of AND and OR is read under the condition of the first. */
static void condition(void *context, const Node *chain, bool ends) {
    Flow *flow = context;
    (void)chain;
    if (ends) {
        flow->trusted = flow->outside.items[--flow->outside.count];
    } else {
        array_push(flow->arena, &flow->outside, flow_trust(flow));
    }
}

static void valof(void *context, const Node *node) {
    Flow *flow = context;
    size_t mark = flow_open(flow);
    flow_specifications(flow, &node->valof.specs);
    if (node->valof.process) {
        flow_process(flow, node->valof.process);
    }
    for (size_t i = 0; i < node->valof.results.count; i++) {
        flow_read(flow, node->valof.results.items[i]);
    }
    flow_close(flow, mark);
}

static const Evaluation events = {use, call, repeat, condition, valof};

void flow_read(Flow *flow, const Node *expression) {
    evaluate_value(&events, flow, expression);
}

void flow_subscripts(Flow *flow, const Node *element) {
    evaluate_choice(&events, flow, element);
}

/* ---- writing ---- */

/* The first element sets the whole: see flow.h. */
void flow_set_variable(Flow *flow, FlowVariable *variable) {
    if (variable) {
        flow_set_add(flow->arena, &flow->state.some, variable->slot);
        flow_set_add(flow->arena, &flow->state.all, variable->slot);
        flow_set_remove(&flow->state.gone, variable->slot);
    }
}

void flow_move(Flow *flow, FlowVariable *variable, Location at) {
    if (variable && moves_whole(variable->symbol->type)) {
        flow_set_add(flow->arena, &flow->state.gone, variable->slot);
        variable->moved_at = at;
    }
}

/* A part of a dynamic array can be written only when the array is there, and so of a node. */
static bool needs_array(const Node *element, const FlowVariable *variable) {
    const Type *type = variable ? variable->symbol->type : NULL;
    if (!type || !type_is_mobile(type) || element->kind == NODE_NAME) {
        return false;
    }
    return type_has_open_dimension(type_content(type)) || type_is_recursive(type);
}

void flow_set(Flow *flow, const Node *element) {
    if (needs_array(element, flow_root(flow, element))) {
        flow_read_variable(flow, flow_root(flow, element), element->at, NULL);
    }
    flow_set_variable(flow, flow_root(flow, element));
    flow_fact_set(flow, element, NULL);
}

void flow_write(Flow *flow, const Node *element) {
    flow_subscripts(flow, element);
    flow_set(flow, element);
}
