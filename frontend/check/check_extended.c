/* check_extended -- c ?? items / during / [after]: an input whose partner waits until `during` has
 * ended (language.md 2.6).
 *
 * Leaves: items and tags to check_protocol.c and check_variant.c.
 * Holds:  while the partner is held its channel is not used: an element of an array or a bundle may
 *         be another channel, so of those only the run-time check tells. */
#include "checker.h"

typedef struct HeldChannel {
    const Symbol *symbol;
    struct HeldChannel *outer;
} HeldChannel;

static Node *input_channel(const Node *input) {
    return input->kind == NODE_INPUT ? input->input.channel : input->input_case.channel;
}

void check_during(Checker *checker, const Node *channel, Node **process) {
    HeldChannel held = {NULL, checker->held};
    held.symbol = channel->kind == NODE_NAME ? channel->name.symbol : NULL;
    checker->held = &held;
    check_process(checker, process);
    checker->held = held.outer;
}

void check_held(Checker *checker, const Node *name, const Symbol *symbol) {
    for (const HeldChannel *held = checker->held; held; held = held->outer) {
        if (held->symbol == symbol) {
            diag_report(checker->diag, DIAG_TYPES_EXTENDED_CHANNEL, name->at, symbol->name->bytes);
            diag_hint(checker->diag, "the process after this one may use it");
            return;
        }
    }
}

static bool is_input(const Node *node) {
    return node->kind == NODE_INPUT || node->kind == NODE_INPUT_CASE;
}

void check_is_channel(Checker *checker, const Node *channel) {
    const Type *type = channel->type;
    if (type && !type_is_error(type) && type->kind != TYPE_CHANNEL) {
        diag_report(checker->diag, DIAG_TYPES_NOT_CHANNEL, channel->at,
                    type_name(checker->arena, type));
    }
}

void check_extended_input(Checker *checker, Node *node) {
    Ast_extended_input *extended = &node->extended_input;
    bool has_variants = !extended->during;
    checker->holds_variants = has_variants && is_input(extended->input);
    check_process(checker, &extended->input);
    checker->holds_variants = false;
    if (!is_input(extended->input)) {
        return; /* broken */
    }
    const Node *channel = input_channel(extended->input);
    check_is_channel(checker, channel);
    if (!has_variants) {
        check_during(checker, channel, &extended->during);
    }
    if (extended->after) {
        check_process(checker, &extended->after);
    }
}
