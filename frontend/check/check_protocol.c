/* check_protocol -- inputs, outputs and delays: the items of a communication against the protocol
 * of the channel, one to one (language.md 1.4, 1.5, 3.5).
 *
 * Leaves: tags to check_variant.c, directions to check_element.c.
 * Holds:  a sequential protocol holds no other: nested ones were flattened by its definition. */
#include "checker.h"

void check_communicates(Checker *checker, const Node *node, const char *mark) {
    if (checker->in_valof) {
        diag_report(checker->diag, DIAG_TYPES_VALOF_CONSTRUCT, node->at, mark);
    }
}

static void report_count(Checker *checker, const Node *node, size_t wanted, size_t found) {
    if (wanted > CHECK_ITEM_LIMIT) {
        return;
    }
    diag_report(checker->diag, DIAG_TYPES_ITEM_COUNT, node->at, wanted, wanted == 1 ? "" : "s",
                found);
    const Type *channel = node->kind == NODE_OUTPUT  ? node->output.channel->type
                          : node->kind == NODE_INPUT ? node->input.channel->type
                                                     : NULL;
    if (channel && channel->kind == TYPE_CHANNEL &&
        location_is_known(channel->channel.protocol->at)) {
        diag_label(checker->diag, channel->channel.protocol->at, "the protocol is defined here");
    }
}

/* ---- outputs ---- */

static void check_constant_count(Checker *checker, const Node *count, const Type *array) {
    int64_t limit = type_base(array)->array.count;
    if (count->constant && limit != ARRAY_OPEN &&
        (count->constant->integer > limit || count->constant->integer < 0) &&
        !check_excuses(checker, count->at, "the count is out of range")) {
        diag_report(checker->diag, DIAG_TYPES_COUNTED_RANGE, count->at,
                    (long long)count->constant->integer, (long long)limit);
    }
}

/* s::10 where 10::s is meant; true when that was said. */
static bool is_turned_round(Checker *checker, Node *item, const Type *wanted) {
    const Node *count = item->counted.count;
    const Symbol *symbol =
        count->kind == NODE_NAME ? scope_find(checker->scope, count->name.name) : NULL;
    if (!symbol || !symbol->type || !type_is_array(type_content(symbol->type))) {
        return false;
    }
    check_expression(checker, &item->counted.count, NULL);
    check_expression(checker, &item->counted.array, NULL);
    diag_report(checker->diag, DIAG_TYPES_COUNTED_FORM, item->at, "a counted array",
                type_name(checker->arena, wanted));
    diag_hint(checker->diag, "the count stands first: count::%s", symbol->name->bytes);
    item->type = type_primitive(TYPE_ERROR);
    return true;
}

static void check_counted_output(Checker *checker, Node *item, const Type *wanted) {
    if (is_turned_round(checker, item, wanted)) {
        return;
    }
    check_value(checker, &item->counted.count, wanted->counted.count);
    const Type *array = type_array(checker->arena, wanted->counted.element, ARRAY_OPEN);
    const Type *type = check_value(checker, &item->counted.array, array);
    item->type = wanted;
    if (!type_is_error(type) &&
        !check_is_plain(checker, item->counted.array, array,
                        "a part of it is a plain array: count::[m FROM 0]")) {
        return;
    }
    if (!type_is_error(type) && !type_is_error(item->counted.count->type)) {
        check_constant_count(checker, item->counted.count, type);
    }
}

/* COUNTED where the protocol is not, or the other way round: report and check what is there. */
static bool check_counted_form(Checker *checker, Node *item, const Type *wanted) {
    bool is_counted = item->kind == NODE_COUNTED;
    bool wants_counted = wanted->kind == TYPE_COUNTED;
    if (is_counted == wants_counted) {
        return true;
    }
    diag_report(checker->diag, DIAG_TYPES_COUNTED_FORM, item->at,
                wants_counted ? "a counted array" : "one value", type_name(checker->arena, wanted));
    diag_hint(checker->diag, wants_counted ? "write count::array" : "write the value by itself");
    return false;
}

/* What people try who want to print. */
static void hint_text(Checker *checker, const Type *type) {
    if (type_is_array(type) && type_base(type)->array.element->kind == TYPE_BYTE) {
        diag_hint(checker->diag, "a channel of BYTE takes one character at a time: out.string "
                                 "(\"...\", 0, screen!) of course.module writes a whole string");
    } else if (type_is_integer(type)) {
        diag_hint(checker->diag, "BYTE n is the character with that number; out.int (n, 0, "
                                 "screen!) of course.module writes its digits");
    }
}

