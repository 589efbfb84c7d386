/* check_clock -- who is enrolled on which clock, and in which state, at each place of the text
 * (extensions.md 4, CK2 to CK8, CK10).
 *
 * Owns:   the state of each clock in scope while the text is followed; NEXT without names gets the
 * names of all clocks of its process. Leaves: that a name is a clock to check_clock_name.c; MOBILE
 * clocks have their checks at run time. Holds:  a routine is followed by itself: its clocks from
 * outside, formals or free, are active at its beginning and must be active at its end; so calls
 * compose. A branch knows only the clocks it is enrolled on. After a message the state is what the
 * rest can best live with. */
#include "check.h"

typedef enum ClockState {
    CLOCK_OUTSIDE, /* not enrolled: a branch of a PAR that does not enrol it */
    CLOCK_ACTIVE,
    CLOCK_RESUMED,
    CLOCK_DROPPED
} ClockState;

typedef struct KnownClock {
    Symbol *symbol;
    ClockState state;
    Location since; /* of the process that brought it into the state */
    bool is_outer;  /* of the routine: a formal or free name */
} KnownClock;

typedef ARRAY_OF(KnownClock) ClockList;

typedef struct ClockWalk {
    Compiler *compiler;
    Arena *arena;
    Diag *diag;
    ClockList clocks; /* of the routine, in order of declaration */
    Node *routine;
    const Node *enroll; /* the one that the component being followed is */
    bool stops;         /* control does not come here */
} ClockWalk;

static const char *state_words(ClockState state) {
    switch (state) {
    case CLOCK_OUTSIDE: return "not enrolled";
    case CLOCK_ACTIVE: return "active";
    case CLOCK_RESUMED: return "resumed";
    case CLOCK_DROPPED: return "dropped";
    }
    bug("clock state %d", (int)state);
}

static bool is_clock(const Symbol *symbol) {
    return symbol != NULL && symbol->type != NULL &&
           (symbol->type->kind == TYPE_CLOCK ||
            (symbol->type->kind == TYPE_BARRIER && symbol->definition != NULL &&
             symbol->definition->kind != NODE_FORKING));
}

static void add_clock(ClockWalk *walk, Symbol *symbol, bool is_outer) {
    KnownClock clock = {symbol, CLOCK_ACTIVE, symbol->at, is_outer};
    array_push(walk->arena, &walk->clocks, clock);
}

static KnownClock *find_clock(ClockWalk *walk, const Symbol *symbol) {
    for (size_t i = 0; i < walk->clocks.count; i++) {
        if (walk->clocks.items[i].symbol == symbol) {
            return &walk->clocks.items[i];
        }
    }
    return NULL;
}

static ClockList copy_clocks(ClockWalk *walk) {
    ClockList copy = {NULL, 0, 0};
    for (size_t i = 0; i < walk->clocks.count; i++) {
        array_push(walk->arena, &copy, walk->clocks.items[i]);
    }
    return copy;
}

static void set_state(KnownClock *clock, ClockState state, Location at) {
    clock->state = state;
    clock->since = at;
}

/* ---- a use of a clock ---- */

static void label_since(ClockWalk *walk, const KnownClock *clock) {
    switch (clock->state) {
    case CLOCK_OUTSIDE: diag_label(walk->diag, clock->since, "this PAR does not enrol it"); return;
    case CLOCK_ACTIVE: return;
    case CLOCK_RESUMED: diag_label(walk->diag, clock->since, "resumed here"); return;
    case CLOCK_DROPPED: diag_label(walk->diag, clock->since, "dropped here"); return;
    }
}

/* The clock, which the process is enrolled on; NULL after a message. */
static KnownClock *enrolled(ClockWalk *walk, const Symbol *symbol, Location at) {
    KnownClock *clock = find_clock(walk, symbol);
    if (clock == NULL) {
        return NULL;
    }
    if (clock->state == CLOCK_OUTSIDE) {
        diag_report(walk->diag, DIAG_CLOCK_NOT_ENROLLED, at, symbol->name->bytes);
        label_since(walk, clock);
        diag_hint(walk->diag, "write PAR ENROLL %s, or ENROLL %s before this branch",
                  symbol->name->bytes, symbol->name->bytes);
        set_state(clock, CLOCK_ACTIVE, at);
        return NULL;
    }
    if (clock->state == CLOCK_DROPPED) {
        diag_report(walk->diag, DIAG_CLOCK_STATE, at, symbol->name->bytes);
        label_since(walk, clock);
        set_state(clock, CLOCK_ACTIVE, at);
        return NULL;
    }
    return clock;
}

