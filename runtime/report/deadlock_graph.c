/* deadlock_graph -- collecting waits, holders, the cycle. See deadlock_graph.h. */
#include "deadlock_graph.h"

#include "backtrace.h"
#include "deadlock_cycle.h"
#include "deadlock_elsewhere.h"
#include "deadlock_going.h"
#include "deadlock_holder.h"
#include "deadlock_map.h"
#include "deadlock_order.h"
#include "device.h"
#include "os.h"
#include "registration.h"

enum { MISSING_LISTED = 4 }; /* registrations of a mobile clock that are looked for */

/* ---- the walk ---- */

static size_t map_slots(size_t count) {
    size_t slots = 16;
    while (slots < count * 2) {
        slots *= 2;
    }
    return slots;
}

/* A suspended mobile process waits for nothing. The site of a stopped one is that of its error,
 * whose kinds are others. */
static bool is_process(const Process *block) {
    bool is_suspended = block->wait != NULL && (block->flags & PROCESS_IS_STOPPED) == 0 &&
                        block->wait->kind == WAIT_SUSPENDED;
    return block->sp != NULL && (block->flags & PROCESS_IS_SEGMENT) == 0 && !is_suspended;
}

WaitReason deadlock_graph_reason(const WaitNode *node) {
    const Process *process = node->process;
    if (process == NULL) {
        return (WaitReason)node->foreign->reason;
    }
    if ((process->flags & PROCESS_IS_STOPPED) != 0) {
        return WAIT_STOPPED; /* the site is that of its error */
    }
    WaitReason reason = (WaitReason)node->site->kind;
    bool is_channel = reason == WAIT_INPUT || reason == WAIT_OUTPUT || reason == WAIT_UNTIL_CLOSED;
    /* an extended input waits by an ALT, for a device plainly */
    is_channel = is_channel || (reason == WAIT_EXTENDED && process->data != (void *)process->next);
    if (!is_channel) {
        return reason; /* its thread may change `next` during a call of C */
    }
    const Channel *channel = (const Channel *)(const void *)process->next;
    bool is_device = channel != NULL && channel_tag(channel->word) == TAG_DEVICE;
    return is_device ? WAIT_DEVICE : reason;
}

/* The reason of a node that may be read; else a reason that leads to nothing. */
static WaitReason reason_here(const WaitNode *node) {
    bool is_here = node->site != NULL && node->process != NULL;
    return is_here ? deadlock_graph_reason(node) : WAIT_RESCHEDULE;
}

/* The lock that a process waits for, or NULL. */
const Claim *deadlock_graph_claim(const WaitNode *node) {
    bool is_claim = reason_here(node) == WAIT_CLAIM;
    return is_claim ? (const Claim *)(const void *)node->process->next : NULL;
}

/* The object of module sync that a process waits for, or NULL. */
const Sync *deadlock_graph_sync(const WaitNode *node) {
    WaitReason reason = reason_here(node);
    switch ((int)reason) {
    case WAIT_SEMAPHORE:
    case WAIT_SEMAPHORE_UNTIL:
    case WAIT_CONDITION:
    case WAIT_TICKET:
    case WAIT_BUCKET:
    case WAIT_CREW_READ:
    case WAIT_CREW_WRITE: return (const Sync *)(const void *)node->process->next;
    }
    return NULL;
}

static bool is_on_channel(const WaitNode *node) {
    WaitReason reason = reason_here(node);
    return reason == WAIT_INPUT || reason == WAIT_OUTPUT || reason == WAIT_UNTIL_CLOSED;
}

const Alt *deadlock_graph_alt(const WaitNode *node) {
    WaitReason reason = reason_here(node);
    bool is_alt = reason == WAIT_ALT || reason == WAIT_EXTENDED; /* of one guard */
    return is_alt ? (const Alt *)node->process->data : NULL;
}

const Registration *deadlock_graph_registration(const WaitNode *node) {
    return reason_here(node) == WAIT_CLOCK ? node->process->data : NULL;
}

bool deadlock_graph_is_channel_guard(const AltGuard *guard) {
    return guard->kind == GUARD_INPUT || guard->kind == GUARD_OUTPUT || guard->kind == GUARD_CLOSED;
}

bool deadlock_graph_is_at_join(const WaitNode *node) {
    WaitReason reason = reason_here(node);
    return reason == WAIT_JOIN || reason == WAIT_FORKING;
}

