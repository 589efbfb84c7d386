/* usage_uniform -- what has the same value in all branches of a replicated PAR on a clock.
 *
 * Owns:   which names of a branch may differ from branch to branch.
 * Leaves: races to usage_conflict.c: where there is none, what branches read of a variable of
 *         outside in one phase is one value.
 * Holds:  the branches do the same as long as they take the same way: so a name differs that is
 *         given a different value, or a value where the branches are on different ways, or by
 *         somebody else. A name once found to differ stays so; the search ends when no more are. */
#include "changes.h"
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

static void note_element(void *context, const Node *element) {
    const Node *root = element_root(element);
    if (root->kind == NODE_NAME) {
        note(context, root->name.symbol);
    }
}

/* ---- expressions ---- */

typedef struct Expression {
    const UsageUniform *uniform;
    bool differs;
} Expression;

/* A FUNCTION that is called is what the names are that it uses. */
static bool routine_differs(const UsageUniform *uniform, const Symbol *callee) {
    const Node *routine = callee ? callee->definition : NULL;
    const ProcInfo *info =
        routine && routine->kind == NODE_FUNCTION ? routine->function.info : NULL;
    for (size_t i = 0; info && i < info->free_names.count; i++) {
        if (differs(uniform, info->free_names.items[i])) {
            return true;
        }
    }
    return false;
}

static void visit_expression(Node **slot, void *data) {
    Expression *expression = data;
    const Node *node = *slot;
    expression->differs = expression->differs || node->kind == NODE_VALOF ||
                          node->kind == NODE_ALLOCATION || node->kind == NODE_CLOSED ||
                          (node->kind == NODE_NAME && node->name.symbol &&
                           differs(expression->uniform, node->name.symbol)) ||
                          routine_differs(expression->uniform, node_callee(node));
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

/* What is below a way of its own. False: it is none. */
static bool visit_way(UsageUniform *uniform, Node *node) {
    if (node->kind == NODE_IF) {
        visit_apart(uniform, node, node->if_.replicator || choices_differ(uniform, node));
    } else if (node->kind == NODE_CASE) {
        visit_apart(uniform, node, !is_same(uniform, node->case_.selector));
    } else if (node->kind == NODE_WHILE) {
        visit_apart(uniform, node, !is_same(uniform, node->while_.condition));
    } else if (node->kind == NODE_SEQ) {
        visit_replicated(uniform, node, node->seq.replicator);
    } else if (node->kind == NODE_ALT || node->kind == NODE_INPUT_CASE || node->kind == NODE_PROC ||
               node->kind == NODE_WHILE_INPUT || node->kind == NODE_RESIGN) {
        visit_apart(uniform, node, true);
    } else {
        return false;
    }
    return true;
}

static void visit(Node **slot, void *data) {
    UsageUniform *uniform = data;
    Node *node = *slot;
    if (node->kind == NODE_ASSIGN) {
        visit_assign(uniform, node);
        return;
    }
    node_changes(node, note_element, uniform);
    if (visit_way(uniform, node)) {
        return;
    }
    if (node->kind == NODE_ABBREVIATION) {
        if (uniform->is_apart || !is_same(uniform, node->abbreviation.value)) {
            note(uniform, node->abbreviation.def->def.symbol);
        }
        return;
    }
    if (node->kind == NODE_PAR) {
        if (node->par.replicator && node->par.replicator->kind == NODE_REPLICATOR) {
            note(uniform, node->par.replicator->replicator.def->def.symbol);
        }
        visit_apart(uniform, node, true);
        return;
    }
    uniform->has_claims = uniform->has_claims || node->kind == NODE_CLAIM;
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
    const UsageUniform *uniform = walk->here.uniform;
    IndexExpr *count = usage_phase_unknown(walk);
    bool is_one = uniform && walk->loops && walk->loops->outer == uniform->loop;
    if (is_one && expression && is_same(uniform, expression)) {
        count->value = uniform->latest; /* not of one branch */
    }
    return count;
}
