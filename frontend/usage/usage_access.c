/* usage_access -- elements and expressions: which objects they read, write or communicate through.
 */
#include "usage.h"

#include "alias.h"
#include "evaluation.h"

void usage_define(UsageWalk *walk, const Node *def) {
    if (def->kind == NODE_DEF && def->def.symbol && def->def.symbol->number > walk->latest) {
        walk->latest = def->def.symbol->number;
    }
}

static bool is_tracked(const Symbol *symbol) {
    return symbol && region_is_object(symbol) && symbol->type && !type_is_error(symbol->type) &&
           !type_is_timer(symbol->type);
}

static void add_element(UsageWalk *walk, const Node *element, UsageKind kind, Location at,
                        const Symbol *view);

static void use_parts(UsageWalk *walk, const NodeList *parts, UsageKind kind, Location at,
                      const Symbol *view) {
    for (size_t i = 0; i < parts->count; i++) {
        add_element(walk, parts->items[i], kind, at, view);
    }
}

/* What a view shows is used as a whole, as seen from where the view is not known; so is each item
 * of a table in which an element is chosen. */
static void add_element(UsageWalk *walk, const Node *element, UsageKind kind, Location at,
                        const Symbol *view) {
    const Node *root = element_root(element);
    if (root->kind == NODE_TABLE) {
        use_parts(walk, &root->table.items, kind, at, view);
        return;
    }
    ObjectPart part = region_of(&walk->builder, element);
    if (!is_tracked(part.root)) {
        return;
    }
    UsageAccess access = {.root = part.root,
                          .kind = kind,
                          .at = at,
                          .name = part.name,
                          .view = view,
                          .phases = walk->here.phases,
                          .block = walk->here.block};
    access.region.dimensions = part.dimensions;
    access.region.count = part.count;
    access.region.loops = walk->loops;
    access.region.guards = walk->here.guards;
    access.locks = walk->here.locks;
    array_push(walk->arena, &walk->accesses, access);
    if (!view && kind != USAGE_CLAIM) {
        alias_access(walk, &access);
    }
    if (region_is_view(part.root)) {
        add_element(walk, part.root->definition->abbreviation.value, kind, at, part.root);
    }
}

void usage_element(UsageWalk *walk, const Node *element, UsageKind kind) {
    const Node *root = element_root(element);
    if (root->kind == NODE_TABLE) {
        for (size_t i = 0; i < root->table.items.count; i++) {
            usage_element(walk, root->table.items.items[i], kind);
        }
        return;
    }
    add_element(walk, element, kind, element->at, NULL);
}

/* ---- evaluation ---- */

/* Who has a name for its contents keeps it, and a size is a number: no name is made from it. */
static void measured(UsageWalk *walk, const Node *element) {
    size_t start = walk->accesses.count;
    usage_element(walk, element, USAGE_MEASURE);
    if (walk->alias) {
        walk->accesses.count = start;
    }
}

static void use(void *context, const Node *element, ObjectUse use) {
    UsageWalk *walk = context;
    switch (use) {
    case OBJECT_READ:
    case OBJECT_ASKED: usage_element(walk, element, USAGE_READ); return;
    case OBJECT_MOVED: usage_element(walk, element, USAGE_WRITE); return;
    case OBJECT_MEASURED: /* it may move away meanwhile */ measured(walk, element); return;
    case OBJECT_PHASE: /* who may use a CLOCK is checked by itself */
        if (element->type && type_is_mobile(element->type)) {
            usage_element(walk, element, USAGE_READ);
        }
        return;
    case OBJECT_END: {
        bool is_input = element->end.direction == DIRECTION_INPUT;
        usage_element(walk, element->end.channel, is_input ? USAGE_INPUT : USAGE_OUTPUT);
        return;
    }
    }
}

static void call(void *context, const Node *node, const Symbol *callee, const NodeList *actuals) {
    usage_call(context, node, callee, actuals);
}

static void repeat(void *context, const Node *replicator, bool ends) {
    if (ends) {
        usage_pop_loop(context);
    } else {
        usage_begin_loop(context, replicator);
    }
}

/* What follows AND is evaluated only after TRUE, what follows OR only after FALSE. */
static void condition(void *context, const Node *chain, bool ends) {
    UsageWalk *walk = context;
    if (!ends) {
        array_push(walk->arena, &walk->conditions, walk->here.guards);
        usage_guard(walk, chain->dyadic.left, chain->dyadic.op == OPERATOR_OR);
    } else {
        walk->here.guards = walk->conditions.items[--walk->conditions.count];
    }
}

