/* deadlock_holder -- stacks, environments of PARs, holders. See deadlock_holder.h. */
#include "deadlock_holder.h"

#include "backtrace.h"
#include "deadlock_map.h"
#include "registration.h"

/* Scan -- the stack of one process on the way from its stack pointer to its top. */
typedef struct Scan {
    DeadlockGraph *graph;
    uint32_t index;
    const void *low;         /* of what is still to be scanned in this block */
    const Join *waits_at;    /* the end of a PAR or FORKING; NULL: for something else */
    const ParSite *waits_in; /* that PAR, or NULL */
    const char *environment; /* the one that was begun last, or NULL */
    const ParSite *par;      /* its PAR */
    bool is_second;          /* environments have been scanned */
} Scan;

/* ---- PARs ---- */

static const ParSite *as_par(const Site *site) {
    bool is_par = site != NULL && (site->flags & SITE_PAR) != 0;
    return is_par ? (const ParSite *)(const void *)site : NULL;
}

static const ParSite *par_of(const DeadlockGraph *graph, const Join *join) {
    const void *waiter = (const void *)((uintptr_t)join->waiter & ~(uintptr_t)JOIN_AT_ONCE);
    if (waiter == NULL) {
        return NULL;
    }
    const PointerEntry *entry = map_slot(&graph->processes, waiter);
    if (entry->key == NULL) {
        return as_par(waiter);
    }
    const WaitNode *parent = &graph->nodes[entry->value];
    bool waits = deadlock_graph_is_at_join(parent) && (const void *)parent->process->next == join;
    return waits ? as_par(parent->site) : NULL;
}

static const ParUse *find_use(const ParSite *par, size_t offset) {
    for (uint32_t i = 0; i < par->count; i++) {
        if (par->given[i].offset == offset) {
            return &par->given[i];
        }
    }
    return NULL;
}

static const Process *process_of(const Scan *scan) {
    return scan->graph->nodes[scan->index].process;
}

/* The process waits inside its own component of that PAR: after the PAR it may use the other end
 * itself. */
static void note_own(const Scan *scan) {
    const WaitNode *node = &scan->graph->nodes[scan->index];
    PointerEntry *channel = map_slot(&scan->graph->channels, node->process->next);
    bool is_awaited = channel->key != NULL && channel->kind == KEY_CHANNEL &&
                      channel->value == scan->index && channel->own_par == NULL;
    if (node->site == NULL || scan->waits_at != NULL || !is_awaited) {
        return;
    }
    unsigned uses = scan->par->others;
    for (uint32_t i = 0; i < scan->par->count; i++) {
        const ParUse *given = &scan->par->given[i];
        const void *at = scan->environment + given->offset;
        uses = *(const void *const *)at == channel->key ? given->uses : uses;
    }
    channel->own_par = (uses & channel->needs) != 0 ? &scan->par->site : NULL;
}

static void enter_environment(Scan *scan, const void *address) {
    const PointerEntry *entry = map_slot(&scan->graph->processes, address);
    if (entry->key == NULL || entry->kind != KEY_JOIN) {
        return;
    }
    scan->environment = address;
    scan->par = par_of(scan->graph, address);
    if (scan->par != NULL && !scan->is_second) {
        note_own(scan);
    }
}

/* The end of the frame that the address lies in, if it is of the routine of that PAR: there the
 * ParSite is complete. NULL: another frame, or the routine was inlined. */
static const char *frame_end(const Scan *scan, const void *address, const ParSite *par) {
    return par == NULL ? NULL : backtrace_frame_end(process_of(scan), address, par->site.proc);
}

static const ParUse *use_at(const Scan *scan, const void *address) {
    if (scan->par == NULL) {
        return NULL;
    }
    return find_use(scan->par, (size_t)((const char *)address - scan->environment));
}

/* ---- what is noted of a channel ---- */

static void note_holder(const Scan *scan, PointerEntry *channel) {
    const WaitNode *nodes = scan->graph->nodes;
    bool is_better = channel->holder == NO_NODE ||
                     (nodes[channel->holder].is_parent && !nodes[scan->index].is_parent);
    if (is_better) {
        channel->holder = scan->index;
    }
}

static void note_after(const Scan *scan, PointerEntry *channel, const ParSite *par, unsigned uses) {
    if ((uses & channel->needs) != 0) {
        channel->user = scan->index;
        channel->par = &par->site;
    } else if ((uses & PAR_AFTER_UNSURE) != 0) {
        channel->is_open = true;
    }
}

/* Is the address in the frame of the PAR that the process waits at the end of? */
static bool is_where_it_waits(const Scan *scan, const void *address) {
    const char *end = backtrace_frame_end(process_of(scan), scan->waits_at, "");
    return scan->waits_in != NULL && end != NULL &&
           end == backtrace_frame_end(process_of(scan), address, "");
}

