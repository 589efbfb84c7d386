/* check_mobile_process -- PROC TYPE, MOBILE PROC, SUSPEND, activation (language.md 2.10).
 *
 * Leaves: the actuals of an activation to check_call.c, that a MOBILE PROC uses no names from
 *         outside to effects_solve.c, where SUSPEND may stand to effects_suspend_place.c.
 * Holds:  PROC TYPE N is a type of its own; a variable is MOBILE N. */
#include "checker.h"

void check_proc_type_definition(Checker *checker, Node *node) {
    scope_open(checker->scope);
    check_formals(checker, &node->proc_type.formals, node);
    scope_close(checker->scope);
    Type *type = arena_new(checker->arena, Type);
    type->kind = TYPE_PROC_TYPE;
    type->name = node->proc_type.def->def.name;
    type->at = node->proc_type.def->at;
    type->proc_type.formals = &node->proc_type.formals;
    symbol_define(checker, SYMBOL_PROC_TYPE, node->proc_type.def, type, node);
}

/* ---- MOBILE PROC p (..) IMPLEMENTS t ---- */

static bool formals_agree(const Symbol *left, const Symbol *right) {
    if (!left || !right) {
        return true; /* reported */
    }
    bool is_other_end = left->direction != DIRECTION_NONE && right->direction != DIRECTION_NONE &&
                        left->direction != right->direction;
    return left->formal_mode == right->formal_mode && !is_other_end &&
           type_equal(left->type, right->type);
}

static void check_implements(Checker *checker, const Ast_proc *proc, const Symbol *type) {
    const NodeList *wanted = type->type->proc_type.formals;
    const NodeList *formals = &proc->formals;
    if (wanted->count != formals->count) {
        diag_report(checker->diag, DIAG_TYPES_IMPLEMENTS_COUNT, proc->implements->at,
                    type->name->bytes, wanted->count, wanted->count == 1 ? "" : "s",
                    formals->count);
        symbol_label(checker, type, "is defined here");
        return;
    }
    for (size_t i = 0; i < formals->count; i++) {
        const Symbol *formal = node_formal(formals, i);
        const Symbol *other = node_formal(wanted, i);
        if (!formals_agree(formal, other)) {
            diag_report(checker->diag, DIAG_TYPES_IMPLEMENTS, formal->at, formal->name->bytes,
                        type->name->bytes);
            diag_label(checker->diag, other->at, "declared here");
            return;
        }
    }
}

void check_mobile_proc(Checker *checker, Node *node, Symbol *symbol) {
    Ast_proc *proc = &node->proc;
    Node *name = proc->implements;
    Symbol *type = name_find(checker, name->type_named.name, name->at);
    name->type_named.symbol = type;
    if (!type) {
        return;
    }
    type->is_used = true;
    if (type->kind != SYMBOL_PROC_TYPE) {
        diag_report(checker->diag, DIAG_NAMES_KIND, name->at, type->name->bytes, symbol_words(type),
                    "a PROC TYPE");
        symbol_label(checker, type, "is defined here");
        return;
    }
    symbol->type = type->type;
    check_implements(checker, proc, type);
}

void check_suspend(Checker *checker, const Node *node) {
    const Node *routine = checker->routine;
    if (!routine || routine->kind != NODE_PROC) {
        diag_report(checker->diag, DIAG_TYPES_SUSPEND, node->at, "a FUNCTION");
    }
}

/* ---- MOBILE p, p (..) ---- */

const Type *check_process_allocation(Checker *checker, Node *node) {
    Node *name = node->allocation.type_expr;
    if (node->allocation.dimensions.count > 0 || name->kind != NODE_TYPE_NAMED) {
        return NULL;
    }
    Symbol *symbol = scope_find(checker->scope, name->type_named.name);
    if (!symbol || symbol->kind != SYMBOL_PROC) {
        return NULL;
    }
    symbol->is_used = true;
    name->type_named.symbol = symbol;
    if (!symbol->definition->proc.is_mobile) {
        diag_report(checker->diag, DIAG_NAMES_KIND, name->at, symbol->name->bytes, "a PROC",
                    "a MOBILE PROC");
        symbol_label(checker, symbol, "is defined here");
        return type_primitive(TYPE_ERROR);
    }
    name->type = symbol->type ? symbol->type : type_primitive(TYPE_ERROR);
    return type_is_error(name->type) ? name->type : type_mobile(checker->arena, name->type);
}

bool check_activation(Checker *checker, Node *node, Symbol *symbol) {
    const Type *type = symbol->type ? type_content(symbol->type) : NULL;
    if (!type || type->kind != TYPE_PROC_TYPE || symbol->kind == SYMBOL_PROC) {
        return false;
    }
    check_communicates(checker, node, "activation of a mobile process");
    node->call.callee->type = symbol->type;
    element_check_changeable(checker, node->call.callee, symbol);
    check_actuals(checker, node, symbol, type->proc_type.formals, &node->call.actuals);
    return true;
}
