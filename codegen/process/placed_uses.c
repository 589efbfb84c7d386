/* placed_uses -- see placed_uses.h. */
#include "placed_uses.h"

#include "constant.h"
#include "emit_value.h"

enum { USE_WORDS = 3, USES_MAX = 64 };

/* Search -- for the uses of one name. */
typedef struct Search {
    const Symbol *symbol, *replicator;
    size_t count;
    bool is_open; /* it may use other channels */
    struct {
        bool is_replicated;
        int64_t added;
    } uses[USES_MAX];
} Search;

static bool is_name(const Node *node, const Symbol *symbol) {
    return node->kind == NODE_NAME && symbol != NULL && node->name.symbol == symbol;
}

static void note(Search *search, bool is_replicated, int64_t added) {
    for (size_t i = 0; i < search->count; i++) {
        if (search->uses[i].is_replicated == is_replicated && search->uses[i].added == added) {
            return;
        }
    }
    search->is_open = search->is_open || search->count == USES_MAX;
    if (!search->is_open) {
        search->uses[search->count].is_replicated = is_replicated;
        search->uses[search->count++].added = added;
    }
}

static bool is_sum(const Node *index, const Symbol *replicator) {
    return index->kind == NODE_DYADIC && index->dyadic.user_operator == NULL &&
           (index->dyadic.op == OPERATOR_ADD || index->dyadic.op == OPERATOR_SUBTRACT) &&
           is_name(index->dyadic.left, replicator) && index->dyadic.right->constant != NULL;
}

static void note_index(Search *search, const Node *index) {
    if (index->constant != NULL) {
        note(search, false, index->constant->integer);
    } else if (is_name(index, search->replicator)) {
        note(search, true, 0);
    } else if (is_sum(index, search->replicator)) {
        int64_t added = index->dyadic.right->constant->integer;
        note(search, true, index->dyadic.op == OPERATOR_ADD ? added : -added);
    } else {
        search->is_open = true;
    }
}

static void visit(Node **child, void *context) {
    Search *search = context;
    Node *node = *child;
    bool is_element = node->kind == NODE_SUBSCRIPT && is_name(node->subscript.base, search->symbol);
    if (is_element && node->type != NULL && node->type->kind != TYPE_ARRAY) {
        note_index(search, node->subscript.index);
        visit(&node->subscript.index, context);
    } else if (is_name(node, search->symbol) && node->type != NULL &&
               node->type->kind == TYPE_ARRAY) {
        search->is_open = true;
    } else if (is_name(node, search->symbol)) {
        note(search, false, 0);
    } else {
        node_visit_children(node, visit, context);
    }
}

LLVMValueRef placed_uses(Emitter *emitter, const Node *par, size_t component,
                         const Environment *environment) {
    const Node *replicator = par->par.replicator;
    LLVMValueRef words[USE_WORDS * USES_MAX];
    unsigned count = 0;
    for (size_t i = 0; i < environment->names.count && emitter->options->placed_survive; i++) {
        const Type *type = environment->names.items[i]->type;
        if (type == NULL || !type_is_channel(type)) {
            continue;
        }
        Search search = {.symbol = environment->names.items[i]};
        search.replicator = replicator != NULL ? replicator->replicator.def->def.symbol : NULL;
        visit(&par->par.body.items[component], &search);
        for (size_t k = 0; k < search.count && !search.is_open && count < USES_MAX; k++) {
            words[USE_WORDS * count] = emit_i32(emitter, (int64_t)i);
            words[USE_WORDS * count + 1] = emit_i32(emitter, search.uses[k].is_replicated);
            words[USE_WORDS * count++ + 2] = emit_i32(emitter, search.uses[k].added);
        }
    }
    if (count == 0) {
        return LLVMConstNull(emitter->ptr);
    }
    LLVMValueRef fields[] = {emit_i32(emitter, count),
                             LLVMConstArray2(emitter->i32, words, USE_WORDS * (uint64_t)count)};
    LLVMValueRef record = LLVMConstStructInContext(emitter->context, fields, 2, 0);
    return emit_constant_global(emitter, record, "placed.uses");
}
