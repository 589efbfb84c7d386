/* network_call -- calls and FORKs: which are opened, which of them are boxes of their own. See
 * network_walk.h.
 *
 * Holds:  a call that runs no processes beside itself belongs to its caller's box. What is not
 *         opened uses what its formals say; so does a further call, in the same box, of a routine
 *         whose formals say all. */
#include "network_walk.h"

enum { BOX_LIMIT = 20000, STEP_LIMIT = 5000000 };

const Node *network_routine(const Symbol *callee) {
    const Node *definition = callee ? callee->definition : NULL;
    return definition && definition->kind == NODE_PROC ? definition : NULL;
}

/* ---- what is known of a PROC ---- */

static bool runs_processes(const Node *node) {
    return (node->kind == NODE_PAR && !network_is_exchange(node)) || node->kind == NODE_FORK;
}

static bool is_separate(const Node *routine) {
    const ProcInfo *info = routine->proc.info;
    return (info && info->elsewhere) || routine->proc.body->kind == NODE_ELSEWHERE;
}

/* Its formals say all: no arrays of which it may use a part, nothing from outside. */
static bool says_all(const Node *routine) {
    const ProcInfo *info = routine->proc.info;
    bool says = info != NULL;
    for (size_t i = 0; says && i < info->free_names.count; i++) {
        says = !network_connects(info->free_names.items[i]->type);
    }
    for (size_t i = 0; says && i < routine->proc.formals.count; i++) {
        const Symbol *formal = node_formal(&routine->proc.formals, i);
        const Type *type = formal ? formal->type : NULL;
        says = !type || !network_connects(type) ||
               (!type_is_array(type) && type_leaf(type)->kind == TYPE_CHANNEL);
    }
    return says;
}

static ProcFacts *facts_of(NetWalk *walk, const Node *routine) {
    const Symbol *symbol = routine->proc.def->def.symbol;
    ProcFacts *facts = symbol_map_get(&walk->facts, symbol);
    if (facts) {
        return facts;
    }
    facts = arena_new(walk->arena, ProcFacts);
    symbol_map_set(walk->arena, &walk->facts, symbol, facts);
    facts->has_processes = node_any(routine->proc.body, runs_processes);
    const ProcInfo *info = routine->proc.info;
    for (size_t i = 0; info && i < info->callees.count; i++) {
        const Node *callee = info->callees.items[i];
        facts->has_processes = facts->has_processes ||
                               (callee->kind == NODE_PROC && facts_of(walk, callee)->has_processes);
    }
    facts->is_separate = is_separate(routine);
    facts->is_plain = !facts->has_processes && says_all(routine);
    return facts;
}

/* ---- formals and actuals ---- */

static Direction formal_direction(const Symbol *formal) {
    return formal->direction != DIRECTION_NONE ? formal->direction
                                               : network_direction(formal->type);
}

/* The process uses what the call gives, as the formals say. */
static void use_formals(NetWalk *walk, const NodeList *formals, const NodeList *actuals,
                        Location at) {
    for (size_t i = 0; i < formals->count && i < actuals->count; i++) {
        const Symbol *formal = node_formal(formals, i);
        NetRef *ref = formal && network_connects(formal->type)
                          ? network_refer(walk, actuals->items[i])
                          : NULL;
        if (ref) {
            network_use(walk, ref, formal_direction(formal), at);
        }
    }
}

static void bind_formals(NetWalk *walk, const NodeList *formals, const NodeList *actuals) {
    for (size_t i = 0; i < formals->count && i < actuals->count; i++) {
        const Symbol *formal = node_formal(formals, i);
        const Node *actual = actuals->items[i];
        if (!formal) {
            continue;
        }
        bool connects = network_connects(formal->type);
        network_bind(walk, formal, connects ? network_refer(walk, actual) : NULL);
        bool has_value =
            formal->formal_mode == FORMAL_VAL && formal->type && type_is_integer(formal->type);
        network_set_value(walk, formal, has_value ? network_value(walk, actual) : NULL);
    }
}

