/* state_graph -- the states of a program and the steps between them. See behaviour_graph.h.
 *
 * Holds:  memory that is not used any more makes states of one. Therefore those are one here from
 *         which the same steps lead to the same states and ends: parts of the states are split until
 *         that is true of all in each (Kanellakis and Smolka, 1983). */
#include "behaviour_graph.h"
#include "step_label.h"

#include <stdlib.h>
#include <string.h>

typedef struct StateGraphMaker {
    Arena *arena;
    const ExploreRegion *region;
    const Ends *ends;
    StepLabels *words;
    ARRAY_OF(const ExploreStateStep *) steps; /* by the state before them */
    BehaviourGraph graph;
} StateGraphMaker;

/* ---- steps ---- */

/* Of one state in the order in which they were found. */
static int compare_steps(const void *one, const void *other) {
    const ExploreStateStep *left = *(const ExploreStateStep *const *)one;
    const ExploreStateStep *right = *(const ExploreStateStep *const *)other;
    if (left->from != right->from) {
        return left->from < right->from ? -1 : 1;
    }
    return left->event.op != right->event.op ? (left->event.op < right->event.op ? -1 : 1)
                                             : (int)left->event.guard - (int)right->event.guard;
}

static void list_steps(StateGraphMaker *maker) {
    for (uint64_t place = maker->region->state_steps; place != 0;) {
        const ExploreStateStep *step = (const void *)((const char *)maker->region + place);
        array_push(maker->arena, &maker->steps, step);
        place = step->next;
    }
    if (maker->steps.count > 0) {
        qsort(maker->steps.items, maker->steps.count, sizeof *maker->steps.items, compare_steps);
    }
    for (size_t i = 0; i < maker->steps.count; i++) {
        step_label_see(maker->words, &maker->steps.items[i]->event);
    }
}

static uint32_t *label_steps(StateGraphMaker *maker) {
    size_t count = maker->steps.count;
    const char **texts = arena_new_array(maker->arena, const char *, count + 1);
    uint32_t *numbers = arena_new_array(maker->arena, uint32_t, count + 1);
    for (size_t i = 0; i < count; i++) {
        texts[i] = step_label(maker->words, &maker->steps.items[i]->event);
    }
    maker->graph.labels = graph_labels(maker->arena, texts, numbers, count);
    return numbers;
}

/* ---- states ---- */

/* Behind the states that the program has numbered there is one for each end. */
static uint32_t target_of(const StateGraphMaker *maker, const ExploreStateStep *step) {
    const End *end = graph_end(maker->region, maker->ends, step->end);
    return end ? maker->region->state_count + (uint32_t)(end - maker->ends->items.items)
               : step->to - 1;
}

static void add_states(StateGraphMaker *maker, const uint32_t *labels) {
    size_t next = 0;
    for (uint32_t number = 0; number < maker->region->state_count; number++) {
        GraphState state = {.first = maker->graph.edges.count};
        for (; next < maker->steps.count && maker->steps.items[next]->from == number + 1; next++) {
            GraphEdge edge = {labels[next], target_of(maker, maker->steps.items[next])};
            array_push(maker->arena, &maker->graph.edges, edge);
            state.count++;
        }
        if (state.count > 0) {
            qsort(&maker->graph.edges.items[state.first], state.count, sizeof(GraphEdge),
                  graph_compare_edges);
        }
        array_push(maker->arena, &maker->graph.states, state);
    }
    for (size_t i = 0; i < maker->ends->items.count; i++) {
        GraphState state = {maker->graph.edges.count, 0, &maker->ends->items.items[i]};
        array_push(maker->arena, &maker->graph.states, state);
    }
}

/* ---- states that do the same ---- */

/* Partition -- `part` of each state; those of the graph as they are now are found by digest. */
typedef struct Partition {
    const BehaviourGraph *graph;
    uint32_t *part;
    uint32_t *next;
    uint32_t count;
    GraphEdge *edges; /* of the state that is at hand: to parts, sorted, each once */
    size_t edge_count;
    uint32_t *table; /* 1 + a state of a new part */
    size_t capacity;
} Partition;

static size_t edges_to_parts(const Partition *partition, size_t number, GraphEdge *edges) {
    const GraphState *state = &partition->graph->states.items[number];
    size_t kept = 0;
    for (size_t i = 0; i < state->count; i++) {
        const GraphEdge *edge = &partition->graph->edges.items[state->first + i];
        edges[i] = (GraphEdge){edge->label, partition->part[edge->target]};
    }
    if (state->count > 0) {
        qsort(edges, state->count, sizeof *edges, graph_compare_edges);
    }
    for (size_t i = 0; i < state->count; i++) {
        if (kept == 0 || graph_compare_edges(&edges[kept - 1], &edges[i]) != 0) {
            edges[kept++] = edges[i];
        }
    }
    return kept;
}

