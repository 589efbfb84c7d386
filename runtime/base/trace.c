/* trace -- the ring. See trace.h; empty in a build without -DRT_TRACE. */
#include "trace.h"

#ifdef RT_TRACE
#include <stdio.h>

enum { TRACE_CAPACITY = 256 };

typedef struct TraceRecord {
    TraceEvent event;
    const void *process;
    const void *object;
} TraceRecord;

static struct {
    TraceRecord records[TRACE_CAPACITY];
    unsigned count;
} ring;

static const char *const event_names[] = {"ready",     "resume",  "park", "transfer",
                                          "alt waits", "alt won", "idle", "end"};

void rt_trace_emit(TraceEvent event, const void *process, const void *object) {
    ring.records[ring.count++ % TRACE_CAPACITY] = (TraceRecord){event, process, object};
}

void rt_trace_print(void) {
    unsigned first = ring.count > TRACE_CAPACITY ? ring.count - TRACE_CAPACITY : 0;
    for (unsigned i = first; i < ring.count; i++) {
        const TraceRecord *record = &ring.records[i % TRACE_CAPACITY];
        fprintf(stderr, "occ: trace %u: %s %p %p\n", i, event_names[record->event], record->process,
                record->object);
    }
}
#else
typedef int TraceIsOff; /* a translation unit may not be empty */
#endif
