/* deadlock_graph -- collecting waits, holders, the cycle. See deadlock_graph.h. */
#include "deadlock_graph.h"

#include "backtrace.h"
#include "deferred.h"
#include "device.h"
#include "os/os.h"
#include "registration.h"

typedef struct PointerEntry {
    const void *key; /* NULL: empty */
    uint32_t value;
    uint32_t holder;
    enum { KEY_CHANNEL, KEY_CLOCK, KEY_REGISTRATION /* MobileRegistration */ } kind;
} PointerEntry;

enum { MISSING_LISTED = 4 }; /* registrations of a mobile clock that are looked for */

/* ---- pointer maps ---- */

static PointerEntry *map_slot(const PointerMap *map, const void *key) { /* NULL: an empty one */
    uint64_t hash = ((uintptr_t)key >> 3) * UINT64_C(0x9E3779B97F4A7C15);
    size_t at = (size_t)(hash >> 20) & map->mask;
    while (map->entries[at].key != NULL && map->entries[at].key != key) {
        at = (at + 1) & map->mask;
    }
    return &map->entries[at];
}

static void map_put(const PointerMap *map, const void *key, uint32_t value) {
    PointerEntry *entry = map_slot(map, key);
    if (entry->key == NULL) {
        *entry = (PointerEntry){key, value, NO_NODE, KEY_CHANNEL};
    }
}

static size_t map_slots(size_t count) {
    size_t slots = 16;
    while (slots < count * 2) {
        slots *= 2;
    }
    return slots;
}

/* ---- the walk ---- */

/* A suspended mobile process waits for nothing. */
static bool is_process(const Process *block) {
    return block->sp != NULL && (block->flags & PROCESS_IS_SEGMENT) == 0 &&
           (block->wait == NULL || block->wait->kind != WAIT_SUSPENDED);
}

WaitReason deadlock_graph_reason(const WaitNode *node) {
    const Process *process = node->process;
    if ((process->flags & PROCESS_IS_STOPPED) != 0) {
        return WAIT_STOPPED; /* the site is that of its error */
    }
    WaitReason reason = (WaitReason)node->site->kind;
    bool is_channel = reason == WAIT_INPUT || reason == WAIT_OUTPUT || reason == WAIT_UNTIL_CLOSED;
    const Channel *channel = (const Channel *)(const void *)process->next;
    if (is_channel && channel != NULL && channel_tag(channel->word) == TAG_DEVICE) {
        return WAIT_DEVICE;
    }
    return reason;
}

/* The lock that a process waits for, or NULL. */
static const Claim *claim_of(const WaitNode *node) {
    bool is_claim = node->site != NULL && deadlock_graph_reason(node) == WAIT_CLAIM;
    return is_claim ? (const Claim *)(const void *)node->process->next : NULL;
}

/* The object of module sync that a process waits for, or NULL. */
const Sync *deadlock_graph_sync(const WaitNode *node) {
    WaitReason reason = node->site != NULL ? deadlock_graph_reason(node) : WAIT_INPUT;
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

static bool waits_on_channel(const WaitNode *node) {
    if (node->site == NULL) {
        return false;
    }
    WaitReason reason = deadlock_graph_reason(node);
    return reason == WAIT_INPUT || reason == WAIT_OUTPUT || reason == WAIT_UNTIL_CLOSED;
}

static const Alt *alt_of(const WaitNode *node) {
    WaitReason reason = node->site != NULL ? deadlock_graph_reason(node) : WAIT_INPUT;
    bool is_alt = reason == WAIT_ALT || reason == WAIT_EXTENDED; /* of one guard */
    return is_alt ? (const Alt *)node->process->data : NULL;
}

const Registration *deadlock_graph_registration(const WaitNode *node) {
    bool waits = node->site != NULL && deadlock_graph_reason(node) == WAIT_CLOCK;
    return waits ? node->process->data : NULL;
}

static bool is_channel_guard(const AltGuard *guard) {
    return guard->kind == GUARD_INPUT || guard->kind == GUARD_OUTPUT || guard->kind == GUARD_CLOSED;
}

static bool is_clock_guard(const AltGuard *guard) {
    return guard->kind == GUARD_CLOCK || guard->kind == GUARD_CLOCKS;
}

/* The first whose phase it waits for. */
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
    const Alt *alt = alt_of(node);
    if (deadlock_graph_registration(node) != NULL) {
        return 1 + MISSING_LISTED;
    }
    if (alt == NULL) {
        return waits_on_channel(node);
    }
    size_t count = alt->count;
    for (uint32_t i = 0; i < alt->count; i++) {
        bool is_clock = is_clock_guard(&alt->guards[i]);
        count += is_clock ? MISSING_LISTED * clock_guard_count(&alt->guards[i]) : 0;
    }
    return count;
}

