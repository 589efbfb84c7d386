/* check_table -- tables, record literals and array constructors (language.md 1.3, 1.6). */
#include "checker.h"

/* [a, b] where a record is wanted: one item per field. */
static const Type *check_record_literal(Checker *checker, Node *node, const Type *wanted) {
    const Type *record = type_base(wanted);
    NodeList *items = &node->table.items;
    if (items->count != record->record.field_count) {
        diag_report(checker->diag, DIAG_TYPES_RECORD_ITEMS, node->at,
                    type_name(checker->arena, wanted), record->record.field_count, items->count);
        diag_label(checker->diag, wanted->at, "defined here");
        return expression_fail(checker, node);
    }
    bool failed = false;
    for (size_t i = 0; i < items->count; i++) {
        const Type *type = check_value(checker, &items->items[i], record->record.fields[i].type);
        failed = failed || type_is_error(type);
    }
    return failed ? expression_fail(checker, node) : wanted;
}

static void check_other_items(Checker *checker, Node *node, const Type *element, size_t except) {
    NodeList *items = &node->table.items;
    for (size_t i = 0; i < items->count; i++) {
        if (i != except) {
            check_value(checker, &items->items[i], element);
        }
    }
}

static bool has_error_item(const NodeList *items) {
    for (size_t i = 0; i < items->count; i++) {
        if (type_is_error(items->items[i]->type)) {
            return true;
        }
    }
    return false;
}

/* Without a context the first item that has a type of its own decides; one that does not agree
 * with it is said, others are not: nobody knows which was meant. */
static const Type *check_by_items(Checker *checker, Node *node) {
    NodeList *items = &node->table.items;
    size_t decider = 0;
    while (decider + 1 < items->count && expression_is_untyped(items->items[decider])) {
        decider++;
    }
    if (expression_is_untyped(items->items[decider])) {
        decider = 0;
    }
    const Type *element = check_expression(checker, &items->items[decider], NULL);
    const Type *wanted = element;
    for (size_t i = 0; i < items->count; i++) {
        const Type *type = i == decider ? element : check_value(checker, &items->items[i], wanted);
        wanted = type_is_error(type) ? type : wanted;
    }
    return element;
}

static const Type *check_array_items(Checker *checker, Node *node, const Type *wanted) {
    NodeList *items = &node->table.items;
    const Type *element = wanted;
    size_t decider = items->count;
    if (type_has_open_dimension(wanted)) {
        check_value(checker, &items->items[0], wanted);
        element = items->items[0]->type;
        decider = 0;
    }
    check_other_items(checker, node, element, decider);
    return element;
}

/* Told before the item is checked, because as a value a channel would be a mistake. */
static bool is_channel_item(const Checker *checker, const Node *node) {
    while (node->kind == NODE_SUBSCRIPT || node->kind == NODE_SEGMENT) {
        node = node->kind == NODE_SUBSCRIPT ? node->subscript.base : node->segment.base;
    }
    if (node->kind != NODE_NAME) {
        return node->kind == NODE_END;
    }
    const Symbol *symbol = scope_find(checker->scope, node->name.name);
    return symbol && symbol->type && type_is_channel(symbol->type);
}

/* [a?, b?]: a table of channel ends; not a value, but it may be passed and abbreviated. */
static const Type *check_channel_table(Checker *checker, Node *node) {
    NodeList *items = &node->table.items;
    const Type *first = NULL;
    Direction direction = DIRECTION_NONE;
    for (size_t i = 0; i < items->count; i++) {
        const Type *type = check_element(checker, &items->items[i]);
        if (type_is_error(type)) {
            return expression_fail(checker, node);
        }
        if (!first) {
            first = type;
            direction = element_direction(items->items[i]);
        } else if (!type_equal(first, type)) {
            diag_report(checker->diag, DIAG_TYPES_MISMATCH, items->items[i]->at,
                        type_name(checker->arena, first), type_name(checker->arena, type));
            return expression_fail(checker, node);
        } else if (element_direction(items->items[i]) != direction) {
            diag_report(checker->diag, DIAG_TYPES_TABLE_ENDS, items->items[i]->at);
            return expression_fail(checker, node);
        }
        element_mark_used(items->items[i]);
    }
    node->type = type_array(checker->arena, first, (int64_t)items->count);
    return node->type;
}

