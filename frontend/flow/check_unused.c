/* check_unused -- warnings about names that nothing uses (language.md 3.1).
 *
 * Left alone: what stands at the outermost level (another file may use it), the parameters of the
 * program itself, those that the PROC TYPE of a MOBILE PROC wants, replicators, and what comes from
 * libraries. */
#include "check.h"

typedef struct UnusedCheck {
    Compiler *compiler;
    const Node *main_proc;
} UnusedCheck;

static bool is_checked(const UnusedCheck *check, const Symbol *symbol) {
    if (symbol->is_library || !symbol->owner || symbol->permits_sharing) {
        return false;
    }
    bool is_channel = symbol->type && type_is_channel(symbol->type);
    bool is_host_program = symbol->owner == check->compiler->host_program;
    bool is_of_main = is_host_program || (symbol->owner == check->main_proc && is_channel);
    bool is_of_type = symbol->owner->kind == NODE_PROC && symbol->owner->proc.is_mobile;
    return !(symbol->kind == SYMBOL_FORMAL && (is_of_main || is_of_type));
}

static void visit(Node **slot, void *data) {
    UnusedCheck *check = data;
    Node *node = *slot;
    if (node->kind != NODE_DEF) {
        node_visit_children(node, visit, data);
        return;
    }
    const Symbol *symbol = node->def.symbol;
    if (!symbol || !is_checked(check, symbol)) {
        return;
    }
    if (!symbol->is_read && !symbol->is_written && !symbol->is_used &&
        symbol->kind != SYMBOL_REPLICATOR) {
        diag_report(check->compiler->diag, DIAG_NAMES_UNUSED, symbol->at, symbol->name->bytes);
    }
}

void check_unused(Compiler *compiler, Node *unit) {
    UnusedCheck check = {.compiler = compiler, .main_proc = node_last_proc(unit)};
    if (unit->kind != NODE_UNIT) {
        return;
    }
    node_visit_children(unit, visit, &check);
}
