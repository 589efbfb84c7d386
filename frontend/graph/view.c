/* view -- see the header. */
#include "view.h"

#include <inttypes.h>
#include <limits.h>

enum { ALIKE_LIMIT = 8, DRAWN_LIMIT = 120, CROWD = 2 * DRAWN_LIMIT };

/* ---- processes alike ---- */

static bool is_alike(const NetBox *one, const NetBox *other) {
    bool alike = one->kind == other->kind && one->proc == other->proc &&
                 one->children.count == other->children.count &&
                 strcmp(one->title, other->title) == 0 &&
                 strcmp(one->count_text ? one->count_text : "",
                        other->count_text ? other->count_text : "") == 0;
    for (size_t i = 0; alike && i < one->children.count; i++) {
        alike = is_alike(one->children.items[i], other->children.items[i]);
    }
    return alike;
}

static void fold_into(NetBox *box, NetBox *into) {
    box->folded_into = into;
    for (size_t i = 0; i < box->children.count; i++) {
        fold_into(box->children.items[i], into->children.items[i]);
    }
}

typedef struct AlikeGroup {
    NetBox *first;
    size_t count;
} AlikeGroup;

typedef ARRAY_OF(AlikeGroup) AlikeGroups;

static AlikeGroup *group_of(Arena *arena, AlikeGroups *groups, NetBox *box) {
    for (size_t i = 0; i < groups->count; i++) {
        if (is_alike(groups->items[i].first, box)) {
            return &groups->items[i];
        }
    }
    AlikeGroup made = {box, 0};
    array_push(arena, groups, made);
    return &groups->items[groups->count - 1];
}

static void fold_children(Arena *arena, NetBox *parent) {
    if (parent->children.count <= ALIKE_LIMIT) {
        return;
    }
    AlikeGroups groups = {NULL, 0, 0};
    for (size_t i = 0; i < parent->children.count; i++) {
        group_of(arena, &groups, parent->children.items[i])->count++;
    }
    for (size_t i = 0; i < parent->children.count; i++) {
        NetBox *box = parent->children.items[i];
        const AlikeGroup *group = group_of(arena, &groups, box);
        if (group->count > ALIKE_LIMIT && group->first != box) {
            fold_into(box, group->first);
        } else if (group->count > ALIKE_LIMIT) {
            box->folded_text = arena_format(arena, "%zu", group->count);
        }
    }
}

/* ---- which boxes are drawn ---- */

static size_t count_to_depth(const Network *network, unsigned depth) {
    size_t count = 0;
    for (size_t i = 0; i < network->boxes.count; i++) {
        const NetBox *box = network->boxes.items[i];
        count += !box->folded_into && box->depth <= depth;
    }
    return count;
}

static unsigned readable_depth(const Network *network) {
    unsigned deepest = 0;
    for (size_t i = 0; i < network->boxes.count; i++) {
        const NetBox *box = network->boxes.items[i];
        deepest = box->depth > deepest ? box->depth : deepest;
    }
    while (deepest > 1 && count_to_depth(network, deepest) > DRAWN_LIMIT) {
        deepest--;
    }
    return deepest;
}

/* A process that was folded is drawn as the one it was folded into, what is in a closed box as
 * that. */
static NetBox *drawn(const View *view, NetBox *box) {
    while (!view->is_drawn[box->id]) {
        box = box->folded_into ? box->folded_into : box->parent;
    }
    return box;
}

static void choose_boxes(View *view) {
    const Network *network = view->network;
    for (size_t i = 0; i < network->boxes.count; i++) {
        const NetBox *box = network->boxes.items[i];
        view->is_drawn[box->id] = !box->folded_into && box->depth <= view->depth;
    }
    for (size_t i = 0; i < network->boxes.count; i++) {
        const NetBox *box = network->boxes.items[i];
        view->is_open[box->id] =
            view->is_drawn[box->id] && box->children.count && box->depth < view->depth;
    }
}

bool view_is_crowded(const View *view) {
    return count_to_depth(view->network, view->depth) > CROWD;
}

static size_t count_processes(const NetBox *box) {
    size_t count = box->children.count == 0;
    for (size_t i = 0; i < box->children.count; i++) {
        count += count_processes(box->children.items[i]);
    }
    return count;
}