/* Ends of bundles that the routine has made for its caller. */
static void take_results(NetWalk *walk, const NodeList *formals, const NodeList *actuals) {
    for (size_t i = 0; i < formals->count && i < actuals->count; i++) {
        const Symbol *formal = node_formal(formals, i);
        const Node *actual = actuals->items[i];
        bool is_name = formal && actual->kind == NODE_NAME && actual->name.symbol;
        if (is_name && formal->formal_mode != FORMAL_VAL && network_connects(formal->type) &&
            !symbol_map_get(&walk->refs, actual->name.symbol)) {
            network_bind(walk, actual->name.symbol, symbol_map_get(&walk->refs, formal));
        }
    }
}

/* ---- opening ---- */

static bool is_too_large(const NetWalk *walk) {
    return walk->network->boxes.count > BOX_LIMIT || walk->steps > STEP_LIMIT;
}

/* The text of the routine is that of `box`; false: it is not opened there. */
static bool open_routine(NetWalk *walk, NetBox *box, const Node *routine, const NodeList *actuals) {
    ProcFacts *facts = facts_of(walk, routine);
    bool is_known = facts->is_separate || (facts->is_plain && facts->opened_in == box);
    if (facts->is_open || is_known || is_too_large(walk)) {
        box->is_recursive = box->is_recursive || facts->is_open;
        box->is_closed = box->is_closed || (!facts->is_open && !is_known);
        walk->network->is_complete = walk->network->is_complete && !box->is_closed;
        return false;
    }
    NetBox *outer = walk->box;
    walk->box = box;
    facts->is_open = true;
    facts->opened_in = box;
    bind_formals(walk, &routine->proc.formals, actuals);
    network_walk(walk, routine->proc.body);
    take_results(walk, &routine->proc.formals, actuals);
    facts->is_open = false;
    walk->box = outer;
    return true;
}

static void use_in_box(NetWalk *walk, NetBox *box, const NodeList *formals, const NodeList *actuals,
                       Location at) {
    NetBox *outer = walk->box;
    walk->box = box;
    use_formals(walk, formals, actuals, at);
    walk->box = outer;
}

static void fill_box(NetWalk *walk, NetBox *box, const Symbol *callee, const NodeList *actuals,
                     Location at) {
    const Node *routine = network_routine(callee);
    if (routine) {
        box->proc = callee;
        box->is_separate = is_separate(routine);
        if (!open_routine(walk, box, routine, actuals)) {
            use_in_box(walk, box, &routine->proc.formals, actuals, at);
        }
    } else if (callee && callee->type && callee->type->kind == TYPE_PROC_TYPE) {
        use_in_box(walk, box, callee->type->proc_type.formals, actuals, at);
    }
}

static const Symbol *callee_of(const Node *callee) {
    return callee->kind == NODE_NAME ? callee->name.symbol : NULL;
}

void network_walk_call(NetWalk *walk, Node *call) {
    const Symbol *callee = callee_of(call->call.callee);
    const Node *routine = network_routine(callee);
    NetBox *box = walk->box;
    ProcFacts *facts = routine ? facts_of(walk, routine) : NULL;
    if (facts && facts->has_processes && !facts->is_open && box->call != call) {
        box = network_add_box(walk->network, box, BOX_CALL, callee->name->bytes, call->at);
    }
    if (box->call == call || box != walk->box) {
        fill_box(walk, box, callee, &call->call.actuals, call->at);
        return;
    }
    /* in the process that calls; that it is recursive is not said of that one */
    bool was_recursive = box->is_recursive;
    if (routine && !open_routine(walk, box, routine, &call->call.actuals)) {
        use_formals(walk, &routine->proc.formals, &call->call.actuals, call->at);
    } else if (callee && callee->type && callee->type->kind == TYPE_PROC_TYPE) {
        use_formals(walk, callee->type->proc_type.formals, &call->call.actuals, call->at);
    }
    box->is_recursive = was_recursive;
}

void network_walk_fork(NetWalk *walk, Node *fork) {
    const Symbol *callee = callee_of(fork->fork.callee);
    if (!callee) {
        return;
    }
    NetBox *box =
        network_add_box(walk->network, walk->box, BOX_FORK, callee->name->bytes, fork->at);
    box->count = 0;
    box->count_text = "forked";
    fill_box(walk, box, callee, &fork->fork.actuals, fork->at);
}
