/* check_flow -- warnings about variables without a value and processes that nothing reaches. The
 * walk is that of flow.h. */
#include "check.h"

#include "flow.h"

void check_flow(Compiler *compiler, Node *unit) {
    FlowSymbols symbols = {.variables = {NULL, 0}};
    Flow flow = {.compiler = compiler, .arena = arena_create(), .symbols = &symbols};
    if (unit->kind == NODE_UNIT) {
        flow_specifications(&flow, &unit->unit.specs);
    }
    arena_destroy(flow.arena);
}
