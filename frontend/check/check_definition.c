/* check_definition -- PROTOCOL (language.md 1.4, 1.7). */
#include "checker.h"

typedef ARRAY_OF(const Type *) TypeList;
typedef struct TagList {
    ARRAY_OF(TypeTag) all;
    ARRAY_OF(bool) is_own; /* of each tag: not taken over */
    TypeList bases;
    bool has_too_many; /* one of the bases has more than TAG_LIMIT: reported */
} TagList;

#define TAG_LIMIT (UINT8_MAX + 1)

/* ---- protocols ---- */

/* A sequential protocol inside of another is flattened into it. Of a message that is too long one
 * item more than may be is kept: what has more than CHECK_ITEM_LIMIT was reported. */
static void add_item(Checker *checker, TypeList *list, Node *item) {
    const Type *type = check_protocol_type(checker, item);
    size_t more = type->kind == TYPE_SEQUENCE ? type->sequence.item_count : 1;
    if (list->count > CHECK_ITEM_LIMIT) {
        return;
    }
    if (list->count + more > CHECK_ITEM_LIMIT) {
        diag_report(checker->diag, DIAG_TYPES_PROTOCOL_LONG, item->at, CHECK_ITEM_LIMIT);
        while (list->count <= CHECK_ITEM_LIMIT) {
            array_push(checker->arena, list, type_primitive(TYPE_ERROR));
        }
        return;
    }
    if (type->kind == TYPE_SEQUENCE) {
        for (size_t i = 0; i < type->sequence.item_count; i++) {
            array_push(checker->arena, list, type->sequence.items[i]);
        }
        return;
    }
    if (type->kind == TYPE_VARIANT || type->kind == TYPE_ANY) {
        diag_report(checker->diag, DIAG_TYPES_PROTOCOL_NESTED, item->at,
                    type_name(checker->arena, type));
        type = type_primitive(TYPE_ERROR);
    }
    array_push(checker->arena, list, type);
}

static TypeList item_list(Checker *checker, NodeList *items) {
    TypeList list = {0};
    for (size_t i = 0; i < items->count; i++) {
        add_item(checker, &list, items->items[i]);
    }
    return list;
}

static bool is_same_tag(const TypeTag *left, const TypeTag *right) {
    bool is_same = left->item_count == right->item_count && left->value == right->value;
    for (size_t i = 0; is_same && i < left->item_count; i++) {
        is_same = type_equal(left->items[i], right->items[i]);
    }
    return is_same;
}

/* A tag may come by two ways from one protocol. */
static void add_tag(Checker *checker, TagList *tags, TypeTag tag, bool is_own) {
    for (size_t i = 0; i < tags->all.count; i++) {
        if (tags->all.items[i].name == tag.name) {
            if (!is_own && !tags->is_own.items[i] && is_same_tag(&tags->all.items[i], &tag)) {
                return;
            }
            diag_report(checker->diag, DIAG_NAMES_DUPLICATE, tag.at, tag.name->bytes);
            diag_label(checker->diag, tags->all.items[i].at, "the first is here");
            return;
        }
    }
    array_push(checker->arena, &tags->all, tag);
    array_push(checker->arena, &tags->is_own, is_own);
}

/* FROM P, EXTENDS P: all tags of P. */
static void add_tags_of(Checker *checker, TagList *tags, Node *name) {
    bool is_type = name->kind == NODE_TYPE_NAMED;
    if (name->kind != NODE_NAME && !is_type) {
        return;
    }
    const Text *text = is_type ? name->type_named.name : name->name.name;
    Symbol *symbol = name_find(checker, text, name->at);
    if (!symbol) {
        return;
    }
    *(is_type ? &name->type_named.symbol : &name->name.symbol) = symbol;
    symbol->is_used = true;
    if (symbol->kind != SYMBOL_PROTOCOL || symbol->type->kind != TYPE_VARIANT) {
        diag_report(checker->diag, DIAG_NAMES_KIND, name->at, symbol->name->bytes,
                    symbol->kind == SYMBOL_PROTOCOL ? "a PROTOCOL without tags"
                                                    : symbol_words(symbol),
                    "a PROTOCOL with tags");
        return;
    }
    for (size_t i = 0; i < symbol->type->variant.tag_count; i++) {
        TypeTag tag = symbol->type->variant.tags[i];
        tag.at = name->at;
        add_tag(checker, tags, tag, false);
    }
    tags->has_too_many |= symbol->type->variant.tag_count > TAG_LIMIT;
    array_push(checker->arena, &tags->bases, symbol->type);
}

/* Values of tags: all given or none. */
typedef struct TagValues {
    size_t given;
    size_t total;
} TagValues;

