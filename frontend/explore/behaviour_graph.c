/* behaviour_graph -- see the header. */
#include "behaviour_graph.h"

#include "step_label.h"

#include <stdlib.h>

#define NOTHING UINT32_MAX

/* TreePlace -- a node of the tree; nodes come after the one above. */
typedef struct TreePlace {
    const ExploreNode *node;
    uint32_t above;
    uint32_t label;
    uint32_t first; /* of `steps`: those from here on, as far as they are known */
} TreePlace;

/* TreeStep -- to a place below that is a state already. */
typedef struct TreeStep {
    GraphEdge edge;
    uint32_t next;
} TreeStep;

typedef struct GraphMaker {
    Arena *arena;
    const ExploreRegion *region;
    const Ends *ends;
    StepLabels *words;
    ARRAY_OF(TreePlace) places;
    ARRAY_OF(TreeStep) steps;
    ARRAY_OF(GraphEdge) edges; /* of the place that is at hand */
    BehaviourGraph graph;
    uint32_t *table; /* states by what they are */
    size_t capacity;
} GraphMaker;

/* ---- the tree, from above ---- */

static void add_place(GraphMaker *maker, const ExploreNode *node, uint32_t above) {
    TreePlace place = {node, above, 0, NOTHING};
    array_push(maker->arena, &maker->places, place);
}

/* Level by level. */
static void list_places(GraphMaker *maker) {
    add_place(maker, &maker->region->tree, NOTHING);
    for (uint32_t i = 0; i < maker->places.count; i++) {
        const ExploreNode *node = maker->places.items[i].node;
        if (i > 0) {
            step_label_see(maker->words, &node->event);
        }
        for (uint64_t child = node->child; child != 0; child = node->next) {
            node = (const void *)((const char *)maker->region + child);
            add_place(maker, node, i);
        }
    }
}

/* ---- labels ---- */

typedef struct TextPlace {
    const char *text;
    size_t place;
} TextPlace;

static int compare_texts(const void *one, const void *other) {
    return strcmp(((const TextPlace *)one)->text, ((const TextPlace *)other)->text);
}

const char **graph_labels(Arena *arena, const char **texts, uint32_t *numbers, size_t count) {
    TextPlace *sorted = arena_new_array(arena, TextPlace, count + 1);
    const char **labels = arena_new_array(arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++) {
        sorted[i] = (TextPlace){texts[i], i};
    }
    qsort(sorted, count, sizeof *sorted, compare_texts);
    uint32_t number = 0;
    for (size_t i = 0; i < count; i++) {
        number += i > 0 && strcmp(sorted[i - 1].text, sorted[i].text) != 0;
        labels[number] = sorted[i].text;
        numbers[sorted[i].place] = number;
    }
    return labels;
}

static void make_labels(GraphMaker *maker) {
    size_t count = maker->places.count;
    const char **texts = arena_new_array(maker->arena, const char *, count);
    uint32_t *numbers = arena_new_array(maker->arena, uint32_t, count);
    for (size_t i = 0; i < count; i++) {
        texts[i] = i > 0 ? step_label(maker->words, &maker->places.items[i].node->event) : "";
    }
    maker->graph.labels = graph_labels(maker->arena, texts, numbers, count);
    for (size_t i = 0; i < count; i++) {
        maker->places.items[i].label = numbers[i];
    }
}

/* ---- states, from below ---- */

int graph_compare_edges(const void *one, const void *other) {
    const GraphEdge *left = one;
    const GraphEdge *right = other;
    if (left->label != right->label) {
        return left->label < right->label ? -1 : 1;
    }
    return left->target < right->target ? -1 : left->target > right->target;
}

/* Those of the place, sorted, each once. */
static void gather_edges(GraphMaker *maker, const TreePlace *place) {
    maker->edges.count = 0;
    for (uint32_t at = place->first; at != NOTHING; at = maker->steps.items[at].next) {
        array_push(maker->arena, &maker->edges, maker->steps.items[at].edge);
    }
    size_t count = maker->edges.count;
    if (count == 0) {
        return;
    }
    GraphEdge *edges = maker->edges.items;
    qsort(edges, count, sizeof *edges, graph_compare_edges);
    size_t kept = 1;
    for (size_t i = 1; i < count; i++) {
        if (graph_compare_edges(&edges[kept - 1], &edges[i]) != 0) {
            edges[kept++] = edges[i];
        }
    }
    maker->edges.count = kept;
}

const End *graph_end(const ExploreRegion *region, const Ends *ends, uint64_t place) {
    const void *found = (const char *)region + place;
    for (size_t i = 0; place != 0 && i < ends->items.count; i++) {
        if (ends->items.items[i].found == found) {
            return &ends->items.items[i];
        }
    }
    return NULL;
}

