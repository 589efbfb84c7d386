/* usage_access -- elements and expressions: which objects they read, write or communicate through.
 */
#include "usage.h"

#include "alias.h"

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

/* What a view shows is used as a whole, as seen from where the view is not known. */
static void add_viewed(UsageWalk *walk, const Symbol *view, UsageKind kind, Location at) {
    const Node *value = view->definition->abbreviation.value;
    if (value->kind != NODE_TABLE) {
        add_element(walk, value, kind, at, view);
        return;
    }
    for (size_t i = 0; i < value->table.items.count; i++) {
        add_element(walk, value->table.items.items[i], kind, at, view);
    }
}

static void add_element(UsageWalk *walk, const Node *element, UsageKind kind, Location at,
                        const Symbol *view) {
    ObjectPart part = region_of(&walk->builder, element);
    if (!is_tracked(part.root)) {
        return;
    }
    UsageAccess access = {.root = part.root,
                          .kind = kind,
                          .at = at,
                          .name = part.name,
                          .view = view,
                          .phases = walk->phases,
                          .block = walk->block};
    access.region.dimensions = part.dimensions;
    access.region.count = part.count;
    access.region.named = part.named;
    access.region.loops = walk->loops;
    access.region.guards = walk->guards;
    access.locks = walk->locks;
    array_push(walk->arena, &walk->accesses, access);
    if (!view && kind != USAGE_CLAIM) {
        alias_access(walk, &access);
    }
    if (region_is_view(part.root)) {
        add_viewed(walk, part.root, kind, at);
    }
}

void usage_element(UsageWalk *walk, const Node *element, UsageKind kind) {
    if (element->kind == NODE_TABLE) {
        for (size_t i = 0; i < element->table.items.count; i++) {
            usage_element(walk, element->table.items.items[i], kind);
        }
        return;
    }
    add_element(walk, element, kind, element->at, NULL);
}

void usage_subscripts(UsageWalk *walk, const Node *element) {
    for (;;) {
        switch ((int)element->kind) {
        case NODE_SUBSCRIPT:
            usage_read(walk, element->subscript.index);
            element = element->subscript.base;
            break;
        case NODE_FIELD: element = element->field.base; break;
        case NODE_SEGMENT:
            if (element->segment.from) {
                usage_read(walk, element->segment.from);
            }
            if (element->segment.length) {
                usage_read(walk, element->segment.length);
            }
            element = element->segment.base;
            break;
        case NODE_END: element = element->end.channel; break;
        case NODE_TABLE:
            for (size_t i = 0; i < element->table.items.count; i++) {
                usage_subscripts(walk, element->table.items.items[i]);
            }
            return;
        case NODE_NAME: return;
        default: usage_read(walk, element); return;
        }
    }
}

static void read_list(UsageWalk *walk, const NodeList *list) {
    for (size_t i = 0; i < list->count; i++) {
        usage_read(walk, list->items[i]);
    }
}

static void read_user_operator(UsageWalk *walk, const Node *node, const Symbol *operator,
                               const Node * left, const Node *right) {
    usage_read(walk, left);
    if (right) {
        usage_read(walk, right);
    }
    if (operator) {
        NodeList none = {0};
        usage_call(walk, node, operator, & none);
    }
}

/* What follows AND is evaluated only after TRUE, what follows OR only after FALSE. */
static void read_dyadic(UsageWalk *walk, const Node *node) {
    Operator op = node->dyadic.op;
    if (node->dyadic.user_operator || (op != OPERATOR_AND && op != OPERATOR_OR)) {
        read_user_operator(walk, node, node->dyadic.user_operator, node->dyadic.left,
                           node->dyadic.right);
        return;
    }
    const IndexGuard *outside = walk->guards;
    usage_read(walk, node->dyadic.left);
    usage_guard(walk, node->dyadic.left, op == OPERATOR_OR);
    usage_read(walk, node->dyadic.right);
    walk->guards = outside;
}

static void read_constructor(UsageWalk *walk, const Node *node) {
    const Node *replicator = node->constructor.replicator;
    if (replicator->kind == NODE_REPLICATOR) {
        usage_push_loop(walk, replicator);
        usage_read(walk, node->constructor.value);
        usage_pop_loop(walk);
    }
}

static void read_valof(UsageWalk *walk, const Node *node) {
    size_t mark = alias_open(walk);
    usage_specifications(walk, &node->valof.specs);
    if (node->valof.process) {
        usage_process(walk, node->valof.process);
    }
    read_list(walk, &node->valof.results);
    alias_close(walk, mark);
}

/* Its size is that of what it holds now. */
static bool is_mobile_element(const Node *node) {
    return node->type && !type_is_error(node->type) && type_is_mobile(node->type) &&
           (node->kind == NODE_NAME || node->kind == NODE_SUBSCRIPT || node->kind == NODE_FIELD);
}

