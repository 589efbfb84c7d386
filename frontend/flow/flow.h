/* flow -- what the files of check_flow share: which variables have a value, path by path.
 *
 * Owns:   one walk over every routine in the order of execution; FlowSymbols holds what is known of
 *         variables and routines.
 * Holds:  a variable has a slot from its declaration to the end of its scope; slots are used again.
 *         `some` holds the variables that some path has set, `all` those that every path has; a
 *         path that has ended (STOP) counts as having set everything. Arrays and records count as
 *         set with their first element: nothing is said that may be wrong. Names from outside of a
 *         routine have no value at its start; that it needs one is noted in its summary, and asked
 *         where it is called. A mobile counts as set; `gone` holds those that have moved away on
 *         every path and were not set since. */
#ifndef OCCC_FLOW_H
#define OCCC_FLOW_H

#include "compiler.h"
#include "symbol_map.h"

typedef struct FlowSet {
    uint64_t *words;
    size_t count;
} FlowSet;

typedef struct FlowState {
    FlowSet some;
    FlowSet all;
    FlowSet gone;
    bool is_dead; /* no path leads here */
} FlowState;

typedef struct FlowVariable {
    const Symbol *symbol;
    size_t slot;
    bool is_whole;     /* an array or record: set with its first element */
    bool is_reported;  /* once is enough */
    Location moved_at; /* where it was last seen to move away */
} FlowVariable;

/* A routine from outside: the slots are those of names round it; formals have their own. */
typedef struct FlowRoutine {
    FlowSet needs;    /* read before anything set them */
    FlowSet asks;     /* the same, in some choice; while it is walked */
    unsigned choices; /* IF, CASE and ALT round what is walked */
    FlowSet some;     /* set on some path */
    FlowSet gone;     /* moved away */
    size_t base;      /* slots below are those of names outside */
    size_t formals;   /* slot of the first formal, then in their order */
    bool is_known;    /* walked to its end */
    bool never_returns;
} FlowRoutine;

/* A loop round what is walked, as its first round. What it sets may have a value in a later round:
 * a use under a condition inside of it is given the benefit of the doubt. */
typedef struct FlowLoop {
    const struct FlowLoop *outer;
    FlowSet assigned;
    bool is_conditional; /* inside of an IF, CASE or ALT that stands in this loop */
} FlowLoop;

typedef struct FlowFact FlowFact;

/* What is known of symbols. */
typedef struct FlowSymbols {
    SYMBOL_MAP_OF(FlowVariable) variables; /* those in scope */
    SYMBOL_MAP_OF(FlowRoutine) routines;
} FlowSymbols;

typedef struct Flow {
    Compiler *compiler;
    Arena *arena;
    FlowSymbols *symbols;
    FlowState state;
    ARRAY_OF(FlowVariable *) slots; /* those in use; NULL: a formal that needs no value */
    FlowRoutine *routine;           /* the one being walked */
    FlowLoop *loop;                 /* the innermost */
    const FlowFact *facts;          /* what variables hold */
    FlowSet trusted;                /* set on some path to a condition round what is walked */
    ARRAY_OF(FlowSet) outside;      /* `trusted` outside of each AND and OR round it */
    FlowSet phased;                 /* what branches on a clock may set: there after a NEXT */
    unsigned mutexes;               /* CLAIMs of a MUTEX round what is walked */
    bool is_library;                /* nothing is reported */
    bool is_later_round;            /* of a loop: what moved away in the round before is gone */
} Flow;

/* ---- flow_state.c ---- */
bool flow_set_has(const FlowSet *set, size_t slot);
void flow_set_add(Arena *arena, FlowSet *set, size_t slot);
void flow_set_remove(FlowSet *set, size_t slot);
FlowSet flow_set_copy(Arena *arena, const FlowSet *set);
void flow_set_unite(Arena *arena, FlowSet *set, const FlowSet *other);
FlowState flow_state_copy(Arena *arena, const FlowState *state);
/* flow_state_join -- one or the other happened. */
void flow_state_join(Arena *arena, FlowState *state, const FlowState *other);
/* flow_state_both -- one and the other happened, at the same time. */
void flow_state_both(Arena *arena, FlowState *state, const FlowState *other);
/* flow_set_clear -- forget what `before` had and `after` has not. */
void flow_set_clear(FlowSet *set, const FlowSet *before, const FlowSet *after);
/* flow_set_grew -- the one has slots that the other has not. */
bool flow_set_grew(const FlowSet *before, const FlowSet *after);

/* ---- flow_variable.c: declarations, reading and writing ---- */
void flow_declare(Flow *flow, Symbol *symbol, bool has_value);
size_t flow_open(const Flow *flow);
void flow_close(Flow *flow, size_t mark);
/* flow_root -- the variable an element is part of, through abbreviations; NULL when it is none that
 * is followed. */