/* How many processes there are, and how many channels they can wait on. */
static void count_all(size_t *process_count, size_t *channel_count) {
    BlockCursor cursor = block_first(&rt_root.blocks);
    Process *block;
    while ((block = block_next(&cursor)) != NULL) {
        if (is_process(block)) {
            WaitNode node = {block, block->wait, NO_NODE, false, false};
            ++*process_count;
            *channel_count += block->wait != NULL ? 1 + count_channels(&node) : 0;
        }
    }
}

static bool take_memory(DeadlockGraph *graph, size_t process_count, size_t channel_count) {
    size_t channel_slots = map_slots(channel_count);
    size_t process_slots = map_slots(process_count);
    size_t page = os_page_bytes();
    size_t bytes = process_count * sizeof(WaitNode) +
                   (channel_slots + process_slots) * sizeof(PointerEntry) + page;
    graph->memory_bytes = bytes / page * page;
    graph->memory = os_memory_reserve(graph->memory_bytes);
    if (graph->memory == NULL || !os_memory_commit(graph->memory, graph->memory_bytes)) {
        return false;
    }
    PointerEntry *entries = graph->memory;
    graph->channels = (PointerMap){entries, channel_slots - 1};
    graph->processes = (PointerMap){entries + channel_slots, process_slots - 1};
    graph->nodes = (void *)(entries + channel_slots + process_slots);
    return true;
}

static void mark_ready(DeadlockGraph *graph, const Process *chain) {
    for (const Process *ready = chain; ready != NULL; ready = ready->next) {
        const PointerEntry *entry = map_slot(&graph->processes, ready);
        if (entry->key != NULL) {
            graph->nodes[entry->value].site = NULL;
        }
    }
}

static void mark_ready_of(DeadlockGraph *graph, Worker *worker) {
    mark_ready(graph, worker->head);
    mark_ready(graph, worker->deferred);
    mark_ready(graph, worker->older);
    Deque *batches = &worker->batches;
    for (int64_t at = batches->top; at < batches->bottom; at++) {
        mark_ready(graph, batch_first(*deque_slot(batches, at)));
    }
}

static void list_nodes(DeadlockGraph *graph) {
    BlockCursor cursor = block_first(&rt_root.blocks);
    Process *block;
    while ((block = block_next(&cursor)) != NULL) {
        if (is_process(block)) {
            map_put(&graph->processes, block, graph->count);
            graph->nodes[graph->count++] = (WaitNode){block, block->wait, NO_NODE, false, false};
        }
    }
    for (unsigned i = 0; i < rt_root.worker_count; i++) {
        if (rt_root.workers[i] != NULL) {
            mark_ready_of(graph, rt_root.workers[i]);
        }
    }
    mark_ready(graph, rt_root.inbox);
}

/* ---- channels waited on, parents ---- */