void usage_read(UsageWalk *walk, const Node *node) {
    if (node->constant) {
        return;
    }
    switch ((int)node->kind) {
    case NODE_NAME: usage_element(walk, node, USAGE_READ); return;
    case NODE_SUBSCRIPT:
    case NODE_FIELD:
    case NODE_SEGMENT:
        usage_element(walk, node, USAGE_READ);
        usage_subscripts(walk, node);
        return;
    case NODE_MOVE:
        usage_subscripts(walk, node->move.element);
        usage_element(walk, node->move.element, USAGE_WRITE);
        return;
    case NODE_SIZE:
        if (!walk->alias && is_mobile_element(node->size.operand)) {
            usage_read(walk, node->size.operand); /* the object may move away meanwhile */
        }
        return;
    case NODE_PHASE:
        if (node->phase.clock->type && type_is_mobile(node->phase.clock->type)) {
            usage_read(walk, node->phase.clock);
        }
        return;
    case NODE_CLONE: usage_read(walk, node->clone.operand); return;
    case NODE_DEFINED: usage_read(walk, node->defined.operand); return;
    case NODE_ALLOCATION: read_list(walk, &node->allocation.dimensions); return;
    case NODE_TABLE: read_list(walk, &node->table.items); return;
    case NODE_CONSTRUCTOR: read_constructor(walk, node); return;
    case NODE_MONADIC:
        read_user_operator(walk, node, node->monadic.user_operator, node->monadic.operand, NULL);
        return;
    case NODE_DYADIC: read_dyadic(walk, node); return;
    case NODE_CONVERSION: usage_read(walk, node->conversion.operand); return;
    case NODE_FUNCTION_CALL:
        if (node->function_call.callee->kind == NODE_NAME) {
            usage_call(walk, node, node->function_call.callee->name.symbol,
                       &node->function_call.actuals);
        }
        return;
    case NODE_VALOF: read_valof(walk, node); return;
    case NODE_CLOSED: usage_end(walk, node->closed.end); return;
    case NODE_EXPRESSION_LIST: read_list(walk, &node->expression_list.items); return;
    }
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
        .outer = walk->guards, .op = op, .left = a, .right = b, .is_negated = is_negated};
    walk->guards = guard;
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
    const IndexGuard *outside = walk->guards;
    walk->guards = NULL;
    usage_guard(walk, left, is_negated);
    const IndexGuard *either = walk->guards;
    walk->guards = NULL;
    usage_guard(walk, right, is_negated);
    const IndexGuard *other = walk->guards;
    walk->guards = outside;
    usage_guard_choice(walk, either, other);
}

void usage_guard_choice(UsageWalk *walk, const IndexGuard *either, const IndexGuard *other) {
    if (either && other) {
        IndexGuard *guard = arena_new(walk->arena, IndexGuard);
        *guard = (IndexGuard){
            .outer = walk->guards, .is_choice = true, .either = either, .other = other};
        walk->guards = guard;
    }
}

/* even (i)   The expression that the FUNCTION is. False: it is more than that. */
static bool guard_call(UsageWalk *walk, const Symbol *callee, const Node *const *actuals,
                       size_t count, bool is_negated) {
    const RegionFormal *outside = NULL;
    const Node *body = region_enter_call(&walk->builder, callee, actuals, count, &outside);
    const IndexGuard *before = walk->guards;
    if (body) {
        usage_guard(walk, body, is_negated);
        region_leave_call(&walk->builder, outside);
    }
    return walk->guards != before;
}

/* VAL even IS (i \ 2) = 0:   What both ways say where the name is introduced. */
typedef struct UsageTruth {
    const IndexGuard *holds;
    const IndexGuard *fails;
} UsageTruth;

void usage_keep_truth(UsageWalk *walk, Symbol *symbol, const Node *value) {
    const IndexGuard *outside = walk->guards;
    UsageTruth *truth = arena_new(walk->arena, UsageTruth);
    walk->guards = NULL;
    usage_guard(walk, value, false);
    truth->holds = walk->guards;
    walk->guards = NULL;
    usage_guard(walk, value, true);
    truth->fails = walk->guards;
    walk->guards = outside;
    symbol->usage = truth;
}

static bool guard_value(UsageWalk *walk, const Symbol *symbol, bool is_negated) {
    bool is_kept = symbol && symbol->kind == SYMBOL_VALUE && symbol->usage;
    const UsageTruth *truth = is_kept ? symbol->usage : NULL;
    const IndexGuard *kept = !truth ? NULL : is_negated ? truth->fails : truth->holds;
    for (const IndexGuard *guard = kept; guard; guard = guard->outer) {
        IndexGuard *copy = arena_copy(walk->arena, guard, sizeof *guard);
        copy->outer = walk->guards;
        walk->guards = copy;
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
    Node comparison = {.kind = NODE_DYADIC};
    comparison.dyadic.op = OPERATOR_EQUAL;
    comparison.dyadic.left = (Node *)selector;
    comparison.dyadic.right = (Node *)value;
    usage_guard(walk, &comparison, is_negated);
}

#define OPTION_GUARDS 12 /* more values in one option, or beside an ELSE, say nothing */

/* The selector is one of the values. */
static void guard_values(UsageWalk *walk, const Node *selector, const NodeList *values) {
    const IndexGuard *outside = walk->guards;
    const IndexGuard *known = NULL;
    for (size_t i = 0; i < values->count; i++) {
        walk->guards = NULL;
        guard_option(walk, selector, values->items[i], false);
        const IndexGuard *one = walk->guards;
        walk->guards = NULL;
        usage_guard_choice(walk, known, one);
        known = i == 0 ? one : walk->guards;
    }
    walk->guards = outside;
    if (known) {
        IndexGuard *guard = arena_copy(walk->arena, known, sizeof *known);
        guard->outer = outside;
        walk->guards = guard;
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