static uint64_t digest_of(const Partition *partition, size_t number) {
    const uint64_t prime = UINT64_C(0x100000001b3);
    uint64_t digest = UINT64_C(0xcbf29ce484222325) ^ partition->part[number];
    for (size_t i = 0; i < partition->edge_count; i++) {
        digest = (digest ^ partition->edges[i].label) * prime;
        digest = (digest ^ partition->edges[i].target) * prime;
        digest ^= digest >> 29;
    }
    return digest * prime >> 16;
}

/* Does it do what the state at hand does? */
static bool does_same(Partition *partition, size_t number, size_t other, GraphEdge *edges) {
    return partition->part[number] == partition->part[other] &&
           edges_to_parts(partition, other, edges) == partition->edge_count &&
           (partition->edge_count == 0 ||
            memcmp(edges, partition->edges, partition->edge_count * sizeof *edges) == 0);
}

static void find_part(Partition *partition, size_t number, GraphEdge *edges) {
    partition->edge_count = edges_to_parts(partition, number, partition->edges);
    size_t at = digest_of(partition, number) & (partition->capacity - 1);
    while (partition->table[at] != 0 &&
           !does_same(partition, number, partition->table[at] - 1, edges)) {
        at = (at + 1) & (partition->capacity - 1);
    }
    if (partition->table[at] == 0) {
        partition->table[at] = (uint32_t)number + 1;
        partition->next[number] = partition->count++;
    } else {
        partition->next[number] = partition->next[partition->table[at] - 1];
    }
}

/* The number of parts that there were. */
static uint32_t split(Partition *partition, GraphEdge *edges) {
    uint32_t before = partition->count;
    size_t states = partition->graph->states.count;
    partition->count = 0;
    memset(partition->table, 0, partition->capacity * sizeof *partition->table);
    for (size_t i = 0; i < states; i++) {
        find_part(partition, i, edges);
    }
    memcpy(partition->part, partition->next, states * sizeof *partition->part);
    return before;
}

/* At first all are one, but for the ends. */
static Partition partition_of(Arena *arena, const BehaviourGraph *graph) {
    size_t states = graph->states.count;
    Partition partition = {.graph = graph, .capacity = 16, .count = 1};
    while (partition.capacity < 2 * states) {
        partition.capacity *= 2;
    }
    partition.part = arena_new_array(arena, uint32_t, states);
    partition.next = arena_new_array(arena, uint32_t, states);
    partition.edges = arena_new_array(arena, GraphEdge, graph->edges.count + 1);
    partition.table = arena_new_array(arena, uint32_t, partition.capacity);
    for (size_t i = 0; i < states; i++) {
        partition.part[i] = graph->states.items[i].end ? partition.count++ : 0;
    }
    return partition;
}

/* One state for each part; the part of the first state is its first. */
static BehaviourGraph graph_of_parts(Arena *arena, Partition *partition) {
    BehaviourGraph result = {.labels = partition->graph->labels};
    for (size_t i = 0; i < partition->graph->states.count; i++) {
        if (partition->part[i] != result.states.count) {
            continue;
        }
        GraphState state = {result.edges.count, 0, partition->graph->states.items[i].end};
        state.count = edges_to_parts(partition, i, partition->edges);
        for (size_t k = 0; k < state.count; k++) {
            array_push(arena, &result.edges, partition->edges[k]);
        }
        array_push(arena, &result.states, state);
    }
    return result;
}

static BehaviourGraph smallest(Arena *arena, const BehaviourGraph *graph) {
    Partition partition = partition_of(arena, graph);
    GraphEdge *edges = arena_new_array(arena, GraphEdge, graph->edges.count + 1);
    while (split(&partition, edges) < partition.count) {
    }
    return graph_of_parts(arena, &partition);
}

BehaviourGraph state_graph(Arena *arena, const ExploreRegion *region, const Ends *ends,
                           const ExploreBounds *bounds, const char *source) {
    StateGraphMaker maker = {.arena = arena, .region = region, .ends = ends};
    maker.words = arena_new(arena, StepLabels);
    *maker.words =
        (StepLabels){.arena = arena, .region = region, .bounds = bounds, .source = source};
    list_steps(&maker);
    add_states(&maker, label_steps(&maker));
    BehaviourGraph graph = smallest(arena, &maker.graph);
    return graph_in_order(arena, &graph, 0);
}
