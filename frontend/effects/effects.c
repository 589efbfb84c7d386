/* effects -- the walk that gathers names, calls, changes and communications, context by context.
 *
 * A context is a routine, a component of a PAR, a part of a long SEQ or IF, or a VALOF. A name is
 * noted in the innermost one; when a context closes, what it noted goes to the one around it.
 * Definitions inside of a context have neighbouring numbers, because check_types numbered them in
 * the same order; so `defined inside` is a comparison. */
#include "effects.h"

#include "changes.h"
#include "check.h"

#include <stdlib.h>

RoutineEffects *effects_of(const Symbol *routine) {
    const Node *node = routine ? routine->definition : NULL;
    if (!node || (node->kind != NODE_PROC && node->kind != NODE_FUNCTION)) {
        return NULL;
    }
    const ProcInfo *info = node_info(node);
    return info ? info->effects : NULL;
}

static int compare_symbols(const void *left, const void *right) {
    const Symbol *a = *(Symbol *const *)left;
    const Symbol *b = *(Symbol *const *)right;
    return (a->number > b->number) - (a->number < b->number);
}

void symbol_list_sort(SymbolList *list) {
    if (list->count < 2) {
        return;
    }
    qsort(list->items, list->count, sizeof *list->items, compare_symbols);
    size_t kept = 1;
    for (size_t i = 1; i < list->count; i++) {
        if (list->items[i] != list->items[kept - 1]) {
            list->items[kept++] = list->items[i];
        }
    }
    list->count = kept;
}

/* ---- contexts ---- */

static void open_context(Effects *effects, EffectContext *context) {
    context->outer = effects->context;
    context->first = UINT32_MAX;
    context->last = 0;
    if (!context->is_routine && context->outer) {
        context->routine = context->outer->routine;
    }
    context->valof_calls = effects->valof_calls.count;
    effects->context = context;
}

static void note_definition(EffectContext *context, const Symbol *symbol) {
    context->first = symbol->number < context->first ? symbol->number : context->first;
    context->last = symbol->number > context->last ? symbol->number : context->last;
}

/* Give what was noted to the context around it. Names used by a routine stay its own. */
static void close_context(Effects *effects) {
    EffectContext *context = effects->context;
    EffectContext *outer = context->outer;
    effects->context = outer;
    symbol_list_sort(&context->used);
    if (!outer) {
        return;
    }
    if (context->first <= context->last) {
        outer->first = context->first < outer->first ? context->first : outer->first;
        outer->last = context->last > outer->last ? context->last : outer->last;
    }
    if (context->is_routine) {
        return;
    }
    for (size_t i = 0; i < context->used.count; i++) {
        array_push(effects->arena, &outer->used, context->used.items[i]);
    }
    for (size_t i = 0; i < context->callees.count; i++) {
        array_push(effects->arena, &outer->callees, context->callees.items[i]);
    }
}

/* ---- the walk ---- */

static void visit(Node **slot, void *data);

static void visit_children(Effects *effects, Node *node) {
    node_visit_children(node, visit, effects);
}

static void visit_par(Effects *effects, Node *node) {
    effects_note_communication(effects, node, true);
    ParInfo *info = arena_new(effects->arena, ParInfo);
    size_t count = node->par.body.count;
    info->captured = arena_allocate(effects->arena, sizeof *info->captured * (count + 1));
    node->par.info = info;
    Node *replicator = node->par.replicator;
    if (replicator) {
        visit_children(effects, replicator);
    }
    for (size_t i = 0; i < count; i++) {
        EffectContext context = {0};
        open_context(effects, &context);
        if (replicator && replicator->kind == NODE_REPLICATOR &&
            replicator->replicator.def->def.symbol) {
            note_definition(&context, replicator->replicator.def->def.symbol);
        }
        for (size_t k = 0; k < node->par.enrols.count; k++) { /* each branch is enrolled */
            visit(&node->par.enrols.items[k], effects);
        }
        visit(&node->par.body.items[i], effects);
        close_context(effects);
        ComponentEffects component = {info,          i,           context.used, context.callees,
                                      context.first, context.last};
        array_push(effects->arena, &effects->components, component);
    }
    for (size_t i = 0; i < node->par.enrols.count; i++) {
        visit(&node->par.enrols.items[i], effects);
    }
}

