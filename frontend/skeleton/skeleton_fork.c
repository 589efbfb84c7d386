/* skeleton_fork -- FORK and FORKING. See skeleton_walk.h.
 *
 * Holds:  processes that are apart are not there. Others are tasks of a pool, of which FORK takes one
 *         that is not there; when there is none, the search ends without a proof, so a pool may be
 *         of any size. They have copies of what they are given, and share with others only
 *         channels and objects that are declared once as long as they may be there; variables that
 *         they share have any value. */
#include "skeleton_walk.h"

enum {
    FORKED_MOST = 32,   /* tasks of one FORK whose number is known */
    FORKED_UNKNOWN = 8, /* of another one */
    TASKS_MOST = 250
};

/* Given -- what a name of the process stands for at the FORK. */
typedef struct Given {
    const Symbol *symbol;
    SkeletonRef *ref;           /* a channel or object */
    const SkeletonValue *value; /* NULL: any */
} Given;

/* Fork -- one statement. */
typedef struct Fork {
    SkeletonWalk *walk;
    const Node *node;
    const Node *routine;
    SkeletonForking *forking;
    SkeletonStep *step;
    bool is_fine;
    ARRAY_OF(Given) given;
} Fork;

static void refuse(Fork *fork, const char *what) {
    skeleton_refuse(fork->walk, fork->node->at, what);
    fork->is_fine = false;
}

/* ---- what it is given ---- */

static void give(Fork *fork, const Symbol *symbol, SkeletonRef *ref, const SkeletonValue *value) {
    Given given = {symbol, ref, value};
    array_push(fork->walk->arena, &fork->given, given);
}

/* A variable by reference is one that others change meanwhile. */
static void forget_actual(SkeletonWalk *walk, const Node *actual) {
    SkeletonSlot slot = skeleton_slot(walk, actual);
    if (slot.variable) {
        walk->skeleton->variables.items[slot.variable->number]->is_forgotten = true;
    }
}

static void give_actual(Fork *fork, const Symbol *formal, const Node *actual) {
    SkeletonWalk *walk = fork->walk;
    bool is_copied = formal->formal_mode == FORMAL_VAL || formal->formal_mode == FORMAL_INITIAL;
    bool is_value = is_copied && type_is_scalar(formal->type) && !formal->permits_aliases;
    if (actual->kind == NODE_CLOCKS || type_is_clock(type_content(formal->type))) {
        refuse(fork, "a CLOCK or BARRIER of a FORKed process, in a model");
    } else if (skeleton_is_channel(formal->type)) {
        SkeletonRef *ref = skeleton_refer(walk, actual);
        fork->is_fine = fork->is_fine && ref;
        give(fork, formal, ref, NULL);
    } else if (skeleton_connects(formal->type)) {
        refuse(fork, "a channel that moves, or one of a table, in a model");
    } else {
        give(fork, formal, NULL, is_value ? skeleton_value(walk, actual) : NULL);
        if (!is_copied) {
            forget_actual(walk, actual);
        }
    }
}

/* Channels and values as they are now; other variables are looked for in its steps. */
static void give_free(Fork *fork, const Symbol *symbol) {
    bool is_forking = symbol->definition && symbol->definition->kind == NODE_FORKING;
    SkeletonMeaning meaning = skeleton_meaning(fork->walk, symbol);
    if (!is_forking && symbol->type && type_is_clock(type_content(symbol->type))) {
        refuse(fork, "a CLOCK or BARRIER of a FORKed process, in a model");
    } else if (meaning.ref) {
        give(fork, symbol, meaning.ref, NULL);
    } else if (meaning.data && meaning.data->value) {
        give(fork, symbol, NULL, meaning.data->value);
    }
}

static void give_all(Fork *fork) {
    const ProcInfo *info = fork->routine->proc.info;
    for (size_t i = 0; i < fork->node->fork.actuals.count; i++) {
        const Symbol *formal = node_formal(&fork->routine->proc.formals, i);
        if (formal) {
            give_actual(fork, formal, fork->node->fork.actuals.items[i]);
        } else {
            refuse(fork, "FORK in a model");
        }
    }
    for (size_t i = 0; info && i < info->free_names.count; i++) {
        give_free(fork, info->free_names.items[i]);
    }
}