/* One that has not arrived in the phase that is waited for the end of. */
static bool is_missing(const Registration *registration, const Clock *clock) {
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
        if (is_missing(&other->registration, one->clock) && count++ < MISSING_LISTED) {
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

/* Who has been found with a registration of a mobile clock: once for each clock. */
static void settle_clock(DeadlockGraph *graph, const Registration *registration, uint32_t index) {
    PointerEntry *entry = map_slot(&graph->channels, registration->clock);
    if (entry->value == index && is_mobile(registration)) {
        each_missing(graph, entry, registration, take_holder);
    }
}

/* Of all clocks that the process waits for. */
static void each_clock(DeadlockGraph *graph, uint32_t index,
                       void visit(DeadlockGraph *, const Registration *, uint32_t)) {
    const WaitNode *node = &graph->nodes[index];
    const Alt *alt = alt_of(node);
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

static void list_channels(DeadlockGraph *graph, uint32_t index) {
    const WaitNode *node = &graph->nodes[index];
    const Alt *alt = alt_of(node);
    each_clock(graph, index, list_clock);
    if (alt == NULL) {
        if (waits_on_channel(node)) {
            map_put(&graph->channels, node->process->next, index);
        }
        return;
    }
    for (uint32_t i = 0; i < alt->count; i++) {
        if (is_channel_guard(&alt->guards[i])) {
            map_put(&graph->channels, alt->guards[i].object, index);
        }
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

/* Does the process of node `index` wait to claim the very end that the channel's waiter uses? */
static bool claims_same_end(const DeadlockGraph *graph, const PointerEntry *channel,
                            uint32_t index) {
    const Claim *claim = claim_of(&graph->nodes[index]);
    const WaitNode *waiter = &graph->nodes[channel->value];
    if (claim == NULL || !waits_on_channel(waiter)) {
        return false;
    }
    const SharedChannel *shared = channel->key;
    return claim ==
           (deadlock_graph_reason(waiter) != WAIT_OUTPUT ? &shared->input : &shared->output);
}

static void note_holder(DeadlockGraph *graph, PointerEntry *channel, uint32_t index) {
    if (channel->value == index || claims_same_end(graph, channel, index)) {
        return; /* who waits is not who will come */
    }
    bool is_better = channel->holder == NO_NODE ||
                     (graph->nodes[channel->holder].is_parent && !graph->nodes[index].is_parent);
    if (is_better) {
        channel->holder = index;
    }
}

static bool waits_at_join(const WaitNode *node) {
    WaitReason reason = node->site != NULL ? deadlock_graph_reason(node) : WAIT_INPUT;
    return reason == WAIT_JOIN || reason == WAIT_FORKING;
}

/* A process that waits at the end of a PAR will not communicate; but it may be enrolled. */
static void note_word(DeadlockGraph *graph, PointerEntry *found, uint32_t index,
                      const uintptr_t *word, const void *high) {
    const Registration *registration = (const void *)word;
    switch (found->kind) {
    case KEY_CHANNEL:
        if (!waits_at_join(&graph->nodes[index])) {
            note_holder(graph, found, index);
        }
        return;
    case KEY_CLOCK:
        if ((const void *)(registration + 1) <= high && is_missing(registration, found->key)) {
            found->holder = index;
        }
        return;
    case KEY_REGISTRATION: found->holder = index; return;
    }
}

static void scan_words(DeadlockGraph *graph, uint32_t index, const void *low, const void *high) {
    for (const uintptr_t *word = low; word < (const uintptr_t *)high; word++) {
        if (*word != 0) {
            PointerEntry *found = map_slot(&graph->channels, (const void *)*word);
            if (found->key != NULL) {
                note_word(graph, found, index, word, high);
            }
        }
    }
}

/* The mobile parameters of a forked process lie at the low end of its block. */
static void scan_parameters(DeadlockGraph *graph, uint32_t index) {
    const Process *process = graph->nodes[index].process;
    const uintptr_t *high = (const void *)process;
    const uintptr_t *sp = process->sp;
    for (const uintptr_t *word = (const void *)block_stack_low(process); word < high && word < sp;
         word++) {
        PointerEntry *found = map_slot(&graph->channels, (const void *)*word);
        if (*word != 0 && found->key != NULL && found->kind == KEY_REGISTRATION) {
            found->holder = index;
        }
    }
}

/* The stack of a process: from its stack pointer to the top of that block, and so on through the
 * segments to its own block. */
static void scan_stack(DeadlockGraph *graph, uint32_t index) {
    const Process *process = graph->nodes[index].process;
    const void *sp = process->sp;
    for (;;) {
        const Process *block = block_find(&rt_root.blocks, sp);
        if (block == NULL) {
            return;
        }
        scan_words(graph, index, sp, block);
        if ((block->flags & PROCESS_IS_SEGMENT) == 0) {
            return;
        }
        sp = block->sp;
    }
}

/* A channel that only its declaring process knows: that one, if it runs a component itself. */
static void note_owner(DeadlockGraph *graph, PointerEntry *channel) {
    Process *block = block_find(&rt_root.blocks, channel->key);
    if (block != NULL && (block->flags & PROCESS_IS_SEGMENT) != 0) {
        block = block->data;
    }
    const PointerEntry *entry = block != NULL ? map_slot(&graph->processes, block) : NULL;
    if (entry != NULL && entry->key != NULL && !waits_at_join(&graph->nodes[entry->value])) {
        note_holder(graph, channel, entry->value);
    }
}

static uint32_t holder_for(DeadlockGraph *graph, const void *object) {
    PointerEntry *channel = map_slot(&graph->channels, object);
    if (channel->key == NULL) {
        return NO_NODE;
    }
    if (channel->holder == NO_NODE) {
        note_owner(graph, channel);
    }
    return channel->holder;
}

static void find_holder(DeadlockGraph *graph, WaitNode *node) {
    const Alt *alt = alt_of(node);
    const Claim *claim = claim_of(node);
    const Sync *sync = deadlock_graph_sync(node);
    if (claim != NULL || sync != NULL) {
        const Process *holder = claim != NULL ? claim->holder : sync->holder;
        const PointerEntry *entry = map_slot(&graph->processes, holder);
        node->holder = entry->key != NULL ? entry->value : NO_NODE;
        return;
    }
    const Registration *registration = deadlock_graph_registration(node);
    if (registration != NULL) {
        node->holder = map_slot(&graph->channels, registration->clock)->holder;
        return;
    }
    if (alt == NULL) {
        node->holder = waits_on_channel(node) ? holder_for(graph, node->process->next) : NO_NODE;
        return;
    }
    for (uint32_t i = 0; i < alt->count && node->holder == NO_NODE; i++) {
        if (is_channel_guard(&alt->guards[i])) {
            node->holder = holder_for(graph, alt->guards[i].object);
        } else if (is_clock_guard(&alt->guards[i])) {
            registration = clock_waited_for(&alt->guards[i]);
            node->holder = map_slot(&graph->channels, registration->clock)->holder;
        }
    }
}

/* ---- the cycle: every node has at most one holder, so each cycle is met once ---- */

static uint32_t length_from(const DeadlockGraph *graph, uint32_t start) {
    uint32_t length = 1;
    for (uint32_t at = graph->nodes[start].holder; at != start; at = graph->nodes[at].holder) {
        length++;
    }
    return length;
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
    }
}

static void mark_cycle(DeadlockGraph *graph) {
    uint32_t at = graph->cycle_start;
    for (uint32_t i = 0; at != NO_NODE && i < graph->cycle_length; i++) {
        graph->nodes[at].is_in_cycle = true;
        at = graph->nodes[at].holder;
    }
}

static void work_out_cycle(DeadlockGraph *graph) {
    size_t page = os_page_bytes();
    size_t bytes = (graph->count * sizeof(uint32_t) / page + 1) * page;
    uint32_t *visit = os_memory_reserve(bytes);
    if (visit != NULL && os_memory_commit(visit, bytes)) {
        find_cycle(graph, visit);
        mark_cycle(graph);
    }
    if (visit != NULL) {
        os_memory_release(visit, bytes);
    }
}

/* ---- the interface ---- */

bool deadlock_graph_build(DeadlockGraph *graph) {
    size_t process_count = 0;
    size_t channel_count = 0;
    *graph = (DeadlockGraph){.cycle_start = NO_NODE};
    count_all(&process_count, &channel_count);
    if (process_count >= NO_NODE || !take_memory(graph, process_count, channel_count)) {
        return false;
    }
    list_nodes(graph);
    for (uint32_t i = 0; i < graph->count; i++) {
        list_channels(graph, i);
        mark_parent(graph, graph->nodes[i].process);
    }
    for (uint32_t i = 0; i < graph->count; i++) {
        scan_stack(graph, i);
        scan_parameters(graph, i);
    }
    for (uint32_t i = 0; i < graph->count; i++) {
        each_clock(graph, i, settle_clock);
    }
    for (uint32_t i = 0; i < graph->count; i++) {
        find_holder(graph, &graph->nodes[i]);
    }
    work_out_cycle(graph);
    return true;
}

void deadlock_graph_free(DeadlockGraph *graph) {
    if (graph->memory != NULL) {
        os_memory_release(graph->memory, graph->memory_bytes);
    }
    *graph = (DeadlockGraph){.cycle_start = NO_NODE};
}
