/* check_clock -- who is enrolled on which clock, and in which state, at each place of the text
 * (language.md 4.3).
 *
 * Owns:   the walk over routines and their clocks.
 * Leaves: that a name is a clock to check_clock_name.c; states to clock_state.c; choices, loops
 *         and PAR to clock_branch.c. MOBILE clocks have their checks at run time.
 * Holds:  a routine is followed by itself: its clocks from outside, formals or free, are active at
 *         its beginning and must be active at its end; so calls compose. A branch knows only the
 *         clocks it is enrolled on. After a message the state is what the rest can best live with.
 *         NEXT without names gets the names of all clocks of its process. */
#include "clock_walk.h"

#include "changes.h"

/* ---- sequences ---- */

void clock_walk_list(ClockWalk *walk, const NodeList *list) {
    for (size_t i = 0; i < list->count; i++) {
        clock_walk(walk, list->items[i]);
    }
}

static void clock_resign(ClockWalk *walk, Node *node) {
    KnownClock *clock = clock_enrolled_name(walk, node->resign.element);
    if (clock == NULL) {
        clock_walk(walk, node->resign.process);
        return;
    }
    const Symbol *symbol = clock->symbol;
    clock_set(clock, CLOCK_DROPPED, node->at);
    clock_walk(walk, node->resign.process);
    clock = clock_find(walk, symbol);
    clock_set(clock, CLOCK_ACTIVE, node->at);
}

/* ---- calls ---- */

static void check_passed(ClockWalk *walk, const Symbol *symbol, const Symbol *callee, Location at) {
    KnownClock *clock = clock_enrolled(walk, symbol, at);
    if (clock != NULL && clock->state != CLOCK_ACTIVE && clock->state != CLOCK_EITHER) {
        diag_report(walk->diag, DIAG_CLOCK_ACTUAL, at, symbol->name->bytes, callee->name->bytes,
                    clock_state_words(clock->state));
        clock_label(walk, clock);
        clock_hint(walk, clock, "before the call");
    }
}

/* The new process is enrolled beside this one, whose clock must be active. */
static void walk_fork(ClockWalk *walk, Node *node) {
    const Symbol *callee =
        node->fork.callee->kind == NODE_NAME ? node->fork.callee->name.symbol : NULL;
    for (size_t i = 0; callee != NULL && i < node->fork.actuals.count; i++) {
        const Node *actual = node->fork.actuals.items[i];
        if (actual->kind == NODE_NAME && clock_is(actual->name.symbol)) {
            check_passed(walk, actual->name.symbol, callee, actual->at);
            clock_block_fork(walk, actual);
        }
    }
    clock_hidden_actual(walk, node);
}

static void walk_call(ClockWalk *walk, Node *node) {
    const Symbol *callee =
        node->call.callee->kind == NODE_NAME ? node->call.callee->name.symbol : NULL;
    if (callee == NULL) {
        return;
    }
    for (size_t i = 0; i < node->call.actuals.count; i++) {
        Node *actual = node->call.actuals.items[i];
        if (actual->kind == NODE_NAME && clock_is(actual->name.symbol)) {
            check_passed(walk, actual->name.symbol, callee, actual->at);
        } else {
            clock_walk(walk, actual);
        }
    }
    const Node *definition = callee->definition;
    const ProcInfo *info =
        definition != NULL && definition->kind == NODE_PROC ? definition->proc.info : NULL;
    for (size_t i = 0; info != NULL && i < info->free_names.count; i++) {
        if (clock_is(info->free_names.items[i])) {
            check_passed(walk, info->free_names.items[i], callee, node->at);
        }
    }
    clock_hidden_actual(walk, node);
}

/* A FUNCTION from outside of which a clock is seen reads its PHASE. */
static void check_read(ClockWalk *walk, const Symbol *function, Location at) {
    const Node *definition = function != NULL ? function->definition : NULL;
    const ProcInfo *info =
        definition != NULL && definition->kind == NODE_FUNCTION ? definition->function.info : NULL;
    for (size_t i = 0; info != NULL && i < info->free_names.count; i++) {
        if (clock_is(info->free_names.items[i])) {
            (void)clock_enrolled(walk, info->free_names.items[i], at);
        }
    }
}

/* ---- routines ---- */

