/* placed_clock -- a CLOCK or BARRIER whose members are on several machines.
 *
 * Owns:   the clock that a placement has in the place of its parent's; what the two tell each other.
 * Leaves: phases to clock/clock.h; when a placement starts and ends to placement.h.
 * Holds:  the clock's home is the machine of the parent: there the branch of the placement is a
 *         member, as that of any PAR. The placement has a clock of its own, with one member more
 *         than its processes: the home. When that alone is missing, ARRIVED goes home, and the
 *         branch arrives there; when the phase has ended there, GO comes back, and the missing one
 *         arrives: so the phase ends in the placement after it has ended at home, and at home
 *         only after all have come. When nobody else is a member any more, GONE goes home, and
 *         the branch leaves. A placement's clock may be the home of others.
 *         Between ARRIVED and GO nobody joins: who has not arrived could only be a process that
 *         comes back from a RESIGN, which is refused. test/model/placed_clock.pml. */
#ifndef RT_PLACED_CLOCK_H
#define RT_PLACED_CLOCK_H

#include "machine.h"
#include "registration.h"

typedef struct ClockHome ClockHome;
typedef struct ClockCopy ClockCopy;

/* What a START says of a clock. */
typedef struct ClockText {
    uint64_t home; /* a ClockHome on the parent's machine */
    uint64_t phase;
} ClockText;

/* At home: of the branch, for each clock that the PLACED PAR enrols it on; NULL: none. */
ClockHome *clock_homes_make(Machine *machine, const PlacedPar *par, Registration *const *members);
ClockText clock_home_text(const ClockHome *homes, uint32_t index);
/* The machine of the placement is lost: the branch is a member no more. */
void clock_homes_lose(Worker *worker, ClockHome *homes, const PlacedPar *par);
/* The placement has ended: the branch is its own again. */
void clock_homes_end(ClockHome *homes, const PlacedPar *par);

/* In the placement: its clock, in memory of the copy, and the registration that its branch is
 * enrolled by. */
size_t clock_copy_bytes(void);
Registration *clock_copy_make(void *memory, Machine *machine, const Copy *copy,
                              const ClockText *text);
/* The placement has ended. */
void clock_copies_end(const Copy *copy);

bool placed_clock_is(const void *clock);
/* For reports: the first home of those here, and the next; its clock and machine; does one of these
 * homes miss the phase of the clock?; the home of a placement's clock, or 0. */
const ClockHome *clock_homes_first(void);
const ClockHome *clock_home_next(const ClockHome *home);
const Clock *clock_home_clock(const ClockHome *home, uint32_t *machine);
bool clock_homes_miss(const ClockHome *homes, const PlacedPar *par, const Clock *clock);
uint64_t clock_copy_home(const void *clock, uint32_t *machine);
/* Tell each other what has happened since the last look. */
void placed_clock_look(void);
void placed_clock_hear(Worker *worker, const Message *message);

#endif
