/* skeleton -- what the files of the export share: the communication of a program, written in Promela.
 *
 * Owns:   the state of the walk: the text so far, what names stand for here, values that are known.
 * Leaves: the command to export.h.
 * Holds:  a routine is written out where it is called, and each branch of a PAR, of a replicated one
 *         each with its own index, is a proctype of its own: so every channel is a global name, and
 *         every index a number or the variable of a loop. What is not known is any value: of a
 *         condition either is possible, of a subscript each. So the model can do all that the
 *         program can, and more; where it has no deadlock the program has none, but for those that
 *         come of errors. Times may be over at any time; the world outside is always ready. */
#ifndef OCCC_SKELETON_H
#define OCCC_SKELETON_H

#include "ast.h"
#include "compiler.h"
#include "symbol_map.h"
#include "text_builder.h"

/* SkeletonValue -- a number, or what has it in the model. */
typedef struct SkeletonValue {
    int64_t number;
    const char *text; /* NULL: the number */
} SkeletonValue;

/* SkeletonRef -- what the name of a channel, or of an array of them, stands for. */
typedef struct SkeletonRef {
    const char *name;    /* of the array of the model; NULL: the world outside */
    const char *claimed; /* of the array that says which are claimed, likewise; NULL: not shared */
    SkeletonValue first;
    const Type *type;
    int64_t length; /* of its first dimension; -1: not known */
} SkeletonRef;

typedef struct SkeletonProc {
    bool is_open;
} SkeletonProc;

typedef struct Skeleton {
    Arena *arena;
    Diag *diag;
    TextBuilder globals;
    TextBuilder finished; /* proctypes */
    TextBuilder *text;    /* of the proctype that is being written */
    unsigned depth;       /* of its lines */
    unsigned names;       /* that have been made */
    unsigned processes;
    int64_t channels;
    unsigned calls;    /* that are written out */
    bool has_extended; /* every message is answered, as some are used before the sender goes on */
    ARRAY_OF(const char *) loops; /* variables of the loops around it, outermost first */
    SYMBOL_MAP_OF(SkeletonRef) refs;
    SYMBOL_MAP_OF(SkeletonValue) values;
    SYMBOL_MAP_OF(SkeletonProc) procs;
} Skeleton;

/* skeleton_write -- the model of the program that begins with that PROC. */
const char *skeleton_write(Arena *arena, Diag *diag, const Node *unit, const Node *proc,
                           const char *source);

/* ---- skeleton_value.c ---- */
/* skeleton_value -- false: any. */
bool skeleton_value(Skeleton *skeleton, const Node *expression, SkeletonValue *value);
void skeleton_set_value(Skeleton *skeleton, const Symbol *symbol, const SkeletonValue *value);
SkeletonValue skeleton_combine(Skeleton *skeleton, SkeletonValue left, char operator,
                               SkeletonValue right);
const char *skeleton_text(Skeleton *skeleton, SkeletonValue value);
/* SkeletonTurns -- of a replicator. */
typedef struct SkeletonTurns {
    SkeletonValue base;
    SkeletonValue count;
    SkeletonValue step;
    bool are_numbers; /* all three, and the count is at most TURNS_MOST */
} SkeletonTurns;

enum { TURNS_MOST = 1000 };

/* skeleton_turns -- false: they are not known. */
bool skeleton_turns(Skeleton *skeleton, const Node *replicator, SkeletonTurns *turns);
/* skeleton_turn -- the name of the replicator has its value of that turn, from 0. */
void skeleton_turn(Skeleton *skeleton, const Node *replicator, const SkeletonTurns *turns,
                   int64_t number);
typedef enum SkeletonTruth { TRUTH_FALSE, TRUTH_TRUE, TRUTH_TESTED, TRUTH_ANY } SkeletonTruth;
/* skeleton_truth -- of a condition; where it can be tested in the model, how. */
SkeletonTruth skeleton_truth(Skeleton *skeleton, const Node *condition, const char **test);

/* ---- skeleton_channel.c ---- */
/* skeleton_is_channel -- a channel or MUTEX, or an array of them. */
bool skeleton_is_channel(const Type *type);
/* skeleton_answer -- the channel by which a message is answered; NULL: it is not. */
const char *skeleton_answer(Skeleton *skeleton, const SkeletonRef *ref);
/* skeleton_tag -- of an output: that of its protocol, from 1, which is the message; else 0. */
int skeleton_tag(const Node *output);
/* skeleton_lock -- what is true in the model while it is claimed; NULL: nobody else can claim it. */
const char *skeleton_lock(Skeleton *skeleton, const SkeletonRef *ref, Direction direction);
/* skeleton_connects -- may two processes meet there? */
bool skeleton_connects(const Type *type);
void skeleton_declare(Skeleton *skeleton, const Symbol *symbol);
/* skeleton_refer -- NULL: it is none, or more than the model knows, which has been said. */
SkeletonRef *skeleton_refer(Skeleton *skeleton, const Node *element);
void skeleton_bind(Skeleton *skeleton, const Symbol *symbol, SkeletonRef *ref);
/* skeleton_channel -- the channel in the model; a subscript that is not known is chosen first, by
 * lines that are written here. */
const char *skeleton_channel(Skeleton *skeleton, const SkeletonRef *ref, const char *array);

/* ---- skeleton_process.c ---- */
void skeleton_process(Skeleton *skeleton, const Node *process);
void skeleton_spec(Skeleton *skeleton, const Node *spec);
void skeleton_line(Skeleton *skeleton, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
const char *skeleton_name(Skeleton *skeleton, const char *what, const char *of);
void skeleton_refuse(Skeleton *skeleton, Location at, const char *what);

/* ---- skeleton_choice.c ---- */
void skeleton_alt(Skeleton *skeleton, const Node *alt);
void skeleton_if(Skeleton *skeleton, const Node *node);
void skeleton_case(Skeleton *skeleton, const Node *node);
void skeleton_variants(Skeleton *skeleton, const Node *input, bool is_answered_late);

/* ---- skeleton_par.c ---- */
void skeleton_par(Skeleton *skeleton, const Node *par);
void skeleton_call(Skeleton *skeleton, const Node *call);

#endif