/* ---- one process ---- */

/* A number that does not change is no copy. */
static const SkeletonValue *copy_of(Fork *fork, SkeletonTask *task, const SkeletonValue *value,
                                    const char *name) {
    SkeletonWalk *walk = fork->walk;
    if (value->kind == VALUE_NUMBER || value->kind == VALUE_ANY) {
        return value;
    }
    const SkeletonVariable *copy = skeleton_add_lasting(walk, name, 1);
    if (task == fork->step->tasks.items[0]) {
        array_push(walk->arena, &fork->step->values, value);
    }
    array_push(walk->arena, &task->copies, copy);
    return skeleton_of_variable(walk->arena, copy, NULL);
}

static void bind_value(Fork *fork, SkeletonTask *task, const Given *given) {
    SkeletonWalk *walk = fork->walk;
    const Symbol *symbol = given->symbol;
    const SkeletonValue *value =
        given->value ? copy_of(fork, task, given->value, symbol->name->bytes) : skeleton_any();
    bool is_initial = symbol->kind == SYMBOL_FORMAL && symbol->formal_mode == FORMAL_INITIAL;
    if (is_initial && given->value) {
        skeleton_declare_data(walk, symbol);
        skeleton_store_first(walk, symbol, value, fork->node);
    } else if (given->value) {
        skeleton_set_value(walk, symbol, value);
    } else {
        skeleton_mean(walk, symbol, (SkeletonMeaning){0});
    }
}

static void bind_all(Fork *fork, SkeletonTask *task) {
    SkeletonWalk *walk = fork->walk;
    for (size_t i = 0; i < fork->given.count; i++) {
        const Given *given = &fork->given.items[i];
        if (!given->ref) {
            bind_value(fork, task, given);
            continue;
        }
        SkeletonRef *ref = arena_new(walk->arena, SkeletonRef);
        *ref = *given->ref;
        ref->first =
            ref->first ? copy_of(fork, task, ref->first, given->symbol->name->bytes) : NULL;
        skeleton_bind(walk, given->symbol, ref);
    }
}

/* Its text, as steps that are being written. */
static void walk_body(Fork *fork, SkeletonTask *task) {
    SkeletonWalk *walk = fork->walk;
    SkeletonNames names = skeleton_copy_names(walk);
    SkeletonCall call = skeleton_enter(walk, fork->routine);
    SkeletonRounds rounds = skeleton_begin_rounds(walk, 1);
    walk->hidden = (SkeletonMembers){0};
    walk->proc = fork->routine->proc.def->def.name->bytes;
    bind_all(fork, task);
    skeleton_process(walk, fork->routine->proc.body);
    skeleton_end_rounds(walk, rounds);
    skeleton_leave(walk, &call, fork->node->at);
    walk->names = names;
}

/* ---- processes that are apart ---- */

static SkeletonStep *new_step(Fork *fork, SkeletonStepKind kind) {
    SkeletonStep *step = arena_new(fork->walk->arena, SkeletonStep);
    step->kind = kind;
    step->at = fork->node->at;
    step->proc = fork->walk->proc;
    return step;
}

static bool is_apart(Fork *fork) {
    SkeletonTrial trial;
    skeleton_begin_trial(fork->walk, &trial, fork->forking->repeats);
    SkeletonStep *step = new_step(fork, STEP_FORK);
    SkeletonTask *task = skeleton_add_task(fork->walk, step, fork->node->at);
    fork->step = step;
    walk_body(fork, task);
    return skeleton_end_trial(fork->walk, &trial, &fork->forking->claims);
}

/* ---- a pool ---- */

