/* symbol -- see symbol.h. */
#include "symbol.h"

static bool is_abbreviation(const Symbol *symbol) {
    return symbol->kind == SYMBOL_REFERENCE && symbol->definition &&
           symbol->definition->kind == NODE_ABBREVIATION;
}

Symbol *symbol_abbreviated(const Symbol *symbol) {
    return is_abbreviation(symbol) ? node_root(symbol->definition->abbreviation.value) : NULL;
}

Symbol *symbol_object(const Symbol *symbol) {
    while (symbol && is_abbreviation(symbol)) {
        symbol = symbol_abbreviated(symbol);
    }
    return (Symbol *)symbol;
}

bool symbol_is_given_by_value(const Symbol *symbol) {
    bool is_fixed = symbol->kind == SYMBOL_VALUE || symbol->kind == SYMBOL_REPLICATOR ||
                    (symbol->kind == SYMBOL_FORMAL && symbol->formal_mode == FORMAL_VAL);
    return is_fixed && type_is_scalar(symbol->type);
}

bool symbol_is_reference_formal(const Symbol *formal) {
    return formal &&
           (formal->formal_mode == FORMAL_REFERENCE || formal->formal_mode == FORMAL_RESULT);
}

bool symbol_is_shared(const Symbol *symbol) {
    const Symbol *object = symbol_object(symbol);
    return symbol->permits_sharing || symbol->is_placed || symbol->invariants ||
           (object && (object->permits_sharing || object->is_placed || object->invariants));
}

Direction symbol_direction(const Symbol *symbol, const Node *element) {
    return element->kind == NODE_END ? element->end.direction : symbol->direction;
}

bool routine_is_told_at_call(const ProcInfo *info) {
    return info->asks_caller && info->may_wait;
}
