/* skeleton_channel -- which channel of the model an element is. See skeleton.h.
 *
 * Holds:  the elements of an array of channels are numbered as if it had one dimension. */
#include "skeleton.h"

#include <inttypes.h>

enum { CHANNELS_MOST = 250 }; /* of a model: Promela has numbers for 255 */

static const Type *leaf_of(const Type *type) {
    return type ? type_base(type_value(type_leaf(type_value(type)))) : NULL;
}

bool skeleton_is_channel(const Type *type) {
    const Type *leaf = leaf_of(type);
    bool is_fixed = leaf && type_content(type_leaf(type)) == type_leaf(type);
    return is_fixed && (leaf->kind == TYPE_CHANNEL || leaf->kind == TYPE_MUTEX);
}

bool skeleton_connects(const Type *type) {
    const Type *leaf = leaf_of(type);
    return leaf && (leaf->kind == TYPE_CHANNEL || leaf->kind == TYPE_BUNDLE_END ||
                    type_is_clock(type_content(leaf)) || type_is_sync(leaf));
}

/* How many channels an object of the type is; -1: not known. */
static int64_t channels_of(const Type *type) {
    int64_t count = 1;
    for (; type && type_is_array(type); type = type_element(type, 1)) {
        int64_t length = type_base(type)->array.count;
        if (length < 0 || count > CHANNELS_MOST) {
            return -1;
        }
        count *= length;
    }
    return count;
}

static int64_t length_of(const Type *type) {
    return type && type_is_array(type) ? type_base(type)->array.count : 1;
}

void skeleton_bind(Skeleton *skeleton, const Symbol *symbol, SkeletonRef *ref) {
    symbol_map_set(skeleton->arena, &skeleton->refs, symbol, ref);
}

static void declare_channels(Skeleton *skeleton, SkeletonRef *ref, int64_t count) {
    const Type *leaf = leaf_of(ref->type);
    text_add(&skeleton->globals, "chan %s[%" PRId64 "] = [0] of {short};\n", ref->name, count);
    if (skeleton->has_extended) {
        text_add(&skeleton->globals, "chan %s_answer[%" PRId64 "] = [0] of {short};\n", ref->name,
                 count);
    }
    if (leaf->channel.is_shared_input || leaf->channel.is_shared_output) {
        ref->claimed = arena_format(skeleton->arena, "%s_claimed", ref->name);
        text_add(&skeleton->globals, "bool %s_in[%" PRId64 "];\nbool %s_out[%" PRId64 "];\n",
                 ref->claimed, count, ref->claimed, count);
    }
}

void skeleton_declare(Skeleton *skeleton, const Symbol *symbol) {
    int64_t count = channels_of(symbol->type);
    bool is_mutex = leaf_of(symbol->type)->kind == TYPE_MUTEX;
    if (!is_mutex && count >= 0) {
        skeleton->channels += skeleton->has_extended ? 2 * count : count;
    }
    if (count < 0 || count > CHANNELS_MOST || skeleton->channels > CHANNELS_MOST) {
        skeleton_refuse(skeleton, symbol->at, "a model of more than 250 channels");
        return;
    }
    SkeletonRef *ref = arena_new(skeleton->arena, SkeletonRef);
    ref->name = skeleton_name(skeleton, is_mutex ? "m" : "c", symbol->name->bytes);
    ref->type = symbol->type;
    ref->length = length_of(symbol->type);
    count = count > 0 ? count : 1; /* Promela has no array without elements */
    if (is_mutex) {
        text_add(&skeleton->globals, "bool %s[%" PRId64 "];\n", ref->name, count);
    } else {
        declare_channels(skeleton, ref, count);
    }
    skeleton_bind(skeleton, symbol, ref);
}

const char *skeleton_lock(Skeleton *skeleton, const SkeletonRef *ref, Direction direction) {
    if (ref->name && leaf_of(ref->type)->kind == TYPE_MUTEX) {
        return skeleton_channel(skeleton, ref, ref->name);
    }
    const char *side = direction == DIRECTION_INPUT ? "in" : "out";
    return ref->claimed
               ? skeleton_channel(skeleton, ref,
                                  arena_format(skeleton->arena, "%s_%s", ref->claimed, side))
               : NULL;
}

