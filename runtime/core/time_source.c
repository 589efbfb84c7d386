/* time_source -- real and virtual time. See time_source.h. */
#include "time_source.h"

#include "os.h"

enum { NS_PER_TICK = 1000 };

void time_source_init(TimeSource *source, bool is_virtual) {
    *source = (TimeSource){is_virtual, os_clock_ns(), 0, 0};
}

Ticks time_source_now(TimeSource *source) {
    if (!source->is_virtual) {
        return (Ticks){(os_clock_ns() - source->origin_ns) / NS_PER_TICK};
    }
    if (source->readings < VIRTUAL_PATIENCE) {
        source->readings++;
    } else {
        source->now_us++;
    }
    return (Ticks){source->now_us};
}

bool time_source_is_before(const TimeSource *source, int32_t deadline, Ticks *due) {
    if (source->is_virtual) {
        return false;
    }
    Ticks coarse = {(os_clock_coarse_ns() - source->origin_ns) / NS_PER_TICK};
    *due = ticks_after(coarse, deadline);
    return due->us > coarse.us + COARSE_NS / NS_PER_TICK;
}

void time_source_jump(TimeSource *source, Ticks to) {
    rt_check(source->is_virtual);
    source->readings = 0;
    if (to.us > source->now_us) {
        source->now_us = to.us;
    }
}

int64_t time_source_clock_ns(const TimeSource *source, Ticks at) {
    return source->origin_ns + at.us * NS_PER_TICK;
}
