/* skeleton_par -- processes side by side, and the text of routines. See skeleton_walk.h.
 *
 * Holds:  no task is there twice at one time, since its PAR is not. */
#include "skeleton_walk.h"

enum {
    PROCESSES_MOST = 250, /* of a model: Promela has numbers for 255 */
    CALLS_MOST = 10000    /* that are written out */
};

/* ---- branches ---- */

/* Branches -- of a PAR. */
typedef struct Branches {
    const Node *par;
    SkeletonStep *step;
    SkeletonLoan loan;
} Branches;

SkeletonTask *skeleton_add_task(SkeletonWalk *walk, SkeletonStep *par, Location at) {
    SkeletonTask *task = arena_new(walk->arena, SkeletonTask);
    task->number = (unsigned)walk->skeleton->tasks.count;
    task->first = par->tasks.count ? par->tasks.items[0]->number : task->number;
    task->at = at;
    task->proc = walk->proc;
    for (size_t i = 0; i < walk->loops.count; i++) {
        array_push(walk->arena, &task->loops, walk->loops.items[i]);
    }
    array_push(walk->arena, &walk->skeleton->tasks, task);
    array_push(walk->arena, &par->tasks, task);
    return task;
}

static bool add_branch(SkeletonWalk *walk, Branches *branches, const Node *branch) {
    if (walk->skeleton->tasks.count > PROCESSES_MOST) {
        skeleton_refuse(walk, branch->at, "a model of more than 250 processes");
        return false;
    }
    SkeletonSteps *steps = &skeleton_add_task(walk, branches->step, branch->at)->steps;
    skeleton_begin_branch(walk, &branches->loan, branches->par, branch);
    skeleton_within(walk, steps, branch);
    skeleton_end_branch(walk, &branches->loan, steps, branch->at);
    return true;
}

static bool add_branches(SkeletonWalk *walk, Branches *branches) {
    const NodeList *body = &branches->par->par.body;
    bool has_room = true;
    for (size_t i = 0; has_room && i < body->count; i++) {
        has_room = add_branch(walk, branches, body->items[i]);
    }
    return has_room;
}

static void add_replicated(SkeletonWalk *walk, Branches *branches) {
    const Node *par = branches->par;
    SkeletonTurns turns = skeleton_turns(walk, par->par.replicator);
    if (!turns.are_numbers) {
        skeleton_refuse(walk, par->at,
                        "a PAR in a model, whose number of processes is not known or above 250");
        return;
    }
    bool has_room = true;
    for (int64_t i = 0; has_room && i < turns.count->number; i++) {
        skeleton_turn(walk, par->par.replicator, &turns, skeleton_number(walk->arena, i));
        has_room = add_branches(walk, branches);
    }
}

void skeleton_par(SkeletonWalk *walk, const Node *par) {
    if (par->par.form == PAR_PLACED) {
        skeleton_refuse(walk, par->at, "PLACED PAR in a model");
        return;
    }
    SkeletonStep *step = arena_new(walk->arena, SkeletonStep);
    step->kind = STEP_PAR;
    step->at = par->at;
    step->proc = walk->proc;
    Branches branches = {.par = par, .step = step};
    if (par->par.replicator) {
        add_replicated(walk, &branches);
    } else {
        add_branches(walk, &branches);
    }
    skeleton_lend(walk, &branches.loan, par->at);
    array_push(walk->arena, walk->steps, step);
}

/* ---- calls ---- */

static const Node *routine_of(const Node *call) {
    const Node *callee = call->call.callee;
    const Symbol *symbol = callee->kind == NODE_NAME ? callee->name.symbol : NULL;
    const Node *routine = symbol ? symbol->definition : NULL;
    return routine && routine->kind == NODE_PROC ? routine : NULL;
}

static bool is_predefined(const Node *call) {
    const Node *callee = call->call.callee;
    return callee->kind == NODE_NAME && callee->name.symbol &&
           callee->name.symbol->kind == SYMBOL_PREDEFINED;
}

/* Is it something by which the process meets another one of the program? */
static bool is_met(SkeletonWalk *walk, const Type *type, const Node *actual) {
    if (!skeleton_connects(type)) {
        return false;
    }
    const SkeletonRef *ref = skeleton_is_channel(type) ? skeleton_refer(walk, actual) : NULL;
    return !ref || ref->channel;
}

/* Of the library, whose processes end; or it waits for nothing. */
static bool is_trusted(const Node *routine) {
    const ProcInfo *info = routine->proc.info;
    const RoutineBody *body = info ? info->elsewhere : NULL;
    return routine->proc.def->def.symbol->is_library ||
           (body && (!body->may_wait || body->kind != BODY_OCCAM));
}

