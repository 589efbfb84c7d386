/* explore -- what a program that is explored and `occc explore` tell each other, in shared memory.
 *
 * The program is started once with OCC_EXPLORE=1, and this record as descriptor EXPLORE_REGION_FD.
 * It explores by itself (runtime/explore): processes that it forks, one for each processor, run
 * behaviours and share what they know in the memory behind this record. occc reads how far they
 * are, and asks them to stop. Places in that memory are bytes from the beginning of the record,
 * where each side has it; 0: nothing.
 *
 * An event is an operation that waits at the gate (runtime/explore/gate.h) and can go on. Both its
 * sides are numbered; numbers begin at 1 and are the same in every run with the same choices. */
#ifndef OCC_EXPLORE_H
#define OCC_EXPLORE_H

#include <stdint.h>

enum {
    EXPLORE_VERSION = 11,
    EXPLORE_LIFE_FD = 11, /* open while a process of the program lives */
    EXPLORE_REGION_FD = 12,
    EXPLORE_STEPS = 1 << 17,      /* of a run */
    EXPLORE_EVENTS = 1 << 20,     /* at all its steps */
    EXPLORE_SLEEPERS = 1 << 14,   /* at one step */
    EXPLORE_RACES = 1 << 16,      /* of a run */
    EXPLORE_TEXT_BYTES = 1 << 16, /* of an end, that are kept */
    EXPLORE_UNTIL_BYTES = 1024,
    EXPLORE_SITES = 4096,
    EXPLORE_ORDERS = 16,      /* of a sampled run, at most */
    EXPLORE_STATES = 1 << 22, /* that are recognised */
    EXPLORE_FOLLOWED = 1 << 14,
    EXPLORE_ALTERNATIVES = 64 /* of an ALT that are told apart: later ones count as taken */
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
    uint16_t site;            /* of the operation */
    uint16_t partner_site;    /* of a partner, plain or not; 0: none */
    uint16_t index;           /* 1 + the value of the replicated PAR around its process; 0: none */
    uint64_t object;          /* a lock or semaphore whose order is seen; 0: none */
    uint32_t process;         /* by its place, which is the same in another exploration too */
    uint32_t partner_process; /* if it is an ALT */
} ExploreEvent;

typedef struct ExploreSite {
    uint64_t address; /* in the program; 0: free */
    char file[120];
    char proc[48];
    char object[56]; /* may be empty */
    uint32_t line;
    uint32_t column;
} ExploreSite;

typedef enum ExploreHow {
    EXPLORE_RUNS,   /* or it has ended by itself */
    EXPLORE_SLEEPS, /* every event sleeps: another run has this behaviour */
    EXPLORE_DEEP,   /* step_limit is reached, or the record is full */
    EXPLORE_STATE,  /* a new state, from which several events lead on */
    EXPLORE_KNOWN   /* a state that another run has come to */
} ExploreHow;

/* ExploreChoice -- at a step with several events: which, of how many. */
typedef struct ExploreChoice {
    ExploreEvent event;
    uint32_t chosen;
    uint32_t count;
} ExploreChoice;

/* ExploreEnd -- an end of behaviours, with the shortest schedule to it. */
typedef struct ExploreEnd {
    uint64_t next;  /* the one found next */
    int32_t status; /* as from wait */
    uint32_t how;   /* ExploreHow */
    uint64_t count;
    uint64_t text;       /* what was printed, or the report; ended by a zero */
    uint64_t text_bytes; /* of the whole */
    uint64_t choices;    /* ExploreChoice */
    uint32_t choice_count;
    uint32_t steps;
} ExploreEnd;

/* ExploreNode -- in the tree of seen behaviours: what happens after the steps above it. */
typedef struct ExploreNode {
    uint64_t child; /* what can happen after it, ExploreNode */
    uint64_t next;  /* what can happen instead of it */
    uint64_t end;   /* ExploreEnd: the behaviour ends here; 0: it does not */
    ExploreEvent event;
} ExploreNode;

/* ExploreStateStep -- from one state to another; states are numbered from 1, the first. */
typedef struct ExploreStateStep {
    uint64_t next;
    uint64_t end;  /* ExploreEnd: what the step leads to; 0: a state */
    uint32_t from; /* state */
    uint32_t to;
    ExploreEvent event;
} ExploreStateStep;

/* ExplorePlace -- of a program compiled with -fcoverage: a process of the text, and whether any run
 * has reached it. */
typedef struct ExplorePlace {
    char file[120];
    uint32_t kind; /* CoverageKind of the code generator */
    uint32_t line;
    uint32_t column;
    uint32_t is_reached;
} ExplorePlace;

/* Why behaviours may be missing. */
enum {
    EXPLORE_LIMIT_OUTSIDE = 1, /* a device, a call of C or a program was waited for */
    EXPLORE_LIMIT_ORDER = 2,   /* NEXT, RESIGN, a TICKET that another one serves: not every order */
    EXPLORE_LIMIT_BUNDLE = 4,  /* the last holder of an end went, which closes channels at once: */
    EXPLORE_LIMIT_ASKED = 8,   /* with a question by CLOSED, not every order */
    EXPLORE_LIMIT_C = 16       /* C was called, whose own memory is no part of a state */
};