static KnownClock *enrolled_name(ClockWalk *walk, const Node *name) {
    return enrolled(walk, name->name.symbol, name->at);
}

/* ---- the processes of clocks ---- */

static void walk_resume(ClockWalk *walk, Node *node) {
    for (size_t i = 0; i < node->resume.clocks.count; i++) {
        const Node *name = node->resume.clocks.items[i];
        KnownClock *clock = enrolled_name(walk, name);
        if (clock != NULL && clock->state == CLOCK_RESUMED) {
            diag_report(walk->diag, DIAG_CLOCK_AGAIN, name->at, name->name.symbol->name->bytes);
            label_since(walk, clock);
        } else if (clock != NULL) {
            set_state(clock, CLOCK_RESUMED, node->at);
        }
    }
}

static void walk_drop(ClockWalk *walk, Node *node) {
    for (size_t i = 0; i < node->drop.clocks.count; i++) {
        KnownClock *clock = enrolled_name(walk, node->drop.clocks.items[i]);
        if (clock != NULL) {
            set_state(clock, CLOCK_DROPPED, node->at);
        }
    }
}

static bool is_named(const NodeList *clocks, const Symbol *symbol) {
    for (size_t i = 0; i < clocks->count; i++) {
        if (clocks->items[i]->name.symbol == symbol) {
            return true;
        }
    }
    return false;
}

static bool takes_part(const KnownClock *clock) {
    return (clock->state == CLOCK_ACTIVE || clock->state == CLOCK_RESUMED) &&
           clock->symbol->type->kind == TYPE_CLOCK;
}

/* NEXT alone names all. */
static void name_all(ClockWalk *walk, Node *next) {
    for (size_t i = 0; i < walk->clocks.count; i++) {
        if (takes_part(&walk->clocks.items[i])) {
            Node *name = node_create(walk->arena, NODE_NAME, next->at);
            name->name.symbol = walk->clocks.items[i].symbol;
            name->name.name = name->name.symbol->name;
            name->type = name->name.symbol->type;
            name->name.symbol->is_used = true;
            array_push(walk->arena, &next->next.clocks, name);
        }
    }
    if (next->next.clocks.count == 0) {
        diag_report(walk->diag, DIAG_CLOCK_NONE, next->at);
    }
}

static void walk_next(ClockWalk *walk, Node *node) {
    NodeList *clocks = &node->next.clocks;
    bool names_some = clocks->count > 0;
    if (!names_some) {
        name_all(walk, node);
    }
    for (size_t i = 0; i < clocks->count; i++) {
        KnownClock *clock = enrolled_name(walk, clocks->items[i]);
        if (clock != NULL) {
            set_state(clock, CLOCK_ACTIVE, node->at);
        }
    }
    for (size_t i = 0; names_some && i < walk->clocks.count; i++) {
        const KnownClock *clock = &walk->clocks.items[i];
        if (takes_part(clock) && !is_named(clocks, clock->symbol)) {
            diag_report(walk->diag, DIAG_CLOCK_SOME, node->at, clock->symbol->name->bytes);
            diag_hint(walk->diag, "NEXT on all clocks of a process at once cannot deadlock");
            return;
        }
    }
}

static void walk_node(ClockWalk *walk, Node *node);

static void walk_list(ClockWalk *walk, const NodeList *list) {
    for (size_t i = 0; i < list->count; i++) {
        walk_node(walk, list->items[i]);
    }
}

static void walk_resign(ClockWalk *walk, Node *node) {
    KnownClock *clock = enrolled_name(walk, node->resign.element);
    if (clock == NULL) {
        walk_node(walk, node->resign.process);
        return;
    }
    const Symbol *symbol = clock->symbol;
    set_state(clock, CLOCK_DROPPED, node->at);
    walk_node(walk, node->resign.process);
    clock = find_clock(walk, symbol);
    set_state(clock, CLOCK_ACTIVE, node->at);
}

/* ---- branches that come together again ---- */

typedef struct Meeting {
    ClockList before;
    ClockList after; /* of the branches that came to their end; empty when none did */
    bool falls;      /* some branch did */
    bool stopped;    /* control did not even come to the beginning */
} Meeting;

static Meeting begin_branches(ClockWalk *walk) {
    return (Meeting){copy_clocks(walk), {NULL, 0, 0}, false, walk->stops};
}

