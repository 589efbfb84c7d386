/* alarm -- the signal that rings when somebody must be looked after.
 *
 * Owns:   when it will ring.
 * Leaves: what it rings for to scheduler.h; what its handler does to interrupt.h.
 * Holds:  it is set only when it is not set, or set too late: ringing too early does no harm. It is
 *         changed inside the world, or solo; and by the handler. */
#ifndef RT_ALARM_H
#define RT_ALARM_H

#include "atomic.h"

enum {
    NS_PER_US = 1000,
    ALARM_REST_US = 50, /* a signal, or a sleep in the kernel, costs more than a microsecond */
    ALARM_REST_MOST_US = 1600, /* for a crowd that is served in time without it */
    ALARM_LOST_US = 20000      /* overdue by so long, it will not ring */
};

typedef struct Alarm {
    int64_t at_us;  /* by the time source; 0: not set */
    int64_t due_us; /* the first deadline when it was set */
    bool is_for_device;
    uint32_t vain_rings; /* in a row */
} Alarm;

extern Alarm rt_alarm;

static inline int64_t alarm_at_us(void) {
    return atomic_get_relaxed(&rt_alarm.at_us);
}

/* at_us: as above; due_us: the first deadline; origin_ns: when its time began. */
void alarm_set(int64_t at_us, int64_t due_us, int64_t origin_ns, bool is_for_device);
/* It is to be set again. */
static inline void alarm_forget(void) {
    atomic_set_relaxed(&rt_alarm.at_us, 0);
}

/* It has rung for a crowd of sleepers. Where nobody computes they are met whenever nothing is ready,
 * and it rings in vain each time: then it is to ring at greater distances. */
static inline void alarm_note_ring(bool was_vain) {
    rt_alarm.vain_rings = was_vain ? rt_alarm.vain_rings + 1 : 0;
}

/* For a crowd of sleepers: the least time until the next ring. */
static inline int64_t alarm_crowd_rest_us(void) {
    return rt_alarm.vain_rings < 5 ? ALARM_REST_US << rt_alarm.vain_rings : ALARM_REST_MOST_US;
}

/* Stop it: it will not ring. */
void alarm_stop(void);

/* ThreadSanitizer sometimes drops the first signal of a thread, and C code of a program may do so
 * too. Then the next alarm_set must really set it. */
static inline void alarm_forget_lost(int64_t now_us) {
    int64_t at_us = alarm_at_us();
    if (at_us != 0 && now_us - at_us >= ALARM_LOST_US) {
        alarm_forget();
    }
}

/* A process waits for a device, whose slices are shorter: the alarm is set again. */
static inline void alarm_heed_device(void) {
    if (!rt_alarm.is_for_device) {
        alarm_forget();
    }
}

#endif
