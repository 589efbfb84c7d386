/* check_variant -- tags of variant protocols in outputs and CASE inputs (language.md 1.7, 3.5). */
#include "checker.h"

static void report_no_tag(Checker *checker, Location at, const Type *protocol, const Text *name) {
    diag_report(checker->diag, DIAG_NAMES_TAG, at, type_name(checker->arena, protocol),
                name->bytes);
    const TypeTag *nearest = NULL;
    unsigned best = 3;
    for (size_t i = 0; i < protocol->variant.tag_count; i++) {
        unsigned distance = text_distance(protocol->variant.tags[i].name, name, 2);
        if (distance < best) {
            best = distance;
            nearest = &protocol->variant.tags[i];
        }
    }
    if (nearest) {
        diag_hint(checker->diag, "did you mean '%s'?", nearest->name->bytes);
        diag_fixit(checker->diag, at, nearest->name->bytes);
    } else if (location_is_known(protocol->at)) {
        diag_label(checker->diag, protocol->at, "its tags are defined here");
    }
}

/* Put TAG_USE in place of the NAME; NULL after a message. */
static const TypeTag *use_tag(Checker *checker, Node *node, const Type *protocol) {
    if (node->kind != NODE_NAME) {
        if (node->kind != NODE_BROKEN) {
            diag_report(checker->diag, DIAG_TYPES_TAG_FIRST, node->at,
                        type_name(checker->arena, protocol));
        }
        return NULL;
    }
    const Text *name = node->name.name;
    size_t index = 0;
    const TypeTag *tag = type_tag(protocol, name, &index);
    if (!tag) {
        report_no_tag(checker, node->at, protocol, name);
    }
    node->kind = NODE_TAG_USE;
    node->type = tag ? protocol : type_primitive(TYPE_ERROR);
    node->tag_use =
        (Ast_tag_use){.name = name, .value = tag ? tag->value : 0, .index = (int64_t)index};
    return tag;
}

const TypeTag *check_tag_output(Checker *checker, Node *node, const Type *protocol) {
    NodeList *items = &node->output.items;
    if (items->count == 0) {
        return NULL;
    }
    const TypeTag *tag = use_tag(checker, items->items[0], protocol);
    for (size_t i = 1; !tag && i < items->count; i++) {
        if (items->items[i]->kind != NODE_COUNTED) {
            check_expression(checker, &items->items[i], NULL);
        }
    }
    return tag;
}

static void check_variant_node(Checker *checker, Node *node, const Type *protocol,
                               const Node **seen, const Node *held) {
    scope_open(checker->scope);
    check_specifications(checker, &node->variant.specs);
    const TypeTag *tag = protocol ? use_tag(checker, node->variant.tag, protocol) : NULL;
    if (tag) {
        size_t index = (size_t)node->variant.tag->tag_use.index;
        if (seen[index]) {
            diag_report(checker->diag, DIAG_TYPES_VARIANT_DUPLICATE, node->variant.tag->at,
                        tag->name->bytes);
            diag_label(checker->diag, seen[index]->at, "the first is here");
        }
        seen[index] = node->variant.tag;
        check_input_items(checker, node->variant.tag, &node->variant.items, tag->items,
                          tag->item_count);
    } else {
        check_loose_inputs(checker, &node->variant.items);
    }
    if (held) {
        check_during(checker, held, &node->variant.process);
    } else {
        check_process(checker, &node->variant.process);
    }
    if (node->variant.after) {
        check_process(checker, &node->variant.after);
    }
    scope_close(checker->scope);
}

static const Type *variant_protocol(Checker *checker, Node *node) {
    const Type *type = check_channel(checker, &node->input_case.channel, DIRECTION_INPUT);
    if (type_is_error(type)) {
        return NULL;
    }
    const Type *protocol = type->kind == TYPE_PORT ? type->element : type->channel.protocol;
    if (protocol->kind != TYPE_VARIANT) {
        if (!type_is_error(protocol)) {
            diag_report(checker->diag, DIAG_TYPES_NO_VARIANT, node->at,
                        type_name(checker->arena, protocol));
        }
        return NULL;
    }
    return protocol;
}

void check_input_case(Checker *checker, Node *node) {
    check_communicates(checker, node, "?");
    bool is_held = checker->holds_variants;
    checker->holds_variants = false;
    const Type *protocol = variant_protocol(checker, node);
    const Node **seen = arena_new_array(checker->arena, const Node *,
                                        protocol ? protocol->variant.tag_count + 1 : 1);
    for (size_t i = 0; i < node->input_case.variants.count; i++) {
        Node *variant = node->input_case.variants.items[i];
        if (variant->kind == NODE_VARIANT) {
            check_variant_node(checker, variant, protocol, seen,
                               is_held ? node->input_case.channel : NULL);
        }
    }
}
