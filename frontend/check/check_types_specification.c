/* check_types_specification -- declarations, abbreviations; the switch over specifications
 * (language.md 1.4, 1.5, 2.2).
 *
 * Leaves: definitions of types to check_definition.c, routines to check_routine.c, RETYPES to
 *         check_retypes.c, PLACE to check_place.c.
 * Holds:  a name comes into scope after its own specification, so `VAL x IS x:` means the outer. */
#include "checker.h"
#include "unit.h"

/* ---- declarations ---- */

static bool is_repeated(const NodeList *names, size_t index) {
    for (size_t i = 0; i < index; i++) {
        if (names->items[i]->def.name == names->items[index]->def.name) {
            return true;
        }
    }
    return false;
}

static void check_declared_type(Checker *checker, Node *node) {
    const Type *type = check_type(checker, node);
    if (type_is_error(type)) {
        return;
    }
    if (type_has_open_dimension(type)) {
        diag_report(checker->diag, DIAG_TYPES_OPEN, node->at, type_name(checker->arena, type));
        diag_hint(checker->diag, RUN_SIZE_HINT);
        node->type = type_primitive(TYPE_ERROR);
    } else {
        check_is_whole_type(checker, node, type);
    }
}

static void check_declaration(Checker *checker, Node *node) {
    Node *type_node = node->declaration.type_expr;
    check_declared_type(checker, type_node);
    NodeList *names = &node->declaration.names;
    for (size_t i = 0; i < names->count; i++) {
        Node *def = names->items[i];
        if (def->kind != NODE_DEF) {
            continue;
        }
        if (names->count < 100 && is_repeated(names, i)) {
            diag_report(checker->diag, DIAG_NAMES_DUPLICATE, def->at, def->def.name->bytes);
        }
        const Type *type = type_channel_end(checker->arena, type_node->type, def->def.direction);
        symbol_define(checker, SYMBOL_VARIABLE, def, type, node);
    }
}

/* ---- abbreviations ---- */

static const Type *wanted_type(Checker *checker, Node *node) {
    Node *type_node = node->abbreviation.type_expr;
    checker->takes_run_sizes = node->abbreviation.form != FORM_IS && !checker->is_outermost;
    const Type *type = type_node ? check_type(checker, type_node) : NULL;
    checker->takes_run_sizes = false;
    return type;
}

#define PLAIN_NAME                                                                                 \
    "leave the type out, or name a part: [m FROM 0]; a parameter takes the contents too"

/* [4]T x IS y: of a y of any size is tested when the program runs. */
static bool fits_name(Checker *checker, Node *value, const Type *wanted) {
    return type_may_accept(wanted, value->type) ||
           !type_is_error(check_fits(checker, value, wanted));
}

/* x IS y:  T x IS y:   y is a variable, channel, timer, port, or a table of channel ends. */
static const Type *check_reference(Checker *checker, Node *node, const Type *wanted) {
    Node **value = &node->abbreviation.value;
    check_element(checker, value);
    const Type *type = check_is_no_any(checker, *value);
    element_mark_used(*value);
    if (type_is_error(type)) {
        return wanted ? wanted : type;
    }
    if (wanted && !type_owns(wanted)) {
        type = check_content(checker, value);
    }
    bool is_channel_table = (*value)->kind == NODE_TABLE && type_is_channel(type);
    Symbol *symbol = node_root(*value);
    if (!is_channel_table && !symbol && wanted && type_is_error(wanted)) {
        return wanted;
    }
    if (!is_channel_table && !symbol) {
        diag_report(checker->diag, DIAG_TYPES_NOT_ELEMENT, (*value)->at);
        diag_hint(checker->diag, "name a value by: VAL %s IS ...",
                  node->abbreviation.def->def.name->bytes);
        return type_primitive(TYPE_ERROR);
    }
    if (!wanted) {
        return type;
    }
    if (type_is_mobile(wanted) && !type_is_mobile(type)) {
        diag_report(checker->diag, DIAG_TYPES_MISMATCH, (*value)->at,
                    type_name(checker->arena, wanted), type_name(checker->arena, type));
        return wanted;
    }
    if (!check_is_plain(checker, *value, wanted, PLAIN_NAME) ||
        !fits_name(checker, *value, wanted)) {
        return wanted;
    }
    return type_with_counts(checker->arena, wanted,
                            type_is_mobile(wanted) ? type : type_content(type));
}

