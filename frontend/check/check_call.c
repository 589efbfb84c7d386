/* check_call -- actuals against formals, one to one; calls that turn out to be conversions
 * (language.md 1.4, 2.1, 3.5). */
#include "checker.h"

/* ---- actuals ---- */

static void report_actual(Checker *checker, const Node *actual, const Symbol *callee,
                          const Symbol *formal) {
    const Symbol *own = formal->at.file == actual->at.file ? formal : NULL;
    if (check_repeats(checker, actual, own, formal->type, actual->type)) {
        return;
    }
    diag_report(checker->diag, DIAG_TYPES_ACTUAL, actual->at, formal->name->bytes,
                callee->name->bytes, type_name(checker->arena, formal->type),
                type_name(checker->arena, actual->type));
    symbol_label(checker, formal, "is declared here");
    note_same_name(checker, formal->type, actual->type);
    const Symbol *root = node_root(actual);
    if (type_is_channel(formal->type) && type_is_shared(actual->type) &&
        !type_is_shared(formal->type) && root) {
        diag_hint(checker->diag,
                  "a shared end is claimed before: CLAIM %s%s, and this two columns "
                  "deeper",
                  root->name->bytes, formal->direction == DIRECTION_INPUT ? "?" : "!");
    }
}

/* Of a channel that is output to, the formal may know fewer tags; of one that is input from, more:
 * what is sent is always understood. */
static bool varies(const Type *formal, const Type *actual, Direction direction) {
    if (formal->kind == TYPE_ARRAY && actual->kind == TYPE_ARRAY) {
        bool fits = formal->array.count == ARRAY_OPEN || formal->array.count == actual->array.count;
        return fits && varies(formal->array.element, actual->array.element, direction);
    }
    if (formal->kind != TYPE_CHANNEL || actual->kind != TYPE_CHANNEL ||
        direction == DIRECTION_NONE ||
        formal->channel.is_shared_input != actual->channel.is_shared_input ||
        formal->channel.is_shared_output != actual->channel.is_shared_output) {
        return false;
    }
    const Type *wanted = formal->channel.protocol;
    const Type *given = actual->channel.protocol;
    return direction == DIRECTION_OUTPUT ? type_extends(given, wanted)
                                         : type_extends(wanted, given);
}

static bool fits_formal(Checker *checker, Node *actual, const Symbol *callee,
                        const Symbol *formal) {
    bool is_by_value = formal->formal_mode == FORMAL_VAL || formal->formal_mode == FORMAL_INITIAL;
    bool is_copy = is_by_value && type_is_mobile(formal->type) && !type_is_mobile(actual->type);
    if (type_may_accept(is_copy ? type_content(formal->type) : formal->type, actual->type) ||
        varies(formal->type, actual->type, formal->direction)) {
        return true;
    }
    report_actual(checker, actual, callee, formal);
    expression_fail(checker, actual);
    return false;
}

static void check_channel_actual(Checker *checker, Node **slot, const Symbol *callee,
                                 const Symbol *formal) {
    const Type *type = check_element(checker, slot);
    Node *actual = *slot;
    element_mark_used(actual);
    if (type_is_error(type) || !fits_formal(checker, actual, callee, formal)) {
        return;
    }
    Direction given = element_direction(actual);
    if (given != DIRECTION_NONE && formal->direction != DIRECTION_NONE &&
        given != formal->direction) {
        diag_report(checker->diag, DIAG_TYPES_ACTUAL_DIRECTION, actual->at,
                    given == DIRECTION_INPUT ? "input end (?)" : "output end (!)",
                    formal->name->bytes, callee->name->bytes,
                    formal->direction == DIRECTION_INPUT ? "inputs from" : "outputs to");
        symbol_label(checker, formal, "is declared here");
        expression_fail(checker, actual);
    }
}

static void check_value_actual(Checker *checker, Node **slot, const Symbol *callee,
                               const Symbol *formal) {
    const Type *type = check_expression(checker, slot, formal->type);
    if (!type_is_error(type) && fits_formal(checker, *slot, callee, formal) &&
        formal->formal_mode != FORMAL_VAL) {
        check_move(checker, slot, formal->type);
    }
}

/* A PROC may use a claimed end; that it did not keep it is checked where the CLAIM ends. */
static bool is_claimed_end(const Node *actual) {
    return actual->kind == NODE_NAME && actual->name.symbol &&
           element_is_claimed(actual->name.symbol);
}

/* MOBILE [3]INT is an array of 3, which the callee could not make another one of. */
static void check_new_array(Checker *checker, Node *actual, const Symbol *formal) {
    if (actual->kind == NODE_ALLOCATION && actual->allocation.dimensions.count > 0 &&
        !type_is_error(actual->type)) {
        diag_report(checker->diag, DIAG_TYPES_MISMATCH, actual->at,
                    type_name(checker->arena, formal->type), "a new array of a fixed size");
        diag_hint(checker->diag, "give it a name first: m := MOBILE [..]T, then pass m");
        expression_fail(checker, actual);
    }
}

