/* trace_replay -- the events of all workers in the order of their times become processes, spans and
 * messages. See record.def for what the events mean. */
#ifndef OCCC_TRACE_REPLAY_H
#define OCCC_TRACE_REPLAY_H

#include "trace_file.h"

typedef enum TraceKind {
#define RECORD(KIND, word) TRACE_##KIND,
#include "../../runtime/include/occ/record.def"
#undef RECORD
} TraceKind;

typedef struct TraceEvent {
    TraceKind kind;
    unsigned worker;
    double at_us;
    uint64_t process;
    uint64_t object;
    uint64_t detail;
} TraceEvent;

typedef struct Replay Replay;

Replay *replay_begin(Trace *trace);
void replay_event(Replay *replay, const TraceEvent *event);
/* replay_end -- what goes on at the end of the trace is cut there. */
void replay_end(Replay *replay);

#endif
