/* skeleton_value -- numbers that are known where the model is written, or in it. See skeleton.h. */
#include "skeleton.h"

#include <inttypes.h>

/* As the operator is written in Promela; 0: its result is any value. */
static const char operators[OPERATOR_COUNT] = {
    [OPERATOR_ADD] = '+',    [OPERATOR_PLUS] = '+',      [OPERATOR_SUBTRACT] = '-',
    [OPERATOR_MINUS] = '-',  [OPERATOR_MULTIPLY] = '*',  [OPERATOR_TIMES] = '*',
    [OPERATOR_DIVIDE] = '/', [OPERATOR_REMAINDER] = '%',
};

const char *skeleton_text(Skeleton *skeleton, SkeletonValue value) {
    return value.text ? value.text : arena_format(skeleton->arena, "%" PRId64, value.number);
}

static int64_t combined(int64_t left, char operator, int64_t right) {
    switch (operator) {
    case '+': return (int64_t)((uint64_t)left + (uint64_t)right);
    case '-': return (int64_t)((uint64_t)left - (uint64_t)right);
    case '*': return (int64_t)((uint64_t)left * (uint64_t)right);
    case '/': return right == 0 || right == -1 ? -left : left / right;
    default: return right == 0 || right == -1 ? 0 : left % right;
    }
}

SkeletonValue skeleton_combine(Skeleton *skeleton, SkeletonValue left, char operator,
                               SkeletonValue right) {
    if (!left.text && !right.text) {
        return (SkeletonValue){.number = combined(left.number, operator, right.number)};
    }
    bool is_same = (operator== '+' && !right.text && right.number == 0) ||
                   (operator== '*' && !right.text && right.number == 1);
    if (is_same) {
        return left;
    }
    return (SkeletonValue){.text = arena_format(skeleton->arena, "(%s %c %s)",
                                                skeleton_text(skeleton, left), operator,
                                                skeleton_text(skeleton, right))};
}

static bool value_of_size(Skeleton *skeleton, const Node *operand, SkeletonValue *value) {
    const SkeletonRef *ref = node_is_type(operand) || !skeleton_is_channel(operand->type)
                                 ? NULL
                                 : skeleton_refer(skeleton, operand);
    value->number = ref ? ref->length : -1;
    if (value->number < 0 && operand->type && type_is_array(operand->type)) {
        value->number = type_base(operand->type)->array.count;
    }
    return value->number >= 0;
}

bool skeleton_value(Skeleton *skeleton, const Node *expression, SkeletonValue *value) {
    const Constant *constant = expression->constant;
    *value = (SkeletonValue){0, NULL};
    if (constant && constant->type && type_is_integer(constant->type)) {
        value->number = constant->integer;
        return true;
    }
    if (expression->kind == NODE_NAME && expression->name.symbol) {
        const SkeletonValue *known = symbol_map_get(&skeleton->values, expression->name.symbol);
        *value = known ? *known : *value;
        return known != NULL;
    }
    if (expression->kind == NODE_CONVERSION && expression->type &&
        type_is_integer(expression->type)) {
        return skeleton_value(skeleton, expression->conversion.operand, value);
    }
    if (expression->kind == NODE_SIZE) {
        return value_of_size(skeleton, expression->size.operand, value);
    }
    if (expression->kind == NODE_DYADIC && operators[expression->dyadic.op]) {
        SkeletonValue right;
        bool is_known = skeleton_value(skeleton, expression->dyadic.left, value) &&
                        skeleton_value(skeleton, expression->dyadic.right, &right);
        if (is_known) {
            *value = skeleton_combine(skeleton, *value, operators[expression->dyadic.op], right);
        }
        return is_known;
    }
    return false;
}

void skeleton_set_value(Skeleton *skeleton, const Symbol *symbol, const SkeletonValue *value) {
    SkeletonValue *kept = NULL;
    if (value) {
        kept = arena_new(skeleton->arena, SkeletonValue);
        *kept = *value;
    }
    symbol_map_set(skeleton->arena, &skeleton->values, symbol, kept);
}

/* ---- replicators ---- */

bool skeleton_turns(Skeleton *skeleton, const Node *replicator, SkeletonTurns *turns) {
    const Node *step = replicator->replicator.step;
    *turns = (SkeletonTurns){.step = {.number = 1}};
    bool are_known = skeleton_value(skeleton, replicator->replicator.base, &turns->base) &&
                     skeleton_value(skeleton, replicator->replicator.count, &turns->count) &&
                     (!step || skeleton_value(skeleton, step, &turns->step));
    turns->are_numbers = are_known && !turns->base.text && !turns->count.text &&
                         !turns->step.text && turns->count.number <= TURNS_MOST;
    return are_known;
}