static void begin_branch(ClockWalk *walk, const Meeting *meeting) {
    walk->clocks = meeting->before;
    walk->clocks = copy_clocks(walk);
    walk->stops = meeting->stopped;
}

static void end_branch(ClockWalk *walk, Meeting *meeting, Location at) {
    walk->clocks.count = meeting->before.count; /* those declared inside have gone */
    if (walk->stops) {
        return;
    }
    if (!meeting->falls) {
        meeting->falls = true;
        meeting->after = copy_clocks(walk);
        return;
    }
    for (size_t i = 0; i < walk->clocks.count; i++) {
        const KnownClock *here = &walk->clocks.items[i];
        KnownClock *there = &meeting->after.items[i];
        if (here->state != there->state) {
            diag_report(walk->diag, DIAG_CLOCK_DISAGREE, at, here->symbol->name->bytes,
                        state_words(there->state), state_words(here->state));
            label_since(walk, there);
            label_since(walk, here);
            there->state = CLOCK_ACTIVE;
        }
    }
}

static void end_branches(ClockWalk *walk, const Meeting *meeting) {
    walk->clocks = meeting->falls ? meeting->after : meeting->before;
    walk->clocks.count = meeting->before.count;
    walk->stops = !meeting->falls;
}

static bool is_branch(const Node *node) {
    return node->kind == NODE_CHOICE || node->kind == NODE_OPTION ||
           node->kind == NODE_ALTERNATIVE || node->kind == NODE_VARIANT;
}

/* The branches of an IF, CASE, ALT or CASE input: the lists of them, nested ones too. */
static void walk_branches(ClockWalk *walk, const NodeList *branches) {
    Meeting meeting = begin_branches(walk);
    for (size_t i = 0; i < branches->count; i++) {
        begin_branch(walk, &meeting);
        walk_node(walk, branches->items[i]);
        end_branch(walk, &meeting, branches->items[i]->at);
    }
    if (branches->count == 0) {
        meeting.falls = false;
    }
    end_branches(walk, &meeting);
}

static void walk_loop(ClockWalk *walk, Node *loop, const NodeList *body) {
    ClockList before = copy_clocks(walk);
    bool stopped = walk->stops;
    walk_list(walk, body);
    walk->clocks.count = before.count;
    for (size_t i = 0; !walk->stops && i < before.count; i++) {
        const KnownClock *clock = &walk->clocks.items[i];
        if (clock->state != before.items[i].state) {
            diag_report(walk->diag, DIAG_CLOCK_LOOP, loop->at, clock->symbol->name->bytes,
                        state_words(clock->state), state_words(before.items[i].state));
            label_since(walk, clock);
        }
    }
    walk->clocks = before;
    walk->stops = stopped;
}

/* ---- PAR ---- */

static void lend(ClockWalk *walk, const NodeList *clocks) {
    for (size_t i = 0; i < clocks->count; i++) {
        const Node *name = clocks->items[i];
        KnownClock *clock = find_clock(walk, name->name.symbol);
        if (clock == NULL || clock->state == CLOCK_ACTIVE) {
            continue;
        }
        if (clock->state == CLOCK_OUTSIDE) {
            (void)enrolled(walk, clock->symbol, name->at);
            continue;
        }
        diag_report(walk->diag, DIAG_CLOCK_LEND, name->at, clock->symbol->name->bytes,
                    state_words(clock->state));
        label_since(walk, clock);
        set_state(clock, CLOCK_ACTIVE, name->at);
    }
}

typedef struct NameSearch {
    const Symbol *symbol;
    bool found;
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
        search->found = search->found || node->name.symbol == search->symbol;
        for (size_t i = 0; info != NULL && i < info->free_names.count; i++) {
            search->found = search->found || info->free_names.items[i] == search->symbol;
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
        NameSearch search = {symbol, false};
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
        bool is_mine = is_named(&par->par.enrols, clock->symbol) ||
                       (own != NULL && is_named(own, clock->symbol));
        if (!is_mine && is_only_user(par, component, clock->symbol)) {
            continue;
        }
        set_state(clock, is_mine ? CLOCK_ACTIVE : CLOCK_OUTSIDE, par->at);
    }
}