/* false: there is no room for it. */
static bool add_process(Fork *fork) {
    SkeletonWalk *walk = fork->walk;
    if (walk->skeleton->tasks.count > TASKS_MOST) {
        refuse(fork, "a model of more than 250 processes");
        return false;
    }
    SkeletonOwn own = skeleton_own(walk, fork->forking->repeats);
    SkeletonTask *task = skeleton_add_task(walk, fork->step, fork->node->at);
    SkeletonSteps *around = walk->steps;
    walk->steps = &task->steps;
    walk_body(fork, task);
    for (size_t i = 0; i < task->copies.count; i++) {
        skeleton_set(walk, (SkeletonSlot){task->copies.items[i], NULL}, skeleton_any(),
                     fork->node->at);
    }
    walk->steps = around;
    array_push(walk->arena, &fork->forking->tasks, task);
    if (!skeleton_forget_shared(walk, own, &task->steps)) {
        refuse(fork, "a FORKed process in a model, which uses what is declared in a loop");
    }
    return fork->is_fine && walk->skeleton->refusals.count == 0;
}

static void add_pool(Fork *fork) {
    int64_t turns = fork->walk->turns;
    int64_t count = turns == 0 ? FORKED_UNKNOWN : turns > FORKED_MOST ? FORKED_MOST : turns;
    fork->step = new_step(fork, STEP_FORK);
    bool has_room = true;
    for (int64_t i = 0; has_room && i < count; i++) {
        has_room = add_process(fork);
    }
    array_push(fork->walk->arena, fork->walk->steps, fork->step);
}

/* ---- statements ---- */

static SkeletonForking *forking_of(SkeletonWalk *walk, const Node *node) {
    const Symbol *symbol = node->fork.forking;
    return symbol ? symbol_map_get(&walk->forkings, symbol) : &walk->program;
}

/* While it is only tried what a process does, one that is not apart says so by its step. */
static void fork_process(Fork *fork) {
    give_all(fork);
    if (!fork->is_fine || is_apart(fork)) {
        return;
    }
    if (fork->walk->trials > 0) {
        (void)skeleton_add_step(fork->walk, STEP_FORK, fork->node->at);
    } else {
        add_pool(fork);
    }
}

void skeleton_fork(SkeletonWalk *walk, const Node *node) {
    const Node *routine = skeleton_routine(node->fork.callee);
    Fork fork = {.walk = walk,
                 .node = node,
                 .routine = routine,
                 .forking = forking_of(walk, node),
                 .is_fine = true};
    skeleton_beyond(walk, node->at, "FORK in a model");
    if (!routine || skeleton_is_elsewhere(routine) || !fork.forking) {
        refuse(&fork, "a FORKed process in a model, whose text is not here");
    } else if (skeleton_may_enter(walk, routine, node->at)) {
        fork_process(&fork);
    }
}

static void end_forking(SkeletonWalk *walk, const SkeletonForking *forking, const char *event,
                        Location at) {
    skeleton_wait_for_claims(walk, &forking->claims, at);
    if (forking->tasks.count > 0) {
        SkeletonStep *join = skeleton_add_step(walk, STEP_JOIN, at);
        join->event = event;
        join->tasks.items = forking->tasks.items;
        join->tasks.count = forking->tasks.count;
    }
}

void skeleton_forking(SkeletonWalk *walk, const Node *node) {
    const Symbol *symbol = node->forking.symbol;
    SkeletonForking *around = symbol_map_get(&walk->forkings, symbol);
    SkeletonForking forking = {.repeats = walk->repeats};
    int64_t turns = walk->turns;
    skeleton_beyond(walk, node->at, "FORK in a model");
    symbol_map_set(walk->arena, &walk->forkings, symbol, &forking);
    walk->turns = 1;
    skeleton_process(walk, node->forking.process);
    walk->turns = turns;
    symbol_map_set(walk->arena, &walk->forkings, symbol, around);
    end_forking(walk, &forking, "end of FORKING", node->at);
}

void skeleton_end_program(SkeletonWalk *walk, Location at) {
    end_forking(walk, &walk->program, "end of all that is FORKed", at);
}