static bool is_given_where_it_waits(const Scan *scan, const void *channel) {
    const char *join = (const char *)scan->waits_at;
    for (uint32_t i = 0; i < scan->waits_in->count; i++) {
        if (*(const void *const *)(const void *)(join + scan->waits_in->given[i].offset) ==
            channel) {
            return true;
        }
    }
    return false;
}

/* A channel given to the branches of a PAR. If the process waits for a PAR inside its own
 * component, the rest of that component comes after the inner one. */
static void note_given(const Scan *scan, PointerEntry *channel, unsigned uses) {
    const char *end = frame_end(scan, scan->environment, scan->par);
    bool waits_here = (const void *)scan->waits_at == scan->environment;
    unsigned owns = uses & (channel->needs >> PAR_AFTER_SHIFT | PAR_OWN_UNSURE);
    bool may_be_own = !waits_here && owns != 0;
    channel->given_by = scan->index;
    channel->given_end = end;
    channel->is_given_here =
        channel->is_given_here || (end != NULL && end == frame_end(scan, channel->key, scan->par));
    if (end == NULL) {
        channel->is_open = true;
    }
    if (scan->waits_at == NULL && (owns & ~(unsigned)PAR_OWN_UNSURE) != 0) {
        note_holder(scan, channel);
    } else if (may_be_own && !is_where_it_waits(scan, scan->environment)) {
        channel->is_open = true;
    } else {
        if (may_be_own && !is_given_where_it_waits(scan, channel->key)) {
            note_after(scan, channel, scan->waits_in, scan->waits_in->others);
        }
        note_after(scan, channel, scan->par, uses);
    }
}

/* Is the word one of the pointers that lie behind the channels of an array? */
static bool is_in_array(const Scan *scan, const uintptr_t *word, uintptr_t bytes) {
    uintptr_t first = *word;
    while ((const void *)word > scan->low && word[-1] == first - bytes) {
        word--;
        first -= bytes;
    }
    uintptr_t channels = (uintptr_t)word - first;
    return (uintptr_t)word > first && channels % bytes == 0 &&
           block_find(&rt_root.blocks, (const void *)first) == block_find(&rt_root.blocks, word);
}

/* Anywhere else in the stack. */
static void note_known(const Scan *scan, PointerEntry *channel, const uintptr_t *word) {
    bool is_given = channel->given_by == scan->index;
    if (is_given && (const void *)word < channel->given_end) {
        return; /* the PAR has answered */
    }
    if (is_given || is_in_array(scan, word, sizeof(Channel)) ||
        is_in_array(scan, word, sizeof(SharedChannel))) {
        channel->is_open = true;
    } else if (scan->waits_at == NULL) {
        note_holder(scan, channel);
    } else if (is_where_it_waits(scan, word)) {
        note_after(scan, channel, scan->waits_in, scan->waits_in->others);
        bool is_alone = frame_end(scan, word, scan->waits_in) != NULL;
        channel->is_open = channel->is_open || !is_alone;
    } else {
        channel->is_open = true;
    }
}

/* Does the process wait to claim the very end that the channel's waiter uses? */
static bool claims_same_end(const Scan *scan, const PointerEntry *channel) {
    const Claim *claim = deadlock_graph_claim(&scan->graph->nodes[scan->index]);
    const SharedChannel *shared = channel->key;
    return claim != NULL &&
           claim == (channel->needs == PAR_AFTER_OUTPUT ? &shared->input : &shared->output);
}

static void note_channel(const Scan *scan, PointerEntry *channel, const uintptr_t *word) {
    const WaitNode *node = &scan->graph->nodes[scan->index];
    bool is_proxy = node->site != NULL && deadlock_graph_reason(node) == WAIT_PLACEMENT;
    if (is_proxy || channel->value == scan->index || claims_same_end(scan, channel)) {
        return; /* the waiting process will not come itself */
    }
    const ParUse *use = use_at(scan, word);
    if (!scan->is_second && use != NULL) {
        note_given(scan, channel, use->uses);
    } else if (scan->is_second && use == NULL) {
        note_known(scan, channel, word);
    }
}

/* Other words may look like a registration: its lender, if any, must be on the same clock. */
static bool is_registration(const Registration *registration, const Clock *clock) {
    const Registration *lender = registration->lender;
    return lender == NULL ||
           ((uintptr_t)lender % _Alignof(Registration) == 0 &&
            block_find(&rt_root.blocks, lender) != NULL && lender->clock == clock);
}

/* Is the word a registration that has not arrived, or the address of one? A process that waits for
 * the phase has arrived. */
static bool is_missing(const WaitNode *node, const PointerEntry *found, const uintptr_t *word,
                       const void *high) {
    if (found->kind != KEY_CLOCK) {
        return found->kind == KEY_REGISTRATION;
    }
    const Registration *registration = (const void *)word;
    const Registration *awaited = deadlock_graph_registration(node);
    bool has_arrived = awaited != NULL && awaited->clock == found->key;
    bool is_in_frame = block_find(&rt_root.blocks, found->key) != NULL; /* else of a mobile clock */
    return !has_arrived && is_in_frame && (const void *)(registration + 1) <= high &&
           deadlock_graph_is_missing(registration, found->key) &&
           is_registration(registration, found->key);
}

