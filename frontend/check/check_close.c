/* check_close -- CLOSE, CLOSED and WHILE c ? x (language.md 4.2).
 *
 * Leaves: items and tags of the input to check_protocol.c and check_variant.c; that the other end
 *         is another process's to the usage checks, where closing an end is a use of it.
 * Holds:  an end is closed, or asked about, by whoever may communicate through it. */
#include "checker.h"

/* The end is used as by an output, or input: a shared one must be claimed. */
static void check_end_use(Checker *checker, Node *node, Node *end, const char *word) {
    check_communicates(checker, node, word);
    end->type = check_channel(checker, &end->end.channel, end->end.direction);
    check_is_channel(checker, end->end.channel);
}

void check_close(Checker *checker, Node *node) {
    check_end_use(checker, node, node->close.end, "CLOSE");
}

const Type *check_closed(Checker *checker, Node *node) {
    check_end_use(checker, node, node->closed.end, "CLOSED");
    return type_primitive(TYPE_BOOL);
}

void check_while_input(Checker *checker, Node *node) {
    const Node *input = node->while_input.input;
    check_process(checker, &node->while_input.input);
    if (input->kind == NODE_INPUT || input->kind == NODE_INPUT_CASE) {
        check_is_channel(checker, input->kind == NODE_INPUT ? input->input.channel
                                                            : input->input_case.channel);
    }
    if (node->while_input.process) {
        check_process(checker, &node->while_input.process);
    }
}
