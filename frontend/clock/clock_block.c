/* clock_block -- the block of a NEXT, which the last to arrive runs while all others wait (CK8).
 *
 * Leaves: that every branch comes to this NEXT to usage_block.c. */
#include "clock_walk.h"

#include "among.h"
#include "changes.h"

static bool call_waits(const Node *callee) {
    const Symbol *symbol = callee->kind == NODE_NAME ? callee->name.symbol : NULL;
    if (symbol == NULL || symbol->kind == SYMBOL_PREDEFINED) {
        return symbol == NULL;
    }
    const Node *definition = symbol->definition;
    const ProcInfo *info =
        definition != NULL && definition->kind == NODE_PROC ? definition->proc.info : NULL;
    return info == NULL || info->may_wait;
}

/* What the user calls it; NULL: it does not wait, and uses no clock. */
static const char *waiting_words(ClockWalk *walk, const Node *node) {
    if (node->kind == NODE_INPUT) {
        return node->input.is_timer ? NULL : "an input";
    }
    if (AMONG(node->kind, NODE_INPUT_CASE, NODE_WHILE_INPUT, NODE_EXTENDED_INPUT)) {
        return "an input";
    }
    if (node->kind == NODE_OUTPUT || node->kind == NODE_DELAY) {
        return node->kind == NODE_OUTPUT ? "an output" : "a delay";
    }
    if (node->kind == NODE_CALL && call_waits(node->call.callee)) {
        const Symbol *callee = node_callee(node);
        return callee != NULL ? arena_format(walk->arena, "PROC '%s'", callee->name->bytes)
                              : "a call";
    }
    bool waits = AMONG(node->kind, NODE_ALT, NODE_PAR, NODE_CLAIM, NODE_FORK, NODE_FORKING,
                       NODE_SUSPEND, NODE_NEXT, NODE_SYNC, NODE_RESUME, NODE_DROP, NODE_RESIGN);
    return waits ? node_title(node->kind) : NULL;
}

static void find_wait(Node **slot, void *data) {
    ClockWalk *walk = data;
    const char *words = waiting_words(walk, *slot);
    if (words != NULL) {
        diag_report(walk->diag, DIAG_CLOCK_BLOCK_WAITS, (*slot)->at, words);
        (*slot)->kind = NODE_BROKEN; /* it has been said what is wrong */
        return;
    }
    if ((*slot)->kind != NODE_PROC && (*slot)->kind != NODE_FUNCTION) {
        node_visit_children(*slot, find_wait, walk);
    }
}

/* FORKed processes and receivers come to any NEXT, and nobody knows who they are. */
static void report_mobile(ClockWalk *walk, const Node *element) {
    const Node *root = element;
    while (root->kind == NODE_SUBSCRIPT) {
        root = root->subscript.base;
    }
    const char *name = root->kind == NODE_NAME ? root->name.symbol->name->bytes : "this element";
    diag_report(walk->diag, DIAG_CLOCK_BLOCK, element->at, name);
    diag_hint(walk->diag,
              "'%s' is a MOBILE CLOCK: who is enrolled on it, and comes to which NEXT, is known "
              "only when the program runs; a CLOCK takes a block",
              name);
}

void clock_block_fork(ClockWalk *walk, const Node *actual) {
    array_push(walk->arena, &walk->forked, (Node *)actual);
}

/* They come to other NEXTs. */
static void check_forked(ClockWalk *walk, const Node *next, const Node *name) {
    const Symbol *clock = name->kind == NODE_NAME ? symbol_object(name->name.symbol) : NULL;
    for (size_t i = 0; clock != NULL && i < walk->forked.count; i++) {
        const Node *forked = walk->forked.items[i];
        if (symbol_object(forked->name.symbol) == clock) {
            diag_report(walk->diag, DIAG_CLOCK_BLOCK, next->at, clock->name->bytes);
            diag_label(walk->diag, forked->at, "a FORKed process is enrolled on '%s' here",
                       clock->name->bytes);
            diag_hint(walk->diag, "the block is run once by the last to arrive, so nobody may pass "
                                  "this phase by another NEXT");
            return;
        }
    }
}

void clock_block_end(ClockWalk *walk) {
    for (size_t i = 0; i < walk->blocks.count; i++) {
        const Node *next = walk->blocks.items[i];
        for (size_t k = 0; k < next->next.clocks.count; k++) {
            check_forked(walk, next, next->next.clocks.items[k]);
        }
    }
}

void clock_block(ClockWalk *walk, Node *next) {
    array_push(walk->arena, &walk->blocks, next);
    find_wait(&next->next.process, walk);
    clock_walk(walk, next->next.process);
    if (next->next.is_hidden) {
        diag_report(walk->diag, DIAG_CLOCK_BLOCK, next->at, "every clock of the caller");
        diag_hint(walk->diag, "a PROC does not see all clocks of its callers: give it those, and "
                              "write NEXT with their names");
    }
    for (size_t i = 0; i < next->next.clocks.count; i++) {
        const Node *name = next->next.clocks.items[i];
        const KnownClock *clock =
            name->kind == NODE_NAME ? clock_find(walk, name->name.symbol) : NULL;
        if (clock == NULL) {
            report_mobile(walk, name);
        } else if (clock->state == CLOCK_RESUMED) {
            diag_report(walk->diag, DIAG_CLOCK_BLOCK_RESUMED, next->at, clock->symbol->name->bytes);
            clock_label(walk, clock);
        }
    }
}
