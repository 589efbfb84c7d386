/* effects_channel -- directions of channels without ? or ! in their declaration: the use inside of
 * a routine tells (language.md 2.2, 3.2).
 *
 * Holds: a routine's formals have their direction before any call of it is walked, because it is
 *        defined before; within recursion the direction may still be unknown, and nothing is said.
 */
#include "effects.h"

#include "check.h"

static const EffectUse *find_use(const EffectUseList *list, const Symbol *symbol) {
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].symbol == symbol) {
            return &list->items[i];
        }
    }
    return NULL;
}

/* One process cannot hold both ends of a channel it did not declare. */
static void check_both(Effects *effects, const RoutineEffects *routine) {
    Diag *diag = effects->compiler->diag;
    const Symbol *reported = NULL;
    for (size_t i = 0; i < routine->outputs.count; i++) {
        const EffectUse *output = &routine->outputs.items[i];
        const Symbol *symbol = output->symbol;
        bool is_local = symbol->owner == routine->node && symbol->kind != SYMBOL_FORMAL;
        const EffectUse *input = is_local ? NULL : find_use(&routine->inputs, symbol);
        if (!input || symbol == reported || symbol->permits_sharing) {
            continue;
        }
        reported = symbol;
        diag_report(diag, DIAG_TYPES_BOTH_DIRECTIONS, output->at, symbol->name->bytes,
                    routine->info->symbol->name->bytes);
        diag_label(diag, input->at, "input here");
        diag_primary_label(diag, "output here");
    }
}

static const NodeList *formals_of(const Node *routine) {
    return routine->kind == NODE_PROC ? &routine->proc.formals : &routine->function.formals;
}

void effects_infer_directions(Effects *effects, RoutineEffects *routine) {
    check_both(effects, routine);
    const NodeList *formals = formals_of(routine->node);
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
    for (;;) {
        switch ((int)node->kind) {
        case NODE_END: return node->end.direction;
        case NODE_SUBSCRIPT: node = node->subscript.base; break;
        case NODE_SEGMENT: node = node->segment.base; break;
        case NODE_NAME: return node->name.symbol ? node->name.symbol->direction : DIRECTION_NONE;
        default: return DIRECTION_NONE;
        }
    }
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
