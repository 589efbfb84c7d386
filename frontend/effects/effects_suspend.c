/* effects_suspend -- names that a mobile process made of its parameters end at SUSPEND.
 *
 * Owns:   which names stand for objects of the activator, and whether a SUSPEND may come between
 *         the making of such a name and its use; which of its formals a PROC that suspends uses
 *         late: behind a SUSPEND (RoutineEffects.late).
 * Leaves: where a process may suspend to effects_suspend_place.c.
 * Holds:  the next activation brings other parameters, and those of the last one may be gone. The
 *         parameters of the mobile process are read anew at each use, in PROCs nested in it too;
 *         VAL names of scalars, and INITIAL, are copies. Every other name is an address at the last
 *         activator. So may be what a PROC is given: whether that is used late is known where it is
 *         called. What one way ends is ended where the ways meet, unless that way stops; a loop
 *         with a SUSPEND has ended the names from before it when its second round begins. */
#include "effects.h"

#include "among.h"
#include "changes.h"

typedef struct ParameterName {
    const Symbol *symbol;
    const Symbol *origin; /* the formal that it stands for, or for a part of */
    const Node *ended;    /* what suspended; NULL: it still stands for its object */
    bool is_blamed;
} ParameterName;

typedef struct SuspendWalk {
    Arena *arena;
    Diag *diag; /* NULL: what is used late is gathered, and nothing said */
    const Effects *effects;
    RoutineEffects *routine;
    ARRAY_OF(ParameterName) names; /* in scope here, outermost first */
    bool is_stopped;               /* nothing comes after what was walked last */
    bool has_learnt;
} SuspendWalk;

/* ---- which names ---- */

static bool is_of_activation(const Symbol *formal) {
    return formal->owner && formal->owner->kind == NODE_PROC && formal->owner->proc.is_mobile;
}

static bool is_copy(const Symbol *symbol) {
    bool is_formal = symbol->kind == SYMBOL_FORMAL;
    bool is_fixed =
        symbol->kind == SYMBOL_VALUE || (is_formal && symbol->formal_mode == FORMAL_VAL);
    bool is_own = is_formal && symbol->formal_mode == FORMAL_INITIAL && !is_of_activation(symbol);
    return symbol->constant || symbol->kind == SYMBOL_VARIABLE || is_own ||
           type_is_timer(symbol->type) || (is_fixed && type_is_scalar(symbol->type));
}

static const Symbol *origin_of(const Symbol *symbol);

/* A table of channels is made of them, one of values is a copy. */
static const Symbol *origin_of_element(const Node *element, bool is_reference) {
    const Node *root = element_root(element);
    if (root->kind != NODE_TABLE || !is_reference) {
        return origin_of(node_root(root));
    }
    const Symbol *origin = NULL;
    for (size_t i = 0; !origin && i < root->table.items.count; i++) {
        origin = origin_of_element(root->table.items.items[i], true);
    }
    return origin;
}

/* The formal that the name stands for; NULL: none, or it is a copy. */
static const Symbol *origin_of(const Symbol *symbol) {
    if (!symbol || !symbol->type || is_copy(symbol)) {
        return NULL;
    }
    const Node *definition = symbol->definition;
    bool is_name =
        symbol->kind != SYMBOL_FORMAL && definition && definition->kind == NODE_ABBREVIATION;
    return symbol->kind == SYMBOL_FORMAL ? symbol
           : is_name
               ? origin_of_element(definition->abbreviation.value, symbol->kind == SYMBOL_REFERENCE)
               : NULL;
}

static void add_name(SuspendWalk *walk, const Symbol *symbol) {
    const Symbol *origin = origin_of(symbol);
    if (origin && !(origin == symbol && is_of_activation(symbol))) {
        ParameterName name = {.symbol = symbol, .origin = origin};
        array_push(walk->arena, &walk->names, name);
    }
}

/* ---- uses behind a SUSPEND ---- */

static void note_late(SuspendWalk *walk, const Symbol *formal, Location at) {
    RoutineEffects *routine = walk->routine;
    for (size_t i = 0; i < routine->late.count; i++) {
        if (routine->late.items[i].formal == formal) {
            return;
        }
    }
    LateUse late = {formal, at};
    array_push(walk->effects->arena, &routine->late, late);
    walk->has_learnt = true;
}

static void report(SuspendWalk *walk, const Symbol *symbol, const Node *use, const Symbol *via) {
    const char *text = symbol->name->bytes;
    diag_report(walk->diag, DIAG_ALIAS_SUSPENDED, use->at, text);
    if (via) {
        diag_primary_label(walk->diag, "used by '%s'", via->name->bytes);
    }
    diag_label(walk->diag, symbol->at,
               symbol->kind == SYMBOL_FORMAL ? "'%s' is a parameter of the activation"
                                             : "'%s' is made from a parameter here",
               text);
}

static void use_late(SuspendWalk *walk, ParameterName *name, const Node *use, const Symbol *via) {
    if (!is_of_activation(name->origin)) {
        note_late(walk, name->origin, use->at);
    } else if (walk->diag && !name->is_blamed) {
        name->is_blamed = true;
        report(walk, name->symbol, use, via);
        diag_label(walk->diag, name->ended->at, "behind this %s the parameters are others",
                   name->ended->kind == NODE_SUSPEND ? "SUSPEND" : "call, which suspends,");
        diag_hint(walk->diag, "make '%s' anew behind the SUSPEND, or keep a copy: INITIAL",
                  name->symbol->name->bytes);
    }
}

