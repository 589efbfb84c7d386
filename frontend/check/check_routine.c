/* check_routine -- PROC and FUNCTION definitions, their formals, VALOF (language.md 1.4, 1.5, 3.4).
 *
 * Holds: a routine's name comes into scope after its body, or before it with REC; the symbols of
 *        the formals and of everything inside have the routine as their owner. */
#include "checker.h"

/* What the walk was doing before it went into a routine or a VALOF. */
typedef struct Outside {
    Node *routine;
    size_t routine_level;
    bool is_outermost;
    bool in_valof;
    bool in_pri_par;
    uint32_t valof_first;
} Outside;

static Outside enter_routine(Checker *checker, Node *routine) {
    Outside outside = {checker->routine,  checker->routine_level, checker->is_outermost,
                       checker->in_valof, checker->in_pri_par,    checker->valof_first};
    scope_open(checker->scope);
    checker->routine = routine;
    checker->routine_level = scope_level(checker->scope);
    checker->is_outermost = false;
    checker->in_valof = false;
    checker->in_pri_par = false;
    return outside;
}

static void leave_routine(Checker *checker, Outside outside) {
    scope_close(checker->scope);
    checker->routine = outside.routine;
    checker->routine_level = outside.routine_level;
    checker->is_outermost = outside.is_outermost;
    checker->in_valof = outside.in_valof;
    checker->in_pri_par = outside.in_pri_par;
    checker->valof_first = outside.valof_first;
}

/* ---- formals ---- */

/* INT a, b: the type of b is that of a, and what is wrong with it was said of a. */
static bool repeats_type(const NodeList *formals, size_t index) {
    const Node *before = index > 0 ? formals->items[index - 1] : NULL;
    if (!before || before->kind != NODE_FORMAL || !before->formal.type_expr) {
        return false;
    }
    Location one = before->formal.type_expr->at;
    Location other = formals->items[index]->formal.type_expr->at;
    return one.file == other.file && one.line == other.line && one.column == other.column;
}

static bool is_any_node(const Node *type) {
    return type->kind == NODE_TYPE_PRIMITIVE && type->type_primitive.primitive == PRIMITIVE_ANY;
}

/* A formal that is passed by value or result must be data; by reference it may be anything. */
static const Type *formal_type(Checker *checker, Node *formal, const Node *routine, bool is_again) {
    bool is_function = routine->kind == NODE_FUNCTION;
    bool takes_any = routine->kind == NODE_PROC && !routine->proc.is_mobile;
    Node *type_node = formal->formal.type_expr;
    if (takes_any && is_any_node(type_node) && formal->formal.mode != FORMAL_INITIAL) {
        type_node->type = type_any_data();
        return type_node->type;
    }
    const Type *type = check_type(checker, type_node);
    if (type_is_error(type)) {
        return type;
    }
    if (!check_is_whole_type(checker, type_node, type)) {
        return type_node->type;
    }
    bool is_any = !is_function && formal->formal.mode == FORMAL_REFERENCE;
    if (!is_any && report_clock_no_data(checker, type_node, type)) {
        return type_primitive(TYPE_ERROR);
    }
    if (is_function && formal->formal.mode != FORMAL_VAL) {
        if (is_again) {
            return type_primitive(TYPE_ERROR);
        }
        diag_report(checker->diag, DIAG_TYPES_FUNCTION_FORMAL, formal->formal.def->at,
                    formal->formal.def->def.name->bytes);
        if (type_is_data(type)) {
            diag_hint(checker->diag, "write VAL %s %s", type_name(checker->arena, type),
                      formal->formal.def->def.name->bytes);
        } else {
            diag_hint(checker->diag, "a FUNCTION computes from values only: write a PROC");
        }
        return type_primitive(TYPE_ERROR);
    }
    if (formal->formal.mode != FORMAL_REFERENCE && !type_is_data(type)) {
        diag_report(checker->diag, DIAG_TYPES_NOT_DATA, type_node->at,
                    type_name(checker->arena, type));
        return type_primitive(TYPE_ERROR);
    }
    check_formal_mobile(checker, formal, type);
    return type;
}

static Direction formal_direction(const Symbol *symbol) {
    const Type *leaf = symbol->type ? type_leaf(symbol->type) : NULL;
    if (symbol->direction == DIRECTION_NONE && leaf && leaf->kind == TYPE_CHANNEL) {
        return leaf->channel.direction;
    }
    return symbol->direction;
}

