/* deadlock_dead -- the proof. See deadlock_dead.h. */
#include "deadlock_dead.h"

#include "deadlock_going.h"
#include "deadlock_map.h"
#include "heap_object.h"

enum {
    WORK_EACH = 64, /* channels visited, per process */
    WORK_LEAST = 100000,
    LARGE_LISTED = 64 /* arrays too large for a frame */
};

/* OpenPar -- a PAR, or a FORKING, that has not ended. */
typedef struct OpenPar {
    const Join *join;
    const ParSite *site; /* NULL: of a FORKING */
    uint32_t parent;
    uint32_t next; /* of the same parent */
    int64_t branches;
    uint32_t stuck; /* of these */
    uint32_t shown; /* components whose channels have been woken */
} OpenPar;

typedef struct Fate {
    uint32_t par;  /* that it is a branch of, or NO_NODE */
    uint32_t pars; /* the first that it runs */
    uint32_t stuck_pars;
    uint32_t channels;  /* the first that lies in its block and is waited on */
    uint32_t claimants; /* the first that waits for a lock it holds */
    uint32_t next_claimant;
    bool is_stuck;
} Fate;

/* Proof -- every waiting process is dead until another is found that may wake it. */
typedef struct Proof {
    DeadlockGraph *graph;
    Fate *fates;
    OpenPar *pars;
    uint32_t *queue; /* nodes that can go on, whose channels are to be looked at */
    uint32_t par_count, first, last;
    uint32_t stamps;
    HeapObject *large[LARGE_LISTED];
    size_t large_count;
    int64_t work;    /* still allowed */
    bool told_go_on; /* those already reported count as able to go on */
    bool is_whole;   /* nothing was found that is half done or not known */
} Proof;

/* ---- what they wait for ---- */

static bool is_waiting_in(const Channel *channel, const void *waiter, uintptr_t tag) {
    return channel->word == ((uintptr_t)waiter | tag);
}

static uint32_t node_of(const DeadlockGraph *graph, const Process *process) {
    const PointerEntry *entry = process != NULL ? map_slot(&graph->processes, process) : NULL;
    return entry != NULL && entry->key != NULL ? entry->value : NO_NODE;
}

/* The owner of the array it lies in, if that is too large for a frame; or NULL. */
static const Process *owner_of_large(const Proof *proof, const void *address) {
    for (size_t i = 0; i < proof->large_count; i++) {
        const char *bytes = heap_object_bytes(proof->large[i]);
        if (bytes <= (const char *)address &&
            (const char *)address < bytes + proof->large[i]->size_bytes) {
            return proof->large[i]->owner;
        }
    }
    return NULL;
}

/* The channel is waited on. False: nobody knows who can come to it, or two wait. */
static bool list_channel(Proof *proof, const Channel *channel, uint32_t index) {
    DeadlockGraph *graph = proof->graph;
    const Process *declarer = deadlock_process_at(channel);
    declarer = declarer != NULL ? declarer : owner_of_large(proof, channel);
    uint32_t owner = node_of(graph, declarer);
    if (owner == NO_NODE) {
        return false;
    }
    PointerEntry *entry = map_slot(&graph->channels, channel);
    if (entry->key != NULL) {
        bool is_same = entry->value == index;
        graph->nodes[entry->value].is_dead = graph->nodes[entry->value].is_dead && is_same;
        return is_same;
    }
    map_put(&graph->channels, channel, index);
    entry->next = proof->fates[owner].channels;
    proof->fates[owner].channels = (uint32_t)(entry - graph->channels.entries);
    return true;
}

static bool list_guard(Proof *proof, const Alt *alt, const AltGuard *guard, uint32_t index) {
    const Channel *channel = guard->object;
    switch (guard->kind) {
    case GUARD_OFF:
    case GUARD_GROUP: return true;
    case GUARD_INPUT:
        return list_channel(proof, channel, index) && is_waiting_in(channel, alt, TAG_ALT_INPUT);
    case GUARD_OUTPUT:
        return list_channel(proof, channel, index) && is_waiting_in(channel, alt, TAG_ALT_OUTPUT);
    case GUARD_CLOSED:
        return list_channel(proof, channel, index) && channel_tag(channel->word) != TAG_CLOSED;
    }
    return false; /* a time, a clock, SKIP */
}

static bool list_guards(Proof *proof, const Alt *alt, uint32_t index) {
    bool are_known = alt->state == ALT_WAITING;
    for (uint32_t i = 0; are_known && i < alt->count; i++) {
        are_known = list_guard(proof, alt, &alt->guards[i], index);
    }
    return are_known;
}

static bool list_claim(Proof *proof, const Claim *claim, uint32_t index) {
    uint32_t holder = claim->word != 0 ? node_of(proof->graph, claim->holder) : NO_NODE;
    if (holder == NO_NODE) {
        return false;
    }
    proof->fates[index].next_claimant = proof->fates[holder].claimants;
    proof->fates[holder].claimants = index;
    return true;
}

