/* check_constant -- constants found while checking, and what must be constant. */
#include "checker.h"
#include "fold.h"

bool check_excuses(Checker *checker, Location at, const char *words) {
    if (checker->is_excluded) {
        diag_report(checker->diag, DIAG_UNREACHABLE_ERROR, at, words);
    }
    return checker->is_excluded;
}

bool check_exclude(Checker *checker, bool is_excluded) {
    bool outside = checker->is_excluded;
    checker->is_excluded = outside || is_excluded;
    return outside;
}

bool constant_is(const Node *condition, bool value) {
    return condition && condition->constant && condition->type &&
           type_base(condition->type)->kind == TYPE_BOOL &&
           (condition->constant->integer != 0) == value;
}

static const char *words_of(ConstantOutcome outcome) {
    switch (outcome) {
    case CONSTANT_DONE:
    case CONSTANT_UNKNOWN: return NULL;
    case CONSTANT_OVERFLOW: return "overflow";
    case CONSTANT_DIVIDE_BY_ZERO: return "division by zero";
    case CONSTANT_SHIFT_RANGE: return "a shift by too many places";
    }
    return NULL;
}

static void report_outcome(Checker *checker, Node *node, ConstantOutcome outcome) {
    const char *type = type_name(checker->arena, node->type);
    if (words_of(outcome) && check_excuses(checker, node->at, words_of(outcome))) {
        return; /* it has a type, and no value */
    }
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

/* x / 0 and x << 33 are wrong whatever x is. */
static ConstantOutcome check_right_operand(const Node *node) {
    const Constant *right = node->kind == NODE_DYADIC && !node->dyadic.user_operator
                                ? node->dyadic.right->constant
                                : NULL;
    if (!right || !type_is_integer(node->dyadic.left->type) || !type_is_integer(right->type)) {
        return CONSTANT_UNKNOWN;
    }
    Operator op = node->dyadic.op;
    bool divides = op == OPERATOR_DIVIDE || op == OPERATOR_REMAINDER;
    bool shifts = op == OPERATOR_SHIFT_LEFT || op == OPERATOR_SHIFT_RIGHT;
    if (divides && right->integer == 0) {
        return CONSTANT_DIVIDE_BY_ZERO;
    }
    bool is_too_far = right->integer < 0 || right->integer > (int64_t)type_bits(node->type);
    return shifts && is_too_far ? CONSTANT_SHIFT_RANGE : CONSTANT_UNKNOWN;
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
        report_outcome(checker, node,
                       outcome == CONSTANT_UNKNOWN ? check_right_operand(node) : outcome);
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
