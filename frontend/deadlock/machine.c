/* machine -- steps to instructions. See the header. */
#include "machine.h"

typedef struct Compiling {
    Machine *machine;
    const bool *is_watched;
    unsigned task;
} Compiling;

static void compile(Compiling *at, const SkeletonSteps *steps);

static unsigned here(const Compiling *at) {
    return (unsigned)at->machine->code.count;
}

/* The number of the new instruction: what it leads to is filled in later. */
static unsigned add(Compiling *at, MachineOp op, const SkeletonStep *step) {
    Instruction instruction = {.op = op, .step = step, .place = step->place};
    array_push(at->machine->arena, &at->machine->code, instruction);
    return here(at) - 1;
}

static Instruction *instruction(Compiling *at, unsigned number) {
    return &at->machine->code.items[number];
}

static void jump(Compiling *at, const SkeletonStep *step, unsigned target) {
    instruction(at, add(at, OP_JUMP, step))->target = target;
}

static void add_use(Compiling *at, SkeletonPlace place, bool is_output) {
    if (place.channel) {
        MachineUse use = {at->task, place, is_output};
        array_push(at->machine->arena, &at->machine->uses, use);
    }
}

/* ---- communication ---- */

static void compile_send(Compiling *at, const SkeletonStep *step) {
    add(at, OP_SEND, step);
    add_use(at, step->place, true);
    if (at->machine->skeleton->has_extended) {
        add(at, OP_AWAIT, step);
    }
}

static void compile_variant(Compiling *at, const SkeletonStep *step, const SkeletonGuard *guard,
                            const SkeletonVariant *variant) {
    bool is_answered = at->machine->skeleton->has_extended && guard->place.channel;
    compile(at, &variant->during);
    if (is_answered) {
        unsigned number = add(at, guard->is_output ? OP_AWAIT : OP_ANSWER, step);
        instruction(at, number)->place = guard->place;
    }
    compile(at, &variant->after);
}

static void compile_receive(Compiling *at, const SkeletonStep *step) {
    unsigned receive = add(at, OP_RECEIVE, step);
    if (step->place.channel && step->place.channel->first) { /* an object of module sync */
        add_use(at, step->place, true);
    }
    ARRAY_OF(unsigned) ends = {0};
    for (size_t i = 0; i < step->guards.count; i++) {
        const SkeletonGuard *guard = step->guards.items[i];
        add_use(at, guard->place, guard->is_output);
        for (size_t k = 0; k < guard->variants.count; k++) {
            MachineOption option = {guard, guard->variants.items[k], here(at)};
            array_push(at->machine->arena, &instruction(at, receive)->options, option);
            compile_variant(at, step, guard, guard->variants.items[k]);
            array_push(at->machine->arena, &ends, add(at, OP_JUMP, step));
        }
    }
    for (size_t i = 0; i < ends.count; i++) {
        instruction(at, ends.items[i])->target = here(at);
    }
}

/* ---- choices, loops ---- */

static void compile_choice(Compiling *at, const SkeletonStep *step) {
    unsigned branch = add(at, OP_BRANCH, step);
    ARRAY_OF(unsigned) ends = {0};
    for (size_t i = 0; i < step->choices.count; i++) {
        array_push(at->machine->arena, &instruction(at, branch)->targets, here(at));
        compile(at, &step->choices.items[i]->steps);
        array_push(at->machine->arena, &ends, add(at, OP_JUMP, step));
    }
    for (size_t i = 0; i < ends.count; i++) {
        instruction(at, ends.items[i])->target = here(at);
    }
}

static void compile_loop(Compiling *at, const SkeletonStep *step) {
    unsigned test = add(at, OP_TEST, step);
    compile(at, &step->steps);
    jump(at, step, test);
    instruction(at, test)->target = here(at);
}

static void compile_turns(Compiling *at, const SkeletonStep *step) {
    add(at, OP_FIRST_TURN, step);
    unsigned test = add(at, OP_TURN, step);
    compile(at, &step->steps);
    instruction(at, add(at, OP_NEXT_TURN, step))->target = test;
    instruction(at, test)->target = here(at);
}

static void compile_claim(Compiling *at, const SkeletonStep *step) {
    add(at, OP_LOCK, step);
    compile(at, &step->steps);
    add(at, OP_UNLOCK, step);
}

