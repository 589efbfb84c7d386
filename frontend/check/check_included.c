/* check_included -- a type that a library and its user both have from one included file is one
 * type.
 *
 * Programs define protocols in a file that each unit includes. Read twice, its definitions would be
 * two types each, and a channel of one could not be given to a PROC that takes the other.
 *
 * Holds: two definitions are one when they have the same name, stand in included files of one name,
 *        and are made of the same parts, which are compared as types are. */
#include "checker.h"

/* Where a record contains itself, so does the other one. */
static bool same_type(const Type *one, const Type *other, const Type *left, const Type *right) {
    while (one->kind == other->kind &&
           (one->kind == TYPE_MOBILE ||
            (one->kind == TYPE_ARRAY && one->array.count == other->array.count))) {
        one = one->kind == TYPE_MOBILE ? one->element : one->array.element;
        other = other->kind == TYPE_MOBILE ? other->element : other->array.element;
    }
    return (one == left && other == right) || type_equal(one, other);
}

static bool same_fields(const Type *left, const Type *right) {
    bool same = left->record.field_count == right->record.field_count &&
                left->record.is_packed == right->record.is_packed &&
                left->record.is_mobile == right->record.is_mobile;
    for (size_t i = 0; same && i < left->record.field_count; i++) {
        const TypeField *one = &left->record.fields[i];
        const TypeField *other = &right->record.fields[i];
        same = one->name == other->name && one->direction == other->direction &&
               one->offset == other->offset && same_type(one->type, other->type, left, right);
    }
    return same;
}

static bool same_list(const Type *const *left, size_t left_count, const Type *const *right,
                      size_t right_count) {
    bool same = left_count == right_count;
    for (size_t i = 0; same && i < left_count; i++) {
        same = type_equal(left[i], right[i]);
    }
    return same;
}

static bool same_tags(const Type *left, const Type *right) {
    bool same = left->variant.tag_count == right->variant.tag_count &&
                same_list(left->variant.bases, left->variant.base_count, right->variant.bases,
                          right->variant.base_count);
    for (size_t i = 0; same && i < left->variant.tag_count; i++) {
        const TypeTag *one = &left->variant.tags[i];
        const TypeTag *other = &right->variant.tags[i];
        same = one->name == other->name && one->value == other->value &&
               same_list(one->items, one->item_count, other->items, other->item_count);
    }
    return same;
}

static bool same_parts(const Type *left, const Type *right) {
    if (left->kind == TYPE_MOBILE && right->kind == TYPE_MOBILE) {
        return same_parts(left->element, right->element);
    }
    if (left->kind != right->kind || left->name != right->name) {
        return false;
    }
    if (left->kind == TYPE_RECORD || left->kind == TYPE_BUNDLE) {
        return same_fields(left, right);
    }
    if (left->kind == TYPE_NAMED) {
        return type_equal(left->underlying, right->underlying);
    }
    if (left->kind == TYPE_SEQUENCE) {
        return same_list(left->sequence.items, left->sequence.item_count, right->sequence.items,
                         right->sequence.item_count);
    }
    return left->kind == TYPE_VARIANT && same_tags(left, right);
}

const Type *check_included_type(Checker *checker, const Node *def, const Type *type) {
    const SourceMap *sources = checker->compiler->sources;
    const char *file = source_included_name(sources, def->at);
    const Binding *binding = file ? scope_all_bindings(checker->scope, def->def.name) : NULL;
    for (; binding; binding = binding->shadowed) {
        const Symbol *other = binding->symbol;
        const char *its_file = source_included_name(sources, other->at);
        if (its_file && strcmp(file, its_file) == 0 && other->type && other->type != type &&
            same_parts(type, other->type)) {
            return other->type;
        }
    }
    return type;
}

/* The definition that a type, or an array, channel or mobile of it, goes back to. */
static const Type *definition_of(const Type *type) {
    for (;;) {
        if (type->kind == TYPE_ARRAY) {
            type = type->array.element;
        } else if (type->kind == TYPE_CHANNEL) {
            type = type->channel.protocol;
        } else if (type->kind == TYPE_MOBILE) {
            type = type->element;
        } else {
            return type->kind == TYPE_BUNDLE_END ? type->bundle_end.bundle : type;
        }
    }
}

void note_same_name(Checker *checker, const Type *left, const Type *right) {
    const Type *one = definition_of(left);
    const Type *other = definition_of(right);
    bool are_two = one != other && one->name && one->name == other->name &&
                   location_is_known(one->at) && location_is_known(other->at);
    if (are_two) {
        diag_label(checker->diag, one->at, "one '%s'", one->name->bytes);
        diag_label(checker->diag, other->at, "another '%s'", one->name->bytes);
        diag_hint(checker->diag,
                  "two definitions are two types; let both units use the same one, by #USE or "
                  "#INCLUDE");
    }
}
