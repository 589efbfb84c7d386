/* network_walk -- from a checked tree to its network: one walk over the text, routines opened where
 * they are called. See network_walk.h. */
#include "network_walk.h"

#include <inttypes.h>

typedef void Handler(NetWalk *walk, Node *node);

static void walk_child(Node **child, void *walk) {
    network_walk(walk, *child);
}

static void walk_children(NetWalk *walk, Node *node) {
    node_visit_children(node, walk_child, walk);
}

/* ---- specifications ---- */

static void walk_declaration(NetWalk *walk, Node *node) {
    for (size_t i = 0; i < node->declaration.names.count; i++) {
        const Node *def = node->declaration.names.items[i];
        const Symbol *symbol = def->def.symbol;
        if (!symbol) {
            continue;
        }
        bool is_end = symbol->type && type_leaf(symbol->type)->kind == TYPE_BUNDLE_END;
        bool is_wire = network_connects(symbol->type) && !is_end &&
                       type_content(type_leaf(symbol->type)) == type_leaf(symbol->type);
        network_bind(walk, symbol,
                     is_wire ? network_declare(walk, symbol->name, symbol->type, def->at) : NULL);
        network_set_value(walk, symbol, NULL);
    }
}

static void walk_abbreviation(NetWalk *walk, Node *node) {
    const Symbol *symbol = node->abbreviation.def->def.symbol;
    const Node *value = node->abbreviation.value;
    if (!symbol) {
        return;
    }
    bool connects = network_connects(symbol->type);
    network_bind(walk, symbol, connects ? network_refer(walk, value) : NULL);
    bool is_value = node->abbreviation.mode == ABBREVIATION_VAL &&
                    node->abbreviation.form == FORM_IS && symbol->type &&
                    type_is_integer(symbol->type);
    network_set_value(walk, symbol, is_value ? network_value(walk, value) : NULL);
}

static void walk_replicator(NetWalk *walk, Node *node) {
    const Symbol *symbol = node->replicator.def->def.symbol;
    const IndexSet *base = network_value(walk, node->replicator.base);
    const IndexSet *count = network_value(walk, node->replicator.count);
    const IndexSet *step = node->replicator.step ? network_value(walk, node->replicator.step)
                                                 : index_set_one(walk->arena, 1);
    bool is_known =
        base && base->count == 1 && count && count->count == 1 && step && step->count == 1;
    if (symbol) {
        network_set_value(walk, symbol,
                          is_known ? index_set_steps(walk->arena, base->values[0], count->values[0],
                                                     step->values[0])
                                   : NULL);
    }
}

/* ---- communication ---- */

static void use(NetWalk *walk, const Node *element, Direction direction, Location at) {
    NetRef *ref = network_refer(walk, element);
    if (!ref) {
        return;
    }
    bool is_bundle = ref->wire && ref->wire->kind == WIRE_BUNDLE;
    network_use(walk, ref, is_bundle ? network_direction(ref->type) : direction, at);
}

static void walk_output(NetWalk *walk, Node *node) {
    use(walk, node->output.channel, DIRECTION_OUTPUT, node->output.channel->at);
    for (size_t i = 0; i < node->output.items.count; i++) {
        NetRef *ref = network_refer(walk, node->output.items.items[i]);
        if (ref) {
            network_lose(walk, ref);
        }
    }
}

/* What is input into them comes from somewhere. */
static void forget(NetWalk *walk, const NodeList *targets) {
    for (size_t i = 0; i < targets->count; i++) {
        const Node *target = targets->items[i];
        if (target->kind == NODE_NAME && target->name.symbol &&
            network_connects(target->name.symbol->type)) {
            network_bind(walk, target->name.symbol, NULL);
        }
    }
}

static void walk_input(NetWalk *walk, Node *node) {
    if (!node->input.is_timer) {
        use(walk, node->input.channel, DIRECTION_INPUT, node->input.channel->at);
        forget(walk, &node->input.items);
    }
}

static void walk_input_case(NetWalk *walk, Node *node) {
    use(walk, node->input_case.channel, DIRECTION_INPUT, node->input_case.channel->at);
    walk_children(walk, node);
}

static void walk_variant(NetWalk *walk, Node *node) {
    forget(walk, &node->variant.items);
    walk_children(walk, node);
}

static void walk_close(NetWalk *walk, Node *node) {
    const Node *end = node->close.end;
    const Symbol *symbol = node_root(end);
    Direction direction = symbol ? symbol_direction(symbol, end) : network_direction(end->type);
    if (direction != DIRECTION_NONE) {
        use(walk, end, direction, node->at);
    }
}

