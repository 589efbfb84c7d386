/* check_usage -- the pass: the walk over the unit, and the summaries for its interface. */
#include "usage_phase.h"

#include "check.h"
#include "value.h"

#define PATIENCE 8000000 /* rows of systems that are looked at in a unit: a quarter of a second */

static const IndexExpr *loop_of(const Symbol *symbol, void *context) {
    UsageWalk *walk = context;
    if (clock_is(symbol)) {
        return usage_phase_wrapped(walk, walk->here.phases, symbol);
    }
    bool is_variable = symbol->kind == SYMBOL_VARIABLE || symbol->kind == SYMBOL_FORMAL;
    return is_variable ? value_at(walk, symbol) : symbol_map_get(&walk->numbers, symbol);
}

/* Of the place where the walk is: in a PAR each branch has its own. */
static const IndexExpr *number_of(void *context) {
    IndexExpr *expr = usage_phase_unknown(context);
    expr->is_int = true;
    return expr;
}

/* For the interface of the unit. */
static void keep_summaries(const UsageWalk *walk, const Node *unit) {
    Compiler *compiler = walk->compiler;
    for (size_t i = 0; i < unit->unit.specs.count; i++) {
        const Node *node = unit->unit.specs.items[i];
        bool is_routine = node->kind == NODE_PROC || node->kind == NODE_FUNCTION;
        ProcInfo *info = is_routine ? node_info(node) : NULL;
        if (info && !info->elsewhere) {
            info->usage_text = usage_text_encode(compiler->arena, node,
                                                 symbol_map_get(&walk->routines, info->symbol));
        }
    }
}

void check_usage(Compiler *compiler, Node *unit) {
    UsageWalk walk = {.compiler = compiler, .arena = arena_create()};
    walk.builder.arena = walk.arena;
    walk.builder.replicator = loop_of;
    walk.builder.number = number_of;
    walk.builder.context = &walk;
    walk.builder.tables = region_tables(walk.arena);
    walk.values = value_start(walk.arena);
    walk.compared.memo = index_memo(walk.arena);
    walk.compared.patience = PATIENCE;
    if (unit->kind == NODE_UNIT) {
        usage_specifications(&walk, &unit->unit.specs);
    }
    if (compiler->tape && unit->kind == NODE_UNIT) {
        keep_summaries(&walk, unit);
    }
    arena_destroy(walk.arena);
}
