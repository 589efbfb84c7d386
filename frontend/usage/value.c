/* value -- what is known of each variable, and how it is undone. See value.h. */
#include "values.h"

Values *value_start(Arena *arena) {
    return arena_new(arena, Values);
}

VariableValue *value_of(const UsageWalk *walk, const Symbol *symbol) {
    return symbol_map_get(&walk->values->variables, symbol);
}

void value_put(UsageWalk *walk, const Symbol *symbol, VariableValue *value) {
    symbol_map_set(walk->arena, &walk->values->variables, symbol, value);
}

void value_push(UsageWalk *walk, Symbol *symbol, VariableValue *value, bool is_fixed) {
    ValueNote note = {symbol, value_of(walk, symbol), is_fixed};
    array_push(walk->arena, &walk->values->notes, note);
    value_put(walk, symbol, value);
}

VariableValue *value_new(Arena *arena, const IndexExpr *value, const IndexExpr *first) {
    VariableValue *known = arena_new(arena, VariableValue);
    *known = (VariableValue){.value = value, .first = first};
    return known;
}

size_t value_mark(const UsageWalk *walk) {
    return walk->values->notes.count;
}

void value_restore(UsageWalk *walk, size_t mark) {
    while (walk->values->notes.count > mark) {
        const ValueNote *note = &walk->values->notes.items[--walk->values->notes.count];
        value_put(walk, note->symbol, note->before);
    }
}

bool value_is_open(const UsageWalk *walk, const Symbol *symbol) {
    const VariableValue *known = value_of(walk, symbol);
    return !known || !known->value || known->value->is_assigned;
}

const IndexExpr *value_assigned(const UsageWalk *walk, const Symbol *symbol) {
    const VariableValue *known = value_of(walk, symbol);
    return known ? known->first : NULL;
}

const IndexExpr *value_at(const UsageWalk *walk, const Symbol *symbol) {
    const VariableValue *known = value_of(walk, symbol);
    if (!known) {
        return NULL;
    }
    bool takes_first = walk->values->reads_assigned && value_is_open(walk, symbol);
    return takes_first ? known->first : known->value;
}

void value_hide_loop(UsageWalk *walk, bool begins) {
    walk->values->whiles += begins ? 1U : -1U;
}

void value_begin_par(UsageWalk *walk, const Node *par) {
    value_forget_changed(walk, par);
    value_hide_marked(walk);
}
