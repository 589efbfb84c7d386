/* value_assigned -- variables of a branch or routine, from one statement of its sequence to the
 * next: what an assignment made them, and those that a WHILE counts up or down.
 *
 *   i := worker
 *   WHILE i < n              -- i is worker + (iteration * workers)
 *     SEQ
 *       a[i] := ..
 *       i := i + workers
 *
 * Owns:   the value of such a variable as an expression, from statement to statement.
 * Leaves: programs with clocks to value_count.c, which knows phases as well.
 * Holds:  only variables that the branch or routine has declared are followed: nobody else writes
 *         to them meanwhile (claims and forked processes reach those of outside only). After a
 *         statement that may change one of them it is not known. What was noted is undone, last
 *         first, where its sequence, scope or loop ends: so each choice of an IF begins with the
 *         values of before.
 *
 * An assigned value is shown to subscripts in a PAR. In a routine, outside of its PARs, it is shown
 * with a mark: a call in a PAR takes it, any other has no value there. */
#include "values.h"

bool value_is_followed(const UsageWalk *walk) {
    return !walk->alias && !walk->here.phases && !walk->here.forking;
}

bool value_may_follow(const UsageWalk *walk, const Symbol *symbol) {
    return symbol && symbol->kind == SYMBOL_VARIABLE && symbol->number > walk->here.own &&
           symbol->type && type_base(symbol->type)->kind == TYPE_INT && !symbol->permits_sharing &&
           !symbol->permits_aliases;
}

/* ---- what is noted, and undone ---- */

void value_note(UsageWalk *walk, Symbol *symbol, const IndexExpr *value) {
    const IndexExpr *shown = walk->here.pars > 0 ? value : index_assigned(walk->arena, value);
    value_push(walk, symbol, value_new(walk->arena, shown, value), false);
}

/* With the values that are not shown. */
static const IndexExpr *read_value(UsageWalk *walk, const Node *expression) {
    walk->values->reads_assigned = true;
    const IndexExpr *value = region_index(&walk->builder, expression);
    walk->values->reads_assigned = false;
    return value;
}

/* Of those that are followed: those that change. */
static void hide(UsageWalk *walk, const ValueScan *changes) {
    for (size_t i = 0; i < changes->changed.count; i++) {
        if (value_is_noted(walk, changes->changed.items[i])) {
            value_push(walk, changes->changed.items[i], NULL, false);
        }
    }
}

void value_hide_marked(UsageWalk *walk) {
    for (size_t i = walk->values->notes.count; i > 0; i--) {
        const ValueNote note = walk->values->notes.items[i - 1];
        const VariableValue *known = value_of(walk, note.symbol);
        if (!note.is_fixed && known && known->value && known->value->is_assigned) {
            value_push(walk, note.symbol, value_new(walk->arena, NULL, known->first), false);
        }
    }
}

void value_begin_routine(UsageWalk *walk) {
    for (size_t i = walk->values->notes.count; i > 0; i--) {
        Symbol *symbol = walk->values->notes.items[i - 1].symbol;
        if (value_is_noted(walk, symbol)) {
            value_push(walk, symbol, NULL, false);
        }
    }
}

void value_forget_changed(UsageWalk *walk, const Node *process) {
    if (walk->values->notes.count > 0) {
        ValueScan scan = value_scan(walk, process);
        hide(walk, &scan);
    }
}

/* ---- assignments ---- */

typedef struct Assigned {
    Symbol *symbol;
    const IndexExpr *value;
} Assigned;

#define TARGETS_FOLLOWED 8

/* Before any of them is changed: the values are of before. */
static size_t find_assigned(UsageWalk *walk, const Node *assign, Assigned *found) {
    size_t count = 0;
    const NodeList *targets = &assign->assign.targets;
    const NodeList *values = &assign->assign.values;
    for (size_t i = 0; i < targets->count && targets->count == values->count; i++) {
        const Node *target = targets->items[i];
        Symbol *symbol = target->kind == NODE_NAME ? target->name.symbol : NULL;
        if (count < TARGETS_FOLLOWED && value_may_follow(walk, symbol)) {
            const IndexExpr *value = read_value(walk, values->items[i]);
            found[count] = (Assigned){symbol, value};
            count += value->kind != INDEX_UNKNOWN;
        }
    }
    return count;
}