static void check_left_active(ClockWalk *walk, const Node *routine) {
    for (size_t i = 0; !walk->stops && i < walk->clocks.count; i++) {
        const KnownClock *clock = &walk->clocks.items[i];
        if (clock->is_outer && clock->state == CLOCK_EITHER && routine->proc.info != NULL) {
            routine->proc.info->checks_clocks = true;
            continue;
        }
        if (clock->is_outer && clock->state != CLOCK_ACTIVE) {
            diag_report(walk->diag, DIAG_CLOCK_FORMAL, routine->at,
                        routine->proc.def->def.name->bytes, clock->symbol->name->bytes,
                        clock_state_words(clock->state));
            clock_label(walk, clock);
            clock_hint(walk, clock, "before its end");
        }
    }
}

static void add_free_clocks(ClockWalk *walk, const ProcInfo *info) {
    for (size_t i = 0; info != NULL && i < info->free_names.count; i++) {
        if (clock_is(info->free_names.items[i])) {
            clock_add(walk, info->free_names.items[i], true);
        }
    }
}

static ClockWalk begin_routine(const ClockWalk *outside) {
    return (ClockWalk){.compiler = outside->compiler,
                       .arena = outside->arena,
                       .diag = outside->diag,
                       .unit = outside->unit,
                       .open_calls = outside->open_calls};
}

static void walk_function(const ClockWalk *outside, const Node *function) {
    ClockWalk walk = begin_routine(outside);
    add_free_clocks(&walk, function->function.info);
    clock_walk(&walk, function->function.body);
}

static void walk_proc(const ClockWalk *outside, Node *proc) {
    ClockWalk walk = begin_routine(outside);
    walk.routine = proc;
    for (size_t i = 0; i < proc->proc.formals.count; i++) {
        Symbol *symbol = proc->proc.formals.items[i]->kind == NODE_FORMAL
                             ? proc->proc.formals.items[i]->formal.def->def.symbol
                             : NULL;
        if (clock_is(symbol)) {
            clock_add(&walk, symbol, true);
        }
        clock_mobile_add(&walk, symbol);
    }
    add_free_clocks(&walk, proc->proc.info);
    clock_hidden_formal(&walk, proc);
    unsigned errors = diag_error_count(walk.diag);
    clock_walk(&walk, proc->proc.body);
    check_left_active(&walk, proc);
    if (proc->proc.info != NULL) {
        clock_hidden_end(&walk, proc);
        clock_block_end(&walk);
        proc->proc.info->clocks_are_wrong = diag_error_count(walk.diag) > errors;
    }
}

/* d IS c: the clock goes by the new name until the block ends. */
static KnownClock *alias_of(ClockWalk *walk, const Node *spec) {
    const Node *value = spec->kind == NODE_ABBREVIATION ? spec->abbreviation.value : NULL;
    bool names_clock =
        value != NULL && value->kind == NODE_NAME && clock_is(spec->abbreviation.def->def.symbol);
    return names_clock ? clock_find(walk, value->name.symbol) : NULL;
}

static void begin_alias(ClockWalk *walk, Node *spec) {
    Symbol *symbol = spec->abbreviation.def->def.symbol;
    if (!clock_is(symbol)) {
        clock_walk(walk, spec->abbreviation.value);
        if (spec->abbreviation.mode == ABBREVIATION_REFERENCE) {
            clock_mobile_rename(walk, spec->abbreviation.value, symbol);
        } else {
            clock_mobile_add(walk, symbol);
        }
        return;
    }
    const KnownClock *named = alias_of(walk, spec);
    KnownClock clock = {.symbol = symbol, .state = CLOCK_ACTIVE, .since = symbol->at};
    if (named != NULL) {
        clock = *named;
        clock.symbol = symbol;
    }
    clock_add(walk, symbol, false);
    *clock_find(walk, symbol) = clock;
    KnownClock *hidden = alias_of(walk, spec);
    if (hidden != NULL) {
        clock_set(hidden, CLOCK_HIDDEN, spec->at);
    }
}

static void end_aliases(ClockWalk *walk, const NodeList *specs) {
    for (size_t i = specs->count; i-- > 0;) {
        KnownClock *named = alias_of(walk, specs->items[i]);
        if (named != NULL) {
            const KnownClock *alias =
                clock_find(walk, specs->items[i]->abbreviation.def->def.symbol);
            clock_set(named, alias->state, alias->since);
        }
    }
}

