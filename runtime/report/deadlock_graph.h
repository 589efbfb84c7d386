/* deadlock_graph -- who waits for whom, worked out when a report is wanted.
 *
 * Owns:   the list of processes with what they wait for, clocks, the shortest cycle of such waits.
 * Leaves: who has the other end of a channel to deadlock_holder.h, saying it to deadlock.c.
 * Holds:  nothing of the program is changed; memory comes from the system directly and goes back.
 *         Everything is linear in the bytes of all stacks.
 */
#ifndef RT_DEADLOCK_GRAPH_H
#define RT_DEADLOCK_GRAPH_H

#include "machines.h"
#include "sync.h"
#include "worker.h"

enum { NO_NODE = UINT32_MAX >> 1 };

/* ForeignNode -- a process of another rank, as that has described it (deadlock_joint.h). */
typedef struct ForeignNode {
    const Site *site;
    uint32_t holder;
    uint32_t reason;
    uint32_t is_open, has_several;
    uint32_t line_bytes, group_bytes; /* of the text, ends included: its line, and without numbers
                                       * what it waits for */
    char text[];
} ForeignNode;

static inline const char *foreign_line(const ForeignNode *foreign) {
    return foreign->text;
}

static inline const char *foreign_group(const ForeignNode *foreign) {
    return foreign->text + foreign->line_bytes;
}

typedef struct WaitNode {
    Process *process; /* NULL: it is foreign */
    const ForeignNode *foreign;
    const Site *site;  /* NULL: ready */
    uint32_t holder;   /* of what it waits for, of the other end of a channel; or NO_NODE */
    const Site *after; /* the holder uses the end when this PAR of its own has ended; NULL: now */
    const Site *own_after; /* it may use the other end itself when this PAR has ended, or NULL */
    bool is_open;          /* another process than the holder may have the other end */
    bool is_for_phase;     /* of an ALT: the holder is missing in the phase of a clock */
    bool is_parent;        /* other processes are branches of a PAR in its frames */
    bool is_in_cycle;
    bool is_cycle_start;
    bool is_dead;      /* it can never go on (deadlock_dead.h) */
    bool was_dead;     /* is_dead, while another proof is tried */
    bool is_held;      /* in compiled code: its saved context is old */
    uint32_t machine;  /* where there are several */
    bool is_elsewhere; /* the holder was found by a PlaceKey */
    bool has_several;  /* several such holders, for an ALT */
} WaitNode;

enum {
    GRAPH_MEMORY_NODES, /* and processes */
    GRAPH_MEMORY_CHANNELS,
    GRAPH_MEMORY_PROOF,
    GRAPH_MEMORY_HELD, /* this and the next two: deadlock_elsewhere.c */
    GRAPH_MEMORY_KEYS,
    GRAPH_MEMORY_SLOTS,
    GRAPH_MEMORY_JOINT /* deadlock_joint.c */
};

/* Pointers to numbers: open addressing, sized once. */
typedef struct PointerMap {
    struct PointerEntry *entries;
    size_t mask;
} PointerMap;

typedef struct GraphMemory {
    void *address;
    size_t bytes;
} GraphMemory;

/* KeyedNode -- who waits for something by its key, or has it. */
typedef struct KeyedNode {
    PlaceKey key;
    uint32_t node;
} KeyedNode;

/* Elsewhere -- what the engine of placements knows of the waits (deadlock_elsewhere.h). */
typedef struct Elsewhere {
    HeldPlace *held;
    size_t held_count;
    KeyedNode *wants, *haves;
    size_t want_count, have_count;
} Elsewhere;

typedef struct DeadlockGraph {
    WaitNode *nodes; /* as deadlock_order.h says */
    uint32_t count;
    uint32_t cycle_start; /* a node of the shortest cycle, or NO_NODE */
    uint32_t cycle_length;
    bool is_at_rest; /* all wait, and none has been stopped by an error; or only the dead count */
    bool is_of_dead; /* only dead processes are analysed */
    PointerMap channels;  /* waited on -> node that waits */
    PointerMap processes; /* -> node */
    Elsewhere elsewhere;
    bool has_machines;     /* nodes say on which one they are */
    GraphMemory memory[7]; /* GRAPH_MEMORY_... */
} DeadlockGraph;

/* Everything stands still (standstill.h). False: no memory for it; the graph is empty. */
bool deadlock_graph_build(DeadlockGraph *graph);
/* In two steps: the nodes alone, and the rest. If is_of_dead is set in between, only dead ones have
 * holders, which are dead too, and each cycle is marked. */
bool deadlock_graph_list(DeadlockGraph *graph);
bool deadlock_graph_link(DeadlockGraph *graph);
void deadlock_graph_free(DeadlockGraph *graph);
/* deadlock_graph_registration -- of a process that waits for the end of a phase, else NULL. */
const struct Registration *deadlock_graph_registration(const WaitNode *node);
/* Why the process of a node waits; pre: it is not ready. */
WaitReason deadlock_graph_reason(const WaitNode *node);
const Sync *deadlock_graph_sync(const WaitNode *node);

#endif