/* What each part of a long SEQ or IF uses, as of a component of a PAR. */
static ParInfo *visit_parts(Effects *effects, const NodeList *body) {
    ParInfo *info = arena_new(effects->arena, ParInfo);
    size_t count = (body->count + SEQ_PART - 1) / SEQ_PART;
    info->captured = arena_allocate(effects->arena, sizeof *info->captured * count);
    for (size_t i = 0; i < count; i++) {
        EffectContext context = {.is_part = true};
        open_context(effects, &context);
        for (size_t k = i * SEQ_PART; k < body->count && k < (i + 1) * SEQ_PART; k++) {
            visit(&body->items[k], effects);
        }
        close_context(effects);
        ComponentEffects part = {info,          i,           context.used, context.callees,
                                 context.first, context.last};
        array_push(effects->arena, &effects->components, part);
    }
    return info;
}

static void visit_seq(Effects *effects, Node *node) {
    if (node->seq.body.count > SEQ_LONG) {
        node->seq.parts = visit_parts(effects, &node->seq.body);
    } else {
        visit_children(effects, node);
    }
}

static void visit_if(Effects *effects, Node *node) {
    if (node->if_.choices.count > SEQ_LONG) {
        node->if_.parts = visit_parts(effects, &node->if_.choices);
    } else {
        visit_children(effects, node);
    }
}

/* The DEFs of a VALOF give its calls their range of inner names when it closes. */
static void visit_valof(Effects *effects, Node *node) {
    EffectContext context = {.is_valof = true};
    open_context(effects, &context);
    visit_children(effects, node);
    close_context(effects);
    for (size_t i = context.valof_calls; i < effects->valof_calls.count; i++) {
        ValofCall *call = &effects->valof_calls.items[i];
        if (call->first == 0 && call->last == 0) {
            call->first = context.first;
            call->last = context.last;
        }
    }
}

static NodeList unique_callees(Effects *effects, const NodeList *callees) {
    NodeList unique = {0};
    SymbolList symbols = {0};
    for (size_t i = 0; i < callees->count; i++) {
        const Node *node = callees->items[i];
        Symbol *symbol =
            node->kind == NODE_PROC ? node->proc.def->def.symbol : node->function.def->def.symbol;
        array_push(effects->arena, &symbols, symbol);
    }
    symbol_list_sort(&symbols);
    for (size_t i = 0; i < symbols.count; i++) {
        array_push(effects->arena, &unique, symbols.items[i]->definition);
    }
    return unique;
}

static void visit_routine(Effects *effects, Node *node, ProcInfo *info) {
    if (!info) {
        return;
    }
    RoutineEffects *routine = arena_new(effects->arena, RoutineEffects);
    routine->info = info;
    routine->node = node;
    EffectContext context = {.routine = routine, .is_routine = true};
    open_context(effects, &context);
    note_definition(&context, info->symbol);
    visit_children(effects, node);
    close_context(effects);
    routine->used = context.used;
    NodeList callees = unique_callees(effects, &context.callees);
    for (size_t i = 0; i < callees.count; i++) {
        array_push(effects->arena, &info->callees, callees.items[i]);
    }
    effects_infer_directions(effects, routine);
    if (info->elsewhere) {
        routine->may_wait = info->elsewhere->may_wait;
        routine->meets = info->elsewhere->may_wait;
        routine->communicates = info->elsewhere->communicates;
        routine->communicates_at = info->symbol->at;
        routine->crosses_phase = info->elsewhere->crosses_phase;
        routine->nexts_all = info->elsewhere->nexts_all;
        info->suspends = info->elsewhere->suspends;
        info->suspends_at = info->symbol->at;
    }
    info->effects = routine;
    array_push(effects->arena, &effects->routines, routine);
}

static void visit_input(Effects *effects, Node *node) {
    bool is_channel = node->input.channel->type && node->input.channel->type->kind == TYPE_CHANNEL;
    effects_note_communication(effects, node, is_channel);
    effects_note_channel(effects, node->input.channel, DIRECTION_INPUT);
    visit_children(effects, node);
}

static void visit_input_case(Effects *effects, Node *node) {
    effects_note_communication(effects, node, true);
    effects_note_channel(effects, node->input_case.channel, DIRECTION_INPUT);
    visit_children(effects, node);
}

static void visit_output(Effects *effects, Node *node) {
    bool is_channel =
        node->output.channel->type && node->output.channel->type->kind == TYPE_CHANNEL;
    effects_note_communication(effects, node, is_channel);
    effects_note_channel(effects, node->output.channel, DIRECTION_OUTPUT);
    visit_children(effects, node);
}

/* Closing an end, or asking whether it is closed. */
static void visit_end(Effects *effects, Node *node, const Node *end) {
    effects_note_communication(effects, node, true); /* at the gate, where all is controlled */
    effects_note_channel(effects, end->end.channel, end->end.direction);
    visit_children(effects, node);
}