/* The first clock whose phase it waits for. */
static const Registration *clock_waited_for(const AltGuard *guard) {
    for (uint32_t i = 0; i < clock_guard_count(guard); i++) {
        const Registration *registration = clock_guard_member(guard, i);
        if (clock_phase_in(registration->clock->word) == (registration->phase & CLOCK_PHASE_MASK)) {
            return registration;
        }
    }
    return clock_guard_member(guard, 0);
}

static size_t count_channels(const WaitNode *node) {
    const Alt *alt = deadlock_graph_alt(node);
    if (deadlock_graph_registration(node) != NULL) {
        return 1 + MISSING_LISTED;
    }
    if (alt == NULL) {
        return is_on_channel(node);
    }
    size_t count = alt->count;
    for (uint32_t i = 0; i < alt->count; i++) {
        bool is_clock = is_clock_guard(&alt->guards[i]);
        count += is_clock ? MISSING_LISTED * clock_guard_count(&alt->guards[i]) : 0;
    }
    return count;
}

static size_t count_processes(void) {
    size_t count = 0;
    BlockCursor cursor = block_first(&rt_root.blocks);
    Process *block;
    while ((block = block_next(&cursor)) != NULL) {
        count += is_process(block);
    }
    return count;
}

/* How many channels can be waited on. Running and ready processes have been marked: their words are
 * out of date. */
static size_t count_waited_for(const DeadlockGraph *graph) {
    size_t count = 0;
    for (uint32_t i = 0; i < graph->count; i++) {
        count += graph->nodes[i].site != NULL ? 1 + count_channels(&graph->nodes[i]) : 0;
    }
    return count + graph->elsewhere.held_count;
}

static void give_back(GraphMemory *memory) {
    if (memory->address != NULL) {
        os_memory_release(memory->address, memory->bytes);
    }
    *memory = (GraphMemory){NULL, 0};
}

void *deadlock_graph_memory(GraphMemory *memory, size_t bytes) {
    give_back(memory);
    size_t page = os_page_bytes();
    memory->bytes = (bytes + page) / page * page;
    memory->address = os_memory_reserve(memory->bytes);
    bool is_there = memory->address != NULL && os_memory_commit(memory->address, memory->bytes);
    return is_there ? memory->address : NULL;
}

static bool take_nodes(DeadlockGraph *graph, size_t process_count) {
    size_t slots = map_slots(2 * process_count); /* and their Joins */
    size_t bytes = process_count * sizeof(WaitNode) + slots * sizeof(PointerEntry);
    PointerEntry *entries = deadlock_graph_memory(&graph->memory[GRAPH_MEMORY_NODES], bytes);
    graph->processes = (PointerMap){entries, slots - 1};
    graph->nodes = (void *)(entries + (entries != NULL ? slots : 0));
    return entries != NULL;
}

bool deadlock_graph_take_channels(DeadlockGraph *graph) {
    size_t slots = map_slots(count_waited_for(graph));
    PointerEntry *entries =
        deadlock_graph_memory(&graph->memory[GRAPH_MEMORY_CHANNELS], slots * sizeof(PointerEntry));
    graph->channels = (PointerMap){entries, slots - 1};
    return entries != NULL;
}

static void list_nodes(DeadlockGraph *graph) {
    BlockCursor cursor = block_first(&rt_root.blocks);
    Process *block;
    while ((block = block_next(&cursor)) != NULL) {
        if (is_process(block)) {
            map_put(&graph->processes, block, graph->count);
            graph->nodes[graph->count++] =
                (WaitNode){.process = block, .site = block->wait, .holder = NO_NODE};
        }
    }
    deadlock_going_mark(graph);
}

/* ---- channels waited on, parents ---- */

bool deadlock_graph_is_missing(const Registration *registration, const void *address) {
    const Clock *clock = address;
    return registration->clock == clock && registration->state == REGISTRATION_ACTIVE &&
           ((registration->phase ^ clock_phase_in(clock->word)) & CLOCK_PHASE_MASK) == 0;
}

/* A registration that lies in no frame is that of a mobile clock. */
static bool is_mobile(const Registration *registration) {
    return block_find(&rt_root.blocks, registration) == NULL;
}

typedef void MissingVisitor(DeadlockGraph *graph, const MobileRegistration *missing,
                            PointerEntry *clock);

