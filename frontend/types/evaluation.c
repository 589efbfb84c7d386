/* evaluation -- one arm for each kind of node; see evaluation.h. */
#include "evaluation.h"

#include "diag.h"
#include "types.h"

static void optional_value(const Evaluation *events, void *context, const Node *expression) {
    if (expression) {
        evaluate_value(events, context, expression);
    }
}

static void values(const Evaluation *events, void *context, const NodeList *list) {
    for (size_t i = 0; i < list->count; i++) {
        evaluate_value(events, context, list->items[i]);
    }
}

/* The subscripts and bounds on the path to the root, outermost first. */
static const Node *subscripts(const Evaluation *events, void *context, const Node *element) {
    for (const Node *base = element_base(element); base; base = element_base(element)) {
        if (element->kind == NODE_SUBSCRIPT) {
            evaluate_value(events, context, element->subscript.index);
        } else if (element->kind == NODE_SEGMENT) {
            optional_value(events, context, element->segment.from);
            optional_value(events, context, element->segment.length);
        }
        element = base;
    }
    return element;
}

void evaluate_choice(const Evaluation *events, void *context, const Node *element) {
    const Node *root = subscripts(events, context, element);
    if (root->kind == NODE_TABLE) {
        for (size_t i = 0; i < root->table.items.count; i++) {
            evaluate_choice(events, context, root->table.items.items[i]);
        }
    } else if (root->kind != NODE_NAME) {
        evaluate_value(events, context, root);
    }
}

/* An element of an expression without a name: the whole expression is evaluated. */
static void element(const Evaluation *events, void *context, const Node *node, ObjectUse use) {
    const Node *root = subscripts(events, context, node);
    if (root->kind == NODE_NAME) {
        events->use(context, node, use);
    } else {
        evaluate_value(events, context, root);
    }
}

/* ---- operands that are only measured ---- */

static bool is_mobile(const Node *node) {
    return node->type && !type_is_error(node->type) && type_is_mobile(node->type);
}

/* Does a mobile decide the size, here or further out? Then it is that of its current contents. */
static void measured(const Evaluation *events, void *context, const Node *operand) {
    const Node *root = subscripts(events, context, operand);
    if (root->kind != NODE_NAME) {
        evaluate_value(events, context, root);
        return;
    }
    for (const Node *part = operand; part; part = element_base(part)) {
        if (is_mobile(part)) {
            events->use(context, part, OBJECT_MEASURED);
            return;
        }
    }
}

/* ---- operators, calls, loops ---- */

static void operator_call(const Evaluation *events, void *context, const Node *node,
                          const Symbol *operator) {
    if (operator) {
        NodeList none = {0}; /* the operands are VAL, and were evaluated */
        events->call(context, node, operator, & none);
    }
}

static void dyadic(const Evaluation *events, void *context, const Node *node) {
    Operator op = node->dyadic.op;
    bool is_chain = !node->dyadic.user_operator && (op == OPERATOR_AND || op == OPERATOR_OR);
    evaluate_value(events, context, node->dyadic.left);
    if (is_chain) {
        events->condition(context, node, false);
    }
    evaluate_value(events, context, node->dyadic.right);
    if (is_chain) {
        events->condition(context, node, true);
    }
    operator_call(events, context, node, node->dyadic.user_operator);
}

static void constructor(const Evaluation *events, void *context, const Node *node) {
    const Node *replicator = node->constructor.replicator;
    if (replicator->kind != NODE_REPLICATOR) {
        return;
    }
    evaluate_value(events, context, replicator->replicator.base);
    evaluate_value(events, context, replicator->replicator.count);
    optional_value(events, context, replicator->replicator.step);
    events->repeat(context, replicator, false);
    evaluate_value(events, context, node->constructor.value);
    events->repeat(context, replicator, true);
}

/* ---- the switch ---- */

void evaluate_value(const Evaluation *events, void *context, const Node *node) {
    if (node->constant) {
        return;
    }
    switch (node->kind) {
    case NODE_NAME:
    case NODE_SUBSCRIPT:
    case NODE_FIELD:
    case NODE_SEGMENT: element(events, context, node, OBJECT_READ); return;
    case NODE_END: element(events, context, node, OBJECT_END); return;
    case NODE_MOVE: element(events, context, node->move.element, OBJECT_MOVED); return;
    case NODE_ADDROF: element(events, context, node->addrof.operand, OBJECT_READ); return;
    case NODE_DEFINED: element(events, context, node->defined.operand, OBJECT_ASKED); return;
    case NODE_PHASE: element(events, context, node->phase.clock, OBJECT_PHASE); return;
    case NODE_CLOSED: evaluate_value(events, context, node->closed.end); return;
    case NODE_CLONE: evaluate_value(events, context, node->clone.operand); return;
    case NODE_CONVERSION: evaluate_value(events, context, node->conversion.operand); return;
    case NODE_SIZE: measured(events, context, node->size.operand); return;
    case NODE_BYTESIN: measured(events, context, node->bytesin.operand); return;
    case NODE_TABLE: values(events, context, &node->table.items); return;
    case NODE_EXPRESSION_LIST: values(events, context, &node->expression_list.items); return;
    case NODE_COUNTED:
        evaluate_value(events, context, node->counted.count);
        evaluate_value(events, context, node->counted.array);
        return;
    case NODE_ALLOCATION:
        optional_value(events, context, node->allocation.aligned);
        values(events, context, &node->allocation.dimensions);
        return;
    case NODE_MONADIC:
        evaluate_value(events, context, node->monadic.operand);
        operator_call(events, context, node, node->monadic.user_operator);
        return;
    case NODE_DYADIC: dyadic(events, context, node); return;
    case NODE_CONSTRUCTOR: constructor(events, context, node); return;
    case NODE_FUNCTION_CALL:
        if (node->function_call.callee->kind == NODE_NAME) {
            events->call(context, node, node->function_call.callee->name.symbol,
                         &node->function_call.actuals);
        }
        return;
    case NODE_VALOF: events->valof(context, node); return;
    /* literals, or expressions about types alone */
    case NODE_KINDS_OF_LITERAL:
    case NODE_BROKEN:
    case NODE_KINDS_OF_TYPE: return;
    case NODE_CLOCKS:
        return; /* lent to the callee: passes that follow clocks know them */
    /* never evaluated */
    case NODE_KINDS_OF_SPECIFICATION:
    case NODE_KINDS_OF_PROCESS:
    case NODE_KINDS_OF_PART:
    case NODE_KINDS_OF_WAY:
    case NODE_UNIT: return;
    case NODE_KIND_COUNT: bug("node of no kind");
    }
}
