/* value_choice -- variables of a branch behind an IF of which each way assigns numbers to them,
 * or leaves what was there.
 *
 *   hi := lo + chunk
 *   IF
 *     hi > n
 *       hi := n                -- hi is a number: n when lo + chunk > n, and lo + chunk when not
 *     TRUE
 *       SKIP
 *
 * Holds: the number is a parameter of the branch; what follows in the sequence stands under a
 *        choice of conditions, one chain for each way. */
#include "values.h"

#define WAYS_FOLLOWED    4
#define NUMBERS_FOLLOWED 4

/* A variable that some way assigns to is some number after it. */
typedef struct Number {
    Symbol *symbol;
    const IndexExpr *number;
    bool is_known; /* by all ways looked at so far */
} Number;

typedef struct Ways {
    const NodeList *choices;
    size_t count;
    Number numbers[NUMBERS_FOLLOWED];
} Ways;

static void add_number(UsageWalk *walk, Ways *ways, Symbol *symbol) {
    bool is_known = false;
    for (size_t i = 0; i < ways->count && !is_known; i++) {
        is_known = ways->numbers[i].symbol == symbol;
    }
    if (!is_known && ways->count < NUMBERS_FOLLOWED && value_may_follow(walk, symbol)) {
        IndexExpr *number = usage_phase_unknown(walk);
        number->label = symbol->name->bytes;
        number->is_assigned = walk->here.pars == 0;
        ways->numbers[ways->count++] = (Number){symbol, number, true};
    }
}

/* The statements of a way, in order: those that assign, and others. */
static void find_numbers(UsageWalk *walk, Ways *ways, const Node *node) {
    if (node->kind == NODE_BLOCK && node->block.specs.count == 0) {
        find_numbers(walk, ways, node->block.process);
    } else if (node->kind == NODE_SEQ && !node->seq.replicator) {
        for (size_t i = 0; i < node->seq.body.count; i++) {
            find_numbers(walk, ways, node->seq.body.items[i]);
        }
    }
    for (size_t i = 0; node->kind == NODE_ASSIGN && i < node->assign.targets.count; i++) {
        const Node *target = node->assign.targets.items[i];
        if (target->kind == NODE_NAME && target->name.symbol) {
            add_number(walk, ways, target->name.symbol);
        }
    }
}

static void follow_way(UsageWalk *walk, const Node *node) {
    if (node->kind == NODE_BLOCK && node->block.specs.count == 0) {
        follow_way(walk, node->block.process);
    } else if (node->kind == NODE_SEQ && !node->seq.replicator) {
        for (size_t i = 0; i < node->seq.body.count; i++) {
            follow_way(walk, node->seq.body.items[i]);
        }
    } else if (node->kind == NODE_ASSIGN) {
        value_after_assign(walk, node);
    } else {
        value_forget_changed(walk, node);
    }
}

/* On this way: none of the conditions before it, its own, and each number is what the variable is
 * at its end. */
static const IndexGuard *guards_of_way(UsageWalk *walk, Ways *ways, size_t which) {
    walk->here.guards = NULL;
    for (size_t i = 0; i <= which; i++) {
        usage_guard(walk, ways->choices->items[i]->choice.condition, i < which);
    }
    size_t mark = value_mark(walk);
    follow_way(walk, ways->choices->items[which]->choice.process);
    for (size_t i = 0; i < ways->count; i++) {
        Number *number = &ways->numbers[i];
        const IndexExpr *value = value_assigned(walk, number->symbol);
        number->is_known = number->is_known && value;
        if (number->is_known) {
            IndexGuard *guard = arena_new(walk->arena, IndexGuard);
            *guard = (IndexGuard){.outer = walk->here.guards,
                                  .op = OPERATOR_EQUAL,
                                  .left = number->number,
                                  .right = value};
            walk->here.guards = guard;
        }
    }
    value_restore(walk, mark);
    return walk->here.guards;
}

/* What follows stands under the condition that the numbers are those of one of the ways. False:
 * none of them is known. */
static bool guard_numbers(UsageWalk *walk, Ways *ways) {
    const IndexGuard *outside = walk->here.guards;
    const IndexGuard *known = NULL;
    for (size_t i = ways->choices->count; i-- > 0;) {
        const IndexGuard *way = guards_of_way(walk, ways, i);
        bool is_last = i + 1 == ways->choices->count;
        walk->here.guards = NULL;
        usage_guard_choice(walk, way, known);
        known = is_last ? way : walk->here.guards;
    }
    walk->here.guards = outside;
    bool is_any = false;
    for (size_t i = 0; i < ways->count; i++) {
        is_any = is_any || ways->numbers[i].is_known;
    }
    if (known && is_any) {
        IndexGuard *guard = arena_copy(walk->arena, known, sizeof *known); /* a choice: it is one */
        guard->outer = outside;
        walk->here.guards = guard;
    }
    return known && is_any;
}

static bool has_ways(const Node *statement) {
    bool is_if = statement->kind == NODE_IF && !statement->if_.replicator &&
                 statement->if_.choices.count >= 2 && statement->if_.choices.count <= WAYS_FOLLOWED;
    for (size_t i = 0; is_if && i < statement->if_.choices.count; i++) {
        const Node *choice = statement->if_.choices.items[i];
        if (choice->kind != NODE_CHOICE || choice->choice.specs.count > 0 ||
            !choice->choice.condition) {
            return false;
        }
    }
    return is_if;
}

bool value_after_if(UsageWalk *walk, const Node *statement) {
    if (!value_is_followed(walk) || !has_ways(statement)) {
        return false;
    }
    Ways ways = {.choices = &statement->if_.choices};
    for (size_t i = 0; i < ways.choices->count; i++) {
        find_numbers(walk, &ways, ways.choices->items[i]->choice.process);
    }
    if (ways.count == 0 || !guard_numbers(walk, &ways)) {
        return false;
    }
    value_forget_changed(walk, statement);
    for (size_t i = 0; i < ways.count; i++) {
        if (ways.numbers[i].is_known) {
            value_note(walk, ways.numbers[i].symbol, ways.numbers[i].number);
        }
    }
    return true;
}
