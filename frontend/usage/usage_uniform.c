/* usage_uniform -- what has the same value in all branches of a replicated PAR on a clock.
 *
 * Owns:   which names of a branch may differ from branch to branch.
 * Leaves: races to usage_conflict.c: where there is none, what branches read of a variable of
 *         outside in one phase is one value.
 * Holds:  the branches do the same as long as they take the same way: so a name differs that is
 *         given a different value, or a value where the branches are on different ways, or by
 *         somebody else. A name once found to differ stays so; the search ends when no more are. */
#include "usage_phase.h"

struct UsageUniform {
    Arena *arena;
    uint32_t latest; /* symbols numbered above it are defined in the branch */
    bool has_claims; /* then variables of outside change at any time */
    ARRAY_OF(const Symbol *) different;
    const IndexLoop *loop; /* of the PAR */
    bool is_apart;         /* the walk is where branches are on different ways */
};

/* ---- names ---- */

static bool differs(const UsageUniform *uniform, const Symbol *symbol) {
    if (symbol->number <= uniform->latest) {
        bool is_variable = symbol->kind == SYMBOL_VARIABLE || symbol->kind == SYMBOL_REFERENCE ||
                           symbol->kind == SYMBOL_FORMAL;
        return is_variable && (symbol->permits_sharing || uniform->has_claims);
    }
    for (size_t i = 0; i < uniform->different.count; i++) {
        if (uniform->different.items[i] == symbol) {
            return true;
        }
    }
    return false;
}

/* An abbreviation stands for another name. */
static void note(UsageUniform *uniform, const Symbol *symbol) {
    while (symbol && symbol->number > uniform->latest && !differs(uniform, symbol)) {
        array_push(uniform->arena, &uniform->different, symbol);
        symbol = symbol_abbreviated(symbol);
    }
}

static void note_element(UsageUniform *uniform, const Node *element) {
    for (;;) {
        switch ((int)element->kind) {
        case NODE_NAME: note(uniform, element->name.symbol); return;
        case NODE_SUBSCRIPT: element = element->subscript.base; break;
        case NODE_SEGMENT: element = element->segment.base; break;
        case NODE_FIELD: element = element->field.base; break;
        case NODE_COUNTED: element = element->counted.array; break;
        default: return;
        }
    }
}

/* ---- expressions ---- */

typedef struct Expression {
    const UsageUniform *uniform;
    bool differs;
} Expression;

static void visit_expression(Node **slot, void *data) {
    Expression *expression = data;
    const Node *node = *slot;
    if (node->kind == NODE_NAME && node->name.symbol) {
        expression->differs =
            expression->differs || differs(expression->uniform, node->name.symbol);
    }
    expression->differs = expression->differs || node->kind == NODE_VALOF ||
                          node->kind == NODE_ALLOCATION || node->kind == NODE_CLOSED;
    node_visit_children((Node *)node, visit_expression, data);
}

static bool is_same(const UsageUniform *uniform, const Node *expression) {
    Expression search = {uniform, false};
    Node *node = (Node *)expression;
    visit_expression(&node, &search);
    return !search.differs;
}

/* ---- processes ---- */

static void visit(Node **slot, void *data);

static void visit_apart(UsageUniform *uniform, Node *node, bool is_apart) {
    bool before = uniform->is_apart;
    uniform->is_apart = before || is_apart;
    node_visit_children(node, visit, uniform);
    uniform->is_apart = before;
}

static void visit_assign(UsageUniform *uniform, const Node *node) {
    size_t values = node->assign.values.count;
    for (size_t i = 0; i < node->assign.targets.count; i++) {
        bool is_one = values == node->assign.targets.count;
        const Node *value = node->assign.values.items[is_one ? i : 0];
        const Node *target = node->assign.targets.items[i];
        if (uniform->is_apart || !is_same(uniform, value) || !is_same(uniform, target)) {
            note_element(uniform, target);
        }
    }
}

static void note_list(UsageUniform *uniform, const NodeList *items) {
    for (size_t i = 0; i < items->count; i++) {
        if (items->items[i]->kind == NODE_COUNTED) {
            note_element(uniform, items->items[i]->counted.count);
        }
        note_element(uniform, items->items[i]);
    }
}