static void walk_claim(NetWalk *walk, Node *node) {
    NetRef *ref = network_refer(walk, node->claim.element);
    if (ref && ref->wire && ref->wire->kind == WIRE_OBJECT) {
        network_use(walk, ref, DIRECTION_NONE, node->at);
    }
    if (node->claim.claimed) {
        network_bind(walk, node->claim.claimed, ref);
    }
    network_walk(walk, node->claim.process);
}

static void use_clocks(NetWalk *walk, const NodeList *clocks, Location at) {
    for (size_t i = 0; i < clocks->count; i++) {
        NetRef *ref = network_refer(walk, clocks->items[i]);
        if (ref) {
            network_use(walk, ref, DIRECTION_NONE, at);
        }
    }
}

static void walk_clocks(NetWalk *walk, Node *node) {
    NodeList clocks = node_clocks(node);
    use_clocks(walk, &clocks, node->at);
    walk_children(walk, node);
}

static void walk_enroll(NetWalk *walk, Node *node) {
    use_clocks(walk, &node->enroll.clocks, node->at);
    network_walk(walk, node->enroll.process);
}

/* ---- ends that move ---- */

static void assign_end(NetWalk *walk, const Node *target, NetRef *ref) {
    if (target->kind == NODE_NAME && target->name.symbol) {
        network_bind(walk, target->name.symbol, ref);
    } else {
        network_lose(walk, ref);
    }
}

/* a, b := MOBILE CT */
static void assign_allocation(NetWalk *walk, const NodeList *targets, const Node *value) {
    for (size_t i = 0; i < targets->count; i++) {
        const Node *target = targets->items[i];
        const Symbol *symbol = node_root(target);
        if (symbol && network_connects(target->type)) {
            NetRef *first = i ? network_refer(walk, targets->items[0]) : NULL;
            NetRef *ref = network_declare(walk, symbol->name, target->type, value->at);
            if (first && first->wire) {
                bool is_shared = ref->wire->is_shared;
                walk->network->wires.count--; /* both ends are of the first one */
                ref->wire = first->wire;
                ref->wire->is_shared = ref->wire->is_shared || is_shared;
            } else if (ref->wire->kind == WIRE_BUNDLE) {
                ref->wire->name = ref->wire->type;
            }
            assign_end(walk, target, ref);
        }
    }
}

static void walk_assign(NetWalk *walk, Node *node) {
    const NodeList *targets = &node->assign.targets;
    const NodeList *values = &node->assign.values;
    if (values->count == 1 && values->items[0]->kind == NODE_ALLOCATION) {
        assign_allocation(walk, targets, values->items[0]);
        return;
    }
    for (size_t i = 0; i < targets->count && i < values->count; i++) {
        bool connects = network_connects(targets->items[i]->type);
        NetRef *ref = connects ? network_refer(walk, values->items[i]) : NULL;
        if (ref) {
            assign_end(walk, targets->items[i], ref);
        }
    }
}

/* ---- processes side by side ---- */

/* The process that a component is, behind what only prepares it. */
static const Node *process_of(const Node *node) {
    for (;;) {
        if (node->kind == NODE_BLOCK) {
            node = node->block.process;
        } else if (node->kind == NODE_ENROLL) {
            node = node->enroll.process;
        } else if (node->kind == NODE_RESIGN) {
            node = node->resign.process;
        } else if (node->kind == NODE_PROCESSOR) {
            node = node->processor.process;
        } else {
            return node;
        }
    }
}

static NetBox *component_box(NetWalk *walk, const Node *component) {
    const Node *process = process_of(component);
    if (process->kind == NODE_CALL && process->call.callee->kind == NODE_NAME) {
        NetBox *box = network_add_box(walk->network, walk->box, BOX_CALL,
                                      process->call.callee->name.name->bytes, process->at);
        box->call = process;
        return box;
    }
    const char *title =
        arena_format(walk->arena, "%s, line %" PRIu32, node_title(process->kind), process->at.line);
    return network_add_box(walk->network, walk->box, BOX_PART, title, process->at);
}

static void set_count(NetWalk *walk, NetBox *box, const Node *replicator) {
    const Node *count = replicator->replicator.count;
    const IndexSet *values = network_value(walk, count);
    box->count = values && values->count == 1 ? values->values[0] : 0;
    box->count_text = network_text(walk, count, values);
}

bool network_is_exchange(const Node *par) {
    bool is_simple = par->par.enrols.count == 0;
    for (size_t i = 0; is_simple && i < par->par.body.count; i++) {
        NodeKind kind = process_of(par->par.body.items[i])->kind;
        is_simple =
            kind == NODE_INPUT || kind == NODE_OUTPUT || kind == NODE_ASSIGN || kind == NODE_SKIP;
    }
    return is_simple;
}