static void use_symbol(SuspendWalk *walk, const Symbol *symbol, const Node *use,
                       const Symbol *via) {
    if (!AMONG(symbol->kind, SYMBOL_REFERENCE, SYMBOL_VALUE, SYMBOL_FORMAL)) {
        return;
    }
    for (size_t i = walk->names.count; i-- > 0;) {
        ParameterName *name = &walk->names.items[i];
        if (name->symbol == symbol) {
            if (name->ended) {
                use_late(walk, name, use, via);
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

const RoutineEffects *effects_suspending(const Node *node) {
    const Symbol *callee = node->kind == NODE_CALL ? node_callee(node) : NULL;
    const RoutineEffects *routine =
        callee && callee->kind == SYMBOL_PROC && callee->definition ? effects_of(callee) : NULL;
    return routine && routine->info->suspends ? routine : NULL;
}

static void find_suspend(Node **slot, void *data) {
    const Node **found = data;
    if (*found || AMONG((*slot)->kind, NODE_PROC, NODE_FUNCTION)) {
        return;
    }
    if ((*slot)->kind == NODE_SUSPEND || effects_suspending(*slot)) {
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
    add_name(walk, node->abbreviation.def->def.symbol);
}

/* ---- calls of what suspends ---- */

/* What is given for a formal that the callee uses late. */
static void give_late(SuspendWalk *walk, const Node *actual, const RoutineEffects *callee,
                      const LateUse *late) {
    bool is_reference = late->formal->formal_mode != FORMAL_VAL;
    const Symbol *origin = origin_of_element(actual, is_reference);
    if (!origin) {
        return;
    }
    if (!is_of_activation(origin)) {
        note_late(walk, origin, actual->at);
    } else if (walk->diag) {
        const Symbol *root = node_root(element_root(actual));
        report(walk, root ? root : origin, actual, callee->info->symbol);
        diag_label(walk->diag, callee->info->suspends_at,
                   "behind this SUSPEND the parameters are others");
        diag_label(walk->diag, late->at, "'%s' may be used here behind it",
                   late->formal->name->bytes);
        diag_hint(walk->diag,
                  "let '%s' return before the parameter is needed again, or give it a "
                  "copy",
                  callee->info->symbol->name->bytes);
    }
}

static void walk_suspending_call(SuspendWalk *walk, Node *call, const RoutineEffects *callee) {
    node_visit_children(call, walk_node, walk);
    const NodeList *formals = callee_formals(callee->info->symbol);
    for (size_t i = 0; i < callee->late.count; i++) {
        const LateUse late = callee->late.items[i];
        if (late.formal->owner != callee->node) {
            note_late(walk, late.formal, late.at);
        }
        for (size_t k = 0; k < formals->count && k < call->call.actuals.count; k++) {
            const Node *formal = formals->items[k];
            if (formal->kind == NODE_FORMAL && formal->formal.def->def.symbol == late.formal) {
                give_late(walk, call->call.actuals.items[k], callee, &late);
            }
        }
    }
    end_names(walk, call);
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
    } else if (effects_suspending(node)) {
        walk_suspending_call(walk, node, effects_suspending(node));
    } else if (node->kind == NODE_ABBREVIATION) {
        walk_abbreviation(walk, node);
    } else if (is_loop) {
        walk_loop(walk, node);
    } else if (!walk_choice(walk, node)) {
        walk_children(walk, node);
    }
    walk->is_stopped = walk->is_stopped || node->kind == NODE_STOP;
}

/* ---- routines ---- */

/* Only the heading is known: every formal may be used late. */
static void note_all_late(const Effects *effects, RoutineEffects *routine) {
    const NodeList *formals = &routine->node->proc.formals;
    for (size_t i = 0; i < formals->count; i++) {
        const Node *formal = formals->items[i];
        const Symbol *symbol = formal->kind == NODE_FORMAL ? formal->formal.def->def.symbol : NULL;
        if (origin_of(symbol)) {
            LateUse late = {symbol, symbol->at};
            array_push(effects->arena, &routine->late, late);
        }
    }
}

static bool walk_routine(const Effects *effects, RoutineEffects *routine, Diag *diag) {
    const ProcInfo *info = routine->info;
    SuspendWalk walk = {
        .arena = arena_create(), .effects = effects, .diag = diag, .routine = routine};
    const NodeList *formals = &routine->node->proc.formals;
    for (size_t i = 0; i < formals->count; i++) {
        if (formals->items[i]->kind == NODE_FORMAL) {
            add_name(&walk, formals->items[i]->formal.def->def.symbol);
        }
    }
    for (size_t i = 0; i < info->free_names.count; i++) {
        add_name(&walk, info->free_names.items[i]);
    }
    walk_node(&routine->node->proc.body, &walk);
    arena_destroy(walk.arena);
    return walk.has_learnt;
}

static bool walk_routines(const Effects *effects, Diag *diag) {
    bool has_learnt = false;
    for (size_t i = 0; i < effects->routines.count; i++) {
        RoutineEffects *routine = effects->routines.items[i];
        if (routine->info->suspends && !routine->info->elsewhere) {
            has_learnt = walk_routine(effects, routine, diag) || has_learnt;
        }
    }
    return has_learnt;
}

void effects_check_suspend(const Effects *effects) {
    for (size_t i = 0; i < effects->routines.count; i++) {
        RoutineEffects *routine = effects->routines.items[i];
        if (routine->info->suspends && routine->info->elsewhere) {
            note_all_late(effects, routine);
        }
    }
    while (walk_routines(effects, NULL)) {
    }
    (void)walk_routines(effects, effects->compiler->diag);
}
