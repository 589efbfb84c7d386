/* worker -- the kernel thread that runs processes, and the root of everything.
 *
 * Owns:   the struct whose first part compiled code knows (layout.def), and rt_root.
 * Leaves: what the parts mean to runqueue.h, block.h, deadline_queue.h, device.h.
 * Holds:  head is NULL when nothing is ready; tail means something only when head is not NULL.
 *         Outside of C, the system stack is empty: every C routine begins at os_sp. mode is
 *         changed through mode_set and mode_clear alone. Others set MODE_ATTENTION (signals,
 *         world.c), MODE_ASKED (ownership.c) and MODE_WANTED (sharing.c), and clear nothing. Who
 *         needs the worker goes by process->worker, before the process is published anywhere
 *         (decision 0006). Worker 0, rt_root.worker, is the main thread; the others are made when
 *         they are first wanted (thread.c). */
#ifndef RT_WORKER_H
#define RT_WORKER_H

#include "activity.h"
#include "block.h"
#include "deadline_queue.h"
#include "deque.h"
#include "layout.h"
#include "lock.h"
#include "mobile.h"
#include "paint.h"
#include "parts.h"
#include "priority.h"
#include "random.h"
#include "readiness.h"
#include "time_source.h"

typedef struct Device Device;
typedef struct ChannelTake ChannelTake;
typedef struct Record Record;

enum { CACHE_LINE_BYTES = 64 };
enum { RECORD_RING = 1 << 20 }; /* events that are kept of each worker (recorder.h) */

/* ChannelRequest -- an operation that waits for a channel to be given up. */
typedef struct ChannelRequest {
    struct ChannelRequest *next;
    Channel *channel;
    Process *process; /* its context is saved */
    Worker *home;     /* where it came from, and is to go on */
    /* Does the operation again for the process, on its present worker: as in abi.def. */
    Process *(*again)(const struct ChannelRequest *request);
    void *data;
    int64_t size_bytes;
    const Site *site;
} ChannelRequest;

/* Grain -- how long processes run between two parks, measured now and then (solo.c). */
typedef struct Grain {
    int64_t began_ns; /* processor time of the thread, so that other programs do not count */
    uint32_t parks;
    uint32_t worlds; /* entries into the world meanwhile: work that only one can do at a time */
    uint32_t sleeps; /* parks until a time */
    uint32_t ends;   /* of processes: work this short is best left where it is */
    uint32_t joins;  /* parks at the end of a PAR: in C, but as short as ends, which are not */
    uint32_t lonely; /* parks in a row, nearly, with nothing else ready */
    uint32_t tries;  /* parks without work to give to a worker that wants some */
    uint32_t wakes;  /* workers woken to take work from here */
    bool is_fine;    /* too fine for another worker to help */
} Grain;

/* Trial -- of several workers although the grain is fine (solo.c); the solo worker's. */
typedef struct Trial {
    int64_t left_ns;       /* when solo was left last */
    int64_t next_ns;       /* not before */
    int64_t pause_ns;      /* after the next one that fails */
    uint32_t fine_samples; /* in a row, at most FINE_SAMPLES_MAX */
    uint32_t rests;        /* how often the worker was idle */
    int64_t back_ns;       /* solo again below this between two parks in C */
    uint32_t is_coarse;    /* processes run long: not a trial */
} Trial;

struct Worker {
    _Alignas(CACHE_LINE_BYTES) Process *head;
    Process *tail;
    uint32_t mode;    /* MODE_... */
    uint32_t is_idle; /* waiting in the kernel: a signal handler may act at once */
    void *os_sp;
    MobileStore *mobiles;
    Random random;
    uint32_t polls;      /* ALTs that took a SKIP or a timer at once; alt.c */
    uint32_t is_coarse;  /* several are active because processes run long; solo.c */
    uint64_t solo_epoch; /* set when it becomes solo, from rt_root.solo_epochs */
    Process *deferred;   /* branches of PARs that have not been started yet; deferred.c */
    uint32_t deferred_taken;
    uint32_t deferred_off;
    Process *free[SMALL_CLASSES];
    uint16_t returned[SMALL_CLASSES]; /* blocks given back while not solo (block.c) */
    uint32_t alarm_at;                /* scheduler.c, both */
    uint32_t alarm_reach;
    uint32_t alarm_quick; /* compiled code alone */
    /* from here on the runtime's own */
    Process main_process; /* the C context of main, as a process */
    const char *os_stack_low;
    unsigned number;
    bool holds_world;
    bool is_searcher; /* holds SEARCHING of the activity word */
    bool is_pinned;
    bool has_starved;          /* its deferred branches, in the last slice */
    Process *older;            /* branches deferred before those of `deferred`; deferred.c */
    int64_t deferred_since_ns; /* processor time when they were looked after last */
    uint32_t deferred_slices;
    bool retires;        /* has handed its work over, is to sleep */
    int thread;          /* the kernel's number; 0: not started */
    uint32_t token;      /* 1: has been woken */
    uint32_t stands;     /* nothing changes here (standstill.h), also the next three */
    Process *runs;       /* the process that runs, if the worker stands in a yield or in C */
    const void *held_sp; /* held in compiled code: its stack pointer */
    int64_t hold_since_ns;
    const Process *kept; /* a deferred branch that nobody has taken */
    int64_t kept_ns;     /* processor time since it is so */
    int64_t computes_ns; /* processor time when MODE_COMPUTES was set */
    Grain grain;
    Random owner_random;      /* which channels become its own (ownership.h) */
    Lock guard;               /* over the next three */
    bool rests;               /* runs no process: others may take its channels */
    ChannelRequest *requests; /* for channels that it owns, newest first */
    ChannelTake *takes;
    Deque batches;
    uint64_t passes;      /* through the scheduler; counted in builds that check */
    ListLink heap_blocks; /* of heap_object.c */
    uint32_t fork_count;  /* FORKs that made blocks; scheduler.c */
    Record *records;      /* recorder.h; NULL: nothing is recorded */
    uint64_t recorded;
    uint64_t record_ticks; /* of the last event that has a time */
    bool record_is_fresh;  /* that is the last event */
    MobileStore mobile_store;
};