/* Where an invariant looks at it others come first: it waits, and knows all names of that. */
static void visit_assign(Effects *effects, Node *node) {
    const Invariants *invariants = node->assign.invariants;
    for (size_t i = 0; invariants && i < invariants->list.count; i++) {
        effects_note_communication(effects, node, true);
        visit(&invariants->list.items[i]->condition, effects);
    }
    visit_children(effects, node);
}

static void visit_waiting(Effects *effects, Node *node) {
    effects_note_communication(effects, node, true);
    visit_children(effects, node);
}

static void visit_fork(Effects *effects, Node *node) {
    const Node *callee = node->fork.callee;
    effects_note_communication(effects, node, true);
    effects_note_call(effects, node, &node->fork.actuals);
    effects_note_symbol(effects, node->fork.forking);
    if (callee->kind == NODE_NAME && callee->name.symbol) {
        const RoutineEffects *routine = effects->context ? effects->context->routine : NULL;
        ForkEffect fork = {node, callee->name.symbol, routine ? routine->node : NULL};
        array_push(effects->arena, &effects->forks, fork);
    }
    visit_children(effects, node);
}

static void visit(Node **slot, void *data) {
    Effects *effects = data;
    Node *node = *slot;
    effects_note_changes(effects, node);
    switch (node->kind) {
    case NODE_PROC: visit_routine(effects, node, node->proc.info); return;
    case NODE_FUNCTION: visit_routine(effects, node, node->function.info); return;
    case NODE_DEF:
        if (node->def.symbol && effects->context) {
            note_definition(effects->context, node->def.symbol);
        }
        return;
    case NODE_NAME: effects_note_name(effects, node); return;
    case NODE_PAR: visit_par(effects, node); return;
    case NODE_SEQ: visit_seq(effects, node); return;
    case NODE_IF: visit_if(effects, node); return;
    case NODE_VALOF: visit_valof(effects, node); return;
    case NODE_INPUT: visit_input(effects, node); return;
    case NODE_ASSIGN: visit_assign(effects, node); return;
    case NODE_INPUT_CASE: visit_input_case(effects, node); return;
    case NODE_OUTPUT: visit_output(effects, node); return;
    case NODE_CALL: effects_note_call(effects, node, &node->call.actuals); break;
    case NODE_FORK: visit_fork(effects, node); return;
    case NODE_FORKING:
        if (node->forking.symbol && effects->context) {
            note_definition(effects->context, node->forking.symbol);
        }
        visit_waiting(effects, node);
        return;
    case NODE_CLOSE: visit_end(effects, node, node->close.end); return;
    case NODE_CLOSED: visit_end(effects, node, node->closed.end); return;
    case NODE_CLAIM:
        if (node->claim.claimed && effects->context) {
            note_definition(effects->context, node->claim.claimed);
        }
        visit_waiting(effects, node);
        return;
    case NODE_ALT:
    case NODE_DELAY:
    case NODE_EXTENDED_INPUT: visit_waiting(effects, node); return;
    case NODE_SUSPEND:
        effects_note_suspend(effects, node);
        visit_waiting(effects, node);
        return;
    case NODE_RESUME:
    case NODE_DROP: effects_note_phase(effects, node); break;
    case NODE_SYNC:
    case NODE_NEXT:
    case NODE_RESIGN:
        effects_note_phase(effects, node);
        visit_waiting(effects, node);
        return;
    case NODE_FUNCTION_CALL:
    case NODE_MONADIC:
    case NODE_DYADIC: effects_note_callee(effects, node_callee(node)); break;
    /* by their parts, if at all */
    case NODE_BLOCK:
    case NODE_SKIP:
    case NODE_STOP:
    case NODE_CASE:
    case NODE_WHILE:
    case NODE_WHILE_INPUT:
    case NODE_ENROLL:
    case NODE_PROCESSOR:
    case NODE_ASM:
    case NODE_DYNCALL:
    case NODE_KINDS_OF_VALUE:
    case NODE_MOVE:
    case NODE_PHASE:
    case NODE_DECLARATION:
    case NODE_ABBREVIATION:
    case NODE_KINDS_OF_DEFINITION:
    case NODE_PLACE:
    case NODE_TAG:
    case NODE_TAG_FROM:
    case NODE_RECORD:
    case NODE_FIELD_DEF:
    case NODE_FORMAL:
    case NODE_REPLICATOR:
    case NODE_ELSEWHERE:
    case NODE_KINDS_OF_WAY:
    case NODE_KINDS_OF_TYPE:
    case NODE_BROKEN:
    case NODE_UNIT: break;
    case NODE_KIND_COUNT: bug("node of no kind");
    }
    visit_children(effects, node);
}

void check_effects(Compiler *compiler, Node *unit) {
    Effects effects = {.compiler = compiler, .arena = compiler->arena};
    visit_children(&effects, unit);
    effects_solve(&effects);
}
