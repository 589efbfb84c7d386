/* skeleton_par -- processes side by side, and the text of routines. See skeleton.h.
 *
 * Holds:  a PAR waits until its branches have counted themselves; none of them is there twice at
 *         one time, since the PAR is not. */
#include "skeleton.h"

#include <inttypes.h>

enum {
    PROCESSES_MOST = 250, /* of a model: Promela has numbers for 255 */
    CALLS_MOST = 10000    /* that are written out */
};

/* ---- a branch ---- */

static const char *parameters(Skeleton *skeleton, const char *type) {
    TextBuilder text = {.arena = skeleton->arena};
    for (size_t i = 0; i < skeleton->loops.count; i++) {
        text_add(&text, "%s%s%s", i > 0 ? (*type ? "; " : ", ") : "", type,
                 skeleton->loops.items[i]);
    }
    array_push(skeleton->arena, &text, '\0');
    return text.items;
}

/* The name of its proctype, which is written behind those that are finished. */
static const char *write_branch(Skeleton *skeleton, const Node *branch, const char *ended) {
    const char *name = skeleton_name(skeleton, "process", NULL);
    TextBuilder body = {.arena = skeleton->arena};
    TextBuilder *text = skeleton->text;
    unsigned depth = skeleton->depth;
    skeleton->text = &body;
    skeleton->depth = 1;
    skeleton_process(skeleton, branch);
    skeleton_line(skeleton, "%s++", ended);
    skeleton->text = text;
    skeleton->depth = depth;
    text_add(&skeleton->finished, "\nproctype %s (%s) { /* line %u */\n%.*s}\n", name,
             parameters(skeleton, "int "), branch->at.line, (int)body.count, body.items);
    return name;
}

static bool run_branch(Skeleton *skeleton, const Node *branch, const char *ended) {
    if (++skeleton->processes > PROCESSES_MOST) {
        if (skeleton->processes == PROCESSES_MOST + 1) {
            skeleton_refuse(skeleton, branch->at, "a model of more than 250 processes");
        }
        return false;
    }
    skeleton_line(skeleton, "run %s (%s);", write_branch(skeleton, branch, ended),
                  parameters(skeleton, ""));
    return true;
}

static int64_t run_branches(Skeleton *skeleton, const NodeList *body, const char *ended) {
    int64_t count = 0;
    for (size_t i = 0; i < body->count; i++) {
        count += run_branch(skeleton, body->items[i], ended);
    }
    return count;
}

static int64_t run_replicated(Skeleton *skeleton, const Node *par, const char *ended) {
    const Node *replicator = par->par.replicator;
    SkeletonTurns turns;
    if (!skeleton_turns(skeleton, replicator, &turns) || !turns.are_numbers) {
        skeleton_refuse(skeleton, par->at,
                        "a PAR in a model, whose number of processes is not known or above 250");
        return 0;
    }
    int64_t total = 0;
    for (int64_t i = 0; i < turns.count.number && skeleton->processes <= PROCESSES_MOST; i++) {
        skeleton_turn(skeleton, replicator, &turns, i);
        total += run_branches(skeleton, &par->par.body, ended);
    }
    return total;
}

void skeleton_par(Skeleton *skeleton, const Node *par) {
    if (par->par.enrols.count > 0) {
        skeleton_refuse(skeleton, par->at, "a CLOCK or BARRIER in a model");
        return;
    }
    const char *ended = skeleton_name(skeleton, "ended", NULL);
    text_add(&skeleton->globals, "byte %s;\n", ended);
    skeleton_line(skeleton, "%s = 0; /* PAR, line %u */", ended, par->at.line);
    int64_t count = par->par.replicator ? run_replicated(skeleton, par, ended)
                                        : run_branches(skeleton, &par->par.body, ended);
    skeleton_line(skeleton, "%s == %" PRId64 ";", ended, count);
}

/* ---- calls ---- */

static const Node *routine_of(const Node *call) {
    const Node *callee = call->call.callee;
    const Symbol *symbol = callee->kind == NODE_NAME ? callee->name.symbol : NULL;
    const Node *routine = symbol ? symbol->definition : NULL;
    return routine && routine->kind == NODE_PROC ? routine : NULL;
}

/* Is it something by which the process meets another one of the program? */
static bool is_met(Skeleton *skeleton, const Type *type, const Node *actual) {
    if (!skeleton_connects(type)) {
        return false;
    }
    const SkeletonRef *ref = skeleton_is_channel(type) ? skeleton_refer(skeleton, actual) : NULL;
    return !ref || ref->name;
}

/* A routine whose text is not here says nothing to anybody in the program. */
static bool is_apart(Skeleton *skeleton, const Node *routine, const NodeList *actuals) {
    const ProcInfo *info = routine ? routine->proc.info : NULL;
    for (size_t i = 0; info && i < info->free_names.count; i++) {
        if (skeleton_connects(info->free_names.items[i]->type)) {
            return false;
        }
    }
    for (size_t i = 0; i < actuals->count; i++) {
        if (is_met(skeleton, actuals->items[i]->type, actuals->items[i])) {
            return false;
        }
    }
    return true;
}

static void bind_formals(Skeleton *skeleton, const Node *routine, const NodeList *actuals) {
    for (size_t i = 0; i < actuals->count; i++) {
        const Symbol *formal = node_formal(&routine->proc.formals, i);
        SkeletonValue value;
        if (!formal) {
            continue;
        }
        if (skeleton_is_channel(formal->type)) {
            skeleton_bind(skeleton, formal, skeleton_refer(skeleton, actuals->items[i]));
            continue;
        }
        bool is_known = formal->formal_mode == FORMAL_VAL && formal->type &&
                        type_is_integer(formal->type) &&
                        skeleton_value(skeleton, actuals->items[i], &value);
        skeleton_set_value(skeleton, formal, is_known ? &value : NULL);
    }
}

static bool is_elsewhere(const Node *routine) {
    const ProcInfo *info = routine->proc.info;
    return (info && info->elsewhere) || routine->proc.body->kind == NODE_ELSEWHERE;
}

void skeleton_call(Skeleton *skeleton, const Node *call) {
    const Node *routine = routine_of(call);
    const NodeList *actuals = &call->call.actuals;
    if (!routine || is_elsewhere(routine)) {
        if (!is_apart(skeleton, routine, actuals)) {
            skeleton_refuse(
                skeleton, call->at,
                "a PROC in a model whose text is not here, and which has more than data");
        }
        return;
    }
    const Symbol *symbol = routine->proc.def->def.symbol;
    SkeletonProc *proc = symbol_map_get(&skeleton->procs, symbol);
    if (!proc) {
        proc = arena_new(skeleton->arena, SkeletonProc);
        symbol_map_set(skeleton->arena, &skeleton->procs, symbol, proc);
    }
    if (proc->is_open) {
        skeleton_refuse(skeleton, call->at, "recursion in a model");
        return;
    }
    if (++skeleton->calls > CALLS_MOST) {
        if (skeleton->calls == CALLS_MOST + 1) {
            skeleton_refuse(skeleton, call->at, "a model of more than 10000 calls");
        }
        return;
    }
    proc->is_open = true;
    bind_formals(skeleton, routine, actuals);
    skeleton_process(skeleton, routine->proc.body);
    proc->is_open = false;
}
