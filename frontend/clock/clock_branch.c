/* clock_branch -- where ways part and meet again: choices, loops, PAR.
 *
 * Holds:  branches that come to their end agree on every clock, a loop leaves each as it found it,
 *         a component of a PAR knows the clocks it is enrolled on and ends active or dropped. */
#include "clock_walk.h"

/* ---- branches that come together again ---- */

typedef struct Meeting {
    ClockList before;
    ClockList after; /* of the branches that came to their end; empty when none did */
    bool falls;      /* some branch did */
    bool stopped;    /* control did not even come to the beginning */
    const NodeList *branches;
} Meeting;

static Meeting begin_branches(ClockWalk *walk, const NodeList *branches) {
    return (Meeting){clock_copy(walk), {NULL, 0, 0}, false, walk->stops, branches};
}

/* Is NEXT on the clock a guard of the ALT? */
static bool has_guard(const NodeList *branches, const Symbol *symbol) {
    for (size_t i = 0; i < branches->count; i++) {
        const Node *guard = branches->items[i]->kind == NODE_ALTERNATIVE
                                ? branches->items[i]->alternative.guard
                                : NULL;
        if (guard != NULL &&
            ((guard->kind == NODE_NEXT && clock_is_named(&guard->next.clocks, symbol)) ||
             (guard->kind == NODE_ALT && has_guard(&guard->alt.alternatives, symbol)))) {
            return true;
        }
    }
    return false;
}

static bool is_active_or_resumed(ClockState state) {
    return state == CLOCK_ACTIVE || state == CLOCK_RESUMED || state == CLOCK_EITHER;
}

/* May the running program find out which of the two it is? */
static bool can_be_either(ClockState one, ClockState other) {
    return is_active_or_resumed(one) && is_active_or_resumed(other) &&
           (one == CLOCK_EITHER || other == CLOCK_EITHER);
}

/* Out of such a state an error was reported at the use; the rest is taken as if it were enrolled.
 */
static bool is_reported(ClockState before, ClockState after) {
    return before != after && (before == CLOCK_OUTSIDE || before == CLOCK_DROPPED);
}

static void begin_branch(ClockWalk *walk, const Meeting *meeting) {
    walk->clocks = meeting->before;
    walk->clocks = clock_copy(walk);
    walk->stops = meeting->stopped;
}

static void end_branch(ClockWalk *walk, Meeting *meeting, Location at) {
    walk->clocks.count = meeting->before.count; /* those declared inside have gone */
    if (walk->stops) {
        return;
    }
    if (!meeting->falls) {
        meeting->falls = true;
        meeting->after = clock_copy(walk);
        return;
    }
    for (size_t i = 0; i < walk->clocks.count; i++) {
        const KnownClock *here = &walk->clocks.items[i];
        KnownClock *there = &meeting->after.items[i];
        if (can_be_either(here->state, there->state) ||
            (here->state != there->state && is_active_or_resumed(here->state) &&
             is_active_or_resumed(there->state) && has_guard(meeting->branches, here->symbol))) {
            there->state = CLOCK_EITHER;
        } else if (is_reported(meeting->before.items[i].state, here->state)) {
            there->state = here->state;
        } else if (here->state != there->state &&
                   !is_reported(meeting->before.items[i].state, there->state)) {
            diag_report(walk->diag, DIAG_CLOCK_DISAGREE, at, here->symbol->name->bytes,
                        clock_state_words(there->state), clock_state_words(here->state));
            clock_label(walk, there);
            clock_label(walk, here);
            diag_hint(walk->diag, "let all of them leave '%s' in the same state",
                      here->symbol->name->bytes);
            there->state = CLOCK_ACTIVE;
        }
    }
}

static void end_branches(ClockWalk *walk, const Meeting *meeting) {
    walk->clocks = meeting->falls ? meeting->after : meeting->before;
    walk->clocks.count = meeting->before.count;
    walk->stops = !meeting->falls;
}

/* The branches of an IF, CASE, ALT or CASE input: the lists of them, nested ones too. */
void clock_branches(ClockWalk *walk, const NodeList *branches) {
    Meeting meeting = begin_branches(walk, branches);
    for (size_t i = 0; i < branches->count; i++) {
        begin_branch(walk, &meeting);
        clock_walk(walk, branches->items[i]);
        end_branch(walk, &meeting, branches->items[i]->at);
    }
    if (branches->count == 0) {
        meeting.falls = false;
    }
    end_branches(walk, &meeting);
}

