/* symbol -- what a name means: one record per definition.
 *
 * Owns:   the record; scope.h finds it by name.
 * Holds:  set by check_names/check_types; codegen reads it and keeps its own state in `backend`. */
#ifndef OCCC_SYMBOL_H
#define OCCC_SYMBOL_H

#include "ast.h"
#include "constant.h"
#include "types.h"

/* PREDEFINED(ID, ..) of predefined.def is PREDEFINED_ID here. */
typedef enum PredefinedId {
#define PREDEFINED(ID, name, results, formals, group) PREDEFINED_##ID,
#include "predefined.def"
#undef PREDEFINED
    PREDEFINED_COUNT
} PredefinedId;

typedef enum SymbolKind {
    SYMBOL_VARIABLE,   /* T x:  also CHAN, TIMER, PORT, INITIAL x IS e: (is_initial) */
    SYMBOL_REFERENCE,  /* x IS y:  RESULT x IS y:   another name of an element; also RETYPES */
    SYMBOL_VALUE,      /* VAL x IS e:   also VAL RETYPES; constant when known */
    SYMBOL_REPLICATOR, /* read-only INT */
    SYMBOL_FORMAL,     /* mode in formal_mode */
    SYMBOL_PROC,
    SYMBOL_FUNCTION,
    SYMBOL_PREDEFINED, /* predefined PROC or FUNCTION: see predefined.def */
    SYMBOL_PROTOCOL,   /* type: SEQUENCE, VARIANT, or an alias of a simple protocol */
    SYMBOL_DATA_TYPE,  /* RECORD or NAMED */
    SYMBOL_CHAN_TYPE,
    SYMBOL_PROC_TYPE
} SymbolKind;

/* names that stand for no object, for the labels of a switch (as NODE_KINDS_OF_..., ast.h) */
#define SYMBOL_KINDS_OF_DEFINITION                                                                 \
    SYMBOL_PROC:                                                                                   \
    case SYMBOL_FUNCTION:                                                                          \
    case SYMBOL_PREDEFINED:                                                                        \
    case SYMBOL_PROTOCOL:                                                                          \
    case SYMBOL_DATA_TYPE:                                                                         \
    case SYMBOL_CHAN_TYPE:                                                                         \
    case SYMBOL_PROC_TYPE

struct Symbol {
    SymbolKind kind;
    const Text *name;
    const Type *type;         /* of the object; FUNCTION: its result or TUPLE; PROC: NULL */
    Location at;              /* where it is defined */
    Node *definition;         /* DECLARATION, ABBREVIATION, PROC, FUNCTION, FORMAL, REPLICATOR... */
    Node *owner;              /* innermost PROC or FUNCTION (or VALOF in expression: its routine)
                                 the definition stands in; NULL at the outermost level */
    const Constant *constant; /* VALUE with a known value */
    FormalMode formal_mode;   /* FORMAL */
    Direction direction;      /* channel names: as declared or given in the formal */
    unsigned predefined;      /* PREDEFINED: PredefinedId */
    bool is_initial;          /* VARIABLE from INITIAL */
    bool is_result;           /* RESULT formal or abbreviation */
    unsigned chain;           /* REFERENCE: abbreviations between it and the object */
    bool permits_sharing;     /* #PRAGMA SHARED: exempt from check_usage */
    bool permits_aliases;     /* #PRAGMA PERMITALIASES: exempt from check_alias */
    bool is_placed;           /* by PLACE */
    bool is_server;           /* FORMAL: by #PRAGMA SERVER, requests or answers */
    Symbol *server_answer;    /* of requests; NULL: they have none */
    struct Invariants *invariants; /* those that read it while others run; NULL: none */
    Symbol *placed_as;             /* a PORT: the first one at its address, if that is another */
    bool is_library;               /* from a #USE or #INCLUDE of the library: no unused warnings */
    bool is_blamed;                /* an error in its declaration was reported: once is enough */
    bool is_read;
    bool is_written;
    bool is_used;    /* called, named, communicated on */
    uint32_t number; /* unique in the compilation, in order of definition */
    void *backend;   /* codegen */
};

/* Where the code of a routine is, if only its heading is here. */
typedef enum BodyKind {
    BODY_OCCAM,    /* in the object of another unit */
    BODY_C,        /* a C function, called on the system stack */
    BODY_BLOCKING, /* a C function that may block: on a thread of its own meanwhile */
    BODY_EXTERNAL, /* the same, and the call may be abandoned */
    BODY_PLACED,   /* a C function of the runtime that is told the caller and the site */
    BODY_RUNTIME   /* of module sync: a routine of the runtime, called directly */
} BodyKind;

/* SYNC_ROUTINE(ID, ..) of sync_routine.def is SYNC_ID here. */
typedef enum SyncRoutine {
#define SYNC_ROUTINE(ID, name, may_wait) SYNC_##ID,
#include "sync_routine.def"
#undef SYNC_ROUTINE
    SYNC_COUNT
} SyncRoutine;

