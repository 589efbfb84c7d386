/* recorder -- OCC_TRACE=file: what processes do, in a ring of each worker.
 *
 * Owns:   the rings, the cost of an event; the file that is written at the end.
 * Leaves: what an event means to record.def and occc trace.
 * Holds:  while a worker has MODE_TRACED, inlined operations go to C, as for any bit of the mode;
 *         so a program that is not traced executes no extra instruction. A worker writes to its own
 *         ring only, never waits and never allocates. Reading the CPU's counter is most of the cost
 *         (8 of 10 ns), so it is read when a process gives up its worker, and within a run only
 *         from the second message on. Who runs next is not recorded: its own next event tells. */
#ifndef RT_RECORDER_H
#define RT_RECORDER_H

#include "arch.h"
#include "worker.h"

typedef enum RecordKind {
#define RECORD(KIND, word) RECORD_##KIND,
#include "occ/record.def"
#undef RECORD
} RecordKind;

struct Record {
    uint64_t what;
    const void *process;
    const void *object;
    uint64_t detail;
};

/* recorder_begin -- when OCC_TRACE says so; false: no memory. recorder_add: for another worker. */
bool recorder_begin(void);
void recorder_add(Worker *worker);
/* recorder_memory -- zeroed; NULL: none. */
void *recorder_memory(size_t bytes);
/* recorder_end -- write the file; also from a signal handler. */
void recorder_end(void);

static inline bool recorder_is_on(const Worker *worker) {
    return rt_unlikely((atomic_get_relaxed(&worker->mode) & MODE_TRACED) != 0);
}

static inline void recorder_put(Worker *worker, RecordKind kind, const void *process,
                                const void *object, uint64_t detail) {
    Record *record = &worker->records[worker->recorded++ & (RECORD_RING - 1)];
    *record = (Record){worker->record_ticks << 8 | kind, process, object, detail};
}

static inline void recorder_put_timed(Worker *worker, RecordKind kind, const void *process,
                                      const void *object, uint64_t detail) {
    worker->record_ticks = arch_ticks();
    recorder_put(worker, kind, process, object, detail);
    worker->record_is_fresh = true;
}

static inline void record_wait(const Process *me, const void *object, const Site *site) {
    if (recorder_is_on(me->worker)) {
        recorder_put_timed(me->worker, RECORD_WAIT, me, object, (uintptr_t)site);
    }
}

/* A message: the first after a WAIT or RUN takes the time of that. */
static inline void record_message(Worker *worker, RecordKind kind, const Process *me,
                                  const void *object, const Site *site) {
    if (!recorder_is_on(worker)) {
        return;
    }
    if (worker->record_is_fresh) {
        recorder_put(worker, kind, me, object, (uintptr_t)site);
        worker->record_is_fresh = false;
    } else {
        recorder_put_timed(worker, kind, me, object, (uintptr_t)site);
        worker->record_is_fresh = false;
    }
}

static inline void record_meet(const Process *me, const Process *partner, const Site *site) {
    record_message(me->worker, RECORD_MEET, me, partner, site);
}

static inline void record_device(Worker *worker, const Process *me, const Channel *channel,
                                 const Site *site) {
    record_message(worker, RECORD_DEVICE, me, channel, site);
}

static inline void record_phase(Worker *worker, const Process *me, const void *clock,
                                unsigned phase) {
    if (recorder_is_on(worker)) {
        recorder_put_timed(worker, RECORD_PHASE, me, clock, phase);
    }
}

static inline void record_end(Worker *worker, const Process *me) {
    if (recorder_is_on(worker)) {
        recorder_put_timed(worker, RECORD_END, me, me->join, 0);
    }
}

/* The process is resumed next. is_later: time has passed since the last event, or that was neither
 * WAIT nor END. Otherwise what it does next shows that it ran from then on. */
static inline Process *record_run(Worker *worker, Process *next, bool is_later) {
    if (!recorder_is_on(worker)) {
        return next;
    }
    if (is_later) {
        worker->record_ticks = arch_ticks();
    }
    if (((void **)next->sp)[1] == rt_root.process_start) {
        uint64_t block = (uint64_t)next->size_class * SIZE_CLASS_UNIT;
        uint64_t index = (uint64_t)(uint32_t)next->index << 32;
        recorder_put(worker, RECORD_START, next, next->join, block | index);
    } else if (is_later) {
        recorder_put(worker, RECORD_RUN, next, NULL, 0);
    }
    worker->record_is_fresh = true;
    return next;
}

#endif
