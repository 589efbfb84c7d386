/* worker -- the kernel thread that runs processes, and the root of everything.
 *
 * Owns:   the struct whose first part compiled code knows (layout.def), and rt_root.
 * Leaves: what the parts mean to runqueue.h, block.h, deadline_queue.h, device.h.
 * Holds:  head is NULL when nothing is ready; tail means something only when head is not NULL.
 *         Outside of C, the system stack is empty: every C routine begins at os_sp.
 *         mode is written by the worker and by its signal handlers: only through mode_set and
 *         mode_clear. There is one worker so far; whoever needs it goes by process->worker, and
 *         rt_root.worker is for signal handlers and the start. */
#ifndef RT_WORKER_H
#define RT_WORKER_H

#include "base/random.h"
#include "block.h"
#include "deadline_queue.h"
#include "layout.h"
#include "mobile.h"
#include "paint.h"
#include "time_source.h"

typedef struct Device Device;

struct Worker {
    Process *head;
    Process *tail;
    uint32_t mode;    /* MODE_... */
    uint32_t is_idle; /* waiting in the kernel: a signal handler may act at once */
    void *os_sp;
    MobileStore *mobiles;
    Random random;
    uint32_t polls; /* ALTs that took a SKIP or a timer at once; alt.c */
    uint32_t reserved[3];
    Process *free[SMALL_CLASSES];
    /* from here on the runtime's own */
    Process main_process; /* the C context of main, as a process */
    const char *os_stack_low;
    DeadlineQueue deadlines;
    int64_t alarm_at_us; /* when the alarm will ring; 0: not set */
    bool alarm_is_for_device;
    uint64_t passes;      /* through the scheduler; counted in builds that check */
    ListLink heap_blocks; /* of heap_object.c */
    MobileStore mobile_store;
};

typedef struct Runtime {
    Worker worker;
    BlockStore blocks;
    TimeSource time;
    PaintRecord paint;
    Device *devices; /* polled when idle and at attention */
    const Program *program;
    uint64_t seed;
    bool has_seed;
    bool is_running; /* processes exist: between entering and leaving their world */
    bool is_ending;  /* output is being flushed for the last time */
    bool output_failed;
    bool has_crashed;
    bool pending_report;
    int pending_signal;
} Runtime;

extern Runtime rt_root;

static inline void mode_set(Worker *worker, uint32_t bits) {
    (void)__atomic_fetch_or(&worker->mode, bits, __ATOMIC_RELAXED);
}

static inline void mode_clear(Worker *worker, uint32_t bits) {
    (void)__atomic_fetch_and(&worker->mode, ~bits, __ATOMIC_RELAXED);
}

/* Make the worker ready to run processes: its system stack, its queues. False: no memory. */
bool worker_begin(Worker *worker);
void worker_end(Worker *worker);
/* Does the address lie on the system stack (or, before the worker runs, anywhere)? */
bool worker_is_on_system_stack(const Worker *worker, const void *sp);

#endif