void clock_loop(ClockWalk *walk, Node *loop, const NodeList *body) {
    ClockList before = clock_copy(walk);
    bool stopped = walk->stops;
    clock_walk_list(walk, body);
    walk->clocks.count = before.count;
    for (size_t i = 0; !walk->stops && i < before.count; i++) {
        const KnownClock *clock = &walk->clocks.items[i];
        if (can_be_either(clock->state, before.items[i].state)) {
            before.items[i].state = CLOCK_EITHER;
        } else if (is_reported(before.items[i].state, clock->state)) {
            before.items[i].state = clock->state;
        } else if (clock->state != before.items[i].state) {
            diag_report(walk->diag, DIAG_CLOCK_LOOP, loop->at, clock->symbol->name->bytes,
                        clock_state_words(clock->state), clock_state_words(before.items[i].state));
            clock_label(walk, clock);
            clock_hint(walk, clock, "at the end of the loop");
            if (clock->state == CLOCK_ACTIVE) {
                diag_hint(walk->diag,
                          "write RESUME %s at the end of the loop, or NEXT %s before it",
                          clock->symbol->name->bytes, clock->symbol->name->bytes);
            }
        }
    }
    walk->clocks = before;
    walk->stops = stopped;
}

/* ---- PAR ---- */

static void report_lent(ClockWalk *walk, const Node *name, const Node *before) {
    diag_report(walk->diag, DIAG_CLOCK_LEND, name->at, name->name.symbol->name->bytes,
                "lent to this branch already");
    diag_label(walk->diag, before->at, "enrolled here");
}

/* One registration is lent once: by the PAR, or by an ENROLL of the branch. */
static bool is_lent(ClockWalk *walk, const NodeList *clocks, size_t count, const Node *name) {
    for (size_t i = 0; i < count; i++) {
        if (clocks->items[i]->name.symbol == name->name.symbol) {
            report_lent(walk, name, clocks->items[i]);
            return true;
        }
    }
    return false;
}

/* Takes out what is named twice. round: those that the PAR lends already. */
static void lend_once(ClockWalk *walk, const NodeList *round, NodeList *clocks) {
    size_t kept = 0;
    for (size_t i = 0; i < clocks->count; i++) {
        Node *name = clocks->items[i];
        if (!is_lent(walk, clocks, kept, name) &&
            (round == NULL || !is_lent(walk, round, round->count, name))) {
            clocks->items[kept++] = name;
        }
    }
    clocks->count = kept;
}

static void lend(ClockWalk *walk, const NodeList *round, NodeList *clocks) {
    lend_once(walk, round, clocks);
    for (size_t i = 0; i < clocks->count; i++) {
        const Node *name = clocks->items[i];
        KnownClock *clock = clock_find(walk, name->name.symbol);
        if (clock == NULL || clock->state == CLOCK_ACTIVE || clock->state == CLOCK_EITHER ||
            clock->state == CLOCK_HIDDEN) {
            continue;
        }
        if (clock->state == CLOCK_OUTSIDE) {
            (void)clock_enrolled(walk, clock->symbol, name->at);
            continue;
        }
        diag_report(walk->diag, DIAG_CLOCK_LEND, name->at, clock->symbol->name->bytes,
                    clock_state_words(clock->state));
        clock_label(walk, clock);
        clock_hint(walk, clock, "before the PAR");
        clock_set(clock, CLOCK_ACTIVE, name->at);
    }
}

typedef struct NameSearch {
    const Symbol *symbol;
    bool found;
    Location at;
} NameSearch;

static void search_name(Node **slot, void *data) {
    NameSearch *search = data;
    Node *node = *slot;
    if (node->kind == NODE_NAME && node->name.symbol != NULL) {
        const Node *definition = node->name.symbol->definition;
        const ProcInfo *info = node->name.symbol->kind == SYMBOL_PROC && definition != NULL &&
                                       definition->kind == NODE_PROC
                                   ? definition->proc.info
                                   : NULL;
        if (!search->found && node->name.symbol == search->symbol) {
            search->found = true;
            search->at = node->at;
        }
        for (size_t i = 0; info != NULL && i < info->free_names.count; i++) {
            if (!search->found && info->free_names.items[i] == search->symbol) {
                search->found = true;
                search->at = node->at;
            }
        }
    }
    node_visit_children(node, search_name, data);
}