static void check_output_item(Checker *checker, Node **slot, const Type *wanted) {
    if (type_is_error(wanted)) {
        if ((*slot)->kind != NODE_COUNTED) {
            check_expression(checker, slot, NULL);
        }
    } else if (!check_counted_form(checker, *slot, wanted)) {
        return;
    } else if (wanted->kind == TYPE_COUNTED) {
        check_counted_output(checker, *slot, wanted);
    } else {
        const Type *type = check_expression(checker, slot, wanted);
        unsigned before = diag_error_count(checker->diag);
        checker->item = *slot;
        check_copies(checker, *slot, wanted);
        if (wanted->kind == TYPE_BYTE && diag_error_count(checker->diag) > before) {
            hint_text(checker, type);
        }
        if (!type_is_clock(type_content(wanted))) { /* the receiver is enrolled beside the sender */
            check_move(checker, slot, wanted);
        }
    }
}

static void check_output_items(Checker *checker, Node *node, NodeList *items, size_t first,
                               const Type *const *types, size_t count) {
    bool is_paired = items->count - first == count;
    if (!is_paired) { /* nobody knows which item is meant for which */
        report_count(checker, node, count, items->count - first);
    }
    for (size_t i = first; i < items->count; i++) {
        const Type *wanted = is_paired ? types[i - first] : type_primitive(TYPE_ERROR);
        check_output_item(checker, &items->items[i], wanted);
    }
}

/* Bytes only: nobody at the other end would know what they own. The contents of a mobile may do. */
static void check_any_item(Checker *checker, Node *item, const Type *type) {
    if (type_owns(type_content(type))) {
        diag_report(checker->diag, DIAG_TYPES_PROTOCOL_ITEM, item->at,
                    type_name(checker->arena, type));
        expression_fail(checker, item);
    }
}

/* ANY takes every value, counted arrays too. */
static void check_any_output(Checker *checker, NodeList *items) {
    for (size_t i = 0; i < items->count; i++) {
        Node *item = items->items[i];
        if (item->kind == NODE_COUNTED) {
            check_expression(checker, &item->counted.count, NULL);
            check_expression(checker, &item->counted.array, NULL);
            item->type = type_primitive(TYPE_ANY);
        } else {
            const Type *type = check_expression(checker, &items->items[i], NULL);
            check_any_item(checker, items->items[i], type);
        }
    }
}

/* The channel failed: a name alone in front may be a tag nobody knows. */
static void check_loose_outputs(Checker *checker, NodeList *items) {
    for (size_t i = 0; i < items->count; i++) {
        Node *item = items->items[i];
        if (item->kind == NODE_COUNTED) {
            check_expression(checker, &item->counted.count, NULL);
            check_expression(checker, &item->counted.array, NULL);
        } else if (i > 0 || item->kind != NODE_NAME ||
                   scope_find(checker->scope, item->name.name)) {
            check_unexpected(checker, &items->items[i]);
        }
    }
}

/* What goes through a channel or port; the error type when it failed. */
static const Type *carried_type(const Type *type) {
    if (type->kind == TYPE_PORT) {
        return type->element;
    }
    return type->kind == TYPE_CHANNEL ? type->channel.protocol : type_primitive(TYPE_ERROR);
}

void check_output(Checker *checker, Node *node) {
    check_communicates(checker, node, "!");
    NodeList *items = &node->output.items;
    const Type *type = check_channel(checker, &node->output.channel, DIRECTION_OUTPUT);
    checker->receiver = node_root(node->output.channel);
    const Type *protocol = carried_type(type);
    if (type_is_error(protocol)) {
        check_loose_outputs(checker, items);
        return;
    }
    if (protocol->kind == TYPE_VARIANT) {
        const TypeTag *tag = check_tag_output(checker, node, protocol);
        if (tag) {
            check_output_items(checker, node, items, 1, tag->items, tag->item_count);
        }
    } else if (protocol->kind == TYPE_SEQUENCE) {
        check_output_items(checker, node, items, 0, protocol->sequence.items,
                           protocol->sequence.item_count);
    } else if (protocol->kind == TYPE_ANY) {
        check_any_output(checker, items);
    } else {
        check_output_items(checker, node, items, 0, &protocol, 1);
    }
}

/* ---- inputs ---- */

/* A variable for what is sent: of a mobile scalar what it holds, unless a mobile comes. */
static const Type *check_received(Checker *checker, Node **slot, const Type *sent) {
    const Type *type = check_variable(checker, slot);
    return sent && type_owns(sent) ? type : check_content(checker, slot);
}

