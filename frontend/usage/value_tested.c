/* value_tested -- variables that do not change after a condition was tested: IF m <> i, then b[m]
 * and b[i] are two elements as long as neither m nor i is assigned to.
 *
 * Holds: of what follows the test the statements of its SEQ before the first that may change the
 *        variable see the number that was tested; no others do. As in value_fixed.c, nobody else
 *        changes it: that would be a race, or it is claimed, or in another phase, and then nothing
 *        is known. */
#include "values.h"

/* ---- the conditions of a construct ---- */

static void add_named(UsageWalk *walk, const Node *condition, SymbolSet *named) {
    ValueScan scan = value_scan(walk, condition);
    for (size_t i = 0; i < scan.named.count; i++) {
        array_push(walk->arena, named, scan.named.items[i]);
    }
}

static SymbolSet named_in_conditions(UsageWalk *walk, const Node *construct) {
    SymbolSet named = {0};
    if (construct->kind == NODE_WHILE) {
        add_named(walk, construct->while_.condition, &named);
    } else if (construct->kind == NODE_CASE) {
        add_named(walk, construct->case_.selector, &named);
    }
    for (size_t i = 0; construct->kind == NODE_IF && i < construct->if_.choices.count; i++) {
        const Node *choice = construct->if_.choices.items[i];
        if (choice->kind == NODE_CHOICE && choice->choice.condition) {
            add_named(walk, choice->choice.condition, &named);
        }
    }
    return named;
}

/* What is of another routine, or declared below, is no number yet. */
static bool may_be_fixed(const UsageWalk *walk, const Symbol *symbol, uint32_t outside) {
    return symbol->number > outside && symbol->number <= walk->latest &&
           value_is_open(walk, symbol);
}

ValueTest value_begin_test(UsageWalk *walk, const Node *construct) {
    ValueTest test = {.mark = value_mark(walk), .outside = walk->values->tested.count};
    if (walk->alias) {
        return test;
    }
    SymbolSet named = named_in_conditions(walk, construct);
    if (named.count == 0) {
        return test;
    }
    ValueScan scan = value_scan(walk, construct);
    uint32_t outside = walk->here.phases && usage_phase_moves(construct) ? walk->here.own : 0;
    for (size_t i = 0; !scan.has_claims && i < named.count; i++) {
        Symbol *symbol = named.items[i];
        VariableValue *before = value_of(walk, symbol);
        bool is_changed = value_scan_changes(&scan, symbol);
        bool is_counted = before && is_changed; /* its values are followed */
        if (may_be_fixed(walk, symbol, outside) && !is_counted) {
            ValueNote note = {symbol, before, true};
            value_fix(walk, symbol);
            if (is_changed) {
                array_push(walk->arena, &walk->values->tested, note);
            }
        }
    }
    return test;
}

void value_end_test(UsageWalk *walk, const ValueTest *test) {
    walk->values->tested.count = test->outside;
    value_restore(walk, test->mark);
}

/* ---- a process that runs because of them ---- */

static const Node *without_blocks(const Node *process) {
    while (process->kind == NODE_BLOCK && process->block.specs.count == 0) {
        process = process->block.process;
    }
    return process;
}

/* The index of the first statement that may change it. */
static size_t changed_at(UsageWalk *walk, const NodeList *statements, const Symbol *symbol) {
    size_t index = 0;
    for (; index < statements->count; index++) {
        ValueScan scan = value_scan(walk, statements->items[index]);
        if (value_scan_changes(&scan, symbol)) {
            break;
        }
    }
    return index;
}

/* Of an IF or CASE each process is asked by itself. */
static void fix_until_changed(UsageWalk *walk, const ValueNote *name, const Node *process) {
    ValueScan scan = value_scan(walk, process);
    process = without_blocks(process);
    if (!value_scan_changes(&scan, name->symbol) || process->kind == NODE_IF ||
        process->kind == NODE_CASE) {
        return;
    }
    if (process->kind != NODE_SEQ || process->seq.replicator) {
        value_put(walk, name->symbol, name->before);
        return;
    }
    const NodeList *statements = &process->seq.body;
    ValueUntil until = {statements, changed_at(walk, statements, name->symbol), name->symbol,
                        name->before};
    array_push(walk->arena, &walk->values->until, until);
}

void value_walk_tested(UsageWalk *walk, const Node *process) {
    size_t count = walk->values->tested.count;
    VariableValue **fixed = arena_new_array(walk->arena, VariableValue *, count + 1);
    size_t mark = walk->values->until.count;
    for (size_t i = 0; i < count; i++) {
        fixed[i] = value_of(walk, walk->values->tested.items[i].symbol);
        fix_until_changed(walk, &walk->values->tested.items[i], process);
    }
    usage_process(walk, process);
    walk->values->until.count = mark;
    for (size_t i = 0; i < count; i++) {
        value_put(walk, walk->values->tested.items[i].symbol, fixed[i]);
    }
}

void value_next_statement(UsageWalk *walk, const NodeList *list, size_t index) {
    for (size_t i = 0; i < walk->values->until.count; i++) {
        const ValueUntil *until = &walk->values->until.items[i];
        if (until->list == list && until->index == index) {
            value_put(walk, until->symbol, until->before);
        }
    }
}
