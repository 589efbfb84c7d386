/* time_source -- where the time comes from: the monotonic clock, or virtual time.
 *
 * Owns:   Ticks (microseconds, 64 bits), the source, the language's 32-bit time.
 * Leaves: who waits for a time to deadline_queue.h and timer.h.
 * Holds:  ticks never go backwards. Real ticks count from the start of the program, so the
 *         language's time begins near 0. The language's time is the low 32 bits; it wraps, and
 *         `a AFTER b` is (a - b) > 0 modulo 2^32.
 *
 * Virtual time (OCC_TIME=virtual) stands still while anything runs and jumps to the next deadline
 * when everything waits. A program that polls the clock in a loop would never end so; therefore,
 * after VIRTUAL_PATIENCE readings without a jump, each further reading costs one microsecond. */
#ifndef RT_TIME_SOURCE_H
#define RT_TIME_SOURCE_H

#include "check.h"

typedef struct Ticks {
    int64_t us;
} Ticks;

typedef struct TimeSource {
    bool is_virtual;
    int64_t origin_ns; /* real: the clock's value at tick 0 */
    int64_t now_us;    /* virtual: the time */
    uint32_t readings; /* virtual: since the last jump */
} TimeSource;

enum { VIRTUAL_PATIENCE = 100000 };

void time_source_init(TimeSource *source, bool is_virtual);
Ticks time_source_now(TimeSource *source);
/* The language's time is certainly not AFTER `deadline`, but will be at *due. Costs a third of a
 * reading; never true in virtual time, where readings count. */
bool time_source_is_before(const TimeSource *source, int32_t deadline, Ticks *due);
/* Virtual time only: it is `to` now, unless it is later already. */
void time_source_jump(TimeSource *source, Ticks to);
/* The clock's nanoseconds at a tick, for alarms. */
int64_t time_source_clock_ns(const TimeSource *source, Ticks at);

static inline int32_t ticks_to_int(Ticks ticks) {
    return (int32_t)(uint32_t)(uint64_t)ticks.us;
}

/* The tick at which the language's time is AFTER `deadline`, seen from `now`; at most 2^31 away. */
static inline Ticks ticks_after(Ticks now, int32_t deadline) {
    uint32_t distance = (uint32_t)deadline - (uint32_t)ticks_to_int(now);
    return (Ticks){now.us + (int32_t)distance + 1};
}

static inline bool ticks_reached(Ticks now, Ticks at) {
    return now.us >= at.us;
}

#endif