/* What has no elements has rows of no size. */
static const Type *without_size(Arena *arena, const Type *type) {
    if (type->kind != TYPE_ARRAY) {
        return type;
    }
    int64_t count = type->array.count == ARRAY_OPEN ? 0 : type->array.count;
    return type_array(arena, without_size(arena, type->array.element), count);
}

static const Type *check_empty(Checker *checker, Node *node, const Type *wanted) {
    const Type *base = wanted ? type_base(wanted) : NULL;
    if (!base || base->kind != TYPE_ARRAY) {
        if (!base || base->kind != TYPE_ERROR) {
            diag_report(checker->diag, DIAG_TYPES_EMPTY_TABLE, node->at);
        }
        return expression_fail(checker, node);
    }
    return type_array(checker->arena, without_size(checker->arena, base->array.element), 0);
}

static const Type *check_array_literal(Checker *checker, Node *node, const Type *wanted) {
    NodeList *items = &node->table.items;
    const Type *base = wanted ? type_base(wanted) : NULL;
    bool is_array = base && base->kind == TYPE_ARRAY;
    const Type *element = is_array ? check_array_items(checker, node, base->array.element)
                                   : check_by_items(checker, node);
    if (has_error_item(items)) {
        return expression_fail(checker, node);
    }
    if (report_clock_no_data(checker, items->items[0], element)) {
        return expression_fail(checker, node);
    }
    if (!type_is_data(element)) {
        diag_report(checker->diag, DIAG_TYPES_NO_VALUE, items->items[0]->at,
                    type_name(checker->arena, element));
        return expression_fail(checker, node);
    }
    int64_t count = (int64_t)items->count;
    if (is_array && wanted->kind == TYPE_NAMED && base->array.count == count) {
        return wanted;
    }
    const Type *type = check_array_size(checker, node->at, element, count);
    return type_is_error(type) ? expression_fail(checker, node) : type;
}

const Type *check_table(Checker *checker, Node *node, const Type *expected) {
    Node *decoration = node->table.decoration;
    const Type *wanted = decoration ? check_data_type(checker, decoration, true) : expected;
    NodeList *items = &node->table.items;
    if (wanted && type_is_error(wanted)) { /* said; what the items should be nobody knows */
        for (size_t i = 0; i < items->count; i++) {
            check_value(checker, &items->items[i], wanted);
        }
        return expression_fail(checker, node);
    }
    if (items->count > 0 && is_channel_item(checker, items->items[0])) {
        return check_channel_table(checker, node);
    }
    if (wanted && type_base(wanted)->kind == TYPE_RECORD) {
        return check_record_literal(checker, node, wanted);
    }
    node->type = items->count == 0 ? check_empty(checker, node, wanted)
                                   : check_array_literal(checker, node, wanted);
    return decoration && wanted ? check_fits(checker, node, wanted) : node->type;
}

const Type *check_constructor(Checker *checker, Node *node, const Type *expected) {
    Node *replicator = node->constructor.replicator;
    const Type *base = expected ? type_base(expected) : NULL;
    bool is_array = base && base->kind == TYPE_ARRAY;
    scope_open(checker->scope);
    check_replicator(checker, replicator);
    const Type *element = is_array
                              ? check_value(checker, &node->constructor.value, base->array.element)
                              : check_expression(checker, &node->constructor.value, NULL);
    scope_close(checker->scope);
    Node *count = replicator->kind == NODE_REPLICATOR ? replicator->replicator.count : NULL;
    if (!count || type_is_error(count->type) || type_is_error(element)) {
        return expression_fail(checker, node);
    }
    if (!count->constant) {
        diag_report(checker->diag, DIAG_TYPES_NOT_CONSTANT, count->at);
        return expression_fail(checker, node);
    }
    int64_t items = count->constant->integer;
    if (is_array && expected->kind == TYPE_NAMED && base->array.count == items) {
        return expected;
    }
    const Type *type = check_array_size(checker, node->at, element, items);
    return type_is_error(type) ? expression_fail(checker, node) : type;
}
