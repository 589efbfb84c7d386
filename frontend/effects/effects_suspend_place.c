/* effects_suspend_place -- where a process may suspend (language.md 2.10).
 *
 * Leaves: what ends at a SUSPEND to effects_suspend.c, that the program itself does not suspend to
 *         check_main.c.
 * Holds:  a mobile process suspends as a whole: by a SUSPEND, or a call of a PROC that suspends,
 *         in its own text or in that of PROCs it calls, where nothing else is under way: in no
 *         component of a PAR, no CLAIM, FORKING, RESIGN or ENROLL, no extended input, no VALOF. */
#include "effects.h"

#include "among.h"
#include "changes.h"

typedef struct PlaceWalk {
    const Effects *effects;
    const char *inside; /* the construct that forbids it; NULL: none */
} PlaceWalk;

static void report_inside(const PlaceWalk *walk, const Node *node, const char *what,
                          const RoutineEffects *callee) {
    Diag *diag = walk->effects->compiler->diag;
    diag_report(diag, DIAG_TYPES_SUSPEND_INSIDE, node->at, what, walk->inside);
    if (callee) {
        diag_label(diag, callee->info->suspends_at, "'%s' suspends here",
                   callee->info->symbol->name->bytes);
    }
}

static void check_node(const PlaceWalk *walk, const Node *node) {
    const RoutineEffects *callee = effects_suspending(node);
    if (walk->inside && node->kind == NODE_SUSPEND) {
        report_inside(walk, node, "SUSPEND", NULL);
    } else if (walk->inside && callee) {
        report_inside(walk, node, "a call that suspends", callee);
    }
}

static void check_fork(const PlaceWalk *walk, const Node *fork) {
    const Symbol *symbol = node_callee(fork);
    const RoutineEffects *callee =
        symbol && symbol->kind == SYMBOL_PROC && symbol->definition ? effects_of(symbol) : NULL;
    if (callee && callee->info->suspends && !callee->node->proc.is_mobile) {
        Diag *diag = walk->effects->compiler->diag;
        diag_report(diag, DIAG_TYPES_SUSPEND, fork->at, "what is FORKed");
        diag_label(diag, callee->info->suspends_at, "'%s' suspends here", symbol->name->bytes);
    }
}

static void walk_place(Node **slot, void *data) {
    PlaceWalk *walk = data;
    Node *node = *slot;
    if (AMONG(node->kind, NODE_PROC, NODE_FUNCTION)) {
        return;
    }
    check_node(walk, node);
    if (node->kind == NODE_FORK) {
        check_fork(walk, node);
    }
    const char *outside = walk->inside;
    bool is_closed =
        AMONG(node->kind, NODE_PAR, NODE_FORKING, NODE_CLAIM, NODE_RESIGN, NODE_ENROLL, NODE_VALOF);
    if (is_closed || node->kind == NODE_EXTENDED_INPUT) {
        walk->inside = is_closed ? node_title(node->kind) : "an extended input";
    }
    node_visit_children(node, walk_place, walk);
    walk->inside = outside;
}

void effects_check_suspend_places(const Effects *effects) {
    for (size_t i = 0; i < effects->routines.count; i++) {
        Node *routine = effects->routines.items[i]->node;
        PlaceWalk walk = {.effects = effects};
        if (routine->kind == NODE_PROC) {
            walk_place(&routine->proc.body, &walk);
        }
    }
}
