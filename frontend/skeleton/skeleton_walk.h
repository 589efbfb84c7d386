/* skeleton_walk -- what the files share that make a skeleton of a program.
 *
 * Owns:   the state of the walk: the steps so far, what names stand for here.
 * Leaves: what a skeleton is to skeleton.h. */
#ifndef OCCC_SKELETON_WALK_H
#define OCCC_SKELETON_WALK_H

#include "skeleton.h"
#include "symbol_map.h"

/* SkeletonRef -- what the name of a channel, or of an array of them, stands for. */
typedef struct SkeletonRef {
    const SkeletonChannel *channel; /* NULL: the world outside */
    const SkeletonChannel *lock;    /* of a shared channel of the world outside: what is claimed */
    const SkeletonValue *first;
    const Type *type;
    int64_t length; /* of its first dimension; -1: not known */
} SkeletonRef;

/* SkeletonData -- what the name of data stands for: a value, or elements of a variable. */
typedef struct SkeletonData {
    const SkeletonValue *value;       /* NULL: it is a variable */
    const SkeletonVariable *variable; /* NULL: any */
    const SkeletonValue *index;       /* of its first element */
    int64_t length;                   /* of an array; 0: it is none */
    bool is_opaque;                   /* seen in another way: any is read, and written */
} SkeletonData;

/* SkeletonServed -- a channel of a server whose text is not here. */
typedef struct SkeletonServed {
    SkeletonPlace request;
    SkeletonPlace answer;
} SkeletonServed;

typedef ARRAY_OF(const SkeletonMember *) SkeletonMembers;

typedef ARRAY_OF(const SkeletonStep *) SkeletonClaims;

/* SkeletonForking -- what a FORKING waits for. */
typedef struct SkeletonForking {
    unsigned repeats; /* how many loops it stands in */
    ARRAY_OF(SkeletonTask *) tasks;
    SkeletonClaims claims; /* of processes that are FORKed, and are not there */
} SkeletonForking;

/* SkeletonNames -- what names stand for here. */
typedef struct SkeletonNames {
    SYMBOL_MAP_OF(SkeletonRef) refs;
    SYMBOL_MAP_OF(SkeletonData) data;
    SYMBOL_MAP_OF(const SkeletonMember) members; /* of clocks */
} SkeletonNames;

typedef struct SkeletonWalk {
    Arena *arena;
    Skeleton *skeleton;
    SkeletonSteps *steps; /* that are being written */
    const char *proc;
    bool with_data;
    int64_t channels;
    unsigned calls; /* that are written out */
    ARRAY_OF(const SkeletonVariable *) loops;
    SkeletonNames names;
    SkeletonMembers hidden; /* on which the process is, and of which only callers know the names */
    SYMBOL_MAP_OF(const Node) open_procs; /* whose text is walked over */
    unsigned depth;                       /* of calls of these */
    unsigned calls_again;                 /* likewise, in all */
    SYMBOL_MAP_OF(SkeletonForking) forkings;
    SkeletonForking program; /* of every FORK outside of them */
    unsigned repeats;        /* loops around */
    int64_t turns;           /* of these, since the FORKING; 0: not known */
    unsigned trials;         /* whose steps are not kept */
    ARRAY_OF(const SkeletonVariable *) alive;
    ARRAY_OF(SkeletonServed) served;
} SkeletonWalk;

/* ---- skeleton.c ---- */
void skeleton_refuse(SkeletonWalk *walk, Location at, const char *what);
/* skeleton_beyond -- it can be searched, but not be written for other tools. */
void skeleton_beyond(SkeletonWalk *walk, Location at, const char *what);
/* skeleton_add_step -- behind those that are being written. */
SkeletonStep *skeleton_add_step(SkeletonWalk *walk, SkeletonStepKind kind, Location at);
/* skeleton_set -- the step slot := value. */
void skeleton_set(SkeletonWalk *walk, SkeletonSlot slot, const SkeletonValue *value, Location at);
/* skeleton_within -- the process, which may be NULL, as steps of their own. */
void skeleton_within(SkeletonWalk *walk, SkeletonSteps *steps, const Node *process);
/* skeleton_add_variable -- type NULL: of turns or a choice. */
const SkeletonVariable *skeleton_add_variable(SkeletonWalk *walk, const char *name,
                                              const Type *type, int64_t count);