static void compile_leave(Compiling *at, const SkeletonStep *step) {
    add(at, OP_UNLOCK, step);
    compile(at, &step->steps);
    add(at, OP_LOCK, step);
}

static void compile_clock(Compiling *at, const SkeletonStep *step) {
    MachineMember member = {at->task, step->member};
    array_push(at->machine->arena, &at->machine->members, member);
    add(at, OP_CLOCK, step);
}

static void compile_elect(Compiling *at, const SkeletonStep *step) {
    unsigned elect = add(at, OP_ELECT, step);
    compile(at, &step->steps);
    SkeletonStep *arrive = arena_new(at->machine->arena, SkeletonStep);
    *arrive = (SkeletonStep){
        .kind = STEP_CLOCK, .clock_op = CLOCK_ARRIVE, .member = step->member, .at = step->at};
    add(at, OP_CLOCK, arrive);
    instruction(at, elect)->target = here(at);
    if (here(at) == elect + 2) { /* nothing is done */
        at->machine->code.count = elect;
        add(at, OP_CLOCK, arrive);
    }
}

static void compile_step(Compiling *at, const SkeletonStep *step) {
    switch (step->kind) {
    case STEP_SEND: compile_send(at, step); break;
    case STEP_RECEIVE:
    case STEP_ALT: compile_receive(at, step); break;
    case STEP_CHOICE: compile_choice(at, step); break;
    case STEP_LOOP: compile_loop(at, step); break;
    case STEP_TURNS: compile_turns(at, step); break;
    case STEP_PICK: add(at, OP_PICK, step); break;
    case STEP_SET:
        if (at->is_watched[step->slot.variable->number]) {
            add(at, OP_SET, step);
        }
        break;
    case STEP_PAR:
        add(at, OP_PAR, step);
        add(at, OP_JOIN, step);
        break;
    case STEP_FORK: add(at, OP_FORK, step); break;
    case STEP_JOIN: add(at, OP_JOIN, step); break;
    case STEP_CLAIM: compile_claim(at, step); break;
    case STEP_LEAVE: compile_leave(at, step); break;
    case STEP_CLOCK: compile_clock(at, step); break;
    case STEP_ELECT: compile_elect(at, step); break;
    case STEP_UNTIL: add(at, OP_UNTIL, step); break;
    case STEP_STOP: add(at, OP_STOP, step); break;
    }
}

static void compile(Compiling *at, const SkeletonSteps *steps) {
    for (size_t i = 0; i < steps->count; i++) {
        compile_step(at, steps->items[i]);
    }
}

/* ---- the whole ---- */

static void lay_out(Machine *machine, const bool *is_watched) {
    const Skeleton *skeleton = machine->skeleton;
    machine->words = skeleton->tasks.count;
    machine->variable_words =
        arena_new_array(machine->arena, size_t, skeleton->variables.count + 1);
    machine->lock_words = arena_new_array(machine->arena, size_t, skeleton->channels.count + 1);
    for (size_t i = 0; i < skeleton->variables.count; i++) {
        machine->variable_words[i] = is_watched[i] ? machine->words : SIZE_MAX;
        machine->words += is_watched[i] ? (size_t)skeleton->variables.items[i]->count : 0;
    }
    for (size_t i = 0; i < skeleton->channels.count; i++) {
        const SkeletonChannel *channel = skeleton->channels.items[i];
        size_t sides = channel->is_mutex ? 1 : channel->is_shared ? 2 : 0;
        machine->lock_words[i] = machine->words;
        machine->words += sides * (size_t)channel->count;
    }
}

Machine *machine_make(Arena *arena, const Skeleton *skeleton) {
    Machine *machine = arena_new(arena, Machine);
    static const SkeletonStep nothing = {.kind = STEP_STOP};
    machine->arena = arena;
    machine->skeleton = skeleton;
    machine->starts = arena_new_array(arena, unsigned, skeleton->tasks.count);
    Compiling at = {machine, machine_watched(arena, skeleton), 0};
    add(&at, OP_END, &nothing); /* position 0: not there */
    for (size_t i = 0; i < skeleton->tasks.count; i++) {
        at.task = (unsigned)i;
        machine->starts[i] = here(&at);
        compile(&at, &skeleton->tasks.items[i]->steps);
        add(&at, OP_END, &nothing);
    }
    lay_out(machine, at.is_watched);
    return machine;
}
