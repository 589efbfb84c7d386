/* usage_phase -- in which phase of each clock an access is (language.md 4.3).
 *
 * Owns:   how many NEXTs a process has passed where the walk is, clock by clock, as an expression
 *         of the loops round it.
 * Leaves: states and who may do what to check_clock.c; comparing to usage_conflict.c, which takes
 *         the phase as one more subscript: two accesses meet only where all subscripts do.
 * Holds:  a clock goes on only when everybody enrolled has arrived, so accesses of two branches
 *         that have passed different numbers of NEXTs since their PAR began are never at the same
 *         time, whatever became of the other branches: one that is enrolled holds the clock until
 *         it arrives, drops or ends. What follows RESUME may be in the next phase too, what follows
 *         DROP in any later one. A number that is not known meets every other. Lists are never
 *         changed: an access keeps the one it was made under. */
#ifndef OCCC_USAGE_PHASE_H
#define OCCC_USAGE_PHASE_H

#include "usage.h"

typedef struct PhaseLoop PhaseLoop;

/* How far one clock is, counted from the beginning of the routine. */
struct UsagePhase {
    const UsagePhase *next;  /* of another clock */
    const Symbol *clock;     /* NULL: those that the routine does not see */
    const IndexExpr *base;   /* NEXTs before the iteration that the walk is in */
    const IndexExpr *steps;  /* and since then */
    const IndexExpr *origin; /* PHASE at that beginning; NULL: 0, it was declared here */
    bool is_resumed;         /* the next phase may have begun */
    bool is_left;            /* no upper bound: dropped, or not waited for */
    bool is_frozen;          /* of a process around: this one is not enrolled */
    bool is_uncertain;       /* branches may have passed different numbers */
    Location since;          /* of the NEXT passed last in the text; line 0: of none */
    const PhaseLoop
        *head; /* the iteration has just begun, the last NEXT may be of the one before */
};

/* The phases in which a loop's iterations begin: number = start + steps. */
struct PhaseLoop {
    Location last; /* of its last NEXT; line 0: it has none */
};

/* What usage_phase_loop_end needs of the beginning. */
typedef struct PhaseLoopMark {
    const UsagePhase *before;
    const UsagePhase *begun; /* in the first iteration and all others */
    IndexExpr **starts;      /* one for each clock, in the order of the list; NULL: nothing moves */
    PhaseLoop *loop;
    const Node *times;
    uint32_t latest; /* symbol outside of it */
    bool stops;
} PhaseLoopMark;

/* Ways that part and meet again. */
typedef struct PhaseMeeting {
    const UsagePhase *before;
    const UsagePhase *after;
    bool falls; /* some way came to its end */
    bool stops; /* the beginning was not reached */
} PhaseMeeting;

/* ---- usage_phase.c: one process ---- */
void usage_phase_declare(UsageWalk *walk, const Symbol *symbol);
/* usage_phase_forget -- the clocks numbered above `latest` have gone out of scope. */
void usage_phase_forget(UsageWalk *walk, uint32_t latest);
/* usage_phase_routine -- the phases at the beginning of a routine. */
const UsagePhase *usage_phase_routine(UsageWalk *walk, const Node *routine);
/* usage_phase_find -- of the clock, by whatever name; lists know clocks by the first alone. */
const UsagePhase *usage_phase_find(const UsagePhase *list, const Symbol *clock);
/* usage_phase_number -- NULL: not known. */
const IndexExpr *usage_phase_number(Arena *arena, const UsagePhase *phase);
/* usage_phase_value -- PHASE of the clock there, before it wraps; NULL: not known. */
const IndexExpr *usage_phase_value(UsageWalk *walk, const UsagePhase *list, const Symbol *clock);
/* usage_phase_wrapped -- the same as the INT that the program sees. */
const IndexExpr *usage_phase_wrapped(UsageWalk *walk, const UsagePhase *list, const Symbol *clock);
/* usage_phase_unknown -- a number that is not known, but one: that of this place in the text. */
IndexExpr *usage_phase_unknown(UsageWalk *walk);
bool usage_phase_is_known(const UsagePhase *phase);
bool usage_phase_same(const UsagePhase *left, const UsagePhase *right);
const UsagePhase *usage_phase_with(Arena *arena, const UsagePhase *list, const UsagePhase *old,
                                   UsagePhase changed);
