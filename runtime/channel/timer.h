/* timer -- the language's TIMER: reading the time and waiting for it.
 *
 * Owns:   t ? x  and  t ? AFTER d  as processes.
 *         The wall clock; in virtual time it begins at VIRTUAL_EPOCH_S.
 * Leaves: deadlines to deadline_queue.h, timer guards to alt.c, the clock to time_source.h.
 * Holds:  the time is an INT in microseconds that wraps; a wait ends when the time is AFTER d, that
 *         is from tick d + 1 on; a deadline that has passed (by less than 2^31) does not wait. */
#ifndef RT_TIMER_H
#define RT_TIMER_H

#include "layout.h"

/* 2000-01-01 00:00:00 UTC */
enum { VIRTUAL_EPOCH_S = 946684800 };

/* abi.def */
int32_t rt_time_now(Process *me);
int64_t rt_wall_time(Process *me);
Process *rt_timer_wait(Process *me, int32_t deadline, const Site *site);

#endif
