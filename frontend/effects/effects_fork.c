/* effects_fork -- names that a FORKed PROC uses from outside: they must be safe beside the process
 * that forks, and still be there (language.md 2.7).
 *
 * Holds: a shared channel is kept alive by whoever uses it, a scalar that does not change is
 *        copied. Anything else lives as long as its declaration: long enough when that stands
 *        outside of the FORKING that waits for the process. Whether a variable of that kind is
 *        always used under one MUTEX is seen later, by usage_fork.c, if the FORKING stands in the
 *        same routine. */
#include "effects.h"

static bool is_read_only(const Symbol *symbol) {
    return symbol->kind == SYMBOL_VALUE ||
           (symbol->kind == SYMBOL_FORMAL && symbol->formal_mode == FORMAL_VAL);
}

static bool is_shared_channel(const Type *type) {
    const Type *leaf = type_leaf(type);
    return leaf->kind == TYPE_CHANNEL &&
           (leaf->channel.is_shared_input || leaf->channel.is_shared_output);
}

/* Plain values, also in a mobile: no ends of channels, no processes. */
static bool is_plain_data(const Type *type) {
    const Type *content = type_is_mobile(type) ? type_content(type) : type;
    return type_is_data(content) && !type_owns(content) && content->kind != TYPE_PROC_TYPE;
}

static bool is_safe(const Symbol *symbol, const ForkEffect *fork) {
    const Symbol *forking = fork->fork->fork.forking;
    if (!symbol->type || type_is_error(symbol->type) || type_is_timer(symbol->type) ||
        symbol_is_given_by_value(symbol) ||
        (symbol->definition && symbol->definition->kind == NODE_FORKING)) {
        return true;
    }
    bool outlives = forking && symbol->number < forking->number;
    if (is_shared_channel(symbol->type)) {
        return symbol->type->kind == TYPE_CHANNEL || outlives;
    }
    if (type_is_sync(symbol->type)) {
        return outlives;
    }
    bool is_checked_later = forking && forking->owner == fork->owner && is_plain_data(symbol->type);
    return outlives && (is_read_only(symbol) || symbol->permits_sharing || is_checked_later);
}

static void report_unsafe(Diag *diag, const ForkEffect *fork, const Symbol *symbol) {
    bool is_clock = type_is_clock(symbol->type);
    if (is_clock) {
        diag_report(diag, DIAG_CLOCK_FORK, fork->fork->at, symbol->name->bytes);
    } else {
        diag_report(diag, DIAG_TYPES_FORK_FREE, fork->fork->at, fork->callee->name->bytes,
                    symbol->name->bytes);
    }
    diag_label(diag, symbol->at, "'%s' is declared here", symbol->name->bytes);
    diag_hint(diag, is_clock ? "give it the clock as a parameter, which enrols it"
                             : "give it as a parameter: VAL, a mobile or a shared end");
}

static void check_fork(Effects *effects, const ForkEffect *fork) {
    const RoutineEffects *callee = effects_of(fork->callee);
    for (size_t i = 0; callee && i < callee->info->free_names.count; i++) {
        const Symbol *symbol = callee->info->free_names.items[i];
        if (!is_safe(symbol, fork)) {
            report_unsafe(effects->compiler->diag, fork, symbol);
            return;
        }
    }
}

/* Passed by reference: it must be there until the FORKING is over. NULL: it is not, or has been
 * refused (check_fork.c). */
static const Symbol *given_by_reference(const Node *actual, const Symbol *formal) {
    const Symbol *root = actual->type ? effects_root(actual) : NULL;
    if (!root || !root->type) { /* a PROC is no actual: said */
        return NULL;
    }
    if (type_is_sync(actual->type) || type_is_clock(actual->type)) {
        return root;
    }
    bool is_variable = is_plain_data(root->type) && !type_is_mobile(root->type);
    bool is_shared = root->permits_sharing || node_root(actual)->permits_sharing;
    return symbol_is_reference_formal(formal) && is_variable && is_shared ? root : NULL;
}

static const Symbol *formal_of(const ForkEffect *fork, size_t number) {
    const Node *routine = fork->callee->definition;
    const Node *formal =
        routine && routine->kind == NODE_PROC && number < routine->proc.formals.count
            ? routine->proc.formals.items[number]
            : NULL;
    return formal && formal->kind == NODE_FORMAL ? formal->formal.def->def.symbol : NULL;
}

static void check_actuals(Effects *effects, const ForkEffect *fork) {
    const Symbol *forking = fork->fork->fork.forking;
    const NodeList *actuals = &fork->fork->fork.actuals;
    for (size_t i = 0; i < actuals->count; i++) {
        const Node *actual = actuals->items[i];
        const Symbol *root = given_by_reference(actual, formal_of(fork, i));
        if (root && !(forking && root->number < forking->number)) {
            Diag *diag = effects->compiler->diag;
            diag_report(diag, type_is_clock(root->type) ? DIAG_CLOCK_FORK : DIAG_TYPES_FORK_SYNC,
                        actual->at, root->name->bytes);
            diag_label(diag, root->at, "'%s' is declared here", root->name->bytes);
            diag_hint(diag, "write FORKING where '%s' is in scope, round this FORK",
                      root->name->bytes);
        }
    }
}

void effects_check_forks(Effects *effects) {
    for (size_t i = 0; i < effects->forks.count; i++) {
        check_actuals(effects, &effects->forks.items[i]);
        check_fork(effects, &effects->forks.items[i]);
    }
}
