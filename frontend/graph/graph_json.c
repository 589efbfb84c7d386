/* graph_json -- a network as JSON, the whole of it: what the page of `-o file.html` reads, and
 * other programs. See graph.h.
 *
 *   {"format": 1, "complete": true,
 *    "boxes": [{"id", "kind", "title", "parent", "count", "countText", "alike", "alikeCount",
 *               "recursive", "file", "line", "column"}],
 *    "wires": [{"id", "kind", "name", "type", "extent", "shared", "mobile", "file", "line",
 *               "column", "ends": [{"box", "direction", "elements", "subscript"}],
 *               "traffic": [{"from", "to", "messages"}]}]}
 *
 * Holds: a box that is "alike" another one, the first of "alikeCount", need not be drawn.
 *        "elements" is missing where it may be any element, or the wire is no array. */
#include "graph.h"

static void set_place(json_t *object, const SourceMap *sources, Location at) {
    const SourceFile *file = at.file ? source_file(sources, at.file) : NULL;
    if (file) {
        json_object_set_new(object, "file", json_string(file->path));
        json_object_set_new(object, "line", json_integer(at.line));
        json_object_set_new(object, "column", json_integer(at.column));
    }
}

static const char *box_kind(BoxKind kind) {
    switch (kind) {
    case BOX_CALL: return "call";
    case BOX_PART: return "part";
    case BOX_FORK: return "fork";
    case BOX_REST: return "rest";
    case BOX_OUTSIDE: return "outside";
    }
    return "";
}

static const char *wire_kind(WireKind kind) {
    switch (kind) {
    case WIRE_CHANNEL: return "channel";
    case WIRE_BUNDLE: return "bundle";
    case WIRE_CLOCK: return "clock";
    case WIRE_BARRIER: return "barrier";
    case WIRE_OBJECT: return "object";
    }
    return "";
}

static json_t *box_json(const SourceMap *sources, const NetBox *box) {
    json_t *object = json_object();
    json_object_set_new(object, "id", json_integer(box->id));
    json_object_set_new(object, "kind", json_string(box_kind(box->kind)));
    json_object_set_new(object, "title", json_string(box->title));
    json_object_set_new(object, "parent",
                        box->parent ? json_integer(box->parent->id) : json_null());
    json_object_set_new(object, "count", box->count ? json_integer(box->count) : json_null());
    if (box->count_text) {
        json_object_set_new(object, "countText", json_string(box->count_text));
    }
    if (box->folded_into) {
        json_object_set_new(object, "alike", json_integer(box->folded_into->id));
    }
    if (box->folded_text) {
        json_object_set_new(object, "alikeCount", json_string(box->folded_text));
    }
    if (box->is_recursive) {
        json_object_set_new(object, "recursive", json_true());
    }
    set_place(object, sources, box->at);
    return object;
}

static json_t *end_json(const NetEnd *end) {
    json_t *object = json_object();
    json_object_set_new(object, "box", json_integer(end->box->id));
    if (end->direction != DIRECTION_NONE) {
        const char *direction = end->direction == DIRECTION_OUTPUT ? "output" : "input";
        json_object_set_new(object, "direction", json_string(direction));
    }
    if (end->wire->is_array && end->elements) {
        json_t *elements = json_array();
        for (size_t i = 0; i < end->elements->count; i++) {
            json_array_append_new(elements, json_integer(end->elements->values[i]));
        }
        json_object_set_new(object, "elements", elements);
    }
    if (end->subscript && *end->subscript) {
        json_object_set_new(object, "subscript", json_string(end->subscript));
    }
    return object;
}

/* Which boxes have sent how many messages to which. */
static json_t *traffic_json(const Network *network, const NetWire *wire) {
    json_t *traffic = json_array();
    for (size_t i = 0; i < wire->ends.count && network->traffic.count; i++) {
        const NetEnd *from = wire->ends.items[i];
        for (size_t k = 0; k < wire->ends.count && from->direction == DIRECTION_OUTPUT; k++) {
            const NetEnd *to = wire->ends.items[k];
            uint64_t messages =
                to->direction == DIRECTION_INPUT ? network_messages(network, from, to) : 0;
            if (messages) {
                json_array_append_new(traffic, json_pack("{s:i, s:i, s:I}", "from",
                                                         (int)from->box->id, "to", (int)to->box->id,
                                                         "messages", (json_int_t)messages));
            }
        }
    }
    return traffic;
}

static json_t *wire_json(const SourceMap *sources, const Network *network, const NetWire *wire) {
    json_t *object = json_object();
    json_object_set_new(object, "id", json_integer(wire->id));
    json_object_set_new(object, "kind", json_string(wire_kind(wire->kind)));
    json_object_set_new(object, "name", json_string(wire->name));
    json_object_set_new(object, "type", json_string(wire->type));
    json_object_set_new(object, "extent", json_string(wire->extent));
    json_object_set_new(object, "shared", json_boolean(wire->is_shared));
    json_object_set_new(object, "mobile", json_boolean(wire->is_mobile));
    set_place(object, sources, wire->at);
    json_t *ends = json_array();
    for (size_t i = 0; i < wire->ends.count; i++) {
        json_array_append_new(ends, end_json(wire->ends.items[i]));
    }
    json_object_set_new(object, "ends", ends);
    if (network->traffic.count) {
        json_object_set_new(object, "traffic", traffic_json(network, wire));
    }
    return object;
}

json_t *graph_json(const SourceMap *sources, const Network *network) {
    json_t *boxes = json_array();
    for (size_t i = 0; i < network->boxes.count; i++) {
        json_array_append_new(boxes, box_json(sources, network->boxes.items[i]));
    }
    json_t *wires = json_array();
    for (size_t i = 0; i < network->wires.count; i++) {
        if (network->wires.items[i]->ends.count) {
            json_array_append_new(wires, wire_json(sources, network, network->wires.items[i]));
        }
    }
    json_t *whole = json_object();
    json_object_set_new(whole, "format", json_integer(1));
    json_object_set_new(whole, "complete", json_boolean(network->is_complete));
    json_object_set_new(whole, "boxes", boxes);
    json_object_set_new(whole, "wires", wires);
    return whole;
}
