/* usage_test -- variables that do not change after a condition was tested: IF m <> i, then b[m] and
 * b[i] are two elements as long as neither m nor i is assigned to.
 *
 * Holds: of what follows the test the statements of its SEQ before the first that may change the
 *        variable see the number that was tested; no others do. As in usage_steady.c, nobody else
 *        changes it: that would be a race, or it is claimed, or in another phase, and then nothing
 *        is known. */
#include "usage_phase.h"

/* ---- the conditions of a construct ---- */

static void add_named(UsageWalk *walk, const Node *condition, SymbolSet *named) {
    SteadyScan scan = usage_steady_scan(walk, condition);
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
           usage_private_is_open(symbol);
}

TestedNames usage_test_begin(UsageWalk *walk, const Node *construct) {
    TestedNames tested = {.outside = walk->tested.count};
    if (walk->alias) {
        return tested;
    }
    SymbolSet named = named_in_conditions(walk, construct);
    if (named.count == 0) {
        return tested;
    }
    SteadyScan scan = usage_steady_scan(walk, construct);
    uint32_t outside = walk->phases && usage_phase_moves(construct) ? walk->own : 0;
    for (size_t i = 0; !scan.has_claims && i < named.count; i++) {
        Symbol *symbol = named.items[i];
        bool is_changed = usage_steady_changes(&scan, symbol);
        bool is_counted = symbol->usage && is_changed; /* usage_private.c follows its values */
        if (may_be_fixed(walk, symbol, outside) && !is_counted) {
            SteadyName name = {symbol, symbol->usage};
            usage_steady_fix(walk, symbol, &tested.names);
            if (is_changed) {
                array_push(walk->arena, &walk->tested, name);
            }
        }
    }
    return tested;
}

void usage_test_end(UsageWalk *walk, const TestedNames *tested) {
    walk->tested.count = tested->outside;
    usage_steady_end(&tested->names);
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
        SteadyScan scan = usage_steady_scan(walk, statements->items[index]);
        if (usage_steady_changes(&scan, symbol)) {
            break;
        }
    }
    return index;
}

/* Of an IF or CASE each process is asked by itself. */
static void fix_until_changed(UsageWalk *walk, const SteadyName *name, const Node *process) {
    SteadyScan scan = usage_steady_scan(walk, process);
    process = without_blocks(process);
    if (!usage_steady_changes(&scan, name->symbol) || process->kind == NODE_IF ||
        process->kind == NODE_CASE) {
        return;
    }
    if (process->kind != NODE_SEQ || process->seq.replicator) {
        name->symbol->usage = name->before;
        return;
    }
    const NodeList *statements = &process->seq.body;
    UsageTestedUntil until = {statements, changed_at(walk, statements, name->symbol), name->symbol,
                              name->before};
    array_push(walk->arena, &walk->tested_until, until);
}

void usage_tested(UsageWalk *walk, const Node *process) {
    size_t count = walk->tested.count;
    void **fixed = arena_new_array(walk->arena, void *, count + 1);
    size_t mark = walk->tested_until.count;
    for (size_t i = 0; i < count; i++) {
        fixed[i] = walk->tested.items[i].symbol->usage;
        fix_until_changed(walk, &walk->tested.items[i], process);
    }
    usage_process(walk, process);
    walk->tested_until.count = mark;
    for (size_t i = 0; i < count; i++) {
        walk->tested.items[i].symbol->usage = fixed[i];
    }
}

void usage_test_statement(UsageWalk *walk, const NodeList *list, size_t index) {
    for (size_t i = 0; i < walk->tested_until.count; i++) {
        const UsageTestedUntil *until = &walk->tested_until.items[i];
        if (until->list == list && until->index == index) {
            until->symbol->usage = until->before;
        }
    }
}
