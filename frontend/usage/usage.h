/* usage -- what the files of check_usage share: accesses, the walk, summaries of routines.
 *
 * Holds: the accesses of a process are a stretch of one growing list; a PAR compares the stretches
 *        of its components and leaves them to the process around it. Loops and guards are shared
 *        chains, so an access costs a few words. */
#ifndef OCCC_USAGE_H
#define OCCC_USAGE_H

#include "compiler.h"
#include "region.h"
#include "symbol_map.h"

/* MEASURE: SIZE of a mobile, not its contents; CLAIM: of a MUTEX; NEXT: of a clock (usage_block.c);
 * they conflict with nothing. */
typedef enum UsageKind {
    USAGE_READ,
    USAGE_MEASURE,
    USAGE_WRITE,
    USAGE_INPUT,
    USAGE_OUTPUT,
    USAGE_CLAIM,
    USAGE_NEXT
} UsageKind;

/* A MUTEX that is claimed round an access; the innermost first. */
typedef struct UsageLock {
    const struct UsageLock *outer;
    Symbol *root;
    const IndexDimension *dimensions; /* one element of an array */
    size_t count;
    Location at; /* in the text of the routine being walked */
} UsageLock;

typedef struct UsagePhase UsagePhase;         /* usage_phase.h */
typedef struct UsageUniform UsageUniform;     /* usage_uniform.c */
typedef struct UsageForking UsageForking;     /* usage_fork.c */
typedef struct UsageRecursion UsageRecursion; /* usage_recursion.c */

typedef struct UsageAccess {
    Symbol *root;
    UsageKind kind;
    IndexRegion region;
    Location at;        /* in the text of the routine being walked */
    Location inner_at;  /* in the routine `via` that was called there */
    const Symbol *via;  /* NULL: the access itself stands at `at` */
    const void *call;   /* the call of `via`: only to be told from others */
    const Symbol *name; /* the name in the text */
    const Symbol *view; /* the object was reached through this view of it, noted by itself too */
    const UsageLock *locks;
    const UsagePhase *phases;        /* of the clocks known where it is */
    const Symbol *block;             /* in the block of a NEXT of that clock; or NULL */
    bool is_of_val_array;            /* of an array that a VAL name stands for: to its end */
    const struct UsageAccess *plain; /* the same without phases as subscripts; NULL: it is plain */
} UsageAccess;

typedef ARRAY_OF(UsageAccess) UsageAccessList;

/* What a routine does to its formals and free names. */
typedef struct RoutineUsage {
    UsageAccessList accesses;
    const UsagePhase *after; /* NEXTs it passes, of the clocks it knows */
    unsigned loop_depth;     /* loops round the definition: those inside have this depth and more */
    UsageRecursion *recursion; /* what is assumed of its own calls; or NULL */
    bool is_known;             /* walked to its end at least once */
} RoutineUsage;

/* An access whose conflict with another is proved, and told. */
typedef struct UsageReported {
    const Symbol *root;
    Location at;
} UsageReported;

/* What VAL even IS (i \ 2) = 0: says as a condition where the name is introduced. */
typedef struct UsageTruth {
    const IndexGuard *holds;
    const IndexGuard *fails;
} UsageTruth;

/* Where the walk is in the routine that is being walked. */
typedef struct UsageHere {
    const IndexGuard *guards;
    const UsageLock *locks;
    const UsagePhase *phases;    /* of the clocks known there */
    const Symbol *block;         /* in the block of a NEXT of that clock; or NULL */
    const UsageUniform *uniform; /* of the innermost replicated PAR on a clock; or NULL */
    UsageForking *forking;       /* the innermost FORKING; or NULL */
    uint32_t own; /* symbols numbered above it are of this branch, or of the routine */
    unsigned pars;
    bool stops;       /* control does not come here */
    bool is_doubtful; /* errors about clocks: which phases meet is not known */
} UsageHere;