/* skeleton_add_lasting -- one that no scope ends: it is set before each use. */
const SkeletonVariable *skeleton_add_lasting(SkeletonWalk *walk, const char *name, int64_t count);
/* skeleton_add_object -- likewise; of a channel or an object. */
const SkeletonVariable *skeleton_add_object(SkeletonWalk *walk, const char *name, int64_t count);
/* skeleton_pick -- the value, or any below count, which is chosen by a step that is added here. */
const SkeletonValue *skeleton_pick(SkeletonWalk *walk, const SkeletonValue *value, int64_t count,
                                   Location at);
/* SkeletonScope -- variables that end together. */
typedef struct SkeletonScope {
    size_t variables;
    size_t loops;
} SkeletonScope;
SkeletonScope skeleton_begin_scope(const SkeletonWalk *walk);
/* skeleton_end_scope -- what is not there any more has no value, so that states are known again. */
void skeleton_end_scope(SkeletonWalk *walk, SkeletonScope scope, Location at);

/* SkeletonRounds -- of the loop around. */
typedef struct SkeletonRounds {
    unsigned repeats;
    int64_t turns;
} SkeletonRounds;
/* skeleton_begin_rounds -- what is written now is done so often; 0: how often is not known. */
SkeletonRounds skeleton_begin_rounds(SkeletonWalk *walk, int64_t turns);
void skeleton_end_rounds(SkeletonWalk *walk, SkeletonRounds rounds);

/* ---- skeleton_data.c ---- */
/* skeleton_value -- of an expression. */
const SkeletonValue *skeleton_value(SkeletonWalk *walk, const Node *expression);
/* skeleton_truth -- of a condition: the number 1 or 0 where it is known. */
const SkeletonValue *skeleton_truth(SkeletonWalk *walk, const Node *condition);
/* skeleton_set_value -- the name stands for it. */
void skeleton_set_value(SkeletonWalk *walk, const Symbol *symbol, const SkeletonValue *value);
/* skeleton_frozen -- the value as it is now. */
const SkeletonValue *skeleton_frozen(SkeletonWalk *walk, const SkeletonValue *value,
                                     const char *name, Location at);
void skeleton_declare_data(SkeletonWalk *walk, const Symbol *symbol);
/* skeleton_bind_data -- the name is another one for that element. */
void skeleton_bind_data(SkeletonWalk *walk, const Symbol *symbol, const Node *element,
                        bool is_opaque);
/* skeleton_slot -- where what is stored in that element goes. */
SkeletonSlot skeleton_slot(SkeletonWalk *walk, const Node *element);
/* skeleton_store -- slot := expression; NULL: any. */
void skeleton_store(SkeletonWalk *walk, SkeletonSlot slot, const Node *expression, Location at);
/* skeleton_store_whole -- the variable of that name := expression. */
void skeleton_store_whole(SkeletonWalk *walk, const Symbol *symbol, const Node *expression);
/* skeleton_store_first -- likewise; what its value is has been asked before. */
void skeleton_store_first(SkeletonWalk *walk, const Symbol *symbol, const SkeletonValue *value,
                          const Node *expression);
/* SkeletonTurns -- of a replicator. */
typedef struct SkeletonTurns {
    const SkeletonValue *base;
    const SkeletonValue *count;
    const SkeletonValue *step;
    bool are_numbers; /* all three, and the count is at most TURNS_MOST */
} SkeletonTurns;

enum { TURNS_MOST = 1000 };

SkeletonTurns skeleton_turns(SkeletonWalk *walk, const Node *replicator);
/* skeleton_turn -- the name of the replicator has its value of that turn, from 0. */
void skeleton_turn(SkeletonWalk *walk, const Node *replicator, const SkeletonTurns *turns,
                   const SkeletonValue *number);

/* ---- skeleton_channel.c ---- */
/* skeleton_is_channel -- a channel, MUTEX or object of module sync, or an array of them. */
bool skeleton_is_channel(const Type *type);
/* skeleton_is_shared -- a channel of which an end is. */
bool skeleton_is_shared(const Type *type);
/* skeleton_connects -- may two processes meet there? */
bool skeleton_connects(const Type *type);
void skeleton_declare(SkeletonWalk *walk, const Symbol *symbol);
/* skeleton_bind_outside -- a channel of the world outside. */
void skeleton_bind_outside(SkeletonWalk *walk, const Symbol *symbol);
/* skeleton_refer -- NULL: it is none, or more than a skeleton has, which has been said. */
SkeletonRef *skeleton_refer(SkeletonWalk *walk, const Node *element);
void skeleton_bind(SkeletonWalk *walk, const Symbol *symbol, SkeletonRef *ref);
/* skeleton_place -- of a channel; outside also where there is none. */
SkeletonPlace skeleton_place(const SkeletonRef *ref);

