/* clock_state -- the state of one clock, and the processes that change it: RESUME, NEXT, DROP.
 *
 * Leaves: branches and loops to clock_branch.c, routines and the walk to check_clock.c. */
#include "clock_walk.h"

const char *clock_state_words(ClockState state) {
    switch (state) {
    case CLOCK_OUTSIDE: return "not enrolled";
    case CLOCK_HIDDEN: return "used by another name";
    case CLOCK_ACTIVE: return "active";
    case CLOCK_RESUMED: return "resumed";
    case CLOCK_EITHER: return "active or resumed";
    case CLOCK_DROPPED: return "dropped";
    }
    bug("clock state %d", (int)state);
}

bool clock_is(const Symbol *symbol) {
    return symbol != NULL && symbol->type != NULL &&
           (symbol->type->kind == TYPE_CLOCK ||
            (symbol->type->kind == TYPE_BARRIER && symbol->definition != NULL &&
             symbol->definition->kind != NODE_FORKING));
}

void clock_add(ClockWalk *walk, Symbol *symbol, bool is_outer) {
    KnownClock clock = {symbol, CLOCK_ACTIVE, symbol->at, is_outer, walk->branch_depth};
    array_push(walk->arena, &walk->clocks, clock);
}

KnownClock *clock_find(ClockWalk *walk, const Symbol *symbol) {
    for (size_t i = 0; i < walk->clocks.count; i++) {
        if (walk->clocks.items[i].symbol == symbol) {
            return &walk->clocks.items[i];
        }
    }
    return NULL;
}

ClockList clock_copy(ClockWalk *walk) {
    ClockList copy = {NULL, 0, 0};
    for (size_t i = 0; i < walk->clocks.count; i++) {
        array_push(walk->arena, &copy, walk->clocks.items[i]);
    }
    return copy;
}

void clock_set(KnownClock *clock, ClockState state, Location at) {
    clock->state = state;
    clock->since = at;
}

/* ---- a use of a clock ---- */

void clock_label(ClockWalk *walk, const KnownClock *clock) {
    switch (clock->state) {
    case CLOCK_OUTSIDE: diag_label(walk->diag, clock->since, "this PAR does not enrol it"); return;
    case CLOCK_HIDDEN: diag_label(walk->diag, clock->since, "it has another name here"); return;
    case CLOCK_ACTIVE:
    case CLOCK_EITHER: return;
    case CLOCK_RESUMED: diag_label(walk->diag, clock->since, "resumed here"); return;
    case CLOCK_DROPPED: diag_label(walk->diag, clock->since, "dropped here"); return;
    }
}

void clock_hint(ClockWalk *walk, const KnownClock *clock, const char *where) {
    const char *name = clock->symbol->name->bytes;
    if (clock->state == CLOCK_RESUMED || clock->state == CLOCK_EITHER) {
        diag_hint(walk->diag, "write NEXT %s %s", name, where);
    } else if (clock->state == CLOCK_DROPPED) {
        diag_hint(walk->diag, "who has dropped '%s' is not enrolled again: DROP it later", name);
    }
}

static bool is_reported(ClockWalk *walk, const KnownClock *clock) {
    for (size_t i = 0; i < walk->lacking.count; i++) {
        const LackingPar *lacking = &walk->lacking.items[i];
        if (lacking->clock == clock->symbol && lacking->par.file == clock->since.file &&
            lacking->par.line == clock->since.line && lacking->par.column == clock->since.column) {
            return true;
        }
    }
    LackingPar lacking = {clock->symbol, clock->since};
    array_push(walk->arena, &walk->lacking, lacking);
    return false;
}

/* The clock, which the process is enrolled on; NULL after a message. */
KnownClock *clock_enrolled(ClockWalk *walk, const Symbol *symbol, Location at) {
    KnownClock *clock = clock_find(walk, symbol);
    if (clock == NULL || clock->state == CLOCK_HIDDEN) {
        return NULL; /* check_alias reports the second */
    }
    if (clock->state == CLOCK_OUTSIDE) {
        if (!is_reported(walk, clock)) {
            diag_report(walk->diag, DIAG_CLOCK_NOT_ENROLLED, at, symbol->name->bytes);
            clock_label(walk, clock);
            diag_hint(walk->diag, "write PAR ENROLL %s, or ENROLL %s before this branch",
                      symbol->name->bytes, symbol->name->bytes);
        }
        clock_set(clock, CLOCK_ACTIVE, at);
        return NULL;
    }
    if (clock->state == CLOCK_DROPPED) {
        diag_report(walk->diag, DIAG_CLOCK_STATE, at, symbol->name->bytes);
        clock_label(walk, clock);
        clock_hint(walk, clock, "");
        clock_set(clock, CLOCK_ACTIVE, at);
        return NULL;
    }
    return clock;
}

KnownClock *clock_enrolled_name(ClockWalk *walk, const Node *name) {
    if (name->kind != NODE_NAME) { /* an element that is mobile, chosen by what it evaluates */
        clock_walk(walk, (Node *)name);
        return NULL;
    }
    return clock_enrolled(walk, name->name.symbol, name->at);
}

/* ---- the processes of clocks ---- */

void clock_resume(ClockWalk *walk, Node *node) {
    for (size_t i = 0; i < node->resume.clocks.count; i++) {
        const Node *name = node->resume.clocks.items[i];
        KnownClock *clock = clock_enrolled_name(walk, name);
        if (clock == NULL && name->kind == NODE_NAME) { /* the rest as if it were enrolled */
            clock = clock_find(walk, name->name.symbol);
        }
        if (clock != NULL && clock->state == CLOCK_RESUMED) {
            diag_report(walk->diag, DIAG_CLOCK_AGAIN, name->at, name->name.symbol->name->bytes);
            clock_label(walk, clock);
        } else if (clock != NULL && clock->state != CLOCK_HIDDEN) {
            clock_set(clock, CLOCK_RESUMED, node->at);
        }
    }
}