/* ---- the stack of a process ---- */

/* A process that waits at the end of a PAR may be enrolled. */
static void note_word(const Scan *scan, PointerEntry *found, const uintptr_t *word,
                      const void *high) {
    switch (found->kind) {
    case KEY_CHANNEL: note_channel(scan, found, word); return;
    case KEY_CLOCK:
    case KEY_REGISTRATION:
        if (is_missing(&scan->graph->nodes[scan->index], found, word, high)) {
            found->holder = scan->index;
        }
        return;
    case KEY_JOIN: return;
    }
}

static void scan_words(Scan *scan, const void *low, const void *high) {
    for (const uintptr_t *word = low; word < (const uintptr_t *)high; word++) {
        enter_environment(scan, word);
        if (*word != 0) {
            PointerEntry *found = map_slot(&scan->graph->channels, (const void *)*word);
            if (found->key != NULL) {
                note_word(scan, found, word, high);
            }
        }
    }
}

/* From the stack pointer to the top of its block, and on through the segments to the block of the
 * process itself. */
static void scan_blocks(Scan *scan) {
    const void *sp = process_of(scan)->sp;
    for (;;) {
        const Process *block = block_find(&rt_root.blocks, sp);
        if (block == NULL) {
            return;
        }
        scan->low = sp;
        scan->environment = NULL;
        scan->par = NULL;
        scan_words(scan, sp, block);
        if ((block->flags & PROCESS_IS_SEGMENT) == 0) {
            return;
        }
        sp = block->sp;
    }
}

/* The mobile parameters of a forked process, and its registrations, lie at the low end of its
 * block. */
static void scan_parameters(DeadlockGraph *graph, uint32_t index) {
    const Process *process = graph->nodes[index].process;
    const uintptr_t *high = (const void *)process;
    const uintptr_t *sp = process->sp;
    for (const uintptr_t *word = (const void *)block_stack_low(process); word < high && word < sp;
         word++) {
        PointerEntry *found = map_slot(&graph->channels, (const void *)*word);
        if (*word != 0 && found->key != NULL &&
            is_missing(&graph->nodes[index], found, word, high)) {
            found->holder = index;
        }
    }
}

void deadlock_holder_scan(DeadlockGraph *graph, uint32_t index) {
    const WaitNode *node = &graph->nodes[index];
    if (node->is_held) {
        return;
    }
    Scan scan = {.graph = graph, .index = index};
    if (deadlock_graph_is_at_join(node)) {
        scan.waits_at = (const void *)node->process->next;
        scan.waits_in = as_par(node->site);
    }
    scan_blocks(&scan);
    scan.is_second = true;
    scan_blocks(&scan);
    scan_parameters(graph, index);
}

/* ---- the answer ---- */

/* Declared in the frame of a process, which may use it without a word that says so. */
static bool is_declared_elsewhere(const DeadlockGraph *graph, const PointerEntry *channel) {
    const Process *block = block_find(&rt_root.blocks, channel->key);
    if (block == NULL) {
        return true;
    }
    if ((block->flags & PROCESS_IS_SEGMENT) != 0) {
        block = block->data;
    }
    const PointerEntry *owner = map_slot(&graph->processes, block);
    bool is_waiter = owner->key != NULL && owner->value == channel->value;
    return !is_waiter && !channel->is_given_here;
}

/* The holder of a device's other end is not here (deadlock_elsewhere.h). */
static bool is_device(const void *object) {
    return channel_tag(((const Channel *)object)->word) == TAG_DEVICE;
}

/* The first of several guards with a holder counts; "nobody" only if that is certain. */
static void take_answer(DeadlockGraph *graph, WaitNode *node, const void *object) {
    const PointerEntry *channel = map_slot(&graph->channels, object);
    if (is_device(object)) {
        node->is_open = true;
        return;
    }
    if (channel->key == NULL || node->holder != NO_NODE) {
        return;
    }
    node->holder = channel->holder;
    if (node->holder == NO_NODE && channel->user != NO_NODE) {
        node->holder = channel->user;
        node->after = channel->par;
    }
    node->own_after = node->holder == NO_NODE && !channel->is_open ? channel->own_par : NULL;
    node->is_open = node->is_open || channel->is_open || is_declared_elsewhere(graph, channel);
}

void deadlock_holder_find(DeadlockGraph *graph, WaitNode *node) {
    const Alt *alt = deadlock_graph_alt(node);
    node->is_open = !graph->is_at_rest;
    if (alt == NULL) {
        take_answer(graph, node, node->process->next);
        return;
    }
    for (uint32_t i = 0; i < alt->count; i++) {
        if (deadlock_graph_is_channel_guard(&alt->guards[i])) {
            take_answer(graph, node, alt->guards[i].object);
        }
    }
}
