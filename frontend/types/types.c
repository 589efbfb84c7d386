/* types -- the primitive types, making others, and what checks and code generation ask of one.
 *
 * Leaves: relations of two types to type_relation.c, sizes and layout to type_layout.c, names for
 *         messages to type_name.c. */
#include "types.h"

#define MOBILE_MIN_BYTES 8 /* no longer ones are copied, as in KRoC */

static const Type primitive_types[] = {
    [TYPE_ERROR] = {.kind = TYPE_ERROR},
    [TYPE_BOOL] = {.kind = TYPE_BOOL},
    [TYPE_BYTE] = {.kind = TYPE_BYTE},
    [TYPE_INT] = {.kind = TYPE_INT},
    [TYPE_INT16] = {.kind = TYPE_INT16},
    [TYPE_INT32] = {.kind = TYPE_INT32},
    [TYPE_INT64] = {.kind = TYPE_INT64},
    [TYPE_UINT] = {.kind = TYPE_UINT},
    [TYPE_UINT16] = {.kind = TYPE_UINT16},
    [TYPE_UINT32] = {.kind = TYPE_UINT32},
    [TYPE_UINT64] = {.kind = TYPE_UINT64},
    [TYPE_REAL32] = {.kind = TYPE_REAL32},
    [TYPE_REAL64] = {.kind = TYPE_REAL64},
    [TYPE_TIMER] = {.kind = TYPE_TIMER},
    [TYPE_ANY] = {.kind = TYPE_ANY},
    [TYPE_BARRIER] = {.kind = TYPE_BARRIER},
    [TYPE_CLOCK] = {.kind = TYPE_CLOCK},
    [TYPE_MUTEX] = {.kind = TYPE_MUTEX},
    [TYPE_SYNC] = {.kind = TYPE_SYNC},
    [TYPE_MOBILE_CHAN] = {.kind = TYPE_MOBILE_CHAN},
    [TYPE_MOBILE_PROC] = {.kind = TYPE_MOBILE_PROC},
    [TYPE_MOBILE_ANY] = {.kind = TYPE_MOBILE_ANY},
};

const Type *type_primitive(TypeKind kind) {
    return &primitive_types[kind];
}

const Type *type_any_data(void) {
    static const Type any = {.kind = TYPE_RECORD, .record = {.size_bytes = 16, .align_bytes = 8}};
    return &any;
}

const Type *type_array(Arena *arena, const Type *element, int64_t count) {
    Type *type = arena_new(arena, Type);
    type->kind = TYPE_ARRAY;
    type->array.element = element;
    type->array.count = count;
    return type;
}

const Type *type_channel(Arena *arena, const Type *protocol, Direction direction) {
    Type *type = arena_new(arena, Type);
    type->kind = TYPE_CHANNEL;
    type->channel.protocol = protocol;
    type->channel.direction = direction;
    return type;
}

static const Type *with_sharing(Arena *arena, const Type *type, bool input, bool output) {
    if (type->kind == TYPE_ARRAY) {
        const Type *element = with_sharing(arena, type->array.element, input, output);
        return element == type->array.element ? type
                                              : type_array(arena, element, type->array.count);
    }
    if (type->kind != TYPE_CHANNEL ||
        (type->channel.is_shared_input == input && type->channel.is_shared_output == output)) {
        return type;
    }
    Type *end = arena_copy(arena, type, sizeof *type);
    end->channel.is_shared_input = input;
    end->channel.is_shared_output = output;
    return end;
}

const Type *type_channel_end(Arena *arena, const Type *type, Direction direction) {
    const Type *leaf = type_leaf(type);
    if (leaf->kind != TYPE_CHANNEL || direction == DIRECTION_NONE) {
        return type;
    }
    return with_sharing(arena, type, direction == DIRECTION_INPUT && leaf->channel.is_shared_input,
                        direction == DIRECTION_OUTPUT && leaf->channel.is_shared_output);
}

const Type *type_bundle_end(Arena *arena, const Type *bundle, Direction direction, bool is_shared) {
    Type *type = arena_new(arena, Type);
    type->kind = TYPE_BUNDLE_END;
    type->bundle_end.bundle = bundle;
    type->bundle_end.direction = direction;
    type->bundle_end.is_shared = is_shared;
    return type;
}

