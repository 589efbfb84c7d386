/* clock_mobile -- the variables of a process that may hold MOBILE CLOCKs, for NEXT without names.
 *
 * Leaves: their states to the running program: one that is undefined there is passed over.
 * Holds:  a process is enrolled by what its variables hold; so those of the routine, and of the
 *         branch, count, and what the branch is enrolled on. Elements of arrays and records do only
 *         where they have a name. */
#include "clock_walk.h"

void clock_mobile_add(ClockWalk *walk, Symbol *symbol) {
    if (symbol != NULL && symbol->type != NULL && type_is_mobile(symbol->type) &&
        type_content(symbol->type)->kind == TYPE_CLOCK) {
        KnownMobile mobile = {symbol, true};
        array_push(walk->arena, &walk->mobiles, mobile);
    }
}

void clock_mobile_rename(ClockWalk *walk, const Node *value, Symbol *name) {
    for (size_t i = 0; value->kind == NODE_NAME && i < walk->mobiles.count; i++) {
        KnownMobile *mobile = &walk->mobiles.items[i];
        if (mobile->symbol == value->name.symbol && name->type == mobile->symbol->type) {
            mobile->symbol = name;
            return;
        }
    }
    clock_mobile_add(walk, name);
}

MobileList clock_mobile_copy(ClockWalk *walk) {
    MobileList copy = {NULL, 0, 0};
    for (size_t i = 0; i < walk->mobiles.count; i++) {
        array_push(walk->arena, &copy, walk->mobiles.items[i]);
    }
    return copy;
}

void clock_mobile_enter(ClockWalk *walk, const NodeList *enrols, const NodeList *own) {
    for (size_t i = 0; i < walk->mobiles.count; i++) {
        KnownMobile *mobile = &walk->mobiles.items[i];
        mobile->is_mine = clock_is_named(enrols, mobile->symbol) ||
                          (own != NULL && clock_is_named(own, mobile->symbol));
    }
}

size_t clock_mobile_name_all(ClockWalk *walk, Location at, const NodeList *actuals,
                             NodeList *names) {
    size_t count = 0;
    for (size_t i = 0; i < walk->mobiles.count; i++) {
        const KnownMobile *mobile = &walk->mobiles.items[i];
        if (mobile->is_mine && (actuals == NULL || !clock_is_named(actuals, mobile->symbol))) {
            array_push(walk->arena, names, clock_name_node(walk, at, mobile->symbol));
        }
        count += mobile->is_mine;
    }
    return count;
}
