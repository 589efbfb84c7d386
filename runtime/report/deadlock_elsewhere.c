/* deadlock_elsewhere -- see deadlock_elsewhere.h. */
#include "deadlock_elsewhere.h"

#include "deadlock_map.h"
#include "device.h"
#include "registration.h"

/* ---- what is here ---- */

void deadlock_elsewhere_list(DeadlockGraph *graph) {
    Elsewhere *elsewhere = &graph->elsewhere;
    *elsewhere = (Elsewhere){.held = NULL};
    if (rt_root.machines == NULL || graph->is_of_dead) {
        return;
    }
    graph->has_machines = true;
    for (uint32_t i = 0; i < graph->count; i++) {
        graph->nodes[i].machine = rt_root.machines->number_of(graph->nodes[i].process);
    }
    size_t count = rt_root.machines->held(NULL, 0);
    HeldPlace *held =
        deadlock_graph_memory(&graph->memory[GRAPH_MEMORY_HELD], count * sizeof *held);
    if (held != NULL) {
        *elsewhere = (Elsewhere){.held = held, .held_count = rt_root.machines->held(held, count)};
    }
}

void deadlock_elsewhere_await(DeadlockGraph *graph) {
    for (size_t i = 0; i < graph->elsewhere.held_count; i++) {
        const HeldPlace *place = &graph->elsewhere.held[i];
        const void *key = place->channel != NULL ? (const void *)place->channel : place->clock;
        if (key == NULL || map_slot(&graph->channels, key)->key != NULL) {
            continue;
        }
        PointerEntry *entry = map_put(&graph->channels, key, NO_NODE);
        entry->kind = place->channel != NULL ? KEY_CHANNEL : KEY_CLOCK;
        entry->needs = PAR_AFTER_INPUT | PAR_AFTER_OUTPUT;
    }
}

static uint32_t node_of(const DeadlockGraph *graph, const Process *process) {
    const PointerEntry *entry = process != NULL ? map_slot(&graph->processes, process) : NULL;
    return entry != NULL && entry->key != NULL ? entry->value : NO_NODE;
}

/* Who waits at an end has it; else who knows its address. The process of a placement that waits for
 * branches may have handed it down. */
static uint32_t node_with(const DeadlockGraph *graph, const HeldPlace *place) {
    uint32_t user = node_of(graph, place->user);
    const void *key = place->channel != NULL ? (const void *)place->channel : place->clock;
    const PointerEntry *entry = key != NULL ? map_slot(&graph->channels, key) : NULL;
    if (user != NO_NODE || (entry != NULL && entry->holder != NO_NODE)) {
        return user != NO_NODE ? user : entry->holder;
    }
    uint32_t placement = node_of(graph, place->placement);
    bool is_at_join = placement != NO_NODE && deadlock_graph_is_at_join(&graph->nodes[placement]);
    return is_at_join ? NO_NODE : placement;
}

/* ---- who waits for something elsewhere ---- */

static size_t count_wants(const DeadlockGraph *graph) {
    size_t count = 0;
    for (uint32_t i = 0; i < graph->count; i++) {
        const Alt *alt = deadlock_graph_alt(&graph->nodes[i]);
        count += alt != NULL ? alt->count : 1;
    }
    return count;
}

static void want(DeadlockGraph *graph, uint32_t index, const AwaitedPlace *awaited) {
    Elsewhere *elsewhere = &graph->elsewhere;
    WaitNode *node = &graph->nodes[index];
    PlaceKey key;
    if (!rt_root.machines->awaited(awaited, &key)) {
        return;
    }
    size_t last = elsewhere->want_count;
    node->has_several = last > 0 && elsewhere->wants[last - 1].node == index;
    node->is_open = true;
    elsewhere->wants[elsewhere->want_count++] = (KeyedNode){key, index};
}

