/* clock -- CLOCK and BARRIER: a barrier whose members come and go, with a phase in two parts.
 *
 * Owns:   arriving, waiting for the phase, joining, leaving; waking those that wait.
 * Leaves: who may do what when to the compiler (CK1-CK11) and to `state` of a registration; the
 *         arrival of one who is not the last, while the worker is alone, to codegen/clock.c.
 * Holds:  word = phase:16 | registered:24 | unarrived:24, changed by compare and swap only. The one
 *         whose arrival brings unarrived to 0 moves the phase and makes everybody unarrived again
 * in the same step. Waiters are on one of two take-all stacks, by the parity of the phase they wait
 * in: parked with WAIT_CLOCK, `next` at the Registration, linked by `data`, newest first. Who takes
 * a stack late looks whose phase has ended. A process that has pushed itself may run elsewhere at
 * once: nothing of it is touched after its arrival. A registration belongs to one process. Its
 * phase is the whole number; the word has the low 16 bits of it. A process that waits has the phase
 * it waits for there already. A PAR lends the registration of its process: n branches need n - 1
 * more; the last to end hands his back, so the clock cannot slip past between. */
#ifndef RT_CLOCK_H
#define RT_CLOCK_H

#include "layout.h"

typedef struct Clock {
    uint64_t word;
    Process *waiting[2];
} Clock;

typedef struct Registration Registration;
struct Registration {
    Clock *clock;
    Registration *lender; /* of the process that runs the PAR; NULL for the declaration */
    uint32_t phase;
    uint32_t state; /* REGISTRATION_... */
    uint64_t lent;  /* branches of my PAR that are enrolled and have not ended */
};

/* abi.def. The registration is the first operand everywhere. */
void rt_clock_begin(Process *me, void *registration, void *clock);
void rt_clock_lend(Process *me, void *registration, int64_t branches);
void rt_clock_hand_back(Process *me, void *registration);
void rt_clock_resume(Process *me, void *registration);
void rt_clock_leave(Process *me, void *registration);
void rt_clock_rejoin(Process *me, void *registration);
Process *rt_clock_next(Process *me, void *registration, const Site *site);

#endif
