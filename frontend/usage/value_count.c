/* value_count -- variables of a process that count the iterations of one loop, or alternate with
 * them: INITIAL INT t IS 0: and one assignment in the loop, such as t := t + 1, now := 1 - now or
 * t := PHASE c.
 *
 * Owns:   their values as expressions of the iteration, so that subscripts and conditions made of
 *         them are known.
 * Holds:  such a variable is written nowhere else: by no other assignment, input, call or
 *         abbreviation. The assignment stands in the sequence that the loop repeats, so it is made
 *         once in each iteration. */
#include "values.h"

#include "changes.h"

/* ---- who writes it ---- */

typedef struct Writes {
    const Symbol *symbol;
    size_t assignments;
    bool others;
} Writes;

static bool is_name(const Node *node, const Symbol *symbol) {
    return node->kind == NODE_NAME && node->name.symbol == symbol;
}

static void note_write(void *context, const Node *element) {
    Writes *writes = context;
    writes->others = writes->others || is_name(element, writes->symbol);
}

static void count_assignment(Writes *writes, const NodeList *targets) {
    for (size_t i = 0; i < targets->count; i++) {
        writes->assignments += is_name(targets->items[i], writes->symbol);
    }
}

static void count_writes(Node **slot, void *data);

/* A routine may be called any number of times. */
static void count_in_routine(Writes *writes, Node *node) {
    Writes inner = {.symbol = writes->symbol};
    node_visit_children(node, count_writes, &inner);
    writes->others = writes->others || inner.others || inner.assignments > 0;
}

static void count_writes(Node **slot, void *data) {
    Writes *writes = data;
    Node *node = *slot;
    if (node->kind == NODE_PROC || node->kind == NODE_FUNCTION) {
        count_in_routine(writes, node);
        return;
    }
    if (node->kind == NODE_ASSIGN) {
        count_assignment(writes, &node->assign.targets);
    } else if (node->kind == NODE_ABBREVIATION) { /* another name for it */
        writes->others = writes->others || (node->abbreviation.mode != ABBREVIATION_INITIAL &&
                                            node->abbreviation.mode != ABBREVIATION_VAL &&
                                            is_name(node->abbreviation.value, writes->symbol));
    } else {
        node_changes(node, note_write, writes);
    }
    node_visit_children(node, count_writes, data);
}

/* ---- declarations ---- */

static bool is_int(const Symbol *symbol) {
    return symbol && symbol->type && type_base(symbol->type)->kind == TYPE_INT;
}

static void declare(UsageWalk *walk, const Node *abbreviation, const Node *block) {
    Symbol *symbol = abbreviation->abbreviation.def->def.symbol;
    Writes writes = {.symbol = symbol};
    node_visit_children((Node *)block, count_writes, &writes);
    const IndexExpr *first = region_index(&walk->builder, abbreviation->abbreviation.value);
    if (writes.others || writes.assignments > 1 || first->kind == INDEX_UNKNOWN) {
        return;
    }
    VariableValue *known = arena_new(walk->arena, VariableValue);
    *known = (VariableValue){.value = writes.assignments == 0 ? first : NULL,
                             .first = first,
                             .loops = walk->loops,
                             .whiles = walk->values->whiles};
    value_put(walk, symbol, known);
}

void value_declare_counters(UsageWalk *walk, const Node *block) {
    const NodeList *specifications = &block->block.specs;
    for (size_t i = 0; !walk->alias && walk->here.phases && i < specifications->count; i++) {
        const Node *spec = specifications->items[i];
        if (spec->kind == NODE_ABBREVIATION && spec->abbreviation.mode == ABBREVIATION_INITIAL &&
            is_int(spec->abbreviation.def->def.symbol) &&
            spec->abbreviation.def->def.symbol->kind == SYMBOL_VARIABLE) {
            declare(walk, spec, block);
        }
    }
}

/* ---- what an assignment makes of it ---- */

static bool constant_of(const Node *node, int64_t *value) {
    bool is_known = node->constant && node->type && type_is_integer(node->type);
    *value = is_known ? node->constant->integer : 0;
    return is_known;
}

/* first + each * iteration; or first and other in turn. */
typedef struct Rule {
    int64_t each;
    const IndexExpr *other;
} Rule;

