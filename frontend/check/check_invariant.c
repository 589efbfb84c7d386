/* check_invariant -- #PRAGMA INVARIANT condition: what holds of variables of several processes
 * whenever nobody is in the middle of changing one (decision 0071).
 *
 * Holds:  the condition is read as that of a WHILE. Its variables are declared by INITIAL in the
 *         block of the pragma and before it, so it has a value at any time, and nobody else can
 *         know them. They are changed by assignments in the scope of the pragma only: each gets the
 *         condition, for the code generator to look at after it. Nothing else of the checks sees
 *         that. */
#define _GNU_SOURCE
#include "checker.h"

#include "changes.h"
#include "parse.h"

#include <string.h>

/* ---- the pragma, in its scope ---- */

/* Where its words begin: behind its name. */
static Location place_of_words(const Checker *checker, Location pragma) {
    size_t length = 0;
    const char *line = source_line(checker->compiler->sources, pragma.file, pragma.line, &length);
    const char *name = memmem(line, length, "INVARIANT", strlen("INVARIANT"));
    const char *words = name + strlen("INVARIANT");
    words += strspn(words, " \t");
    pragma.column = (uint32_t)(words - line) + 1;
    return pragma;
}

/* Its condition; NULL: it is none, which is said. */
static Node *condition_of(const Checker *checker, Location pragma, const char *words) {
    SourceMap *sources = checker->compiler->sources;
    const SourceFile *file = source_framed(sources, place_of_words(checker, pragma),
                                           "PROC invariant ()\n  WHILE", words, "\n    SKIP\n:\n");
    unsigned errors = diag_error_count(checker->diag);
    const Node *unit = parse_file(checker->compiler, file);
    if (diag_error_count(checker->diag) > errors || unit->unit.specs.count == 0) {
        return NULL; /* or so many errors that no more is read */
    }
    const Node *loop = unit->unit.specs.items[0]->proc.body;
    if (loop->kind != NODE_WHILE) {
        diag_report(checker->diag, DIAG_INVARIANT_VARIABLE, pragma, words);
        return NULL;
    }
    return loop->while_.condition;
}

void check_invariant(Checker *checker, Node *pragma, const char *words) {
    words += strspn(words, " \t");
    Node *condition = condition_of(checker, pragma->at, words);
    if (!condition) {
        return;
    }
    unsigned errors = diag_error_count(checker->diag);
    check_condition(checker, &condition);
    if (diag_error_count(checker->diag) > errors) {
        return;
    }
    checker->has_invariants = true;
    pragma->pragma.invariant = arena_new(checker->arena, Invariant);
    *pragma->pragma.invariant = (Invariant){.condition = condition, .text = words};
}

/* ---- what it is about, and who changes that ---- */

typedef struct Watch {
    Arena *arena;
    Diag *diag;
    Invariant *invariant; /* whose names are looked at */
    const Node *block;
    size_t place; /* of the pragma among the specifications */
    bool is_right;
} Watch;

static void walk(Node **slot, void *context);

static bool is_declared_before(const Watch *watch, const Symbol *symbol) {
    for (size_t i = 0; i < watch->place; i++) {
        const Node *spec = watch->block->block.specs.items[i];
        if (spec->kind == NODE_ABBREVIATION && spec->abbreviation.def->def.symbol == symbol) {
            return symbol->is_initial;
        }
    }
    return false;
}

static bool is_variable(const Symbol *symbol) {
    return symbol && !symbol->constant &&
           (symbol->kind == SYMBOL_VARIABLE || symbol->kind == SYMBOL_REFERENCE ||
            (symbol->kind == SYMBOL_FORMAL && symbol->formal_mode != FORMAL_VAL));
}

static void take_name(Node **slot, void *context) {
    Watch *watch = context;
    Node *node = *slot;
    Symbol *symbol = node->kind == NODE_NAME ? node->name.symbol : NULL;
    if (is_variable(symbol) && !is_declared_before(watch, symbol)) {
        diag_report(watch->diag, DIAG_INVARIANT_VARIABLE, node->at, symbol->name->bytes);
        watch->is_right = false;
    } else if (is_variable(symbol)) {
        Invariants *all =
            symbol->invariants ? symbol->invariants : arena_new(watch->arena, Invariants);
        symbol->invariants = all;
        array_push(watch->arena, &all->list, watch->invariant);
        watch->invariant->object = watch->invariant->object ? watch->invariant->object : node;
    }
    node_visit_children(node, take_name, context);
}

/* The invariants of a block: their variables are known before anything in it is looked at. */
static void take_invariants(Watch *watch, const Node *block) {
    const NodeList *specs = &block->block.specs;
    for (size_t i = 0; i < specs->count; i++) {
        Node *spec = specs->items[i];
        if (spec->kind == NODE_PRAGMA && spec->pragma.invariant) {
            Watch inner = {watch->arena, watch->diag, spec->pragma.invariant, block, i, true};
            take_name(&spec->pragma.invariant->condition, &inner);
            if (inner.is_right && !spec->pragma.invariant->object) {
                diag_report(watch->diag, DIAG_INVARIANT_VARIABLE, spec->at,
                            spec->pragma.invariant->text);
            }
        }
    }
}

static const Invariants *invariants_of(const Node *element) {
    const Symbol *object = symbol_object(node_root(element));
    return object ? object->invariants : NULL;
}

static void refuse_change(void *context, const Node *element) {
    const Watch *watch = context;
    if (invariants_of(element)) {
        diag_report(watch->diag, DIAG_INVARIANT_CHANGE, element->at,
                    node_root(element)->name->bytes);
        diag_hint(watch->diag, "change a variable of your own, and assign that");
    }
}

/* Before the pragma nobody looks at it. */
static void check_open(const Watch *watch, const Node *assign, const Invariants *invariants) {
    for (size_t i = 0; i < invariants->list.count; i++) {
        if (!invariants->list.items[i]->is_open) {
            diag_report(watch->diag, DIAG_INVARIANT_CHANGE, assign->at,
                        invariants->list.items[i]->object->name.name->bytes);
            diag_hint(watch->diag, "put the pragma before this PROC");
            return;
        }
    }
}

static void add_once(Watch *watch, Invariants *list, Invariant *invariant) {
    for (size_t i = 0; i < list->list.count; i++) {
        if (list->list.items[i] == invariant) {
            return;
        }
    }
    array_push(watch->arena, &list->list, invariant);
}

static void watch_assignment(Watch *watch, Node *assign) {
    for (size_t i = 0; i < assign->assign.targets.count; i++) {
        const Invariants *its = invariants_of(assign->assign.targets.items[i]);
        if (!its) {
            continue;
        }
        if (!assign->assign.invariants) {
            assign->assign.invariants = arena_new(watch->arena, Invariants);
        }
        check_open(watch, assign, its);
        for (size_t k = 0; k < its->list.count; k++) {
            add_once(watch, assign->assign.invariants, its->list.items[k]);
        }
    }
}

static void walk(Node **slot, void *context) {
    Watch *watch = context;
    Node *node = *slot;
    if (node->kind == NODE_BLOCK) {
        take_invariants(watch, node);
    } else if (node->kind == NODE_PRAGMA && node->pragma.invariant) {
        node->pragma.invariant->is_open = true;
    } else if (node->kind == NODE_ASSIGN) {
        watch_assignment(watch, node);
    } else {
        node_changes(node, refuse_change, watch);
    }
    node_visit_children(node, walk, context);
}

void check_invariants(Checker *checker) {
    Watch watch = {.arena = checker->arena, .diag = checker->diag};
    walk(&checker->unit, &watch);
}
