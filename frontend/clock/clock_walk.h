/* clock_walk -- what the files of check_clock share; nobody else includes it.
 *
 * Holds:  the clocks of one routine, in order of declaration, with the state each is in where the
 *         walk is. A list that was copied stays as it was. */
#ifndef OCCC_CLOCK_WALK_H
#define OCCC_CLOCK_WALK_H

#include "check.h"

typedef enum ClockState {
    CLOCK_OUTSIDE, /* not enrolled: a branch of a PAR that does not enrol it */
    CLOCK_HIDDEN,  /* it goes by another name here */
    CLOCK_ACTIVE,
    CLOCK_RESUMED,
    CLOCK_EITHER, /* active or resumed, by the guard of an ALT: looked at at run time */
    CLOCK_DROPPED
} ClockState;

typedef struct KnownClock {
    Symbol *symbol;
    ClockState state;
    Location since; /* of the process that brought it into the state */
    bool is_outer;  /* of the routine: a formal or free name */
    unsigned depth; /* of PARs of the routine round its declaration */
} KnownClock;

typedef ARRAY_OF(KnownClock) ClockList;

typedef struct KnownMobile {
    Symbol *symbol;
    bool is_mine; /* of the process followed: not of one round its PAR */
} KnownMobile;

typedef ARRAY_OF(KnownMobile) MobileList;

/* A PAR that does not enrol a clock which its branches use: one mistake, whatever their number. */
typedef struct LackingPar {
    const Symbol *clock;
    Location par;
} LackingPar;

/* OpenCall -- by a process on no clock, of a PROC that has not been followed to its end. */
typedef struct OpenCall {
    const Node *proc;
    Location at;
} OpenCall;

typedef ARRAY_OF(OpenCall) OpenCalls;

typedef struct ClockWalk {
    Compiler *compiler;
    Arena *arena;
    Diag *diag;
    ClockList clocks;   /* of the routine, in order of declaration */
    MobileList mobiles; /* variables of the routine */
    Node *routine;
    const Node *unit;             /* the whole tree */
    const Node *enroll;           /* the one that the component being followed is */
    unsigned branch_depth;        /* of PARs round it in the routine */
    bool stops;                   /* control does not come here */
    OpenCalls *open_calls;        /* of all routines */
    NodeList forked;              /* actuals: clocks that FORKed processes are enrolled on */
    NodeList blocks;              /* NEXTs with blocks */
    ARRAY_OF(LackingPar) lacking; /* were reported */
} ClockWalk;

/* ---- clock_state.c: one clock and its uses ---- */
const char *clock_state_words(ClockState state);

void clock_add(ClockWalk *walk, Symbol *symbol, bool is_outer);
KnownClock *clock_find(ClockWalk *walk, const Symbol *symbol);
ClockList clock_copy(ClockWalk *walk);
void clock_set(KnownClock *clock, ClockState state, Location at);
/* clock_label -- show in the report what brought the clock into its state. */
void clock_label(ClockWalk *walk, const KnownClock *clock);
/* clock_hint -- how to have it active; where: "before the PAR". */
void clock_hint(ClockWalk *walk, const KnownClock *clock, const char *where);
/* clock_enrolled -- the clock, which the process is enrolled on; NULL after a message. */
KnownClock *clock_enrolled(ClockWalk *walk, const Symbol *symbol, Location at);
KnownClock *clock_enrolled_name(ClockWalk *walk, const Node *name);
/* clock_takes_part -- in a NEXT without names. */
bool clock_takes_part(const KnownClock *clock);
/* clock_has_others -- other processes than this one and its branches may be enrolled on it. */
bool clock_has_others(const ClockWalk *walk, const KnownClock *clock);
bool clock_is_named(const NodeList *clocks, const Symbol *symbol);
/* clock_name_node -- a NAME of the clock, as if it stood there. */
Node *clock_name_node(ClockWalk *walk, Location at, Symbol *symbol);
void clock_resume(ClockWalk *walk, Node *node);
void clock_drop(ClockWalk *walk, Node *node);
void clock_next(ClockWalk *walk, Node *node);
/* clock_guard -- NEXT as the guard of an ALT. */
void clock_guard(ClockWalk *walk, Node *node);

/* ---- clock_branch.c: ways that part and meet again ---- */
void clock_branches(ClockWalk *walk, const NodeList *branches);
void clock_loop(ClockWalk *walk, Node *loop, const NodeList *body);
void clock_par(ClockWalk *walk, Node *node);

/* ---- clock_hidden.c: NEXT without names in a PROC ---- */
/* clock_hidden_formal -- the PROC gets the clocks that it does not see, as a last formal. */
void clock_hidden_formal(ClockWalk *walk, Node *proc);
/* clock_hidden_actual -- a CALL or FORK of such a PROC. */
void clock_hidden_actual(ClockWalk *walk, Node *call);
/* clock_hidden_needed -- a NEXT without names of the routine may be on no clock that it sees. */
void clock_hidden_needed(ClockWalk *walk);
/* clock_hidden_end -- the PROC has been followed: judge the calls that were open. */
void clock_hidden_end(ClockWalk *walk, const Node *proc);
/* clock_sees_hidden -- NEXT without names here is also on clocks that are not seen. */
bool clock_sees_hidden(const ClockWalk *walk);

/* ---- clock_mobile.c: variables that may hold a MOBILE CLOCK, for NEXT without names ---- */
void clock_mobile_add(ClockWalk *walk, Symbol *symbol); /* others are left alone */
/* clock_mobile_rename -- name IS value: until the block ends the value goes by the name. */
void clock_mobile_rename(ClockWalk *walk, const Node *value, Symbol *name);
MobileList clock_mobile_copy(ClockWalk *walk);
/* clock_mobile_enter -- a branch has what it is enrolled on. own: NULL, or by its ENROLL. */
void clock_mobile_enter(ClockWalk *walk, const NodeList *enrols, const NodeList *own);
/* clock_mobile_name_all -- names for those of the process, but for actuals (NULL: none); how many
 * it has. */
size_t clock_mobile_name_all(ClockWalk *walk, Location at, const NodeList *actuals,
                             NodeList *names);

/* ---- clock_safe.c: PARs that cannot deadlock ---- */
void clock_safe(ClockWalk *walk, const Node *par);

/* ---- clock_held.c: PARs that may hold up a clock ---- */
void clock_held(ClockWalk *walk, const Node *par);

/* ---- clock_block.c: the block of a NEXT ---- */
void clock_block(ClockWalk *walk, Node *next);
/* clock_block_fork -- a FORKed process is enrolled on what the actual names. */
void clock_block_fork(ClockWalk *walk, const Node *actual);
/* clock_block_end -- of a routine: no NEXT with a block is on a clock that FORKed processes have.
 */
void clock_block_end(ClockWalk *walk);

/* ---- check_clock.c ---- */
void clock_walk(ClockWalk *walk, Node *node);
void clock_walk_list(ClockWalk *walk, const NodeList *list);

#endif
