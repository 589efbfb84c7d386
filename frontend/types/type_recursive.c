/* type_recursive -- what an object may own at any remove, where types may contain themselves.
 *
 * Holds: a record is gone into once on every way down, so each question ends. */
#include "types.h"

/* Above -- the records that a walk is inside of. */
typedef struct Above {
    const Type *record;
    const struct Above *above;
} Above;

static bool is_inside(const Above *above, const Type *record) {
    for (; above; above = above->above) {
        if (above->record == record) {
            return true;
        }
    }
    return false;
}

bool type_is_recursive(const Type *type) {
    const Type *record = type_base(type_content(type));
    return record->kind == TYPE_RECORD && record->record.is_recursive;
}

const Type *type_given(const Type *type) {
    return type_is_mobile(type) && type_is_recursive(type) ? type : type_value(type);
}

/* ---- what can be reached ---- */

/* record NULL: any that is announced */
static bool reaches(const Type *from, const Type *record, const Above *above) {
    const Type *leaf = type_base(type_leaf(from));
    if (leaf->kind == TYPE_MOBILE) {
        const Type *content = type_base(leaf->element);
        bool is_it = record ? content == record
                            : content->kind == TYPE_RECORD && content->record.is_announced;
        return is_it || reaches(content, record, above);
    }
    if (leaf->kind != TYPE_RECORD || is_inside(above, leaf)) {
        return false;
    }
    Above here = {leaf, above};
    for (size_t i = 0; i < leaf->record.field_count; i++) {
        if (reaches(leaf->record.fields[i].type, record, &here)) {
            return true;
        }
    }
    return false;
}

bool type_reaches(const Type *from, const Type *record) {
    return reaches(from, record, NULL);
}

bool type_reaches_announced(const Type *type) {
    return reaches(type, NULL, NULL);
}

/* ---- CLONE ---- */

static bool fields_can_be_cloned(const Type *record, const Above *above);

static bool can_be_cloned(const Type *type, const Above *above) {
    const Type *leaf = type_base(type_leaf(type));
    if (leaf->kind == TYPE_BUNDLE_END) {
        return leaf->bundle_end.is_shared;
    }
    if (leaf->kind == TYPE_RECORD) {
        return is_inside(above, leaf) || fields_can_be_cloned(leaf, above);
    }
    if (leaf->kind == TYPE_MOBILE) {
        return can_be_cloned(leaf->element, above);
    }
    return !type_is_box(leaf) && leaf->kind != TYPE_PROC_TYPE && leaf->kind != TYPE_CHANNEL &&
           !type_is_clock(leaf);
}

static bool fields_can_be_cloned(const Type *record, const Above *above) {
    Above here = {record, above};
    for (size_t i = 0; i < record->record.field_count; i++) {
        if (!can_be_cloned(record->record.fields[i].type, &here)) {
            return false;
        }
    }
    return true;
}

bool type_can_be_cloned(const Type *type) {
    return can_be_cloned(type, NULL);
}