bool type_is_bundle_end(const Type *type) {
    return type_base(type)->kind == TYPE_BUNDLE_END;
}

bool type_is_shared(const Type *type) {
    const Type *leaf = type_base(type_leaf(type));
    return leaf->kind == TYPE_BUNDLE_END
               ? leaf->bundle_end.is_shared
               : leaf->kind == TYPE_CHANNEL &&
                     (leaf->channel.is_shared_input || leaf->channel.is_shared_output);
}

const Type *type_claimed(Arena *arena, const Type *type) {
    if (type->kind == TYPE_BUNDLE_END) {
        return type_bundle_end(arena, type->bundle_end.bundle, type->bundle_end.direction, false);
    }
    return with_sharing(arena, type, false, false);
}

const Type *type_base(const Type *type) {
    while (type->kind == TYPE_NAMED) {
        type = type->underlying;
    }
    return type;
}

/* The error type, or an array of it. */
bool type_is_error(const Type *type) {
    while (type->kind == TYPE_ARRAY) {
        type = type->array.element;
    }
    return type->kind == TYPE_ERROR;
}

bool type_is_integer(const Type *type) {
    TypeKind kind = type_base(type)->kind;
    return kind >= TYPE_BYTE && kind <= TYPE_UINT64;
}

bool type_is_real(const Type *type) {
    TypeKind kind = type_base(type)->kind;
    return kind == TYPE_REAL32 || kind == TYPE_REAL64;
}

bool type_is_scalar(const Type *type) {
    TypeKind kind = type_base(type)->kind;
    return kind >= TYPE_BOOL && kind <= TYPE_REAL64;
}

const Type *type_leaf(const Type *type) {
    const Type *base = type_base(type);
    while (base->kind == TYPE_ARRAY) {
        type = base->array.element;
        base = type_base(type);
    }
    return type;
}

bool type_is_data(const Type *type) {
    const Type *leaf = type_base(type_leaf(type));
    return type_is_scalar(leaf) || leaf->kind == TYPE_RECORD || leaf->kind == TYPE_MOBILE ||
           leaf->kind == TYPE_BUNDLE_END || type_is_box(leaf) || leaf->kind == TYPE_ERROR;
}

bool type_is_sync(const Type *type) {
    TypeKind kind = type_base(type_leaf(type))->kind;
    return kind == TYPE_MUTEX || kind == TYPE_SYNC;
}

bool type_is_mutex(const Type *type) {
    return type_base(type)->kind == TYPE_MUTEX;
}

bool type_is_mobile(const Type *type) {
    return type_base(type)->kind == TYPE_MOBILE;
}

const Type *type_content(const Type *type) {
    return type_is_mobile(type) ? type_base(type)->element : type;
}

const Type *type_mobile_scalar(const Type *type) {
    const Type *content = type_is_mobile(type) ? type_base(type)->element : NULL;
    bool is_one = content && content->kind == TYPE_ARRAY && content->array.count == 1;
    return is_one && type_is_scalar(content->array.element) ? content->array.element : NULL;
}

const Type *type_value(const Type *type) {
    const Type *scalar = type_mobile_scalar(type);
    return scalar ? scalar : type_content(type);
}

bool type_is_clock(const Type *type) {
    return type->kind == TYPE_CLOCK || type->kind == TYPE_BARRIER;
}

bool type_owns(const Type *type) {
    const Type *leaf = type_base(type_leaf(type));
    return leaf->kind == TYPE_MOBILE || leaf->kind == TYPE_BUNDLE_END || type_is_box(leaf) ||
           (leaf->kind == TYPE_RECORD && leaf->record.owns);
}

bool type_is_box(const Type *type) {
    TypeKind kind = type_base(type)->kind;
    return kind == TYPE_MOBILE_CHAN || kind == TYPE_MOBILE_PROC || kind == TYPE_MOBILE_ANY;
}

