/* check_place -- PLACE x AT e: and PLACED T x AT e: (language.md 1.4, 3.5).
 *
 * Holds: only what a declaration made has a place, and it is placed once. PORTs at one constant
 *        address are one object by several names: to the usage check they are the first of them. */
#include "checker.h"

static void check_placed_name(Checker *checker, const Node *node) {
    Symbol *symbol = node_root(node->place.element);
    const Type *type = node->place.element->type;
    if (!symbol || (type && type_is_error(type))) {
        return;
    }
    Location at = node->place.element->at;
    if (symbol->kind != SYMBOL_VARIABLE) { /* a value, or another name for what has a place */
        diag_report(checker->diag, DIAG_TYPES_PLACED_NAME, at, symbol->name->bytes);
        symbol_label(checker, symbol, "is defined here");
    } else if (symbol->is_placed) {
        diag_report(checker->diag, DIAG_TYPES_PLACED_TWICE, at, symbol->name->bytes);
        symbol_label(checker, symbol, "is declared here");
    }
    symbol->is_placed = true;
}

static void define_placed(Checker *checker, Node *node) {
    const Type *type = check_type(checker, node->place.type_expr);
    Symbol *symbol = symbol_define(checker, SYMBOL_VARIABLE, node->place.element, type, node);
    symbol->is_placed = true;
}

static void note_port(Checker *checker, const Node *node, Symbol *symbol) {
    const Constant *address = node->place.at ? node->place.at->constant : NULL;
    if (!symbol || !address) {
        return;
    }
    for (size_t i = 0; i < checker->placed.count && !symbol->placed_as; i++) {
        const PlacedPort *other = &checker->placed.items[i];
        bool is_near = other->symbol->owner == symbol->owner && other->symbol != symbol;
        if (is_near && other->address == address->integer) {
            symbol->placed_as = other->symbol;
        }
    }
    PlacedPort port = {symbol, address->integer};
    array_push(checker->arena, &checker->placed, port);
}

static Symbol *placed_symbol(const Node *element) {
    return element->kind == NODE_DEF ? element->def.symbol : node_root(element);
}

void check_place(Checker *checker, Node *node) {
    if (node->place.at) {
        check_integer(checker, &node->place.at);
    }
    if (node->place.form == PLACED_TYPE && node->place.element->kind == NODE_DEF) {
        define_placed(checker, node);
    } else if (node->place.element->kind != NODE_DEF) {
        check_element(checker, &node->place.element);
        element_mark_used(node->place.element);
        check_placed_name(checker, node);
    }
    bool has_address = node->place.form == PLACE_AT || node->place.form == PLACED_TYPE;
    const Type *type = node->place.element->type;
    if (has_address && type && !type_is_error(type) && type_leaf(type)->kind != TYPE_PORT) {
        diag_report(checker->diag, DIAG_TYPES_PLACE, node->at);
        diag_hint(checker->diag, "only PORTs have addresses here; others lie where they fit");
    } else if (has_address) {
        note_port(checker, node, placed_symbol(node->place.element));
    }
}
