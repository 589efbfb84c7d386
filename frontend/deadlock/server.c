/* server -- see the header. */
#include "server.h"

#include "search.h"

/* The PAR of the server and its clients. */
static const SkeletonStep *par_of(const Machine *machine) {
    const SkeletonSteps *steps = &machine->skeleton->root->steps;
    return steps->items[steps->count - 1];
}

/* The server is there, and no client waits for it. */
static bool is_idle(const Machine *machine, const Word *state) {
    const SkeletonStep *par = par_of(machine);
    for (size_t i = 1; i < par->tasks.count; i++) {
        if (state[par->tasks.items[i]->number] != 0) {
            return false;
        }
    }
    return state[par->tasks.items[0]->number] != 0;
}

static const Symbol *first_request(const Node *proc) {
    for (size_t i = 0; i < proc->proc.formals.count; i++) {
        const Symbol *formal = node_formal(&proc->proc.formals, i);
        if (formal && formal->is_server && formal->direction == DIRECTION_INPUT) {
            return formal;
        }
    }
    return NULL;
}

static void say_where(Compiler *compiler, const Machine *machine, const Word *state) {
    const SkeletonStep *par = par_of(machine);
    unsigned server = par->tasks.items[0]->number;
    if (state[server] == 0) {
        diag_note(compiler->diag, par->at, "it may come to its end");
        return;
    }
    const Instruction *at = machine_at(machine, state, server);
    while (at->op == OP_JOIN && at->step->tasks.count > 0) {
        size_t child = 0;
        while (state[at->step->tasks.items[child]->number] == 0) {
            child++;
        }
        at = machine_at(machine, state, at->step->tasks.items[child]->number);
    }
    diag_note(compiler->diag, at->step->at, "here it may wait while a request waits for it");
}

static bool keeps_rule(Compiler *compiler, const Node *unit, const Node *proc, bool with_data,
                       Machine **machine, SearchResult *result) {
    Skeleton *skeleton = skeleton_make_server(compiler->arena, unit, proc, with_data);
    if (skeleton->refusals.count > 0) {
        const SkeletonRefusal *refusal = &skeleton->refusals.items[0];
        diag_report(compiler->diag, DIAG_SERVER_RULE, first_request(proc)->at,
                    first_request(proc)->name->bytes);
        diag_note(compiler->diag, refusal->at, "not supported yet: %s", refusal->what);
        return true;
    }
    *machine = machine_make(compiler->arena, skeleton);
    *result = search_states(*machine, is_idle);
    return result->end == SEARCH_SAFE;
}

static void check_server(Compiler *compiler, const Node *unit, const Node *proc) {
    Machine *machine;
    SearchResult result;
    if (keeps_rule(compiler, unit, proc, false, &machine, &result) ||
        keeps_rule(compiler, unit, proc, true, &machine, &result)) {
        return;
    }
    const Symbol *request = first_request(proc);
    diag_report(compiler->diag, DIAG_SERVER_RULE, request->at, request->name->bytes);
    if (result.end == SEARCH_DEADLOCK) {
        say_where(compiler, machine, result.deadlock);
    }
}

static bool is_here(const Node *proc) {
    return proc->proc.info && !proc->proc.info->elsewhere &&
           proc->proc.body->kind != NODE_ELSEWHERE;
}

void server_check(Compiler *compiler, const Node *unit) {
    for (size_t i = 0; i < unit->unit.specs.count; i++) {
        const Node *spec = unit->unit.specs.items[i];
        if (spec->kind == NODE_PROC && is_here(spec) && first_request(spec)) {
            check_server(compiler, unit, spec);
        }
    }
}
