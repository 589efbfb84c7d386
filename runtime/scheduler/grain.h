/* grain -- how long processes run between two parks, and what follows from it.
 *
 * Owns:   the limits; when a sample is large enough; whether another worker would help.
 * Leaves: counting to the code that parks (Grain is in worker.h), reading clocks, when to sample
 *         and what then happens to solo.c.
 * Holds:  nothing here reads a clock. Parks include ends of processes and sleeps.
 *
 * Work that mostly sleeps needs larger samples. A few parks of sleepers last no longer than a
 * hiccup of the machine or an alarm, and would then look like computing; with many sleepers a
 * sample is taken several times in a millisecond, so that one would be wrong sooner or later. And
 * with several active workers each such park takes long. */
#ifndef RT_GRAIN_H
#define RT_GRAIN_H

#include "worker.h"

enum {
    GRAIN_OUT_NS = 300,
    GRAIN_BACK_NS = 150,
    GRAIN_OUT_WORLD = 2, /* factor when most parks are in the world (ALT, devices) */
    GRAIN_BACK_WORLD = 4,
    GRAIN_SLEEP_FACTOR = 16, /* factor of both limits when most parks wait for a time */
    SAMPLE_PARKS = 64,       /* parks of a sample */
    SAMPLE_SLEEPS = 1024,    /* the same when most wait for a time */
    GRAIN_PARKS = 256,       /* parks of a measurement when several are active */
    GRAIN_BUSY_NS = 100000,  /* or as many parks as take this long */
    GRAIN_LONG_NS = 1000000, /* the same when most parks wait for a time, or several are active */
    GRAIN_SLEEPY_NS = 2 * GRAIN_LONG_NS, /* both */
    GRAIN_OLD_NS = 1000000               /* a worker that has slept this long may find other work */
};

/* Do most parks wait for a time? Ends do not count: a sleeper that ends has slept before. */
static inline bool grain_is_sleepy(const Grain *grain) {
    uint32_t others = grain->parks > grain->ends ? grain->parks - grain->ends : 0;
    return grain->sleeps > 0 && grain->sleeps >= others / 2 && grain->sleeps >= grain->parks / 8;
}

/* Work under the world lock gains little from another worker; the deadlines of many sleepers are
 * nothing but such work. */
static inline int64_t grain_factor(const Grain *grain, int64_t in_world) {
    return grain_is_sleepy(grain)              ? GRAIN_SLEEP_FACTOR
           : grain->worlds >= grain->parks / 2 ? in_world
                                               : 1;
}

/* Solo: is this sample large enough? */
static inline bool grain_sample_is_over(const Grain *grain, int64_t busy_ns) {
    return grain_is_sleepy(grain) ? grain->parks >= SAMPLE_SLEEPS || busy_ns >= GRAIN_LONG_NS
                                  : grain->parks >= SAMPLE_PARKS || busy_ns >= GRAIN_BUSY_NS;
}

/* Solo: do processes run long enough for another worker to help? */
static inline bool grain_is_coarse(const Grain *grain, int64_t busy_ns) {
    return busy_ns >= GRAIN_OUT_NS * grain_factor(grain, GRAIN_OUT_WORLD) * grain->parks;
}

/* Several are active: enough parks for a measurement? Attention comes often when many sleep. */
static inline bool grain_is_measured(const Grain *grain, int64_t busy_ns) {
    int64_t long_ns = grain_is_sleepy(grain) ? GRAIN_SLEEPY_NS : GRAIN_LONG_NS;
    return grain->parks >= GRAIN_PARKS || busy_ns >= long_ns;
}

/* Several are active: do processes run too briefly for that? back_ns is the limit set when solo was
 * left. Sleeping takes longer with several active, so sleepers go back by GRAIN_OUT_NS. A park at
 * the end of a PAR is as short as the end of a process, but in C, so it is not counted. */
static inline bool grain_is_fine(const Grain *grain, int64_t busy_ns, int64_t back_ns) {
    uint32_t parks = grain->parks > grain->joins ? grain->parks - grain->joins : 0;
    int64_t own_ns = grain_is_sleepy(grain) ? GRAIN_OUT_NS : back_ns;
    return parks >= GRAIN_PARKS && busy_ns < own_ns * grain_factor(grain, GRAIN_BACK_WORLD) * parks;
}

#endif