void check_formals(Checker *checker, NodeList *formals, Node *routine) {
    uint32_t first = checker->symbol_count;
    for (size_t i = 0; i < formals->count; i++) {
        Node *formal = formals->items[i];
        if (formal->kind != NODE_FORMAL || formal->formal.def->kind != NODE_DEF) {
            continue;
        }
        Node *def = formal->formal.def;
        const Symbol *earlier = scope_find(checker->scope, def->def.name);
        if (earlier && earlier->number >= first && earlier->kind == SYMBOL_FORMAL) {
            diag_report(checker->diag, DIAG_NAMES_DUPLICATE, def->at, def->def.name->bytes);
            diag_label(checker->diag, earlier->at, "the first is here");
        }
        const Type *type = formal_type(checker, formal, routine, repeats_type(formals, i));
        if (def->def.direction != DIRECTION_NONE && !type_is_error(type) &&
            !type_is_channel(type)) {
            diag_report(checker->diag, DIAG_TYPES_NOT_CHANNEL, def->at,
                        type_name(checker->arena, type));
        }
        Symbol *symbol = symbol_define(checker, SYMBOL_FORMAL, def, type, formal);
        symbol->formal_mode = formal->formal.mode;
        symbol->is_result = formal->formal.mode == FORMAL_RESULT;
        symbol->direction = formal_direction(symbol);
        symbol->type = type_channel_end(checker->arena, type, symbol->direction);
        if (symbol->formal_mode == FORMAL_VAL) { /* nothing moves out of it: the contents */
            symbol->type = type_given(symbol->type);
        }
    }
}

static ProcInfo *make_info(Checker *checker, Symbol *symbol) {
    ProcInfo *info = arena_new(checker->arena, ProcInfo);
    info->symbol = symbol;
    info->enclosing = checker->routine;
    return info;
}

/* ---- PROC ---- */

static bool has_channels_only(const NodeList *formals) {
    size_t channels = 0;
    for (size_t i = 0; i < formals->count; i++) {
        const Node *formal = formals->items[i];
        const Symbol *symbol = formal->kind == NODE_FORMAL ? formal->formal.def->def.symbol : NULL;
        channels += symbol != NULL && symbol->type->kind == TYPE_CHANNEL;
    }
    return channels == formals->count;
}

/* Of what is called by its name, and from where that is: not of what may be the main PROC. */
static bool asks_caller(const Checker *checker, const Node *node) {
    bool asks = false;
    for (size_t i = 0; i < checker->callers.count; i++) {
        asks = asks || checker->callers.items[i].file == node->at.file;
    }
    return asks && !node->proc.is_mobile && !node->proc.is_inline &&
           !has_channels_only(&node->proc.formals);
}

void check_proc(Checker *checker, Node *node) {
    Ast_proc *proc = &node->proc;
    if (proc->def->kind != NODE_DEF) {
        return;
    }
    Symbol *symbol = symbol_make(checker, SYMBOL_PROC, proc->def, NULL, node);
    proc->info = make_info(checker, symbol);
    if (proc->is_recursive) {
        scope_add(checker->scope, symbol);
    }
    bool is_outermost = checker->routine == NULL;
    Outside outside = enter_routine(checker, node);
    check_formals(checker, &proc->formals, node);
    proc->info->asks_caller = is_outermost && asks_caller(checker, node);
    check_heading(checker, proc->body, proc->info, &proc->formals);
    check_process(checker, &proc->body);
    leave_routine(checker, outside);
    if (proc->is_mobile) {
        check_mobile_proc(checker, node, symbol);
    }
    if (!proc->is_recursive) {
        scope_add(checker->scope, symbol);
    }
}

/* ---- VALOF ---- */

static const Type *tuple_type(Checker *checker, const Type *const *types, size_t count) {
    Type *type = arena_new(checker->arena, Type);
    type->kind = TYPE_TUPLE;
    type->sequence.items = arena_copy(checker->arena, types, count * sizeof *types);
    type->sequence.item_count = count;
    return type;
}

/* RESULT f (x)  where f has as many results as are wanted. */
static const Type *check_forwarded(Checker *checker, Node *node, const Type *const *wanted,
                                   size_t count) {
    Node **result = &node->valof.results.items[0];
    const Type *type = check_expression(checker, result, NULL);
    if (type_is_error(type) || !wanted) {
        return type;
    }
    if (type->kind != TYPE_TUPLE || type->sequence.item_count != count) {
        diag_report(checker->diag, DIAG_TYPES_RESULT_COUNT, (*result)->at, count,
                    type->kind == TYPE_TUPLE ? type->sequence.item_count : (size_t)1);
        return expression_fail(checker, node);
    }
    for (size_t i = 0; i < count; i++) {
        if (!type_accepts(wanted[i], type->sequence.items[i])) {
            diag_report(checker->diag, DIAG_TYPES_MISMATCH, (*result)->at,
                        type_name(checker->arena, wanted[i]),
                        type_name(checker->arena, type->sequence.items[i]));
            return expression_fail(checker, node);
        }
    }
    return type;
}