/* What a PROC may change. */
static void visit_call(UsageUniform *uniform, const Node *node) {
    const Symbol *callee =
        node->call.callee->kind == NODE_NAME ? node->call.callee->name.symbol : NULL;
    const Node *routine = callee ? callee->definition : NULL;
    const NodeList *formals = routine && routine->kind == NODE_PROC ? &routine->proc.formals : NULL;
    for (size_t i = 0; i < node->call.actuals.count; i++) {
        const Node *formal = formals && i < formals->count ? formals->items[i] : NULL;
        bool is_value =
            formal && formal->kind == NODE_FORMAL &&
            (formal->formal.mode == FORMAL_VAL || formal->formal.mode == FORMAL_INITIAL);
        if (!is_value) {
            note_element(uniform, node->call.actuals.items[i]);
        }
    }
}

static bool choices_differ(const UsageUniform *uniform, const Node *node) {
    for (size_t i = 0; i < node->if_.choices.count; i++) {
        const Node *choice = node->if_.choices.items[i];
        if (choice->kind == NODE_CHOICE && choice->choice.condition &&
            !is_same(uniform, choice->choice.condition)) {
            return true;
        }
    }
    return false;
}

static bool replicator_differs(const UsageUniform *uniform, const Node *replicator) {
    return replicator && replicator->kind == NODE_REPLICATOR &&
           (!is_same(uniform, replicator->replicator.base) ||
            !is_same(uniform, replicator->replicator.count));
}

static void visit_replicated(UsageUniform *uniform, Node *node, const Node *replicator) {
    bool is_apart = replicator_differs(uniform, replicator);
    if (is_apart) {
        note(uniform, replicator->replicator.def->def.symbol);
    }
    visit_apart(uniform, node, is_apart);
}

static void visit(Node **slot, void *data) {
    UsageUniform *uniform = data;
    Node *node = *slot;
    switch ((int)node->kind) {
    case NODE_ASSIGN: visit_assign(uniform, node); return;
    case NODE_ABBREVIATION:
        if (uniform->is_apart || !is_same(uniform, node->abbreviation.value)) {
            note(uniform, node->abbreviation.def->def.symbol);
        }
        return;
    case NODE_INPUT: note_list(uniform, &node->input.items); return;
    case NODE_VARIANT: note_list(uniform, &node->variant.items); break;
    case NODE_CALL: visit_call(uniform, node); return;
    case NODE_PROC: visit_apart(uniform, node, true); return;
    case NODE_IF:
        if (node->if_.replicator) {
            visit_apart(uniform, node, true);
        } else {
            visit_apart(uniform, node, choices_differ(uniform, node));
        }
        return;
    case NODE_CASE: visit_apart(uniform, node, !is_same(uniform, node->case_.selector)); return;
    case NODE_WHILE: visit_apart(uniform, node, !is_same(uniform, node->while_.condition)); return;
    case NODE_SEQ: visit_replicated(uniform, node, node->seq.replicator); return;
    case NODE_PAR:
        if (node->par.replicator && node->par.replicator->kind == NODE_REPLICATOR) {
            note(uniform, node->par.replicator->replicator.def->def.symbol);
        }
        visit_apart(uniform, node, true);
        return;
    case NODE_ALT:
    case NODE_INPUT_CASE:
    case NODE_WHILE_INPUT:
    case NODE_RESIGN: visit_apart(uniform, node, true); return;
    case NODE_CLAIM: uniform->has_claims = true; break;
    }
    node_visit_children(node, visit, data);
}

const UsageUniform *usage_uniform(UsageWalk *walk, const Node *par, uint32_t latest) {
    UsageUniform *uniform = arena_new(walk->arena, UsageUniform);
    *uniform = (UsageUniform){.arena = walk->arena, .latest = latest, .loop = walk->loops};
    note(uniform, par->par.replicator->replicator.def->def.symbol);
    size_t known = 0;
    do {
        known = uniform->different.count + uniform->has_claims;
        Node *body = par->par.body.items[0];
        visit(&body, uniform);
    } while (known != uniform->different.count + uniform->has_claims);
    return uniform;
}

IndexExpr *usage_uniform_count(UsageWalk *walk, const Node *expression) {
    const UsageUniform *uniform = walk->uniform;
    IndexExpr *count = usage_phase_unknown(walk);
    bool is_one = uniform && walk->loops && walk->loops->outer == uniform->loop;
    if (is_one && expression && is_same(uniform, expression)) {
        count->value = uniform->latest; /* not of one branch */
    }
    return count;
}
