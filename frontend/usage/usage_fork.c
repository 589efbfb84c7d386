/* usage_fork -- variables that a FORKed PROC uses from outside, when every use is under one MUTEX
 * (language.md 2.7, 4.4).
 *
 * Owns:   what a forked process does to such variables; that against everything from its FORK to
 *         the end of the FORKING, and against itself: several of them may run.
 * Leaves: that the variable outlives the FORKING, and all that is safe in other ways, to
 *         effects_fork.c.
 * Holds:  a forked process holds none of the MUTEXes that are claimed round its FORK and is in no
 *         phase of the clocks there. A statement of the FORKING's own SEQ is over before the next
 *         one forks. */
#include "usage.h"

typedef struct Forked {
    UsageAccess access;
    const Node *fork;
} Forked;

struct UsageForking {
    const NodeList *statements; /* one after the other; NULL: the process is no SEQ */
    size_t statement;           /* accesses before the one that is walked */
    size_t first;               /* from here on forked processes may run */
    ARRAY_OF(Forked) forked;
};

void usage_statement(UsageWalk *walk, const NodeList *list) {
    if (walk->here.forking && walk->here.forking->statements == list) {
        walk->here.forking->statement = walk->accesses.count;
    }
}

/* ---- what is forked ---- */

/* Used by its own name, or by that of an abbreviation. */
static bool is_free_name(const Symbol *symbol, const Symbol *callee) {
    const ProcInfo *info = callee->definition->proc.info;
    for (size_t i = 0; i < info->free_names.count; i++) {
        const Symbol *name = info->free_names.items[i];
        if (name == symbol || symbol_object(name) == symbol) {
            return true;
        }
    }
    return false;
}

static bool is_shared_data(const UsageAccess *access, const Symbol *callee) {
    const Symbol *root = access->root;
    bool is_use = access->kind <= USAGE_WRITE;
    return is_use && access->via && is_free_name(root, callee) && !root->permits_sharing &&
           root->type && type_is_data(root->type) && !type_is_sync(root->type);
}

/* The accesses of the callee to variables from outside, without those to its actuals. */
static void add_forked(UsageWalk *walk, const Node *node, const Symbol *callee) {
    UsageForking *forking = walk->here.forking;
    const UsageLock *locks = walk->here.locks;
    const UsagePhase *phases = walk->here.phases;
    bool is_silent = walk->is_silent;
    size_t start = walk->accesses.count;
    size_t kept = start;
    walk->here.locks = NULL;
    walk->here.phases = NULL;
    walk->is_silent = true;
    usage_call(walk, node, callee, &node->fork.actuals);
    for (size_t i = start; i < walk->accesses.count; i++) {
        UsageAccess access = walk->accesses.items[i];
        if (is_shared_data(&access, callee)) {
            Forked one = {access, node};
            array_push(walk->arena, &forking->forked, one);
            walk->accesses.items[kept++] = access;
        }
    }
    walk->accesses.count = kept;
    walk->here.locks = locks;
    walk->here.phases = phases;
    walk->is_silent = is_silent;
    if (kept > start && forking->statement < forking->first) {
        forking->first = forking->statement;
    }
}

void usage_fork(UsageWalk *walk, const Node *node) {
    for (size_t i = 0; i < node->fork.actuals.count; i++) { /* copied, moved or shared */
        const Node *actual = node->fork.actuals.items[i];
        usage_subscripts(walk, actual);
        if (actual->type && type_is_data(actual->type)) {
            usage_read(walk, actual);
        }
    }
    const Symbol *callee =
        node->fork.callee->kind == NODE_NAME ? node->fork.callee->name.symbol : NULL;
    bool is_routine = callee && callee->kind == SYMBOL_PROC && callee->definition;
    if (is_routine && walk->here.forking && !walk->alias) {
        add_forked(walk, node, callee);
    }
}

/* ---- the FORKING ---- */

static void report(UsageWalk *walk, const Forked *forked, const UsageAccess *other) {
    Diag *diag = walk->compiler->diag;
    const Symbol *root = forked->access.root;
    const Symbol *callee = forked->fork->fork.callee->name.symbol;
    diag_report(diag, DIAG_TYPES_FORK_FREE, forked->fork->at, callee->name->bytes,
                root->name->bytes);
    diag_label(diag, root->at, "'%s' is declared here", root->name->bytes);
    if (!other->via) {
        diag_label(diag, other->at, "it is used here meanwhile");
    }
    diag_hint(diag, "give it as a parameter: VAL, a mobile or a shared end; or claim one MUTEX "
                    "round every use of it");
}

static bool may_meet(const UsageWalk *walk, const Symbol *forking, const UsageAccess *a,
                     const UsageAccess *b) {
    bool is_write = a->kind == USAGE_WRITE || b->kind == USAGE_WRITE;
    return a->root == b->root && is_write && b->kind <= USAGE_WRITE &&
           !usage_locks_exclude(walk, forking->number, a, b);
}

static void check_forked(UsageWalk *walk, const UsageForking *forking, const Symbol *symbol) {
    const Symbol *reported = NULL;
    for (size_t i = 0; i < forking->forked.count; i++) {
        const Forked *forked = &forking->forked.items[i];
        for (size_t k = forking->first; k < walk->accesses.count; k++) {
            const UsageAccess *other = &walk->accesses.items[k];
            if (forked->access.root != reported && may_meet(walk, symbol, &forked->access, other)) {
                reported = forked->access.root;
                report(walk, forked, other);
            }
        }
    }
}

void usage_forking(UsageWalk *walk, const Node *node) {
    UsageForking *outside = walk->here.forking;
    const Node *process = node->forking.process;
    while (process->kind == NODE_BLOCK) {
        process = process->block.process;
    }
    bool is_seq = process->kind == NODE_SEQ && !process->seq.replicator;
    UsageForking forking = {.statements = is_seq ? &process->seq.body : NULL,
                            .statement = walk->accesses.count,
                            .first = SIZE_MAX};
    walk->here.forking = &forking;
    usage_process(walk, node->forking.process);
    walk->here.forking = outside;
    if (forking.forked.count > 0 && !walk->is_silent) {
        check_forked(walk, &forking, node->forking.symbol);
    }
}
