/* network_ref -- what the names of channels, clocks, ends of bundles and shared objects stand for.
 * See network_walk.h.
 *
 * Holds: the elements of an array of channels are numbered as if it had one dimension. */
#include "network_walk.h"

#include <inttypes.h>

static const Type *connecting(const Type *type) {
    return type ? type_base(type_value(type_leaf(type_value(type)))) : NULL;
}

bool network_connects(const Type *type) {
    const Type *leaf = connecting(type);
    return leaf && (leaf->kind == TYPE_CHANNEL || leaf->kind == TYPE_BUNDLE_END ||
                    type_is_clock(type_content(leaf)) || type_is_sync(leaf));
}

Direction network_direction(const Type *type) {
    const Type *leaf = connecting(type);
    return !leaf                           ? DIRECTION_NONE
           : leaf->kind == TYPE_CHANNEL    ? leaf->channel.direction
           : leaf->kind == TYPE_BUNDLE_END ? leaf->bundle_end.direction
                                           : DIRECTION_NONE;
}

static WireKind wire_kind(const Type *leaf) {
    return leaf->kind == TYPE_CHANNEL                 ? WIRE_CHANNEL
           : leaf->kind == TYPE_BUNDLE_END            ? WIRE_BUNDLE
           : type_content(leaf)->kind == TYPE_CLOCK   ? WIRE_CLOCK
           : type_content(leaf)->kind == TYPE_BARRIER ? WIRE_BARRIER
                                                      : WIRE_OBJECT;
}

static const char *wire_type(NetWalk *walk, const Type *leaf) {
    const Type *shown = leaf->kind == TYPE_CHANNEL      ? leaf->channel.protocol
                        : leaf->kind == TYPE_BUNDLE_END ? leaf->bundle_end.bundle
                                                        : leaf;
    return shown ? type_name(walk->arena, shown) : "";
}

static bool is_shared_type(const Type *leaf) {
    return leaf->kind == TYPE_CHANNEL
               ? leaf->channel.is_shared_input || leaf->channel.is_shared_output
           : leaf->kind == TYPE_BUNDLE_END ? leaf->bundle_end.is_shared
                                           : false;
}

static const char *extent_of(NetWalk *walk, const Type *type) {
    const char *text = "";
    for (; type_is_array(type); type = type_element(type, 1)) {
        int64_t count = type_base(type)->array.count;
        text = count < 0 ? arena_format(walk->arena, "%s[]", text)
                         : arena_format(walk->arena, "%s[%" PRId64 "]", text, count);
    }
    return text;
}

static NetRef *make_ref(NetWalk *walk, NetWire *wire, const Type *type) {
    NetRef *ref = arena_new(walk->arena, NetRef);
    ref->wire = wire;
    ref->type = type;
    ref->length = type && type_is_array(type) ? type_base(type)->array.count : -1;
    ref->subscript = "";
    return ref;
}

NetRef *network_declare(NetWalk *walk, const Text *name, const Type *type, Location at) {
    const Type *leaf = connecting(type);
    type = type_content(type);
    NetWire *wire =
        network_add_wire(walk->network, wire_kind(leaf), name->bytes, wire_type(walk, leaf), at);
    wire->is_shared = is_shared_type(leaf);
    wire->is_array = type_is_array(type);
    wire->extent = extent_of(walk, type);
    NetRef *ref = make_ref(walk, wire, type);
    ref->first = index_set_one(walk->arena, 0);
    return ref;
}

void network_bind(NetWalk *walk, const Symbol *symbol, NetRef *ref) {
    symbol_map_set(walk->arena, &walk->refs, symbol, ref);
}

/* ---- what moved out of sight ---- */

static const Type *hub_type(const Type *type) {
    const Type *leaf = connecting(type);
    return leaf->kind == TYPE_BUNDLE_END && leaf->bundle_end.bundle ? leaf->bundle_end.bundle
                                                                    : leaf;
}

/* The wire of all ends of the type whose way is not known. */
static NetWire *hub(NetWalk *walk, const Type *type) {
    const Type *which = hub_type(type);
    for (size_t i = 0; i < walk->hubs.count; i++) {
        if (walk->hubs.items[i].type == which) {
            return walk->hubs.items[i].wire;
        }
    }
    const Type *leaf = connecting(type);
    NetWire *wire = network_add_wire(walk->network, wire_kind(leaf), type_name(walk->arena, which),
                                     wire_type(walk, leaf), which->at);
    wire->is_mobile = true;
    wire->is_array = true;
    NetHub made = {which, wire};
    array_push(walk->arena, &walk->hubs, made);
    return wire;
}

void network_lose(NetWalk *walk, const NetRef *ref) {
    if (ref->wire && ref->wire->kind == WIRE_BUNDLE) {
        network_join(ref->wire, hub(walk, ref->type));
    }
    for (size_t i = 0; i < ref->parts.count; i++) {
        network_lose(walk, ref->parts.items[i]);
    }
}

/* ---- elements ---- */

/* How many wires an object of the type stands for; -1: not known. */
static int64_t wires_of(const Type *type) {
    int64_t count = 1;
    for (; type && type_is_array(type); type = type_element(type, 1)) {
        int64_t length = type_base(type)->array.count;
        if (length < 0 || count > INT32_MAX) {
            return -1;
        }
        count *= length;
    }
    return count;
}

static int64_t wires_of_ref(const NetRef *ref) {
    if (!ref->type || !type_is_array(ref->type)) {
        return 1;
    }
    int64_t each = wires_of(type_element(ref->type, 1));
    return ref->length < 0 || each < 0 ? -1 : ref->length * each;
}

static bool add(int64_t left, int64_t right, int64_t *result) {
    *result = left + right;
    return true;
}

