/* flow_loop -- what a loop may set, and uses that wait for a later round of it; what branches on a
 * clock may set, and the others use in a later phase. */
#include "flow.h"

#include "changes.h"

static void note(void *context, const Node *element) {
    Flow *flow = context;
    const FlowVariable *variable = flow_root(flow, element);
    if (variable) {
        flow_set_add(flow->arena, &flow->loop->assigned, variable->slot);
    }
}

static void note_call(Flow *flow, const Symbol *callee) {
    const FlowRoutine *routine =
        callee->kind == SYMBOL_PROC ? symbol_map_get(&flow->symbols->routines, callee) : NULL;
    for (size_t slot = 0; routine && routine->is_known && slot < routine->base; slot++) {
        if (flow_set_has(&routine->some, slot)) {
            flow_set_add(flow->arena, &flow->loop->assigned, slot);
        }
    }
}

static void visit(Node **slot, void *data) {
    Flow *flow = data;
    const Node *node = *slot;
    if (node->kind == NODE_PROC || node->kind == NODE_FUNCTION) {
        return;
    }
    node_changes(node, note, flow);
    if (node->kind == NODE_CALL && node_callee(node)) {
        note_call(flow, node_callee(node));
    }
    node_visit_children(*slot, visit, flow);
}

void flow_loop_open(Flow *flow, FlowLoop *loop, const Node *node) {
    *loop = (FlowLoop){.outer = flow->loop};
    flow->loop = loop;
    node_visit_children((Node *)node, visit, flow);
}

void flow_loop_close(Flow *flow) {
    flow->loop = (FlowLoop *)flow->loop->outer;
}

/* ---- branches on a clock ---- */

static bool enrols(const Node *par) {
    bool found = par->par.enrols.count > 0;
    for (size_t i = 0; i < par->par.body.count; i++) {
        found = found || node_enroll(par->par.body.items[i]);
    }
    return found;
}

FlowSet flow_phases_open(Flow *flow, const Node *par) {
    FlowSet before = flow->phased;
    if (enrols(par)) {
        FlowLoop branches;
        flow_loop_open(flow, &branches, par);
        flow_loop_close(flow);
        flow->phased = flow_set_copy(flow->arena, &before);
        flow_set_unite(flow->arena, &flow->phased, &branches.assigned);
    }
    return before;
}

void flow_phases_close(Flow *flow, FlowSet before) {
    flow->phased = before;
}

void flow_next_phase(Flow *flow) {
    flow_set_unite(flow->arena, &flow->state.some, &flow->phased);
    flow_set_unite(flow->arena, &flow->state.all, &flow->phased);
}

/* ---- choices ---- */

bool flow_choice_open(Flow *flow) {
    bool before = flow->loop && flow->loop->is_conditional;
    if (flow->loop) {
        flow->loop->is_conditional = true;
    }
    if (flow->routine) {
        flow->routine->choices++;
    }
    return before;
}

void flow_choice_close(Flow *flow, bool before) {
    if (flow->loop) {
        flow->loop->is_conditional = before;
    }
    if (flow->routine) {
        flow->routine->choices--;
    }
}

FlowSet flow_trust(Flow *flow) {
    FlowSet before = flow->trusted;
    flow->trusted = flow_set_copy(flow->arena, &before);
    flow_set_unite(flow->arena, &flow->trusted, &flow->state.some);
    return before;
}

bool flow_is_for_later_rounds(const Flow *flow, const FlowVariable *variable) {
    bool is_conditional = false;
    for (const FlowLoop *loop = flow->loop; loop; loop = loop->outer) {
        is_conditional = is_conditional || loop->is_conditional;
        if (is_conditional && flow_set_has(&loop->assigned, variable->slot)) {
            return true;
        }
    }
    return false;
}
