/* network -- how the model grows. See the header. */
#include "network.h"

NetBox *network_add_box(Network *network, NetBox *parent, BoxKind kind, const char *title,
                        Location at) {
    NetBox *box = arena_new(network->arena, NetBox);
    box->id = (uint32_t)network->boxes.count;
    box->kind = kind;
    box->title = title;
    box->at = at;
    box->parent = parent;
    box->count = 1;
    box->depth = parent ? parent->depth + 1 : 0;
    array_push(network->arena, &network->boxes, box);
    if (parent) {
        array_push(network->arena, &parent->children, box);
    }
    return box;
}

NetWire *network_add_wire(Network *network, WireKind kind, const char *name, const char *type,
                          Location at) {
    NetWire *wire = arena_new(network->arena, NetWire);
    wire->id = (uint32_t)network->wires.count;
    wire->kind = kind;
    wire->name = name;
    wire->type = type;
    wire->at = at;
    wire->extent = "";
    array_push(network->arena, &network->wires, wire);
    return wire;
}

static NetWire *joined_wire(NetWire *wire) {
    while (wire->joined) {
        wire = wire->joined;
    }
    return wire;
}

NetEnd *network_connect(Network *network, NetBox *box, NetWire *wire, Direction direction,
                        const IndexSet *elements) {
    for (size_t i = 0; i < box->ends.count; i++) {
        NetEnd *end = box->ends.items[i];
        if (end->wire == wire && end->direction == direction) {
            end->elements = index_set_union(network->arena, end->elements, elements);
            return end;
        }
    }
    NetEnd *end = arena_new(network->arena, NetEnd);
    end->box = box;
    end->wire = wire;
    end->direction = direction;
    end->elements = elements;
    array_push(network->arena, &box->ends, end);
    array_push(network->arena, &wire->ends, end);
    return end;
}

void network_join(NetWire *wire, NetWire *with) {
    wire = joined_wire(wire);
    with = joined_wire(with);
    if (wire != with) {
        wire->joined = with;
    }
}

/* The ends of a wire that was joined with another go there, each box keeping one a direction. */
static void move_ends(Network *network, NetWire *wire, NetWire *to) {
    for (size_t i = 0; i < wire->ends.count; i++) {
        NetEnd *end = wire->ends.items[i];
        NetEnd *moved = network_connect(network, end->box, to, end->direction, end->elements);
        for (size_t k = 0; k < end->places.count; k++) {
            array_push(network->arena, &moved->places, end->places.items[k]);
        }
    }
    wire->ends.count = 0;
}

static bool has_site(const NetEnd *end, ptrdiff_t site) {
    return site < 0 ? end->box->kind == BOX_OUTSIDE : end->sites && end->sites[site];
}

uint64_t network_messages(const Network *network, const NetEnd *from, const NetEnd *to) {
    uint64_t messages = 0;
    for (size_t i = 0; i < network->traffic.count; i++) {
        const NetTraffic *traffic = &network->traffic.items[i];
        bool is_theirs = has_site(from, traffic->output) && has_site(to, traffic->input);
        bool is_back = from->wire->kind == WIRE_BUNDLE && has_site(to, traffic->output) &&
                       has_site(from, traffic->input); /* bundles have channels both ways */
        messages += is_theirs || is_back ? traffic->messages : 0;
    }
    return messages;
}

static void separate_box(Network *network, NetBox *box) {
    if (box->children.count == 0 || box->ends.count == 0) {
        return;
    }
    NetBox *rest = network_add_box(network, box, BOX_REST, box->title, box->at);
    for (size_t i = 0; i < box->ends.count; i++) {
        box->ends.items[i]->box = rest;
        array_push(network->arena, &rest->ends, box->ends.items[i]);
    }
    box->ends.count = 0;
}

void network_separate(Network *network) {
    for (size_t i = 0; i < network->wires.count; i++) {
        NetWire *wire = network->wires.items[i];
        if (wire->joined) {
            move_ends(network, wire, joined_wire(wire));
        }
    }
    size_t count = network->boxes.count; /* without those that are added */
    for (size_t i = 0; i < count; i++) {
        separate_box(network, network->boxes.items[i]);
    }
}
