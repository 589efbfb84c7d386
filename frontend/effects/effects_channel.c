/* effects_channel -- directions of channels without ? or ! in their declaration: the use inside of
 * a routine tells (language.md 2.1, 3.2).
 *
 * Holds: a routine's formals have their direction before any call of it is walked, because it is
 *        defined before; within recursion the direction may still be unknown, and nothing is said.
 */
#include "effects.h"

#define ELEMENT_LIMIT 200 /* compared with each other */

static const EffectUse *find_use(const EffectUseList *list, const Symbol *symbol) {
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].symbol == symbol) {
            return &list->items[i];
        }
    }
    return NULL;
}

static bool is_local(const RoutineEffects *routine, const Symbol *symbol) {
    return symbol->owner == routine->node && symbol->kind != SYMBOL_FORMAL;
}

static void report_both(Effects *effects, const RoutineEffects *routine, const Symbol *symbol,
                        Location output, Location input) {
    Diag *diag = effects->compiler->diag;
    diag_report(diag, DIAG_TYPES_BOTH_DIRECTIONS, output, symbol->name->bytes,
                routine->info->symbol->name->bytes);
    diag_label(diag, input, "input here");
    diag_primary_label(diag, "output here");
}

/* c[1] and c[1] */
static bool is_same_element(const EffectElement *one, const EffectElement *other) {
    const Node *left = one->node;
    const Node *right = other->node;
    bool is_same = one->symbol == other->symbol;
    while (is_same && left->kind == NODE_SUBSCRIPT && right->kind == NODE_SUBSCRIPT) {
        is_same =
            left->subscript.index->constant->integer == right->subscript.index->constant->integer;
        left = left->subscript.base;
        right = right->subscript.base;
    }
    return is_same && left->kind == NODE_NAME && right->kind == NODE_NAME &&
           left->name.symbol == right->name.symbol;
}

/* The same of one channel of an array: the first that is used both ways. */
static void check_both_of_element(Effects *effects, const RoutineEffects *routine) {
    for (size_t i = 0; i < routine->elements.count && i < ELEMENT_LIMIT; i++) {
        const EffectElement *output = &routine->elements.items[i];
        bool is_own = is_local(routine, output->symbol) || output->symbol->permits_sharing;
        for (size_t k = 0; !is_own && k < routine->elements.count && k < ELEMENT_LIMIT; k++) {
            const EffectElement *input = &routine->elements.items[k];
            if (output->direction == DIRECTION_OUTPUT && input->direction == DIRECTION_INPUT &&
                is_same_element(output, input)) {
                report_both(effects, routine, output->symbol, output->node->at, input->node->at);
                return;
            }
        }
    }
}

/* Both uses are those of a routine that is called here, which was told. */
static bool is_of_one_call(const EffectUse *output, const EffectUse *input) {
    return output->at.file == input->at.file && output->at.line == input->at.line &&
           output->at.column == input->at.column;
}

/* One process cannot hold both ends of a channel it did not declare. */
static void check_both(Effects *effects, const RoutineEffects *routine) {
    const Symbol *reported = NULL;
    for (size_t i = 0; i < routine->outputs.count; i++) {
        const EffectUse *output = &routine->outputs.items[i];
        const Symbol *symbol = output->symbol;
        const EffectUse *input =
            is_local(routine, symbol) ? NULL : find_use(&routine->inputs, symbol);
        if (!input || symbol == reported || symbol->permits_sharing ||
            is_of_one_call(output, input)) {
            continue;
        }
        reported = symbol;
        report_both(effects, routine, symbol, output->at, input->at);
    }
    check_both_of_element(effects, routine);
}

void effects_infer_directions(Effects *effects, RoutineEffects *routine) {
    check_both(effects, routine);
    const NodeList *formals = node_formals(routine->node);
    for (size_t i = 0; i < formals->count; i++) {
        const Node *formal = formals->items[i];
        Symbol *symbol = formal->kind == NODE_FORMAL ? formal->formal.def->def.symbol : NULL;
        if (!symbol || symbol->direction != DIRECTION_NONE || !symbol->type ||
            symbol->type->kind != TYPE_CHANNEL) {
            continue;
        }
        bool inputs = find_use(&routine->inputs, symbol) != NULL;
        bool outputs = find_use(&routine->outputs, symbol) != NULL;
        if (inputs != outputs) {
            symbol->direction = inputs ? DIRECTION_INPUT : DIRECTION_OUTPUT;
        }
    }
}

static Direction known_direction(const Node *node) {
    while (node->kind == NODE_SUBSCRIPT || node->kind == NODE_SEGMENT) {
        node = element_base(node);
    }
    if (node->kind == NODE_END) {
        return node->end.direction;
    }
    return node->kind == NODE_NAME && node->name.symbol ? node->name.symbol->direction
                                                        : DIRECTION_NONE;
}

void effects_check_actual_direction(Effects *effects, const Node *actual, const Symbol *callee,
                                    const Symbol *formal) {
    const Node *definition = formal->definition;
    bool is_declared = definition && definition->kind == NODE_FORMAL &&
                       definition->formal.def->def.direction != DIRECTION_NONE;
    Direction given = known_direction(actual);
    if (is_declared || given == DIRECTION_NONE || formal->direction == DIRECTION_NONE ||
        given == formal->direction || type_is_error(actual->type)) {
        return;
    }
    Diag *diag = effects->compiler->diag;
    diag_report(diag, DIAG_TYPES_ACTUAL_DIRECTION, actual->at,
                given == DIRECTION_INPUT ? "input end (?)" : "output end (!)", formal->name->bytes,
                callee->name->bytes,
                formal->direction == DIRECTION_INPUT ? "inputs from" : "outputs to");
    diag_label(diag, formal->at, "'%s' is declared here", formal->name->bytes);
}