/* Why the program has stopped before the last behaviour. */
typedef enum ExploreStop {
    EXPLORE_GOES_ON,
    EXPLORE_ASKED,  /* occc has asked for it */
    EXPLORE_ENOUGH, /* behaviour_limit */
    EXPLORE_UNTIL   /* what was looked for was found */
} ExploreStop;

typedef struct ExploreRegion {
    uint32_t version;
    /* The request. */
    uint32_t step_limit;        /* of a run */
    uint64_t behaviour_limit;   /* 0: none */
    uint32_t is_full;           /* without the reduction by races */
    uint32_t recognises_states; /* each state is continued once */
    uint32_t has_delay_limit;
    uint32_t delay_limit;   /* choices other than the first event, per run */
    uint32_t sample_orders; /* d: sample.h */
    uint64_t sample_count;  /* runs that are drawn; 0: all are done in order */
    uint64_t sample_seed;
    uint32_t tells_sizes;
    uint32_t phases_return; /* clocks count phases modulo 4, so that states recur */
    uint32_t is_forked;     /* each run in a process of its own */
    uint32_t runner_count;
    uint32_t node_limit; /* of the tree of behaviours, or steps of states; 0: not wanted */
    char until[EXPLORE_UNTIL_BYTES]; /* the text, or name of a PROC, that ends it; or empty */
    uint32_t wants_end;              /* the first behaviour with this end, likewise */
    int32_t wanted_status;
    uint64_t wanted_text_bytes;
    char wanted_text[EXPLORE_TEXT_BYTES];
    uint32_t followed_count; /* only one run is done, with these steps; 0: all are */
    ExploreEvent followed[EXPLORE_FOLLOWED];
    /* The results; occc sets `stop` too. */
    uint32_t stop;        /* ExploreStop */
    uint32_t is_complete; /* every run has been done */
    uint32_t limits;      /* EXPLORE_LIMIT_... */
    uint32_t most_steps;
    uint64_t behaviours;
    uint64_t given_up;     /* runs given up because every event slept */
    uint64_t left_out;     /* choices not taken because of delay_limit */
    uint32_t sample_steps; /* k, and n, as measured */
    uint32_t processes;
    uint64_t most_blocks;      /* of processes, that a run has needed, and the bytes of these: */
    uint64_t most_block_bytes; /* if tells_sizes */
    uint64_t returns;          /* to a state that was known */
    uint64_t state_steps;      /* ExploreStateStep, newest first */
    uint32_t state_count;
    uint64_t first_end; /* ExploreEnd */
    uint64_t until_end; /* likewise, by itself: of the behaviour that `until` has found */
    uint32_t end_count;
    uint32_t place_count;
    uint64_t places; /* ExplorePlace, one after the other */
    uint32_t node_count;
    uint32_t is_tree_full;            /* some behaviours are not in it */
    ExploreNode tree;                 /* its root: before the first step */
    ExploreSite sites[EXPLORE_SITES]; /* site 0 is none */
    uint64_t taken[EXPLORE_SITES];    /* alternatives of ALTs, a bit for each */
} ExploreRegion;

static inline int explore_is_same(const ExploreEvent *one, const ExploreEvent *other) {
    return one->op == other->op && one->partner == other->partner && one->guard == other->guard &&
           one->partner_guard == other->partner_guard && one->kind == other->kind;
}

/* Across explorations, where places of the text have different numbers. */
static inline int explore_is_like(const ExploreEvent *one, const ExploreEvent *other) {
    return one->process == other->process && one->partner_process == other->partner_process &&
           one->guard == other->guard && one->partner_guard == other->partner_guard &&
           one->kind == other->kind;
}

/* At one object: do the two lead to the same in both orders? */
static inline int explore_commutes(const ExploreEvent *one, const ExploreEvent *other) {
    uint16_t low = one->kind < other->kind ? one->kind : other->kind;
    uint16_t high = one->kind < other->kind ? other->kind : one->kind;
    if (low == high) {
        return low == EXPLORE_RELEASE || low == EXPLORE_SIGNAL || low == EXPLORE_CLOSE ||
               low == EXPLORE_ASK_CLOSED || low >= EXPLORE_FALL;
    }
    return low == EXPLORE_PERMIT && high == EXPLORE_RELEASE;
}

/* Would one change, or become impossible, after the other? */
static inline int explore_is_dependent(const ExploreEvent *one, const ExploreEvent *other) {
    return one->op == other->op || (one->partner != 0 && one->partner == other->op) ||
           (other->partner != 0 && (one->op == other->partner || one->partner == other->partner)) ||
           (one->object != 0 && one->object == other->object && !explore_commutes(one, other));
}

#endif
