/* changes -- see changes.h. */
#include "changes.h"

#include "diag.h"
#include "predefined.h"

const Symbol *node_callee(const Node *node) {
    const Node *name = node->kind == NODE_CALL            ? node->call.callee
                       : node->kind == NODE_FORK          ? node->fork.callee
                       : node->kind == NODE_FUNCTION_CALL ? node->function_call.callee
                                                          : NULL;
    if (name) {
        return name->kind == NODE_NAME ? name->name.symbol : NULL;
    }
    if (node->kind == NODE_MONADIC) {
        return node->monadic.user_operator;
    }
    return node->kind == NODE_DYADIC ? node->dyadic.user_operator : NULL;
}

const NodeList *callee_formals(const Symbol *callee) {
    if (callee->kind == SYMBOL_PROC) {
        return callee->definition ? &callee->definition->proc.formals : NULL;
    }
    if (callee->kind == SYMBOL_FUNCTION) {
        return callee->definition ? &callee->definition->function.formals : NULL;
    }
    const Type *content = callee->type ? type_content(callee->type) : NULL;
    return content && content->kind == TYPE_PROC_TYPE ? content->proc_type.formals : NULL;
}

/* A formal by reference, of data: to communicate on a channel is not to change it. */
static bool may_change(const Symbol *callee, size_t index) {
    if (callee->kind == SYMBOL_PREDEFINED) {
        return predefined_is_reference(callee->predefined, index);
    }
    const NodeList *formals = callee_formals(callee);
    const Node *formal = formals && index < formals->count ? formals->items[index] : NULL;
    const Symbol *symbol =
        formal && formal->kind == NODE_FORMAL ? formal->formal.def->def.symbol : NULL;
    if (!symbol || !symbol->type) {
        return true; /* not known */
    }
    bool is_copied = symbol->formal_mode == FORMAL_VAL || symbol->formal_mode == FORMAL_INITIAL;
    return !is_copied && !type_is_error(symbol->type) && type_is_data(symbol->type);
}

static void list(const NodeList *elements, ChangeVisitor *change, void *context) {
    for (size_t i = 0; i < elements->count; i++) {
        const Node *element = elements->items[i];
        if (element->kind == NODE_COUNTED) {
            change(context, element->counted.count);
            element = element->counted.array;
        }
        change(context, element);
    }
}

static void mobile_clocks(const Node *node, ChangeVisitor *change, void *context) {
    NodeList clocks = node_clocks((Node *)node);
    for (size_t i = 0; i < clocks.count; i++) {
        if (clocks.items[i]->type && type_is_mobile(clocks.items[i]->type)) {
            change(context, clocks.items[i]);
        }
    }
}

/* An activation changes the mobile process itself as well. */
static void call(const Node *node, const Node *name, const NodeList *actuals, ChangeVisitor *change,
                 void *context) {
    const Symbol *callee = node_callee(node);
    for (size_t i = 0; callee && i < actuals->count; i++) {
        if (may_change(callee, i)) {
            change(context, actuals->items[i]);
        }
    }
    if (callee && callee->kind != SYMBOL_PROC && callee->kind != SYMBOL_PREDEFINED) {
        change(context, name);
    }
}

void node_changes(const Node *node, ChangeVisitor *change, void *context) {
    switch (node->kind) {
    case NODE_ASSIGN: list(&node->assign.targets, change, context); return;
    case NODE_INPUT: list(&node->input.items, change, context); return;
    case NODE_VARIANT: list(&node->variant.items, change, context); return;
    case NODE_MOVE: change(context, node->move.element); return;
    case NODE_CALL: call(node, node->call.callee, &node->call.actuals, change, context); return;
    case NODE_FORK: call(node, node->fork.callee, &node->fork.actuals, change, context); return;
    case NODE_SYNC:
    case NODE_RESIGN:
    case NODE_NEXT:
    case NODE_RESUME:
    case NODE_DROP: mobile_clocks(node, change, context); return;
    /* only their parts may change something */
    case NODE_BLOCK:
    case NODE_SKIP:
    case NODE_STOP:
    case NODE_SUSPEND:
    case NODE_OUTPUT:
    case NODE_INPUT_CASE:
    case NODE_DELAY:
    case NODE_EXTENDED_INPUT:
    case NODE_SEQ:
    case NODE_PAR:
    case NODE_ALT:
    case NODE_IF:
    case NODE_CASE:
    case NODE_WHILE:
    case NODE_WHILE_INPUT:
    case NODE_FORKING:
    case NODE_CLAIM:
    case NODE_ENROLL:
    case NODE_CLOSE:
    case NODE_PROCESSOR: return;
    case NODE_ASM:
    case NODE_DYNCALL: return; /* refused */
    case NODE_NAME:
    case NODE_KINDS_OF_VALUE:
    case NODE_MONADIC:
    case NODE_DYADIC:
    case NODE_FUNCTION_CALL: /* without side effects */
    case NODE_VALOF:
    case NODE_CLOSED:
    case NODE_PHASE: return;
    case NODE_KINDS_OF_SPECIFICATION: /* an abbreviation is a name: its uses are what counts */
    case NODE_KINDS_OF_PART:
    case NODE_ALTERNATIVE:
    case NODE_CHOICE:
    case NODE_OPTION:
    case NODE_KINDS_OF_TYPE:
    case NODE_BROKEN:
    case NODE_UNIT: return;
    case NODE_KIND_COUNT: bug("node of no kind");
    }
}
