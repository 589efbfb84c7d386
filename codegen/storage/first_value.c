/* first_value -- names and expressions, as reads of a variable: see first_use.c. */
#include "evaluation.h"
#include "first_walk.h"
#include "routine.h"

/* ---- names ---- */

typedef struct Search {
    const Symbol *symbol;
    bool is_found;
} Search;

static bool routine_uses(const Symbol *routine, const Symbol *symbol) {
    if (routine == NULL || routine->definition == NULL) {
        return false;
    }
    const Node *node = routine->definition;
    bool is_routine = node->kind == NODE_PROC || node->kind == NODE_FUNCTION;
    const ProcInfo *info = is_routine ? node_info(node) : NULL;
    for (size_t i = 0; info != NULL && i < info->free_names.count; i++) {
        if (info->free_names.items[i] == symbol) {
            return true;
        }
    }
    return false;
}

static void search(Node **child, void *context) {
    Search *state = context;
    Node *node = *child;
    if (state->is_found) {
        return;
    }
    if (node->kind == NODE_NAME) {
        state->is_found =
            node->name.symbol == state->symbol || routine_uses(node->name.symbol, state->symbol);
        return;
    }
    if (node->kind == NODE_MONADIC && node->monadic.user_operator != NULL) {
        state->is_found = routine_uses(node->monadic.user_operator, state->symbol);
    } else if (node->kind == NODE_DYADIC && node->dyadic.user_operator != NULL) {
        state->is_found = routine_uses(node->dyadic.user_operator, state->symbol);
    }
    node_visit_children(node, search, state);
}

bool emit_is_named(Node *node, const Symbol *symbol) {
    Search state = {symbol, false};
    if (node != NULL) {
        search(&node, &state);
    }
    return state.is_found;
}

void first_fail_if_named(Walk *walk, Node *text) {
    walk->part->fails = walk->part->fails || part_is_named(walk->part, text);
}

void first_call(Walk *walk, const Symbol *routine) {
    for (const Part *part = walk->part; part != NULL; part = part->outer) {
        if (routine_uses(routine, part->symbol) ||
            (part->alias != NULL && routine_uses(routine, part->alias))) {
            walk->part->fails = true;
        }
    }
}

/* ---- expressions ---- */

enum { VALUES_MAX = 1000 };

/* Limits the search: n variables written in one list would be searched for in it n times. */
void first_read_each(Walk *walk, const NodeList *values) {
    walk->values += values->count;
    if (walk->values > VALUES_MAX) {
        walk->part->fails = true;
        return;
    }
    for (size_t i = 0; i < values->count; i++) {
        first_read(walk, values->items[i]);
    }
}

static void element_used(void *context, const Node *element, ObjectUse use) {
    Walk *walk = context;
    if (use != OBJECT_END && use != OBJECT_PHASE) {
        part_read(walk->part, element);
    }
}

static void function_called(void *context, const Node *call, const Symbol *callee,
                            const NodeList *actuals) {
    Walk *walk = context;
    (void)call;
    first_call(walk, callee);
    first_read_each(walk, actuals);
}

static void passed(void *context, const Node *node, bool ends) {
    (void)context;
    (void)node;
    (void)ends;
}

/* On a copy: what a VALOF writes does not count, as it may not be evaluated (behind AND). */
static void valof_evaluated(void *context, const Node *valof) {
    Walk *outside = context;
    Part copy = *outside->part;
    Walk walk = *outside;
    walk.part = &copy;
    first_specifications(&walk, &valof->valof.specs, 0);
    first_walk_valof(&walk, valof);
    outside->part->fails = copy.fails;
}

static const Evaluation reading = {element_used, function_called, passed, passed, valof_evaluated};

void first_read(Walk *walk, const Node *value) {
    if (value != NULL) {
        evaluate_value(&reading, walk, value);
    }
}

void first_choose(Walk *walk, const Node *element) {
    evaluate_choice(&reading, walk, element);
}
