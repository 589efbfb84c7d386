/* deadlock_cycle -- see deadlock_cycle.h. */
#include "deadlock_cycle.h"

#include "os.h"

static uint32_t length_from(const DeadlockGraph *graph, uint32_t start) {
    uint32_t length = 1;
    for (uint32_t at = graph->nodes[start].holder; at != start; at = graph->nodes[at].holder) {
        length++;
    }
    return length;
}

static void mark_cycle(DeadlockGraph *graph, uint32_t start, uint32_t length) {
    uint32_t at = start;
    for (uint32_t i = 0; at != NO_NODE && i < length; i++) {
        graph->nodes[at].is_in_cycle = true;
        graph->nodes[at].is_cycle_start = at == start;
        at = graph->nodes[at].holder;
    }
}

static void find_cycle(DeadlockGraph *graph, uint32_t *visit) {
    for (uint32_t start = 0; start < graph->count; start++) {
        uint32_t at = start;
        while (at != NO_NODE && visit[at] == 0) {
            visit[at] = start + 1;
            at = graph->nodes[at].holder;
        }
        if (at == NO_NODE || visit[at] != start + 1) {
            continue;
        }
        uint32_t length = length_from(graph, at);
        if (graph->cycle_start == NO_NODE || length < graph->cycle_length) {
            graph->cycle_start = at;
            graph->cycle_length = length;
        }
        if (graph->is_of_dead) {
            mark_cycle(graph, at, length);
        }
    }
}

void deadlock_cycle_find(DeadlockGraph *graph) {
    graph->cycle_start = NO_NODE;
    size_t page = os_page_bytes();
    size_t bytes = (graph->count * sizeof(uint32_t) / page + 1) * page;
    uint32_t *visit = os_memory_reserve(bytes);
    if (visit != NULL && os_memory_commit(visit, bytes)) {
        find_cycle(graph, visit);
        mark_cycle(graph, graph->cycle_start, graph->cycle_length);
    }
    if (visit != NULL) {
        os_memory_release(visit, bytes);
    }
}