static bool multiply(int64_t left, int64_t right, int64_t *result) {
    *result = (int64_t)((uint64_t)left * (uint64_t)right);
    return true;
}

/* The first elements, moved on by that many of `each`. */
static const IndexSet *moved_on(NetWalk *walk, const NetRef *ref, const IndexSet *by,
                                int64_t each) {
    if (each < 0 || !by) {
        return NULL;
    }
    const IndexSet *scale = index_set_one(walk->arena, each);
    const IndexSet *offset = index_set_combine(walk->arena, by, scale, multiply);
    return index_set_combine(walk->arena, ref->first, offset, add);
}

static NetRef *select_part(NetRef *table, const IndexSet *index) {
    bool is_one = index && index->count == 1 && index->values[0] >= 0 &&
                  (size_t)index->values[0] < table->parts.count;
    return is_one ? table->parts.items[index->values[0]] : table;
}

static NetRef *refer_subscript(NetWalk *walk, const Node *node) {
    NetRef *base = network_refer(walk, node->subscript.base);
    if (!base) {
        return NULL;
    }
    const IndexSet *index = network_value(walk, node->subscript.index);
    if (!base->wire) {
        return select_part(base, index);
    }
    const Type *type =
        base->type && type_is_array(base->type) ? type_element(base->type, 1) : node->type;
    NetRef *ref = make_ref(walk, base->wire, type);
    ref->first = moved_on(walk, base, index, wires_of(type));
    ref->subscript = arena_format(walk->arena, "%s[%s]", base->subscript,
                                  network_text(walk, node->subscript.index, index));
    return ref;
}

static NetRef *refer_segment(NetWalk *walk, const Node *node) {
    NetRef *base = network_refer(walk, node->segment.base);
    if (!base || !base->wire || !base->type || !type_is_array(base->type)) {
        return base;
    }
    NetRef *ref = make_ref(walk, base->wire, base->type);
    const IndexSet *zero = index_set_one(walk->arena, 0);
    const IndexSet *from = node->segment.from ? network_value(walk, node->segment.from) : zero;
    const IndexSet *length =
        node->segment.length ? network_value(walk, node->segment.length) : NULL;
    ref->first = moved_on(walk, base, from, wires_of(type_element(base->type, 1)));
    ref->length = length && length->count == 1 ? length->values[0] : -1;
    ref->subscript = base->subscript;
    return ref;
}

static NetRef *refer_table(NetWalk *walk, const Node *node) {
    NetRef *table = make_ref(walk, NULL, node->type);
    for (size_t i = 0; i < node->table.items.count; i++) {
        NetRef *part = network_refer(walk, node->table.items.items[i]);
        if (part) {
            array_push(walk->arena, &table->parts, part);
        }
    }
    table->length = (int64_t)table->parts.count;
    return table->parts.count ? table : NULL;
}

static NetRef *refer_unknown(NetWalk *walk, const Type *type) {
    if (!network_connects(type) || connecting(type)->kind == TYPE_CHANNEL) {
        return NULL;
    }
    return make_ref(walk, hub(walk, type), type);
}

static NetRef *refer_name(NetWalk *walk, const Node *node) {
    return node->name.symbol ? symbol_map_get(&walk->refs, node->name.symbol) : NULL;
}

static NetRef *refer_field(NetWalk *walk, const Node *node) {
    bool is_of_bundle = network_connects(node->field.base->type);
    return is_of_bundle ? network_refer(walk, node->field.base) : NULL;
}

static NetRef *refer_end(NetWalk *walk, const Node *node) {
    return network_refer(walk, node->end.channel);
}

static NetRef *refer_move(NetWalk *walk, const Node *node) {
    return network_refer(walk, node->move.element);
}

static NetRef *refer_clone(NetWalk *walk, const Node *node) {
    return network_refer(walk, node->clone.operand);
}

typedef NetRef *Refer(NetWalk *walk, const Node *node);

static Refer *const refers[NODE_KIND_COUNT] = {
    [NODE_NAME] = refer_name,   [NODE_SUBSCRIPT] = refer_subscript,
    [NODE_FIELD] = refer_field, [NODE_SEGMENT] = refer_segment,
    [NODE_END] = refer_end,     [NODE_MOVE] = refer_move,
    [NODE_CLONE] = refer_clone, [NODE_TABLE] = refer_table,
};

NetRef *network_refer(NetWalk *walk, const Node *element) {
    Refer *refer = refers[element->kind];
    NetRef *ref = refer ? refer(walk, element) : NULL;
    return refer && !ref ? refer_unknown(walk, element->type) : ref;
}

/* ---- uses ---- */

void network_use(NetWalk *walk, const NetRef *ref, Direction direction, Location at) {
    for (size_t i = 0; i < ref->parts.count; i++) {
        network_use(walk, ref->parts.items[i], direction, at);
    }
    if (!ref->wire) {
        return;
    }
    if (direction == DIRECTION_NONE && ref->wire->kind <= WIRE_BUNDLE) {
        network_use(walk, ref, DIRECTION_INPUT, at);
        direction = DIRECTION_OUTPUT;
    }
    int64_t count = wires_of_ref(ref);
    const IndexSet *all = count < 0 ? NULL : index_set_steps(walk->arena, 0, count, 1);
    const IndexSet *elements = index_set_combine(walk->arena, ref->first, all, add);
    NetEnd *end = network_connect(walk->network, walk->box, ref->wire, direction, elements);
    bool is_same = end->subscript && strcmp(end->subscript, ref->subscript) == 0;
    end->subscript = !end->subscript || is_same ? ref->subscript : "[..]";
    array_push(walk->arena, &end->places, at);
}