/* A variable under a new name may be assigned to, so what it names must be assignable. */
static bool is_read_only(const Symbol *symbol) {
    bool is_val_formal = symbol->kind == SYMBOL_FORMAL && symbol->formal_mode == FORMAL_VAL;
    return symbol->kind == SYMBOL_VALUE || symbol->kind == SYMBOL_REPLICATOR || is_val_formal;
}

static void check_reference_target(Checker *checker, Node *node) {
    const Node *value = node->abbreviation.value;
    const Symbol *symbol = node_root(value);
    if (symbol && is_read_only(symbol) && !type_is_error(value->type)) {
        diag_report(checker->diag, DIAG_TYPES_REFERENCE_READ_ONLY, value->at, symbol->name->bytes,
                    symbol->kind == SYMBOL_FORMAL ? "a VAL parameter" : symbol_words(symbol));
        diag_hint(checker->diag, "write VAL %s IS ...", node->abbreviation.def->def.name->bytes);
    }
}

/* Of a mobile it is the contents: nothing moves out of a VAL. */
static const Type *check_val(Checker *checker, Node *node, const Type *mobile) {
    const Type *wanted = mobile ? type_given(mobile) : NULL;
    const Type *type = check_expression(checker, &node->abbreviation.value, wanted);
    if (!wanted || type_is_error(type)) {
        return wanted ? wanted : type_is_recursive(type) ? type : type_content(type);
    }
    fits_name(checker, node->abbreviation.value, wanted);
    return type_is_mobile(wanted) ? wanted
                                  : type_with_counts(checker->arena, wanted, type_content(type));
}

static const Type *check_named_value(Checker *checker, Node *node, const Type *wanted) {
    const Type *type = check_val(checker, node, wanted);
    Node *value = node->abbreviation.value;
    if (wanted && !type_is_error(value->type)) {
        check_is_plain(checker, value, wanted, PLAIN_NAME);
    }
    return type;
}

static const Type *check_initial(Checker *checker, Node *node, const Type *wanted) {
    if (wanted && type_owns(wanted)) {
        check_value(checker, &node->abbreviation.value, wanted);
        return wanted;
    }
    const Type *type = check_val(checker, node, wanted);
    if (!type_is_error(type) && type_has_open_dimension(type)) {
        diag_report(checker->diag, DIAG_TYPES_OPEN, node->abbreviation.value->at,
                    type_name(checker->arena, type));
        return type_primitive(TYPE_ERROR);
    }
    return type;
}

static const Type *abbreviated_type(Checker *checker, Node *node, const Type *wanted) {
    if (node->abbreviation.form != FORM_IS) {
        return check_retypes(checker, node, wanted);
    }
    switch (node->abbreviation.mode) {
    case ABBREVIATION_REFERENCE:
    case ABBREVIATION_RESULT: return check_reference(checker, node, wanted);
    case ABBREVIATION_VAL: return check_named_value(checker, node, wanted);
    case ABBREVIATION_INITIAL: return check_initial(checker, node, wanted);
    }
    return type_primitive(TYPE_ERROR);
}

static SymbolKind abbreviated_kind(const Node *node) {
    switch (node->abbreviation.mode) {
    case ABBREVIATION_REFERENCE:
    case ABBREVIATION_RESULT: return SYMBOL_REFERENCE;
    case ABBREVIATION_VAL: return SYMBOL_VALUE;
    case ABBREVIATION_INITIAL: return SYMBOL_VARIABLE;
    }
    return SYMBOL_VALUE;
}