/* ---- elements ---- */

/* A number that the model chooses. */
static SkeletonValue any_below(Skeleton *skeleton, int64_t count) {
    const char *name = skeleton_name(skeleton, "any", NULL);
    skeleton_line(skeleton, "int %s; select (%s : 0 .. %" PRId64 ");", name, name, count - 1);
    return (SkeletonValue){.text = name};
}

static SkeletonRef *copy_of(Skeleton *skeleton, const SkeletonRef *ref) {
    SkeletonRef *copy = arena_new(skeleton->arena, SkeletonRef);
    *copy = *ref;
    return copy;
}

static void move_on(Skeleton *skeleton, SkeletonRef *ref, SkeletonValue by, int64_t each) {
    SkeletonValue distance = skeleton_combine(skeleton, by, '*', (SkeletonValue){.number = each});
    ref->first = skeleton_combine(skeleton, ref->first, '+', distance);
}

static SkeletonRef *refer_subscript(Skeleton *skeleton, const Node *node) {
    const SkeletonRef *base = skeleton_refer(skeleton, node->subscript.base);
    if (!base || !base->name) {
        return base ? copy_of(skeleton, base) : NULL;
    }
    SkeletonRef *ref = copy_of(skeleton, base);
    SkeletonValue index;
    ref->type = type_element(base->type, 1);
    ref->length = length_of(ref->type);
    bool is_known = skeleton_value(skeleton, node->subscript.index, &index);
    int64_t each = channels_of(ref->type);
    if (each < 0 || (!is_known && base->length < 1)) {
        skeleton_refuse(skeleton, node->at, "an element of an array whose size is not known here");
        return NULL;
    }
    move_on(skeleton, ref, is_known ? index : any_below(skeleton, base->length), each);
    return ref;
}

static SkeletonRef *refer_segment(Skeleton *skeleton, const Node *node) {
    const SkeletonRef *base = skeleton_refer(skeleton, node->segment.base);
    if (!base || !base->name) {
        return base ? copy_of(skeleton, base) : NULL;
    }
    SkeletonRef *ref = copy_of(skeleton, base);
    SkeletonValue from = {0};
    SkeletonValue length = {.number = -1};
    bool is_known =
        (!node->segment.from || skeleton_value(skeleton, node->segment.from, &from)) &&
        (!node->segment.length || skeleton_value(skeleton, node->segment.length, &length));
    int64_t each = channels_of(type_element(base->type, 1));
    if (!is_known || each < 0 || length.text) {
        skeleton_refuse(skeleton, node->at, "a part of an array that is not known here");
        return NULL;
    }
    ref->length = node->segment.length              ? length.number
                  : base->length >= 0 && !from.text ? base->length - from.number
                                                    : -1;
    move_on(skeleton, ref, from, each);
    return ref;
}

SkeletonRef *skeleton_refer(Skeleton *skeleton, const Node *element) {
    SkeletonRef *ref = NULL;
    switch (element->kind) {
    case NODE_NAME:
        ref = element->name.symbol ? symbol_map_get(&skeleton->refs, element->name.symbol) : NULL;
        break;
    case NODE_SUBSCRIPT: return refer_subscript(skeleton, element);
    case NODE_SEGMENT: return refer_segment(skeleton, element);
    case NODE_END: return skeleton_refer(skeleton, element->end.channel);
    default: break;
    }
    if (!ref) {
        skeleton_refuse(skeleton, element->at,
                        "a channel that moves, or one of a table, in a model");
    }
    return ref;
}

const char *skeleton_channel(Skeleton *skeleton, const SkeletonRef *ref, const char *array) {
    return arena_format(skeleton->arena, "%s[%s]", array, skeleton_text(skeleton, ref->first));
}

const char *skeleton_answer(Skeleton *skeleton, const SkeletonRef *ref) {
    return skeleton->has_extended && ref->name
               ? skeleton_channel(skeleton, ref,
                                  arena_format(skeleton->arena, "%s_answer", ref->name))
               : NULL;
}

int skeleton_tag(const Node *output) {
    const NodeList *items = &output->output.items;
    bool has_tag = items->count > 0 && items->items[0]->kind == NODE_TAG_USE;
    return has_tag ? (int)items->items[0]->tag_use.index + 1 : 0;
}