static void walk_specification(ClockWalk *walk, Node *spec) {
    if (spec->kind == NODE_PROC) {
        walk_proc(walk, spec);
        return;
    }
    if (spec->kind == NODE_ABBREVIATION) {
        begin_alias(walk, spec);
        return;
    }
    if (spec->kind != NODE_DECLARATION) {
        clock_walk(walk, spec);
        return;
    }
    for (size_t i = 0; i < spec->declaration.names.count; i++) {
        Symbol *symbol = spec->declaration.names.items[i]->def.symbol;
        if (clock_is(symbol)) {
            clock_add(walk, symbol, false);
        }
        clock_mobile_add(walk, symbol);
    }
}

typedef struct ClockScope {
    size_t known;
    MobileList mobiles;
} ClockScope;

static ClockScope open_scope(ClockWalk *walk, const NodeList *specs) {
    ClockScope scope = {walk->clocks.count, walk->mobiles};
    walk->mobiles = clock_mobile_copy(walk);
    for (size_t i = 0; i < specs->count; i++) {
        walk_specification(walk, specs->items[i]);
    }
    return scope;
}

static void close_scope(ClockWalk *walk, const NodeList *specs, const ClockScope *scope) {
    end_aliases(walk, specs);
    walk->clocks.count = scope->known;
    walk->mobiles = scope->mobiles;
}

static void walk_block(ClockWalk *walk, Node *block) {
    ClockScope scope = open_scope(walk, &block->block.specs);
    clock_walk(walk, block->block.process);
    close_scope(walk, &block->block.specs, &scope);
}

/* ---- the walk ---- */

static void visit(Node **slot, void *data) {
    clock_walk(data, *slot);
}

/* What is chosen by, then what is chosen from. */
static void walk_branches(ClockWalk *walk, Node *first, const NodeList *branches) {
    if (first != NULL) {
        clock_walk(walk, first);
    }
    clock_branches(walk, branches);
}

static void walk_optional(ClockWalk *walk, Node *node) {
    if (node != NULL) {
        clock_walk(walk, node);
    }
}

static void walk_valof(ClockWalk *walk, Node *node) {
    ClockScope scope = open_scope(walk, &node->valof.specs);
    walk_optional(walk, node->valof.process);
    clock_walk_list(walk, &node->valof.results);
    close_scope(walk, &node->valof.specs, &scope);
}

static void walk_choice(ClockWalk *walk, Node *node) {
    ClockScope scope = open_scope(walk, &node->choice.specs);
    walk_optional(walk, node->choice.condition);
    clock_walk(walk, node->choice.process);
    close_scope(walk, &node->choice.specs, &scope);
}

static void walk_option(ClockWalk *walk, Node *node) {
    ClockScope scope = open_scope(walk, &node->option.specs);
    clock_walk(walk, node->option.process);
    close_scope(walk, &node->option.specs, &scope);
}

static void walk_alternative(ClockWalk *walk, Node *node) {
    ClockScope scope = open_scope(walk, &node->alternative.specs);
    walk_optional(walk, node->alternative.condition);
    if (node->alternative.guard->kind == NODE_NEXT) {
        clock_guard(walk, node->alternative.guard);
    } else {
        clock_walk(walk, node->alternative.guard);
    }
    walk_optional(walk, node->alternative.process);
    close_scope(walk, &node->alternative.specs, &scope);
}

static void walk_variant(ClockWalk *walk, Node *node) {
    ClockScope scope = open_scope(walk, &node->variant.specs);
    clock_walk_list(walk, &node->variant.items);
    clock_walk(walk, node->variant.process);
    walk_optional(walk, node->variant.after);
    close_scope(walk, &node->variant.specs, &scope);
}

