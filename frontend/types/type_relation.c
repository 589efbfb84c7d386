/* type_relation -- two types: equal, accepted as an actual, equal except for open dimensions, one
 * protocol the extension of the other.
 *
 * Leaves: whether messages look alike on the wire to type_wire.c.
 * Holds:  the error type is equal to every type, so that one mistake gives one message. Types with
 *         a name are equal only to themselves. */
#include "types.h"

static bool type_lists_equal(const Type *left, const Type *right) {
    if (left->sequence.item_count != right->sequence.item_count) {
        return false;
    }
    for (size_t i = 0; i < left->sequence.item_count; i++) {
        if (!type_equal(left->sequence.items[i], right->sequence.items[i])) {
            return false;
        }
    }
    return true;
}

/* Two types of the same kind: by structure where the kind has one. The direction of a channel is
 * not part of its type; the checks compare it separately. */
static bool structure_equal(const Type *left, const Type *right) {
    switch (left->kind) {
    case TYPE_ARRAY:
        return left->array.count == right->array.count &&
               type_equal(left->array.element, right->array.element);
    case TYPE_CHANNEL:
        return left->channel.is_shared_input == right->channel.is_shared_input &&
               left->channel.is_shared_output == right->channel.is_shared_output &&
               type_equal(left->channel.protocol, right->channel.protocol);
    case TYPE_PORT:
    case TYPE_MOBILE: return type_equal(left->element, right->element);
    case TYPE_COUNTED:
        return type_equal(left->counted.count, right->counted.count) &&
               type_equal(left->counted.element, right->counted.element);
    case TYPE_BUNDLE_END:
        return left->bundle_end.bundle == right->bundle_end.bundle &&
               left->bundle_end.direction == right->bundle_end.direction &&
               left->bundle_end.is_shared == right->bundle_end.is_shared;
    case TYPE_TUPLE: return type_lists_equal(left, right);
    case TYPE_KINDS_OF_SCALAR:
    case TYPE_MOBILE_CHAN:
    case TYPE_KINDS_WITHOUT_PARTS: return true;
    case TYPE_RECORD:
    case TYPE_NAMED:
    case TYPE_SEQUENCE:
    case TYPE_VARIANT:
    case TYPE_BUNDLE:
    case TYPE_PROC_TYPE: return false; /* by name: the same type is the same pointer */
    }
    return false;
}

bool type_equal(const Type *left, const Type *right) {
    if (left == right || type_is_error(left) || type_is_error(right)) {
        return true;
    }
    return left->kind == right->kind && structure_equal(left, right);
}

static bool accepts(const Type *formal, const Type *actual) {
    if (formal->kind == TYPE_ARRAY && actual->kind == TYPE_ARRAY) {
        bool fits = formal->array.count == ARRAY_OPEN || formal->array.count == actual->array.count;
        return fits && accepts(formal->array.element, actual->array.element);
    }
    return type_equal(formal, actual);
}

bool type_accepts(const Type *formal, const Type *actual) {
    if (type_is_error(formal) || type_is_error(actual) || accepts(formal, actual)) {
        return true;
    }
    return !type_is_mobile(formal) && type_is_mobile(actual) &&
           accepts(formal, type_content(actual));
}

static bool matches(const Type *left, const Type *right) {
    if (left->kind == TYPE_ARRAY && right->kind == TYPE_ARRAY) {
        bool fits = left->array.count == ARRAY_OPEN || right->array.count == ARRAY_OPEN ||
                    left->array.count == right->array.count;
        return fits && matches(left->array.element, right->array.element);
    }
    return type_equal(left, right);
}

bool type_matches(const Type *left, const Type *right) {
    return matches(left, right) || ((type_is_mobile(left) || type_is_mobile(right)) &&
                                    matches(type_content(left), type_content(right)));
}

bool type_may_accept(const Type *formal, const Type *actual) {
    return type_accepts(formal, actual) ||
           (!type_is_mobile(formal) && !type_is_mobile(actual) && matches(formal, actual));
}

static bool is_descendant(const Type *many, const Type *few) {
    if (many == few) {
        return true;
    }
    for (size_t i = 0; many->kind == TYPE_VARIANT && i < many->variant.base_count; i++) {
        if (is_descendant(many->variant.bases[i], few)) {
            return true;
        }
    }
    return false;
}

bool type_extends(const Type *many, const Type *few) {
    if (many->kind != TYPE_VARIANT || few->kind != TYPE_VARIANT || !is_descendant(many, few)) {
        return false;
    }
    for (size_t i = 0; i < few->variant.tag_count; i++) {
        const TypeTag *tag = &few->variant.tags[i];
        const TypeTag *same = type_tag(many, tag->name, NULL);
        if (!same || same->value != tag->value) {
            return false;
        }
    }
    return true;
}
