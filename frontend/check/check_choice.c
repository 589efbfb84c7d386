/* check_choice -- IF, CASE and ALT: conditions, options and guards (language.md 1.4, 1.5, 3.5). */
#include "checker.h"

#include <stdlib.h>

/* ---- IF ---- */

static void check_one_choice(Checker *checker, Node *node) {
    if (node->kind != NODE_CHOICE) {
        return;
    }
    scope_open(checker->scope);
    check_specifications(checker, &node->choice.specs);
    if (node->choice.condition) {
        checker->choice = node->choice.condition;
        check_condition(checker, &node->choice.condition);
        checker->choice = NULL;
    }
    bool outside = check_exclude(checker, constant_is(node->choice.condition, false));
    check_process(checker, &node->choice.process);
    checker->is_excluded = outside;
    scope_close(checker->scope);
}

static void warn_of_empty(Checker *checker, const Node *node, size_t count, const char *what) {
    if (count == 0) {
        diag_report(checker->diag, DIAG_TYPES_EMPTY, node->at, what);
    }
}

void check_if(Checker *checker, Node *node) {
    warn_of_empty(checker, node, node->if_.choices.count, "an IF without choices");
    scope_open(checker->scope);
    if (node->if_.replicator) {
        check_replicator(checker, node->if_.replicator);
    }
    bool outside = checker->is_excluded;
    for (size_t i = 0; i < node->if_.choices.count; i++) {
        Node *choice = node->if_.choices.items[i];
        check_one_choice(checker, choice);
        check_exclude(checker,
                      choice->kind == NODE_CHOICE && constant_is(choice->choice.condition, true));
    }
    checker->is_excluded = outside;
    scope_close(checker->scope);
}

/* ---- CASE ---- */

typedef struct CaseValue {
    int64_t value;
    const Node *node;
} CaseValue;

typedef ARRAY_OF(CaseValue) CaseValueList;

static int compare_values(const void *left, const void *right) {
    const CaseValue *a = left;
    const CaseValue *b = right;
    if (a->value != b->value) {
        return a->value < b->value ? -1 : 1;
    }
    if (a->node->at.line != b->node->at.line) {
        return a->node->at.line < b->node->at.line ? -1 : 1;
    }
    return a->node->at.column < b->node->at.column ? -1 : 1;
}

static void check_duplicates(Checker *checker, CaseValueList *values) {
    if (values->count < 2) {
        return;
    }
    qsort(values->items, values->count, sizeof *values->items, compare_values);
    for (size_t i = 1; i < values->count; i++) {
        if (values->items[i].value == values->items[i - 1].value) {
            diag_report(checker->diag, DIAG_TYPES_CASE_DUPLICATE, values->items[i].node->at);
            diag_label(checker->diag, values->items[i - 1].node->at, "the same value is here");
        }
    }
}

/* The selector is constant, and not one of the values; or an option before an ELSE has it. */
static bool is_never_chosen(const Node *option, const Constant *selected, bool has_chosen) {
    bool is_chosen = !selected || (option->option.is_else && !has_chosen);
    for (size_t i = 0; i < option->option.values.count && !is_chosen; i++) {
        const Constant *value = option->option.values.items[i]->constant;
        is_chosen = !value || value->integer == selected->integer;
    }
    return !is_chosen;
}

/* `selected`: the value of the selector; NULL: not known. */
static void check_option(Checker *checker, Node *node, const Type *selector,
                         const Constant *selected, bool *has_chosen, CaseValueList *values) {
    scope_open(checker->scope);
    check_specifications(checker, &node->option.specs);
    for (size_t i = 0; i < node->option.values.count; i++) {
        Node **value = &node->option.values.items[i];
        if (type_is_error(check_value(checker, value, selector)) || type_is_error(selector)) {
            continue;
        }
        if (!(*value)->constant) {
            diag_report(checker->diag, DIAG_TYPES_NOT_CONSTANT, (*value)->at);
        } else {
            CaseValue known = {(*value)->constant->integer, *value};
            array_push(checker->arena, values, known);
        }
    }
    bool outside = check_exclude(checker, is_never_chosen(node, selected, *has_chosen));
    *has_chosen = *has_chosen || (selected && !checker->is_excluded);
    check_process(checker, &node->option.process);
    checker->is_excluded = outside;
    scope_close(checker->scope);
}

/* BOOL, BYTE or an integer; the error type after a message. */
static const Type *check_selector(Checker *checker, Node **selector) {
    const Type *type = check_expression(checker, selector, NULL);
    if (type_is_error(type)) {
        return type;
    }
    if (!type_is_integer(type) && type_base(type)->kind != TYPE_BOOL) {
        diag_report(checker->diag, DIAG_TYPES_CASE_SELECTOR, (*selector)->at,
                    type_name(checker->arena, type));
        if (type_is_array(type) && type_base(type_element(type, 1))->kind == TYPE_BYTE) {
            diag_hint(checker->diag, "texts are compared below IF: equal.string (a, b) of the "
                                     "course library");
        }
        return expression_fail(checker, *selector);
    }
    return type;
}

void check_case(Checker *checker, Node *node) {
    const Type *selector = check_selector(checker, &node->case_.selector);
    CaseValueList values = {0};
    const Node *otherwise = NULL;
    bool has_chosen = false;
    for (size_t i = 0; i < node->case_.options.count; i++) {
        Node *option = node->case_.options.items[i];
        if (option->kind != NODE_OPTION) {
            continue;
        }
        if (option->option.is_else && otherwise) {
            diag_report(checker->diag, DIAG_TYPES_CASE_ELSE, option->at);
            diag_label(checker->diag, otherwise->at, "the first ELSE is here");
        } else if (option->option.is_else) {
            otherwise = option;
        }
        check_option(checker, option, selector, node->case_.selector->constant, &has_chosen,
                     &values);
    }
    check_duplicates(checker, &values);
}

