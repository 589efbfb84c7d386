/* first_use -- is a variable certainly written before it is read?
 *
 * Owns:   one question about the scope of a declaration: may the zero that storage.c gives a new
 *         variable be left out? On the hot path of a communicating process it is a store that the
 *         partner overwrites, and the mixture of both costs 1.5 ns a communication (decision 0003).
 * Holds:  the answer is "yes" only when every path writes the whole variable first or does not
 *         name it at all; whatever is not understood is a read. */
#include "routine.h"

/* What a process does with the variable, as far as it was followed. */
typedef enum FirstUse {
    USE_NONE,   /* does not name it */
    USE_WRITES, /* writes the whole of it before anything else, on every path */
    USE_MIXED,  /* some paths write it first, the others do not name it */
    USE_READS   /* may read it first */
} FirstUse;

typedef struct Search {
    const Symbol *symbol;
    bool is_found;
} Search;

static bool routine_uses(const Symbol *routine, const Symbol *symbol) {
    if (routine == NULL || routine->definition == NULL) {
        return false;
    }
    const Node *node = routine->definition;
    bool is_routine = node->kind == NODE_PROC || node->kind == NODE_FUNCTION;
    const ProcInfo *info = is_routine ? routine_info(node) : NULL;
    for (size_t i = 0; info != NULL && i < info->free_names.count; i++) {
        if (info->free_names.items[i] == symbol) {
            return true;
        }
    }
    return false;
}

static void search(Node **child, void *context) {
    Search *state = context;
    Node *node = *child;
    if (state->is_found) {
        return;
    }
    if (node->kind == NODE_NAME) {
        state->is_found =
            node->name.symbol == state->symbol || routine_uses(node->name.symbol, state->symbol);
        return;
    }
    if (node->kind == NODE_MONADIC && node->monadic.user_operator != NULL) {
        state->is_found = routine_uses(node->monadic.user_operator, state->symbol);
    } else if (node->kind == NODE_DYADIC && node->dyadic.user_operator != NULL) {
        state->is_found = routine_uses(node->dyadic.user_operator, state->symbol);
    }
    node_visit_children(node, search, state);
}

bool emit_is_named(Node *node, const Symbol *symbol) {
    Search state = {symbol, false};
    if (node != NULL) {
        search(&node, &state);
    }
    return state.is_found;
}

static bool is_any_named(const NodeList *list, const Symbol *symbol) {
    for (size_t i = 0; i < list->count; i++) {
        if (emit_is_named(list->items[i], symbol)) {
            return true;
        }
    }
    return false;
}

static bool is_whole(const Node *node, const Symbol *symbol) {
    return node->kind == NODE_NAME && node->name.symbol == symbol;
}

/* Items of an input, in the order they arrive. */
static FirstUse use_of_items(const NodeList *items, const Symbol *symbol) {
    for (size_t i = 0; i < items->count; i++) {
        Node *item = items->items[i];
        bool is_target = is_whole(item, symbol) ||
                         (item->kind == NODE_COUNTED && is_whole(item->counted.count, symbol) &&
                          !emit_is_named(item->counted.array, symbol));
        if (is_target) {
            return USE_WRITES;
        }
        if (emit_is_named(item, symbol)) {
            return USE_READS;
        }
    }
    return USE_NONE;
}

static FirstUse then(FirstUse first, FirstUse second) {
    if (first == USE_NONE || first == USE_MIXED) {
        return second == USE_NONE ? first : first == USE_MIXED ? USE_READS : second;
    }
    return first;
}

static FirstUse either(FirstUse left, FirstUse right) {
    if (left == USE_READS || right == USE_READS) {
        return USE_READS;
    }
    return left == right ? left : USE_MIXED;
}

static FirstUse use_of(Node *process, const Symbol *symbol);

static FirstUse use_of_assignment(Node *assign, const Symbol *symbol) {
    bool is_target = false;
    for (size_t i = 0; i < assign->assign.targets.count; i++) {
        Node *target = assign->assign.targets.items[i];
        if (is_whole(target, symbol)) {
            is_target = true;
        } else if (emit_is_named(target, symbol)) {
            return USE_READS;
        }
    }
    if (is_any_named(&assign->assign.values, symbol)) {
        return USE_READS;
    }
    return is_target ? USE_WRITES : USE_NONE;
}

static FirstUse use_of_input(Node *input, const Symbol *symbol) {
    if (emit_is_named(input->input.channel, symbol)) {
        return USE_READS;
    }
    return use_of_items(&input->input.items, symbol);
}

static FirstUse use_of_variant(Node *variant, const Symbol *symbol) {
    FirstUse items = use_of_items(&variant->variant.items, symbol);
    FirstUse use = then(items, use_of(variant->variant.process, symbol));
    return variant->variant.after != NULL ? then(use, use_of(variant->variant.after, symbol)) : use;
}

