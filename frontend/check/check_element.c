/* check_element -- names, subscripts, fields, segments and channel ends: what they name, whether it
 * may be assigned to, in which direction a channel is used.
 *
 * Holds: r[field] becomes FIELD here; a constant subscript or segment outside of a known count is
 *        reported here, so later passes may rely on it. */
#include "checker.h"

bool element_is_element(const Node *node) {
    return node->kind == NODE_NAME || element_base(node);
}

/* Of a channel of a bundle its type says it. */
static Direction field_direction(const Node *node) {
    const Type *leaf = node->type ? type_leaf(node->type) : NULL;
    return leaf && leaf->kind == TYPE_CHANNEL ? leaf->channel.direction : DIRECTION_NONE;
}

Direction element_direction(const Node *node) {
    while (node->kind == NODE_SUBSCRIPT || node->kind == NODE_SEGMENT) {
        node = element_base(node);
    }
    if (node->kind == NODE_END) {
        return node->end.direction;
    }
    if (node->kind == NODE_FIELD) {
        return field_direction(node);
    }
    return node->kind == NODE_NAME && node->name.symbol ? node->name.symbol->direction
                                                        : DIRECTION_NONE;
}

void element_mark_read(const Node *node) {
    Symbol *symbol = node_root(node);
    if (symbol) {
        symbol->is_read = true;
    }
}

void element_mark_used(const Node *node) {
    Symbol *symbol = node_root(node);
    if (symbol) {
        symbol->is_used = true;
    }
}

static const Type *check_name(Checker *checker, Node *node) {
    Symbol *symbol = name_resolve(checker, node);
    if (!symbol) {
        return expression_fail(checker, node);
    }
    switch (symbol->kind) {
    case SYMBOL_VARIABLE:
    case SYMBOL_REFERENCE:
    case SYMBOL_VALUE:
    case SYMBOL_REPLICATOR:
    case SYMBOL_FORMAL:
        check_held(checker, node, symbol);
        node->constant = symbol->constant;
        return symbol->type;
    case SYMBOL_KINDS_OF_DEFINITION: break;
    }
    diag_report(checker->diag, DIAG_NAMES_KIND, node->at, symbol->name->bytes, symbol_words(symbol),
                "a variable, value or channel");
    symbol_label(checker, symbol, "is defined here");
    if (symbol->kind == SYMBOL_FUNCTION) {
        diag_hint(checker->diag, "a call has parentheses: %s (...)", symbol->name->bytes);
    }
    return expression_fail(checker, node);
}

static void hint_fields(Checker *checker, const Type *record) {
    StringBuilder names = {.arena = checker->arena};
    const Type *base = type_base(record);
    for (size_t i = 0; base->kind == TYPE_RECORD && i < base->record.field_count; i++) {
        string_append_format(&names, "%s%s", i == 0 ? "" : ", ",
                             base->record.fields[i].name->bytes);
    }
    if (names.length > 0) {
        diag_hint(checker->diag, "its fields are %s", names.bytes);
    }
}

/* r[field]: the field's name is looked up in the record only. */
static const Type *check_field(Checker *checker, Node *node, const Type *record) {
    const Node *index = node->subscript.index;
    if (index->kind != NODE_NAME) {
        Node *at = node->subscript.index;
        diag_report(checker->diag, DIAG_TYPES_FIELD_NAME, at->at,
                    type_name(checker->arena, record));
        hint_fields(checker, record);
        return expression_fail(checker, node);
    }
    size_t number = 0;
    const Type *end = type_base(record);
    const Type *base = end->kind == TYPE_BUNDLE_END ? end->bundle_end.bundle : end;
    const TypeField *field = type_field(base, index->name.name, &number);
    if (!field) {
        diag_report(checker->diag, DIAG_NAMES_FIELD, index->at, type_name(checker->arena, record),
                    index->name.name->bytes);
        diag_label(checker->diag, base->at, "%s is defined here", type_name(checker->arena, base));
        return expression_fail(checker, node);
    }
    Node *record_node = node->subscript.base;
    node->kind = NODE_FIELD;
    node->field = (Ast_field){.base = record_node, .name = field->name, .index = (int64_t)number};
    if (end->kind == TYPE_BUNDLE_END) {
        return check_bundle_field(checker, node, field, end);
    }
    return field->type;
}

