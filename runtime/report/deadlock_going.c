/* deadlock_going -- queues, batches, requests, what the workers run. See deadlock_going.h. */
#include "deadlock_going.h"

#include "deadlock_map.h"
#include "deferred.h"

static void mark_going(DeadlockGraph *graph, const Process *process) {
    const PointerEntry *entry = map_slot(&graph->processes, process);
    if (process != NULL && entry->key != NULL) {
        graph->nodes[entry->value].site = NULL;
    }
}

static void mark_ready(DeadlockGraph *graph, const Process *chain) {
    for (const Process *ready = chain; ready != NULL; ready = ready->next) {
        mark_going(graph, ready);
    }
}

const Process *deadlock_process_at(const void *address) {
    const Process *block = address != NULL ? block_find(&rt_root.blocks, address) : NULL;
    bool is_segment = block != NULL && (block->flags & PROCESS_IS_SEGMENT) != 0;
    return is_segment ? block->data : block;
}

static void mark_held(DeadlockGraph *graph, const Process *process) {
    const PointerEntry *entry = map_slot(&graph->processes, process);
    if (process != NULL && entry->key != NULL) {
        graph->nodes[entry->value].site = NULL;
        graph->nodes[entry->value].is_held = true;
    }
}

static void mark_going_of(DeadlockGraph *graph, Worker *worker) {
    mark_going(graph, worker->runs);
    mark_held(graph, deadlock_process_at(worker->held_sp));
    for (const ChannelRequest *request = worker->requests; request != NULL;
         request = request->next) {
        mark_going(graph, request->process); /* its operation will be done again */
    }
    mark_ready(graph, worker->head);
    mark_ready(graph, worker->deferred);
    mark_ready(graph, worker->older);
    Deque *batches = &worker->batches;
    for (int64_t at = batches->top; at < batches->bottom; at++) {
        mark_ready(graph, batch_first(*deque_slot(batches, at)));
    }
}

void deadlock_going_mark(DeadlockGraph *graph) {
    for (unsigned i = 0; i < rt_root.worker_count; i++) {
        if (rt_root.workers[i] != NULL) {
            mark_going_of(graph, rt_root.workers[i]);
        }
    }
    mark_ready(graph, atomic_get_acquire(&rt_root.inbox));
}
