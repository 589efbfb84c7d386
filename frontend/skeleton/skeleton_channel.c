/* skeleton_channel -- which channel an element is. See skeleton_walk.h.
 *
 * Holds:  the elements of an array of channels are numbered as if it had one dimension. */
#include "skeleton_walk.h"

enum { CHANNELS_MOST = 250 }; /* of a model: Promela has numbers for 255 */

static const Type *leaf_of(const Type *type) {
    return type ? type_base(type_value(type_leaf(type_value(type)))) : NULL;
}

bool skeleton_is_channel(const Type *type) {
    const Type *leaf = leaf_of(type);
    bool is_fixed = leaf && type_content(type_leaf(type)) == type_leaf(type);
    return is_fixed && (leaf->kind == TYPE_CHANNEL || type_is_sync(leaf));
}

bool skeleton_is_shared(const Type *type) {
    const Type *leaf = leaf_of(type);
    return leaf->kind == TYPE_CHANNEL &&
           (leaf->channel.is_shared_input || leaf->channel.is_shared_output);
}

bool skeleton_connects(const Type *type) {
    const Type *leaf = leaf_of(type);
    return leaf && (leaf->kind == TYPE_CHANNEL || leaf->kind == TYPE_BUNDLE_END ||
                    type_is_clock(type_content(leaf)) || type_is_sync(leaf) || type_is_box(leaf));
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

void skeleton_bind(SkeletonWalk *walk, const Symbol *symbol, SkeletonRef *ref) {
    symbol_map_set(walk->arena, &walk->names.refs, symbol, ref);
}

/* The largest value of a tag and one; 0: the protocol has none. */
static int64_t tags_of(const Type *protocol) {
    int64_t most = 0;
    for (size_t i = 0; protocol->kind == TYPE_VARIANT && i < protocol->variant.tag_count; i++) {
        int64_t value = protocol->variant.tags[i].value;
        most = value >= most ? value + 1 : most;
    }
    return most;
}

static SkeletonChannel *add_channel(SkeletonWalk *walk, const Symbol *symbol, int64_t count) {
    SkeletonChannel *channel = arena_new(walk->arena, SkeletonChannel);
    const Type *leaf = leaf_of(symbol->type);
    channel->number = (unsigned)walk->skeleton->channels.count;
    channel->name = symbol->name->bytes;
    channel->at = symbol->at;
    channel->count = count;
    channel->repeats = walk->repeats;
    channel->is_mutex = leaf->kind == TYPE_MUTEX;
    if (leaf->kind == TYPE_CHANNEL) {
        channel->is_shared = skeleton_is_shared(symbol->type);
        channel->tags = tags_of(type_base(leaf->channel.protocol));
    }
    array_push(walk->arena, &walk->skeleton->channels, channel);
    if (leaf->kind == TYPE_CHANNEL) {
        skeleton_open(walk, channel);
    } else if (!channel->is_mutex) {
        skeleton_declare_sync(walk, channel);
    }
    return channel;
}

void skeleton_declare(SkeletonWalk *walk, const Symbol *symbol) {
    int64_t count = channels_of(symbol->type);
    walk->channels += count;
    if (count < 0 || walk->channels > CHANNELS_MOST) {
        walk->channels -= count;
        skeleton_refuse(walk, symbol->at,
                        count < 0 ? "channels in a model whose number is not known"
                                  : "a model of more than 250 channels");
        return;
    }
    SkeletonRef *ref = arena_new(walk->arena, SkeletonRef);
    ref->channel = add_channel(walk, symbol, count);
    ref->first = skeleton_number(walk->arena, 0);
    ref->type = symbol->type;
    ref->length = length_of(symbol->type);
    skeleton_bind(walk, symbol, ref);
}

/* That it is always ready does not mean that nobody holds it. */
void skeleton_bind_outside(SkeletonWalk *walk, const Symbol *symbol) {
    bool is_shared = skeleton_is_shared(symbol->type);
    SkeletonRef *ref = arena_new(walk->arena, SkeletonRef);
    ref->type = symbol->type;
    ref->length = -1;
    if (is_shared && type_is_array(symbol->type)) {
        skeleton_refuse(walk, symbol->at, "shared channels of the world outside, in a model");
    } else if (is_shared) {
        ref->lock = add_channel(walk, symbol, 1);
        ref->first = skeleton_number(walk->arena, 0);
    }
    skeleton_bind(walk, symbol, ref);
}

SkeletonPlace skeleton_place(const SkeletonRef *ref) {
    return ref ? (SkeletonPlace){ref->channel, ref->first} : (SkeletonPlace){NULL, NULL};
}

/* ---- elements ---- */

static SkeletonRef *copy_of(SkeletonWalk *walk, const SkeletonRef *ref) {
    SkeletonRef *copy = arena_new(walk->arena, SkeletonRef);
    *copy = *ref;
    return copy;
}

static void move_on(SkeletonWalk *walk, SkeletonRef *ref, const SkeletonValue *by, int64_t each) {
    const SkeletonValue *distance = skeleton_operation(walk->arena, by, OPERATOR_MULTIPLY,
                                                       skeleton_number(walk->arena, each), NULL);
    ref->first = skeleton_operation(walk->arena, distance, OPERATOR_ADD, ref->first, NULL);
}

/* A subscript that is not known, or may change, is chosen by a step. */
static const SkeletonValue *subscript_of(SkeletonWalk *walk, const Node *node, int64_t length) {
    const SkeletonValue *index = skeleton_value(walk, node->subscript.index);
    bool changes = index->kind != VALUE_NUMBER && walk->with_data;
    return skeleton_has_any(index) || changes ? skeleton_pick(walk, index, length, node->at)
                                              : index;
}

static SkeletonRef *refer_subscript(SkeletonWalk *walk, const Node *node) {
    const SkeletonRef *base = skeleton_refer(walk, node->subscript.base);
    if (!base || !base->channel) {
        return base ? copy_of(walk, base) : NULL;
    }
    SkeletonRef *ref = copy_of(walk, base);
    ref->type = type_element(base->type, 1);
    ref->length = length_of(ref->type);
    int64_t each = channels_of(ref->type);
    const SkeletonValue *index = skeleton_value(walk, node->subscript.index);
    bool is_wrong = index->kind == VALUE_NUMBER && base->length >= 0 &&
                    (index->number < 0 || index->number >= base->length);
    if (each < 0 || is_wrong || (index->kind != VALUE_NUMBER && base->length < 1)) {
        skeleton_refuse(walk, node->at, "an element of an array whose size is not known here");
        return NULL;
    }
    move_on(walk, ref, subscript_of(walk, node, base->length), each);
    return ref;
}

static SkeletonRef *refer_segment(SkeletonWalk *walk, const Node *node) {
    const SkeletonRef *base = skeleton_refer(walk, node->segment.base);
    if (!base || !base->channel) {
        return base ? copy_of(walk, base) : NULL;
    }
    SkeletonRef *ref = copy_of(walk, base);
    const SkeletonValue *from = node->segment.from ? skeleton_value(walk, node->segment.from)
                                                   : skeleton_number(walk->arena, 0);
    const SkeletonValue *length =
        node->segment.length ? skeleton_value(walk, node->segment.length) : NULL;
    int64_t each = channels_of(type_element(base->type, 1));
    if (from->kind != VALUE_NUMBER || each < 0 || (length && length->kind != VALUE_NUMBER)) {
        skeleton_refuse(walk, node->at, "a part of an array that is not known here");
        return NULL;
    }
    ref->length = length ? length->number : base->length >= 0 ? base->length - from->number : -1;
    move_on(walk, ref, from, each);
    return ref;
}

SkeletonRef *skeleton_refer(SkeletonWalk *walk, const Node *element) {
    SkeletonRef *ref = NULL;
    switch (element->kind) {
    case NODE_NAME:
        ref = element->name.symbol ? symbol_map_get(&walk->names.refs, element->name.symbol) : NULL;
        break;
    case NODE_SUBSCRIPT: return refer_subscript(walk, element);
    case NODE_SEGMENT: return refer_segment(walk, element);
    case NODE_END: return skeleton_refer(walk, element->end.channel);
    default: break;
    }
    if (!ref) {
        skeleton_refuse(walk, element->at, "a channel that moves, or one of a table, in a model");
    }
    return ref;
}
