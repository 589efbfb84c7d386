/* type_wire -- do two protocols send their messages in the same form, so that a channel of one may
 * be retyped to the other (check_retypes.c)?
 *
 * Holds: an item is sent as one value of its size, n::a as a value and elements (codegen's
 *        item.c). What a message means does not matter here. */
#include "types.h"

/* Items -- what a protocol without tags sends, one after the other. */
typedef struct Items {
    const Type *const *types;
    size_t count;
} Items;

static Items items_of(const Type *const *protocol) {
    if ((*protocol)->kind == TYPE_SEQUENCE) {
        return (Items){(*protocol)->sequence.items, (*protocol)->sequence.item_count};
    }
    return (Items){protocol, 1};
}

static bool is_plain(const Type *type) {
    const Type *leaf = type_base(type_leaf(type));
    return type_is_scalar(leaf) || leaf->kind == TYPE_RECORD;
}

/* The same type, single values of one size, or counted arrays with the same form. */
static bool sent_alike(const Type *left, const Type *right) {
    if (type_equal(left, right)) {
        return true;
    }
    if (left->kind == TYPE_COUNTED || right->kind == TYPE_COUNTED) {
        return left->kind == right->kind &&
               type_size(left->counted.count) == type_size(right->counted.count) &&
               type_size(left->counted.element) == type_size(right->counted.element);
    }
    return is_plain(left) && is_plain(right) && type_size(left) == type_size(right);
}

/* Are the items of one, repeated, those of the other, repeated? */
static bool items_alike(Items left, Items right) {
    size_t count = left.count * right.count;
    for (size_t i = 0; i < count; i++) {
        if (!sent_alike(left.types[i % left.count], right.types[i % right.count])) {
            return false;
        }
    }
    return count > 0;
}

static bool variants_alike(const Type *left, const Type *right) {
    if (left->variant.tag_count != right->variant.tag_count) {
        return false;
    }
    for (size_t i = 0; i < left->variant.tag_count; i++) {
        const TypeTag *mine = &left->variant.tags[i];
        const TypeTag *other = &right->variant.tags[i];
        bool are_empty = mine->item_count == 0 && other->item_count == 0;
        Items items = {mine->items, mine->item_count};
        if (mine->value != other->value || mine->item_count != other->item_count ||
            (!are_empty && !items_alike(items, (Items){other->items, other->item_count}))) {
            return false;
        }
    }
    return true;
}

/* CHAN OF ANY takes items whose size the protocol gives. */
static bool any_takes(const Type *protocol) {
    Items items = items_of(&protocol);
    for (size_t i = 0; i < items.count; i++) {
        if (!is_plain(items.types[i]) || type_has_open_dimension(items.types[i])) {
            return false;
        }
    }
    return true;
}

bool type_protocols_agree(const Type *one, const Type *other) {
    const Type *left = one->channel.protocol;
    const Type *right = other->channel.protocol;
    if (left->kind == TYPE_ANY || right->kind == TYPE_ANY) {
        return left->kind == right->kind || any_takes(left->kind == TYPE_ANY ? right : left);
    }
    if (left->kind == TYPE_VARIANT || right->kind == TYPE_VARIANT) {
        return left->kind == right->kind && variants_alike(left, right);
    }
    return items_alike(items_of(&left), items_of(&right));
}
