/* clock_safe -- a remark on request: this PAR cannot deadlock, because its branches wait only by
 * NEXT on all their clocks (CK11).
 *
 * Holds:  what else waits, or is not seen here, makes it silent; it never says too much. */
#include "clock_walk.h"

#include "among.h"

/* A call that is being looked into. */
typedef struct SafeCall {
    const struct SafeCall *outer;
    const Node *routine;
    size_t enrolled;
} SafeCall;

typedef struct SafeSearch {
    size_t enrolled; /* clocks of the process */
    const SafeCall *call;
    bool nexts; /* waits by NEXT */
    bool waits; /* otherwise than by NEXT on all of them */
} SafeSearch;

static void search_wait(Node **slot, void *data);

static size_t count_clocks(const NodeList *names) {
    size_t count = 0;
    for (size_t i = 0; i < names->count; i++) {
        bool is_clock =
            names->items[i]->kind == NODE_NAME && clock_is(names->items[i]->name.symbol);
        bool is_known = false;
        for (size_t k = 0; k < i && is_clock; k++) {
            is_known = is_known || (names->items[k]->kind == NODE_NAME &&
                                    names->items[k]->name.symbol == names->items[i]->name.symbol);
        }
        count += is_clock && !is_known;
    }
    return count;
}

static bool knows_clocks(const ProcInfo *info) {
    for (size_t i = 0; i < info->free_names.count; i++) {
        if (clock_is(info->free_names.items[i])) {
            return true;
        }
    }
    return false;
}

static bool has_mobiles(const NodeList *names) {
    for (size_t i = 0; i < names->count; i++) {
        if (names->items[i]->type != NULL && type_is_mobile(names->items[i]->type)) {
            return true;
        }
    }
    return false;
}

/* By the actuals, and by the list for a NEXT without names; those that the caller has from its own
 * caller are in both. */
static bool gives_all_clocks(const NodeList *actuals, size_t enrolled) {
    const Node *last = actuals->count > 0 ? actuals->items[actuals->count - 1] : NULL;
    size_t given = count_clocks(actuals);
    if (last == NULL || last->kind != NODE_CLOCKS) {
        return given == enrolled;
    }
    given += count_clocks(&last->clocks.names);
    bool is_all = given == enrolled || (given < enrolled && last->clocks.continues);
    return is_all && !has_mobiles(&last->clocks.names);
}

/* With as many clocks: then the search for it goes on already, in a recursion. */
static bool is_looked_into(const SafeSearch *search, const Node *routine) {
    for (const SafeCall *call = search->call; call != NULL; call = call->outer) {
        if (call->routine == routine && call->enrolled == search->enrolled) {
            return true;
        }
    }
    return false;
}

/* A PROC is given all clocks of the process, or goes on to no other phase. */
static void search_call(SafeSearch *search, const Node *node) {
    const Symbol *callee =
        node->call.callee->kind == NODE_NAME ? node->call.callee->name.symbol : NULL;
    if (callee != NULL && callee->kind == SYMBOL_PREDEFINED) {
        return;
    }
    Node *routine = callee != NULL ? callee->definition : NULL;
    const ProcInfo *info =
        routine != NULL && routine->kind == NODE_PROC ? routine->proc.info : NULL;
    if (info != NULL && !info->may_wait) {
        return;
    }
    if (info == NULL || info->elsewhere != NULL || knows_clocks(info) ||
        !gives_all_clocks(&node->call.actuals, search->enrolled)) {
        search->waits = true;
        return;
    }
    if (is_looked_into(search, routine)) {
        search->nexts = true;
        return;
    }
    SafeCall call = {search->call, routine, search->enrolled};
    search->call = &call;
    search_wait(&routine->proc.body, search);
    search->call = call.outer;
}

/* The branches of a PAR inside are enrolled on what it says, and on nothing else; meanwhile the
 * process holds the clocks that it does not lend. */
static void search_par(const SafeSearch *outer, Node *par, SafeSearch *result) {
    for (size_t i = 0; i < par->par.body.count; i++) {
        const Node *enroll = node_enroll(par->par.body.items[i]);
        NodeList none = {NULL, 0, 0};
        SafeSearch search = {.call = outer->call};
        search.enrolled = count_clocks(&par->par.enrols) +
                          count_clocks(enroll != NULL ? &enroll->enroll.clocks : &none);
        search_wait(&par->par.body.items[i], &search);
        bool holds_others = outer->enrolled > 0 && search.enrolled != outer->enrolled;
        result->waits = result->waits || search.waits || (search.nexts && holds_others);
        result->nexts = result->nexts || search.nexts;
    }
}

static bool waits_for_all(const SafeSearch *search, const Node *next) {
    size_t named = count_clocks(&next->next.clocks);
    bool is_all = named == search->enrolled || (named < search->enrolled && next->next.is_hidden);
    return is_all && !has_mobiles(&next->next.clocks);
}

static void search_wait(Node **slot, void *data) {
    SafeSearch *search = data;
    Node *node = *slot;
    if (AMONG(node->kind, NODE_OUTPUT, NODE_INPUT_CASE, NODE_EXTENDED_INPUT, NODE_WHILE_INPUT,
              NODE_ALT, NODE_CLAIM, NODE_FORK, NODE_FORKING, NODE_SUSPEND, NODE_RESIGN)) {
        search->waits = true;
    } else if (node->kind == NODE_NEXT || node->kind == NODE_SYNC) {
        bool is_all = node->kind == NODE_NEXT ? waits_for_all(search, node) : search->enrolled == 1;
        search->nexts = true;
        search->waits = search->waits || !is_all;
    } else if (node->kind == NODE_CALL) {
        search_call(search, node);
    } else if (node->kind == NODE_PAR) {
        search_par(search, node, search);
    } else if (node->kind == NODE_INPUT) {
        search->waits = search->waits || !node->input.is_timer;
    } else if (node->kind != NODE_PROC && node->kind != NODE_FUNCTION) {
        node_visit_children(node, search_wait, search);
    }
}

static bool is_declared_here(ClockWalk *walk, const NodeList *names) {
    for (size_t i = 0; i < names->count; i++) {
        const Node *name = names->items[i];
        const KnownClock *clock =
            name->kind == NODE_NAME ? clock_find(walk, name->name.symbol) : NULL;
        if (clock == NULL || clock->is_outer) {
            return false;
        }
    }
    return true;
}

/* Nobody else is enrolled on its clocks. */
static bool has_all_members(ClockWalk *walk, const Node *par) {
    bool found = par->par.enrols.count > 0;
    bool is_here = is_declared_here(walk, &par->par.enrols);
    for (size_t i = 0; i < par->par.body.count; i++) {
        const Node *enroll = node_enroll(par->par.body.items[i]);
        found = found || enroll != NULL;
        is_here = is_here && (enroll == NULL || is_declared_here(walk, &enroll->enroll.clocks));
    }
    return found && is_here && walk->branch_depth == 0;
}

void clock_safe(ClockWalk *walk, const Node *par) {
    SafeSearch search = {.call = NULL};
    if (!has_all_members(walk, par)) {
        return;
    }
    search_par(&search, (Node *)par, &search);
    if (!search.waits) {
        diag_report(walk->diag, DIAG_CLOCK_SAFE, par->at);
    }
}
