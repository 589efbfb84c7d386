/* trace_file -- what OCC_TRACE has recorded, read into what happened: who ran, who waited, who met
 * whom.
 *
 * Owns:   the form of the file (runtime/include/occ/record.def), the order of the events of all
 *         workers.
 * Leaves: what is shown of it to trace_json.c, trace_chart.c, trace_profile.c.
 * Holds:  nothing in the file is believed before it is looked at: it may be cut off or not ours. A
 *         block of memory is one process after the other; each has a number of its own. A span of
 *         a process begins where the one before has ended. */
#ifndef OCCC_TRACE_FILE_H
#define OCCC_TRACE_FILE_H

#include "array.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum TraceReason {
#define OCC_WAIT(REASON, words) TRACE_WAIT_##REASON,
#include "../../runtime/include/occ/wait_reason.def"
#undef OCC_WAIT
    TRACE_REASON_COUNT
} TraceReason;

typedef struct TraceSite {
    uint64_t address;
    const char *file; /* "" where there is none; so are the next two */
    const char *proc;
    const char *object;
    uint32_t line;
    uint32_t column;
    TraceReason reason;
    bool is_call; /* of the routine `object`, which waits in it */
} TraceSite;

typedef struct TraceProcess {
    uint32_t number;
    const TraceSite *name; /* its first place; NULL: it came to none */
    int64_t index;         /* of a replicated PAR; INT64_MIN: none */
    struct TraceProcess *parent;
    uint64_t low; /* its block, where that is known */
    uint64_t high;
    double ran_us;
    double waited_us;
    uint64_t messages;
    /* while the file is read */
    const TraceSite *waits; /* NULL: it runs */
    double since_us;
    unsigned worker;
    struct TraceProcess *waker; /* who has met it in this wait */
    struct TraceProcess *next;  /* of its chain by address */
    uint64_t address;
    bool has_ended;
} TraceProcess;

/* A stretch of time in which a process ran, or waited. */
typedef struct TraceSpan {
    TraceProcess *process;
    double from_us;
    double to_us;
    const TraceSite *waits; /* NULL: it ran */
    TraceProcess *waker;    /* who ended the wait, where it was a message */
    unsigned worker;        /* where it ran */
} TraceSpan;

typedef struct TraceMessage {
    double at_us;
    TraceProcess *from; /* NULL: the world outside, so is to */
    TraceProcess *to;
    const TraceSite *output; /* the place of either side; NULL: not known */
    const TraceSite *input;
} TraceMessage;

typedef struct TracePhase {
    double at_us;
    uint64_t clock;
    uint64_t phase;
    TraceProcess *by;
} TracePhase;

typedef struct Trace {
    Arena *arena;
    ARRAY_OF(TraceSite) sites; /* by address */
    ARRAY_OF(TraceProcess *) processes;
    ARRAY_OF(TraceSpan) spans;
    ARRAY_OF(TraceMessage) messages;
    ARRAY_OF(TracePhase) phases;
    uint64_t events;
    uint64_t lost; /* that the rings had no room for */
    unsigned workers;
    double length_us;
} Trace;

/* trace_read -- NULL after a message. */
Trace *trace_read(Arena *arena, const char *path);
/* trace_process_name -- "worker[3] #17". */
const char *trace_process_name(Arena *arena, const TraceProcess *process);
/* trace_wait_text -- "input from 'c' (file.occ:12:5)". */
const char *trace_wait_text(Arena *arena, const TraceSite *site);

#endif