/* What comparisons have shown so far, and what they may still cost. */
typedef struct UsageCompared {
    IndexMemo *memo;
    ARRAY_OF(UsageReported) reported;
    uint64_t patience; /* rows of systems that may still be looked at */
} UsageCompared;

typedef struct UsageWalk {
    Compiler *compiler;
    Arena *arena;
    UsageAccessList accesses;
    const IndexLoop *loops;
    UsageHere here;
    ARRAY_OF(const IndexGuard *) conditions; /* the guards outside of each AND and OR round it */
    RegionBuilder builder;
    UsageCompared compared;
    struct Values *values;                  /* of variables: value.h */
    SYMBOL_MAP_OF(const IndexExpr) numbers; /* of replicators, and of VAL names where introduced */
    SYMBOL_MAP_OF(const UsageTruth) truths; /* of VAL names of BOOL */
    SYMBOL_MAP_OF(RoutineUsage) routines;
    SYMBOL_MAP_OF(struct ChannelMark) channels; /* usage_self.c */
    unsigned recursion;  /* inside of a recursive routine that is walked until nothing changes */
    bool is_silent;      /* an early round of that: nothing is reported */
    uint32_t latest;     /* number of the symbol defined last */
    struct Alias *alias; /* in check_alias: what names stand for now; PARs are not compared */
} UsageWalk;

/* ---- usage_walk.c: processes ---- */
void usage_process(UsageWalk *walk, const Node *process);
void usage_specifications(UsageWalk *walk, const NodeList *specifications);
void usage_begin_loop(UsageWalk *walk, const Node *replicator);
void usage_pop_loop(UsageWalk *walk);
void usage_push_optional(UsageWalk *walk, const Node *replicator); /* which may be NULL */
void usage_pop_optional(UsageWalk *walk, const Node *replicator);

typedef struct UsageScope {
    size_t mark;
    size_t values;
    size_t start; /* accesses of the specifications */
    size_t end;
    uint32_t latest;
} UsageScope;

/* usage_open_scope -- of specifications that have just begun to hold; usage_close_scope ends it. */
UsageScope usage_open_scope(UsageWalk *walk, const NodeList *specifications);
void usage_close_scope(UsageWalk *walk, const UsageScope *scope);

/* ---- usage_par.c ---- */
void usage_par(UsageWalk *walk, const Node *node);
/* usage_forget_enrolled -- an enrolled branch, whose accesses begin at `start`, has a variable of
 * its own for a MOBILE CLOCK: the process lends its own. */
void usage_forget_enrolled(UsageWalk *walk, const NodeList *clocks, size_t start);
/* ---- usage_choice.c ---- */
void usage_if(UsageWalk *walk, const Node *node);
void usage_case(UsageWalk *walk, const Node *node);
void usage_alt(UsageWalk *walk, const Node *node);

/* ---- usage_access.c: elements and expressions ---- */
void usage_element(UsageWalk *walk, const Node *element, UsageKind kind);
void usage_read(UsageWalk *walk, const Node *expression);
void usage_subscripts(UsageWalk *walk, const Node *element); /* what choosing it reads */
void usage_define(UsageWalk *walk, const Node *def);         /* a DEF was passed */
void usage_guard(UsageWalk *walk, const Node *condition, bool is_negated);
/* usage_keep_truth -- of a VAL name of BOOL that is introduced: what it says as a condition. */
void usage_keep_truth(UsageWalk *walk, Symbol *symbol, const Node *value);
/* usage_guard_option -- the option of that CASE was chosen. */
void usage_guard_option(UsageWalk *walk, const Node *node, const Node *option);
/* usage_guard_choice -- one of two chains of conditions holds; NULL always does. */
void usage_guard_choice(UsageWalk *walk, const IndexGuard *either, const IndexGuard *other);

/* ---- usage_summary.c: routines ---- */
void usage_routine(UsageWalk *walk, const Node *routine);