/* usage_phase_clock -- NEXT, SYNC, RESUME, DROP. */
void usage_phase_clock(UsageWalk *walk, const Node *node);
void usage_phase_resign(UsageWalk *walk, const Node *node);
/* usage_phase_span -- of the accesses start .. end - 1 the lasting ones last until now. */
void usage_phase_span(UsageWalk *walk, size_t start, size_t end);

/* ---- usage_phase_flow.c: loops, choices, PAR ---- */
/* usage_phase_moves -- the process goes on to other phases. */
bool usage_phase_moves(const Node *process);
/* usage_phase_loop_begin -- `times` decides how many iterations there are: the count of a
 * replicator, the condition of a WHILE, or NULL. */
PhaseLoopMark usage_phase_loop_begin(UsageWalk *walk, const Node *body, const Node *times,
                                     bool is_counted);
void usage_phase_loop_end(UsageWalk *walk, const PhaseLoopMark *mark, bool is_counted);
PhaseMeeting usage_phase_part(UsageWalk *walk);
void usage_phase_way(UsageWalk *walk, const PhaseMeeting *meeting);
void usage_phase_way_end(UsageWalk *walk, PhaseMeeting *meeting);
void usage_phase_meet(UsageWalk *walk, const PhaseMeeting *meeting);
/* usage_phase_enrolls -- component of the PAR, on the clock. */
bool usage_phase_enrolls(const Node *par, size_t component, const Symbol *clock);
/* usage_phase_is_replicated -- a replicated PAR that enrols its branches. */
bool usage_phase_is_replicated(const Node *par);
void usage_phase_component(UsageWalk *walk, const Node *par, size_t component,
                           const UsagePhase *before);
/* usage_phase_origin -- the same phases; those inside of a PAR are counted from there. */
const UsagePhase *usage_phase_origin(Arena *arena, const UsagePhase *list);
void usage_phase_joined(UsageWalk *walk, const Node *par, const UsagePhase *outside,
                        const UsagePhase *before, const UsagePhase *const *ends, uint32_t latest);

/* ---- usage_uniform.c: what is the same in all branches ---- */
/* usage_uniform -- of a replicated PAR, whose loop the walk has just entered. */
const UsageUniform *usage_uniform(UsageWalk *walk, const Node *par, uint32_t latest);
/* usage_uniform_count -- a number of iterations that is not known; the same for all branches of the
 * innermost replicated PAR on a clock when the expression is. */
IndexExpr *usage_uniform_count(UsageWalk *walk, const Node *expression);

/* ---- usage_block.c: NEXT with a block ---- */
/* usage_note_next -- a NEXT of the clock, as an access to it. */
void usage_note_next(UsageWalk *walk, Symbol *clock, const Node *node);
/* usage_check_blocks -- every branch comes to each NEXT with a block at the same time. */
void usage_check_blocks(UsageWalk *walk, const Node *par, const size_t *starts, IndexPair pair,
                        const UsagePhase *before, const PhaseClocks *clocks,
                        const UsagePhase *const *ends);

/* ---- usage_phase_pair.c: what usage_conflict.c compares ---- */
/* usage_phase_clocks -- the clocks that order branches of the PAR. */
void usage_phase_clocks(Arena *arena, const Node *par, PhaseClocks *clocks);
/* usage_phase_access -- with the phases since `before` as its first subscripts. */
const UsageAccess *usage_phase_access(Arena *arena, const PhaseClocks *clocks, const Node *par,
                                      size_t component, const UsagePhase *before,
                                      const UsageAccess *access);
/* usage_phase_explain -- says that the two accesses are in the same phase. */
void usage_phase_explain(UsageWalk *walk, const PhaseClocks *clocks, const UsageAccess *first,
                         const UsageAccess *second);

#endif