/* An end of a bundle with a direction and sharing that the box accepts. */
static bool boxes_end(const Type *box, const Type *held) {
    bool asks = box->kind == TYPE_MOBILE_CHAN && box->bundle_end.direction != DIRECTION_NONE;
    bool asks_shared = box->kind == TYPE_MOBILE_CHAN && box->bundle_end.is_shared;
    return held->kind == TYPE_BUNDLE_END &&
           (!asks || box->bundle_end.direction == held->bundle_end.direction) &&
           (!asks_shared || held->bundle_end.is_shared);
}

bool type_boxes(const Type *box, const Type *held) {
    box = type_base(box);
    held = type_base(held);
    bool is_process = held->kind == TYPE_MOBILE && held->element->kind == TYPE_PROC_TYPE;
    if (box->kind == TYPE_MOBILE_CHAN) {
        return boxes_end(box, held);
    }
    if (box->kind == TYPE_MOBILE_PROC) {
        return is_process;
    }
    return box->kind == TYPE_MOBILE_ANY &&
           (held->kind == TYPE_BUNDLE_END ||
            (held->kind == TYPE_MOBILE && !type_is_clock(held->element)));
}

const Type *type_mobile(Arena *arena, const Type *element) {
    const Type *base = type_base(element);
    bool is_small = (base->kind == TYPE_ARRAY || base->kind == TYPE_RECORD) &&
                    !type_has_open_dimension(base) && type_size(base) <= MOBILE_MIN_BYTES;
    if (base->kind == TYPE_MOBILE || base->kind == TYPE_BUNDLE_END ||
        (is_small && !type_owns(element))) {
        return element;
    }
    Type *type = arena_new(arena, Type);
    type->kind = TYPE_MOBILE;
    type->element = type_is_scalar(base) ? type_array(arena, element, 1) : element;
    return type;
}

bool type_is_channel(const Type *type) {
    return type_leaf(type)->kind == TYPE_CHANNEL;
}

bool type_is_array(const Type *type) {
    return type_base(type)->kind == TYPE_ARRAY;
}

bool type_is_port(const Type *type) {
    return type_leaf(type)->kind == TYPE_PORT;
}

bool type_is_timer(const Type *type) {
    return type_leaf(type)->kind == TYPE_TIMER;
}

unsigned type_open_dimensions(const Type *type) {
    unsigned open = 0;
    for (const Type *at = type_base(type); at->kind == TYPE_ARRAY;
         at = type_base(at->array.element)) {
        open += at->array.count == ARRAY_OPEN;
    }
    return open;
}

bool type_has_open_dimension(const Type *type) {
    for (const Type *at = type_base(type); at->kind == TYPE_ARRAY;
         at = type_base(at->array.element)) {
        if (at->array.count == ARRAY_OPEN) {
            return true;
        }
    }
    return false;
}

const Type *type_element(const Type *array, unsigned depth) {
    const Type *type = array;
    for (; depth > 0 && type_is_array(type); depth--) {
        type = type_base(type)->array.element;
    }
    return type;
}

unsigned type_rank(const Type *type) {
    unsigned rank = 0;
    for (const Type *at = type_base(type); at->kind == TYPE_ARRAY;
         at = type_base(at->array.element)) {
        rank++;
    }
    return rank;
}

const Type *type_with_counts(Arena *arena, const Type *formal, const Type *actual) {
    if (formal->kind != TYPE_ARRAY || actual->kind != TYPE_ARRAY) {
        return formal;
    }
    const Type *element = type_with_counts(arena, formal->array.element, actual->array.element);
    int64_t count = formal->array.count == ARRAY_OPEN ? actual->array.count : formal->array.count;
    if (element == formal->array.element && count == formal->array.count) {
        return formal;
    }
    return type_array(arena, element, count);
}

const TypeField *type_field(const Type *record, const Text *name, size_t *index) {
    for (size_t i = 0; i < record->record.field_count; i++) {
        if (record->record.fields[i].name == name) {
            if (index) {
                *index = i;
            }
            return &record->record.fields[i];
        }
    }
    return NULL;
}

const TypeTag *type_tag(const Type *variant, const Text *name, size_t *index) {
    for (size_t i = 0; i < variant->variant.tag_count; i++) {
        if (variant->variant.tags[i].name == name) {
            if (index) {
                *index = i;
            }
            return &variant->variant.tags[i];
        }
    }
    return NULL;
}