/* ---- skeleton_process.c ---- */
void skeleton_process(SkeletonWalk *walk, const Node *process);
void skeleton_spec(SkeletonWalk *walk, const Node *spec);
void skeleton_specs(SkeletonWalk *walk, const NodeList *specs);
/* skeleton_items -- the values of an output without the tag; *tag is from 1. */
void skeleton_output_items(SkeletonWalk *walk, const Node *output, SkeletonGuard *guard);
void skeleton_targets(SkeletonWalk *walk, const NodeList *items, SkeletonVariant *variant);
/* skeleton_communicates -- something in it may meet another process. */
bool skeleton_communicates(const Node *process);

/* ---- skeleton_choice.c ---- */
void skeleton_alt(SkeletonWalk *walk, const Node *alt);
void skeleton_if(SkeletonWalk *walk, const Node *node);
void skeleton_case(SkeletonWalk *walk, const Node *node);
/* skeleton_add_way -- what the ALT may do when the condition, which may be NULL, holds: steps that are
 * to be added there, and are done at once, while others see when. */
SkeletonSteps *skeleton_add_way(SkeletonWalk *walk, SkeletonStep *alt,
                                const SkeletonValue *condition);
/* skeleton_receive -- an input, with what is done before the sender goes on, and after; each may
 * be NULL. */
SkeletonStep *skeleton_receive(SkeletonWalk *walk, const Node *input, bool is_extended,
                               const Node *during, const Node *after);

/* ---- skeleton_names.c ---- */
/* SkeletonMeaning -- what one name stands for. */
typedef struct SkeletonMeaning {
    SkeletonRef *ref;
    SkeletonData *data;
    const SkeletonMember *member;
} SkeletonMeaning;
SkeletonMeaning skeleton_meaning(const SkeletonWalk *walk, const Symbol *symbol);
void skeleton_mean(SkeletonWalk *walk, const Symbol *symbol, SkeletonMeaning meaning);
/* skeleton_copy_names -- all of them as they are now. */
SkeletonNames skeleton_copy_names(const SkeletonWalk *walk);

/* ---- skeleton_call.c ---- */
void skeleton_call(SkeletonWalk *walk, const Node *call);

/* SkeletonCall -- what is kept while the text of a routine is walked over; also `proc`. */
typedef struct SkeletonCall {
    const Node *routine;
    const Node *open;
    const char *proc;
    SkeletonMembers hidden;
    SkeletonScope scope;
} SkeletonCall;
/* skeleton_may_enter -- false: that is refused. */
bool skeleton_may_enter(SkeletonWalk *walk, const Node *routine, Location at);
SkeletonCall skeleton_enter(SkeletonWalk *walk, const Node *routine);
void skeleton_leave(SkeletonWalk *walk, const SkeletonCall *call, Location at);
/* skeleton_routine -- the PROC of that name; NULL: it is not a text of the program. */
const Node *skeleton_routine(const Node *callee);
bool skeleton_is_elsewhere(const Node *routine);

/* ---- skeleton_fork.c ---- */
void skeleton_fork(SkeletonWalk *walk, const Node *fork);
void skeleton_forking(SkeletonWalk *walk, const Node *forking);
/* skeleton_end_program -- it waits for what it has FORKed. */
void skeleton_end_program(SkeletonWalk *walk, Location at);

/* ---- skeleton_apart.c ---- */
/* SkeletonOwn -- what a process has for itself. */
typedef struct SkeletonOwn {
    size_t variable; /* the first of its variables */
    size_t channel;
    unsigned repeats; /* what others have too is declared in no more loops */
} SkeletonOwn;
/* SkeletonTrial -- steps that are walked over to see what they are, and are not kept. */
typedef struct SkeletonTrial {
    SkeletonSteps steps;
    SkeletonSteps *around;
    SkeletonOwn own;
    size_t tasks;
    size_t served;
    size_t refusals;
    int64_t channels;
} SkeletonTrial;
SkeletonOwn skeleton_own(const SkeletonWalk *walk, unsigned repeats);
void skeleton_begin_trial(SkeletonWalk *walk, SkeletonTrial *trial, unsigned repeats);
/* skeleton_end_trial -- does a process of these steps, and any number of them, meet nobody and come
 * to its end whenever others give up what is in `claims`? Then these are added, and variables that
 * it changes are forgotten. */
