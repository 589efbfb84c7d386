/* explore -- what a program that is explored and `occc explore` tell each other, in shared memory.
 *
 * The program is started once with OCC_EXPLORE=1, and this record as descriptor EXPLORE_REGION_FD.
 * For each run that is wanted it reads a byte from EXPLORE_ORDER_FD, forks, lets the child run, and
 * answers on EXPLORE_ANSWER_FD with the child's wait status (an int). Descriptors 1 and 2 are files
 * in memory, emptied before each run; 0 is a file, read from its beginning.
 *
 * A run follows `prefix` and then takes, at each step, the first event that does not sleep. It
 * writes the steps after the prefix. Both sides of an event that are numbered are operations that
 * wait at the gate (runtime/explore/gate.h); numbers begin at 1 and are the same in every run with
 * the same prefix. */
#ifndef OCC_EXPLORE_H
#define OCC_EXPLORE_H

#include <stdint.h>

enum {
    EXPLORE_VERSION = 1,
    EXPLORE_ORDER_FD = 10,
    EXPLORE_ANSWER_FD = 11,
    EXPLORE_REGION_FD = 12,
    EXPLORE_STEPS = 1 << 17,
    EXPLORE_EVENTS = 1 << 20,
    EXPLORE_OFFERS = 1 << 20,
    EXPLORE_SLEEPERS = 1 << 14,
    EXPLORE_RACES = 1 << 16,
    EXPLORE_SITES = 4096
};

typedef enum ExploreKind {
#define EXPLORE_KIND(ID, words) EXPLORE_##ID,
#include "explore_kind.def"
#undef EXPLORE_KIND
    EXPLORE_KIND_COUNT
} ExploreKind;

typedef struct ExploreEvent {
    uint32_t op;      /* whose choice it is */
    uint32_t partner; /* the ALT at the other end; 0: a plain partner, or none */
    uint16_t guard;   /* position in the record of the ALT */
    uint16_t partner_guard;
    uint16_t kind;        /* ExploreKind */
    uint16_t alternative; /* of the text; of the partner in partner_alternative */
    uint16_t partner_alternative;
    uint16_t site;         /* of the operation */
    uint16_t partner_site; /* of a partner, plain or not; 0: none */
    uint16_t unused;
    uint64_t object; /* a lock or semaphore whose order is seen; 0: none */
} ExploreEvent;

typedef struct ExploreStep {
    uint32_t first; /* of `events` */
    uint32_t count;
    uint32_t chosen;
} ExploreStep;

/* ExploreRace -- step and something that it does not lead to could change places: `first` is the
 * first step after it that leads there; EXPLORE_NO_STEP: what races is there itself. */
#define EXPLORE_NO_STEP UINT32_MAX
typedef struct ExploreRace {
    uint32_t step;
    uint32_t first;
} ExploreRace;

typedef struct ExploreSite {
    char file[120];
    char proc[48];
    char object[56]; /* or empty */
    uint32_t line;
    uint32_t column;
} ExploreSite;

typedef enum ExploreEnd {
    EXPLORE_RUNS,   /* or has ended by itself */
    EXPLORE_SLEEPS, /* every event sleeps: another run has this behaviour */
    EXPLORE_DEEP    /* step_limit is reached, or the record is full */
} ExploreEnd;

/* Why behaviours may be missing. */
enum {
    EXPLORE_LIMIT_OUTSIDE = 1, /* a device, a call of C or a program was waited for */
    EXPLORE_LIMIT_ORDER = 2,   /* TICKET, BUCKET, CREW: not every order is tried */
    EXPLORE_LIMIT_BUNDLE = 4,  /* the last holder of an end went, which closes channels at once: */
    EXPLORE_LIMIT_ASKED = 8    /* with a question by CLOSED, not every order */
};

typedef struct ExploreRegion {
    uint32_t version;
    /* the order */
    uint32_t prefix_count;
    uint32_t sleeper_count;
    uint32_t step_limit;
    /* the answer */
    uint32_t end;        /* ExploreEnd */
    uint32_t limits;     /* EXPLORE_LIMIT_... */
    uint32_t step_count; /* those of the prefix included */
    uint32_t event_count;
    uint32_t race_count;
    uint32_t all_race;      /* whatever can happen at a step may lead to another behaviour */
    uint32_t process_count; /* the most that were alive */
    uint32_t site_count;    /* stays from run to run; site 0 is none */
    uint32_t prefix[EXPLORE_STEPS];
    ExploreEvent sleepers[EXPLORE_SLEEPERS];
    ExploreStep steps[EXPLORE_STEPS];
    ExploreEvent events[EXPLORE_EVENTS];
    ExploreRace races[EXPLORE_RACES];
    ExploreSite sites[EXPLORE_SITES];
} ExploreRegion;

static inline int explore_is_same(const ExploreEvent *one, const ExploreEvent *other) {
    return one->op == other->op && one->partner == other->partner && one->guard == other->guard &&
           one->partner_guard == other->partner_guard && one->kind == other->kind;
}

/* At one object: are the two the same in both orders? */
static inline int explore_commutes(const ExploreEvent *one, const ExploreEvent *other) {
    uint16_t low = one->kind < other->kind ? one->kind : other->kind;
    uint16_t high = one->kind < other->kind ? other->kind : one->kind;
    if (low == high) {
        return low == EXPLORE_RELEASE || low == EXPLORE_SIGNAL || low == EXPLORE_CLOSE ||
               low == EXPLORE_ASK_CLOSED;
    }
    return low == EXPLORE_PERMIT && high == EXPLORE_RELEASE;
}

/* Would one be another, or not be, after the other? */
static inline int explore_is_dependent(const ExploreEvent *one, const ExploreEvent *other) {
    return one->op == other->op || (one->partner != 0 && one->partner == other->op) ||
           (other->partner != 0 && (one->op == other->partner || one->partner == other->partner)) ||
           (one->object != 0 && one->object == other->object && !explore_commutes(one, other));
}

#endif
