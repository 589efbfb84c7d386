/* skeleton_call -- the text of routines, where they are called. See skeleton_walk.h.
 *
 * Holds:  a routine that calls itself is written out as often as its known numbers say; what names
 *         stand for is then of the innermost call, and afterwards again of the one around. */
#include "skeleton_walk.h"

enum {
    CALLS_MOST = 10000, /* that are written out */
    AGAIN_MOST = 1000,  /* of them, of routines that call themselves */
    DEPTH_MOST = 100    /* of these, one in another */
};

/* ---- routines whose text is not here ---- */

const Node *skeleton_routine(const Node *callee) {
    const Symbol *symbol = callee->kind == NODE_NAME ? callee->name.symbol : NULL;
    const Node *routine = symbol ? symbol->definition : NULL;
    return routine && routine->kind == NODE_PROC ? routine : NULL;
}

bool skeleton_is_elsewhere(const Node *routine) {
    const ProcInfo *info = routine->proc.info;
    return (info && info->elsewhere) || routine->proc.body->kind == NODE_ELSEWHERE;
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
    return !ref || ref->channel || (ref->lock && skeleton_is_shared(type));
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

/* ---- parameters ---- */

static void bind_initial(SkeletonWalk *walk, const Symbol *formal, const Node *actual) {
    const SkeletonValue *value = skeleton_value(walk, actual);
    skeleton_declare_data(walk, formal);
    skeleton_store_first(walk, formal, value, actual);
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
        bind_initial(walk, formal, actual);
    } else {
        SkeletonSlot slot = skeleton_slot(walk, actual);
        skeleton_bind_data(walk, formal, actual, false);
        if (formal->formal_mode == FORMAL_RESULT) {
            skeleton_store(walk, slot, NULL, actual->at);
        }
    }
}

/* Actual parameters are of the process that calls, which may have the same names. */
static void bind_formals(SkeletonWalk *walk, const Node *routine, const NodeList *actuals) {
    ARRAY_OF(SkeletonMeaning) meanings = {0};
    for (size_t i = 0; i < actuals->count; i++) {
        const Symbol *formal = node_formal(&routine->proc.formals, i);
        SkeletonMeaning inside = {0};
        if (formal) {
            SkeletonMeaning around = skeleton_meaning(walk, formal);
            bind_formal(walk, formal, actuals->items[i]);
            inside = skeleton_meaning(walk, formal);
            skeleton_mean(walk, formal, around);
        }
        array_push(walk->arena, &meanings, inside);
    }
    for (size_t i = 0; i < actuals->count; i++) {
        const Symbol *formal = node_formal(&routine->proc.formals, i);
        if (formal) {
            skeleton_mean(walk, formal, meanings.items[i]);
        }
    }
}

/* ---- calls ---- */

SkeletonCall skeleton_enter(SkeletonWalk *walk, const Node *routine) {
    const Symbol *symbol = routine->proc.def->def.symbol;
    SkeletonCall call = {routine, symbol_map_get(&walk->open_procs, symbol), walk->proc,
                         walk->hidden, skeleton_begin_scope(walk)};
    symbol_map_set(walk->arena, &walk->open_procs, symbol, routine);
    walk->depth += call.open != NULL;
    return call;
}

void skeleton_leave(SkeletonWalk *walk, const SkeletonCall *call, Location at) {
    const Symbol *symbol = call->routine->proc.def->def.symbol;
    walk->proc = call->proc;
    walk->hidden = call->hidden;
    walk->depth -= call->open != NULL;
    symbol_map_set(walk->arena, &walk->open_procs, symbol, call->open);
    skeleton_end_scope(walk, call->scope, at);
}

/* What is refused once is not written out any further. */
bool skeleton_may_enter(SkeletonWalk *walk, const Node *routine, Location at) {
    bool is_again = symbol_map_get(&walk->open_procs, routine->proc.def->def.symbol);
    if (is_again) {
        skeleton_beyond(walk, at, "recursion in a model");
    }
    if (++walk->calls > CALLS_MOST) {
        skeleton_refuse(walk, at, "a model of more than 10000 calls");
        return false;
    }
    if (is_again && (walk->depth >= DEPTH_MOST || ++walk->calls_again > AGAIN_MOST)) {
        skeleton_refuse(walk, at, "recursion that no number ends which is known");
    }
    return !is_again || walk->skeleton->refusals.count == 0;
}

static void call_here(SkeletonWalk *walk, const Node *routine, const Node *call) {
    bool is_again = symbol_map_get(&walk->open_procs, routine->proc.def->def.symbol);
    SkeletonNames around = is_again ? skeleton_copy_names(walk) : walk->names;
    SkeletonCall entered = skeleton_enter(walk, routine);
    bind_formals(walk, routine, &call->call.actuals);
    walk->proc = routine->proc.def->def.symbol->name->bytes;
    skeleton_process(walk, routine->proc.body);
    skeleton_leave(walk, &entered, call->at);
    walk->names = is_again ? around : walk->names;
}

void skeleton_call(SkeletonWalk *walk, const Node *call) {
    const Node *routine = skeleton_routine(call->call.callee);
    const RoutineBody *body = routine && routine->proc.info ? routine->proc.info->elsewhere : NULL;
    if (body && body->kind == BODY_RUNTIME) {
        skeleton_sync(walk, call, body->sync);
    } else if (!routine || skeleton_is_elsewhere(routine)) {
        call_apart(walk, routine, call);
    } else if (skeleton_may_enter(walk, routine, call->at)) {
        call_here(walk, routine, call);
    }
}
