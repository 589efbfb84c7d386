/* placed_clock -- a CLOCK or BARRIER whose members are on several machines.
 *
 * Owns:   the clock that a placement has in place of its parent's; what the two tell each other.
 * Leaves: phases to clock/clock.h; when a placement starts and ends to placement.h.
 * Holds:  the home of the clock is the parent's machine: there the branch of the placement is a
 *         member, as in any PAR. The placement has a clock of its own, with one member more than
 *         its processes, which stands for the home. When only that member is missing, ARRIVED goes
 *         home and the branch arrives there; when the phase has ended at home, GO comes back and
 *         the missing member arrives. So all have come before the phase ends at home, and it ends
 *         in the placement after that. When the placement has no other member left, GONE goes home,
 *         and the branch leaves. A placement's clock may be the home of others. Between ARRIVED and
 *         GO nobody joins: only a process that comes back from a RESIGN could, which is refused.
 *         Model: test/model/placed_clock.pml. */
#ifndef RT_PLACED_CLOCK_H
#define RT_PLACED_CLOCK_H

#include "machine.h"
#include "registration.h"

typedef struct ClockHome ClockHome;
typedef struct ClockCopy ClockCopy;

/* ClockText -- what a START says of a clock. */
typedef struct ClockText {
    uint64_t home; /* a ClockHome on the parent's machine */
    uint64_t phase;
} ClockText;

/* At home: one home for each clock that the PLACED PAR enrols the branch on. NULL: none. */
ClockHome *clock_homes_make(Machine *machine, const PlacedPar *par, Registration *const *members);
ClockText clock_home_text(const ClockHome *homes, uint32_t index);
/* The machine of the placement is lost: the branch leaves the clocks. */
void clock_homes_lose(Worker *worker, ClockHome *homes, const PlacedPar *par);
/* The placement has ended: its branch arrives for itself again. */
void clock_homes_end(ClockHome *homes, const PlacedPar *par);

/* In the placement: its clock, in memory of the copy, and the registration of its branch. */
size_t clock_copy_bytes(void);
Registration *clock_copy_make(void *memory, Machine *machine, const Copy *copy,
                              const ClockText *text);
/* The placement has ended. */
void clock_copies_end(const Copy *copy);

bool placed_clock_is(const void *clock);
/* For reports: the first home here, and the next; its clock and machine; does the clock wait for
 * one of these homes?; the home of a placement's clock, or 0. */
const ClockHome *clock_homes_first(void);
const ClockHome *clock_home_next(const ClockHome *home);
const Clock *clock_home_clock(const ClockHome *home, uint32_t *machine);
bool clock_homes_miss(const ClockHome *homes, const PlacedPar *par, const Clock *clock);
uint64_t clock_copy_home(const void *clock, uint32_t *machine);
/* Tell the other machines what has happened since the last look. */
void placed_clock_look(void);
void placed_clock_hear(Worker *worker, const Message *message);

#endif