void clock_drop(ClockWalk *walk, Node *node) {
    for (size_t i = 0; i < node->drop.clocks.count; i++) {
        KnownClock *clock = clock_enrolled_name(walk, node->drop.clocks.items[i]);
        if (clock != NULL) {
            clock_set(clock, CLOCK_DROPPED, node->at);
        }
    }
}

bool clock_is_named(const NodeList *clocks, const Symbol *symbol) {
    for (size_t i = 0; i < clocks->count; i++) {
        if (clocks->items[i]->kind == NODE_NAME && clocks->items[i]->name.symbol == symbol) {
            return true;
        }
    }
    return false;
}

bool clock_takes_part(const KnownClock *clock) {
    return clock->state != CLOCK_OUTSIDE && clock->state != CLOCK_HIDDEN &&
           clock->state != CLOCK_DROPPED && clock->symbol->type->kind == TYPE_CLOCK;
}

/* Outside of PARs the process that declares a clock is the only one on it. */
bool clock_has_others(const ClockWalk *walk, const KnownClock *clock) {
    return clock->is_outer || clock->depth != walk->branch_depth;
}

Node *clock_name_node(ClockWalk *walk, Location at, Symbol *symbol) {
    Node *name = node_create(walk->arena, NODE_NAME, at);
    name->name.symbol = symbol;
    name->name.name = symbol->name;
    name->type = symbol->type;
    symbol->is_used = true;
    return name;
}

/* NEXT alone names all; as a guard no mobile ones, of which it is not known whether they are there.
 */
static void name_all(ClockWalk *walk, Node *next, bool is_guard) {
    for (size_t i = 0; i < walk->clocks.count; i++) {
        if (clock_takes_part(&walk->clocks.items[i])) {
            array_push(walk->arena, &next->next.clocks,
                       clock_name_node(walk, next->at, walk->clocks.items[i].symbol));
        }
    }
    if (!is_guard) {
        (void)clock_mobile_name_all(walk, next->at, NULL, &next->next.clocks);
    }
    next->next.is_hidden = clock_sees_hidden(walk);
    if (next->next.clocks.count == 0 && next->next.is_hidden) {
        clock_hidden_needed(walk);
    } else if (next->next.clocks.count == 0) {
        diag_report(walk->diag, DIAG_CLOCK_NONE, next->at);
        diag_hint(walk->diag, "a branch is enrolled by PAR ENROLL c, or by ENROLL c before it");
    }
}

static bool names_shared(const ClockWalk *walk, const NodeList *clocks) {
    for (size_t i = 0; i < walk->clocks.count; i++) {
        const KnownClock *clock = &walk->clocks.items[i];
        if (clock_is_named(clocks, clock->symbol) && clock_has_others(walk, clock)) {
            return true;
        }
    }
    return false;
}

/* CK10. Nobody waits for a clock that its process keeps for a PAR inside. */
static void check_all_named(ClockWalk *walk, const Node *next) {
    bool is_shared = names_shared(walk, &next->next.clocks);
    for (size_t i = 0; i < walk->clocks.count; i++) {
        const KnownClock *clock = &walk->clocks.items[i];
        bool holds_up = !is_shared || clock_has_others(walk, clock);
        if (clock_takes_part(clock) && holds_up &&
            !clock_is_named(&next->next.clocks, clock->symbol)) {
            diag_report(walk->diag, DIAG_CLOCK_SOME, next->at, clock->symbol->name->bytes);
            diag_label(walk->diag, clock->symbol->at, "'%s' is declared here",
                       clock->symbol->name->bytes);
            diag_hint(walk->diag, "NEXT on all clocks of a process at once cannot deadlock");
            return;
        }
    }
}

void clock_next(ClockWalk *walk, Node *node) {
    NodeList *clocks = &node->next.clocks;
    bool names_some = clocks->count > 0;
    if (!names_some) {
        node->next.is_all = true;
        name_all(walk, node, false);
    }
    if (node->next.process != NULL) {
        clock_block(walk, node);
    }
    for (size_t i = 0; i < clocks->count; i++) {
        KnownClock *clock = clock_enrolled_name(walk, clocks->items[i]);
        if (clock != NULL) {
            clock_set(clock, CLOCK_ACTIVE, node->at);
        }
    }
    if (names_some) {
        check_all_named(walk, node);
    }
}

static void check_resumed(ClockWalk *walk, const Node *next, const Node *name) {
    KnownClock *clock = clock_enrolled_name(walk, name);
    if (clock != NULL && clock->state == CLOCK_ACTIVE) {
        diag_report(walk->diag, DIAG_CLOCK_GUARD, name->at, clock->symbol->name->bytes);
        diag_label(walk->diag, clock->since, "it is active since here");
        diag_hint(walk->diag, "write RESUME %s before the ALT", clock->symbol->name->bytes);
    }
    if (clock != NULL) {
        clock_set(clock, CLOCK_ACTIVE, next->at);
    }
}

void clock_guard(ClockWalk *walk, Node *node) {
    NodeList *clocks = &node->next.clocks;
    if (clocks->count == 0) {
        name_all(walk, node, true);
    }
    if (node->next.is_hidden) {
        diag_report(walk->diag, DIAG_CLOCK_GUARD, node->at, "the rest of the caller's clocks");
        diag_hint(walk->diag, "name the clocks that this PROC has resumed: NEXT c");
        node->next.is_hidden = false;
    }
    for (size_t i = 0; i < clocks->count; i++) {
        check_resumed(walk, node, clocks->items[i]);
    }
}