typedef struct Runtime {
    Worker worker; /* worker 0 */
    Worker *workers[WORKERS_MAX];
    int cpus[WORKERS_MAX]; /* as they were at the start: a pinned thread sees only its own */
    int cpu_count;
    int usable_cpus;
    unsigned worker_count;
    Activity activity;
    Trial trial;
    Parts parts;          /* of the sample (solo.c) */
    Lock world;           /* over the rest, and over what devices and ALTs have, when not solo */
    Lock heap_lock;       /* over the lists of heap objects, when not solo */
    Process *inbox;       /* made ready by threads that are no workers, newest first */
    uint64_t solo_epochs; /* how often a worker has become solo; changed by the one that does */
    uint32_t outside;     /* calls under way whose end will come from such a thread */
    /* A call waits for a thread that could not be started (foreign.c): to be called when nothing
     * has happened for a while; else NULL. */
    void (*starved)(void);
    const struct Machines *machines; /* NULL: there is one machine (machines.h) */
    int bell; /* rung for a worker that waits in the kernel (readiness.h); -1: none */
    DeadlineQueue deadlines;
    BlockStore blocks;
    TimeSource time;
    PaintRecord paint;
    Device *devices; /* flushed at attention and at the end */
    Readiness readiness;
    const Program *program;
    const char *trace_path; /* OCC_TRACE; NULL: there is none, or it is written */
    void *process_start;    /* set while recorded: occ_process_start */
    bool is_recorded;       /* OCC_TRACE, or OCC_TOP=1: events go to rings (recorder.h) */
    char *const *arguments; /* of the command, the program's name first */
    int argument_count;
    uint64_t seed;
    bool has_seed;
    bool is_running;     /* processes exist: between entering and leaving their world */
    bool is_ending;      /* output is being flushed for the last time */
    bool is_flushing;    /* it is being flushed, for any time */
    bool has_priorities; /* there has been a PRI PAR or SETPRI */
    AffinitySets affinities;
    bool output_failed;
    bool phases_return;        /* phases count modulo 4, so that explored states recur */
    bool is_reporting;         /* an error whose message is still to be written */
    void (*leave)(int status); /* ends a run instead of the kernel process; NULL: as usual */
} Runtime;

extern Runtime rt_root;

static inline void mode_set(Worker *worker, uint32_t bits) {
    (void)__atomic_fetch_or(&worker->mode, bits, __ATOMIC_RELAXED);
}

static inline void mode_clear(Worker *worker, uint32_t bits) {
    (void)__atomic_fetch_and(&worker->mode, ~bits, __ATOMIC_RELAXED);
}

/* The value of Channel.owner in channels that the worker owns. */
static inline uint16_t worker_mark(const Worker *worker) {
    return (uint16_t)(worker->number + 1);
}

static inline bool worker_is_solo(const Worker *worker) {
    return (atomic_get_relaxed(&worker->mode) & MODE_SHARED) == 0;
}

static inline bool worker_is_explored(const Worker *worker) {
    return (atomic_get_relaxed(&worker->mode) & MODE_EXPLORED) != 0;
}

/* The worker that this thread is, or NULL. */
Worker *worker_of_thread(void);
void worker_is_this_thread(Worker *worker);

/* Make worker 0 ready to run processes, with stacks for `count` workers. False: no memory. */
bool worker_begin(Worker *worker, unsigned count);
/* Set up another worker, whose memory is zero. */
void worker_add(Worker *worker, unsigned number);
void worker_end(Worker *worker);
/* Does the address lie on the system stack (or, before the worker runs, anywhere)? */
bool worker_is_on_system_stack(const Worker *worker, const void *sp);

#endif
