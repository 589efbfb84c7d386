/* grain -- how long processes run between two parks, and what that says.
 *
 * Owns:   the limits; when a sample has told enough; whether another worker would help.
 * Leaves: counting to those who park (Grain is in worker.h), clocks, when to sample and what
 *         follows to solo.c.
 * Holds:  nothing here looks at a clock. Parks include ends of processes and sleeps.
 *
 * Work that is mostly sleeping is told by more of it. A sample of a few sleepers is over in the
 * time that a hiccup of the machine takes, or an alarm, and then says that they compute; it comes
 * at each attention, where many sleep several times in a millisecond, so that in the end one is
 * wrong. And when several are active, each such park takes long. */
#ifndef RT_GRAIN_H
#define RT_GRAIN_H

#include "worker.h"

enum {
    GRAIN_OUT_NS = 300,
    GRAIN_BACK_NS = 150,
    GRAIN_OUT_WORLD = 2, /* times that, when most parks are in the world (ALT, devices) */
    GRAIN_BACK_WORLD = 4,
    GRAIN_SLEEP_FACTOR = 16, /* both, when most wait for a time */
    SAMPLE_PARKS = 64,       /* parks of a sample */
    SAMPLE_SLEEPS = 1024,    /* the same when most wait for a time */
    GRAIN_PARKS = 256,       /* parks that tell something when several are active */
    GRAIN_BUSY_NS = 100000,  /* or as many as took so long */
    GRAIN_LONG_NS = 1000000, /* the same when most wait for a time, or several are active */
    GRAIN_SLEEPY_NS = 2 * GRAIN_LONG_NS, /* both */
    GRAIN_OLD_NS = 1000000 /* a worker that has slept for so long may find other work */
};

/* Do most parks wait for a time? Sleepers that end have slept before. */
static inline bool grain_is_sleepy(const Grain *grain) {
    uint32_t others = grain->parks > grain->ends ? grain->parks - grain->ends : 0;
    return grain->sleeps > 0 && grain->sleeps >= others / 2 && grain->sleeps >= grain->parks / 8;
}

/* Work under the world lock gains little from another worker; the deadlines of many that sleep are
 * nothing else. */
static inline int64_t grain_factor(const Grain *grain, int64_t in_world) {
    return grain_is_sleepy(grain)              ? GRAIN_SLEEP_FACTOR
           : grain->worlds >= grain->parks / 2 ? in_world
                                               : 1;
}

/* Solo: have these parks told enough? */
static inline bool grain_sample_is_over(const Grain *grain, int64_t busy_ns) {
    return grain_is_sleepy(grain) ? grain->parks >= SAMPLE_SLEEPS || busy_ns >= GRAIN_LONG_NS
                                  : grain->parks >= SAMPLE_PARKS || busy_ns >= GRAIN_BUSY_NS;
}

/* Solo: do processes run long enough for another worker to help? */
static inline bool grain_is_coarse(const Grain *grain, int64_t busy_ns) {
    return busy_ns >= GRAIN_OUT_NS * grain_factor(grain, GRAIN_OUT_WORLD) * grain->parks;
}

/* Several are active: have these parks told enough? Attention comes often where many sleep. */
static inline bool grain_is_measured(const Grain *grain, int64_t busy_ns) {
    int64_t long_ns = grain_is_sleepy(grain) ? GRAIN_SLEEPY_NS : GRAIN_LONG_NS;
    return grain->parks >= GRAIN_PARKS || busy_ns >= long_ns;
}

/* Several are active: do processes run for too short a time for that? back_ns is the limit that was
 * set when solo was left; sleeping takes longer when several are active, so who left for less goes
 * back. A park at the end of a PAR is as short as an end, but in C. */
static inline bool grain_is_fine(const Grain *grain, int64_t busy_ns, int64_t back_ns) {
    uint32_t parks = grain->parks > grain->joins ? grain->parks - grain->joins : 0;
    int64_t own_ns = grain_is_sleepy(grain) ? GRAIN_OUT_NS : back_ns;
    return parks >= GRAIN_PARKS && busy_ns < own_ns * grain_factor(grain, GRAIN_BACK_WORLD) * parks;
}

#endif