/* ---- usage_recursion.c: parts that a recursive routine uses ---- */
/* usage_recursion_begin -- its summary is stable; true: walks are needed until it is settled. */
bool usage_recursion_begin(UsageWalk *walk, const NodeList *formals, RoutineUsage *usage);
bool usage_recursion_is_settled(const RoutineUsage *usage);
/* usage_recursion_look -- the body has been walked; its accesses begin at `start`. */
void usage_recursion_look(UsageWalk *walk, RoutineUsage *usage, size_t start);
/* usage_recursion_bound -- the whole of an array becomes the part that is assumed to be used. */
void usage_recursion_bound(UsageWalk *walk, const RoutineUsage *usage, UsageAccess *all);

/* ---- usage_text.c: summaries in interfaces ---- */
const char *usage_text_encode(Arena *arena, const Node *routine, const RoutineUsage *usage);
void usage_text_decode(Arena *arena, const Node *routine, const char *text, RoutineUsage *usage);

/* ---- usage_call.c: what a call does, by the summary ---- */
void usage_call(UsageWalk *walk, const Node *call, const Symbol *callee, const NodeList *actuals);

/* ---- usage_fork.c: variables that forked processes share under a MUTEX ---- */
void usage_fork(UsageWalk *walk, const Node *fork);
void usage_forking(UsageWalk *walk, const Node *forking);
/* usage_statement -- the next one of the list begins. */
void usage_statement(UsageWalk *walk, const NodeList *list);

/* ---- usage_conflict.c: components of a PAR against each other ---- */
/* usage_check_par -- component i made the accesses starts[i] .. starts[i + 1] - 1; symbols numbered
 * above `latest` are defined inside. Its branches begin in the phases `before`
 * and come to `ends`. */
void usage_check_par(UsageWalk *walk, const Node *par, const size_t *starts, uint32_t latest,
                     const UsagePhase *before, const UsagePhase *const *ends);

/* ---- usage_report.c: both places of a conflict, and a case in which they meet ---- */
/* The clocks that order branches of a PAR. */
typedef ARRAY_OF(const Symbol *) PhaseClocks;

typedef struct UsageConflict {
    const UsageAccess *a;
    const UsageAccess *b;
    const PhaseClocks *clocks;
    bool is_proved;
} UsageConflict;

void usage_report_conflict(UsageWalk *walk, const IndexPair *pair, const UsageConflict *conflict);

/* ---- usage_lock.c: MUTEXes that are claimed ---- */
/* usage_push_lock -- inside of a CLAIM of it; the walk has its locks restored after that. */
void usage_push_lock(UsageWalk *walk, const Node *mutex);
/* usage_check_nested -- of a CLAIM in a routine that is called: report what is held already. */
void usage_check_nested(UsageWalk *walk, const UsageAccess *claim);
/* usage_add_lock -- `outer` and one more, unless it is not known which. */
const UsageLock *usage_add_lock(UsageWalk *walk, const UsageLock *outer, const ObjectPart *part,
                                Location at);
bool usage_same_locks(const UsageLock *left, const UsageLock *right);
const UsageLock *usage_common_locks(UsageWalk *walk, const UsageLock *left, const UsageLock *right);
/* usage_locks_exclude -- two accesses of branches of the PAR that is being checked never meet;
 * symbols numbered above `latest` are defined inside of it. */
bool usage_locks_exclude(const UsageWalk *walk, uint32_t latest, const UsageAccess *a,
                         const UsageAccess *b);
const char *usage_lock_words(UsageWalk *walk, const UsageLock *lock);

/* ---- usage_self.c: one process at both ends of its own channel ---- */
/* usage_note_pair -- branches of a PAR hold the two ends of this channel. */
void usage_note_pair(UsageWalk *walk, Symbol *channel);
/* usage_warn_of_self -- of channels of the routine whose ends are never in two branches; accesses
 * from `start` on are the routine's. */
void usage_warn_of_self(UsageWalk *walk, const Node *routine, size_t start);

/* ---- usage_target.c ---- */
/* usage_check_targets -- of a multiple assignment. */
void usage_check_targets(UsageWalk *walk, const Node *assign);

#endif
