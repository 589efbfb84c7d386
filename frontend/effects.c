/* effects -- the walk that gathers names, calls, changes and communications, context by context.
 *
 * A context is a routine, a component of a PAR, or a VALOF. A name is noted in the innermost one;
 * when a context closes, what it noted goes to the one around it. Definitions inside of a context
 * have neighbouring numbers, because check_types numbered them in the same order; so `defined
 * inside` is a comparison. */
#include "effects.h"

#include "check.h"
#include "predefined.h"

#include <stdlib.h>

typedef struct EffectContext {
    struct EffectContext *outer;
    RoutineEffects *routine; /* the innermost around it; NULL at the outermost level */
    bool is_routine;
    SymbolList used;
    NodeList callees;
    uint32_t first; /* > last: nothing is defined inside */
    uint32_t last;
    size_t valof_calls; /* VALOF: where its calls begin in Effects.valof_calls */
    bool is_valof;
} EffectContext;

RoutineEffects *effects_of(const Symbol *routine) {
    const Node *node = routine ? routine->definition : NULL;
    if (!node || (node->kind != NODE_PROC && node->kind != NODE_FUNCTION)) {
        return NULL;
    }
    const ProcInfo *info = node->kind == NODE_PROC ? node->proc.info : node->function.info;
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

static const Node *element_root(const Node *node) {
    for (;;) {
        switch ((int)node->kind) {
        case NODE_NAME: return node;
        case NODE_SUBSCRIPT: node = node->subscript.base; break;
        case NODE_FIELD: node = node->field.base; break;
        case NODE_SEGMENT: node = node->segment.base; break;
        case NODE_END: node = node->end.channel; break;
        default: return NULL;
        }
    }
}

Symbol *effects_root(const Node *element) {
    const Node *name = element_root(element);
    Symbol *symbol = name ? name->name.symbol : NULL;
    while (symbol && symbol->kind == SYMBOL_REFERENCE && symbol->definition &&
           symbol->definition->kind == NODE_ABBREVIATION) {
        name = element_root(symbol->definition->abbreviation.value);
        symbol = name ? name->name.symbol : NULL;
    }
    return symbol;
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

/* ---- what is noted ---- */

static bool is_object(const Symbol *symbol) {
    switch (symbol->kind) {
    case SYMBOL_VARIABLE:
    case SYMBOL_REFERENCE:
    case SYMBOL_VALUE:
    case SYMBOL_REPLICATOR:
    case SYMBOL_FORMAL: return !symbol->constant;
    case SYMBOL_PROC:
    case SYMBOL_FUNCTION:
    case SYMBOL_PREDEFINED:
    case SYMBOL_PROTOCOL:
    case SYMBOL_DATA_TYPE:
    case SYMBOL_CHAN_TYPE:
    case SYMBOL_PROC_TYPE: return false;
    }
    return false;
}

static void note_name(Effects *effects, const Node *node) {
    Symbol *symbol = node->name.symbol;
    if (symbol && symbol->definition && is_object(symbol) && effects->context) {
        array_push(effects->arena, &effects->context->used, symbol);
    }
}

static void note_callee(Effects *effects, Symbol *symbol) {
    bool is_routine = symbol && symbol->definition &&
                      (symbol->kind == SYMBOL_PROC || symbol->kind == SYMBOL_FUNCTION);
    if (is_routine && effects->context) {
        array_push(effects->arena, &effects->context->callees, symbol->definition);
    }
}

static RoutineEffects *current_routine(const Effects *effects) {
    return effects->context ? effects->context->routine : NULL;
}

/* What was noted last of an object, on its Symbol.usage: so that a routine notes it once. */
typedef struct ObjectNote {
    const RoutineEffects *routine;
    bool is_written;
    bool is_input;
    bool is_output;
} ObjectNote;

static ObjectNote *note_of(Effects *effects, Symbol *symbol, const RoutineEffects *routine) {
    ObjectNote *note = symbol->usage;
    if (!note) {
        note = symbol->usage = arena_new(effects->arena, ObjectNote);
        array_push(effects->arena, &effects->noted, symbol);
    }
    if (note->routine != routine) {
        *note = (ObjectNote){.routine = routine};
    }
    return note;
}

static void note_written(Effects *effects, const Node *element) {
    RoutineEffects *routine = current_routine(effects);
    Symbol *root = effects_root(element);
    if (!routine || !root || root->owner == routine->node) {
        return;
    }
    ObjectNote *note = note_of(effects, root, routine);
    if (!note->is_written) {
        EffectUse use = {root, element->at};
        array_push(effects->arena, &routine->written, use);
        note->is_written = true;
    }
}

static void note_written_items(Effects *effects, const NodeList *items) {
    for (size_t i = 0; i < items->count; i++) {
        const Node *item = items->items[i];
        if (item->kind == NODE_COUNTED) {
            note_written(effects, item->counted.count);
            note_written(effects, item->counted.array);
        } else {
            note_written(effects, item);
        }
    }
}

static void note_communication(Effects *effects, const Node *node, bool waits) {
    RoutineEffects *routine = current_routine(effects);
    if (!routine) {
        return;
    }
    if (!routine->communicates) {
        routine->communicates_at = node->at;
    }
    routine->communicates = true;
    routine->may_wait = routine->may_wait || waits;
}

/* Single channels only: the elements of an array may each have their own direction. */
static void note_direction(Effects *effects, Symbol *symbol, Direction direction, Location at) {
    RoutineEffects *routine = current_routine(effects);
    if (!routine || !symbol->type || symbol->type->kind != TYPE_CHANNEL) {
        return;
    }
    ObjectNote *note = note_of(effects, symbol, routine);
    EffectUse use = {symbol, at};
    if (direction == DIRECTION_INPUT && !note->is_input) {
        array_push(effects->arena, &routine->inputs, use);
        note->is_input = true;
    } else if (direction == DIRECTION_OUTPUT && !note->is_output) {
        array_push(effects->arena, &routine->outputs, use);
        note->is_output = true;
    }
}

static void note_channel(Effects *effects, const Node *channel, Direction direction) {
    if (channel->kind == NODE_TABLE) {
        for (size_t i = 0; i < channel->table.items.count; i++) {
            note_channel(effects, channel->table.items.items[i], direction);
        }
        return;
    }
    Symbol *root = effects_root(channel);
    if (root) {
        bool is_end = channel->kind == NODE_END;
        note_direction(effects, root, is_end ? channel->end.direction : direction, channel->at);
    }
}

/* Channels that the callee uses freely are used by the caller too. */
static void note_free_channels(Effects *effects, const RoutineEffects *callee, Location at) {
    for (size_t i = 0; i < callee->inputs.count; i++) {
        if (callee->inputs.items[i].symbol->owner != callee->node) {
            note_direction(effects, callee->inputs.items[i].symbol, DIRECTION_INPUT, at);
        }
    }
    for (size_t i = 0; i < callee->outputs.count; i++) {
        if (callee->outputs.items[i].symbol->owner != callee->node) {
            note_direction(effects, callee->outputs.items[i].symbol, DIRECTION_OUTPUT, at);
        }
    }
}

/* ---- calls ---- */

static void note_actual(Effects *effects, const Node *actual, const Symbol *callee,
                        const Symbol *formal) {
    if (!formal->type || type_is_error(formal->type)) {
        return;
    }
    if (type_is_channel(formal->type)) {
        effects_check_actual_direction(effects, actual, callee, formal);
        note_channel(effects, actual, formal->direction);
    } else if (formal->formal_mode == FORMAL_REFERENCE || formal->formal_mode == FORMAL_RESULT) {
        if (type_is_data(formal->type)) {
            note_written(effects, actual);
        }
    }
}

static void note_call(Effects *effects, Node *node) {
    const Node *name = node->call.callee;
    Symbol *callee = name->kind == NODE_NAME ? name->name.symbol : NULL;
    note_callee(effects, callee);
    if (!callee) {
        return;
    }
    if (callee->kind == SYMBOL_PREDEFINED && callee->predefined == PREDEFINED_RESCHEDULE) {
        note_communication(effects, node, true);
    }
    if (callee->kind == SYMBOL_PREDEFINED) {
        for (size_t i = 0; i < node->call.actuals.count; i++) {
            if (predefined_is_reference(callee->predefined, i)) {
                note_written(effects, node->call.actuals.items[i]);
            }
        }
    }
    if (callee->kind != SYMBOL_PROC || !callee->definition) {
        return;
    }
    if (effects_of(callee)) {
        note_free_channels(effects, effects_of(callee), node->at);
    }
    const NodeList *formals = &callee->definition->proc.formals;
    for (size_t i = 0; i < node->call.actuals.count && i < formals->count; i++) {
        const Node *formal = formals->items[i];
        if (formal->kind == NODE_FORMAL && formal->formal.def->def.symbol) {
            note_actual(effects, node->call.actuals.items[i], callee,
                        formal->formal.def->def.symbol);
        }
    }
    for (EffectContext *at = effects->context; at && !at->is_routine; at = at->outer) {
        if (at->is_valof) {
            ValofCall call = {.call = node, .callee = callee};
            array_push(effects->arena, &effects->valof_calls, call);
            return;
        }
    }
}

/* ---- the walk ---- */

static void visit(Node **slot, void *data);

static void visit_children(Effects *effects, Node *node) {
    node_visit_children(node, visit, effects);
}

static void visit_par(Effects *effects, Node *node) {
    note_communication(effects, node, true);
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
    info->effects = routine;
    array_push(effects->arena, &effects->routines, routine);
}

static void visit_input(Effects *effects, Node *node) {
    bool is_channel = node->input.channel->type && node->input.channel->type->kind == TYPE_CHANNEL;
    note_communication(effects, node, is_channel);
    note_channel(effects, node->input.channel, DIRECTION_INPUT);
    note_written_items(effects, &node->input.items);
    visit_children(effects, node);
}

static void visit_input_case(Effects *effects, Node *node) {
    note_communication(effects, node, true);
    note_channel(effects, node->input_case.channel, DIRECTION_INPUT);
    for (size_t i = 0; i < node->input_case.variants.count; i++) {
        const Node *variant = node->input_case.variants.items[i];
        if (variant->kind == NODE_VARIANT) {
            note_written_items(effects, &variant->variant.items);
        }
    }
    visit_children(effects, node);
}

static void visit_output(Effects *effects, Node *node) {
    bool is_channel =
        node->output.channel->type && node->output.channel->type->kind == TYPE_CHANNEL;
    note_communication(effects, node, is_channel);
    note_channel(effects, node->output.channel, DIRECTION_OUTPUT);
    visit_children(effects, node);
}

static void visit_waiting(Effects *effects, Node *node) {
    note_communication(effects, node, true);
    visit_children(effects, node);
}

static void visit(Node **slot, void *data) {
    Effects *effects = data;
    Node *node = *slot;
    switch ((int)node->kind) {
    case NODE_PROC: visit_routine(effects, node, node->proc.info); return;
    case NODE_FUNCTION: visit_routine(effects, node, node->function.info); return;
    case NODE_DEF:
        if (node->def.symbol && effects->context) {
            note_definition(effects->context, node->def.symbol);
        }
        return;
    case NODE_NAME: note_name(effects, node); return;
    case NODE_PAR: visit_par(effects, node); return;
    case NODE_VALOF: visit_valof(effects, node); return;
    case NODE_ASSIGN: note_written_items(effects, &node->assign.targets); break;
    case NODE_INPUT: visit_input(effects, node); return;
    case NODE_INPUT_CASE: visit_input_case(effects, node); return;
    case NODE_OUTPUT: visit_output(effects, node); return;
    case NODE_CALL: note_call(effects, node); break;
    case NODE_FUNCTION_CALL:
        if (node->function_call.callee->kind == NODE_NAME) {
            note_callee(effects, node->function_call.callee->name.symbol);
        }
        break;
    case NODE_MONADIC: note_callee(effects, node->monadic.user_operator); break;
    case NODE_DYADIC: note_callee(effects, node->dyadic.user_operator); break;
    case NODE_ALT:
    case NODE_DELAY:
    case NODE_EXTENDED_INPUT:
    case NODE_CLAIM:
    case NODE_SYNC:
    case NODE_NEXT:
    case NODE_FORKING:
    case NODE_RESIGN:
    case NODE_CLOSE:
    case NODE_SUSPEND: visit_waiting(effects, node); return;
    }
    visit_children(effects, node);
}

void effects_walk(Effects *effects, Node *unit) {
    visit_children(effects, unit);
}

void check_effects(Compiler *compiler, Node *unit) {
    Effects effects = {.compiler = compiler, .arena = compiler->arena};
    effects_walk(&effects, unit);
    effects_solve(&effects);
    for (size_t i = 0; i < effects.noted.count; i++) {
        effects.noted.items[i]->usage = NULL;
    }
}