static FirstUse use_of_extended(Node *extended, const Symbol *symbol) {
    FirstUse use = use_of(extended->extended_input.input, symbol);
    if (extended->extended_input.during != NULL) {
        use = then(use, use_of(extended->extended_input.during, symbol));
    }
    if (extended->extended_input.after != NULL) {
        use = then(use, use_of(extended->extended_input.after, symbol));
    }
    return use;
}

static FirstUse use_of_variants(Node *input_case, const Symbol *symbol) {
    const NodeList *variants = &input_case->input_case.variants;
    if (emit_is_named(input_case->input_case.channel, symbol)) {
        return USE_READS;
    }
    FirstUse all = USE_WRITES;
    for (size_t i = 0; i < variants->count; i++) {
        Node *variant = variants->items[i];
        if (is_any_named(&variant->variant.specs, symbol)) {
            return USE_READS;
        }
        FirstUse one = use_of_variant(variant, symbol);
        all = i == 0 ? one : either(all, one);
    }
    return all;
}

static FirstUse use_of_alternative(Node *alternative, const Symbol *symbol) {
    Node *guard = alternative->alternative.guard;
    if (emit_is_named(alternative->alternative.condition, symbol)) {
        return USE_READS;
    }
    FirstUse first = use_of(guard, symbol);
    if (alternative->alternative.process == NULL) {
        return first;
    }
    return then(first, use_of(alternative->alternative.process, symbol));
}

static FirstUse use_of_alt(Node *alt, const Symbol *symbol) {
    const NodeList *alternatives = &alt->alt.alternatives;
    if (emit_is_named(alt->alt.replicator, symbol)) {
        return USE_READS;
    }
    FirstUse all = USE_WRITES;
    for (size_t i = 0; i < alternatives->count; i++) {
        Node *alternative = alternatives->items[i];
        if (is_any_named(&alternative->alternative.specs, symbol)) {
            return USE_READS;
        }
        FirstUse one = use_of_alternative(alternative, symbol);
        all = i == 0 ? one : either(all, one);
    }
    return all;
}

static FirstUse use_of_seq(Node *seq, const Symbol *symbol) {
    FirstUse all = USE_NONE;
    if (emit_is_named(seq->seq.replicator, symbol)) {
        return USE_READS;
    }
    for (size_t i = 0; i < seq->seq.body.count; i++) {
        all = then(all, use_of(seq->seq.body.items[i], symbol));
        if (all == USE_WRITES || all == USE_READS) {
            break;
        }
    }
    /* a replicated SEQ may run no time at all */
    return seq->seq.replicator != NULL && all == USE_WRITES ? USE_MIXED : all;
}

static FirstUse use_of(Node *process, const Symbol *symbol) {
    if (process->kind == NODE_BLOCK) {
        return is_any_named(&process->block.specs, symbol) ? USE_READS
                                                           : use_of(process->block.process, symbol);
    }
    if (process->kind == NODE_SEQ) {
        return use_of_seq(process, symbol);
    }
    if (process->kind == NODE_ASSIGN) {
        return use_of_assignment(process, symbol);
    }
    if (process->kind == NODE_INPUT) {
        return use_of_input(process, symbol);
    }
    if (process->kind == NODE_INPUT_CASE) {
        return use_of_variants(process, symbol);
    }
    if (process->kind == NODE_EXTENDED_INPUT) {
        return use_of_extended(process, symbol);
    }
    if (process->kind == NODE_ALT) {
        return use_of_alt(process, symbol);
    }
    if (process->kind == NODE_ALTERNATIVE) {
        return use_of_alternative(process, symbol);
    }
    if (process->kind == NODE_VARIANT) {
        return use_of_variant(process, symbol);
    }
    return emit_is_named(process, symbol) ? USE_READS : USE_NONE;
}

void emit_specifications(Emitter *emitter, const NodeList *specs, Node *process) {
    for (size_t i = 0; i < specs->count; i++) {
        emitter->scope = (EmitScope){specs, i, process};
        emit_specification(emitter, specs->items[i]);
    }
    emitter->scope = (EmitScope){NULL, 0, NULL};
}

bool emit_needs_zero(Emitter *emitter, const Symbol *symbol) {
    const EmitScope *scope = &emitter->scope;
    if (scope->process == NULL) {
        return true;
    }
    for (size_t i = scope->index + 1; i < scope->specs->count; i++) {
        if (emit_is_named(scope->specs->items[i], symbol)) {
            return true;
        }
    }
    return use_of(scope->process, symbol) == USE_READS;
}