/* A branch ends active or dropped; the clocks that it has dropped are dropped after the PAR. */
static void leave_component(ClockWalk *walk, const Node *component, ClockList *after) {
    for (size_t i = 0; i < after->count; i++) {
        const KnownClock *clock = &walk->clocks.items[i];
        if (clock->state == CLOCK_RESUMED && !walk->stops) {
            diag_report(walk->diag, DIAG_CLOCK_BRANCH_END, component->at,
                        clock->symbol->name->bytes);
            label_since(walk, clock);
            diag_hint(walk->diag,
                      "the others would wait for a NEXT that never comes: NEXT %s or "
                      "DROP %s",
                      clock->symbol->name->bytes, clock->symbol->name->bytes);
        } else if (clock->state == CLOCK_DROPPED) {
            after->items[i] = *clock;
        }
    }
}

static void walk_par(ClockWalk *walk, Node *node) {
    lend(walk, &node->par.enrols);
    for (size_t i = 0; i < node->par.body.count; i++) {
        const Node *enroll = node_enroll(node->par.body.items[i]);
        if (enroll != NULL) {
            lend(walk, &enroll->enroll.clocks);
        }
    }
    ClockList before = copy_clocks(walk);
    ClockList after = copy_clocks(walk);
    bool stopped = walk->stops;
    for (size_t i = 0; i < node->par.body.count; i++) {
        Node *component = node->par.body.items[i];
        const Node *enroll = node_enroll(component);
        walk->clocks = before;
        walk->clocks = copy_clocks(walk);
        walk->stops = stopped;
        enter_component(walk, node, i, enroll != NULL ? &enroll->enroll.clocks : NULL);
        walk->enroll = enroll;
        walk_node(walk, component);
        leave_component(walk, component, &after);
    }
    walk->clocks = after;
    walk->stops = stopped;
}

/* ---- calls ---- */

static void check_passed(ClockWalk *walk, const Symbol *symbol, const Symbol *callee, Location at) {
    KnownClock *clock = enrolled(walk, symbol, at);
    if (clock != NULL && clock->state != CLOCK_ACTIVE) {
        diag_report(walk->diag, DIAG_CLOCK_ACTUAL, at, symbol->name->bytes, callee->name->bytes,
                    state_words(clock->state));
        label_since(walk, clock);
    }
}

static void walk_call(ClockWalk *walk, Node *node) {
    const Symbol *callee =
        node->call.callee->kind == NODE_NAME ? node->call.callee->name.symbol : NULL;
    if (callee == NULL) {
        return;
    }
    for (size_t i = 0; i < node->call.actuals.count; i++) {
        const Node *actual = node->call.actuals.items[i];
        if (actual->kind == NODE_NAME && is_clock(actual->name.symbol)) {
            check_passed(walk, actual->name.symbol, callee, actual->at);
        }
    }
    const Node *definition = callee->definition;
    const ProcInfo *info =
        definition != NULL && definition->kind == NODE_PROC ? definition->proc.info : NULL;
    for (size_t i = 0; info != NULL && i < info->free_names.count; i++) {
        if (is_clock(info->free_names.items[i])) {
            check_passed(walk, info->free_names.items[i], callee, node->at);
        }
    }
}

/* ---- routines ---- */

static void check_left_active(ClockWalk *walk, const Node *routine) {
    for (size_t i = 0; !walk->stops && i < walk->clocks.count; i++) {
        const KnownClock *clock = &walk->clocks.items[i];
        if (clock->is_outer && clock->state != CLOCK_ACTIVE) {
            diag_report(walk->diag, DIAG_CLOCK_FORMAL, routine->at,
                        routine->proc.def->def.name->bytes, clock->symbol->name->bytes,
                        state_words(clock->state));
            label_since(walk, clock);
        }
    }
}

static void walk_proc(ClockWalk *outside, Node *proc) {
    ClockWalk walk = {.compiler = outside->compiler,
                      .arena = outside->arena,
                      .diag = outside->diag,
                      .routine = proc};
    for (size_t i = 0; i < proc->proc.formals.count; i++) {
        Symbol *symbol = proc->proc.formals.items[i]->kind == NODE_FORMAL
                             ? proc->proc.formals.items[i]->formal.def->def.symbol
                             : NULL;
        if (is_clock(symbol)) {
            add_clock(&walk, symbol, true);
        }
    }
    const ProcInfo *info = proc->proc.info;
    for (size_t i = 0; info != NULL && i < info->free_names.count; i++) {
        if (is_clock(info->free_names.items[i])) {
            add_clock(&walk, info->free_names.items[i], true);
        }
    }
    walk_node(&walk, proc->proc.body);
    check_left_active(&walk, proc);
}

