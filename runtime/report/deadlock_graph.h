/* deadlock_graph -- who waits for whom, worked out when a report is wanted.
 *
 * Owns:   the list of processes with what they wait for, clocks, the shortest cycle of such waits.
 * Leaves: who has the other end of a channel to deadlock_holder.h, saying it to deadlock.c.
 * Holds:  nothing of the program is changed; memory comes from the system directly and goes back.
 *         Everything is linear in the bytes of all stacks.
 */
#ifndef RT_DEADLOCK_GRAPH_H
#define RT_DEADLOCK_GRAPH_H

#include "sync.h"
#include "worker.h"

enum { NO_NODE = UINT32_MAX >> 1 };

typedef struct WaitNode {
    Process *process;
    const Site *site;  /* NULL: ready */
    uint32_t holder;   /* of what it waits for, of the other end of a channel; or NO_NODE */
    const Site *after; /* the holder uses the end when this PAR of its own has ended; NULL: now */
    const Site *own_after; /* it may use the other end itself when this PAR has ended, or NULL */
    bool is_open;          /* another process than the holder may have the other end */
    bool is_for_phase;     /* of an ALT: the holder is missing in the phase of a clock */
    bool is_parent;        /* other processes are branches of a PAR in its frames */
    bool is_in_cycle;
    bool is_cycle_start;
    bool is_dead;  /* it can never go on (deadlock_dead.h) */
    bool was_dead; /* is_dead, while another proof is tried */
    bool is_held;  /* in compiled code: its saved context is old */
} WaitNode;

/* Pointers to numbers: open addressing, sized once. */
typedef struct PointerMap {
    struct PointerEntry *entries;
    size_t mask;
} PointerMap;

typedef struct GraphMemory {
    void *address;
    size_t bytes;
} GraphMemory;

typedef struct DeadlockGraph {
    WaitNode *nodes; /* as deadlock_order.h says */
    uint32_t count;
    uint32_t cycle_start; /* a node of the shortest cycle, or NO_NODE */
    uint32_t cycle_length;
    bool is_at_rest; /* all wait, and none has been stopped by an error; or only the dead count */
    bool is_of_dead; /* what the others wait for is not looked at */
    PointerMap channels;   /* waited on -> node that waits */
    PointerMap processes;  /* -> node */
    GraphMemory memory[3]; /* of nodes and processes, of channels, of the proof */
} DeadlockGraph;

/* Everything stands still (standstill.h). False: no memory for it; the graph is empty. */
bool deadlock_graph_build(DeadlockGraph *graph);
/* In two steps: the nodes alone, and the rest. With is_of_dead set between them only dead ones have
 * holders, which are dead, and each cycle is marked. */
bool deadlock_graph_list(DeadlockGraph *graph);
bool deadlock_graph_link(DeadlockGraph *graph);
void deadlock_graph_free(DeadlockGraph *graph);
/* deadlock_graph_registration -- of a process that waits for the end of a phase, else NULL. */
const struct Registration *deadlock_graph_registration(const WaitNode *node);
/* Why the process of a node waits; pre: it is not ready. */
WaitReason deadlock_graph_reason(const WaitNode *node);
const Sync *deadlock_graph_sync(const WaitNode *node);

#endif
