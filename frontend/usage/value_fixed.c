/* value_fixed -- variables of outside that nothing in a PAR changes: they are numbers while it
 * runs, or arrays and records of which each element is one.
 *
 * n := 10, then PAR i = 0 FOR n with x[i] and x[i + n]: the variable is a parameter, but of this
 * run of the PAR only: to a PAR round it the parameter is of one branch, and it is another one in
 * each iteration of a loop.
 *
 * Holds: nobody else changes it either. Who wrote to it at the same time would be in a race, which
 *        is reported for itself. Where claims or phases order accesses there is no race: then it is
 *        one that only this process knows, and nothing is claimed inside. */
#include "changes.h"
#include "values.h"

#include <stdlib.h>

/* An array or record with integers in it. */
static bool has_numbers(const Type *type) {
    if (type_is_mobile(type)) {
        return false;
    }
    const Type *base = type_base(type);
    return type_is_array(type) ? has_numbers(base->array.element)
                               : type_is_integer(type) || base->kind == TYPE_RECORD;
}

static bool may_be_fixed(const Symbol *symbol) {
    bool is_variable = symbol->kind == SYMBOL_VARIABLE ||
                       (symbol->kind == SYMBOL_FORMAL && symbol->formal_mode != FORMAL_VAL);
    return is_variable && symbol->type && !type_is_error(symbol->type) &&
           has_numbers(symbol->type) && !symbol->permits_sharing && !symbol->permits_aliases;
}

/* An abbreviation stands for another name. */
static void note_change(void *context, const Node *element) {
    ValueScan *scan = context;
    const Node *root = element_root(element);
    const Symbol *symbol = root->kind == NODE_NAME ? root->name.symbol : NULL;
    for (; symbol; symbol = symbol_abbreviated(symbol)) {
        array_push(scan->walk->arena, &scan->changed, (Symbol *)symbol);
    }
}

/* What it does to variables of outside of it. */
static void note_free(ValueScan *scan, const Node *routine) {
    const ProcInfo *info = node_info(routine);
    if (!info || info->free_names.count == 0) {
        return;
    }
    const RoutineUsage *usage = symbol_map_get(&scan->walk->routines, info->symbol);
    bool is_known = usage && usage->is_known && !info->is_recursive_used;
    for (size_t i = 0; !is_known && i < info->free_names.count; i++) {
        array_push(scan->walk->arena, &scan->changed, info->free_names.items[i]);
    }
    for (size_t i = 0; is_known && i < usage->accesses.count; i++) {
        const UsageAccess *access = &usage->accesses.items[i];
        if (access->kind > USAGE_MEASURE) {
            array_push(scan->walk->arena, &scan->changed, access->root);
        }
        scan->has_claims = scan->has_claims || access->kind == USAGE_CLAIM;
    }
}

static void visit(Node **slot, void *data);

#define VALUE_LIMIT 64 /* VAL names that are gone into; each may name another one twice */

/* What VAL to IS 1 - cur: is made of does not change while `to` is in scope. */
static void note_name(ValueScan *scan, Symbol *symbol) {
    Symbol *object = symbol_object(symbol); /* row IS idx[i]: */
    if (object && may_be_fixed(object)) {
        array_push(scan->walk->arena, &scan->named, object);
    }
    const Node *definition = symbol->kind == SYMBOL_VALUE ? symbol->definition : NULL;
    if (definition && definition->kind == NODE_ABBREVIATION && symbol->type &&
        !type_is_error(symbol->type) && type_is_integer(symbol->type) && !symbol->constant &&
        scan->values < VALUE_LIMIT) {
        scan->values++;
        Node *value = definition->abbreviation.value;
        visit(&value, scan);
    }
}

static void visit(Node **slot, void *data) {
    ValueScan *scan = data;
    const Node *node = *slot;
    const Symbol *callee = node_callee(node);
    if (node->kind == NODE_NAME && node->name.symbol) {
        note_name(scan, node->name.symbol);
    } else if (callee && callee->kind == SYMBOL_PROC && callee->definition) {
        note_free(scan, callee->definition);
    } else if (node->kind == NODE_ABBREVIATION && node->abbreviation.mode != ABBREVIATION_VAL &&
               node->abbreviation.mode != ABBREVIATION_INITIAL) {
        note_change(scan, node->abbreviation.value);
    }
    scan->has_claims = scan->has_claims || node->kind == NODE_CLAIM;
    node_changes(node, note_change, scan);
    node_visit_children((Node *)node, visit, data);
}

static int compare_symbols(const void *left, const void *right) {
    const Symbol *a = *(Symbol *const *)left;
    const Symbol *b = *(Symbol *const *)right;
    return a->number < b->number ? -1 : a->number > b->number;
}

static void sort(SymbolSet *set) {
    if (set->count > 1) {
        qsort(set->items, set->count, sizeof *set->items, compare_symbols);
    }
}

/* A parameter that is its own name: usage_phase_unknown. */
static const IndexExpr *parameter_of(UsageWalk *walk, const Symbol *symbol) {
    IndexExpr *expr = usage_phase_unknown(walk);
    expr->label = symbol->name->bytes;
    TypeKind kind = type_base(symbol->type)->kind;
    expr->is_int = kind == TYPE_INT || kind == TYPE_INT32;
    return expr;
}

void value_fix(UsageWalk *walk, Symbol *symbol) {
    if (value_is_open(walk, symbol)) {
        const VariableValue *known = value_of(walk, symbol);
        VariableValue *fixed = value_new(walk->arena, NULL, NULL);
        if (known) {
            *fixed = *known;
        }
        fixed->value = parameter_of(walk, symbol);
        value_push(walk, symbol, fixed, true);
    }
}

ValueScan value_scan(UsageWalk *walk, const Node *node) {
    ValueScan scan = {.walk = walk};
    Node *root = (Node *)node;
    visit(&root, &scan);
    sort(&scan.named);
    sort(&scan.changed);
    return scan;
}

bool value_scan_changes(const ValueScan *scan, const Symbol *symbol) {
    Symbol *key = (Symbol *)symbol;
    return scan->changed.count > 0 && bsearch(&key, scan->changed.items, scan->changed.count,
                                              sizeof *scan->changed.items, compare_symbols);
}

void value_fix_unchanged(UsageWalk *walk, const Node *par) {
    if (walk->alias) {
        return;
    }
    ValueScan scan = value_scan(walk, par);
    uint32_t outside = walk->here.phases && usage_phase_moves(par) ? walk->here.own : 0;
    for (size_t i = 0; !scan.has_claims && i < scan.named.count; i++) {
        Symbol *symbol = scan.named.items[i];
        bool is_other = i > 0 && scan.named.items[i - 1] == symbol;
        if (!is_other && symbol->number > outside && symbol->number <= walk->latest &&
            !value_scan_changes(&scan, symbol)) {
            value_fix(walk, symbol);
        }
    }
}
