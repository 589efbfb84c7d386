/* layout -- the structs that compiled code knows, as layout.def gives them (decision 0001).
 *
 * Owns:   Process, Channel, Claim, SharedChannel, SyncWaiter, Join, Site, Alt, AltGuard, Program,
 *         and the tags of a channel's word.
 * Leaves: their meaning to channel.h and alt.h, the Worker to worker.h.
 * Holds:  layout_check.c asserts every offset against layout.def. */
#ifndef RT_LAYOUT_H
#define RT_LAYOUT_H

#include "check.h"

enum {
#define OCC_STRUCT(Struct, size)
#define OCC_FIELD(Struct, field, offset)
#define OCC_CONSTANT(NAME, value) NAME = (value),
#include "occ/layout.def"
#undef OCC_STRUCT
#undef OCC_FIELD
#undef OCC_CONSTANT
};

typedef struct Process Process;
typedef struct Channel Channel;
typedef struct Join Join;
typedef struct Site Site;
typedef struct Alt Alt;
typedef struct Bundle Bundle;
typedef struct Claim Claim;
typedef struct SharedChannel SharedChannel;
typedef struct SyncWaiter SyncWaiter;
typedef struct Worker Worker;

typedef enum WaitReason {
#define OCC_WAIT(REASON, words) WAIT_##REASON,
#include "occ/wait_reason.def"
#undef OCC_WAIT
    WAIT_REASON_COUNT
} WaitReason;

typedef enum ErrorKind {
#define OCC_ERROR(KIND, name, message) ERROR_##KIND,
#include "occ/error.def"
#undef OCC_ERROR
    ERROR_KIND_COUNT
} ErrorKind;

struct Site {
    const char *file;
    const char *proc;
    const char *object; /* or NULL */
    uint32_t line;
    uint16_t column;
    uint8_t kind; /* WaitReason or ErrorKind, by the use of the site */
    uint8_t flags;
};

/* SizedSite -- of an item on CHAN OF ANY: both sides must mean the same number of bytes. */
typedef struct SizedSite {
    Site site; /* flags has SITE_SIZED */
    int64_t size_bytes;
} SizedSite;

/* ParSite -- of a PAR: uses of channels that no started branch was given, then of each name of a
 * channel, or of an array of them, that lies in the environment: its offset from the Join, its uses
 * (PAR_OWN_INPUT ...), which of the started branches can come to it, how many elements its array
 * has where no dimension is open. */
typedef struct ParUse {
    uint32_t offset;
    uint32_t uses;
    uint32_t known_to; /* a bit for each branch (process_component); of a replicated PAR all */
    uint32_t elements;
} ParUse;

typedef struct ParSite {
    Site site; /* flags has SITE_PAR */
    uint32_t others;
    uint32_t count;
    ParUse given[];
} ParSite;

struct Channel {
    uintptr_t word;
    uint16_t watchers[3]; /* an address: close.h */
    uint16_t owner;       /* ownership.h */
};

struct Claim {
    uintptr_t word;
    Process *queue;
    Process *holder;
};

struct SyncWaiter {
    SyncWaiter *next;
    Process *process;
    const Site *site;
    Alt *alt;
    int64_t number;
};

struct SharedChannel {
    Channel channel;
    Claim input;
    Claim output;
    int64_t references;
};

struct Join {
    int64_t count;
    Process *waiter; /* before it waits: the Site of the PAR (deadlock_holder.c) */
};

struct Process {
    void *entry_return;
    void *sp; /* the saved context; while it runs an ALT may have put a mark there
                 (codegen/alt/alt_row.c) */
    Process *next;
    Worker *worker;
    void *data;
    const Site *wait;
    Join *join;
    int32_t index;
    uint16_t size_class;
    uint8_t priority; /* and affinity: priority.h */
    uint8_t flags;
};

typedef struct AltGuard {
    void *object;
    uint16_t kind;
    uint16_t alternative;
    int32_t index;
} AltGuard;

struct Alt {
    uint64_t state; /* AltState */
    Process *process;
    uint32_t count;
    uint32_t chosen;
    Channel *winner;            /* NULL: the timer; or the Registration of a NEXT guard */
    uint32_t deadline_position; /* in the deadline queue; 0: not there */
    uint32_t nearest;           /* the guard of the nearest deadline */
    uint32_t is_pri;
    uint32_t flags;
    AltGuard guards[];
};

/* The decision word of an ALT. Compiled code stores 0 (choosing). */
typedef enum AltState { ALT_CHOOSING = 0, ALT_WAITING = 1, ALT_WON = 2 } AltState;

/* In Alt.nearest of an ALT that has been claimed and is to choose again; its winner is the Site
 * then.
 */
#define ALT_AGAIN (UINT32_MAX - 1)

/* Whoever changes WAITING to WON has won the ALT and must make its process ready; everybody else
 * has lost. Under the world lock (decision 0006), so plain. */
static inline bool rt_alt_claim(Alt *alt, void *winner) {
    if (alt->state != ALT_WAITING) {
        return false;
    }
    alt->state = ALT_WON;
    alt->winner = winner;
    return true;
}

/* A CLOSED or NEXT guard has a second entry, which links it in a list of those that wait and says
 * where in the record the guard is. */
static inline AltGuard *rt_alt_link(AltGuard *guard) {
    return guard + 1;
}

static inline bool is_clock_guard(const AltGuard *guard) {
    return guard->kind == GUARD_CLOCK || guard->kind == GUARD_CLOCKS;
}

/* A NEXT guard on several clocks: the link says how many, and an entry for each follows, its object
 * the Registration; the index of the first of them is the number of the one whose list the guard is
 * in. */
static inline AltGuard *rt_alt_clocks(AltGuard *guard) {
    return guard + 2;
}

/* Entries of the record that belong to the guard. */
static inline uint32_t rt_alt_entries(const AltGuard *guard) {
    bool has_link = guard->kind == GUARD_CLOSED || is_clock_guard(guard);
    return has_link ? 2u + guard[1].alternative : 1u;
}

static inline Alt *rt_alt_of(AltGuard *guard) {
    AltGuard *first = guard - rt_alt_link(guard)->index;
    return (Alt *)(void *)((char *)first - offsetof(Alt, guards));
}

typedef struct Program {
    void *body;
    const uint32_t *block_bytes;
    const char *name;
} Program;

/* Is it a branch of a replicated PAR? */
static inline bool process_is_replicated(const Process *process) {
    return (uint32_t)process->index - (uint32_t)INDEX_NONE >= INDEX_COMPONENTS;
}

/* The number of the branch among those that its PAR started; 0 if the PAR is replicated. */
static inline unsigned process_component(const Process *process) {
    return process_is_replicated(process) ? 0 : (uint32_t)process->index - (uint32_t)INDEX_NONE;
}

/* Process.flags */
enum {
    PROCESS_IS_SEGMENT = 1, /* a stack segment: sp is the caller's, data is the Process on it */
    PROCESS_IS_LARGE = 2,   /* a block of its own, not of a slab */
    PROCESS_IS_STOPPED = 8, /* by an error of its own, for good (stop.h) */
    PROCESS_IS_TOLD = 16    /* it can never go on, which has been reported (lookout.h) */
};

static inline uintptr_t channel_tag(uintptr_t word) {
    return word & TAG_MASK;
}

static inline void *channel_pointer(uintptr_t word) {
    return (void *)(word & ~(uintptr_t)TAG_MASK);
}

#endif