static void check_counted_input(Checker *checker, Node *item, const Type *wanted) {
    const Type *count = check_received(checker, &item->counted.count, NULL);
    const Type *array = check_variable(checker, &item->counted.array);
    item->type = wanted;
    if (!type_is_error(count)) {
        check_receives(checker, item->counted.count, wanted->counted.count);
    }
    if (!type_is_error(array)) {
        check_receives(checker, item->counted.array,
                       type_array(checker->arena, wanted->counted.element, ARRAY_OPEN));
    }
}

static void check_loose_input(Checker *checker, Node **slot) {
    Node *item = *slot;
    if (item->kind == NODE_COUNTED) {
        check_variable(checker, &item->counted.count);
        check_variable(checker, &item->counted.array);
        item->type = type_primitive(TYPE_ANY);
    } else {
        check_received(checker, slot, NULL);
    }
}

void check_loose_inputs(Checker *checker, NodeList *items) {
    for (size_t i = 0; i < items->count; i++) {
        check_loose_input(checker, &items->items[i]);
    }
}

static void check_any_inputs(Checker *checker, NodeList *items) {
    check_loose_inputs(checker, items);
    for (size_t i = 0; i < items->count; i++) {
        Node *item = items->items[i];
        if (item->kind != NODE_COUNTED && !type_is_error(item->type)) {
            check_any_item(checker, item, item->type);
        }
    }
}

static void check_input_item(Checker *checker, Node **slot, const Type *wanted) {
    if (type_is_error(wanted)) {
        check_loose_input(checker, slot);
    } else if (!check_counted_form(checker, *slot, wanted)) {
        return;
    } else if (wanted->kind == TYPE_COUNTED) {
        check_counted_input(checker, *slot, wanted);
    } else if (!type_is_error(check_received(checker, slot, wanted))) {
        checker->item = *slot;
        check_receives(checker, *slot, wanted);
    }
}

void check_input_items(Checker *checker, Node *node, NodeList *items, const Type *const *types,
                       size_t count) {
    bool is_paired = items->count == count;
    if (!is_paired) {
        report_count(checker, node, count, items->count);
    }
    for (size_t i = 0; i < items->count; i++) {
        check_input_item(checker, &items->items[i],
                         is_paired ? types[i] : type_primitive(TYPE_ERROR));
    }
}

static void check_timer_input(Checker *checker, Node *node) {
    node->input.is_timer = true;
    element_mark_used(node->input.channel);
    const Type *integer = type_primitive(TYPE_INT);
    check_input_items(checker, node, &node->input.items, &integer, 1);
}

/* x ? c: the channel stands on the left. True after a hint to what was said of x. */
static bool hint_exchanged(Checker *checker, Node *node, const Type *left) {
    NodeList *items = &node->input.items;
    bool is_value = !type_is_error(left) && type_is_data(left) && items->count == 1 &&
                    items->items[0]->kind == NODE_NAME;
    const Type *right = is_value ? check_element(checker, &items->items[0]) : NULL;
    if (!right || !type_is_channel(right)) {
        return false;
    }
    element_mark_used(items->items[0]);
    expression_fail(checker, items->items[0]);
    diag_hint(checker->diag, "the channel stands in front of the ?, the variable behind it");
    return true;
}

static void check_channel_input(Checker *checker, Node *node, const Type *protocol) {
    NodeList *items = &node->input.items;
    if (protocol->kind == TYPE_VARIANT) {
        diag_report(checker->diag, DIAG_TYPES_NEEDS_CASE, node->at,
                    type_name(checker->arena, protocol));
        diag_hint(checker->diag, "input a tagged message by: c ? CASE");
    } else if (protocol->kind == TYPE_SEQUENCE) {
        check_input_items(checker, node, items, protocol->sequence.items,
                          protocol->sequence.item_count);
    } else if (protocol->kind == TYPE_ANY) {
        check_any_inputs(checker, items);
    } else {
        check_input_items(checker, node, items, &protocol, 1);
    }
}

void check_input(Checker *checker, Node *node) {
    check_communicates(checker, node, "?");
    const Type *type = check_element(checker, &node->input.channel);
    if (!type_is_error(type) && type->kind == TYPE_TIMER) {
        check_timer_input(checker, node);
        return;
    }
    const Type *left = type;
    type = check_channel_use(checker, node->input.channel, DIRECTION_INPUT);
    checker->receiver = node_root(node->input.channel);
    const Type *protocol = carried_type(type);
    if (type_is_error(protocol)) {
        if (!hint_exchanged(checker, node, left)) {
            check_loose_inputs(checker, &node->input.items);
        }
    } else {
        check_channel_input(checker, node, protocol);
    }
}

void check_delay(Checker *checker, Node *node) {
    check_communicates(checker, node, "?");
    check_timer(checker, &node->delay.timer);
    check_integer(checker, &node->delay.time);
}