static void walk_specification(ClockWalk *walk, Node *spec) {
    if (spec->kind == NODE_PROC) {
        walk_proc(walk, spec);
        return;
    }
    if (spec->kind != NODE_DECLARATION) {
        walk_node(walk, spec);
        return;
    }
    for (size_t i = 0; i < spec->declaration.names.count; i++) {
        Symbol *symbol = spec->declaration.names.items[i]->def.symbol;
        if (is_clock(symbol)) {
            add_clock(walk, symbol, false);
        }
    }
}

static void walk_block(ClockWalk *walk, Node *block) {
    size_t known = walk->clocks.count;
    for (size_t i = 0; i < block->block.specs.count; i++) {
        walk_specification(walk, block->block.specs.items[i]);
    }
    walk_node(walk, block->block.process);
    walk->clocks.count = known;
}

/* ---- the walk ---- */

static void visit(Node **slot, void *data) {
    walk_node(data, *slot);
}

static void walk_node(ClockWalk *walk, Node *node) {
    switch ((int)node->kind) {
    case NODE_PROC: walk_proc(walk, node); return;
    case NODE_BLOCK: walk_block(walk, node); return;
    case NODE_STOP: walk->stops = true; return;
    case NODE_SEQ:
        if (node->seq.replicator != NULL) {
            walk_loop(walk, node, &node->seq.body);
        } else {
            walk_list(walk, &node->seq.body);
        }
        return;
    case NODE_WHILE: {
        NodeList body = {&node->while_.process, 1, 1};
        walk_loop(walk, node, &body);
        return;
    }
    case NODE_WHILE_INPUT: {
        NodeList body = {&node->while_input.process, node->while_input.process != NULL, 1};
        walk_loop(walk, node, &body);
        return;
    }
    case NODE_IF: walk_branches(walk, &node->if_.choices); return;
    case NODE_CASE: walk_branches(walk, &node->case_.options); return;
    case NODE_ALT: walk_branches(walk, &node->alt.alternatives); return;
    case NODE_INPUT_CASE: walk_branches(walk, &node->input_case.variants); return;
    case NODE_PAR: walk_par(walk, node); return;
    case NODE_ENROLL:
        if (node != walk->enroll) {
            diag_report(walk->diag, DIAG_CLOCK_PLACE, node->at);
            diag_hint(walk->diag, "write PAR above it, or PAR ENROLL to enrol every branch");
        }
        walk_node(walk, node->enroll.process);
        return;
    case NODE_CALL: walk_call(walk, node); return;
    case NODE_SYNC: {
        KnownClock *clock = enrolled_name(walk, node->sync.element);
        if (clock != NULL) {
            set_state(clock, CLOCK_ACTIVE, node->at);
        }
        return;
    }
    case NODE_NEXT: walk_next(walk, node); return;
    case NODE_RESUME: walk_resume(walk, node); return;
    case NODE_DROP: walk_drop(walk, node); return;
    case NODE_RESIGN: walk_resign(walk, node); return;
    case NODE_PHASE: (void)enrolled_name(walk, node->phase.clock); return;
    }
    if (is_branch(node)) {
        size_t known = walk->clocks.count;
        node_visit_children(node, visit, walk);
        walk->clocks.count = known;
        return;
    }
    node_visit_children(node, visit, walk);
}

/* Most programs have no clock. One that is only passed on to routines of other units is named in
 * its declaration alone. */
static void find_clock_use(Node **slot, void *data) {
    bool *found = data;
    Node *node = *slot;
    *found = *found || node->kind == NODE_ENROLL || node->kind == NODE_NEXT ||
             node->kind == NODE_SYNC || node->kind == NODE_RESUME || node->kind == NODE_DROP ||
             node->kind == NODE_RESIGN || node->kind == NODE_PHASE ||
             (node->kind == NODE_PAR && node->par.enrols.count > 0) ||
             (node->kind == NODE_DEF && is_clock(node->def.symbol));
    if (!*found) {
        node_visit_children(node, find_clock_use, data);
    }
}

void check_clock(Compiler *compiler, Node *unit) {
    bool found = false;
    node_visit_children(unit, find_clock_use, &found);
    if (found) {
        ClockWalk walk = {.compiler = compiler, .arena = compiler->arena, .diag = compiler->diag};
        node_visit_children(unit, visit, &walk);
    }
}
