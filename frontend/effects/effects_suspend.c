/* effects_suspend -- names that a mobile process made of its parameters end at SUSPEND.
 *
 * Owns:   which names stand for objects of the activator, and whether a SUSPEND may come between
 *         the making of such a name and its use.
 * Leaves: where SUSPEND may stand to check_mobile_process.c.
 * Holds:  the next activation brings other parameters, and those of the last one may be gone. The
 *         parameters themselves are read anew at each use; VAL names of scalars, and INITIAL, are
 *         copies. Every other name is an address at the last activator. What one way ends is ended
 *         where the ways meet, unless that way stops; a loop with a SUSPEND has ended the names
 *         from before it when its second round begins. */
#include "effects.h"

#include "among.h"
#include "check.h"

typedef struct ParameterName {
    const Symbol *symbol;
    const Node *ended; /* the SUSPEND; NULL: it still stands for its object */
    bool is_blamed;
} ParameterName;

typedef struct SuspendWalk {
    Arena *arena;
    Diag *diag;
    const Node *proc;
    ARRAY_OF(ParameterName) names; /* in scope here, outermost first */
    bool is_stopped;               /* nothing comes after what was walked last */
} SuspendWalk;

/* ---- which names ---- */

static bool is_copy(const Symbol *symbol) {
    bool is_fixed = symbol->kind == SYMBOL_VALUE ||
                    (symbol->kind == SYMBOL_FORMAL && symbol->formal_mode == FORMAL_VAL);
    return symbol->constant || symbol->kind == SYMBOL_VARIABLE ||
           (is_fixed && type_is_scalar(symbol->type));
}

static bool is_of_parameter(const SuspendWalk *walk, const Symbol *symbol) {
    while (symbol && symbol->type && !is_copy(symbol)) {
        const Node *definition = symbol->definition;
        if (symbol->kind == SYMBOL_FORMAL) {
            return symbol->owner == walk->proc;
        }
        if (!definition || definition->kind != NODE_ABBREVIATION) {
            return false;
        }
        const Node *root = element_root(definition->abbreviation.value);
        bool is_table = root->kind == NODE_TABLE && symbol->kind == SYMBOL_REFERENCE;
        for (size_t i = 0; is_table && i < root->table.items.count; i++) {
            if (is_of_parameter(walk, node_root(root->table.items.items[i]))) {
                return true;
            }
        }
        symbol = node_root(root);
    }
    return false;
}

/* ---- uses ---- */

static void report(SuspendWalk *walk, ParameterName *name, const Node *use, const Symbol *via) {
    name->is_blamed = true;
    const char *text = name->symbol->name->bytes;
    diag_report(walk->diag, DIAG_ALIAS_SUSPENDED, use->at, text);
    if (via) {
        diag_primary_label(walk->diag, "used by '%s'", via->name->bytes);
    }
    diag_label(walk->diag, name->symbol->at, "'%s' is made from a parameter here", text);
    diag_label(walk->diag, name->ended->at, "behind this SUSPEND the parameters are others");
    diag_hint(walk->diag, "make '%s' anew behind the SUSPEND, or keep a copy: INITIAL", text);
}

static void use_symbol(SuspendWalk *walk, const Symbol *symbol, const Node *use,
                       const Symbol *via) {
    if (!AMONG(symbol->kind, SYMBOL_REFERENCE, SYMBOL_VALUE)) {
        return;
    }
    for (size_t i = walk->names.count; i-- > 0;) {
        ParameterName *name = &walk->names.items[i];
        if (name->symbol == symbol) {
            if (name->ended && !name->is_blamed) {
                report(walk, name, use, via);
            }
            return;
        }
    }
}

static const ProcInfo *info_of(const Symbol *symbol) {
    const Node *definition = symbol->definition;
    return !definition                         ? NULL
           : definition->kind == NODE_PROC     ? definition->proc.info
           : definition->kind == NODE_FUNCTION ? definition->function.info
                                               : NULL;
}

static void use_routine(SuspendWalk *walk, const Symbol *routine, const Node *use) {
    const ProcInfo *info = info_of(routine);
    for (size_t i = 0; info && i < info->free_names.count; i++) {
        use_symbol(walk, info->free_names.items[i], use, routine);
    }
}

static void use_name(SuspendWalk *walk, const Node *use, const Symbol *symbol) {
    if (symbol && AMONG(symbol->kind, SYMBOL_PROC, SYMBOL_FUNCTION)) {
        use_routine(walk, symbol, use);
    } else if (symbol) {
        use_symbol(walk, symbol, use, NULL);
    }
}

/* ---- the walk ---- */

static void end_names(SuspendWalk *walk, const Node *suspend) {
    for (size_t i = 0; i < walk->names.count; i++) {
        if (!walk->names.items[i].ended) {
            walk->names.items[i].ended = suspend;
        }
    }
}