void value_after_assign(UsageWalk *walk, const Node *assign) {
    Assigned found[TARGETS_FOLLOWED];
    size_t count = find_assigned(walk, assign, found);
    value_forget_changed(walk, assign);
    for (size_t i = 0; i < count; i++) {
        value_note(walk, found[i].symbol, found[i].value);
    }
}

void value_after_statement(UsageWalk *walk, const Node *statement) {
    if (value_is_followed(walk) && statement->kind == NODE_ASSIGN) {
        value_after_assign(walk, statement);
    } else if (!value_after_if(walk, statement)) {
        value_forget_changed(walk, statement);
    }
}

void value_after_initial(UsageWalk *walk, const Node *abbreviation) {
    Symbol *symbol = abbreviation->abbreviation.def->def.symbol;
    if (value_is_followed(walk) && abbreviation->abbreviation.mode == ABBREVIATION_INITIAL &&
        abbreviation->abbreviation.form == FORM_IS && value_may_follow(walk, symbol)) {
        const IndexExpr *value = read_value(walk, abbreviation->abbreviation.value);
        if (value->kind != INDEX_UNKNOWN) {
            value_note(walk, symbol, value);
        }
    }
}

/* ---- WHILE ---- */

/* symbol is start + (iteration * step), or less that. */
typedef struct Counter {
    Symbol *symbol;
    const IndexExpr *start;
    const IndexExpr *step;
    bool falls;
} Counter;

typedef struct Counting {
    UsageWalk *walk;
    ValueScan changes;
    ARRAY_OF(Counter) counters;
} Counting;

static bool is_name(const Node *node, const Symbol *symbol) {
    return node->kind == NODE_NAME && node->name.symbol == symbol;
}

static bool changes_once(const ValueScan *changes, const Symbol *symbol) {
    size_t count = 0;
    for (size_t i = 0; i < changes->changed.count; i++) {
        count += changes->changed.items[i] == symbol;
    }
    return count == 1;
}

typedef struct Outside {
    uint32_t latest;
    bool holds;
} Outside;

static void look_outside(Node **slot, void *data) {
    Outside *outside = data;
    const Node *node = *slot;
    bool is_inner = node->kind == NODE_NAME && node->name.symbol && !node->constant &&
                    node->name.symbol->number > outside->latest;
    outside->holds = outside->holds && !is_inner;
    node_visit_children((Node *)node, look_outside, data);
}

/* All of its names are of outside of the loop. */
static bool is_of_outside(const UsageWalk *walk, const Node *expression) {
    Outside outside = {walk->latest, true};
    Node *node = (Node *)expression;
    look_outside(&node, &outside);
    return outside.holds;
}

/* i := i + step, step + i or i - step */
static const Node *step_of(const Node *value, const Symbol *symbol, bool *falls) {
    bool is_sum = value->kind == NODE_DYADIC && !value->dyadic.user_operator &&
                  (value->dyadic.op == OPERATOR_ADD || value->dyadic.op == OPERATOR_SUBTRACT);
    if (!is_sum) {
        return NULL;
    }
    *falls = value->dyadic.op == OPERATOR_SUBTRACT;
    if (is_name(value->dyadic.left, symbol)) {
        return value->dyadic.right;
    }
    return !*falls && is_name(value->dyadic.right, symbol) ? value->dyadic.left : NULL;
}

