/* check_fork -- FORK and FORKING: which FORKING a FORK belongs to, and which parameters are safe in
 * a process that outlives the call (language.md 2.7).
 *
 * Leaves: names that the PROC uses from outside to effects_fork.c, which knows them; so whether
 *         what is given by reference outlives the new process.
 * Holds:  a FORKING has a symbol without a name in any scope; a FORK inside uses it, also from
 *         PROCs and branches inside: so it is captured like every other name. */
#include "checker.h"

void check_forking(Checker *checker, Node *node) {
    check_communicates(checker, node, "FORKING");
    Symbol *outer = checker->forking;
    Symbol *symbol = arena_new(checker->arena, Symbol);
    symbol->kind = SYMBOL_VARIABLE;
    symbol->name = text_intern_string(checker->compiler->texts, "FORKING");
    symbol->type = type_primitive(TYPE_BARRIER); /* one pointer */
    symbol->at = node->at;
    symbol->definition = node;
    symbol->owner = checker->routine;
    symbol->number = checker->symbol_count++;
    node->forking.symbol = symbol;
    checker->forking = symbol;
    check_process(checker, &node->forking.process);
    checker->forking = outer;
}

/* A variable, or a part of one, that the programmer answers for; not what a mobile holds, which may
 * be replaced. */
static bool is_under_shared(const Node *actual) {
    const Symbol *symbol = actual != NULL ? node_root(actual) : NULL;
    const Symbol *object = symbol_object(symbol);
    return object != NULL && (symbol->permits_sharing || object->permits_sharing) &&
           object->type != NULL && !type_owns(object->type);
}

/* Why the parameter would tie the new process to the one that forks it; NULL: it does not. */
static const char *unsafe_words(const Symbol *formal, const Node *actual) {
    const Type *leaf = type_leaf(formal->type);
    if (type_is_error(formal->type) || leaf->kind == TYPE_TIMER) {
        return NULL;
    }
    if (formal->type == type_any_data()) {
        return "a variable of the process that forks";
    }
    if (leaf->kind == TYPE_CHANNEL) {
        bool is_shared = leaf->channel.is_shared_input || leaf->channel.is_shared_output;
        return is_shared ? NULL : "a channel that is not shared";
    }
    if (type_is_clock(formal->type)) {
        return NULL; /* effects_fork.c: where it is declared */
    }
    if (type_is_sync(formal->type)) {
        return NULL; /* effects_fork.c: where it is declared */
    }
    if (leaf->kind == TYPE_PORT) {
        return "a PORT";
    }
    if (type_owns(formal->type) && formal->formal_mode == FORMAL_VAL) {
        return type_can_be_cloned(formal->type) ? NULL : "a value of which there is no copy";
    }
    if (type_owns(formal->type)) { /* moves; other ways would leave it with two owners */
        return formal->formal_mode != FORMAL_RESULT ? NULL
                                                    : "a mobile that the process that forks gets";
    }
    bool is_copied = formal->formal_mode == FORMAL_VAL || formal->formal_mode == FORMAL_INITIAL;
    return is_copied || is_under_shared(actual) ? NULL : "a variable of the process that forks";
}

/* What a MOBILE CLOCK leads to goes with the last who is enrolled. */
static void report_clock(Checker *checker, const Symbol *formal, Location at) {
    diag_report(checker->diag, DIAG_CLOCK_FORK, at, formal->name->bytes);
    symbol_label(checker, formal, "is declared here");
    diag_hint(checker->diag, "a MOBILE CLOCK that is given to a FORKed process enrols it");
}

static void check_parameters(Checker *checker, const Node *node, const Symbol *callee) {
    const NodeList *formals = &callee->definition->proc.formals;
    for (size_t i = 0; i < formals->count; i++) {
        const Node *formal = formals->items[i];
        const Symbol *symbol = formal->kind == NODE_FORMAL ? formal->formal.def->def.symbol : NULL;
        const Node *actual = i < node->fork.actuals.count ? node->fork.actuals.items[i] : NULL;
        const char *words = symbol ? unsafe_words(symbol, actual) : NULL;
        Location at = actual ? actual->at : node->at;
        bool is_mobile = actual && actual->type && type_is_mobile(actual->type);
        if (symbol && type_is_clock(symbol->type) && is_mobile) {
            report_clock(checker, symbol, at);
        }
        if (words && !(actual && type_is_error(actual->type))) {
            diag_report(checker->diag, DIAG_TYPES_FORK_PARAMETER, at, symbol->name->bytes,
                        callee->name->bytes, words);
            symbol_label(checker, symbol, "is declared here");
            diag_hint(checker->diag,
                      "a FORKed process takes VAL parameters, mobiles, shared ends of "
                      "channels, and variables under #PRAGMA SHARED");
        }
    }
}

/* What a mobile parameter is given moves into the new process. */
static void move_actuals(Checker *checker, Node *node, const Symbol *callee) {
    const NodeList *formals = &callee->definition->proc.formals;
    for (size_t i = 0; i < formals->count && i < node->fork.actuals.count; i++) {
        const Node *formal = formals->items[i];
        if (formal->kind == NODE_FORMAL && formal->formal.def->def.symbol) {
            const Type *wanted = formal->formal.def->def.symbol->type;
            bool is_copied = formal->formal.mode == FORMAL_VAL;
            if (!is_copied && !type_is_clock(type_content(wanted))) { /* it is enrolled beside me */
                check_move(checker, &node->fork.actuals.items[i], wanted);
            }
        }
    }
}

void check_fork(Checker *checker, Node *node) {
    check_communicates(checker, node, "FORK");
    Node *name = node->fork.callee;
    Symbol *symbol = name->kind == NODE_NAME ? name_resolve(checker, name) : NULL;
    node->fork.forking = checker->forking;
    if (symbol) {
        symbol->is_used = true;
        name->type = type_primitive(TYPE_ERROR);
    }
    if (symbol && symbol->kind == SYMBOL_PROC && symbol->definition) {
        check_actuals(checker, node, symbol, &symbol->definition->proc.formals,
                      &node->fork.actuals);
        check_parameters(checker, node, symbol);
        move_actuals(checker, node, symbol);
        return;
    }
    check_loose_actuals(checker, &node->fork.actuals);
    if (symbol) {
        diag_report(checker->diag, DIAG_NAMES_KIND, name->at, symbol->name->bytes,
                    symbol_words(symbol), "a PROC of the program");
    }
}
