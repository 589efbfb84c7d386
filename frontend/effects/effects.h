/* effects -- what check_effects gathers of each routine while it walks the tree.
 *
 * Owns:   the records; they live as long as the program arena and hang on ProcInfo.effects.
 * Holds:  lists of symbols are sorted by number and hold each symbol once, once their context is
 *         closed. */
#ifndef OCCC_EFFECTS_H
#define OCCC_EFFECTS_H

#include "compiler.h"
#include "symbol_map.h"

typedef ARRAY_OF(Symbol *) SymbolList;

/* A variable from outside that a routine changes, or a channel it uses in one direction. */
typedef struct EffectUse {
    Symbol *symbol;
    Location at;
} EffectUse;

typedef ARRAY_OF(EffectUse) EffectUseList;

/* One channel of an array, chosen by constants. */
typedef struct EffectElement {
    const Symbol *symbol;
    const Node *node;
    Direction direction;
} EffectElement;

/* A formal, of the PROC or of one around it, that may be used behind a SUSPEND. */
typedef struct LateUse {
    const Symbol *formal;
    Location at;
} LateUse;

typedef struct RoutineEffects {
    ProcInfo *info;
    Node *node;
    SymbolList used;       /* names of enclosing routines, from its own text */
    EffectUseList written; /* variables, named by what abbreviations stand for */
    EffectUseList inputs;  /* channels, single ones only */
    EffectUseList outputs;
    ARRAY_OF(EffectElement) elements;
    Location communicates_at; /* the first ?, !, PAR or ALT of its own text */
    bool communicates;        /* it or what it calls */
    bool may_wait;
    bool crosses_phase;
    bool nexts_all;         /* in its own process, not in a branch of a PAR */
    NodeList callees;       /* of its own process */
    bool meets;             /* waits for other things than the end of a PAR */
    ARRAY_OF(LateUse) late; /* see effects_suspend.c */
    /* strongly connected components */
    uint32_t index;
    uint32_t low;
    bool is_on_stack;
} RoutineEffects;

typedef ARRAY_OF(RoutineEffects *) RoutineList;

/* A component of a PAR, to be completed when the free names of all routines are known. */
typedef struct ComponentEffects {
    ParInfo *info;
    size_t component;
    SymbolList used;
    NodeList callees;
    uint32_t first; /* numbers of the symbols defined inside: first .. last */
    uint32_t last;
} ComponentEffects;

/* A call of a PROC inside of a VALOF. */
typedef struct ValofCall {
    const Node *call;
    const Symbol *callee;
    uint32_t first; /* symbols defined inside of the VALOF: first .. last */
    uint32_t last;
} ValofCall;

/* A FORK, to be checked when the free names of the PROC are known. */
typedef struct ForkEffect {
    const Node *fork;
    Symbol *callee;
    const Node *owner; /* the routine it stands in */
} ForkEffect;

typedef struct ObjectNote ObjectNote;

typedef struct Effects {
    Compiler *compiler;
    Arena *arena;
    RoutineList routines; /* in the order their definitions end */
    ARRAY_OF(ComponentEffects) components;
    ARRAY_OF(ValofCall) valof_calls;
    ARRAY_OF(ForkEffect) forks;
    SYMBOL_MAP_OF(ObjectNote) noted; /* effects_note.c */
    struct EffectContext *context;
} Effects;

/* A routine, a component of a PAR or a VALOF that the walk is inside of. */
typedef struct EffectContext {
    struct EffectContext *outer;
    RoutineEffects *routine; /* the innermost around it; NULL at the outermost level */
    bool is_routine;
    SymbolList used;
    NodeList callees;
    uint32_t first; /* > last: nothing is defined inside */
    uint32_t last;
    size_t valof_calls; /* VALOF: where its calls begin in Effects.valof_calls */
    bool is_valof;
    bool is_part; /* of a long SEQ or IF */
} EffectContext;

/* ---- effects_note.c ---- */
void effects_note_name(Effects *effects, const Node *name);
void effects_note_callee(Effects *effects, const Symbol *symbol);
void effects_note_changes(Effects *effects, const Node *node); /* by the node itself */
void effects_note_communication(Effects *effects, const Node *node, bool waits);
/* effects_note_phase -- a process of a clock: what follows may be in another phase. */
void effects_note_phase(Effects *effects, const Node *node);
void effects_note_suspend(Effects *effects, const Node *suspend);
void effects_note_channel(Effects *effects, const Node *channel, Direction direction);
/* effects_note_call -- a CALL or FORK. */
void effects_note_call(Effects *effects, const Node *call, const NodeList *actuals);
void effects_note_symbol(Effects *effects, Symbol *symbol);
/* effects_root -- the object that a name stands for through abbreviations; NULL for none. */
Symbol *effects_root(const Node *element);

/* ---- effects.c: the walk ---- */
RoutineEffects *effects_of(const Symbol *routine); /* NULL: not walked yet, or no routine */
void symbol_list_sort(SymbolList *list);           /* and drop repetitions */

/* ---- effects_solve.c: what holds through calls ---- */
void effects_solve(Effects *effects);

/* ---- effects_fork.c: free names of FORKed PROCs ---- */
void effects_check_forks(Effects *effects);

/* ---- effects_suspend.c: names made of the parameters of a mobile process ---- */
void effects_check_suspend(const Effects *effects);
/* effects_suspending -- the PROC that `node` calls, when that suspends; else NULL. */
const RoutineEffects *effects_suspending(const Node *node);

/* ---- effects_suspend_place.c: where a process may suspend ---- */
void effects_check_suspend_places(const Effects *effects);

/* ---- effects_channel.c: directions that only the use reveals ---- */
void effects_infer_directions(Effects *effects, RoutineEffects *routine);
void effects_check_actual_direction(Effects *effects, const Node *actual, const Symbol *callee,
                                    const Symbol *formal);

#endif