static void check_tag_value(Checker *checker, Node *node, TypeTag *tag, TagValues *values) {
    values->total++;
    int64_t value = 0;
    if (!node->tag.value || !check_constant_integer(checker, &node->tag.value, &value)) {
        return;
    }
    values->given++;
    if (value < 0 || value > UINT8_MAX) {
        diag_report(checker->diag, DIAG_TYPES_TAG_VALUE, node->tag.value->at, (long long)value);
        value = 0;
    }
    tag->value = (uint8_t)value;
}

static void check_tag_values(Checker *checker, const Node *protocol, const TagList *tags) {
    const TypeTag *seen[UINT8_MAX + 1] = {0};
    for (size_t i = 0; i < tags->all.count; i++) {
        const TypeTag *tag = &tags->all.items[i];
        if (seen[tag->value]) {
            diag_report(checker->diag, DIAG_TYPES_TAG_SAME_VALUE, tag->at, tag->name->bytes,
                        seen[tag->value]->name->bytes, tag->value);
            diag_label(checker->diag, seen[tag->value]->at, "the first is here");
            return;
        }
        seen[tag->value] = tag;
    }
    (void)protocol;
}

/* What was taken over keeps its value where that is free, so that a channel of the one protocol can
 * stand for one of the other; the rest takes the lowest that are left. */
static void choose_values(TagList *tags) {
    const TypeTag *takers[UINT8_MAX + 1] = {0};
    for (size_t i = 0; i < tags->all.count; i++) {
        const TypeTag *tag = &tags->all.items[i];
        if (!tags->is_own.items[i] && !takers[tag->value]) {
            takers[tag->value] = tag;
        }
    }
    size_t next = 0;
    for (size_t i = 0; i < tags->all.count; i++) {
        TypeTag *tag = &tags->all.items[i];
        if (takers[tag->value] == tag) {
            continue;
        }
        while (next < UINT8_MAX && takers[next]) {
            next++;
        }
        tag->value = (uint8_t)next;
        takers[next] = tag;
    }
}

static void number_tags(Checker *checker, const Node *node, TagList *tags, TagValues values) {
    if (values.given > 0 && values.given < values.total) {
        diag_report(checker->diag, DIAG_TYPES_TAG_PARTIAL, node->protocol.def->at,
                    node->protocol.def->def.name->bytes);
        return;
    }
    if (tags->all.count > TAG_LIMIT) {
        if (!tags->has_too_many) {
            diag_report(checker->diag, DIAG_TYPES_TAG_COUNT, node->protocol.def->at,
                        node->protocol.def->def.name->bytes);
        }
        return;
    }
    if (values.given == 0) {
        choose_values(tags);
    }
    check_tag_values(checker, node, tags);
}

static const Type *variant_type(Checker *checker, Node *node) {
    TagList tags = {0};
    TagValues values = {0};
    for (size_t i = 0; i < node->protocol.extends.count; i++) {
        add_tags_of(checker, &tags, node->protocol.extends.items[i]);
    }
    for (size_t i = 0; i < node->protocol.tags.count; i++) {
        Node *line = node->protocol.tags.items[i];
        if (line->kind == NODE_TAG_FROM) {
            add_tags_of(checker, &tags, line->tag_from.protocol);
        } else if (line->kind == NODE_TAG && line->tag.def->kind == NODE_DEF) {
            TypeList items = item_list(checker, &line->tag.items);
            TypeTag tag = {.name = line->tag.def->def.name,
                           .items = items.items,
                           .item_count = items.count,
                           .at = line->tag.def->at};
            check_tag_value(checker, line, &tag, &values);
            add_tag(checker, &tags, tag, true);
        }
    }
    number_tags(checker, node, &tags, values);
    Type *type = check_new_type(checker, TYPE_VARIANT, node->protocol.def);
    type->variant.tags = tags.all.items;
    type->variant.tag_count = tags.all.count;
    type->variant.bases = tags.bases.items;
    type->variant.base_count = tags.bases.count;
    return type;
}

static const Type *sequence_type(Checker *checker, Node *node) {
    TypeList items = {0};
    NodeList *written = &node->protocol.items;
    if (written->count == 1) { /* PROTOCOL P IS ANY: */
        const Type *type = check_protocol_type(checker, written->items[0]);
        if (type->kind == TYPE_ANY || type->kind == TYPE_VARIANT) {
            return type;
        }
    }
    items = item_list(checker, written);
    Type *type = check_new_type(checker, TYPE_SEQUENCE, node->protocol.def);
    type->sequence.items = items.items;
    type->sequence.item_count = items.count;
    return type;
}

void check_protocol_definition(Checker *checker, Node *node) {
    bool has_tags = node->protocol.is_variant || node->protocol.extends.count > 0;
    const Type *type = has_tags ? variant_type(checker, node) : sequence_type(checker, node);
    type = check_included_type(checker, node->protocol.def, type);
    symbol_define(checker, SYMBOL_PROTOCOL, node->protocol.def, type, node);
}
