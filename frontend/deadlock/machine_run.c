/* machine_run -- steps that a task makes alone. See the header. */
#include "machine_state.h"

void machine_begin(const Machine *machine, Word *state) {
    for (size_t i = 0; i < machine->words; i++) {
        state[i] = 0;
    }
    for (size_t i = 0; i < machine->skeleton->variables.count; i++) {
        SkeletonSlot whole = {machine->skeleton->variables.items[i], skeleton_any()};
        machine_set(machine, state, whole, false, 0);
    }
    state[0] = (Word)machine->starts[0];
}

const Instruction *machine_at(const Machine *machine, const Word *state, unsigned task) {
    return &machine->code.items[state[task]];
}

/* ---- choices ---- */

static Local go(Word *state, unsigned task, unsigned target) {
    state[task] = (Word)target;
    return LOCAL_MOVES;
}

static Local go_on(Word *state, unsigned task) {
    state[task]++;
    return LOCAL_MOVES;
}

static Local branch(const Machine *machine, Word *state, unsigned task, const Instruction *at) {
    for (size_t i = 0; i < at->targets.count; i++) {
        Truth truth = machine_truth(machine, state, at->step->choices.items[i]->condition);
        if (truth != TRUTH_FALSE) {
            return truth == TRUTH_EITHER ? LOCAL_FORKS : go(state, task, at->targets.items[i]);
        }
    }
    return LOCAL_ENDS;
}

static bool fork_branch(const Machine *machine, Word *state, unsigned task, size_t way) {
    const Instruction *at = machine_at(machine, state, task);
    for (size_t i = 0; i < at->targets.count; i++) {
        Truth truth = machine_truth(machine, state, at->step->choices.items[i]->condition);
        if (truth != TRUTH_FALSE && way-- == 0) {
            (void)go(state, task, at->targets.items[i]);
            return true;
        }
        if (truth == TRUTH_TRUE) {
            break;
        }
    }
    return false;
}

static Truth has_turn(const Machine *machine, const Word *state, const Instruction *at) {
    int64_t count;
    int64_t turn = state[machine->variable_words[at->step->variable->number]];
    if (!machine_value(machine, state, at->step->count, &count) || turn == WORD_ANY) {
        return TRUTH_EITHER;
    }
    return turn < count ? TRUTH_TRUE : TRUTH_FALSE;
}

static Local test(Word *state, unsigned task, const Instruction *at, Truth truth) {
    return truth == TRUTH_EITHER  ? LOCAL_FORKS
           : truth == TRUTH_FALSE ? go(state, task, at->target)
                                  : go_on(state, task);
}

static void set_variable(const Machine *machine, Word *state, const SkeletonVariable *variable,
                         bool is_known, int64_t number) {
    machine_set(machine, state, (SkeletonSlot){variable, NULL}, is_known, number);
}

static Local pick(const Machine *machine, Word *state, unsigned task, const Instruction *at) {
    int64_t number;
    if (!machine_value(machine, state, at->step->value, &number)) {
        return LOCAL_FORKS;
    }
    if (number < 0 || number >= at->step->count->number) {
        return LOCAL_ENDS;
    }
    set_variable(machine, state, at->step->variable, true, number);
    return go_on(state, task);
}

static Local first_turn(const Machine *machine, Word *state, unsigned task, const Instruction *at) {
    int64_t count;
    bool is_known = machine_value(machine, state, at->step->count, &count);
    set_variable(machine, state, at->step->variable, is_known, 0);
    return go_on(state, task);
}

static Local next_turn(const Machine *machine, Word *state, unsigned task, const Instruction *at) {
    int64_t turn = state[machine->variable_words[at->step->variable->number]];
    set_variable(machine, state, at->step->variable, turn != WORD_ANY, turn + 1);
    return go(state, task, at->target);
}

/* ---- PAR, CLAIM, messages from outside ---- */

static Local start(const Machine *machine, Word *state, unsigned task, const Instruction *at) {
    for (size_t i = 0; i < at->step->tasks.count; i++) {
        unsigned number = at->step->tasks.items[i]->number;
        state[number] = (Word)machine->starts[number];
    }
    return go_on(state, task);
}

static Local join(Word *state, unsigned task, const Instruction *at) {
    for (size_t i = 0; i < at->step->tasks.count; i++) {
        if (state[at->step->tasks.items[i]->number] != 0) {
            return LOCAL_WAITS;
        }
    }
    return go_on(state, task);
}

/* All tasks of a pool do the same: which of them begins makes no difference. */
static Local fork_task(const Machine *machine, Word *state, unsigned task, const Instruction *at) {
    const SkeletonStep *step = at->step;
    size_t which = 0;
    while (which < step->tasks.count && state[step->tasks.items[which]->number] != 0) {
        which++;
    }
    if (which == step->tasks.count) {
        return LOCAL_WAITS;
    }
    const SkeletonTask *forked = step->tasks.items[which];
    for (size_t i = 0; i < forked->copies.count; i++) {
        SkeletonSlot slot = {forked->copies.items[i], NULL};
        machine_store(machine, state, slot, step->values.items[i]);
    }
    state[forked->number] = (Word)machine->starts[forked->number];
    return go_on(state, task);
}