/* The registration of the parent, who waits, serves the only branch that names a BARRIER: the field
 * has programs that rely on it. */
static bool is_only_user(const Node *par, size_t component, const Symbol *symbol) {
    if (symbol->type->kind != TYPE_BARRIER || par->par.replicator != NULL) {
        return false;
    }
    for (size_t i = 0; i < par->par.body.count; i++) {
        NameSearch search = {.symbol = symbol};
        search_name(&par->par.body.items[i], &search);
        if (search.found && i != component) {
            return false;
        }
    }
    return true;
}

/* What a branch knows: the clocks it is enrolled on. */
static void enter_component(ClockWalk *walk, const Node *par, size_t component,
                            const NodeList *own) {
    for (size_t i = 0; i < walk->clocks.count; i++) {
        KnownClock *clock = &walk->clocks.items[i];
        bool is_mine = clock_is_named(&par->par.enrols, clock->symbol) ||
                       (own != NULL && clock_is_named(own, clock->symbol));
        if (!is_mine && is_only_user(par, component, clock->symbol)) {
            continue;
        }
        clock_set(clock, is_mine ? CLOCK_ACTIVE : CLOCK_OUTSIDE, par->at);
    }
}

/* A branch ends active or dropped; the clocks that it has dropped are dropped after the PAR. */
static void leave_component(ClockWalk *walk, const Node *component, ClockList *after) {
    for (size_t i = 0; i < after->count; i++) {
        const KnownClock *clock = &walk->clocks.items[i];
        if (clock->state == CLOCK_RESUMED && !walk->stops) {
            diag_report(walk->diag, DIAG_CLOCK_BRANCH_END, component->at,
                        clock->symbol->name->bytes);
            clock_label(walk, clock);
            diag_hint(walk->diag,
                      "the others would wait for a NEXT that never comes: NEXT %s or "
                      "DROP %s",
                      clock->symbol->name->bytes, clock->symbol->name->bytes);
        } else if (clock->state == CLOCK_DROPPED) {
            after->items[i] = *clock;
        }
    }
}

/* ---- MOBILE CLOCK: what is lent to some branches is out of reach of the others ---- */

static void check_lent(ClockWalk *walk, const Node *par, const Node *name) {
    if (!type_is_mobile(name->type)) {
        return;
    }
    for (size_t i = 0; i < par->par.body.count; i++) {
        const Node *enroll = node_enroll(par->par.body.items[i]);
        NameSearch search = {.symbol = name->name.symbol};
        if (enroll == NULL || !clock_is_named(&enroll->enroll.clocks, search.symbol)) {
            search_name(&par->par.body.items[i], &search);
        }
        if (search.found) {
            diag_report(walk->diag, DIAG_CLOCK_NOT_ENROLLED, search.at, search.symbol->name->bytes);
            diag_label(walk->diag, name->at, "other branches are enrolled here");
        }
    }
}

void clock_par(ClockWalk *walk, Node *node) {
    lend(walk, NULL, &node->par.enrols);
    for (size_t i = 0; i < node->par.body.count; i++) {
        Node *enroll = (Node *)node_enroll(node->par.body.items[i]);
        if (enroll != NULL) {
            lend(walk, &node->par.enrols, &enroll->enroll.clocks);
            for (size_t k = 0; k < enroll->enroll.clocks.count; k++) {
                check_lent(walk, node, enroll->enroll.clocks.items[k]);
            }
        }
    }
    ClockList before = clock_copy(walk);
    ClockList after = clock_copy(walk);
    MobileList mobiles = walk->mobiles;
    bool stopped = walk->stops;
    walk->branch_depth++;
    for (size_t i = 0; i < node->par.body.count; i++) {
        Node *component = node->par.body.items[i];
        const Node *enroll = node_enroll(component);
        walk->clocks = before;
        walk->clocks = clock_copy(walk);
        walk->stops = stopped;
        const NodeList *own = enroll != NULL ? &enroll->enroll.clocks : NULL;
        enter_component(walk, node, i, own);
        walk->mobiles = mobiles;
        walk->mobiles = clock_mobile_copy(walk);
        clock_mobile_enter(walk, &node->par.enrols, own);
        walk->enroll = enroll;
        clock_walk(walk, component);
        leave_component(walk, component, &after);
    }
    walk->clocks = after;
    walk->mobiles = mobiles;
    walk->stops = stopped;
    walk->branch_depth--;
    clock_held(walk, node);
    clock_safe(walk, node);
}