typedef struct RoutineBody {
    BodyKind kind;
    const char *symbol; /* its name for the linker */
    SyncRoutine sync;   /* BODY_RUNTIME */
    bool may_wait;
    bool has_handle; /* BODY_EXTERNAL whose first formal is the channel that KILLCALL gets */
    bool communicates;
    bool crosses_phase;
    bool nexts_all;
    bool needs_clocks;
    bool suspends;
    bool asks_caller;
    const char *directions; /* of the formals, one of .?! each */
    const char *usage;      /* usage_text.c; NULL: what the modes of the formals say */
} RoutineBody;

/* symbol_abbreviated -- the name that this one abbreviates, or a part of which it abbreviates; NULL
 * for an object, and for an abbreviation of something without a name. */
Symbol *symbol_abbreviated(const Symbol *symbol);

/* symbol_object -- the object at the end of all abbreviations; NULL when it has no name. */
Symbol *symbol_object(const Symbol *symbol);

/* symbol_is_given_by_value -- a scalar that does not change: a branch or routine gets its value. */
bool symbol_is_given_by_value(const Symbol *symbol);
/* symbol_is_reference_formal -- is a change of the formal one of the actual? NULL: no. */
bool symbol_is_reference_formal(const Symbol *formal);

/* symbol_is_shared -- may another process change it while this one waits? Only where #PRAGMA SHARED
 * or PLACE says so; everywhere else the usage rules forbid it. */
bool symbol_is_shared(const Symbol *symbol);

/* symbol_direction -- the direction in which `element`, a channel end, uses the name. */
Direction symbol_direction(const Symbol *symbol, const Node *element);

/* ProcInfo -- what the checks found out about a PROC or FUNCTION (Node.proc.info). */
typedef struct ProcInfo {
    Symbol *symbol;
    Node *enclosing; /* PROC or FUNCTION it is nested in, or NULL */
    ARRAY_OF(Symbol *)
    free_names;                     /* variables, channels, formals, replicators, values without a
                                       constant of enclosing routines that it or what it calls
                                       uses; transitive over calls; in order of definition */
    ARRAY_OF(Node *) callees;       /* PROC and FUNCTION definitions called from its own text */
    const RoutineBody *elsewhere;   /* NULL: the body is here */
    const char *link_name;          /* other units call it by this name; NULL: they do not */
    const char *usage_text;         /* what it does to its formals; set when an interface is made */
    bool communicates;              /* it or what it calls */
    bool may_wait;                  /* can park: communication, PAR, ALT, delay, or a callee may */
    bool clocks_are_wrong;          /* check_clock reported errors in its text */
    bool checks_clocks;             /* at its end, run time checks that its clocks are active */
    bool crosses_phase;             /* it or what it calls goes on to other phases of a clock */
    bool nexts_all;                 /* it or what it calls has a NEXT without names */
    bool needs_clocks;              /* at such a NEXT its process may be on no visible clock */
    bool meets;                     /* waits for more than the end of a PAR */
    bool suspends;                  /* a PROC: the mobile process that it is, or that calls it */
    Location suspends_at;           /* the SUSPEND */
    Symbol *hidden_clocks;          /* its last formal, where it has one: see clock_hidden.c */
    bool asks_caller;               /* #PRAGMA CALLER: see routine_is_told_at_call */
    bool is_recursive_used;         /* really calls itself (directly or through nested routines) */
    struct RoutineEffects *effects; /* check_effects, for the checks after it */
} ProcInfo;

/* routine_is_told_at_call -- is it given the sites of its call, which reports name when it waits
 * (decision 0063)? Known after check_effects. */
bool routine_is_told_at_call(const ProcInfo *info);

/* Invariant -- a #PRAGMA INVARIANT (Node.pragma.invariant): check_invariant.c. */
typedef struct Invariant {
    Node *condition;
    const char *text;
    Node *object; /* a NAME: the first variable in it */
    bool is_open; /* assignments from here on are checked */
} Invariant;

/* Those of a variable, or of the variables that an assignment changes (Node.assign.invariants). */
typedef struct Invariants {
    ARRAY_OF(Invariant *) list;
} Invariants;

/* ParInfo -- what the checks found out about a PAR (Node.par.info): for each component (one entry
 * when replicated) the names from outside the component that it uses and that are not constants. */
typedef struct ParInfo {
    ARRAY_OF(Symbol *) * captured; /* body.count entries, each in order of definition */
} ParInfo;

/* A SEQ of more than SEQ_LONG processes, or an IF of as many choices, is emitted in parts of
 * SEQ_PART (Node.seq.parts, Node.if_.parts; else NULL), each a routine of its own: compile time may
 * grow faster than the length of a routine. */
enum { SEQ_LONG = 2000, SEQ_PART = 250 };

#endif
