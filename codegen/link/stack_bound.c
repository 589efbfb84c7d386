/* stack_bound -- see the header.
 *
 * The walk keeps its own stack, so that a long chain of calls cannot overflow the compiler's. */
#include "stack_bound.h"

#include "../../frontend/base/text.h"

#include <string.h>

typedef enum NodeState { STATE_NEW, STATE_OPEN, STATE_DONE } NodeState;

typedef struct BoundNode {
    const char *name;
    const StackEntry *entry; /* NULL: a routine of the runtime, or unknown */
    NodeState state;
    bool is_known;
    uint64_t bytes; /* so far while open */
    size_t next;    /* callee to look at next */
} BoundNode;

typedef struct LeafBound {
    const char *name;
    uint32_t bytes;
} LeafBound;

static const LeafBound leaves[] = {
#define OCC_CALL0(name, r, effect, stack)             {"occ_" #name, stack},
#define OCC_CALL1(name, r, a, effect, stack)          {"occ_" #name, stack},
#define OCC_CALL2(name, r, a, b, effect, stack)       {"occ_" #name, stack},
#define OCC_CALL3(name, r, a, b, c, effect, stack)    {"occ_" #name, stack},
#define OCC_CALL4(name, r, a, b, c, d, effect, stack) {"occ_" #name, stack},
#include "../../runtime/include/occ/abi.def"
#undef OCC_CALL0
#undef OCC_CALL1
#undef OCC_CALL2
#undef OCC_CALL3
#undef OCC_CALL4
#define OCC_LEAF(symbol, stack) {#symbol, stack},
#include "../../runtime/include/occ/leaf.def"
#undef OCC_LEAF
};

struct StackBounds {
    Arena *arena;
    const StackTable *table;
    NameMap nodes; /* -> BoundNode */
    ARRAY_OF(BoundNode *) path;
};

StackBounds *stack_bounds_create(Arena *arena, const StackTable *table) {
    StackBounds *bounds = arena_new(arena, StackBounds);
    bounds->arena = arena;
    bounds->table = table;
    bounds->nodes.arena = arena;
    return bounds;
}

static BoundNode *find_node(StackBounds *bounds, const char *name) {
    void **slot = name_map_at(&bounds->nodes, name, strlen(name));
    if (*slot) {
        return *slot;
    }
    BoundNode *node = arena_new(bounds->arena, BoundNode);
    *slot = node;
    node->name = name;
    node->entry = stack_table_find(bounds->table, name);
    if (node->entry) {
        node->bytes = node->entry->frame_bytes;
        node->is_known = true;
        return node;
    }
    for (size_t i = 0; i < sizeof leaves / sizeof *leaves; i++) {
        if (strcmp(leaves[i].name, name) == 0) {
            node->bytes = leaves[i].bytes;
            node->is_known = true;
            node->state = STATE_DONE;
        }
    }
    return node;
}

/* "`a` calls `b` calls ...", from the path's element `first`, to `last` if there is one. */
static const char *describe_path(StackBounds *bounds, size_t first, const char *last) {
    StringBuilder text = {.arena = bounds->arena};
    for (size_t i = first; i < bounds->path.count; i++) {
        bool is_cut =
            bounds->path.count - first > 12 && i >= first + 6 && i + 6 < bounds->path.count;
        if (!is_cut) {
            string_append_format(&text, "%s'%s'", i > first ? " calls " : "",
                                 bounds->path.items[i]->name);
        } else if (i == first + 6) {
            string_append_format(&text, " calls ...");
        }
    }
    string_append_format(&text, " calls '%s'", last);
    return text.bytes;
}

static size_t place_on_path(const StackBounds *bounds, const BoundNode *node) {
    size_t place = 0;
    while (bounds->path.items[place] != node) {
        place++;
    }
    return place;
}

static const char *fault_of(StackBounds *bounds, const BoundNode *callee) {
    if (!callee->is_known) {
        return arena_format(bounds->arena,
                            "no bound is known for the stack of '%s', which a process calls: %s",
                            callee->name, describe_path(bounds, 0, callee->name));
    }
    return arena_format(bounds->arena, "the stack of a process has no bound: %s",
                        describe_path(bounds, place_on_path(bounds, callee), callee->name));
}

static uint64_t edge_bytes(const BoundNode *caller, const BoundNode *callee, bool is_tail) {
    return is_tail ? callee->bytes : caller->entry->frame_bytes + 8u + callee->bytes;
}

/* Look at one callee of the node at the end of the path; when it is done, leave the node. */
static const char *step(StackBounds *bounds) {
    BoundNode *node = bounds->path.items[bounds->path.count - 1];
    if (node->next == node->entry->callees.count) {
        node->state = STATE_DONE;
        bounds->path.count--;
        return NULL;
    }
    const StackCallee *edge = &node->entry->callees.items[node->next];
    BoundNode *callee = find_node(bounds, edge->name);
    if (!callee->is_known || callee->state == STATE_OPEN) {
        return fault_of(bounds, callee);
    }
    if (callee->state == STATE_NEW) {
        callee->state = STATE_OPEN;
        array_push(bounds->arena, &bounds->path, callee);
        return NULL;
    }
    uint64_t bytes = edge_bytes(node, callee, edge->is_tail);
    node->bytes = bytes > node->bytes ? bytes : node->bytes;
    node->next++;
    return NULL;
}

const char *stack_bound(StackBounds *bounds, const char *function, uint64_t *bytes) {
    BoundNode *root = find_node(bounds, function);
    if (!root->is_known) {
        return arena_format(bounds->arena, "no object has a stack table for process '%s'",
                            function);
    }
    bounds->path.count = 0;
    if (root->state == STATE_NEW) {
        root->state = STATE_OPEN;
        array_push(bounds->arena, &bounds->path, root);
    }
    while (bounds->path.count) {
        const char *fault = step(bounds);
        if (fault) {
            return fault;
        }
    }
    *bytes = root->bytes;
    return NULL;
}