static void valof(void *context, const Node *node) {
    UsageWalk *walk = context;
    size_t mark = alias_open(walk);
    usage_specifications(walk, &node->valof.specs);
    if (node->valof.process) {
        usage_process(walk, node->valof.process);
    }
    for (size_t i = 0; i < node->valof.results.count; i++) {
        usage_read(walk, node->valof.results.items[i]);
    }
    alias_close(walk, mark);
}

static const Evaluation events = {use, call, repeat, condition, valof};

void usage_subscripts(UsageWalk *walk, const Node *element) {
    evaluate_choice(&events, walk, element);
}

void usage_read(UsageWalk *walk, const Node *expression) {
    evaluate_value(&events, walk, expression);
}

/* ---- guards ---- */

static bool is_comparison(Operator op) {
    return op >= OPERATOR_EQUAL && op <= OPERATOR_GREATER_EQUAL;
}

static bool is_integer_operand(const Node *node) {
    return node->type && type_is_integer(node->type) && !type_is_error(node->type);
}

static void push_guard(UsageWalk *walk, Operator op, const IndexExpr *a, const IndexExpr *b,
                       bool is_negated) {
    IndexGuard *guard = arena_new(walk->arena, IndexGuard);
    *guard = (IndexGuard){
        .outer = walk->here.guards, .op = op, .left = a, .right = b, .is_negated = is_negated};
    walk->here.guards = guard;
}

static void guard_comparison(UsageWalk *walk, Operator op, const Node *left, const Node *right,
                             bool is_negated) {
    const IndexExpr *a = region_index(&walk->builder, left);
    const IndexExpr *b = region_index(&walk->builder, right);
    if (a->kind != INDEX_UNKNOWN && b->kind != INDEX_UNKNOWN) {
        push_guard(walk, op, a, b, is_negated);
    }
}

/* A condition that only evaluating it tells, or a constant one: TRUE says nothing, FALSE that
 * nothing comes here. */
static void guard_truth(UsageWalk *walk, const Node *condition, bool is_negated) {
    const IndexExpr *truth = condition->constant
                                 ? index_constant(walk->arena, condition->constant->integer)
                                 : region_condition(&walk->builder, condition);
    bool says_nothing = truth->kind == INDEX_UNKNOWN ||
                        (truth->kind == INDEX_CONSTANT && (truth->value != 0) != is_negated);
    if (!says_nothing) {
        push_guard(walk, OPERATOR_NOT_EQUAL, truth, index_constant(walk->arena, 0), is_negated);
    }
}

/* One of the two holds: says something only when both do. */
static void guard_choice(UsageWalk *walk, const Node *left, const Node *right, bool is_negated) {
    const IndexGuard *outside = walk->here.guards;
    walk->here.guards = NULL;
    usage_guard(walk, left, is_negated);
    const IndexGuard *either = walk->here.guards;
    walk->here.guards = NULL;
    usage_guard(walk, right, is_negated);
    const IndexGuard *other = walk->here.guards;
    walk->here.guards = outside;
    usage_guard_choice(walk, either, other);
}

void usage_guard_choice(UsageWalk *walk, const IndexGuard *either, const IndexGuard *other) {
    if (either && other) {
        IndexGuard *guard = arena_new(walk->arena, IndexGuard);
        *guard = (IndexGuard){
            .outer = walk->here.guards, .is_choice = true, .either = either, .other = other};
        walk->here.guards = guard;
    }
}

/* even (i)   The expression that the FUNCTION is. False: it is more than that. */
static bool guard_call(UsageWalk *walk, const Symbol *callee, const Node *const *actuals,
                       size_t count, bool is_negated) {
    const RegionFormal *outside = NULL;
    const Node *body = region_enter_call(&walk->builder, callee, actuals, count, &outside);
    const IndexGuard *before = walk->here.guards;
    if (body) {
        usage_guard(walk, body, is_negated);
        region_leave_call(&walk->builder, outside);
    }
    return walk->here.guards != before;
}

void usage_keep_truth(UsageWalk *walk, Symbol *symbol, const Node *value) {
    const IndexGuard *outside = walk->here.guards;
    UsageTruth *truth = arena_new(walk->arena, UsageTruth);
    walk->here.guards = NULL;
    usage_guard(walk, value, false);
    truth->holds = walk->here.guards;
    walk->here.guards = NULL;
    usage_guard(walk, value, true);
    truth->fails = walk->here.guards;
    walk->here.guards = outside;
    symbol_map_set(walk->arena, &walk->truths, symbol, truth);
}

static bool guard_value(UsageWalk *walk, const Symbol *symbol, bool is_negated) {
    const UsageTruth *truth = symbol ? symbol_map_get(&walk->truths, symbol) : NULL;
    const IndexGuard *kept = !truth ? NULL : is_negated ? truth->fails : truth->holds;
    for (const IndexGuard *guard = kept; guard; guard = guard->outer) {
        IndexGuard *copy = arena_copy(walk->arena, guard, sizeof *guard);
        copy->outer = walk->here.guards;
        walk->here.guards = copy;
    }
    return kept != NULL;
}

