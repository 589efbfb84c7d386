/* flow_variable -- variables from their declaration to the end of their scope, and expressions. */
#include "flow.h"

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
    symbol->usage = variable;
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
            ((Symbol *)variable->symbol)->usage = NULL;
        }
    }
}

/* ---- elements ---- */

FlowVariable *flow_root(const Node *node) {
    const Symbol *symbol = node ? symbol_object(node_root(node)) : NULL;
    return symbol && is_followed(symbol) ? symbol->usage : NULL;
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

void flow_subscripts(Flow *flow, const Node *node) {
    for (;;) {
        switch ((int)node->kind) {
        case NODE_SUBSCRIPT:
            flow_read(flow, node->subscript.index);
            node = node->subscript.base;
            break;
        case NODE_FIELD: node = node->field.base; break;
        case NODE_SEGMENT:
            if (node->segment.from) {
                flow_read(flow, node->segment.from);
            }
            if (node->segment.length) {
                flow_read(flow, node->segment.length);
            }
            node = node->segment.base;
            break;
        case NODE_END: node = node->end.channel; break;
        case NODE_NAME: return;
        default: flow_read(flow, node); return;
        }
    }
}

static void read_child(Node **slot, void *data) {
    flow_read(data, *slot);
}

static void read_constructor(Flow *flow, const Node *node) {
    const Node *replicator = node->constructor.replicator;
    size_t mark = flow_open(flow);
    if (replicator->kind == NODE_REPLICATOR) {
        flow_read(flow, replicator->replicator.base);
        flow_read(flow, replicator->replicator.count);
    }
    flow_read(flow, node->constructor.value);
    flow_close(flow, mark);
}

static void read_valof(Flow *flow, const Node *node) {
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

/* The second operand of AND and OR is read under the condition of the first. */
static void read_chain(Flow *flow, const Node *node) {
    flow_read(flow, node->dyadic.left);
    FlowSet trusted = flow_trust(flow);
    flow_read(flow, node->dyadic.right);
    flow->trusted = trusted;
}

static void read_operator(Flow *flow, const Node *node, const Symbol *operator) {
    node_visit_children((Node *)node, read_child, flow);
    if (operator) {
        NodeList none = {0};
        flow_call(flow, node, operator, & none);
    }
}

/* Who asks may know better from here on. */
static void ask_defined(Flow *flow, const FlowVariable *variable) {
    if (variable) {
        flow_set_remove(&flow->state.gone, variable->slot);
    }
}

void flow_read(Flow *flow, const Node *node) {
    if (node->constant) {
        return;
    }
    switch ((int)node->kind) {
    case NODE_NAME: flow_read_variable(flow, flow_root(node), node->at, NULL); return;
    case NODE_SUBSCRIPT:
    case NODE_FIELD:
    case NODE_SEGMENT:
        flow_subscripts(flow, node);
        flow_read_variable(flow, flow_root(node), node->at, NULL);
        return;
    case NODE_SIZE:
    case NODE_BYTESIN:
    case NODE_OFFSETOF:
    case NODE_TYPEHASHOF:
    case NODE_ADDROF: return; /* the object, not its value */
    case NODE_CLOCKS: return; /* those that are defined */
    case NODE_DEFINED: ask_defined(flow, flow_root(node->defined.operand)); return;
    case NODE_MOVE:
        flow_read(flow, node->move.element);
        if (node->move.element->kind == NODE_NAME) {
            flow_move(flow, flow_root(node->move.element), node->at);
        }
        return;
    case NODE_CONVERSION: flow_read(flow, node->conversion.operand); return;
    case NODE_CONSTRUCTOR: read_constructor(flow, node); return;
    case NODE_VALOF: read_valof(flow, node); return;
    case NODE_MONADIC: read_operator(flow, node, node->monadic.user_operator); return;
    case NODE_DYADIC:
        if (node->dyadic.op == OPERATOR_AND || node->dyadic.op == OPERATOR_OR) {
            read_chain(flow, node);
        } else {
            read_operator(flow, node, node->dyadic.user_operator);
        }
        return;
    case NODE_FUNCTION_CALL:
        if (node->function_call.callee->kind == NODE_NAME) {
            flow_call(flow, node, node->function_call.callee->name.symbol,
                      &node->function_call.actuals);
        }
        return;
    }
    node_visit_children((Node *)node, read_child, flow);
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

/* y IS x: and a move of y: y may be a part of x. */
void flow_move(Flow *flow, FlowVariable *variable, Location at) {
    if (variable && moves_whole(variable->symbol->type)) {
        flow_set_add(flow->arena, &flow->state.gone, variable->slot);
        variable->moved_at = at;
    }
}

/* A part of a dynamic array can be written only when the array is there. */
static bool needs_array(const Node *element, const FlowVariable *variable) {
    const Type *type = variable ? variable->symbol->type : NULL;
    return type && type_is_mobile(type) && type_has_open_dimension(type_content(type)) &&
           (element->kind == NODE_SUBSCRIPT || element->kind == NODE_SEGMENT);
}

void flow_set(Flow *flow, const Node *element) {
    if (needs_array(element, flow_root(element))) {
        flow_read_variable(flow, flow_root(element), element->at, NULL);
    }
    flow_set_variable(flow, flow_root(element));
    flow_fact_set(flow, element, NULL);
}

void flow_write(Flow *flow, const Node *element) {
    flow_subscripts(flow, element);
    flow_set(flow, element);
}