static bool list_communication(Proof *proof, uint32_t index, uintptr_t tag) {
    const Process *process = proof->graph->nodes[index].process;
    const Channel *channel = (const void *)process->next;
    return list_channel(proof, channel, index) && is_waiting_in(channel, process, tag);
}

/* May it be dead? False: something not analysed may wake it. */
static bool list_wait(Proof *proof, uint32_t index) {
    const WaitNode *node = &proof->graph->nodes[index];
    if (node->site == NULL) {
        return false;
    }
    switch ((int)deadlock_graph_reason(node)) {
    case WAIT_INPUT:
    case WAIT_UNTIL_CLOSED: return list_communication(proof, index, TAG_INPUT_WAITING);
    case WAIT_OUTPUT: return list_communication(proof, index, TAG_OUTPUT_WAITING);
    case WAIT_ALT:
    case WAIT_EXTENDED: return list_guards(proof, node->process->data, index);
    case WAIT_CLAIM: return list_claim(proof, deadlock_graph_claim(node), index);
    case WAIT_JOIN:
    case WAIT_FORKING: return true;
    }
    return false;
}

/* ---- the tree of PARs ---- */

static const Site *site_of(const DeadlockGraph *graph, const Join *join, uint32_t parent) {
    uintptr_t waiter = (uintptr_t)join->waiter & ~(uintptr_t)JOIN_AT_ONCE;
    bool waits = waiter == (uintptr_t)graph->nodes[parent].process;
    return waits ? graph->nodes[parent].site : (const void *)waiter;
}

static bool waits_at(const WaitNode *node, const Join *join) {
    return deadlock_graph_is_at_join(node) && (const void *)node->process->next == join;
}

/* False: nobody knows what its branches can come to. */
static bool open_par(Proof *proof, const Join *join) {
    uint32_t parent = node_of(proof->graph, deadlock_process_at(join));
    if (parent == NO_NODE) {
        return false;
    }
    const Site *site = join->waiter != NULL ? site_of(proof->graph, join, parent) : NULL;
    bool is_forking = join->waiter == NULL || (site != NULL && site->kind == WAIT_FORKING);
    bool is_told = is_forking || (site != NULL && (site->flags & SITE_PAR) != 0);
    proof->pars[proof->par_count] =
        (OpenPar){.join = join,
                  .site = is_forking ? NULL : (const void *)site,
                  .parent = parent,
                  .next = proof->fates[parent].pars,
                  .branches = waits_at(&proof->graph->nodes[parent], join) ? 0 : 1};
    proof->fates[parent].pars = proof->par_count++;
    proof->fates[parent].stuck_pars++;
    return is_told;
}

/* FORKed outside of any FORKING, the root, a mobile process: not a branch. */
static bool has_par(const Process *process) {
    return process->join != NULL && block_find(&rt_root.blocks, process->join) != NULL;
}

static void enter_par(Proof *proof, uint32_t index) {
    const Process *process = proof->graph->nodes[index].process;
    if (!has_par(process)) {
        return;
    }
    PointerEntry *entry = map_slot(&proof->graph->processes, process->join);
    bool is_first = entry->key == NULL || entry->value >= proof->par_count; /* in this proof */
    if (is_first) {
        map_put(&proof->graph->processes, process->join, proof->par_count)->kind = KEY_JOIN;
        proof->is_whole = open_par(proof, process->join) && proof->is_whole;
    }
    if (proof->is_whole) {
        proof->fates[index].par = entry->value;
        proof->pars[entry->value].branches++;
        proof->pars[entry->value].stuck++;
    }
}

/* Have all branches been started, and are all in the graph? */
static bool are_all_there(const Proof *proof) {
    for (uint32_t i = 0; i < proof->par_count; i++) {
        if (proof->pars[i].branches != proof->pars[i].join->count) {
            return false;
        }
    }
    return true;
}

/* ---- who is woken ---- */

static void look_at(Proof *proof, uint32_t index) {
    proof->queue[proof->last++] = index;
}

static void wake(Proof *proof, uint32_t index) {
    WaitNode *node = &proof->graph->nodes[index];
    if (node->is_dead) {
        node->is_dead = false;
        look_at(proof, index);
    }
}

/* It can go on; if it was the last stuck branch of its PAR, the parent is less confined. */
static void unstick(Proof *proof, uint32_t index) {
    Fate *fate = &proof->fates[index];
    fate->is_stuck = false;
    if (fate->par == NO_NODE || --proof->pars[fate->par].stuck != 0) {
        return;
    }
    const OpenPar *par = &proof->pars[fate->par];
    proof->fates[par->parent].stuck_pars--;
    if (waits_at(&proof->graph->nodes[par->parent], par->join)) {
        wake(proof, par->parent);
    } else {
        look_at(proof, par->parent);
    }
}