bool skeleton_end_trial(SkeletonWalk *walk, SkeletonTrial *trial, SkeletonClaims *claims);
/* skeleton_forget_changed -- variables of others that the steps change. */
void skeleton_forget_changed(SkeletonWalk *walk, SkeletonOwn own, const SkeletonSteps *steps);
/* skeleton_wait_for_claims -- of processes that are not there: one of them may wait there, or none. */
void skeleton_wait_for_claims(SkeletonWalk *walk, const SkeletonClaims *claims, Location at);
/* skeleton_forget_shared -- variables of others that the steps use; false: they use what may be
 * another one at that time. */
bool skeleton_forget_shared(SkeletonWalk *walk, SkeletonOwn own, const SkeletonSteps *steps);

/* ---- skeleton_par.c ---- */
void skeleton_par(SkeletonWalk *walk, const Node *par);
SkeletonTask *skeleton_add_task(SkeletonWalk *walk, SkeletonStep *par, Location at);

/* ---- skeleton_close.c ---- */
/* skeleton_open -- a new channel has not closed. */
void skeleton_open(SkeletonWalk *walk, SkeletonChannel *channel);
void skeleton_close(SkeletonWalk *walk, const Node *close);
/* skeleton_closed -- the answer to CLOSED, which is asked by a step that is added here. */
const SkeletonValue *skeleton_closed(SkeletonWalk *walk, const Node *closed);
/* skeleton_closed_guard -- the condition that the guard waits for. */
const SkeletonValue *skeleton_closed_guard(SkeletonWalk *walk, const Node *closed);
void skeleton_while_input(SkeletonWalk *walk, const Node *node);

/* ---- skeleton_sync.c ---- */
void skeleton_declare_sync(SkeletonWalk *walk, SkeletonChannel *object);
void skeleton_sync(SkeletonWalk *walk, const Node *call, SyncRoutine routine);

/* ---- skeleton_clock.c ---- */
void skeleton_declare_clock(SkeletonWalk *walk, const Symbol *symbol);
void skeleton_bind_clock(SkeletonWalk *walk, const Symbol *symbol, const Node *actual);
/* skeleton_hidden_of -- of a PROC with a NEXT without names: clocks that it does not see. */
SkeletonMembers skeleton_hidden_of(SkeletonWalk *walk, const Node *clocks);
/* skeleton_clock -- NEXT, SYNC, RESUME, DROP, RESIGN. */
void skeleton_clock(SkeletonWalk *walk, const Node *node);
/* skeleton_next_guard -- the condition that the guard waits for. */
const SkeletonValue *skeleton_next_guard(SkeletonWalk *walk, const Node *next);
/* skeleton_next_taken -- the first steps behind it. */
void skeleton_next_taken(SkeletonWalk *walk, const Node *next);
/* SkeletonLoan -- a PAR gives each branch that is enrolled a member of its own. */
typedef struct SkeletonLent {
    const Symbol *symbol;
    const SkeletonMember *borrower;
} SkeletonLent;
typedef struct SkeletonLoan {
    ARRAY_OF(SkeletonLent) lent; /* to the branch that is walked over */
    SkeletonMembers borrowers;   /* of all branches */
    SkeletonMembers hidden;      /* what only callers name is of the process outside */
} SkeletonLoan;
void skeleton_begin_branch(SkeletonWalk *walk, SkeletonLoan *loan, const Node *par,
                           const Node *branch);
/* skeleton_end_branch -- steps: of the branch. */
void skeleton_end_branch(SkeletonWalk *walk, SkeletonLoan *loan, SkeletonSteps *steps, Location at);
/* skeleton_lend -- the steps before the PAR, once all branches are known. */
void skeleton_lend(SkeletonWalk *walk, const SkeletonLoan *loan, Location at);

/* ---- skeleton_serve.c ---- */
bool skeleton_is_server(const Node *routine);
/* skeleton_serve -- the call of a server whose text is not here. */
void skeleton_serve(SkeletonWalk *walk, const Node *routine, const Node *call);
/* skeleton_check_clients -- those of such servers wait for their answers; else it is refused. */
void skeleton_check_clients(SkeletonWalk *walk);
/* skeleton_serve_here -- a server and its clients. */
void skeleton_serve_here(SkeletonWalk *walk, const Node *proc);

#endif
