/* type_recursive -- what an object may own at any depth, where types may contain themselves.
 *
 * Holds: a record is expanded once, so each question ends, and soon. */
#include "types.h"

#include "arena.h"
#include "array.h"

/* Seen -- the records that a walk has visited, on any path: what they hold is known. */
typedef struct Seen {
    Arena *arena; /* NULL: none yet */
    ARRAY_OF(const Type *) records;
} Seen;

/* Mark the record as visited; false: it was already. */
static bool see(Seen *seen, const Type *record) {
    for (size_t i = 0; i < seen->records.count; i++) {
        if (seen->records.items[i] == record) {
            return false;
        }
    }
    seen->arena = seen->arena ? seen->arena : arena_create();
    array_push(seen->arena, &seen->records, record);
    return true;
}

static bool answer(bool found, Seen *seen) {
    if (seen->arena) {
        arena_destroy(seen->arena);
    }
    return found;
}

bool type_is_recursive(const Type *type) {
    const Type *record = type_base(type_content(type));
    return record->kind == TYPE_RECORD && record->record.is_recursive;
}

const Type *type_given(const Type *type) {
    return type_is_mobile(type) && type_is_recursive(type) ? type : type_value(type);
}

/* ---- what can be reached ---- */

/* record NULL: any forward declaration */
static bool reaches(const Type *from, const Type *record, Seen *seen) {
    const Type *leaf = type_base(type_leaf(from));
    if (leaf->kind == TYPE_MOBILE) {
        const Type *content = type_base(leaf->element);
        bool is_it = record ? content == record
                            : content->kind == TYPE_RECORD && content->record.is_announced;
        return is_it || reaches(content, record, seen);
    }
    if (leaf->kind != TYPE_RECORD || !see(seen, leaf)) {
        return false;
    }
    for (size_t i = 0; i < leaf->record.field_count; i++) {
        if (reaches(leaf->record.fields[i].type, record, seen)) {
            return true;
        }
    }
    return false;
}

bool type_reaches(const Type *from, const Type *record) {
    Seen seen = {0};
    return answer(reaches(from, record, &seen), &seen);
}

bool type_reaches_announced(const Type *type) {
    Seen seen = {0};
    return answer(reaches(type, NULL, &seen), &seen);
}

/* ---- CLONE ---- */

static bool fields_can_be_cloned(const Type *record, bool with_ends, Seen *seen);

/* with_ends: also what is inside shared ends */
static bool can_be_cloned(const Type *type, bool with_ends, Seen *seen) {
    const Type *leaf = type_base(type_leaf(type));
    if (leaf->kind == TYPE_BUNDLE_END) {
        return with_ends && leaf->bundle_end.is_shared;
    }
    if (leaf->kind == TYPE_RECORD) {
        return !see(seen, leaf) || fields_can_be_cloned(leaf, with_ends, seen);
    }
    if (leaf->kind == TYPE_MOBILE) {
        return can_be_cloned(leaf->element, with_ends, seen);
    }
    return !type_is_box(leaf) && leaf->kind != TYPE_PROC_TYPE && leaf->kind != TYPE_CHANNEL &&
           !type_is_clock(leaf);
}

static bool fields_can_be_cloned(const Type *record, bool with_ends, Seen *seen) {
    for (size_t i = 0; i < record->record.field_count; i++) {
        if (!can_be_cloned(record->record.fields[i].type, with_ends, seen)) {
            return false;
        }
    }
    return true;
}

bool type_can_be_cloned(const Type *type) {
    Seen seen = {0};
    return answer(can_be_cloned(type, true, &seen), &seen);
}

bool type_is_all_data(const Type *type) {
    Seen seen = {0};
    return answer(can_be_cloned(type, false, &seen), &seen);
}

/* ---- machines ---- */

static bool can_leave(const Type *type, Seen *seen);

static bool fields_can_leave(const Type *record, Seen *seen) {
    for (size_t i = 0; i < record->record.field_count; i++) {
        if (!can_leave(record->record.fields[i].type, seen)) {
            return false;
        }
    }
    return true;
}

static bool items_can_leave(const Type **items, size_t count, Seen *seen) {
    for (size_t i = 0; i < count; i++) {
        if (!can_leave(items[i], seen)) {
            return false;
        }
    }
    return true;
}

static bool tags_can_leave(const Type *variant, Seen *seen) {
    for (size_t i = 0; i < variant->variant.tag_count; i++) {
        const TypeTag *tag = &variant->variant.tags[i];
        if (!items_can_leave(tag->items, tag->item_count, seen)) {
            return false;
        }
    }
    return true;
}

static bool can_leave(const Type *type, Seen *seen) {
    const Type *leaf = type_base(type_leaf(type));
    switch (leaf->kind) {
    case TYPE_RECORD: return !see(seen, leaf) || fields_can_leave(leaf, seen);
    case TYPE_MOBILE:
        return type_leaf(leaf->element)->kind != TYPE_CHANNEL && can_leave(leaf->element, seen);
    case TYPE_BUNDLE_END:
        return !leaf->bundle_end.is_shared && can_leave(leaf->bundle_end.bundle, seen);
    case TYPE_BUNDLE: return !see(seen, leaf) || fields_can_leave(leaf, seen);
    case TYPE_CHANNEL: return can_leave(leaf->channel.protocol, seen);
    case TYPE_SEQUENCE:
        return items_can_leave(leaf->sequence.items, leaf->sequence.item_count, seen);
    case TYPE_VARIANT: return tags_can_leave(leaf, seen);
    case TYPE_COUNTED: return can_leave(leaf->counted.element, seen);
    default: return type_is_error(leaf) || (type_is_data(leaf) && !type_owns(leaf));
    }
}

bool type_can_leave(const Type *type) {
    Seen seen = {0};
    return answer(can_leave(type, &seen), &seen);
}