static const Type *check_subscript(Checker *checker, Node *node) {
    const Type *base = type_value(check_element(checker, &node->subscript.base));
    if (node->subscript.is_content) {
        return base;
    }
    if (type_is_error(base)) {
        if (node->subscript.index->kind != NODE_NAME) { /* a name may be a field */
            check_integer(checker, &node->subscript.index);
        }
        return expression_fail(checker, node);
    }
    if (type_base(base)->kind == TYPE_RECORD || type_is_bundle_end(base)) {
        return check_field(checker, node, base);
    }
    check_integer(checker, &node->subscript.index);
    if (!type_is_array(base)) {
        diag_report(checker->diag, DIAG_TYPES_SUBSCRIPT, node->at, type_name(checker->arena, base));
        return expression_fail(checker, node);
    }
    const Type *array = type_base(base);
    Node *index = node->subscript.index;
    if (index->type && type_is_error(index->type) && type_leaf(array)->kind == TYPE_RECORD) {
        return expression_fail(checker, node); /* rather a field of an element: r[i][field] */
    }
    if (index->constant &&
        (index->constant->integer < 0 ||
         (array->array.count != ARRAY_OPEN && index->constant->integer >= array->array.count))) {
        long long value = (long long)index->constant->integer;
        long long count = (long long)array->array.count;
        const char *words = arena_format(checker->arena, "subscript %lld is out of range", value);
        if (check_excuses(checker, index->at, words)) {
            return array->array.element;
        }
        if (value < 0) {
            diag_report(checker->diag, DIAG_TYPES_SUBSCRIPT_NEGATIVE, index->at, value);
            diag_hint(checker->diag, "elements are numbered from 0; the last one is (SIZE a) - 1");
        } else {
            diag_report(checker->diag, DIAG_TYPES_SUBSCRIPT_RANGE, index->at, value, count);
            diag_hint(checker->diag, "elements are numbered from 0: the last one is %lld",
                      count - 1);
        }
        return expression_fail(checker, node);
    }
    return array->array.element;
}

/* ---- segments ---- */

/* True when it is excused. */
static bool report_segment(Checker *checker, const Node *at, const char *what, int64_t value,
                           int64_t count) {
    const char *words = arena_format(checker->arena, "the segment %s %lld", what, (long long)value);
    if (check_excuses(checker, at->at, words)) {
        return true;
    }
    if (count == ARRAY_OPEN) {
        diag_report(checker->diag, DIAG_TYPES_SEGMENT_NEGATIVE, at->at, what, (long long)value);
    } else {
        diag_report(checker->diag, DIAG_TYPES_SEGMENT_RANGE, at->at, what, (long long)value,
                    (long long)count);
    }
    return false;
}

static bool constant_of(const Node *node, int64_t otherwise, int64_t *value) {
    *value = !node ? otherwise : node->constant ? node->constant->integer : 0;
    return !node || node->constant;
}

/* The count of the segment when it is known; false after a message. */
static bool measure_segment(Checker *checker, const Node *node, int64_t count, int64_t *result) {
    const Node *from = node->segment.from;
    const Node *length = node->segment.length;
    int64_t first = 0;
    int64_t size = 0;
    bool first_known = constant_of(from, 0, &first);
    bool size_known = length && constant_of(length, 0, &size);
    *result = size_known && size >= 0 ? size : ARRAY_OPEN;
    if (first_known && (first < 0 || (count != ARRAY_OPEN && first > count))) {
        return report_segment(checker, from ? from : node, "starts at", first, count);
    }
    if (size_known && (size < 0 || (count != ARRAY_OPEN && size > count - first))) {
        return report_segment(checker, length, first == 0 ? "has length" : "ends at", first + size,
                              count);
    }
    if (!length && first_known && count != ARRAY_OPEN) {
        *result = count - first;
    }
    return true;
}

static const Type *check_segment(Checker *checker, Node *node) {
    const Type *base = type_value(check_element(checker, &node->segment.base));
    if (node->segment.from) {
        check_integer(checker, &node->segment.from);
    }
    if (node->segment.length) {
        check_integer(checker, &node->segment.length);
    }
    if (type_is_error(base)) {
        return expression_fail(checker, node);
    }
    if (!type_is_array(base)) {
        diag_report(checker->diag, DIAG_TYPES_SUBSCRIPT, node->at, type_name(checker->arena, base));
        return expression_fail(checker, node);
    }
    int64_t count = ARRAY_OPEN;
    if (!measure_segment(checker, node, type_base(base)->array.count, &count)) {
        return expression_fail(checker, node);
    }
    return type_array(checker->arena, type_base(base)->array.element, count);
}

/* ---- channel ends ---- */

static const char *direction_words(Direction direction) {
    return direction == DIRECTION_INPUT ? "the input end (?)" : "the output end (!)";
}

bool check_end_direction(Checker *checker, const Node *node, Direction direction, Location at) {
    Direction known = element_direction(node);
    const Symbol *symbol = node_root(node);
    if (known == DIRECTION_NONE || direction == DIRECTION_NONE || known == direction || !symbol) {
        return true;
    }
    diag_report(checker->diag, DIAG_TYPES_DIRECTION, at, symbol->name->bytes,
                direction_words(known), direction == DIRECTION_INPUT ? "input" : "output");
    symbol_label(checker, symbol, "is declared here");
    if (symbol->kind == SYMBOL_FORMAL) {
        diag_hint(checker->diag, "the mark says what this routine does with the channel: ? it "
                                 "inputs from it, ! it outputs to it");
    }
    return false;
}

