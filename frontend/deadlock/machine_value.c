/* machine_value -- values in a state. See machine_state.h. */
#include "machine_state.h"

static bool value_of_variable(const Machine *machine, const Word *state, const SkeletonValue *value,
                              int64_t *number) {
    int64_t index = 0;
    size_t first = machine->variable_words[value->variable->number];
    if (first == SIZE_MAX ||
        (value->index && !machine_value(machine, state, value->index, &index)) || index < 0 ||
        index >= value->variable->count) {
        return false;
    }
    *number = state[first + (size_t)index];
    return *number != WORD_ANY;
}

static bool value_of_operation(const Machine *machine, const Word *state,
                               const SkeletonValue *value, int64_t *number) {
    int64_t left = 0;
    int64_t right = 0;
    bool has_left = machine_value(machine, state, value->left, &left);
    bool has_right = machine_value(machine, state, value->right, &right);
    bool is_logical = value->op == OPERATOR_AND || value->op == OPERATOR_OR;
    int64_t decides = value->op == OPERATOR_OR;
    if (is_logical && ((has_left && left == decides) || (has_right && right == decides))) {
        *number = decides;
        return true;
    }
    return has_left && has_right && skeleton_apply(left, value->op, right, value->type, number);
}

bool machine_value(const Machine *machine, const Word *state, const SkeletonValue *value,
                   int64_t *number) {
    switch (value->kind) {
    case VALUE_ANY: return false;
    case VALUE_NUMBER: *number = value->number; return true;
    case VALUE_VARIABLE: return value_of_variable(machine, state, value, number);
    default: return value_of_operation(machine, state, value, number);
    }
}

Truth machine_truth(const Machine *machine, const Word *state, const SkeletonValue *condition) {
    int64_t number = 1;
    if (condition && !machine_value(machine, state, condition, &number)) {
        return TRUTH_EITHER;
    }
    return number != 0 ? TRUTH_TRUE : TRUTH_FALSE;
}

void machine_set(const Machine *machine, Word *state, SkeletonSlot slot, bool is_known,
                 int64_t number) {
    size_t first = slot.variable ? machine->variable_words[slot.variable->number] : SIZE_MAX;
    int64_t index = 0;
    if (first == SIZE_MAX) {
        return;
    }
    bool fits = is_known && number > INT32_MIN && number <= INT32_MAX;
    Word word = fits ? (Word)number : WORD_ANY;
    bool is_one = !slot.index || (machine_value(machine, state, slot.index, &index) && index >= 0 &&
                                  index < slot.variable->count);
    if (is_one) {
        state[first + (size_t)index] = word;
        return;
    }
    for (size_t i = 0; i < (size_t)slot.variable->count; i++) {
        state[first + i] = WORD_ANY;
    }
}

void machine_store(const Machine *machine, Word *state, SkeletonSlot slot,
                   const SkeletonValue *value) {
    int64_t number = 0;
    bool is_known = value && machine_value(machine, state, value, &number);
    machine_set(machine, state, slot, is_known, number);
}
