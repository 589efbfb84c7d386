/* first_call -- what routines do first with parameters that they get by reference.
 *
 * Holds:  each formal of a routine is examined once; meanwhile, and where calls are nested deeply,
 *         the routine is assumed to read it. */
#include "../../frontend/base/name_map.h"
#include "first_walk.h"
#include "routine.h"

enum { DEPTH_MAX = 64 };

/* What a routine does with a parameter by reference, before anything else. */
typedef enum FormalUse {
    FORMAL_UNKNOWN,
    FORMAL_READS,  /* may read it; also while this is worked out */
    FORMAL_LEAVES, /* does not read it first, but need not write all of it */
    FORMAL_WRITES
} FormalUse;

static FormalUse use_in(const Walk *outside, const Symbol *formal, Node *body) {
    Part part = {.symbol = formal, .type = formal->type};
    Walk walk = {.emitter = outside->emitter, .part = &part, .depth = outside->depth + 1};
    first_walk(&walk, body);
    return part.fails ? FORMAL_READS : part.is_whole ? FORMAL_WRITES : FORMAL_LEAVES;
}

static FormalUse use_of_formal(const Walk *walk, const Node *routine, const Symbol *formal) {
    NameMap *uses = &walk->emitter->first_uses;
    uses->arena = walk->emitter->arena;
    FormalUse *known = name_map_find(uses, &formal, sizeof formal);
    if (known == NULL) {
        known = arena_new(uses->arena, FormalUse);
        *name_map_at(uses, &formal, sizeof formal) = known;
        *known = FORMAL_READS;
        *known = walk->depth < DEPTH_MAX ? use_in(walk, formal, routine->proc.body) : FORMAL_READS;
    }
    return *known;
}

/* FORMAL_READS also for a formal by value, and where the body is not available. */
static FormalUse use_of_actual(const Walk *walk, const Node *routine, size_t index) {
    const ProcInfo *info =
        routine != NULL && routine->kind == NODE_PROC ? routine->proc.info : NULL;
    if (info == NULL || info->elsewhere != NULL || index >= routine->proc.formals.count) {
        return FORMAL_READS;
    }
    const Node *formal = routine->proc.formals.items[index];
    bool is_value = formal->formal.mode == FORMAL_VAL || formal->formal.mode == FORMAL_INITIAL;
    return is_value ? FORMAL_READS : use_of_formal(walk, routine, formal->formal.def->def.symbol);
}

void first_walk_call(Walk *walk, Node *call) {
    const Node *name = call->call.callee;
    const NodeList *actuals = &call->call.actuals;
    if (name->kind != NODE_NAME) {
        first_fail_if_named(walk, call);
        return;
    }
    const Node *routine = name->name.symbol->definition;
    first_call(walk, name->name.symbol);
    for (size_t i = 0; i < actuals->count; i++) {
        const Node *actual = actuals->items[i];
        if (!part_is_element(walk->part, actual) ||
            use_of_actual(walk, routine, i) == FORMAL_READS) {
            first_read(walk, actual);
        } else {
            first_choose(walk, actual);
        }
    }
    for (size_t i = 0; i < actuals->count; i++) {
        const Node *actual = actuals->items[i];
        if (part_is_element(walk->part, actual) &&
            use_of_actual(walk, routine, i) == FORMAL_WRITES) {
            part_write(walk->part, actual);
        }
    }
}
