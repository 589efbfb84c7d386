/* clock_hidden -- NEXT without names is on every clock of the process, also on those that a PROC
 * does not see: its callers pass them.
 *
 * Owns:   the last formal of a PROC that has such a NEXT, or calls one that has, in its own
 *         process; and the actual for it, the clocks of the caller that the PROC does not see.
 * Holds:  a branch of a PAR is another process, on the clocks that it is enrolled on. What may be
 *         the main PROC, and mobile processes, are called by nobody with a clock: no formal.
 *         A caller without clocks is wrong where such a NEXT is on none of the PROC's own either;
 *         of a recursive PROC that is known only at its end. */
#include "clock_walk.h"

static bool may_be_main(const ClockWalk *walk, const Node *proc) {
    const Node *last = NULL;
    if (walk->unit->kind == NODE_UNIT) {
        for (size_t i = 0; i < walk->unit->unit.specs.count; i++) {
            Node *spec = walk->unit->unit.specs.items[i];
            last = spec->kind == NODE_PROC ? spec : last;
        }
    }
    if (last != proc) {
        return false;
    }
    for (size_t i = 0; i < proc->proc.formals.count; i++) {
        const Node *formal = proc->proc.formals.items[i];
        const Symbol *symbol = formal->kind == NODE_FORMAL ? formal->formal.def->def.symbol : NULL;
        if (symbol == NULL || symbol->type == NULL || symbol->type->kind != TYPE_CHANNEL) {
            return false;
        }
    }
    return true;
}

static Node *new_formal(ClockWalk *walk, Node *proc, Symbol *symbol) {
    Node *def = node_create(walk->arena, NODE_DEF, proc->at);
    def->def.name = symbol->name;
    def->def.symbol = symbol;
    Node *type = node_create(walk->arena, NODE_NAME, proc->at);
    type->name.name = symbol->name;
    Node *formal = node_create(walk->arena, NODE_FORMAL, proc->at);
    formal->formal.mode = FORMAL_REFERENCE;
    formal->formal.type_expr = type;
    formal->formal.def = def;
    return formal;
}

void clock_hidden_formal(ClockWalk *walk, Node *proc) {
    ProcInfo *info = proc->proc.info;
    if (info == NULL || !info->nexts_all || info->hidden_clocks != NULL) {
        return;
    }
    if (proc->proc.is_mobile || (info->elsewhere == NULL && may_be_main(walk, proc))) {
        info->nexts_all = false;
        return;
    }
    Symbol *symbol = arena_new(walk->arena, Symbol);
    *symbol = (Symbol){.kind = SYMBOL_FORMAL,
                       .name = text_intern_string(walk->compiler->texts, "NEXT"),
                       .type = type_primitive(TYPE_CLOCK),
                       .at = proc->at,
                       .owner = proc,
                       .formal_mode = FORMAL_REFERENCE,
                       .is_read = true,
                       .is_written = true,
                       .is_used = true,
                       .number = info->symbol->number};
    Node *formal = new_formal(walk, proc, symbol);
    symbol->definition = formal;
    array_push(walk->arena, &proc->proc.formals, formal);
    info->hidden_clocks = symbol;
    info->needs_clocks = info->elsewhere != NULL && info->elsewhere->needs_clocks;
}

bool clock_sees_hidden(const ClockWalk *walk) {
    const ProcInfo *info = walk->routine != NULL ? walk->routine->proc.info : NULL;
    return info != NULL && info->hidden_clocks != NULL && walk->branch_depth == 0;
}

static bool is_passed(const NodeList *actuals, const ProcInfo *info, const Symbol *symbol) {
    for (size_t i = 0; i < info->free_names.count; i++) {
        if (info->free_names.items[i] == symbol) {
            return true;
        }
    }
    return clock_is_named(actuals, symbol);
}

/* Its clocks, but for those that the callee sees. */
static size_t name_clocks(ClockWalk *walk, Node *call, Node *clocks, const NodeList *actuals,
                          const ProcInfo *callee) {
    size_t enrolled = 0;
    for (size_t i = 0; i < walk->clocks.count; i++) {
        KnownClock *clock = &walk->clocks.items[i];
        bool takes_part = clock_takes_part(clock);
        enrolled += takes_part;
        if (takes_part && !is_passed(actuals, callee, clock->symbol)) {
            array_push(walk->arena, &clocks->clocks.names,
                       clock_name_node(walk, call->at, clock->symbol));
            clock_set(clock, CLOCK_ACTIVE, call->at);
        }
    }
    return enrolled + clock_mobile_name_all(walk, call->at, actuals, &clocks->clocks.names);
}

static void report_none(ClockWalk *walk, const Node *proc, Location at) {
    diag_report(walk->diag, DIAG_CLOCK_NONE, at);
    diag_label(walk->diag, proc->at, "this PROC has a NEXT without names");
    diag_hint(walk->diag, "a branch is enrolled by PAR ENROLL c, or by ENROLL c before it");
}

void clock_hidden_needed(ClockWalk *walk) {
    walk->routine->proc.info->needs_clocks = true;
}

void clock_hidden_end(ClockWalk *walk, const Node *proc) {
    size_t kept = 0;
    for (size_t i = 0; i < walk->open_calls->count; i++) {
        OpenCall call = walk->open_calls->items[i];
        if (call.proc != proc) {
            walk->open_calls->items[kept++] = call;
        } else if (proc->proc.info->needs_clocks) {
            report_none(walk, proc, call.at);
        }
    }
    walk->open_calls->count = kept;
}

/* The process that makes the call is on none: is that enough for the callee? */
static void check_enough(ClockWalk *walk, const Node *proc, Location at, bool continues) {
    const ProcInfo *info = proc->proc.info;
    if (continues && info->needs_clocks) {
        clock_hidden_needed(walk);
    } else if (info->needs_clocks) {
        report_none(walk, proc, at);
    } else if (!continues) {
        OpenCall call = {proc, at};
        array_push(walk->arena, walk->open_calls, call);
    }
}

void clock_hidden_actual(ClockWalk *walk, Node *call) {
    bool is_fork = call->kind == NODE_FORK;
    const Node *callee = is_fork ? call->fork.callee : call->call.callee;
    NodeList *actuals = is_fork ? &call->fork.actuals : &call->call.actuals;
    const Symbol *symbol = callee->kind == NODE_NAME ? callee->name.symbol : NULL;
    const Node *proc = symbol != NULL ? symbol->definition : NULL;
    if (proc == NULL || proc->kind != NODE_PROC || symbol->kind != SYMBOL_PROC ||
        proc->proc.info == NULL || proc->proc.info->hidden_clocks == NULL ||
        actuals->count + 1 != proc->proc.formals.count) {
        return;
    }
    Node *clocks = node_create(walk->arena, NODE_CLOCKS, call->at);
    clocks->type = type_primitive(TYPE_CLOCK);
    size_t enrolled = 0;
    if (!is_fork) {
        enrolled = name_clocks(walk, call, clocks, actuals, proc->proc.info);
        clocks->clocks.continues = clock_sees_hidden(walk);
    }
    if (enrolled == 0) {
        check_enough(walk, proc, call->at, clocks->clocks.continues);
    }
    array_push(walk->arena, actuals, clocks);
}