/* What another expression says that the condition stands for. */
static bool guard_through(UsageWalk *walk, const Node *condition, bool is_negated) {
    if (condition->kind == NODE_NAME) {
        return guard_value(walk, condition->name.symbol, is_negated);
    }
    if (condition->kind == NODE_DYADIC && condition->dyadic.user_operator) {
        const Node *const operands[] = {condition->dyadic.left, condition->dyadic.right};
        return guard_call(walk, condition->dyadic.user_operator, operands, 2, is_negated);
    }
    if (condition->kind != NODE_FUNCTION_CALL ||
        condition->function_call.callee->kind != NODE_NAME) {
        return false;
    }
    const NodeList *actuals = &condition->function_call.actuals;
    return guard_call(walk, condition->function_call.callee->name.symbol,
                      (const Node *const *)actuals->items, actuals->count, is_negated);
}

/* What is neither a comparison of subscripts nor can be evaluated says nothing. */
void usage_guard(UsageWalk *walk, const Node *condition, bool is_negated) {
    if (condition->kind == NODE_MONADIC && condition->monadic.op == OPERATOR_NOT &&
        !condition->monadic.user_operator) {
        usage_guard(walk, condition->monadic.operand, !is_negated);
        return;
    }
    bool is_operator =
        condition->kind == NODE_DYADIC && !condition->dyadic.user_operator && !condition->constant;
    Operator op = is_operator ? condition->dyadic.op : OPERATOR_COUNT;
    if (op == (is_negated ? OPERATOR_OR : OPERATOR_AND)) {
        usage_guard(walk, condition->dyadic.left, is_negated);
        usage_guard(walk, condition->dyadic.right, is_negated);
    } else if (op == OPERATOR_AND || op == OPERATOR_OR) {
        guard_choice(walk, condition->dyadic.left, condition->dyadic.right, is_negated);
    } else if (is_operator && is_comparison(op) && is_integer_operand(condition->dyadic.left) &&
               is_integer_operand(condition->dyadic.right)) {
        guard_comparison(walk, op, condition->dyadic.left, condition->dyadic.right, is_negated);
    } else if (condition->constant || !guard_through(walk, condition, is_negated)) {
        guard_truth(walk, condition, is_negated);
    }
}

/* ---- options of a CASE ---- */

static void guard_option(UsageWalk *walk, const Node *selector, const Node *value,
                         bool is_negated) {
    if (is_integer_operand(selector) && is_integer_operand(value)) {
        guard_comparison(walk, OPERATOR_EQUAL, selector, value, is_negated);
    }
}

#define OPTION_GUARDS 12 /* more values in one option, or beside an ELSE, say nothing */

/* The selector is one of the values. */
static void guard_values(UsageWalk *walk, const Node *selector, const NodeList *values) {
    const IndexGuard *outside = walk->here.guards;
    const IndexGuard *known = NULL;
    for (size_t i = 0; i < values->count; i++) {
        walk->here.guards = NULL;
        guard_option(walk, selector, values->items[i], false);
        const IndexGuard *one = walk->here.guards;
        walk->here.guards = NULL;
        usage_guard_choice(walk, known, one);
        known = i == 0 ? one : walk->here.guards;
    }
    walk->here.guards = outside;
    if (known) {
        IndexGuard *guard = arena_copy(walk->arena, known, sizeof *known);
        guard->outer = outside;
        walk->here.guards = guard;
    }
}

/* ELSE: it is none of the values of the other options. */
static void guard_else(UsageWalk *walk, const Node *node) {
    for (size_t i = 0; i < node->case_.options.count; i++) {
        const Node *option = node->case_.options.items[i];
        size_t count = option->kind == NODE_OPTION ? option->option.values.count : 0;
        for (size_t k = 0; k < count; k++) {
            guard_option(walk, node->case_.selector, option->option.values.items[k], true);
        }
    }
}

static size_t count_values(const Node *node) {
    size_t count = 0;
    for (size_t i = 0; i < node->case_.options.count; i++) {
        const Node *option = node->case_.options.items[i];
        count += option->kind == NODE_OPTION ? option->option.values.count : 0;
    }
    return count;
}

void usage_guard_option(UsageWalk *walk, const Node *node, const Node *option) {
    const NodeList *values = &option->option.values;
    if (values->count == 1) {
        guard_option(walk, node->case_.selector, values->items[0], false);
    } else if (values->count > 1 && values->count <= OPTION_GUARDS) {
        guard_values(walk, node->case_.selector, values);
    } else if (values->count == 0 && count_values(node) <= OPTION_GUARDS) {
        guard_else(walk, node);
    }
}