typedef void ChannelVisitor(Proof *proof, PointerEntry *channel, uint32_t stamp);

static void wake_waiter(Proof *proof, PointerEntry *channel, uint32_t stamp) {
    if (stamp == 0 || channel->denied != stamp) {
        wake(proof, channel->value);
    }
}

static void allow(Proof *proof, PointerEntry *channel, uint32_t stamp) {
    (void)proof;
    channel->allowed = stamp;
}

/* In the PAR that `allowed` was last stamped for, no name leads the parent to the channel. */
static void deny(Proof *proof, PointerEntry *channel, uint32_t stamp) {
    if (channel->allowed != proof->stamps) {
        channel->denied = stamp;
    }
}

static void visit_channel(Proof *proof, const void *channel, ChannelVisitor *visit,
                          uint32_t stamp) {
    PointerEntry *entry = map_slot(&proof->graph->channels, channel);
    proof->work--;
    if (channel != NULL && entry->key != NULL) {
        visit(proof, entry, stamp);
    }
}

/* Visit a name in the environment: the channel, or the whole array. */
static void visit_given(Proof *proof, const OpenPar *par, const ParUse *given,
                        ChannelVisitor *visit, uint32_t stamp) {
    const char *at = (const char *)par->join + given->offset;
    const void *value = *(const void *const *)(const void *)at;
    if ((given->uses & PAR_IS_ARRAY) == 0) {
        visit_channel(proof, value, visit, stamp);
        return;
    }
    int64_t count = given->elements;
    for (uint32_t i = 0; i < given->uses >> PAR_OPEN_SHIFT; i++) {
        at += sizeof(void *);
        count *= *(const int32_t *)(const void *)at;
    }
    const void *const *elements = value;
    for (int64_t i = 0; i < count && proof->work > 0; i++) {
        visit_channel(proof, elements[i], visit, stamp);
    }
}

static void visit_own(Proof *proof, const OpenPar *par, bool is_known, ChannelVisitor *visit,
                      uint32_t stamp) {
    for (uint32_t i = 0; i < par->site->count; i++) {
        const ParUse *given = &par->site->given[i];
        if (((given->uses & PAR_OWN_KNOWS) != 0) == is_known) {
            visit_given(proof, par, given, visit, stamp);
        }
    }
}

/* It cannot leave its own component of this PAR: channels without a name there are out of reach. */
static void confine(Proof *proof, const OpenPar *par, uint32_t stamp) {
    proof->stamps++;
    visit_own(proof, par, true, allow, proof->stamps);
    visit_own(proof, par, false, deny, stamp);
}

/* Mark with a new stamp what the node cannot come to; 0: nothing is marked. */
static uint32_t confine_all(Proof *proof, uint32_t index) {
    uint32_t stamp = 0;
    for (uint32_t at = proof->fates[index].pars; at != NO_NODE; at = proof->pars[at].next) {
        const OpenPar *par = &proof->pars[at];
        if (par->stuck > 0 && par->site != NULL) {
            stamp = stamp != 0 ? stamp : ++proof->stamps;
            confine(proof, par, stamp);
        }
    }
    return stamp;
}

/* Wake by what its PAR has handed down to it. */
static void wake_by_environment(Proof *proof, uint32_t index, uint32_t stamp) {
    OpenPar *par =
        proof->fates[index].par != NO_NODE ? &proof->pars[proof->fates[index].par] : NULL;
    const Process *process = proof->graph->nodes[index].process;
    uint32_t component = UINT32_C(1) << process_component(process);
    if (par == NULL || par->site == NULL || (par->shown & component) != 0) {
        return;
    }
    par->shown |= stamp == 0 ? component : 0;
    for (uint32_t i = 0; i < par->site->count; i++) {
        if ((par->site->given[i].known_to & component) != 0) {
            visit_given(proof, par, &par->site->given[i], wake_waiter, stamp);
        }
    }
}

static void wake_by_frames(Proof *proof, uint32_t index, uint32_t stamp) {
    PointerEntry *entries = proof->graph->channels.entries;
    for (uint32_t at = proof->fates[index].channels; at != NO_NODE; at = entries[at].next) {
        proof->work--;
        wake_waiter(proof, &entries[at], stamp);
    }
}

/* The node can go on: which others may it wake? */
static void spread(Proof *proof, uint32_t index) {
    Fate *fate = &proof->fates[index];
    if (proof->graph->nodes[index].is_dead) {
        return; /* one of its PARs may end, but not the one it waits in */
    }
    uint32_t stamp = confine_all(proof, index);
    wake_by_environment(proof, index, stamp);
    wake_by_frames(proof, index, stamp);
    for (uint32_t at = fate->claimants; at != NO_NODE; at = proof->fates[at].next_claimant) {
        wake(proof, at);
    }
    fate->claimants = NO_NODE;
    if (fate->stuck_pars == 0 && fate->is_stuck) {
        unstick(proof, index);
    }
}