static void each_missing(DeadlockGraph *graph, PointerEntry *clock, const Registration *one,
                         MissingVisitor *visit) {
    const MobileClock *mobile = mobile_clock_of(one);
    int count = 0;
    LIST_EACH(link, &mobile->registrations) {
        const MobileRegistration *other = LIST_ENTRY(link, MobileRegistration, link);
        if (deadlock_graph_is_missing(&other->registration, one->clock) &&
            count++ < MISSING_LISTED) {
            visit(graph, other, clock);
        }
    }
}

static void list_missing(DeadlockGraph *graph, const MobileRegistration *missing,
                         PointerEntry *clock) {
    map_put(&graph->channels, missing, clock->value);
    map_slot(&graph->channels, missing)->kind = KEY_REGISTRATION;
}

static void list_clock(DeadlockGraph *graph, const Registration *registration, uint32_t index) {
    PointerEntry *entry = map_slot(&graph->channels, registration->clock);
    if (entry->key != NULL) {
        return;
    }
    map_put(&graph->channels, registration->clock, index);
    entry->kind = KEY_CLOCK;
    if (is_mobile(registration)) {
        each_missing(graph, entry, registration, list_missing);
    }
}

static void take_holder(DeadlockGraph *graph, const MobileRegistration *missing,
                        PointerEntry *clock) {
    uint32_t holder = map_slot(&graph->channels, missing)->holder;
    clock->holder = clock->holder == NO_NODE ? holder : clock->holder;
}

/* Note who was found with a registration of a mobile clock: once for each clock. */
static void settle_clock(DeadlockGraph *graph, const Registration *registration, uint32_t index) {
    PointerEntry *entry = map_slot(&graph->channels, registration->clock);
    if (entry->value == index && is_mobile(registration)) {
        each_missing(graph, entry, registration, take_holder);
    }
}

/* For all clocks that the process waits for. */
static void each_clock(DeadlockGraph *graph, uint32_t index,
                       void visit(DeadlockGraph *, const Registration *, uint32_t)) {
    const WaitNode *node = &graph->nodes[index];
    const Alt *alt = deadlock_graph_alt(node);
    if (deadlock_graph_registration(node) != NULL) {
        visit(graph, deadlock_graph_registration(node), index);
    }
    for (uint32_t i = 0; alt != NULL && i < alt->count; i++) {
        const AltGuard *guard = &alt->guards[i];
        for (uint32_t k = 0; is_clock_guard(guard) && k < clock_guard_count(guard); k++) {
            visit(graph, clock_guard_member(guard, k), index);
        }
    }
}

static void list_channel(DeadlockGraph *graph, const void *channel, uint32_t index,
                         bool is_output) {
    map_put(&graph->channels, channel, index)->needs =
        is_output ? PAR_AFTER_INPUT : PAR_AFTER_OUTPUT;
}

static void list_channels(DeadlockGraph *graph, uint32_t index) {
    const WaitNode *node = &graph->nodes[index];
    const Alt *alt = deadlock_graph_alt(node);
    each_clock(graph, index, list_clock);
    if (alt == NULL) {
        if (is_on_channel(node)) {
            list_channel(graph, node->process->next, index,
                         deadlock_graph_reason(node) == WAIT_OUTPUT);
        }
        return;
    }
    for (uint32_t i = 0; i < alt->count; i++) {
        if (deadlock_graph_is_channel_guard(&alt->guards[i])) {
            list_channel(graph, alt->guards[i].object, index, alt->guards[i].kind == GUARD_OUTPUT);
        }
    }
}

static void list_join(DeadlockGraph *graph, const Process *branch) {
    if (branch->join != NULL) {
        map_put(&graph->processes, branch->join, 0)->kind = KEY_JOIN;
    }
}

static void mark_parent(DeadlockGraph *graph, const Process *child) {
    const Process *parent = backtrace_parent(child);
    const PointerEntry *entry = parent != NULL ? map_slot(&graph->processes, parent) : NULL;
    if (entry != NULL && entry->key != NULL) {
        graph->nodes[entry->value].is_parent = true;
    }
}

/* ---- holders ---- */

