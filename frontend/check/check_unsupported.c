/* check_unsupported -- processes of occam-pi and of our own that code generation does not have yet:
 * names in them are resolved and their parts checked, then each is reported once as not supported.
 */
#include "checker.h"

static void check_used_element(Checker *checker, Node **slot) {
    check_element(checker, slot);
    element_mark_used(*slot);
}

static void check_elements(Checker *checker, NodeList *list) {
    for (size_t i = 0; i < list->count; i++) {
        check_used_element(checker, &list->items[i]);
    }
}

/* DYNCALL p (..): nothing is known of the formals' rules yet, but names are. */
static void check_free_call(Checker *checker, Node *callee, NodeList *actuals) {
    if (callee->kind == NODE_NAME) {
        Symbol *symbol = name_resolve(checker, callee);
        if (symbol) {
            symbol->is_used = true;
        }
        callee->type = type_primitive(TYPE_ERROR);
    }
    check_elements(checker, actuals);
}

static const char *construct_words(const Node *node) {
    return node->kind == NODE_ASM && node->asm_.is_guy ? "GUY" : node_title(node->kind);
}

void check_unsupported(Checker *checker, Node *node) {
    report_not_supported(checker, node->at, construct_words(node));
    if (node->kind == NODE_DYNCALL) {
        check_free_call(checker, node->dyncall.callee, &node->dyncall.actuals);
    }
}