/* Passed by reference: a variable, TIMER or PORT; a mobile without a name lasts for the call. */
static void check_reference_actual(Checker *checker, Node **slot, const Symbol *callee,
                                   const Symbol *formal) {
    if (type_is_mobile(formal->type) && !element_is_element(*slot)) {
        check_value_actual(checker, slot, callee, formal);
        check_new_array(checker, *slot, formal);
        return;
    }
    const Type *type = check_element(checker, slot);
    if (!type_owns(formal->type)) {
        type = check_content(checker, slot);
    }
    if (type_is_data(formal->type) && !is_claimed_end(*slot)) {
        type = check_variable_use(checker, *slot);
    }
    element_mark_used(*slot);
    if (!type_is_error(type)) {
        fits_formal(checker, *slot, callee, formal);
    }
}

/* spawn (worker, 3) */
static bool is_routine_name(Checker *checker, const Node *node) {
    Symbol *symbol = node->kind == NODE_NAME ? scope_find(checker->scope, node->name.name) : NULL;
    if (!symbol || (symbol->kind != SYMBOL_PROC && symbol->kind != SYMBOL_FUNCTION)) {
        return false;
    }
    symbol->is_used = true;
    return true;
}

/* Of a call that is wrong as a whole. */
void check_unexpected(Checker *checker, Node **slot) {
    if (is_routine_name(checker, *slot)) {
        expression_fail(checker, *slot);
        return;
    }
    if (element_is_element(*slot)) {
        check_element(checker, slot);
        element_mark_used(*slot);
    } else {
        check_expression(checker, slot, type_primitive(TYPE_ERROR));
    }
}

/* ANY takes a variable whose type is made of data, VAL ANY any value. */
static void check_any_actual(Checker *checker, Node **slot, const Symbol *callee,
                             const Symbol *formal) {
    bool is_element = element_is_element(*slot);
    bool is_value = formal->formal_mode == FORMAL_VAL;
    const Type *type =
        is_element ? check_element(checker, slot) : check_expression(checker, slot, NULL);
    if (is_element && !is_value) {
        type = check_variable_use(checker, *slot);
    }
    element_mark_used(*slot);
    if (type_is_error(type) || type == formal->type) {
        return;
    }
    if (!(is_element || is_value) || !type_is_data(type) || !type_is_all_data(type)) {
        report_actual(checker, *slot, callee, formal);
        diag_hint(checker->diag, "ANY takes %s: numbers, arrays, records, mobiles of them",
                  is_value ? "values that are made of data" : "a variable");
        expression_fail(checker, *slot);
    }
}

static void check_actual(Checker *checker, Node **slot, const Symbol *callee,
                         const Symbol *formal) {
    if (!formal || type_is_error(formal->type)) {
        check_unexpected(checker, slot);
    } else if (formal->type == type_any_data()) {
        check_any_actual(checker, slot, callee, formal);
    } else if (type_is_channel(formal->type)) {
        check_channel_actual(checker, slot, callee, formal);
    } else if (formal->formal_mode == FORMAL_VAL || formal->formal_mode == FORMAL_INITIAL) {
        check_value_actual(checker, slot, callee, formal);
    } else {
        check_reference_actual(checker, slot, callee, formal);
    }
}

void check_actuals(Checker *checker, Node *call, const Symbol *callee, const NodeList *formals,
                   NodeList *actuals) {
    if (actuals->count != formals->count) {
        check_loose_actuals(checker, actuals); /* nobody knows which is which */
        report_actual_count(checker, call, callee, formals, actuals);
        return;
    }
    for (size_t i = 0; i < actuals->count; i++) {
        const Node *formal = formals->items[i];
        bool is_known = formal->kind == NODE_FORMAL;
        check_actual(checker, &actuals->items[i], callee,
                     is_known ? formal->formal.def->def.symbol : NULL);
    }
}

void check_loose_actuals(Checker *checker, NodeList *actuals) {
    for (size_t i = 0; i < actuals->count; i++) {
        check_actual(checker, &actuals->items[i], NULL, NULL);
    }
}

/* ---- calls ---- */