/* ---- the proof ---- */

static bool begin(Proof *proof, DeadlockGraph *graph) {
    size_t count = graph->count;
    size_t bytes = count * (sizeof(Fate) + sizeof(OpenPar) + 2 * sizeof(uint32_t));
    OpenPar *memory = deadlock_graph_memory(&graph->memory[GRAPH_MEMORY_PROOF], bytes);
    if (memory == NULL || !deadlock_graph_take_channels(graph)) {
        return false;
    }
    *proof = (Proof){.graph = graph,
                     .pars = memory,
                     .fates = (Fate *)(void *)(memory + count),
                     .work = WORK_LEAST + (int64_t)count * WORK_EACH,
                     .is_whole = true};
    proof->queue = (uint32_t *)(void *)(proof->fates + count);
    for (size_t i = 0; i < count; i++) {
        proof->fates[i] = (Fate){NO_NODE, NO_NODE, 0, NO_NODE, NO_NODE, NO_NODE, true};
    }
    return true;
}

static void list_large(Proof *proof) {
    for (unsigned i = 0; i < rt_root.worker_count; i++) {
        Worker *worker = rt_root.workers[i];
        for (ListLink *link = worker != NULL ? worker->heap_blocks.next : NULL;
             link != NULL && link != &worker->heap_blocks && proof->large_count < LARGE_LISTED;
             link = link->next) {
            proof->large[proof->large_count++] = LIST_ENTRY(link, HeapObject, link);
        }
    }
}

static bool goes_on_by_wish(const Proof *proof, const WaitNode *node) {
    bool is_told = (node->process->flags & PROCESS_IS_TOLD) != 0;
    return proof->told_go_on && is_told && !deadlock_graph_is_at_join(node);
}

static void list_all(Proof *proof) {
    DeadlockGraph *graph = proof->graph;
    list_large(proof);
    for (uint32_t i = 0; i < graph->count && proof->is_whole; i++) {
        enter_par(proof, i);
        graph->nodes[i].is_dead = true;
    }
    for (uint32_t i = 0; i < graph->count && proof->is_whole; i++) {
        bool may_be_dead = list_wait(proof, i) && !goes_on_by_wish(proof, &graph->nodes[i]);
        graph->nodes[i].is_dead = graph->nodes[i].is_dead && may_be_dead;
    }
}

/* Who waits at the end of a PAR whose branches are not known waits for nobody who is stuck. */
static void look_at_all(Proof *proof) {
    DeadlockGraph *graph = proof->graph;
    for (uint32_t i = 0; i < graph->count; i++) {
        WaitNode *node = &graph->nodes[i];
        bool has_branch = !deadlock_graph_is_at_join(node);
        for (uint32_t at = proof->fates[i].pars; at != NO_NODE; at = proof->pars[at].next) {
            has_branch = has_branch || waits_at(node, proof->pars[at].join);
        }
        node->is_dead = node->is_dead && has_branch;
        if (!node->is_dead) {
            look_at(proof, i);
        }
    }
}

static uint32_t count_news(const DeadlockGraph *graph) {
    uint32_t dead = 0;
    uint32_t news = 0;
    for (uint32_t i = 0; i < graph->count; i++) {
        const WaitNode *node = &graph->nodes[i];
        dead += node->is_dead;
        news += node->is_dead && (node->process->flags & PROCESS_IS_TOLD) == 0;
    }
    return dead < graph->count ? news : 0;
}

static bool prove(DeadlockGraph *graph, bool told_go_on) {
    Proof proof;
    if (!begin(&proof, graph)) {
        return false;
    }
    proof.told_go_on = told_go_on;
    list_all(&proof);
    if (!proof.is_whole || !are_all_there(&proof)) {
        return false;
    }
    look_at_all(&proof);
    while (proof.first < proof.last && proof.work > 0) {
        spread(&proof, proof.queue[proof.first++]);
    }
    return proof.work > 0;
}

uint32_t deadlock_dead_find(DeadlockGraph *graph) {
    return prove(graph, false) ? count_news(graph) : 0;
}

bool deadlock_dead_is_new(DeadlockGraph *graph) {
    for (uint32_t i = 0; i < graph->count; i++) {
        graph->nodes[i].was_dead = graph->nodes[i].is_dead;
    }
    bool is_new = prove(graph, true) && count_news(graph) > 0;
    for (uint32_t i = 0; i < graph->count; i++) {
        graph->nodes[i].is_dead = graph->nodes[i].was_dead;
    }
    return is_new;
}
