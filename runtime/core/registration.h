/* registration -- what clocks and memberships of them are made of; what a report reads there.
 *
 * Owns:   Clock, Registration, their mobile forms, the parts of a clock's word.
 * Leaves: what they mean and who changes them to clock.h and mobile_clock.h.
 * Holds:  word = phase:16 | registered:24 | unarrived:24. */
#ifndef RT_REGISTRATION_H
#define RT_REGISTRATION_H

#include "list.h"
#include "mobile.h"
#include "worker.h"

typedef struct Clock {
    uint64_t word;
    uintptr_t waiting[2];
    Process *oldest[2];        /* when one solo worker pushed all of a stack, else NULL */
    struct AltGuard *watchers; /* NEXT guards of ALTs that wait; under the world lock */
} Clock;

typedef struct Registration Registration;
struct Registration {
    Clock *clock;
    Registration *lender; /* of the process that runs the PAR; NULL for the declaration */
    uint32_t phase;
    uint32_t state;      /* REGISTRATION_... */
    uint64_t lent;       /* branches of my PAR that are enrolled and have not ended */
    uint64_t solo_epoch; /* of the worker, when I was the first on a stack */
};

typedef struct MobileRegistration {
    Mobile header;
    Registration registration; /* at MOBILE_DATA: where a CLOCK formal leads to */
    ListLink link;
} MobileRegistration;

typedef struct MobileClock {
    Mobile header;
    Clock clock;
    ListLink registrations;
} MobileClock;

/* mobile_clock_of -- what the registration belongs to, if it is one of a mobile clock. */
static inline MobileClock *mobile_clock_of(const Registration *registration) {
    char *clock = (char *)registration->clock;
    return (MobileClock *)(void *)(clock - offsetof(MobileClock, clock));
}

/* The Registrations of a NEXT guard, on one clock or on several. */
static inline uint32_t clock_guard_count(const AltGuard *guard) {
    return guard->kind == GUARD_CLOCKS ? guard[1].alternative : 1;
}

static inline const Registration *clock_guard_member(const AltGuard *guard, uint32_t index) {
    const AltGuard *entry = guard->kind == GUARD_CLOCKS ? &guard[2 + index] : guard;
    return (const Registration *)entry->object;
}

static inline uint64_t clock_unarrived_in(uint64_t word) {
    return word & CLOCK_COUNT_MASK;
}

static inline uint64_t clock_registered_in(uint64_t word) {
    return word >> CLOCK_REGISTERED_SHIFT & CLOCK_COUNT_MASK;
}

/* The low 16 bits of it. */
static inline unsigned clock_phase_in(uint64_t word) {
    return (unsigned)(word >> CLOCK_PHASE_SHIFT);
}

/* The phase that is so many after that one. No two that are told apart are four apart. */
static inline unsigned clock_phase_after(unsigned phase, unsigned count) {
    return rt_root.phases_return ? (phase + count) & 3u : phase + count;
}

#endif
