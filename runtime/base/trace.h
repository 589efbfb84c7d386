/* trace -- the last events of the scheduler, for whoever debugs the runtime.
 *
 * Owns:   a ring of events {what, process, object}; compiled in with -DRT_TRACE, else nothing.
 * Leaves: when to print it to the reports (error.c, deadlock.c).
 * Holds:  emitting an event never allocates and never waits. */
#ifndef RT_TRACE_H
#define RT_TRACE_H

typedef enum TraceEvent {
    TRACE_READY,
    TRACE_RESUME,
    TRACE_PARK,
    TRACE_TRANSFER,
    TRACE_ALT_WAITS,
    TRACE_ALT_WON,
    TRACE_IDLE,
    TRACE_END
} TraceEvent;

#ifdef RT_TRACE
void rt_trace_emit(TraceEvent event, const void *process, const void *object);
void rt_trace_print(void);
#define rt_trace(event, process, object) rt_trace_emit(event, process, object)
#else
#define rt_trace(event, process, object) ((void)0)
#endif

#endif
