/* mobile_clock -- MOBILE CLOCK and MOBILE BARRIER: clocks whose members pass them on.
 *
 * Owns:   the clock and its registrations as mobile objects; who holds one.
 * Leaves: arriving, waiting, leaving to clock.h; states, which compiled code looks at first (errors
 *         not-enrolled and resumed), to codegen/clock/mobile_clock.c; blocks to mobile.h.
 * Holds:  a variable of the type is the address of a MobileRegistration, NULL when it is undefined.
 *         A registration lies in one variable or one message; the clock is given back with its last
 *         one. The list of them is for reports; it is under the heap lock, when not solo. */
#ifndef RT_MOBILE_CLOCK_H
#define RT_MOBILE_CLOCK_H

#include "clock.h"

/* abi.def */
void *rt_mobile_clock_make(Process *me, const Site *site);
void *rt_mobile_clock_enrol(Process *me, void *object, const Site *site);
void *rt_mobile_clock_branch(Process *me, void *lender, const Site *site);
void rt_mobile_clock_end(Process *me, void *object, void *lender);
void rt_mobile_clock_release(Process *me, void *object);

#endif
