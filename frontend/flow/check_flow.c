/* check_flow -- warnings about variables without a value and processes that nothing reaches. The
 * walk is that of flow.h. */
#include "check.h"

#include "flow.h"

static void forget(Node **slot, void *data) {
    Node *node = *slot;
    if (node->kind == NODE_DEF && node->def.symbol) {
        node->def.symbol->usage = NULL;
    }
    node_visit_children(node, forget, data);
}

void check_flow(Compiler *compiler, Node *unit) {
    Flow flow = {.compiler = compiler, .arena = arena_create()};
    if (unit->kind == NODE_UNIT) {
        flow_specifications(&flow, &unit->unit.specs);
    }
    node_visit_children(unit, forget, NULL);
    arena_destroy(flow.arena);
}
