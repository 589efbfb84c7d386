/* skeleton -- the whole, and what is added to it. See skeleton_walk.h. */
#include "skeleton_walk.h"

/* A text that is walked over more than once says so once. */
static void say(SkeletonWalk *walk, SkeletonRefusals *said, Location at, const char *what) {
    SkeletonRefusal refusal = {at, what};
    for (size_t i = 0; i < said->count; i++) {
        const SkeletonRefusal *one = &said->items[i];
        if (memcmp(&one->at, &at, sizeof at) == 0 && strcmp(one->what, what) == 0) {
            return;
        }
    }
    array_push(walk->arena, said, refusal);
}

void skeleton_refuse(SkeletonWalk *walk, Location at, const char *what) {
    say(walk, &walk->skeleton->refusals, at, what);
}

void skeleton_beyond(SkeletonWalk *walk, Location at, const char *what) {
    say(walk, &walk->skeleton->beyond, at, what);
}

SkeletonStep *skeleton_add_step(SkeletonWalk *walk, SkeletonStepKind kind, Location at) {
    SkeletonStep *step = arena_new(walk->arena, SkeletonStep);
    step->kind = kind;
    step->at = at;
    step->proc = walk->proc;
    array_push(walk->arena, walk->steps, step);
    return step;
}

void skeleton_within(SkeletonWalk *walk, SkeletonSteps *steps, const Node *process) {
    SkeletonSteps *around = walk->steps;
    walk->steps = steps;
    if (process) {
        SkeletonScope scope = skeleton_begin_scope(walk);
        skeleton_process(walk, process);
        skeleton_end_scope(walk, scope, process->at);
    }
    walk->steps = around;
}

/* ---- variables ---- */

static SkeletonVariable *new_variable(SkeletonWalk *walk, const char *name, const Type *type,
                                      int64_t count) {
    SkeletonVariable *variable = arena_new(walk->arena, SkeletonVariable);
    variable->number = (unsigned)walk->skeleton->variables.count;
    variable->name = name;
    variable->type = type;
    variable->count = count;
    array_push(walk->arena, &walk->skeleton->variables, variable);
    return variable;
}

const SkeletonVariable *skeleton_add_variable(SkeletonWalk *walk, const char *name,
                                              const Type *type, int64_t count) {
    SkeletonVariable *variable = new_variable(walk, name, type, count);
    array_push(walk->arena, &walk->alive, variable);
    return variable;
}

const SkeletonVariable *skeleton_add_lasting(SkeletonWalk *walk, const char *name, int64_t count) {
    return new_variable(walk, name, NULL, count);
}

const SkeletonVariable *skeleton_add_object(SkeletonWalk *walk, const char *name, int64_t count) {
    SkeletonVariable *variable = new_variable(walk, name, NULL, count);
    variable->is_object = true;
    variable->repeats = walk->repeats;
    return variable;
}

const SkeletonValue *skeleton_pick(SkeletonWalk *walk, const SkeletonValue *value, int64_t count,
                                   Location at) {
    SkeletonStep *step = skeleton_add_step(walk, STEP_PICK, at);
    step->variable = skeleton_add_variable(walk, "any", NULL, 1);
    step->count = skeleton_number(walk->arena, count);
    step->value = value;
    array_push(walk->arena, &walk->loops, step->variable);
    return skeleton_of_variable(walk->arena, step->variable, NULL);
}

void skeleton_set(SkeletonWalk *walk, SkeletonSlot slot, const SkeletonValue *value, Location at) {
    SkeletonStep *step = skeleton_add_step(walk, STEP_SET, at);
    step->slot = slot;
    step->value = value;
}

SkeletonScope skeleton_begin_scope(const SkeletonWalk *walk) {
    return (SkeletonScope){walk->alive.count, walk->loops.count};
}

void skeleton_end_scope(SkeletonWalk *walk, SkeletonScope scope, Location at) {
    walk->loops.count = scope.loops;
    for (size_t i = scope.variables; i < walk->alive.count; i++) {
        skeleton_set(walk, (SkeletonSlot){walk->alive.items[i], skeleton_any()}, skeleton_any(),
                     at);
    }
    walk->alive.count = scope.variables;
}

SkeletonRounds skeleton_begin_rounds(SkeletonWalk *walk, int64_t turns) {
    SkeletonRounds around = {walk->repeats, walk->turns};
    bool is_known = turns > 0 && walk->turns > 0 && walk->turns <= TURNS_MOST;
    walk->repeats++;
    walk->turns = is_known ? walk->turns * turns : 0;
    return around;
}

void skeleton_end_rounds(SkeletonWalk *walk, SkeletonRounds rounds) {
    walk->repeats = rounds.repeats;
    walk->turns = rounds.turns;
}

/* ---- the whole ---- */

static bool is_extended(const Node *node) {
    return node->kind == NODE_EXTENDED_INPUT;
}

/* What the program is given is the world outside, which is always ready. */
static void bind_outside(SkeletonWalk *walk, const Node *proc) {
    for (size_t i = 0; i < proc->proc.formals.count; i++) {
        const Symbol *formal = node_formal(&proc->proc.formals, i);
        if (!formal) {
            continue;
        }
        if (skeleton_is_channel(formal->type) && !type_is_sync(formal->type)) {
            skeleton_bind_outside(walk, formal);
        } else if (skeleton_connects(formal->type)) {
            skeleton_refuse(walk, formal->at,
                            "more of the world outside than channels, in a model");
        }
    }
}

typedef void RootWalk(SkeletonWalk *walk, const Node *proc);

static Skeleton *make(Arena *arena, const Node *unit, const Node *proc, bool with_data,
                      RootWalk *walk_root) {
    Skeleton *skeleton = arena_new(arena, Skeleton);
    SkeletonTask *root = arena_new(arena, SkeletonTask);
    SkeletonWalk walk = {.arena = arena,
                         .skeleton = skeleton,
                         .steps = &root->steps,
                         .proc = proc->proc.def->def.name->bytes,
                         .with_data = with_data,
                         .turns = 1};
    root->at = proc->at;
    root->proc = walk.proc;
    skeleton->root = root;
    skeleton->has_extended = node_any(unit, is_extended);
    array_push(arena, &skeleton->tasks, root);
    skeleton_specs(&walk, &unit->unit.specs);
    bind_outside(&walk, proc);
    walk_root(&walk, proc);
    skeleton_check_clients(&walk);
    return skeleton;
}

static void walk_program(SkeletonWalk *walk, const Node *proc) {
    skeleton_process(walk, proc->proc.body);
    skeleton_end_program(walk, proc->at);
}

Skeleton *skeleton_make(Arena *arena, const Node *unit, const Node *proc, bool with_data) {
    return make(arena, unit, proc, with_data, walk_program);
}

Skeleton *skeleton_make_server(Arena *arena, const Node *unit, const Node *proc, bool with_data) {
    return make(arena, unit, proc, with_data, skeleton_serve_here);
}