static void find_suspend(Node **slot, void *data) {
    const Node **found = data;
    if (*found || AMONG((*slot)->kind, NODE_PROC, NODE_FUNCTION)) {
        return;
    }
    if ((*slot)->kind == NODE_SUSPEND) {
        *found = *slot;
        return;
    }
    node_visit_children(*slot, find_suspend, data);
}

static void walk_node(Node **slot, void *data);

/* One of the items is done: what holds behind them is what holds behind any that does not stop. */
static void walk_ways(SuspendWalk *walk, const NodeList *ways) {
    size_t count = walk->names.count;
    const Node **before = arena_new_array(walk->arena, const Node *, count + 1);
    const Node **after = arena_new_array(walk->arena, const Node *, count + 1);
    for (size_t i = 0; i < count; i++) {
        before[i] = after[i] = walk->names.items[i].ended;
    }
    bool all_stop = true;
    for (size_t way = 0; way < ways->count; way++) {
        walk->is_stopped = false;
        walk_node(&ways->items[way], walk);
        all_stop = all_stop && walk->is_stopped;
        for (size_t i = 0; i < count; i++) {
            if (!after[i] && !walk->is_stopped) {
                after[i] = walk->names.items[i].ended;
            }
            walk->names.items[i].ended = before[i];
        }
    }
    for (size_t i = 0; i < count; i++) {
        walk->names.items[i].ended = after[i];
    }
    walk->is_stopped = all_stop;
}

static void walk_loop(SuspendWalk *walk, Node *loop) {
    const Node *suspend = NULL;
    find_suspend(&loop, &suspend);
    if (suspend) {
        end_names(walk, suspend);
    }
    node_visit_children(loop, walk_node, walk);
    walk->is_stopped = false;
}

static void walk_abbreviation(SuspendWalk *walk, Node *node) {
    walk_node(&node->abbreviation.value, walk);
    const Symbol *symbol = node->abbreviation.def->def.symbol;
    if (is_of_parameter(walk, symbol)) {
        ParameterName name = {.symbol = symbol};
        array_push(walk->arena, &walk->names, name);
    }
}

static void walk_children(SuspendWalk *walk, Node *node) {
    size_t outside = walk->names.count;
    node_visit_children(node, walk_node, walk);
    if (AMONG(node->kind, NODE_BLOCK, NODE_CHOICE, NODE_OPTION, NODE_ALTERNATIVE, NODE_VARIANT,
              NODE_VALOF)) {
        walk->names.count = outside;
    }
}

static void walk_optional(SuspendWalk *walk, Node **slot) {
    if (*slot) {
        walk_node(slot, walk);
    }
}

/* What one of several ways follows on; false: the node is no such choice. */
static bool walk_choice(SuspendWalk *walk, Node *node) {
    if (node->kind == NODE_IF) {
        walk_optional(walk, &node->if_.replicator);
        walk_ways(walk, &node->if_.choices);
    } else if (node->kind == NODE_CASE) {
        walk_node(&node->case_.selector, walk);
        walk_ways(walk, &node->case_.options);
    } else if (node->kind == NODE_ALT) {
        walk_optional(walk, &node->alt.replicator);
        walk_ways(walk, &node->alt.alternatives);
    } else if (node->kind == NODE_INPUT_CASE) {
        walk_node(&node->input_case.channel, walk);
        walk_ways(walk, &node->input_case.variants);
    } else {
        return false;
    }
    return true;
}

static void walk_node(Node **slot, void *data) {
    SuspendWalk *walk = data;
    Node *node = *slot;
    bool is_loop = AMONG(node->kind, NODE_WHILE, NODE_WHILE_INPUT) ||
                   (node->kind == NODE_SEQ && node->seq.replicator);
    if (node->constant || node_is_type(node) || AMONG(node->kind, NODE_PROC, NODE_FUNCTION)) {
        return;
    }
    if (node->kind == NODE_NAME) {
        use_name(walk, node, node->name.symbol);
    } else if (node->kind == NODE_SUSPEND) {
        end_names(walk, node);
    } else if (node->kind == NODE_ABBREVIATION) {
        walk_abbreviation(walk, node);
    } else if (is_loop) {
        walk_loop(walk, node);
    } else if (!walk_choice(walk, node)) {
        walk_children(walk, node);
    }
    walk->is_stopped = walk->is_stopped || node->kind == NODE_STOP;
}

void effects_check_suspend(const Effects *effects) {
    for (size_t i = 0; i < effects->routines.count; i++) {
        Node *proc = effects->routines.items[i]->node;
        const Node *suspend = NULL;
        if (proc->kind == NODE_PROC && proc->proc.is_mobile) {
            find_suspend(&proc->proc.body, &suspend);
        }
        if (suspend) {
            SuspendWalk walk = {
                .arena = arena_create(), .diag = effects->compiler->diag, .proc = proc};
            walk_node(&proc->proc.body, &walk);
            arena_destroy(walk.arena);
        }
    }
}