void skeleton_turn(Skeleton *skeleton, const Node *replicator, const SkeletonTurns *turns,
                   int64_t number) {
    SkeletonValue turn = {.number = number};
    SkeletonValue distance = skeleton_combine(skeleton, turns->step, '*', turn);
    SkeletonValue value = skeleton_combine(skeleton, turns->base, '+', distance);
    skeleton_set_value(skeleton, replicator->replicator.def->def.symbol, &value);
}

/* ---- conditions ---- */

static const char *const relations[OPERATOR_COUNT] = {
    [OPERATOR_EQUAL] = "==",      [OPERATOR_NOT_EQUAL] = "!=", [OPERATOR_LESS] = "<",
    [OPERATOR_LESS_EQUAL] = "<=", [OPERATOR_GREATER] = ">",    [OPERATOR_GREATER_EQUAL] = ">=",
};

static bool holds(int64_t left, Operator op, int64_t right) {
    switch (op) {
    case OPERATOR_EQUAL: return left == right;
    case OPERATOR_NOT_EQUAL: return left != right;
    case OPERATOR_LESS: return left < right;
    case OPERATOR_LESS_EQUAL: return left <= right;
    case OPERATOR_GREATER: return left > right;
    default: return left >= right;
    }
}

static SkeletonTruth truth_of_relation(Skeleton *skeleton, const Node *condition,
                                       const char **test) {
    SkeletonValue left;
    SkeletonValue right;
    Operator op = condition->dyadic.op;
    if (!skeleton_value(skeleton, condition->dyadic.left, &left) ||
        !skeleton_value(skeleton, condition->dyadic.right, &right)) {
        return TRUTH_ANY;
    }
    if (!left.text && !right.text) {
        return holds(left.number, op, right.number) ? TRUTH_TRUE : TRUTH_FALSE;
    }
    *test = arena_format(skeleton->arena, "(%s %s %s)", skeleton_text(skeleton, left),
                         relations[op], skeleton_text(skeleton, right));
    return TRUTH_TESTED;
}

/* One that decides alone is enough. */
static SkeletonTruth truth_of_both(Skeleton *skeleton, const Node *condition, const char **test) {
    bool is_and = condition->dyadic.op == OPERATOR_AND;
    SkeletonTruth decides = is_and ? TRUTH_FALSE : TRUTH_TRUE;
    const char *tests[2];
    SkeletonTruth left = skeleton_truth(skeleton, condition->dyadic.left, &tests[0]);
    SkeletonTruth right = skeleton_truth(skeleton, condition->dyadic.right, &tests[1]);
    if (left == decides || right == decides) {
        return decides;
    }
    if (left <= TRUTH_TRUE || right <= TRUTH_TRUE) {
        *test = left <= TRUTH_TRUE ? tests[1] : tests[0];
        return left <= TRUTH_TRUE ? right : left;
    }
    if (left == TRUTH_ANY || right == TRUTH_ANY) {
        return TRUTH_ANY;
    }
    *test = arena_format(skeleton->arena, "(%s %s %s)", tests[0], is_and ? "&&" : "||", tests[1]);
    return TRUTH_TESTED;
}

SkeletonTruth skeleton_truth(Skeleton *skeleton, const Node *condition, const char **test) {
    const Constant *constant = condition->constant;
    if (constant) {
        return constant->integer != 0 ? TRUTH_TRUE : TRUTH_FALSE;
    }
    if (condition->kind == NODE_MONADIC && condition->monadic.op == OPERATOR_NOT) {
        SkeletonTruth truth = skeleton_truth(skeleton, condition->monadic.operand, test);
        if (truth == TRUTH_TESTED) {
            *test = arena_format(skeleton->arena, "!%s", *test);
        }
        return truth == TRUTH_TRUE ? TRUTH_FALSE : truth == TRUTH_FALSE ? TRUTH_TRUE : truth;
    }
    if (condition->kind != NODE_DYADIC) {
        return TRUTH_ANY;
    }
    if (condition->dyadic.op == OPERATOR_AND || condition->dyadic.op == OPERATOR_OR) {
        return truth_of_both(skeleton, condition, test);
    }
    return relations[condition->dyadic.op] ? truth_of_relation(skeleton, condition, test)
                                           : TRUTH_ANY;
}