static const Type *check_results(Checker *checker, Node *node, const Type *const *wanted,
                                 size_t count) {
    NodeList *results = &node->valof.results;
    if (results->count == 1 && count != 1) {
        return check_forwarded(checker, node, wanted, count);
    }
    if (wanted && results->count != count) {
        diag_report(checker->diag, DIAG_TYPES_RESULT_COUNT, node->at, count, results->count);
    }
    const Type **types = arena_new_array(checker->arena, const Type *, results->count + 1);
    bool failed = results->count == 0 || (wanted && results->count != count);
    for (size_t i = 0; i < results->count; i++) {
        const Type *context = wanted && i < count ? wanted[i] : NULL;
        types[i] = check_expression(checker, &results->items[i], context);
        if (context && !type_is_error(types[i])) {
            check_copies(checker, results->items[i], context);
            check_move(checker, &results->items[i], context);
            types[i] = type_is_error(results->items[i]->type) ? results->items[i]->type : context;
        }
        failed = failed || type_is_error(types[i]);
    }
    if (failed) {
        return expression_fail(checker, node);
    }
    return results->count == 1 ? types[0] : tuple_type(checker, types, results->count);
}

const Type *check_valof(Checker *checker, Node *node, const Type *const *wanted, size_t count) {
    bool was_in_valof = checker->in_valof;
    uint32_t outer_first = checker->valof_first;
    bool was_outermost = checker->is_outermost;
    scope_open(checker->scope);
    checker->in_valof = true;
    checker->valof_first = checker->symbol_count;
    checker->is_outermost = false;
    check_specifications(checker, &node->valof.specs);
    if (node->valof.process) {
        check_process(checker, &node->valof.process);
    }
    node->type = check_results(checker, node, wanted, count);
    scope_close(checker->scope);
    checker->in_valof = was_in_valof;
    checker->valof_first = outer_first;
    checker->is_outermost = was_outermost;
    return node->type;
}

/* ---- FUNCTION ---- */

static const Type **result_types(Checker *checker, NodeList *results) {
    const Type **types = arena_new_array(checker->arena, const Type *, results->count + 1);
    for (size_t i = 0; i < results->count; i++) {
        types[i] = check_data_type(checker, results->items[i], false);
    }
    return types;
}

static void check_operator_function(Checker *checker, Node *node) {
    const Ast_function *function = &node->function;
    if (!function->operator_text) {
        return;
    }
    size_t count = function->formals.count;
    if (function->results.count != 1 || count < 1 || count > 2) {
        diag_report(checker->diag, DIAG_TYPES_OPERATOR_SHAPE, function->def->at,
                    function->operator_text->bytes);
    }
}

/* REM and \ are one operator: a definition by either word is found by both. */
static void name_operator(Checker *checker, Node *node) {
    static const char *const words[][2] = {
        {"REM", "\\"}, {"BITAND", "/\\"}, {"BITOR", "\\/"}, {"BITNOT", "~"}};
    const Text *text = node->function.operator_text;
    for (size_t i = 0; text && i < sizeof words / sizeof *words; i++) {
        if (strcmp(text->bytes, words[i][0]) == 0) {
            node->function.def->def.name =
                text_intern_string(checker->compiler->texts, words[i][1]);
        }
    }
}

void check_function(Checker *checker, Node *node) {
    Ast_function *function = &node->function;
    if (function->def->kind != NODE_DEF) {
        return;
    }
    name_operator(checker, node);
    const Type **types = result_types(checker, &function->results);
    size_t count = function->results.count;
    const Type *type = count == 1 ? types[0] : tuple_type(checker, types, count);
    Symbol *symbol = symbol_make(checker, SYMBOL_FUNCTION, function->def, type, node);
    function->info = make_info(checker, symbol);
    check_operator_function(checker, node);
    if (function->is_recursive) {
        scope_add(checker->scope, symbol);
    }
    Outside outside = enter_routine(checker, node);
    check_formals(checker, &function->formals, node);
    check_heading(checker, function->body, function->info, &function->formals);
    if (function->body->kind == NODE_VALOF) {
        check_valof(checker, function->body, types, count);
    }
    leave_routine(checker, outside);
    if (!function->is_recursive) {
        scope_add(checker->scope, symbol);
    }
}