static bool rule_of_sum(UsageWalk *walk, const Node *value, const Symbol *symbol,
                        const IndexExpr *first, Rule *rule) {
    int64_t constant = 0;
    Operator op = value->dyadic.op;
    bool is_sum = op == OPERATOR_ADD || op == OPERATOR_SUBTRACT;
    if (!is_sum || value->dyadic.user_operator) {
        return false;
    }
    if (is_name(value->dyadic.left, symbol) && constant_of(value->dyadic.right, &constant)) {
        rule->each = op == OPERATOR_ADD ? constant : -constant;
        return true;
    }
    if (!is_name(value->dyadic.right, symbol) || !constant_of(value->dyadic.left, &constant)) {
        return false;
    }
    rule->each = constant;
    if (op == OPERATOR_SUBTRACT) {
        rule->other = index_operator(walk->arena, OPERATOR_SUBTRACT,
                                     index_constant(walk->arena, constant), first);
    }
    return true;
}

/* old, new := new, old */
static const VariableValue *partner_of(const UsageWalk *walk, const Node *value) {
    const Symbol *symbol = value->kind == NODE_NAME ? value->name.symbol : NULL;
    return symbol && symbol->kind == SYMBOL_VARIABLE && is_int(symbol) ? value_of(walk, symbol)
                                                                       : NULL;
}

static bool rule_of_swap(const UsageWalk *walk, const Node *assign, size_t target, Rule *rule) {
    const NodeList *targets = &assign->assign.targets;
    const NodeList *values = &assign->assign.values;
    if (targets->count != 2 || values->count != 2 ||
        !is_name(values->items[1 - target], targets->items[target]->name.symbol) ||
        targets->items[1 - target]->kind != NODE_NAME ||
        !is_name(values->items[target], targets->items[1 - target]->name.symbol)) {
        return false;
    }
    const VariableValue *partner = partner_of(walk, values->items[target]);
    rule->other = partner ? partner->first : NULL;
    return partner != NULL;
}

static bool find_rule(UsageWalk *walk, const Node *assign, size_t target, Rule *rule) {
    const Symbol *symbol = assign->assign.targets.items[target]->name.symbol;
    const VariableValue *known = value_of(walk, symbol);
    *rule = (Rule){0, NULL};
    if (assign->assign.values.count != assign->assign.targets.count) {
        return false;
    }
    const Node *value = assign->assign.values.items[target];
    return (value->kind == NODE_DYADIC && rule_of_sum(walk, value, symbol, known->first, rule)) ||
           rule_of_swap(walk, assign, target, rule);
}

static const IndexExpr *counted_at(UsageWalk *walk, const IndexExpr *first, const Rule *rule,
                                   const IndexExpr *iteration) {
    Arena *arena = walk->arena;
    if (!rule->other) {
        const IndexExpr *sum =
            index_operator(arena, OPERATOR_MULTIPLY, index_constant(arena, rule->each), iteration);
        return index_operator(arena, OPERATOR_ADD, first, sum);
    }
    if (first->kind != INDEX_CONSTANT || rule->other->kind != INDEX_CONSTANT) {
        return NULL;
    }
    const IndexExpr *odd =
        index_operator(arena, OPERATOR_REMAINDER, iteration, index_constant(arena, 2));
    const IndexExpr *apart = index_constant(arena, rule->other->value - first->value);
    return index_operator(arena, OPERATOR_ADD, first,
                          index_operator(arena, OPERATOR_MULTIPLY, apart, odd));
}

static bool is_private(const UsageWalk *walk, const Node *target, const IndexLoop *outside) {
    const Symbol *symbol = target->kind == NODE_NAME ? target->name.symbol : NULL;
    const VariableValue *known =
        symbol && symbol->kind == SYMBOL_VARIABLE && is_int(symbol) ? value_of(walk, symbol) : NULL;
    return !walk->alias && walk->here.phases && known && known->loops == outside &&
           known->whiles == walk->values->whiles;
}

/* ---- step := PHASE c ---- */

/* A loop and the phases in front of it. */
typedef struct Loop {
    const NodeList *body;
    const UsagePhase *before;
} Loop;

static const Symbol *clock_of(const Node *assign, size_t target) {
    bool is_one = assign->assign.values.count == assign->assign.targets.count;
    const Node *value = is_one ? assign->assign.values.items[target] : NULL;
    const Node *name = value && value->kind == NODE_PHASE ? value->phase.clock : NULL;
    return name && name->kind == NODE_NAME ? symbol_object(name->name.symbol) : NULL;
}