void check_call(Checker *checker, Node *node) {
    Node *name = node->call.callee;
    NodeList *actuals = &node->call.actuals;
    Symbol *symbol = name->kind == NODE_NAME ? name_resolve(checker, name) : NULL;
    if (!symbol) {
        check_loose_actuals(checker, actuals);
        return;
    }
    name->type = type_primitive(TYPE_ERROR);
    symbol->is_used = true;
    if (check_activation(checker, node, symbol)) {
        return;
    }
    if (symbol->kind == SYMBOL_PROC && symbol->definition && symbol->definition->proc.is_mobile) {
        diag_report(checker->diag, DIAG_TYPES_MOBILE_CALL, node->at, symbol->name->bytes);
        diag_hint(checker->diag, "p := MOBILE %s makes one, p (...) activates it",
                  symbol->name->bytes);
    }
    if (symbol->kind == SYMBOL_PROC && symbol->definition) {
        check_actuals(checker, node, symbol, &symbol->definition->proc.formals, actuals);
        return;
    }
    if (symbol->kind == SYMBOL_PREDEFINED) {
        const Type *result = check_predefined(checker, node, symbol, actuals);
        if (result && !type_is_error(result)) {
            diag_report(checker->diag, DIAG_TYPES_RESULT_UNUSED, node->at, symbol->name->bytes);
        }
        return;
    }
    bool is_silent = symbol->type && type_is_error(symbol->type) && symbol->kind != SYMBOL_FUNCTION;
    if (symbol->kind == SYMBOL_FUNCTION) {
        diag_report(checker->diag, DIAG_TYPES_RESULT_UNUSED, node->at, symbol->name->bytes);
        symbol_label(checker, symbol, "is defined here");
    } else if (!is_silent) {
        diag_report(checker->diag, DIAG_NAMES_KIND, name->at, symbol->name->bytes,
                    symbol_words(symbol), "a PROC");
        symbol_label(checker, symbol, "is defined here");
    }
    check_loose_actuals(checker, actuals);
}

/* T (e) with a type name is a conversion. */
static const Type *convert_call(Checker *checker, Node *node) {
    Node *name = node->function_call.callee;
    NodeList *actuals = &node->function_call.actuals;
    if (actuals->count != 1) {
        diag_report(checker->diag, DIAG_TYPES_CONVERSION_COUNT, node->at, name->name.name->bytes,
                    actuals->count);
        diag_hint(checker->diag, "the fields of a record and the elements of an array stand in "
                                 "brackets: [x, y]");
        check_loose_actuals(checker, actuals);
        return expression_fail(checker, node);
    }
    Node *operand = actuals->items[0];
    Node *type_node = node_create(checker->arena, NODE_TYPE_NAMED, name->at);
    type_node->type_named.name = name->name.name;
    node->kind = NODE_CONVERSION;
    node->conversion = (Ast_conversion){.type_expr = type_node, .operand = operand};
    return check_conversion(checker, node);
}

static const Type *fail_call(Checker *checker, Node *node, const Symbol *symbol) {
    check_loose_actuals(checker, &node->function_call.actuals);
    if (symbol) {
        diag_report(checker->diag, DIAG_NAMES_KIND, node->function_call.callee->at,
                    symbol->name->bytes, symbol_words(symbol), "a FUNCTION");
        symbol_label(checker, symbol, "is defined here");
        if (symbol->type && type_is_array(symbol->type)) {
            diag_hint(checker->diag, "an element is chosen by brackets: %s[i]",
                      symbol->name->bytes);
        } else if (symbol->kind == SYMBOL_PROC) {
            diag_hint(checker->diag,
                      "a PROC is called as a process of its own, and gives its "
                      "results in its parameters: %s (.., x)",
                      symbol->name->bytes);
        }
    }
    return expression_fail(checker, node);
}

const Type *check_function_call(Checker *checker, Node **slot, const Type *expected) {
    (void)expected;
    Node *node = *slot;
    Node *name = node->function_call.callee;
    Symbol *symbol = name->kind == NODE_NAME ? name_resolve(checker, name) : NULL;
    if (!symbol) {
        return fail_call(checker, node, NULL);
    }
    symbol->is_used = true;
    name->type = type_primitive(TYPE_ERROR);
    if (symbol->kind == SYMBOL_DATA_TYPE) {
        return convert_call(checker, node);
    }
    if (symbol->kind == SYMBOL_PREDEFINED && predefined_asks(symbol)) {
        return check_asking(checker, slot, symbol);
    }
    if (symbol->kind == SYMBOL_PREDEFINED) {
        const Type *result = check_predefined(checker, node, symbol, &node->function_call.actuals);
        return result ? result : fail_call(checker, node, symbol);
    }
    if (symbol->kind == SYMBOL_FUNCTION && symbol->definition) {
        check_actuals(checker, node, symbol, &symbol->definition->function.formals,
                      &node->function_call.actuals);
        return symbol->type;
    }
    bool is_silent = symbol->type && type_is_error(symbol->type);
    return fail_call(checker, node, is_silent ? NULL : symbol);
}