/* PARs of PARs are one, where neither says more about its components. */
static bool is_nested_par(const Node *par, const Node *component) {
    while (component->kind == NODE_BLOCK) {
        component = component->block.process;
    }
    return component->kind == NODE_PAR && !par->par.replicator && par->par.enrols.count == 0;
}

static void walk_par(NetWalk *walk, Node *node) {
    NetBox *outer = walk->box;
    if (node->par.replicator) {
        walk_replicator(walk, node->par.replicator);
    }
    for (size_t i = 0; i < node->par.body.count; i++) {
        Node *component = node->par.body.items[i];
        walk->box = outer;
        if (is_nested_par(node, component) || network_is_exchange(node)) {
            network_walk(walk, component);
            continue;
        }
        NetBox *box = component_box(walk, component);
        if (node->par.replicator) {
            set_count(walk, box, node->par.replicator);
        }
        walk->box = box;
        use_clocks(walk, &node->par.enrols, node->at);
        network_walk(walk, component);
    }
    walk->box = outer;
}

/* ---- the walk ---- */

static void walk_nothing(NetWalk *walk, Node *node) {
    (void)walk;
    (void)node;
}

static Handler *const handlers[NODE_KIND_COUNT] = {
    [NODE_PROC] = walk_nothing,
    [NODE_FUNCTION] = walk_nothing,
    [NODE_PROTOCOL] = walk_nothing,
    [NODE_DATA_TYPE] = walk_nothing,
    [NODE_CHAN_TYPE] = walk_nothing,
    [NODE_PROC_TYPE] = walk_nothing,
    [NODE_DECLARATION] = walk_declaration,
    [NODE_ABBREVIATION] = walk_abbreviation,
    [NODE_REPLICATOR] = walk_replicator,
    [NODE_OUTPUT] = walk_output,
    [NODE_INPUT] = walk_input,
    [NODE_INPUT_CASE] = walk_input_case,
    [NODE_VARIANT] = walk_variant,
    [NODE_CLOSE] = walk_close,
    [NODE_CLAIM] = walk_claim,
    [NODE_SYNC] = walk_clocks,
    [NODE_RESIGN] = walk_clocks,
    [NODE_NEXT] = walk_clocks,
    [NODE_RESUME] = walk_clocks,
    [NODE_DROP] = walk_clocks,
    [NODE_ENROLL] = walk_enroll,
    [NODE_ASSIGN] = walk_assign,
    [NODE_CALL] = network_walk_call,
    [NODE_FORK] = network_walk_fork,
    [NODE_PAR] = walk_par,
};

void network_walk(NetWalk *walk, Node *node) {
    walk->steps++;
    Handler *handler = handlers[node->kind];
    if (handler) {
        handler(walk, node);
    } else {
        walk_children(walk, node);
    }
}

/* ---- the whole ---- */

/* Who holds the other end of a formal of the whole. */
static void add_outside(NetWalk *walk, const Symbol *formal) {
    NetRef *ref = network_declare(walk, formal->name, formal->type, formal->at);
    network_bind(walk, formal, ref);
    Direction direction =
        formal->direction != DIRECTION_NONE ? formal->direction : network_direction(formal->type);
    if (direction == DIRECTION_NONE) {
        return;
    }
    walk->box = network_add_box(walk->network, NULL, BOX_OUTSIDE, formal->name->bytes, formal->at);
    network_use(walk, ref, direction == DIRECTION_INPUT ? DIRECTION_OUTPUT : DIRECTION_INPUT,
                formal->at);
    walk->box = walk->network->whole;
}

Network *network_make(Compiler *compiler, Symbol *root) {
    const Node *routine = network_routine(root);
    if (!routine || routine->proc.body->kind == NODE_ELSEWHERE) {
        return NULL;
    }
    Network *network = arena_new(compiler->arena, Network);
    network->arena = compiler->arena;
    network->is_complete = true;
    NetWalk walk = {.network = network, .arena = compiler->arena, .sources = compiler->sources};
    network->whole = network_add_box(network, NULL, BOX_CALL, root->name->bytes, root->at);
    network->whole->proc = root;
    walk.box = network->whole;
    for (size_t i = 0; i < routine->proc.formals.count; i++) {
        const Symbol *formal = node_formal(&routine->proc.formals, i);
        if (formal && network_connects(formal->type)) {
            add_outside(&walk, formal);
        }
    }
    ProcFacts *facts = arena_new(walk.arena, ProcFacts);
    facts->is_open = true;
    symbol_map_set(walk.arena, &walk.facts, root, facts);
    network_walk(&walk, routine->proc.body);
    network_separate(network);
    return network;
}