FlowVariable *flow_root(const Flow *flow, const Node *element);
void flow_read_variable(Flow *flow, FlowVariable *variable, Location at, const Symbol *reader);
void flow_set_variable(Flow *flow, FlowVariable *variable);
/* flow_is_whole -- a name of a whole variable, not of a part of one. */
bool flow_is_whole(const Node *element);
/* flow_move -- the whole variable moves away, or nothing is known of the part that does. */
void flow_move(Flow *flow, FlowVariable *variable, Location at);
/* flow_set -- the element gets a value; what choosing it reads was noted. */
void flow_set(Flow *flow, const Node *element);
void flow_write(Flow *flow, const Node *element);
void flow_read(Flow *flow, const Node *expression);
/* flow_subscripts -- what choosing an element reads. */
void flow_subscripts(Flow *flow, const Node *element);

/* ---- flow_call.c ---- */
void flow_routine(Flow *flow, const Node *routine);
void flow_call(Flow *flow, const Node *call, const Symbol *callee, const NodeList *actuals);

/* ---- flow_loop.c ---- */
/* flow_loop_open -- what follows is the body of this loop. */
void flow_loop_open(Flow *flow, FlowLoop *loop, const Node *node);
void flow_loop_close(Flow *flow);
/* flow_phases_open -- what follows are branches of this PAR; gives what flow_phases_close wants. */
FlowSet flow_phases_open(Flow *flow, const Node *par);
void flow_phases_close(Flow *flow, FlowSet before);
/* flow_next_phase -- what others set before, which is not followed, counts as set. */
void flow_next_phase(Flow *flow);
/* flow_choice_open -- what follows may be left out; gives what flow_choice_close wants. */
bool flow_choice_open(Flow *flow);
void flow_choice_close(Flow *flow, bool before);
/* flow_trust -- what follows stands under a condition: who wrote it may know that what some path
 * set is set then. Gives what to put back into Flow.trusted at its end. */
FlowSet flow_trust(Flow *flow);
/* flow_is_for_later_rounds -- the variable is set by a loop, and this use may skip the first. */
bool flow_is_for_later_rounds(const Flow *flow, const FlowVariable *variable);

/* ---- flow_fact.c: what variables are known to hold ---- */
/* Paths that part and meet again: what each adds is not known behind them. */
typedef struct FlowMeeting {
    const FlowFact *before;
    const FlowFact *after;
} FlowMeeting;
/* flow_fact_set -- the element gets the value of the expression; NULL: some value. */
void flow_fact_set(Flow *flow, const Node *element, const Node *value);
void flow_fact_declare(Flow *flow, const Symbol *symbol, const Node *value);
/* flow_fact_forget -- any variable may have changed. */
void flow_fact_forget(Flow *flow);
/* flow_fact_begin_body -- of a loop: facts from before it are of its first round. */
void flow_fact_begin_body(Flow *flow);
FlowMeeting flow_meeting(const Flow *flow);
/* flow_meeting_add -- a path ends; the next begins with the facts from before. */
void flow_meeting_add(Flow *flow, FlowMeeting *meeting);
void flow_meeting_end(Flow *flow, const FlowMeeting *meeting);
bool flow_fact_holds(const Flow *flow, const Node *condition);
bool flow_fact_is_positive(const Flow *flow, const Node *count);

/* ---- flow_reach.c: conditions that are written down, processes nobody reaches ---- */
typedef enum FlowTruth { FLOW_OPEN, FLOW_TRUE, FLOW_FALSE } FlowTruth;
/* flow_truth -- of a condition without a name in it: names are for changing. */
FlowTruth flow_truth(const Node *condition);
/* flow_is_said_to_be_defined -- by a #PRAGMA DEFINED between the declaration and the use. */
bool flow_is_said_to_be_defined(const Flow *flow, const Symbol *symbol, Location use);
void flow_report_unreachable(Flow *flow, const Node *process, const Node *cause);
void flow_report_condition(Flow *flow, const Node *condition, const char *consequence);

/* ---- flow_choice.c ---- */
void flow_if(Flow *flow, const Node *node);
void flow_case(Flow *flow, const Node *node);
void flow_alt(Flow *flow, const Node *node);

/* ---- flow_walk.c ---- */
/* flow_replicator -- what a replicator reads; false when it is none. */
bool flow_replicator(Flow *flow, const Node *node);
/* flow_use_channel -- the channel is used; what choosing it reads was noted. */
void flow_use_channel(Flow *flow, const Node *channel);
void flow_process(Flow *flow, const Node *process);
void flow_specifications(Flow *flow, const NodeList *specifications);

#endif
