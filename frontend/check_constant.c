/* check_constant -- constants found while checking, and what must be constant. */
#include "checker.h"
#include "fold.h"

static void report_outcome(Checker *checker, Node *node, ConstantOutcome outcome) {
    const char *type = type_name(checker->arena, node->type);
    switch (outcome) {
    case CONSTANT_DONE:
    case CONSTANT_UNKNOWN: return;
    case CONSTANT_OVERFLOW: diag_report(checker->diag, DIAG_TYPES_OVERFLOW, node->at, type); break;
    case CONSTANT_DIVIDE_BY_ZERO:
        diag_report(checker->diag, DIAG_TYPES_ZERO_DIVIDE, node->at);
        break;
    case CONSTANT_SHIFT_RANGE:
        diag_report(checker->diag, DIAG_TYPES_SHIFT_RANGE, node->at, type_bits(node->type));
        break;
    }
    expression_fail(checker, node);
}

void check_fold(Checker *checker, Node *node) {
    if (node->constant) {
        return;
    }
    Fold fold = {.arena = checker->arena, .budget = FOLD_BUDGET};
    const Constant *value = NULL;
    ConstantOutcome outcome = fold_node(&fold, node, &value);
    if (outcome == CONSTANT_DONE) {
        node->constant = value;
    } else {
        report_outcome(checker, node, outcome);
    }
}

bool check_constant_integer(Checker *checker, Node **slot, int64_t *value) {
    check_integer(checker, slot);
    Node *node = *slot;
    if (type_is_error(node->type)) {
        return false;
    }
    if (!node->constant) {
        diag_report(checker->diag, DIAG_TYPES_NOT_CONSTANT, node->at);
        return false;
    }
    *value = node->constant->integer;
    return true;
}