size_t view_hidden(const View *view, const NetBox *box) {
    return view->is_open[box->id] || box->children.count == 0 ? 0 : count_processes(box);
}

/* ---- arrows ---- */

static ViewArrow *arrow_between(View *view, NetBox *from, NetBox *to, const NetWire *wire) {
    for (size_t i = view->arrows.count; i-- > 0;) {
        ViewArrow *arrow = view->arrows.items[i];
        if (arrow->from == from && arrow->to == to && arrow->kind == wire->kind &&
            arrow->is_mobile == wire->is_mobile) {
            return arrow;
        }
    }
    ViewArrow *arrow = arena_new(view->network->arena, ViewArrow);
    arrow->from = from;
    arrow->to = to;
    arrow->kind = wire->kind;
    arrow->is_mobile = wire->is_mobile;
    array_push(view->network->arena, &view->arrows, arrow);
    return arrow;
}

/* Which of the channels of an array go from this end to that: "[0]", "[1..7]". */
static const char *elements_text(Arena *arena, const NetEnd *from, const NetEnd *to) {
    size_t common = index_set_common(from->elements, to->elements);
    if (common == SIZE_MAX) {
        return from->elements ? to->subscript : from->subscript;
    }
    const IndexSet *smaller =
        from->elements->count < to->elements->count ? from->elements : to->elements;
    const IndexSet *larger = smaller == from->elements ? to->elements : from->elements;
    int64_t first = 0;
    int64_t last = 0;
    size_t seen = 0;
    for (size_t i = 0, k = 0; i < smaller->count && seen < common; i++) {
        int64_t value = smaller->values[i];
        while (k < larger->count && larger->values[k] < value) {
            k++;
        }
        if (k < larger->count && larger->values[k] == value) {
            first = seen ? first : value;
            last = value;
            seen++;
        }
    }
    if (common == 1) {
        return arena_format(arena, "[%" PRId64 "]", first);
    }
    return last - first == (int64_t)common - 1
               ? arena_format(arena, "[%" PRId64 "..%" PRId64 "]", first, last)
               : arena_format(arena, "[%zu of %" PRId64 "..%" PRId64 "]", common, first, last);
}

static void add_label(Arena *arena, ViewArrow *arrow, const char *label) {
    enum { COMPARED = 64 };
    for (size_t i = 0; i < arrow->labels.count && i < COMPARED; i++) {
        if (strcmp(arrow->labels.items[i], label) == 0) {
            return;
        }
    }
    array_push(arena, &arrow->labels, label);
}

static const char *wire_label(Arena *arena, const NetWire *wire, const char *elements,
                              uint64_t messages) {
    const char *name = strcmp(wire->name, wire->type) == 0 ? "" : wire->name;
    const char *count = messages ? arena_format(arena, " (%" PRIu64 ")", messages) : "";
    return arena_format(arena, "%s%s%s%s%s%s", wire->is_shared ? "SHARED " : "", name, elements,
                        *name && *wire->type ? ": " : "", wire->type, count);
}

static void add_arrow(View *view, const NetEnd *from, const NetEnd *to) {
    Arena *arena = view->network->arena;
    NetWire *wire = from->wire;
    ViewArrow *arrow = arrow_between(view, drawn(view, from->box), drawn(view, to->box), wire);
    arrow->is_shared = arrow->is_shared || wire->is_shared;
    uint64_t messages = network_messages(view->network, from, to);
    arrow->messages = messages > arrow->messages ? messages : arrow->messages;
    const char *elements = wire->is_array && !wire->is_mobile ? elements_text(arena, from, to) : "";
    add_label(arena, arrow, wire_label(arena, wire, elements, messages));
}

/* Inside of a closed box nothing is drawn; but processes that are one box may be neighbours. */
static bool is_seen(const View *view, const NetEnd *from, const NetEnd *to) {
    NetBox *one = drawn(view, from->box);
    NetBox *other = drawn(view, to->box);
    return one != other || one->children.count == 0;
}

/* ---- bars ---- */

static NetBox *common_parent(NetBox *one, NetBox *other) {
    while (one && other && one != other) {
        NetBox **deeper = one->depth >= other->depth ? &one : &other;
        *deeper = (*deeper)->parent;
    }
    return one && other ? one : NULL;
}