static const Type *check_end(Checker *checker, Node *node) {
    const Type *type = check_element(checker, &node->end.channel);
    if (type_is_error(type)) {
        return expression_fail(checker, node);
    }
    if (!type_is_channel(type_content(type))) {
        diag_report(checker->diag, DIAG_TYPES_NOT_CHANNEL, node->at,
                    type_name(checker->arena, type));
        return expression_fail(checker, node);
    }
    if (!check_end_direction(checker, node->end.channel, node->end.direction, node->at)) {
        return expression_fail(checker, node);
    }
    return type_channel_end(checker->arena, type_content(type), node->end.direction);
}

/* An element that is claimed is the claimed end. */
static const Type *check_subscripted(Checker *checker, Node *node) {
    const Type *type = check_subscript(checker, node);
    if (!checker->claimed || type_is_error(type)) {
        return type;
    }
    node->type = type;
    const Type *claimed = check_claimed_element(checker, node);
    return claimed ? claimed : type;
}

static const Type *type_element_node(Checker *checker, Node **slot) {
    Node *node = *slot;
    if (node->kind == NODE_NAME) {
        return check_name(checker, node);
    }
    if (node->kind == NODE_SUBSCRIPT) {
        return check_subscripted(checker, node);
    }
    if (node->kind == NODE_SEGMENT) {
        return check_segment(checker, node);
    }
    if (node->kind == NODE_END) {
        return check_end(checker, node);
    }
    return node->kind == NODE_FIELD ? node->type : check_expression(checker, slot, NULL);
}

const Type *check_element(Checker *checker, Node **slot) {
    check_depth(checker, *slot);
    const Type *type = type_element_node(checker, slot);
    (*slot)->type = type;
    if (element_is_element(*slot) && type_is_data(type) && !type_is_error(type)) {
        check_fold(checker, *slot);
    }
    checker->depth--;
    return type;
}

/* ---- variables ---- */

bool element_is_claimed(const Symbol *symbol) {
    return symbol->definition && symbol->definition->kind == NODE_CLAIM;
}

/* A shared end that is given to a MOBILE PROC may be given to others at the same time: usage_call.c
 * takes it for unchanged. */
static bool is_lent(const Symbol *symbol) {
    return symbol->kind == SYMBOL_FORMAL && symbol->formal_mode == FORMAL_REFERENCE &&
           symbol->owner && symbol->owner->kind == NODE_PROC && symbol->owner->proc.is_mobile &&
           symbol->type && type_is_data(symbol->type) && type_is_shared(symbol->type);
}

static bool is_assignable(const Symbol *symbol) {
    switch (symbol->kind) {
    case SYMBOL_VARIABLE: return !element_is_claimed(symbol);
    case SYMBOL_REFERENCE: return true;
    case SYMBOL_FORMAL: return symbol->formal_mode != FORMAL_VAL && !is_lent(symbol);
    case SYMBOL_VALUE:
    case SYMBOL_REPLICATOR:
    case SYMBOL_KINDS_OF_DEFINITION: return false;
    }
    return false;
}

/* What a name abbreviates in the end: y IS x[i]: and z IS y: both have x at their root. */
static const Symbol *abbreviated_root(const Symbol *symbol) {
    const Symbol *next;
    while ((next = symbol_abbreviated(symbol)) != NULL) {
        symbol = next;
    }
    return symbol;
}

static bool check_side_effect(Checker *checker, const Node *node, const Symbol *symbol) {
    if (!checker->in_valof || abbreviated_root(symbol)->number >= checker->valof_first) {
        return true;
    }
    diag_report(checker->diag, DIAG_TYPES_VALOF_SIDE_EFFECT, node->at, symbol->name->bytes);
    symbol_label(checker, symbol, "is declared here, outside of the VALOF");
    diag_hint(checker->diag, "a routine that changes something is a PROC; it gives a value through "
                             "a parameter without VAL");
    return false;
}