/* Whoever has sent the message goes on. */
static Local answer(const Machine *machine, Word *state, unsigned task, const Instruction *at) {
    int64_t element = machine_element(machine, state, &at->place);
    for (unsigned i = 0; i < machine->skeleton->tasks.count; i++) {
        const Instruction *other = machine_at(machine, state, i);
        if (other->op == OP_AWAIT && machine_element(machine, state, &other->place) == element) {
            state[i]++;
            break;
        }
    }
    return go_on(state, task);
}

static Local unlock(const Machine *machine, Word *state, unsigned task) {
    Word *lock = machine_lock(machine, state, task);
    if (lock) {
        *lock = 0;
    }
    return go_on(state, task);
}

static bool fork_receive(const Machine *machine, Word *state, unsigned task, size_t way) {
    const Instruction *at = machine_at(machine, state, task);
    if (way >= at->options.count) {
        return false;
    }
    const MachineOption *option = &at->options.items[way];
    for (size_t i = 0; i < option->variant->targets.count; i++) {
        machine_store(machine, state, option->variant->targets.items[i], NULL);
    }
    (void)go(state, task, option->target);
    return true;
}

/* The world outside is always ready. */
static Local receive(const Machine *machine, Word *state, unsigned task, const Instruction *at) {
    bool is_outside = at->step->kind == STEP_RECEIVE && !at->step->guards.items[0]->place.channel;
    if (!is_outside) {
        return LOCAL_WAITS;
    }
    if (at->options.count > 1) {
        return LOCAL_FORKS;
    }
    return fork_receive(machine, state, task, 0) ? LOCAL_MOVES : LOCAL_ENDS;
}

/* ---- clocks ---- */

bool machine_waits_for_turn(const Machine *machine, const Word *state, unsigned task) {
    const Instruction *at = machine_at(machine, state, task);
    return at->op == OP_CLOCK && at->step->member->clock->is_joined_again;
}

void machine_take_turn(const Machine *machine, Word *state, unsigned task) {
    machine_clock(machine, state, task);
}

static Local clock_step(const Machine *machine, Word *state, unsigned task) {
    if (machine_waits_for_turn(machine, state, task)) {
        return LOCAL_WAITS;
    }
    machine_clock(machine, state, task);
    return LOCAL_MOVES;
}

static Local until(const Machine *machine, Word *state, unsigned task, const Instruction *at) {
    if (machine_truth(machine, state, at->step->condition) == TRUTH_FALSE) {
        return LOCAL_WAITS;
    }
    machine_store(machine, state, at->step->slot, at->step->value);
    return go_on(state, task);
}

/* ---- all of them ---- */

Local machine_local(const Machine *machine, Word *state, unsigned task) {
    const Instruction *at = machine_at(machine, state, task);
    switch (at->op) {
    case OP_SEND:
    case OP_AWAIT:
    case OP_LOCK: return LOCAL_WAITS;
    case OP_RECEIVE: return receive(machine, state, task, at);
    case OP_ANSWER: return answer(machine, state, task, at);
    case OP_BRANCH: return branch(machine, state, task, at);
    case OP_TEST: return test(state, task, at, machine_truth(machine, state, at->step->condition));
    case OP_JUMP: return go(state, task, at->target);
    case OP_FIRST_TURN: return first_turn(machine, state, task, at);
    case OP_TURN: return test(state, task, at, has_turn(machine, state, at));
    case OP_NEXT_TURN: return next_turn(machine, state, task, at);
    case OP_PICK: return pick(machine, state, task, at);
    case OP_SET:
        machine_store(machine, state, at->step->slot, at->step->value);
        return go_on(state, task);
    case OP_PAR: return start(machine, state, task, at);
    case OP_JOIN: return join(state, task, at);
    case OP_FORK: return fork_task(machine, state, task, at);
    case OP_UNLOCK: return unlock(machine, state, task);
    case OP_CLOCK: return clock_step(machine, state, task);
    case OP_ELECT: return machine_elect(machine, state, task, at);
    case OP_UNTIL: return until(machine, state, task, at);
    case OP_STOP: return LOCAL_ENDS;
    case OP_END: return state[task] == 0 ? LOCAL_WAITS : go(state, task, 0);
    }
    return LOCAL_WAITS;
}

bool machine_fork(const Machine *machine, Word *state, unsigned task, size_t way) {
    const Instruction *at = machine_at(machine, state, task);
    if (at->op == OP_BRANCH) {
        return fork_branch(machine, state, task, way);
    }
    if (at->op == OP_ELECT) {
        return machine_fork_elect(machine, state, task, way);
    }
    if (at->op == OP_RECEIVE) {
        return fork_receive(machine, state, task, way);
    }
    if (at->op == OP_PICK) {
        set_variable(machine, state, at->step->variable, true, (int64_t)way);
        state[task]++;
        return (int64_t)way < at->step->count->number;
    }
    state[task] = way == 0 ? state[task] + 1 : (Word)at->target;
    return way < 2;
}