/* A part of a table may be wrong while the table has a type. */
static void find_error(Node **slot, void *has_error) {
    const Node *node = *slot;
    bool is_function = node->kind == NODE_NAME && node->name.symbol &&
                       node->name.symbol->kind == SYMBOL_FUNCTION; /* has no type itself */
    if (node->type && type_is_error(node->type) && !is_function) {
        *(bool *)has_error = true;
    } else {
        node_visit_children(*slot, find_error, has_error);
    }
}

static void check_outermost_value(Checker *checker, Node *node, Symbol *symbol) {
    const Node *value = node->abbreviation.value;
    if (!checker->is_outermost || value->constant || !value->type) {
        return;
    }
    bool has_error = false;
    find_error(&node->abbreviation.value, &has_error);
    if (!has_error) {
        diag_report(checker->diag, DIAG_TYPES_NOT_CONSTANT, value->at);
        diag_hint(checker->diag, "at the outermost level of a file every VAL is constant");
    }
    symbol->type = type_primitive(TYPE_ERROR); /* what needs its value stays silent */
}

/* The value as it is, or its bytes read as another type. */
static const Constant *abbreviated_constant(Checker *checker, const Node *node, const Type *type) {
    const Constant *value = node->abbreviation.value->constant;
    if (node->abbreviation.form == FORM_IS) {
        return value;
    }
    uint64_t size = type_size(value->type);
    if (type_has_open_dimension(type) || type_size(type) != size) {
        return NULL; /* known when it runs; or reported */
    }
    uint8_t *bytes = arena_allocate(checker->arena, (size_t)size + 1);
    constant_store(value, bytes);
    return constant_load(checker->arena, type, bytes);
}

/* Later passes look through chains of abbreviations again and again. */
static void check_chain(Checker *checker, Node *node, Symbol *symbol) {
    const Symbol *named = node_root(node->abbreviation.value);
    symbol->chain = named && named->kind == SYMBOL_REFERENCE ? named->chain + 1 : 0;
    if (symbol->chain > ABBREVIATION_LIMIT) {
        diag_report(checker->diag, DIAG_TYPES_ABBREVIATION_CHAIN, node->at);
        expression_fail(checker, node->abbreviation.value);
        symbol->kind = SYMBOL_VARIABLE;
        symbol->type = type_primitive(TYPE_ERROR);
    }
}

/* d! IS c: takes the mark of its name, d IS c!: that of the channel; d! IS c?: is wrong. */
static void take_direction(Checker *checker, const Node *node, Symbol *symbol) {
    Node *value = node->abbreviation.value;
    if (symbol->direction == DIRECTION_NONE) {
        symbol->direction = element_direction(value);
    } else if (node->abbreviation.form == FORM_IS && !type_is_error(value->type) &&
               !check_end_direction(checker, value, symbol->direction, value->at)) {
        expression_fail(checker, value);
    }
}

void check_abbreviation(Checker *checker, Node *node) {
    const Type *wanted = wanted_type(checker, node);
    const Type *type = abbreviated_type(checker, node, wanted);
    const Node *value = node->abbreviation.value;
    SymbolKind kind = abbreviated_kind(node);
    if (kind == SYMBOL_REFERENCE) {
        check_reference_target(checker, node);
    } else if (kind == SYMBOL_VALUE && type_is_error(value->type)) {
        type = value->type; /* what needs its value stays silent */
    }
    Symbol *symbol = symbol_define(checker, kind, node->abbreviation.def, type, node);
    symbol->is_initial = node->abbreviation.mode == ABBREVIATION_INITIAL;
    symbol->is_result = node->abbreviation.mode == ABBREVIATION_RESULT;
    if (kind == SYMBOL_REFERENCE) {
        take_direction(checker, node, symbol);
        check_chain(checker, node, symbol);
    }
    if (kind != SYMBOL_VALUE) {
        return;
    }
    check_outermost_value(checker, node, symbol);
    if (value->constant && !type_is_error(value->type) && !type_is_error(type)) {
        symbol->constant = abbreviated_constant(checker, node, type);
    }
}