static void want_guards(DeadlockGraph *graph, uint32_t index, const Alt *alt) {
    for (uint32_t i = 0; i < alt->count; i++) {
        const AltGuard *guard = &alt->guards[i];
        if (deadlock_graph_is_channel_guard(guard)) {
            want(graph, index,
                 &(AwaitedPlace){.kind = PLACE_END,
                                 .object = guard->object,
                                 .is_output = guard->kind == GUARD_OUTPUT});
        }
    }
}

static void note_wants(DeadlockGraph *graph, uint32_t index) {
    const WaitNode *node = &graph->nodes[index];
    const Alt *alt = deadlock_graph_alt(node);
    if (node->site == NULL) {
        return;
    }
    if (alt != NULL && deadlock_graph_reason(node) != WAIT_DEVICE) {
        want_guards(graph, index, alt);
        return;
    }
    AwaitedPlace awaited = {
        .kind = PLACE_END, .process = node->process, .object = node->process->next};
    switch ((int)deadlock_graph_reason(node)) {
    case WAIT_DEVICE: break;
    case WAIT_CLAIM: awaited.kind = PLACE_CLAIM; break;
    case WAIT_PLACEMENT: awaited.kind = PLACE_PLACEMENT; break;
    case WAIT_CLOCK:
        awaited.kind = PLACE_CLOCK;
        awaited.object = deadlock_graph_registration(node)->clock;
        break;
    default: return;
    }
    want(graph, index, &awaited);
}

void deadlock_elsewhere_note(DeadlockGraph *graph) {
    Elsewhere *elsewhere = &graph->elsewhere;
    if (elsewhere->held == NULL) {
        return;
    }
    size_t wants = count_wants(graph);
    KeyedNode *keys = deadlock_graph_memory(&graph->memory[GRAPH_MEMORY_KEYS],
                                            (wants + elsewhere->held_count) * sizeof *keys);
    if (keys == NULL) {
        return;
    }
    elsewhere->wants = keys;
    elsewhere->haves = keys + wants;
    for (size_t i = 0; i < elsewhere->held_count; i++) {
        uint32_t node = node_with(graph, &elsewhere->held[i]);
        if (node != NO_NODE) {
            elsewhere->haves[elsewhere->have_count++] = (KeyedNode){elsewhere->held[i].key, node};
        }
    }
    for (uint32_t i = 0; i < graph->count; i++) {
        note_wants(graph, i);
    }
}

/* ---- the holders: a table of haves by key, of which the first counts ---- */

static size_t slot_of(const Elsewhere *elsewhere, const uint32_t *slots, size_t mask,
                      const PlaceKey *key) {
    uint64_t hash = (key->number ^ key->what << 48) * UINT64_C(0x9E3779B97F4A7C15);
    size_t at = (size_t)(hash >> 20) & mask;
    while (slots[at] != 0 && (elsewhere->haves[slots[at] - 1].key.what != key->what ||
                              elsewhere->haves[slots[at] - 1].key.number != key->number)) {
        at = (at + 1) & mask;
    }
    return at;
}

void deadlock_elsewhere_join(DeadlockGraph *graph) {
    const Elsewhere *elsewhere = &graph->elsewhere;
    size_t mask = 15;
    while (mask < 2 * elsewhere->have_count) {
        mask = 2 * mask + 1;
    }
    uint32_t *slots =
        elsewhere->want_count == 0
            ? NULL
            : deadlock_graph_memory(&graph->memory[GRAPH_MEMORY_SLOTS], (mask + 1) * sizeof *slots);
    for (size_t i = 0; slots != NULL && i < elsewhere->have_count; i++) {
        size_t at = slot_of(elsewhere, slots, mask, &elsewhere->haves[i].key);
        slots[at] = slots[at] == 0 ? (uint32_t)i + 1 : slots[at];
    }
    for (size_t i = 0; slots != NULL && i < elsewhere->want_count; i++) {
        WaitNode *node = &graph->nodes[elsewhere->wants[i].node];
        uint32_t found = slots[slot_of(elsewhere, slots, mask, &elsewhere->wants[i].key)];
        if (node->holder == NO_NODE && found != 0) {
            node->holder = elsewhere->haves[found - 1].node;
            node->is_elsewhere = true;
        }
    }
}
