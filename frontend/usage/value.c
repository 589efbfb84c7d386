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

static NotesOf *notes_of(UsageWalk *walk, const Symbol *symbol) {
    NotesOf *notes = symbol_map_get(&walk->values->noted, symbol);
    if (!notes) {
        notes = arena_new(walk->arena, NotesOf);
        symbol_map_set(walk->arena, &walk->values->noted, symbol, notes);
    }
    return notes;
}

/* What it was at the mark is noted already. */
static bool is_noted(const Values *values, const NotesOf *of, const Symbol *symbol, bool is_fixed) {
    if (of->last < values->mark || of->last >= values->notes.count) {
        return false;
    }
    const ValueNote *last = &values->notes.items[of->last];
    return last->symbol == symbol && last->is_fixed == is_fixed;
}

void value_push(UsageWalk *walk, Symbol *symbol, VariableValue *value, bool is_fixed) {
    Values *values = walk->values;
    NotesOf *of = notes_of(walk, symbol);
    if (!is_noted(values, of, symbol, is_fixed)) {
        of->last = values->notes.count;
        of->changes += !is_fixed;
        array_push(walk->arena, &values->notes,
                   ((ValueNote){symbol, value_of(walk, symbol), is_fixed}));
    }
    value_put(walk, symbol, value);
}

bool value_is_noted(const UsageWalk *walk, const Symbol *symbol) {
    const NotesOf *of = symbol_map_get(&walk->values->noted, symbol);
    return of && of->changes > 0 && value_of(walk, symbol);
}

VariableValue *value_new(Arena *arena, const IndexExpr *value, const IndexExpr *first) {
    VariableValue *known = arena_new(arena, VariableValue);
    *known = (VariableValue){.value = value, .first = first};
    return known;
}

size_t value_mark(UsageWalk *walk) {
    walk->values->mark = walk->values->notes.count;
    return walk->values->mark;
}

void value_restore(UsageWalk *walk, size_t mark) {
    Values *values = walk->values;
    while (values->notes.count > mark) {
        const ValueNote *note = &values->notes.items[--values->notes.count];
        notes_of(walk, note->symbol)->changes -= !note->is_fixed;
        value_put(walk, note->symbol, note->before);
    }
    values->mark = mark; /* there may be others behind the last of those before it */
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