/* A routine whose text is not here says nothing to anybody in the program, but as a server. */
static bool is_apart(SkeletonWalk *walk, const Node *routine, const NodeList *actuals) {
    const ProcInfo *info = routine ? routine->proc.info : NULL;
    for (size_t i = 0; info && i < info->free_names.count; i++) {
        if (skeleton_connects(info->free_names.items[i]->type)) {
            return false;
        }
    }
    for (size_t i = 0; i < actuals->count; i++) {
        const Symbol *formal = routine ? node_formal(&routine->proc.formals, i) : NULL;
        if (actuals->items[i]->kind == NODE_CLOCKS) {
            return false;
        }
        if (!(formal && formal->is_server) &&
            is_met(walk, actuals->items[i]->type, actuals->items[i])) {
            return false;
        }
    }
    return true;
}

/* What it may change has any value. */
static void call_apart(SkeletonWalk *walk, const Node *routine, const Node *call) {
    const NodeList *actuals = &call->call.actuals;
    bool is_server = routine && skeleton_is_server(routine);
    bool is_known = routine ? is_server || is_trusted(routine) : is_predefined(call);
    if (!is_known || !is_apart(walk, routine, actuals)) {
        skeleton_refuse(walk, call->at,
                        "a PROC in a model whose text is not here, and which has more than data");
    }
    for (size_t i = 0; i < actuals->count; i++) {
        const Symbol *formal = routine ? node_formal(&routine->proc.formals, i) : NULL;
        if (!formal || formal->formal_mode != FORMAL_VAL) {
            skeleton_store(walk, skeleton_slot(walk, actuals->items[i]), NULL, call->at);
        }
    }
    if (is_server) {
        skeleton_serve(walk, routine, call);
    }
}

static void bind_formal(SkeletonWalk *walk, const Symbol *formal, const Node *actual) {
    bool is_value = formal->formal_mode == FORMAL_VAL && !type_is_array(formal->type);
    if (skeleton_is_channel(formal->type)) {
        skeleton_bind(walk, formal, skeleton_refer(walk, actual));
    } else if (actual->kind == NODE_CLOCKS) {
        walk->hidden = skeleton_hidden_of(walk, actual);
    } else if (type_is_clock(formal->type)) {
        skeleton_bind_clock(walk, formal, actual);
    } else if (is_value) {
        const SkeletonValue *known =
            formal->permits_aliases ? skeleton_any() : skeleton_value(walk, actual);
        skeleton_set_value(walk, formal,
                           skeleton_frozen(walk, known, formal->name->bytes, actual->at));
    } else if (formal->formal_mode == FORMAL_INITIAL) {
        skeleton_declare_data(walk, formal);
        skeleton_store_whole(walk, formal, actual);
    } else {
        skeleton_bind_data(walk, formal, actual, false);
        if (formal->formal_mode == FORMAL_RESULT) {
            skeleton_store(walk, skeleton_slot(walk, actual), NULL, actual->at);
        }
    }
}

static bool is_elsewhere(const Node *routine) {
    const ProcInfo *info = routine->proc.info;
    return (info && info->elsewhere) || routine->proc.body->kind == NODE_ELSEWHERE;
}

static void call_here(SkeletonWalk *walk, const Node *routine, const Node *call) {
    const Symbol *symbol = routine->proc.def->def.symbol;
    const char *around = walk->proc;
    SkeletonMembers hidden = walk->hidden;
    SkeletonScope scope = skeleton_begin_scope(walk);
    symbol_map_set(walk->arena, &walk->open_procs, symbol, routine);
    for (size_t i = 0; i < call->call.actuals.count; i++) {
        const Symbol *formal = node_formal(&routine->proc.formals, i);
        if (formal) {
            bind_formal(walk, formal, call->call.actuals.items[i]);
        }
    }
    walk->proc = symbol->name->bytes;
    skeleton_process(walk, routine->proc.body);
    walk->proc = around;
    walk->hidden = hidden;
    symbol_map_set(walk->arena, &walk->open_procs, symbol, NULL);
    skeleton_end_scope(walk, scope, call->at);
}

void skeleton_call(SkeletonWalk *walk, const Node *call) {
    const Node *routine = routine_of(call);
    const RoutineBody *body = routine && routine->proc.info ? routine->proc.info->elsewhere : NULL;
    if (body && body->kind == BODY_RUNTIME) {
        skeleton_sync(walk, call, body->sync);
    } else if (!routine || is_elsewhere(routine)) {
        call_apart(walk, routine, call);
    } else if (symbol_map_get(&walk->open_procs, routine->proc.def->def.symbol)) {
        skeleton_refuse(walk, call->at, "recursion in a model");
    } else if (++walk->calls > CALLS_MOST) {
        if (walk->calls == CALLS_MOST + 1) {
            skeleton_refuse(walk, call->at, "a model of more than 10000 calls");
        }
    } else {
        call_here(walk, routine, call);
    }
}
