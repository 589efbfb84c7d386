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
    ALARM_REST_MOST_US = 800, /* for crowds of sleepers that nobody keeps waiting */
    ALARM_LOST_US = 20000     /* it should have rung so long ago: it will not */
};

typedef struct Alarm {
    int64_t at_us; /* by the time source; 0: not set */
    bool is_for_device;
    uint32_t vain_rings; /* in a row */
} Alarm;

extern Alarm rt_alarm;

static inline int64_t alarm_at_us(void) {
    return atomic_get_relaxed(&rt_alarm.at_us);
}

/* at_us: as above; origin_ns: when its time began. */
void alarm_set(int64_t at_us, int64_t origin_ns, bool is_for_device);
/* It is to be set again. */
static inline void alarm_forget(void) {
    atomic_set_relaxed(&rt_alarm.at_us, 0);
}

/* Somebody has looked at the sleepers because it rang. Where they are many and nobody computes, they
 * are met at other passes through the scheduler, and it rings in vain each time: then it is to ring
 * at greater distances. */
static inline void alarm_note_look(bool was_due_long) {
    rt_alarm.vain_rings = was_due_long ? 0 : rt_alarm.vain_rings + 1;
}

/* How long after now it rings at the earliest, for a crowd of sleepers. */
static inline int64_t alarm_crowd_rest_us(void) {
    return rt_alarm.vain_rings < 4 ? ALARM_REST_US << rt_alarm.vain_rings : ALARM_REST_MOST_US;
}

/* It will not ring. */
void alarm_stop(void);

/* ThreadSanitizer now and then drops the first signal that a thread gets; so may what a program
 * calls in C. Then whoever sets it next is to set it indeed. */
static inline void alarm_forget_lost(int64_t now_us) {
    int64_t at_us = alarm_at_us();
    if (at_us != 0 && now_us - at_us >= ALARM_LOST_US) {
        alarm_forget();
    }
}

/* A device is waited for: its slices are shorter. */
static inline void alarm_heed_device(void) {
    if (!rt_alarm.is_for_device) {
        alarm_forget();
    }
}

#endif
