/* check_placed -- PLACED PAR: its components, and what they use of the process around it.
 *
 * A placement may run on another machine. It has constants, VALs and replicators, whose values are
 * sent to it, and channels, whose messages are; nothing else exists there. Ends of bundles come by
 * messages.
 *
 * Holds:  no placement stands between the declaration of a channel and the PLACED PAR, as far as the
 *         routine says; where a parameter turns out to be a placement's the runtime says so. Whoever
 *         uses the other end is in another placement, or beside the PLACED PAR. */
#include "check.h"
#include "symbol_map.h"

/* Declared -- where the declaration of a name stands. */
typedef struct Declared {
    uint32_t placements; /* around it, in its routine */
} Declared;

typedef struct PlacedCheck {
    Compiler *compiler;
    SYMBOL_MAP_OF(Declared) declared;
    const Node *routine;
    uint32_t placements; /* around here, in the routine */
    bool has_clocks;     /* a PLACED PAR enrols its placements */
} PlacedCheck;

static void visit(Node **slot, void *data);

/* ---- what a placement uses ---- */

typedef struct UseSearch {
    const Symbol *symbol;
    bool is_found;
} UseSearch;

static bool has_free(const Node *routine, const Symbol *symbol) {
    const ProcInfo *info = routine ? node_info(routine) : NULL;
    for (size_t i = 0; info && i < info->free_names.count; i++) {
        if (info->free_names.items[i] == symbol) {
            return true;
        }
    }
    return false;
}

static void search_use(Node **slot, void *data) {
    UseSearch *search = data;
    const Node *node = *slot;
    if (node->kind == NODE_NAME && node->name.symbol) {
        const Symbol *named = node->name.symbol;
        bool is_routine = named->kind == SYMBOL_PROC || named->kind == SYMBOL_FUNCTION;
        search->is_found = search->is_found || named == search->symbol ||
                           (is_routine && has_free(named->definition, search->symbol));
    }
    if (!search->is_found) {
        node_visit_children(*slot, search_use, data);
    }
}

/* In the process; the number of the PROCESSOR is found outside. */
static bool is_used_in(Node *processor, const Symbol *symbol) {
    UseSearch search = {symbol, false};
    search_use(&processor->processor.process, &search);
    return search.is_found;
}

static void not_yet(PlacedCheck *check, Location at, const char *words, const Symbol *symbol) {
    const char *text = arena_format(check->compiler->arena, words, symbol->name->bytes);
    diag_report(check->compiler->diag, DIAG_NOT_SUPPORTED, at, text);
}

static bool is_any(const Type *protocol) {
    bool found = protocol->kind == TYPE_ANY;
    if (protocol->kind == TYPE_SEQUENCE) {
        for (size_t i = 0; i < protocol->sequence.item_count; i++) {
            found = found || is_any(protocol->sequence.items[i]);
        }
    } else if (protocol->kind == TYPE_VARIANT) {
        for (size_t i = 0; i < protocol->variant.tag_count; i++) {
            for (size_t k = 0; k < protocol->variant.tags[i].item_count; k++) {
                found = found || is_any(protocol->variant.tags[i].items[k]);
            }
        }
    }
    return found;
}

/* Is it the channel of a placement around here? */
static bool is_of_placement(const PlacedCheck *check, const Symbol *channel) {
    const Declared *declared = symbol_map_get(&check->declared, channel);
    bool is_inner =
        channel->kind == SYMBOL_VARIABLE && declared && declared->placements == check->placements;
    return check->placements > 0 && !(channel->owner == check->routine && is_inner);
}

static void check_channel(PlacedCheck *check, Location at, const Symbol *symbol) {
    const Symbol *object = symbol_object(symbol);
    const Type *protocol = type_leaf(symbol->type)->channel.protocol;
    if (is_any(protocol)) {
        diag_report(check->compiler->diag, DIAG_PLACED_ANY, at, symbol->name->bytes);
        diag_hint(check->compiler->diag, "give it a protocol that says what it carries");
    } else if (!type_can_leave(protocol)) {
        not_yet(check, at,
                "channel '%s' in a placement: it carries what stays on its machine (a process, a "
                "clock, a SHARED end, a MOBILE.ANY, or an end of a bundle with such a channel)",
                symbol);
    } else if (!object || is_of_placement(check, object)) {
        not_yet(check, at, "channel '%s' of a placement in a PLACED PAR of that placement", symbol);
    }
}

static bool is_value(const Symbol *symbol) {
    bool is_fixed = symbol->kind == SYMBOL_VALUE || symbol->kind == SYMBOL_REPLICATOR ||
                    (symbol->kind == SYMBOL_FORMAL && symbol->formal_mode == FORMAL_VAL);
    return is_fixed && type_is_data(symbol->type) && !type_owns(symbol->type);
}

static const char *words_of(const Symbol *symbol) {
    return !symbol->type                 ? "the FORKING"
           : type_is_mutex(symbol->type) ? "the MUTEX"
           : type_is_port(symbol->type)  ? "the PORT"
                                         : "the variable";
}