/* It stops no process: the first iteration comes before it is evaluated. */
static bool is_total(const IndexExpr *step) {
    if (step->kind != INDEX_OPERATOR) {
        return step->kind != INDEX_LOOKUP && step->kind != INDEX_ELEMENT &&
               step->kind != INDEX_UNKNOWN;
    }
    bool is_sum =
        step->op == OPERATOR_ADD || step->op == OPERATOR_SUBTRACT || step->op == OPERATOR_MULTIPLY;
    return is_sum && is_total(step->left) && is_total(step->right);
}

/* The values of before the loop are hidden where it changes them: a step is the same each time. */
static void find_counter(Counting *counting, const Node *assign) {
    UsageWalk *walk = counting->walk;
    const Node *target = assign->assign.targets.items[0];
    Symbol *symbol = target->kind == NODE_NAME ? target->name.symbol : NULL;
    bool is_one = assign->assign.targets.count == 1 && assign->assign.values.count == 1;
    if (!is_one || !value_may_follow(walk, symbol) || symbol->number > walk->latest ||
        !changes_once(&counting->changes, symbol)) {
        return;
    }
    Counter counter = {.symbol = symbol};
    const Node *step = step_of(assign->assign.values.items[0], symbol, &counter.falls);
    if (step && is_of_outside(walk, step)) {
        counter.step = read_value(walk, step);
        if (is_total(counter.step)) {
            array_push(walk->arena, &counting->counters, counter);
        }
    }
}

/* All of the sequence that an iteration is. */
static void find_counters(Counting *counting, const Node *node) {
    if (node->kind == NODE_BLOCK) {
        find_counters(counting, node->block.process);
    } else if (node->kind == NODE_ASSIGN) {
        find_counter(counting, node);
    } else if (node->kind == NODE_SEQ && !node->seq.replicator) {
        for (size_t i = 0; i < node->seq.body.count; i++) {
            find_counters(counting, node->seq.body.items[i]);
        }
    }
}

/* How often it runs is not known, and is another number for each branch. */
static IndexLoop *push_loop(UsageWalk *walk, const char *name) {
    IndexLoop *loop = arena_new(walk->arena, IndexLoop);
    loop->outer = walk->loops;
    loop->depth = walk->loops ? walk->loops->depth + 1 : 0;
    loop->count = index_unknown();
    loop->name = name;
    walk->loops = loop;
    return loop;
}

static void start_counter(UsageWalk *walk, const Counter *counter) {
    const IndexExpr *sum = index_operator(walk->arena, OPERATOR_MULTIPLY,
                                          index_loop(walk->arena, walk->loops), counter->step);
    const IndexExpr *value = index_operator(
        walk->arena, counter->falls ? OPERATOR_SUBTRACT : OPERATOR_ADD, counter->start, sum);
    value_push(walk, counter->symbol, value_new(walk->arena, value, NULL), false);
}

static const IndexExpr *start_of(UsageWalk *walk, const Symbol *symbol) {
    const IndexExpr *start = value_assigned(walk, symbol);
    return start ? start : usage_phase_unknown(walk);
}

bool value_begin_while(UsageWalk *walk, const Node *loop) {
    if (!value_is_followed(walk) || loop->kind != NODE_WHILE) {
        value_forget_changed(walk, loop);
        return false;
    }
    size_t mark = value_mark(walk);
    Counting counting = {.walk = walk, .changes = value_scan(walk, loop->while_.process)};
    hide(walk, &counting.changes);
    find_counters(&counting, loop->while_.process);
    if (counting.counters.count == 0) {
        return false;
    }
    value_restore(walk, mark); /* to read where they start */
    for (size_t i = 0; i < counting.counters.count; i++) {
        Counter *counter = &counting.counters.items[i];
        counter->start = start_of(walk, counter->symbol);
    }
    hide(walk, &counting.changes);
    IndexLoop *pushed = push_loop(walk, counting.counters.items[0].symbol->name->bytes);
    for (size_t i = 0; i < counting.counters.count; i++) {
        start_counter(walk, &counting.counters.items[i]);
    }
    pushed->value = value_at(walk, counting.counters.items[0].symbol);
    return true;
}
