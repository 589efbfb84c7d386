/* clock -- CLOCK and BARRIER: a barrier whose members come and go, with a phase in two parts.
 *
 * Owns:   arriving, waiting for the phase, joining, leaving; waking those that wait.
 * Leaves: who may do what when to the compiler (CK1-CK11) and to `state` of a registration; the
 *         arrival of one who is not the last, while the worker is alone, to codegen/clock/clock.c.
 * Holds:  the word (registration.h) is changed by compare and swap only. The one whose arrival
 *         brings unarrived to 0 moves the phase and makes everybody unarrived again in the same
 *         step. It remains a member until it has woken the others, even when it is about to leave,
 *         so a phase cannot end before the stack of the one before it has been taken and reversed.
 *         Waiters are on one of two take-all stacks, by the parity of the phase they wait in:
 *         parked with WAIT_CLOCK, `data` at the Registration, linked by `next` as in a run queue,
 *         newest first. The stack says in one bit which of the phases of its parity it is for: who
 *         comes after it was taken sees that, and goes on. A process that is on a stack may run
 *         elsewhere as soon as it has arrived: nothing of it, nor of the clock, is touched after
 *         that (decision 0014).
 *
 * ALTs that wait for a phase are in a list of their own: whoever ends the phase looks
 * there after changing the word, an ALT looks at the word after entering the list.
 *
 * A registration belongs to one process. Its phase is the whole number; the word has the low 16
 * bits of it. A process that waits has the phase it waits for there already. A PAR lends the
 * registration of its process, which has none meanwhile: n branches need n - 1 more; the last to
 * end hands it back, so no phase can end in between. */
#ifndef RT_CLOCK_H
#define RT_CLOCK_H

#include "registration.h"

/* clock_is_over -- the phase in which the process of the registration has resumed has ended. */
bool clock_is_over(const Registration *registration);

/* For ALT, of a NEXT guard on one clock or several. */
/* clock_guard_is_over -- the phases of all its clocks have ended: what has ended remains so, as the
 * process is counted in the next. */
bool clock_guard_is_over(const AltGuard *guard);
/* clock_watch, clock_unwatch -- the guard waits for its phases to end, or stops (world lock): it is
 * in the list of one clock at a time. False: they have ended already. */
bool clock_watch(AltGuard *guard);
void clock_unwatch(AltGuard *guard);

/* clock_join -- so many more members, added by an active one; the caller makes registrations. */
void clock_join(const Registration *registration, uint64_t members);

/* For placements (runtime/placed/placed_clock.h). */
/* clock_begin_placed -- a clock of two members in that phase: the process that `lender` has lent
 * its registration to, and one without, for whom clock_arrive is called. */
void clock_begin_placed(Clock *clock, Registration *lender, uint32_t phase);
void clock_arrive(Worker *worker, Clock *clock);

/* abi.def. The registration is the first operand everywhere. */
void rt_clock_begin(Process *me, void *registration, void *clock);
void rt_clock_lend(Process *me, void *registration, int64_t branches);
void rt_clock_enrol(Process *me, void *registration, void *enrolled);
void rt_clock_hand_back(Process *me, void *registration);
void rt_clock_resume(Process *me, void *registration);
void rt_clock_leave(Process *me, void *registration);
void rt_clock_rejoin(Process *me, void *registration);
Process *rt_clock_next(Process *me, void *registration, const Site *site);
Process *rt_clock_elect(Process *me, void *registration, const Site *site);

#endif