static bool is_enrolled(const Node *par, const Symbol *symbol) {
    bool found = false;
    for (size_t i = 0; i < par->par.enrols.count; i++) {
        const Node *clock = par->par.enrols.items[i];
        found = found || (clock->kind == NODE_NAME && clock->name.symbol == symbol);
    }
    return found;
}

static void check_use(PlacedCheck *check, const Node *par, Location at, const Symbol *symbol) {
    const Type *type = symbol->type;
    if (type && (type_is_error(type) || type_is_timer(type) || is_value(symbol) ||
                 is_enrolled(par, symbol))) {
        return;
    }
    if (type && type_is_channel(type)) {
        check_channel(check, at, symbol);
    } else if (type && type_is_clock(type)) {
        not_yet(check, at,
                "the clock or barrier '%s' in a placement whose PLACED PAR does not enrol it",
                symbol);
    } else if (type && type_is_bundle_end(type)) {
        not_yet(check, at,
                "the end '%s' of a channel bundle in a placement, but where it inputs it from a "
                "channel",
                symbol);
    } else {
        diag_report(check->compiler->diag, DIAG_PLACED_SHARED, at, words_of(symbol),
                    symbol->name->bytes);
        diag_label(check->compiler->diag, symbol->at, "declared here");
        diag_hint(check->compiler->diag,
                  "a value is seen there by VAL x IS %s:, a result comes "
                  "back by a channel",
                  symbol->name->bytes);
    }
}

/* ---- components ---- */

static void check_placement(PlacedCheck *check, const Node *par, size_t component) {
    Node *processor = par->par.body.items[component];
    const ParInfo *info = par->par.info;
    for (size_t i = 0; info && i < info->captured[component].count; i++) {
        const Symbol *symbol = info->captured[component].items[i];
        if (is_used_in(processor, symbol)) {
            check_use(check, par, processor->at, symbol);
        }
    }
    check->placements++;
    node_visit_children(processor, visit, check);
    check->placements--;
}

/* A mobile one is where it is. */
static void check_enrols(PlacedCheck *check, const Node *par) {
    for (size_t i = 0; i < par->par.enrols.count; i++) {
        const Node *clock = par->par.enrols.items[i];
        check->has_clocks = true;
        if (type_is_mobile(clock->type)) {
            diag_report(check->compiler->diag, DIAG_NOT_SUPPORTED, clock->at,
                        "a mobile clock or barrier between placements");
        }
    }
}

static void check_placed_par(PlacedCheck *check, Node *par) {
    check_enrols(check, par);
    for (size_t i = 0; i < par->par.body.count; i++) {
        Node *component = par->par.body.items[i];
        if (component->kind == NODE_PAR && component->par.form == PAR_PLACED) {
            visit(&par->par.body.items[i], check);
        } else if (component->kind == NODE_PROCESSOR) {
            check_placement(check, par, i);
        } else if (component->kind != NODE_BROKEN) {
            diag_report(check->compiler->diag, DIAG_PLACED_COMPONENT, component->at);
        }
    }
}

/* ---- the walk ---- */

static void visit_routine(PlacedCheck *check, Node *node) {
    PlacedCheck outside = *check;
    check->routine = node;
    check->placements = 0;
    node_visit_children(node, visit, check);
    check->routine = outside.routine;
    check->placements = outside.placements;
}

static void note_declaration(PlacedCheck *check, const Symbol *symbol) {
    Arena *arena = check->compiler->arena;
    Declared *declared = arena_new(arena, Declared);
    declared->placements = check->placements;
    symbol_map_set(arena, &check->declared, symbol, declared);
}

static void visit(Node **slot, void *data) {
    PlacedCheck *check = data;
    Node *node = *slot;
    if (node->kind == NODE_PROC || node->kind == NODE_FUNCTION) {
        visit_routine(check, node);
    } else if (node->kind == NODE_PAR && node->par.form == PAR_PLACED) {
        check_placed_par(check, node);
    } else if (node->kind == NODE_DEF) {
        if (node->def.symbol) {
            note_declaration(check, node->def.symbol);
        }
    } else {
        if (node->kind == NODE_PROCESSOR) {
            diag_report(check->compiler->diag, DIAG_PLACED_PROCESSOR, node->at);
        }
        node_visit_children(node, visit, data);
    }
}

/* Which clock a formal is, the call says: so nowhere in a program that has clocks of placements. */
static void refuse_of_clocks(Node **slot, void *data) {
    const PlacedCheck *check = data;
    const Node *node = *slot;
    const char *what = NULL;
    if (node->kind == NODE_RESIGN) {
        what = "RESIGN in a program whose PLACED PAR enrols its placements";
    } else if (node->kind == NODE_NEXT && node->next.process) {
        what = "NEXT with a block in a program whose PLACED PAR enrols its placements";
    }
    if (what) {
        diag_report(check->compiler->diag, DIAG_NOT_SUPPORTED, node->at, what);
    }
    node_visit_children(*slot, refuse_of_clocks, data);
}

void check_placed(Compiler *compiler, Node *unit) {
    PlacedCheck check = {.compiler = compiler};
    if (unit->kind != NODE_UNIT) {
        return;
    }
    node_visit_children(unit, visit, &check);
    if (check.has_clocks) {
        node_visit_children(unit, refuse_of_clocks, &check);
    }
}