void clock_walk(ClockWalk *walk, Node *node) {
    switch (node->kind) {
    case NODE_PROC: walk_proc(walk, node); return;
    case NODE_FUNCTION: walk_function(walk, node); return;
    case NODE_BLOCK: walk_block(walk, node); return;
    case NODE_STOP: walk->stops = true; return;
    case NODE_SEQ:
        if (node->seq.replicator != NULL) {
            clock_walk(walk, node->seq.replicator);
            clock_loop(walk, node, &node->seq.body);
        } else {
            clock_walk_list(walk, &node->seq.body);
        }
        return;
    case NODE_WHILE: {
        NodeList body = {&node->while_.process, 1, 1};
        clock_walk(walk, node->while_.condition);
        clock_loop(walk, node, &body);
        return;
    }
    case NODE_WHILE_INPUT: {
        bool has_variants = node->while_input.process == NULL;
        if (!has_variants) {
            clock_walk(walk, node->while_input.input);
        }
        NodeList body = {has_variants ? &node->while_input.input : &node->while_input.process, 1,
                         1};
        clock_loop(walk, node, &body);
        return;
    }
    case NODE_IF: walk_branches(walk, node->if_.replicator, &node->if_.choices); return;
    case NODE_CASE: walk_branches(walk, node->case_.selector, &node->case_.options); return;
    case NODE_ALT: walk_branches(walk, node->alt.replicator, &node->alt.alternatives); return;
    case NODE_INPUT_CASE:
        walk_branches(walk, node->input_case.channel, &node->input_case.variants);
        return;
    case NODE_PAR:
        if (node->par.replicator != NULL) {
            clock_walk(walk, node->par.replicator);
        }
        clock_par(walk, node);
        return;
    case NODE_ENROLL:
        if (node != walk->enroll) {
            diag_report(walk->diag, DIAG_CLOCK_PLACE, node->at);
            diag_hint(walk->diag, "write PAR above it, or PAR ENROLL to enrol every branch");
        }
        clock_walk(walk, node->enroll.process);
        return;
    case NODE_CALL: walk_call(walk, node); return;
    case NODE_FORK: walk_fork(walk, node); break;
    case NODE_SYNC: {
        KnownClock *clock = clock_enrolled_name(walk, node->sync.element);
        if (clock != NULL) {
            clock_set(clock, CLOCK_ACTIVE, node->at);
        }
        return;
    }
    case NODE_NEXT: clock_next(walk, node); return;
    case NODE_RESUME: clock_resume(walk, node); return;
    case NODE_DROP: clock_drop(walk, node); return;
    case NODE_RESIGN: clock_resign(walk, node); return;
    case NODE_PHASE: (void)clock_enrolled_name(walk, node->phase.clock); return;
    case NODE_CHOICE: walk_choice(walk, node); return;
    case NODE_OPTION: walk_option(walk, node); return;
    case NODE_ALTERNATIVE: walk_alternative(walk, node); return;
    case NODE_VARIANT: walk_variant(walk, node); return;
    case NODE_VALOF: walk_valof(walk, node); return;
    /* by their parts */
    case NODE_SKIP:
    case NODE_SUSPEND:
    case NODE_ASSIGN:
    case NODE_OUTPUT:
    case NODE_INPUT:
    case NODE_DELAY:
    case NODE_EXTENDED_INPUT:
    case NODE_FORKING:
    case NODE_CLAIM:
    case NODE_CLOSE:
    case NODE_PROCESSOR:
    case NODE_ASM:
    case NODE_DYNCALL:
    case NODE_KINDS_OF_VALUE:
    case NODE_NAME:
    case NODE_MONADIC:
    case NODE_DYADIC:
    case NODE_FUNCTION_CALL:
    case NODE_MOVE:
    case NODE_CLOSED:
    case NODE_KINDS_OF_DEFINITION:
    case NODE_DECLARATION:
    case NODE_ABBREVIATION:
    case NODE_PLACE:
    case NODE_KINDS_OF_PART:
    case NODE_KINDS_OF_TYPE:
    case NODE_BROKEN:
    case NODE_UNIT: break;
    case NODE_KIND_COUNT: bug("node of no kind");
    }
    node_visit_children(node, visit, walk);
    check_read(walk, node_callee(node), node->at);
}

/* Most programs have no clock. One that is only passed on to routines of other units is named in
 * its declaration alone. */
static bool is_clock_use(const Node *node) {
    return node->kind == NODE_ENROLL || node->kind == NODE_NEXT || node->kind == NODE_SYNC ||
           node->kind == NODE_RESUME || node->kind == NODE_DROP || node->kind == NODE_RESIGN ||
           node->kind == NODE_PHASE || (node->kind == NODE_PAR && node->par.enrols.count > 0) ||
           (node->kind == NODE_PROC && node->proc.info != NULL && node->proc.info->nexts_all) ||
           (node->kind == NODE_DEF && clock_is(node->def.symbol));
}

void check_clock(Compiler *compiler, Node *unit) {
    if (node_any(unit, is_clock_use)) {
        OpenCalls open_calls = {NULL, 0, 0};
        ClockWalk walk = {.compiler = compiler,
                          .arena = compiler->arena,
                          .diag = compiler->diag,
                          .unit = unit,
                          .open_calls = &open_calls};
        node_visit_children(unit, visit, &walk);
    }
}