static void add_spoke(Arena *arena, ViewBar *bar, NetBox *box, Direction direction) {
    for (size_t i = 0; i < bar->spokes.count; i++) {
        if (bar->spokes.items[i].box == box && bar->spokes.items[i].direction == direction) {
            return;
        }
    }
    ViewSpoke spoke = {box, direction};
    array_push(arena, &bar->spokes, spoke);
}

static bool has_bar_like(const View *view, const ViewBar *bar) {
    bool has = false;
    for (size_t i = 0; i < view->bars.count && !has; i++) {
        const ViewBar *other = view->bars.items[i];
        has = other->spokes.count == bar->spokes.count &&
              other->spokes.items[0].box == bar->spokes.items[0].box &&
              strcmp(other->wire->name, bar->wire->name) == 0;
    }
    return has;
}

static void add_bar(View *view, NetWire *wire) {
    Arena *arena = view->network->arena;
    ViewBar *bar = arena_new(arena, ViewBar);
    bar->wire = wire;
    for (size_t i = 0; i < wire->ends.count; i++) {
        const NetEnd *end = wire->ends.items[i];
        NetBox *box = drawn(view, end->box);
        add_spoke(arena, bar, box, end->direction);
        bar->within = i ? common_parent(bar->within, box->parent) : box->parent;
    }
    bool is_inside = bar->spokes.count == 1 && bar->spokes.items[0].box->children.count;
    if (bar->spokes.count && !is_inside && !has_bar_like(view, bar)) {
        array_push(arena, &view->bars, bar);
    }
}

/* ---- wires ---- */

typedef ARRAY_OF(NetEnd *) EndList;

/* Of those that are drawn as one box and use the same elements one is enough. */
static void add_end(const View *view, EndList *list, NetEnd *end) {
    NetEnd *last = list->count ? list->items[list->count - 1] : NULL;
    bool is_same = last && drawn(view, last->box) == drawn(view, end->box) &&
                   last->elements == NULL && end->elements == NULL;
    if (!is_same) {
        array_push(view->network->arena, list, end);
    }
}

static size_t drawn_count(const View *view, const EndList *list) {
    size_t count = 0;
    const NetBox *last = NULL;
    for (size_t i = 0; i < list->count; i++) {
        const NetBox *box = drawn(view, list->items[i]->box);
        count += box != last;
        last = box;
    }
    return count;
}

static void add_wire(View *view, NetWire *wire) {
    EndList writers = {NULL, 0, 0};
    EndList readers = {NULL, 0, 0};
    for (size_t i = 0; i < wire->ends.count; i++) {
        NetEnd *end = wire->ends.items[i];
        if (end->direction != DIRECTION_NONE) {
            add_end(view, end->direction == DIRECTION_OUTPUT ? &writers : &readers, end);
        }
    }
    bool is_one = !wire->is_array || wire->is_mobile;
    bool is_many = drawn_count(view, &writers) > 1 && drawn_count(view, &readers) > 1;
    if (wire->kind >= WIRE_CLOCK || (is_one && is_many) ||
        (wire->is_mobile && (writers.count == 0) != (readers.count == 0))) {
        add_bar(view, wire);
        return;
    }
    for (size_t i = 0; i < writers.count; i++) {
        for (size_t k = 0; k < readers.count; k++) {
            if (is_seen(view, writers.items[i], readers.items[k]) &&
                index_set_common(writers.items[i]->elements, readers.items[k]->elements)) {
                add_arrow(view, writers.items[i], readers.items[k]);
            }
        }
    }
}

View *view_make(Network *network, unsigned depth) {
    Arena *arena = network->arena;
    for (size_t i = 0; i < network->boxes.count; i++) {
        if (!network->boxes.items[i]->folded_into) {
            fold_children(arena, network->boxes.items[i]);
        }
    }
    View *view = arena_new(arena, View);
    view->network = network;
    view->depth = depth ? depth : readable_depth(network);
    view->is_drawn = arena_new_array(arena, bool, network->boxes.count);
    view->is_open = arena_new_array(arena, bool, network->boxes.count);
    choose_boxes(view);
    for (size_t i = 0; i < network->wires.count; i++) {
        add_wire(view, network->wires.items[i]);
    }
    return view;
}
