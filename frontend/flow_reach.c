/* flow_reach -- conditions whose value is written down, and processes that nothing reaches. */
#include "flow.h"

static void find_name(Node **slot, void *data) {
    bool *has_name = data;
    if ((*slot)->kind == NODE_NAME) {
        *has_name = true;
    } else {
        node_visit_children(*slot, find_name, data);
    }
}

FlowTruth flow_truth(const Node *condition) {
    bool has_name = false;
    Node *node = (Node *)condition;
    if (!condition->constant || !condition->type || condition->type->kind != TYPE_BOOL) {
        return FLOW_OPEN;
    }
    find_name(&node, &has_name);
    if (has_name) {
        return FLOW_OPEN;
    }
    return condition->constant->integer ? FLOW_TRUE : FLOW_FALSE;
}

void flow_report_unreachable(Flow *flow, const Node *process, const Node *cause) {
    bool is_end = process->kind == NODE_STOP || process->kind == NODE_SKIP;
    if (flow->is_library || is_end) {
        return; /* people write STOP behind an endless loop for the reader */
    }
    diag_report(flow->compiler->diag, DIAG_FLOW_UNREACHABLE, process->at);
    if (cause) {
        diag_label(flow->compiler->diag, cause->at, "nothing goes on after this");
    }
}

void flow_report_condition(Flow *flow, const Node *condition, const char *consequence) {
    if (!flow->is_library) {
        diag_report(flow->compiler->diag, DIAG_FLOW_CONDITION, condition->at,
                    condition->constant->integer ? "TRUE" : "FALSE", consequence);
    }
}
