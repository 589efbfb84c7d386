/* check_claim -- CLAIM: which end is claimed, and what its name denotes inside (language.md 2.4).
 *
 * Holds: inside of the block the name is that of the one end, not shared; so it can be used there,
 *        and claiming it again or passing it on as a shared end is a mistake of types. */
#include "checker.h"

/* The end that is meant: as written, or the only one there is; NONE after a message. */
static Direction claimed_direction(Checker *checker, Node *node) {
    Node *element = node->claim.element;
    Direction written = node->claim.direction;
    Direction known = element_direction(element);
    const Type *leaf = type_leaf(element->type);
    if (written == DIRECTION_NONE && known != DIRECTION_NONE) {
        return known;
    }
    if (written != DIRECTION_NONE) {
        return check_end_direction(checker, element, written, node->at) ? written : DIRECTION_NONE;
    }
    if (leaf->channel.is_shared_input && leaf->channel.is_shared_output) {
        const char *name = element_symbol(element)->name->bytes;
        diag_report(checker->diag, DIAG_TYPES_CLAIM_DIRECTION, element->at, name);
        diag_hint(checker->diag, "write CLAIM %s! to output, CLAIM %s? to input", name, name);
        return DIRECTION_NONE;
    }
    return leaf->channel.is_shared_input ? DIRECTION_INPUT : DIRECTION_OUTPUT;
}

static bool is_shared_end(const Type *type, Direction direction) {
    return direction == DIRECTION_INPUT ? type->channel.is_shared_input
                                        : type->channel.is_shared_output;
}

/* The direction that is claimed; NONE after a message. */
static Direction check_claimed_end(Checker *checker, Node *node) {
    const Type *type = check_element(checker, &node->claim.element);
    Node *element = node->claim.element;
    const Symbol *symbol = element_symbol(element);
    element_mark_used(element);
    if (type_is_error(type)) {
        return DIRECTION_NONE;
    }
    if (!symbol || type->kind != TYPE_CHANNEL) {
        diag_report(checker->diag, DIAG_TYPES_NOT_CHANNEL, element->at,
                    type_name(checker->arena, type));
        return DIRECTION_NONE;
    }
    Direction direction = claimed_direction(checker, node);
    if (direction != DIRECTION_NONE && !is_shared_end(type, direction)) {
        diag_report(checker->diag, DIAG_TYPES_NOT_SHARED, element->at, symbol->name->bytes);
        return DIRECTION_NONE;
    }
    return direction;
}

/* CLAIM c[i] ! x: only that element is claimed, and the communication is with it. */
static bool is_one_communication(const Node *node) {
    const Node *process = node->claim.process;
    const Node *channel = process->kind == NODE_OUTPUT  ? process->output.channel
                          : process->kind == NODE_INPUT ? process->input.channel
                                                        : NULL;
    Location at = node->claim.element->at;
    return channel && channel->at.line == at.line && channel->at.column == at.column;
}

/* The symbol the name has inside. After a mistake it is not shared either: nothing more is said. */
static Symbol *make_claimed(Checker *checker, const Symbol *symbol, Node *node,
                            Direction direction) {
    Symbol *claimed = arena_copy(checker->arena, symbol, sizeof *symbol);
    claimed->kind = SYMBOL_VARIABLE;
    claimed->definition = node;
    claimed->owner = checker->routine;
    claimed->type = type_claimed(checker->arena, symbol->type);
    claimed->direction = direction;
    claimed->number = checker->symbol_count++;
    scope_add(checker->scope, claimed);
    return claimed;
}

void check_claim(Checker *checker, Node *node) {
    check_communicates(checker, node, "CLAIM");
    Direction direction = check_claimed_end(checker, node);
    const Symbol *symbol = element_symbol(node->claim.element);
    bool is_name = node->claim.element->kind == NODE_NAME;
    node->claim.direction = direction;
    if (direction != DIRECTION_NONE && !is_name && !is_one_communication(node)) {
        report_not_supported(checker, node->claim.element->at, "CLAIM of an element with a block");
    }
    scope_open(checker->scope);
    if (symbol && symbol->type && type_is_channel(symbol->type)) {
        node->claim.claimed = make_claimed(checker, symbol, node, direction);
    }
    check_process(checker, &node->claim.process);
    scope_close(checker->scope);
}
