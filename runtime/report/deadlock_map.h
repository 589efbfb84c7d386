/* deadlock_map -- what deadlock_graph.c, deadlock_holder.c and deadlock_dead.c share.
 *
 * Owns:   tables from addresses to nodes; what has been found out about a channel that is waited
 *         on.
 * Leaves: filling them to the three files; nobody else looks inside.
 * Holds:  open addressing, sized once. */
#ifndef RT_DEADLOCK_MAP_H
#define RT_DEADLOCK_MAP_H

#include "deadlock_graph.h"

typedef struct PointerEntry {
    const void *key; /* NULL: empty */
    uint32_t value;
    uint32_t holder;
    enum { KEY_CHANNEL, KEY_CLOCK, KEY_REGISTRATION /* MobileRegistration */, KEY_JOIN } kind;
    /* of a channel: */
    unsigned needs;      /* what the partner does, as PAR_AFTER_... */
    uint32_t user;       /* uses the other end after its PAR, or NO_NODE */
    const Site *par;     /* that one */
    const Site *own_par; /* after which the waiting process itself may use the other end, or NULL */
    bool is_open;        /* others may have the other end */
    bool is_given_here;  /* a PAR in the very frame of its declaration tells */
    uint32_t given_by;   /* node whose PAR has just told; NO_NODE */
    const void *given_end; /* the end of the frame that PAR stands in */
    /* of deadlock_dead.c: */
    uint32_t next; /* slot of the next channel of the same frame */
    uint32_t denied, allowed;
} PointerEntry;

static inline PointerEntry *map_slot(const PointerMap *map, const void *key) { /* or an empty one */
    uint64_t hash = ((uintptr_t)key >> 3) * UINT64_C(0x9E3779B97F4A7C15);
    size_t at = (size_t)(hash >> 20) & map->mask;
    while (map->entries[at].key != NULL && map->entries[at].key != key) {
        at = (at + 1) & map->mask;
    }
    return &map->entries[at];
}

static inline PointerEntry *map_put(const PointerMap *map, const void *key, uint32_t value) {
    PointerEntry *entry = map_slot(map, key);
    if (entry->key == NULL) {
        *entry = (PointerEntry){
            .key = key, .value = value, .holder = NO_NODE, .user = NO_NODE, .given_by = NO_NODE};
    }
    return entry;
}

/* ---- deadlock_graph.c ---- */

/* Zeroed, from the system; deadlock_graph_free gives it back. NULL: there is none. */
void *deadlock_graph_memory(GraphMemory *memory, size_t bytes);
/* A table for all channels that the nodes wait on, empty. False: no memory. */
bool deadlock_graph_take_channels(DeadlockGraph *graph);
/* The lock that a process waits for, or NULL. */
const Claim *deadlock_graph_claim(const WaitNode *node);
/* The ALT that a process waits in, or NULL. */
const Alt *deadlock_graph_alt(const WaitNode *node);
bool deadlock_graph_is_channel_guard(const AltGuard *guard);
bool deadlock_graph_is_at_join(const WaitNode *node);
/* One that has not arrived in the phase that is waited for the end of. */
bool deadlock_graph_is_missing(const struct Registration *registration, const void *clock);

#endif