/* ---- the switch ---- */

static bool allowed_at_outermost(const Node *node) {
    return node->kind == NODE_ABBREVIATION
               ? node->abbreviation.mode == ABBREVIATION_VAL
               : node->kind != NODE_DECLARATION && node->kind != NODE_PLACE;
}

static const char *outermost_words(const Node *node) {
    if (node->kind == NODE_DECLARATION) {
        return "a declaration";
    }
    if (node->kind == NODE_PLACE) {
        return "PLACE";
    }
    return node->abbreviation.mode == ABBREVIATION_INITIAL ? "INITIAL"
                                                           : "an abbreviation of a variable";
}

static void check_by_kind(Checker *checker, Node *node) {
    switch (node->kind) {
    case NODE_DECLARATION: check_declaration(checker, node); return;
    case NODE_ABBREVIATION: check_abbreviation(checker, node); return;
    case NODE_PROTOCOL: check_protocol_definition(checker, node); return;
    case NODE_DATA_TYPE: check_data_type_definition(checker, node); return;
    case NODE_CHAN_TYPE: check_chan_type_definition(checker, node); return;
    case NODE_PROC_TYPE: check_proc_type_definition(checker, node); return;
    case NODE_PROC: check_proc(checker, node); return;
    case NODE_FUNCTION: check_function(checker, node); return;
    case NODE_PLACE: check_place(checker, node); return;
    case NODE_PRAGMA: check_pragma(checker, node); return;
    case NODE_KINDS_OF_EXPRESSION:
    case NODE_KINDS_OF_PART:
    case NODE_KINDS_OF_WAY:
    case NODE_KINDS_OF_PROCESS:
    case NODE_KINDS_OF_TYPE:
    case NODE_BROKEN:
    case NODE_UNIT: return;
    case NODE_KIND_COUNT: bug("node of no kind");
    }
}

static void check_kind(Checker *checker, Node *node) {
    unsigned errors = diag_error_count(checker->diag);
    bool may_stand = !checker->is_outermost || allowed_at_outermost(node) ||
                     diag_form_is_wrong(checker->diag); /* it may have stood in a PROC */
    check_by_kind(checker, node);
    if (!may_stand && diag_error_count(checker->diag) == errors) {
        diag_report(checker->diag, DIAG_NAMES_OUTERMOST, node->at, outermost_words(node));
        diag_hint(checker->diag, "put it inside of a PROC; only constants, types and routines "
                                 "stand at the outermost level");
    }
}

/* In the text of an interface a name means what it meant when that unit was compiled. */
static void check_specification(Checker *checker, Node **slot) {
    const SourceMap *sources = checker->compiler->sources;
    const UsedUnit *outside = scope_viewer(checker->scope);
    const SourceFile *file = source_file(sources, (*slot)->at.file);
    bool is_interface = file && file->unit && file->unit->interface;
    scope_look_from(checker->scope, sources, is_interface ? file->unit : NULL);
    check_kind(checker, *slot);
    scope_look_from(checker->scope, sources, outside);
}

/* The names of the sizes that only the run knows stand before the name that has them. */
static size_t insert_sizes(Checker *checker, NodeList *specifications, size_t at) {
    const NodeList *sizes = &checker->run_sizes;
    size_t count = sizes->count;
    for (size_t i = 0; i < count; i++) {
        array_push(checker->arena, specifications, NULL);
    }
    for (size_t i = specifications->count; count > 0 && i-- > at + count;) {
        specifications->items[i] = specifications->items[i - count];
    }
    for (size_t i = 0; i < count; i++) {
        specifications->items[at + i] = sizes->items[i];
    }
    return count;
}

void check_specifications(Checker *checker, NodeList *specifications) {
    NodeList outside = checker->run_sizes;
    for (size_t i = 0; i < specifications->count; i++) {
        checker->run_sizes = (NodeList){0};
        check_specification(checker, &specifications->items[i]);
        i += insert_sizes(checker, specifications, i);
    }
    checker->run_sizes = outside;
}