/* The rest of the sequence goes on to other phases. */
static bool moves_after(const Node *node, const Node *assign, bool *is_found) {
    if (node == assign) {
        *is_found = true;
        return false;
    }
    if (node->kind == NODE_BLOCK) {
        return moves_after(node->block.process, assign, is_found);
    }
    bool moves = false;
    if (node->kind == NODE_SEQ && !node->seq.replicator) {
        for (size_t i = 0; i < node->seq.body.count; i++) {
            moves = moves_after(node->seq.body.items[i], assign, is_found) || moves;
        }
        return moves;
    }
    return *is_found && usage_phase_moves(node);
}

/* The variable is PHASE where each iteration begins: it is in the first, and what is assigned is
 * the phase in which the next one begins. NULL: it may be another number. */
static const IndexExpr *phase_at_begin(UsageWalk *walk, const Loop *loop, const Node *assign,
                                       size_t target, const IndexExpr *first) {
    const Symbol *clock = clock_of(assign, target);
    const IndexExpr *before = clock ? usage_phase_wrapped(walk, loop->before, clock) : NULL;
    bool is_found = false;
    bool moves = false;
    for (size_t i = 0; before && i < loop->body->count; i++) {
        moves = moves_after(loop->body->items[i], assign, &is_found) || moves;
    }
    return before && !moves && index_equal(before, first)
               ? usage_phase_wrapped(walk, walk->here.phases, clock)
               : NULL;
}

/* ---- loops ---- */

/* All of the sequence that an iteration is. */
static void set_in_sequence(UsageWalk *walk, const Loop *loop, const Node *node) {
    if (node->kind == NODE_BLOCK) {
        set_in_sequence(walk, loop, node->block.process);
        return;
    }
    if (node->kind == NODE_SEQ && !node->seq.replicator) {
        for (size_t i = 0; i < node->seq.body.count; i++) {
            set_in_sequence(walk, loop, node->seq.body.items[i]);
        }
        return;
    }
    for (size_t i = 0; node->kind == NODE_ASSIGN && i < node->assign.targets.count; i++) {
        const Node *target = node->assign.targets.items[i];
        if (!is_private(walk, target, walk->loops->outer)) {
            continue;
        }
        Rule rule;
        VariableValue *known = value_of(walk, target->name.symbol);
        known->value =
            find_rule(walk, node, i, &rule)
                ? counted_at(walk, known->first, &rule, index_loop(walk->arena, walk->loops))
                : phase_at_begin(walk, loop, node, i, known->first);
    }
}

void value_begin_loop(UsageWalk *walk, const NodeList *body, const UsagePhase *before) {
    const Loop loop = {body, before};
    for (size_t i = 0; walk->here.phases && !walk->alias && i < body->count; i++) {
        set_in_sequence(walk, &loop, body->items[i]);
    }
}

/* An assignment of the sequence makes the value that of the next iteration. */
void value_count_assign(UsageWalk *walk, const Node *assign) {
    for (size_t i = 0; walk->loops && i < assign->assign.targets.count; i++) {
        const Node *target = assign->assign.targets.items[i];
        Rule rule;
        if (!is_private(walk, target, walk->loops->outer)) {
            continue;
        }
        VariableValue *known = value_of(walk, target->name.symbol);
        if (clock_of(assign, i)) {
            known->value = usage_phase_wrapped(walk, walk->here.phases, clock_of(assign, i));
            continue;
        }
        const IndexExpr *next =
            index_operator(walk->arena, OPERATOR_ADD, index_loop(walk->arena, walk->loops),
                           index_constant(walk->arena, 1));
        known->value = known->value && find_rule(walk, assign, i, &rule)
                           ? counted_at(walk, known->first, &rule, next)
                           : NULL;
    }
}

/* After the loop they are not known. */
static void forget_in_sequence(UsageWalk *walk, const Node *node) {
    if (node->kind == NODE_BLOCK) {
        forget_in_sequence(walk, node->block.process);
        return;
    }
    for (size_t i = 0; node->kind == NODE_SEQ && i < node->seq.body.count; i++) {
        forget_in_sequence(walk, node->seq.body.items[i]);
    }
    for (size_t i = 0; node->kind == NODE_ASSIGN && i < node->assign.targets.count; i++) {
        if (is_private(walk, node->assign.targets.items[i], walk->loops->outer)) {
            VariableValue *known = value_of(walk, node->assign.targets.items[i]->name.symbol);
            known->value = NULL;
        }
    }
}

void value_end_loop(UsageWalk *walk, const NodeList *body) {
    for (size_t i = 0; walk->here.phases && !walk->alias && i < body->count; i++) {
        forget_in_sequence(walk, body->items[i]);
    }
}