static uint64_t digest_of(const GraphMaker *maker, const End *end) {
    const uint64_t prime = UINT64_C(0x100000001b3);
    uint64_t digest = UINT64_C(0xcbf29ce484222325) ^ (uintptr_t)end;
    for (size_t i = 0; i < maker->edges.count; i++) {
        const GraphEdge *edge = &maker->edges.items[i];
        digest = (digest ^ edge->label) * prime;
        digest = (digest ^ edge->target) * prime;
        digest ^= digest >> 29;
    }
    return digest * prime >> 16;
}

static bool is_state(const GraphMaker *maker, const GraphState *state, const End *end) {
    size_t bytes = state->count * sizeof(GraphEdge);
    return state->end == end && state->count == maker->edges.count &&
           (bytes == 0 ||
            memcmp(&maker->graph.edges.items[state->first], maker->edges.items, bytes) == 0);
}

/* What can happen after it is in maker->edges. */
static uint32_t find_or_add_state(GraphMaker *maker, const End *end) {
    size_t at = digest_of(maker, end) & (maker->capacity - 1);
    while (maker->table[at] != 0) {
        uint32_t number = maker->table[at] - 1;
        if (is_state(maker, &maker->graph.states.items[number], end)) {
            return number;
        }
        at = (at + 1) & (maker->capacity - 1);
    }
    GraphState state = {maker->graph.edges.count, maker->edges.count, end};
    for (size_t i = 0; i < maker->edges.count; i++) {
        array_push(maker->arena, &maker->graph.edges, maker->edges.items[i]);
    }
    array_push(maker->arena, &maker->graph.states, state);
    maker->table[at] = (uint32_t)maker->graph.states.count;
    return maker->table[at] - 1;
}

static void make_states(GraphMaker *maker) {
    for (maker->capacity = 16; maker->capacity < 2 * maker->places.count;) {
        maker->capacity *= 2;
    }
    maker->table = arena_new_array(maker->arena, uint32_t, maker->capacity);
    for (size_t i = maker->places.count; i-- > 0;) {
        const TreePlace *place = &maker->places.items[i];
        gather_edges(maker, place);
        uint32_t state =
            find_or_add_state(maker, graph_end(maker->region, maker->ends, place->node->end));
        if (place->above != NOTHING) {
            uint32_t *first = &maker->places.items[place->above].first;
            TreeStep step = {{place->label, state}, *first};
            *first = (uint32_t)maker->steps.count;
            array_push(maker->arena, &maker->steps, step);
        }
    }
}

/* ---- numbers ---- */

BehaviourGraph graph_in_order(Arena *arena, const BehaviourGraph *graph, uint32_t first) {
    size_t count = graph->states.count;
    uint32_t *number = arena_new_array(arena, uint32_t, count); /* from 1 */
    uint32_t *order = arena_new_array(arena, uint32_t, count);
    BehaviourGraph result = {.labels = graph->labels};
    size_t known = 0;
    if (count > 0) { /* there are none when time was up before the first */
        order[known++] = first;
        number[first] = 1;
    }
    for (size_t i = 0; i < known; i++) {
        GraphState state = graph->states.items[order[i]];
        const GraphEdge *edges = &graph->edges.items[state.first];
        state.first = result.edges.count;
        for (size_t k = 0; k < state.count; k++) {
            uint32_t target = edges[k].target;
            if (number[target] == 0) {
                order[known++] = target;
                number[target] = (uint32_t)known;
            }
            GraphEdge edge = {edges[k].label, number[target] - 1};
            array_push(arena, &result.edges, edge);
        }
        array_push(arena, &result.states, state);
    }
    return result;
}

/* States to which no step leads are left out, with their steps, as long as there are any: on a way
 * back all have one. */
bool graph_goes_round(Arena *arena, const BehaviourGraph *graph) {
    size_t count = graph->states.count;
    uint32_t *steps_to = arena_new_array(arena, uint32_t, count + 1);
    uint32_t *out = arena_new_array(arena, uint32_t, count + 1);
    size_t out_count = 0;
    for (size_t i = 0; i < graph->edges.count; i++) {
        steps_to[graph->edges.items[i].target]++;
    }
    for (size_t i = 0; i < count; i++) {
        if (steps_to[i] == 0) {
            out[out_count++] = (uint32_t)i;
        }
    }
    for (size_t i = 0; i < out_count; i++) {
        const GraphState *state = &graph->states.items[out[i]];
        for (size_t k = 0; k < state->count; k++) {
            uint32_t target = graph->edges.items[state->first + k].target;
            if (--steps_to[target] == 0) {
                out[out_count++] = target;
            }
        }
    }
    return out_count < count;
}

BehaviourGraph behaviour_graph(Arena *arena, const ExploreRegion *region, const Ends *ends,
                               const ExploreBounds *bounds, const char *source) {
    GraphMaker maker = {.arena = arena, .region = region, .ends = ends};
    maker.words = arena_new(arena, StepLabels);
    *maker.words =
        (StepLabels){.arena = arena, .region = region, .bounds = bounds, .source = source};
    list_places(&maker);
    make_labels(&maker);
    make_states(&maker);
    /* the beginning was made last */
    return graph_in_order(arena, &maker.graph, (uint32_t)maker.graph.states.count - 1);
}