/* ---- ALT ---- */

static void check_guard(Checker *checker, Node **slot) {
    Node *guard = *slot;
    if (guard->kind == NODE_CLOSED || guard->kind == NODE_PHASE) {
        check_expression(checker, slot, NULL);
        return;
    }
    if (guard->kind == NODE_INPUT || guard->kind == NODE_OUTPUT) {
        const Node *channel =
            guard->kind == NODE_INPUT ? guard->input.channel : guard->output.channel;
        check_process(checker, slot);
        if (channel->type && type_is_port(channel->type)) {
            diag_report(checker->diag, DIAG_TYPES_PORT_GUARD, guard->at);
        }
        return;
    }
    check_process(checker, slot);
}

static void check_alternative(Checker *checker, Node *node, bool is_pri) {
    if (node->kind != NODE_ALTERNATIVE) {
        return;
    }
    scope_open(checker->scope);
    check_specifications(checker, &node->alternative.specs);
    if (node->alternative.condition) {
        check_condition(checker, &node->alternative.condition);
    }
    const Node *guard = node->alternative.guard;
    bool outside = check_exclude(checker, constant_is(node->alternative.condition, false));
    if (guard->kind == NODE_SKIP && !node->alternative.condition && !is_pri) {
        diag_report(checker->diag, DIAG_TYPES_ALT_SKIP, guard->at);
    }
    check_guard(checker, &node->alternative.guard);
    if (node->alternative.process) {
        check_process(checker, &node->alternative.process);
    }
    checker->is_excluded = outside;
    scope_close(checker->scope);
}

/* ---- both ends of one channel in one ALT ---- */

/* GuardEnd -- the channel of a guard, and which of the ALT's own alternatives it is in. */
typedef struct GuardEnd {
    const Node *channel;
    bool is_output;
    size_t alternative;
} GuardEnd;

typedef ARRAY_OF(GuardEnd) GuardEndList;

static void collect_ends(Checker *checker, const Node *alternative, size_t number,
                         GuardEndList *ends) {
    if (alternative->kind != NODE_ALTERNATIVE) {
        return;
    }
    const Node *guard = alternative->alternative.guard;
    if (guard->kind == NODE_INPUT || guard->kind == NODE_INPUT_CASE) {
        const Node *channel =
            guard->kind == NODE_INPUT ? guard->input.channel : guard->input_case.channel;
        array_push(checker->arena, ends, ((GuardEnd){channel, false, number}));
    } else if (guard->kind == NODE_OUTPUT) {
        array_push(checker->arena, ends, ((GuardEnd){guard->output.channel, true, number}));
    } else if (guard->kind == NODE_ALT) {
        for (size_t i = 0; i < guard->alt.alternatives.count; i++) {
            collect_ends(checker, guard->alt.alternatives.items[i], number, ends);
        }
    }
}

/* Certainly the same: what cannot be seen is left to the running program, which has such guards
 * off. */
static bool is_same_channel(const Node *left, const Node *right) {
    if (left->kind == NODE_NAME && right->kind == NODE_NAME) {
        return left->name.symbol && left->name.symbol == right->name.symbol;
    }
    if (left->constant && right->constant) {
        return left->constant->integer == right->constant->integer;
    }
    return left->kind == NODE_SUBSCRIPT && right->kind == NODE_SUBSCRIPT &&
           is_same_channel(left->subscript.base, right->subscript.base) &&
           is_same_channel(left->subscript.index, right->subscript.index);
}

static bool meet_in_vain(const GuardEnd *left, const GuardEnd *right) {
    return left->is_output != right->is_output && left->alternative != right->alternative &&
           is_same_channel(left->channel, right->channel);
}

static void check_both_ends(Checker *checker, const Node *alt) {
    GuardEndList ends = {0};
    for (size_t i = 0; i < alt->alt.alternatives.count; i++) {
        collect_ends(checker, alt->alt.alternatives.items[i], i, &ends);
    }
    for (size_t i = 0; i < ends.count; i++) {
        for (size_t k = i + 1; k < ends.count; k++) {
            if (!meet_in_vain(&ends.items[i], &ends.items[k])) {
                continue;
            }
            const Symbol *symbol = node_root(ends.items[k].channel);
            diag_report(checker->diag, DIAG_TYPES_ALT_BOTH_ENDS, ends.items[k].channel->at,
                        symbol ? symbol->name->bytes : "a channel");
            diag_label(checker->diag, ends.items[i].channel->at, "the other end is here");
            return;
        }
    }
}

void check_alt(Checker *checker, Node *node) {
    if (checker->in_valof) {
        diag_report(checker->diag, DIAG_TYPES_VALOF_CONSTRUCT, node->at, "ALT");
    }
    warn_of_empty(checker, node, node->alt.alternatives.count, "an ALT without guards");
    scope_open(checker->scope);
    if (node->alt.replicator) {
        check_replicator(checker, node->alt.replicator);
    }
    for (size_t i = 0; i < node->alt.alternatives.count; i++) {
        check_alternative(checker, node->alt.alternatives.items[i], node->alt.is_pri);
    }
    scope_close(checker->scope);
    check_both_ends(checker, node);
}