/* A PAR waits for each of its branches: choose one that waits for the parent, if there is one. */
static void find_branch(DeadlockGraph *graph, uint32_t index) {
    const Process *parent = backtrace_parent(graph->nodes[index].process);
    const PointerEntry *entry = parent != NULL ? map_slot(&graph->processes, parent) : NULL;
    if (entry == NULL || entry->key == NULL ||
        !deadlock_graph_is_at_join(&graph->nodes[entry->value])) {
        return;
    }
    WaitNode *node = &graph->nodes[entry->value];
    bool is_of_it = (const void *)parent->next == graph->nodes[index].process->join;
    if (is_of_it && (node->holder == NO_NODE || graph->nodes[index].holder == entry->value)) {
        node->holder = index;
    }
}

static void find_clock_holder(DeadlockGraph *graph, WaitNode *node) {
    const Alt *alt = deadlock_graph_alt(node);
    for (uint32_t i = 0; i < alt->count && node->holder == NO_NODE; i++) {
        if (is_clock_guard(&alt->guards[i])) {
            const Registration *registration = clock_waited_for(&alt->guards[i]);
            node->holder = map_slot(&graph->channels, registration->clock)->holder;
            node->is_for_phase = node->holder != NO_NODE;
        }
    }
}

static void find_holder(DeadlockGraph *graph, WaitNode *node) {
    const Claim *claim = deadlock_graph_claim(node);
    const Sync *sync = deadlock_graph_sync(node);
    const Registration *registration = deadlock_graph_registration(node);
    if (claim != NULL || sync != NULL) {
        const Process *holder = claim != NULL ? claim->holder : sync->holder;
        const PointerEntry *entry = map_slot(&graph->processes, holder);
        node->holder = entry->key != NULL ? entry->value : NO_NODE;
    } else if (registration != NULL) {
        node->holder = map_slot(&graph->channels, registration->clock)->holder;
    } else if (deadlock_graph_alt(node) != NULL) {
        deadlock_holder_find(graph, node);
        find_clock_holder(graph, node);
    } else if (is_on_channel(node)) {
        deadlock_holder_find(graph, node);
    }
}

/* ---- the interface ---- */

bool deadlock_graph_list(DeadlockGraph *graph) {
    size_t process_count = count_processes();
    *graph = (DeadlockGraph){.cycle_start = NO_NODE};
    if (process_count >= NO_NODE || !take_nodes(graph, process_count)) {
        return false;
    }
    list_nodes(graph);
    return true;
}

/* Does it matter what this node has and waits for? */
static bool counts(const DeadlockGraph *graph, uint32_t index) {
    return !graph->is_of_dead || graph->nodes[index].is_dead;
}

static void list_waits(DeadlockGraph *graph) {
    graph->is_at_rest = true;
    for (uint32_t i = 0; i < graph->count; i++) {
        const WaitNode *node = &graph->nodes[i];
        bool is_blocked = node->site != NULL && deadlock_graph_reason(node) != WAIT_STOPPED;
        graph->is_at_rest = graph->is_at_rest && (is_blocked || graph->is_of_dead);
        if (counts(graph, i)) {
            list_channels(graph, i);
        }
        list_join(graph, node->process);
        mark_parent(graph, node->process);
    }
}

bool deadlock_graph_link(DeadlockGraph *graph) {
    deadlock_order(graph);
    deadlock_elsewhere_list(graph);
    if (!deadlock_graph_take_channels(graph)) {
        return false;
    }
    list_waits(graph);
    deadlock_elsewhere_await(graph);
    for (uint32_t i = 0; i < graph->count; i++) {
        if (counts(graph, i)) {
            deadlock_holder_scan(graph, i);
        }
    }
    for (uint32_t i = 0; i < graph->count; i++) {
        if (counts(graph, i)) {
            each_clock(graph, i, settle_clock);
        }
    }
    for (uint32_t i = 0; i < graph->count; i++) {
        if (counts(graph, i)) {
            find_holder(graph, &graph->nodes[i]);
        }
    }
    deadlock_elsewhere_note(graph);
    deadlock_elsewhere_join(graph);
    for (uint32_t i = 0; i < graph->count; i++) {
        if (counts(graph, i)) {
            find_branch(graph, i);
        }
    }
    deadlock_cycle_find(graph);
    return true;
}

bool deadlock_graph_build(DeadlockGraph *graph) {
    return deadlock_graph_list(graph) && deadlock_graph_link(graph);
}

void deadlock_graph_free(DeadlockGraph *graph) {
    for (size_t i = 0; i < sizeof graph->memory / sizeof graph->memory[0]; i++) {
        give_back(&graph->memory[i]);
    }
    *graph = (DeadlockGraph){.cycle_start = NO_NODE};
}