bool element_check_changeable(Checker *checker, const Node *node, Symbol *symbol) {
    if (!is_assignable(symbol)) {
        diag_report(checker->diag, DIAG_TYPES_READ_ONLY, node->at, symbol->name->bytes,
                    is_lent(symbol)                 ? "a shared end that a MOBILE PROC is given"
                    : symbol->kind == SYMBOL_FORMAL ? "a VAL parameter"
                    : element_is_claimed(symbol)    ? "a claimed end"
                                                    : symbol_words(symbol));
        symbol_label(checker, symbol, "is defined here");
        if (is_lent(symbol)) {
            diag_hint(checker->diag, "RESULT in front of it lets the process set it");
        } else if (symbol->kind == SYMBOL_FORMAL) {
            diag_hint(checker->diag, "without VAL the routine changes the variable that is passed; "
                                     "INITIAL in its place makes a copy");
        }
        if (element_is_claimed(symbol)) {
            diag_hint(checker->diag, "inside of CLAIM the end is used and passed to PROCs; it does "
                                     "not move");
        } else if (type_owns(node->type) && !is_lent(symbol)) {
            diag_hint(checker->diag, "a value that moves leaves its variable empty: CLONE it");
        }
        return false;
    }
    return check_claim_unchanged(checker, node, symbol) && check_side_effect(checker, node, symbol);
}

const Type *check_is_no_any(Checker *checker, Node *node) {
    if (node->type != type_any_data()) {
        return node->type;
    }
    diag_report(checker->diag, DIAG_TYPES_NOT_DATA, node->at, "ANY");
    diag_hint(checker->diag, "what was given to ANY is only handed on, to ANY of another PROC");
    return expression_fail(checker, node);
}

const Type *check_variable(Checker *checker, Node **slot) {
    check_element(checker, slot);
    check_is_no_any(checker, *slot);
    return check_variable_use(checker, *slot);
}

const Type *check_variable_use(Checker *checker, Node *node) {
    const Type *type = node->type;
    Symbol *symbol = node_root(node);
    if (type_is_error(type)) {
        return type;
    }
    if (symbol && report_clock_no_data(checker, node, type)) {
        return expression_fail(checker, node);
    }
    if (!symbol || node->kind == NODE_END || !type_is_data(type)) {
        const char *words = symbol ? symbol_words(symbol) : "an expression";
        diag_report(checker->diag, DIAG_TYPES_NOT_VARIABLE, node->at,
                    type_is_sync(type) ? type_name(checker->arena, type) : words);
        return expression_fail(checker, node);
    }
    symbol->is_written = true;
    return element_check_changeable(checker, node, symbol) ? type : expression_fail(checker, node);
}

/* ---- channels and timers ---- */

const Type *check_channel(Checker *checker, Node **slot, Direction direction) {
    check_element(checker, slot);
    return check_channel_use(checker, *slot, direction);
}

static bool report_not_channel(Checker *checker, const Node *node) {
    diag_report(checker->diag, DIAG_TYPES_NOT_CHANNEL, node->at,
                type_name(checker->arena, node->type));
    if (type_is_channel(node->type)) {
        diag_hint(checker->diag, "choose one of the channels by a subscript");
    } else if (node->type->kind == TYPE_TIMER) {
        diag_hint(checker->diag, "a TIMER only gives the time: tim ? t");
    }
    return false;
}

static bool report_claim(Checker *checker, const Node *node) {
    const Symbol *symbol = node_root(node);
    diag_report(checker->diag, DIAG_TYPES_CLAIM, node->at, symbol ? symbol->name->bytes : "");
    diag_hint(checker->diag, "CLAIM the end first: others may be using it");
    return false;
}

static bool is_channel_for(Checker *checker, Node *node, Direction direction) {
    const Type *type = node->type;
    if (type->kind != TYPE_CHANNEL && type->kind != TYPE_PORT) {
        return report_not_channel(checker, node);
    }
    element_mark_used(node);
    bool is_shared = type->kind == TYPE_CHANNEL &&
                     (direction == DIRECTION_INPUT ? type->channel.is_shared_input
                                                   : type->channel.is_shared_output);
    return is_shared ? report_claim(checker, node)
                     : check_end_direction(checker, node, direction, node->at);
}

/* A parameter that is declared wrongly is reported where it is used first, and not everywhere. */
const Type *check_channel_use(Checker *checker, Node *node, Direction direction) {
    Symbol *symbol = node_root(node);
    if (type_is_error(node->type)) {
        return node->type;
    }
    if (symbol && symbol->is_blamed) {
        return expression_fail(checker, node);
    }
    if (is_channel_for(checker, node, direction)) {
        return node->type;
    }
    if (symbol) {
        symbol->is_blamed = symbol->kind == SYMBOL_FORMAL || !type_is_channel(symbol->type);
    }
    return expression_fail(checker, node);
}

void check_timer(Checker *checker, Node **slot) {
    const Type *type = check_element(checker, slot);
    element_mark_used(*slot);
    if (!type_is_error(type) && type->kind != TYPE_TIMER) {
        diag_report(checker->diag, DIAG_TYPES_NOT_TIMER, (*slot)->at,
                    type_name(checker->arena, type));
        expression_fail(checker, *slot);
    }
}
