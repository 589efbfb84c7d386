/* deadlock_joint -- see deadlock_joint.h. */
#include "deadlock_joint.h"

#include "deadlock_cycle.h"
#include "deadlock_elsewhere.h"
#include "deadlock_line.h"
#include "deadlock_map.h"

#include <string.h>

/* PartHead -- then the keys, wants first; then the nodes. */
typedef struct PartHead {
    uint32_t count;
    uint32_t unused;
    uint64_t want_count, have_count;
} PartHead;

/* ---- writing ---- */

typedef struct PartText {
    unsigned char *bytes;
    size_t capacity, length;
} PartText;

static void put(PartText *text, const void *from, size_t size_bytes) {
    if (text->length + size_bytes <= text->capacity && size_bytes > 0) {
        memcpy(text->bytes + text->length, from, size_bytes);
    }
    text->length += size_bytes;
}

static size_t padding(size_t size_bytes) {
    return -size_bytes & (_Alignof(ForeignNode) - 1);
}

static void put_node(PartText *text, const DeadlockGraph *graph, const WaitNode *node) {
    static const char zeros[_Alignof(ForeignNode)];
    ReportText line = {.length = 0};
    ReportText group = {.length = 0};
    ForeignNode foreign = {.site = node->site, .holder = node->holder};
    if (node->site != NULL) {
        foreign.reason = deadlock_graph_reason(node);
        foreign.is_open = node->is_open;
        foreign.has_several = node->has_several;
        deadlock_line_words(&line, graph, node);
        deadlock_line_reason(&group, node, true);
    }
    foreign.line_bytes = (uint32_t)line.length + 1;
    foreign.group_bytes = (uint32_t)group.length + 1;
    put(text, &foreign, sizeof foreign);
    put(text, line.bytes, line.length);
    put(text, zeros, 1);
    put(text, group.bytes, group.length);
    put(text, zeros, 1);
    put(text, zeros, padding(foreign.line_bytes + foreign.group_bytes));
}

uint32_t deadlock_joint_count(void) {
    DeadlockGraph graph;
    (void)deadlock_graph_list(&graph);
    uint32_t count = graph.count;
    deadlock_graph_free(&graph);
    return count;
}

size_t deadlock_joint_write(uint32_t before, void *bytes, size_t capacity) {
    DeadlockGraph graph;
    PartText text = {.bytes = bytes, .capacity = capacity};
    deadlock_line_number_from(before);
    if (deadlock_graph_build(&graph)) {
        const Elsewhere *elsewhere = &graph.elsewhere;
        PartHead head = {.count = graph.count,
                         .want_count = elsewhere->want_count,
                         .have_count = elsewhere->have_count};
        put(&text, &head, sizeof head);
        put(&text, elsewhere->wants, elsewhere->want_count * sizeof(KeyedNode));
        put(&text, elsewhere->haves, elsewhere->have_count * sizeof(KeyedNode));
        for (uint32_t i = 0; i < graph.count; i++) {
            put_node(&text, &graph, &graph.nodes[i]);
        }
    }
    deadlock_graph_free(&graph);
    return text.length;
}

/* ---- joining ---- */

uint32_t deadlock_joint_count_of(const void *part) {
    return ((const PartHead *)part)->count;
}

static const ForeignNode *next_foreign(const ForeignNode *foreign) {
    size_t text_bytes = (size_t)foreign->line_bytes + foreign->group_bytes;
    return (const void *)(foreign->text + text_bytes + padding(text_bytes));
}

static void add_keys(KeyedNode *to, size_t *to_count, const KeyedNode *from, size_t count,
                     uint32_t before) {
    for (size_t i = 0; i < count; i++) {
        to[(*to_count)++] = (KeyedNode){from[i].key, from[i].node + before};
    }
}

static void add_part(DeadlockGraph *graph, const DeadlockPart *part) {
    const PartHead *head = part->bytes;
    const KeyedNode *keys = (const void *)(head + 1);
    Elsewhere *elsewhere = &graph->elsewhere;
    uint32_t before = graph->count;
    add_keys(elsewhere->wants, &elsewhere->want_count, keys, head->want_count, before);
    keys += head->want_count;
    add_keys(elsewhere->haves, &elsewhere->have_count, keys, head->have_count, before);
    const ForeignNode *foreign = (const void *)(keys + head->have_count);
    for (uint32_t i = 0; i < head->count; i++) {
        uint32_t holder = foreign->holder == NO_NODE ? NO_NODE : foreign->holder + before;
        graph->nodes[graph->count++] = (WaitNode){.foreign = foreign,
                                                  .site = foreign->site,
                                                  .holder = holder,
                                                  .is_open = foreign->is_open != 0,
                                                  .has_several = foreign->has_several != 0,
                                                  .machine = part->machine};
        foreign = next_foreign(foreign);
    }
}

/* Move the graph to memory with room for all parts. */
static bool make_room(DeadlockGraph *graph, const DeadlockPart *parts) {
    size_t nodes = graph->count;
    size_t wants = graph->elsewhere.want_count;
    size_t haves = graph->elsewhere.have_count;
    for (const DeadlockPart *part = parts; part != NULL; part = part->next) {
        const PartHead *head = part->bytes;
        nodes += head->count;
        wants += head->want_count;
        haves += head->have_count;
    }
    WaitNode *room =
        deadlock_graph_memory(&graph->memory[GRAPH_MEMORY_JOINT],
                              nodes * sizeof *room + (wants + haves) * sizeof(KeyedNode));
    if (room == NULL || nodes >= NO_NODE) {
        return false;
    }
    KeyedNode *keys = (void *)(room + nodes);
    Elsewhere *elsewhere = &graph->elsewhere;
    size_t count = 0;
    add_keys(keys, &count, elsewhere->wants, elsewhere->want_count, 0);
    count = 0;
    add_keys(keys + wants, &count, elsewhere->haves, elsewhere->have_count, 0);
    memcpy(room, graph->nodes, graph->count * sizeof *room);
    graph->nodes = room;
    elsewhere->wants = keys;
    elsewhere->haves = keys + wants;
    return true;
}

bool deadlock_joint_add(DeadlockGraph *graph, const DeadlockPart *parts) {
    if (parts == NULL) {
        return true;
    }
    if (!make_room(graph, parts)) {
        return false;
    }
    for (const DeadlockPart *part = parts; part != NULL; part = part->next) {
        add_part(graph, part);
    }
    deadlock_elsewhere_join(graph);
    for (uint32_t i = 0; i < graph->count; i++) {
        graph->nodes[i].is_in_cycle = false;
    }
    deadlock_cycle_find(graph);
    return true;
}
