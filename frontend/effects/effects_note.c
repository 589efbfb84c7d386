/* effects_note -- what the walk notes of the routine it is in: names, calls, changes, channels. */
#include "effects.h"

#include "changes.h"
#include "predefined.h"

Symbol *effects_root(const Node *element) {
    return symbol_object(node_root(element));
}

static bool is_object(const Symbol *symbol) {
    switch (symbol->kind) {
    case SYMBOL_VARIABLE:
    case SYMBOL_REFERENCE:
    case SYMBOL_VALUE:
    case SYMBOL_REPLICATOR:
    case SYMBOL_FORMAL: return !symbol->constant;
    case SYMBOL_KINDS_OF_DEFINITION: return false;
    }
    return false;
}

void effects_note_name(Effects *effects, const Node *node) {
    effects_note_symbol(effects, node->name.symbol);
}

void effects_note_symbol(Effects *effects, Symbol *symbol) {
    if (symbol && symbol->definition && is_object(symbol) && effects->context) {
        array_push(effects->arena, &effects->context->used, symbol);
    }
}

void effects_note_callee(Effects *effects, const Symbol *symbol) {
    bool is_routine = symbol && symbol->definition &&
                      (symbol->kind == SYMBOL_PROC || symbol->kind == SYMBOL_FUNCTION);
    if (is_routine && effects->context) {
        array_push(effects->arena, &effects->context->callees, symbol->definition);
    }
}

static RoutineEffects *current_routine(const Effects *effects) {
    return effects->context ? effects->context->routine : NULL;
}

/* In a branch of a PAR, which is another process. */
static bool is_in_branch(const Effects *effects) {
    const EffectContext *context = effects->context;
    while (context && !context->is_routine && (context->is_valof || context->is_part)) {
        context = context->outer;
    }
    return context && !context->is_routine;
}

static void note_own_call(Effects *effects, const Node *node, const Symbol *callee) {
    RoutineEffects *routine = current_routine(effects);
    if (callee->kind == SYMBOL_PROC && node->kind == NODE_CALL && callee->definition && routine &&
        !is_in_branch(effects)) {
        array_push(effects->arena, &routine->callees, callee->definition);
    }
}

/* What was noted last of an object, so that a routine notes it once. */
struct ObjectNote {
    const RoutineEffects *routine;
    bool is_written;
    bool is_input;
    bool is_output;
};

static ObjectNote *note_of(Effects *effects, Symbol *symbol, const RoutineEffects *routine) {
    ObjectNote *note = symbol_map_get(&effects->noted, symbol);
    if (!note) {
        note = arena_new(effects->arena, ObjectNote);
        symbol_map_set(effects->arena, &effects->noted, symbol, note);
    }
    if (note->routine != routine) {
        *note = (ObjectNote){.routine = routine};
    }
    return note;
}

static void note_written(void *context, const Node *element) {
    Effects *effects = context;
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

void effects_note_changes(Effects *effects, const Node *node) {
    node_changes(node, note_written, effects);
}

void effects_note_communication(Effects *effects, const Node *node, bool waits) {
    RoutineEffects *routine = current_routine(effects);
    if (!routine) {
        return;
    }
    if (!routine->communicates) {
        routine->communicates_at = node->at;
    }
    routine->communicates = true;
    routine->may_wait = routine->may_wait || waits;
    routine->meets = routine->meets || (waits && node->kind != NODE_PAR);
}

void effects_note_phase(Effects *effects, const Node *node) {
    RoutineEffects *routine = current_routine(effects);
    bool is_plain = node->kind == NODE_NEXT && node->next.clocks.count == 0;
    if (routine) {
        routine->crosses_phase = true;
        routine->nexts_all = routine->nexts_all || (is_plain && !is_in_branch(effects));
    }
}

void effects_note_suspend(Effects *effects, const Node *suspend) {
    RoutineEffects *routine = current_routine(effects);
    if (routine && !routine->info->suspends && routine->node->kind == NODE_PROC) {
        routine->info->suspends = true;
        routine->info->suspends_at = suspend->at;
    }
}

static bool is_constant_element(const Node *node) {
    while (node->kind == NODE_SUBSCRIPT && node->subscript.index->constant) {
        node = node->subscript.base;
    }
    return node->kind == NODE_NAME;
}

/* A mobile array has both ends of its channels. */
static void note_element(Effects *effects, const Symbol *symbol, Direction direction,
                         const Node *node) {
    RoutineEffects *routine = current_routine(effects);
    const Node *element = node->kind == NODE_END ? node->end.channel : node;
    bool is_element = element->kind == NODE_SUBSCRIPT && element->type &&
                      element->type->kind == TYPE_CHANNEL && is_constant_element(element);
    bool has_both = symbol->type && type_is_mobile(symbol->type);
    if (routine && is_element && !has_both && direction != DIRECTION_NONE) {
        EffectElement one = {symbol, element, direction};
        array_push(effects->arena, &routine->elements, one);
    }
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

void effects_note_channel(Effects *effects, const Node *channel, Direction direction) {
    const Node *table = element_root(channel);
    if (table->kind == NODE_TABLE) {
        for (size_t i = 0; i < table->table.items.count; i++) {
            effects_note_channel(effects, table->table.items.items[i], direction);
        }
        return;
    }
    Symbol *root = effects_root(channel);
    if (root && channel->type && !type_is_error(channel->type)) {
        bool is_end = channel->kind == NODE_END;
        Direction used = is_end ? channel->end.direction : direction;
        note_direction(effects, root, used, channel->at);
        note_element(effects, root, used, channel);
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
        effects_note_channel(effects, actual, formal->direction);
    }
}

void effects_note_call(Effects *effects, const Node *node, const NodeList *actuals) {
    const Symbol *callee = node_callee(node);
    effects_note_callee(effects, callee);
    if (!callee) {
        return;
    }
    note_own_call(effects, node, callee);
    if (callee->kind == SYMBOL_PREDEFINED && predefined_may_wait(callee->predefined)) {
        effects_note_communication(effects, node, true);
    }
    const NodeList *formals = callee_formals(callee);
    if (!formals) {
        return;
    }
    if (callee->kind != SYMBOL_PROC) { /* activation of a mobile process */
        effects_note_communication(effects, node, true);
    } else if (effects_of(callee)) {
        note_free_channels(effects, effects_of(callee), node->at);
    }
    for (size_t i = 0; i < actuals->count && i < formals->count; i++) {
        const Node *formal = formals->items[i];
        if (formal->kind == NODE_FORMAL && formal->formal.def->def.symbol) {
            note_actual(effects, actuals->items[i], callee, formal->formal.def->def.symbol);
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
