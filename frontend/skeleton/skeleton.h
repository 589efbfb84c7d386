/* skeleton -- the communication of a program as a tree of its own: what can be written for other
 * tools, and searched for deadlocks.
 *
 * Owns:   what a skeleton is, and how one is made of a checked program.
 * Leaves: the walk over the program to skeleton_walk.h; what is done with it to export/, deadlock/.
 * Holds:  a routine stands where it is called, and each branch of a PAR, of a replicated one each
 *         with its own index, is a task of its own: so each channel, variable and task is there
 *         once, and an index is a number or a variable of the skeleton. What is not known is any
 *         value: so a skeleton can do all that its program can, and more, but for the errors of the
 *         program. Times may be over at any time; the world outside is always ready. What a
 *         skeleton cannot have is among its refusals; with one it means nothing. */
#ifndef OCCC_SKELETON_H
#define OCCC_SKELETON_H

#include "types.h"

typedef struct SkeletonStep SkeletonStep;
typedef struct SkeletonTask SkeletonTask;
typedef ARRAY_OF(SkeletonStep *) SkeletonSteps;

/* ---- values ---- */

typedef struct SkeletonVariable {
    unsigned number; /* from 0 */
    const char *name;
    const Type *type;  /* of an element; NULL: it counts turns, or is a choice */
    int64_t count;     /* elements of an array, in any number of dimensions; 1 */
    unsigned repeats;  /* of an object: how many loops it is declared in */
    bool is_object;    /* of a channel or object: its changes are steps whose order is tried */
    bool is_forgotten; /* several processes use it at any time: it has any value */
} SkeletonVariable;

typedef enum SkeletonValueKind {
    VALUE_ANY,
    VALUE_NUMBER,
    VALUE_VARIABLE,
    VALUE_OPERATION
} SkeletonValueKind;

/* SkeletonValue -- a number; BOOLs are 0 and 1. Of a monadic operation the left is NULL. */
typedef struct SkeletonValue {
    SkeletonValueKind kind;
    Operator op;
    int64_t number;
    const SkeletonVariable *variable;
    const struct SkeletonValue *index; /* of an element of the variable; NULL: it is none */
    const struct SkeletonValue *left;
    const struct SkeletonValue *right;
    const Type *type; /* of an operation: what does not fit is any; NULL: all does */
} SkeletonValue;

/* SkeletonSlot -- where a value goes; any index: each element may be it. */
typedef struct SkeletonSlot {
    const SkeletonVariable *variable; /* NULL: nothing that the skeleton follows */
    const SkeletonValue *index;
} SkeletonSlot;

/* ---- channels ---- */

typedef struct SkeletonChannel {
    unsigned number; /* from 0 */
    const char *name;
    Location at;
    int64_t count; /* elements, in any number of dimensions */
    bool is_mutex; /* it is a MUTEX, which is only claimed */
    bool is_shared;
    int64_t tags;                   /* the largest of its protocol, 0: it has none */
    const SkeletonVariable *closed; /* of each element: 1 when it is; of a MUTEX none */
    bool is_closed;                 /* by some step */
    unsigned repeats;               /* how many loops it is declared in */
    const SkeletonVariable *first;  /* of each element: numbers of an object of module sync */
    const SkeletonVariable *second;
} SkeletonChannel;

/* SkeletonPlace -- a channel or MUTEX. */
typedef struct SkeletonPlace {
    const SkeletonChannel *channel; /* NULL: the world outside */
    const SkeletonValue *index;
} SkeletonPlace;

/* ---- clocks ---- */

/* SkeletonClock -- a CLOCK or BARRIER. */
typedef struct SkeletonClock {
    const char *name;
    Location at;
    ARRAY_OF(const struct SkeletonMember *) members; /* who may be enrolled on it */
    bool has_block;                                  /* of a NEXT */
    bool is_joined_again; /* after a RESIGN: then the order of all that is done to it matters */
} SkeletonClock;

/* MemberState -- the value of `state` of a member. */
typedef enum MemberState {
    MEMBER_NONE, /* it is not enrolled, or has lent its registration */
    MEMBER_ACTIVE,
    MEMBER_RESUMED,
    MEMBER_OVER /* it has resumed, and the phase has ended since */
} MemberState;

/* SkeletonMember -- a registration of one process. */
typedef struct SkeletonMember {
    SkeletonClock *clock;
    const SkeletonVariable *state;
    const SkeletonVariable *lent; /* to so many branches that have not handed back */
    const struct SkeletonMember *lender;
} SkeletonMember;

typedef enum SkeletonClockOp {
    CLOCK_BEGIN,
    CLOCK_LEND,      /* to `members` */
    CLOCK_HAND_BACK, /* the last one; another one leaves */
    CLOCK_ARRIVE,    /* RESUME */
    CLOCK_LEAVE,
    CLOCK_JOIN
} SkeletonClockOp;

/* ---- processes ---- */

typedef enum SkeletonStepKind {
    STEP_SEND,
    STEP_RECEIVE, /* guards[0] alone, which has no condition */
    STEP_ALT,
    STEP_CHOICE, /* the first whose condition is true; when none is, the program ends */
    STEP_LOOP,   /* while the condition is true */
    STEP_TURNS,  /* variable = 0, 1, ... count - 1; of any count it has any value */
    STEP_PICK,   /* variable := value, or any from 0 to count - 1 */
    STEP_SET,    /* slot := value */
    STEP_PAR,
    STEP_CLAIM, /* place is held during the steps */
    STEP_LEAVE, /* place is given up during the steps */
    STEP_CLOCK,
    STEP_ELECT, /* of all members of the clock one does the steps, when all have come here */
    STEP_UNTIL, /* until the condition is true; then slot := value */
    STEP_FORK,  /* one of the tasks that is not there begins, with copies of the values */
    STEP_JOIN,  /* until none of the tasks is there */
    STEP_STOP
} SkeletonStepKind;

/* SkeletonVariant -- one of the messages of an input, and what follows. */
typedef struct SkeletonVariant {
    int64_t tag; /* its value and one; 0: any message */
    Location at;
    ARRAY_OF(SkeletonSlot) targets; /* one for each item, the tag left out */
    SkeletonSteps during;           /* before the sender goes on */
    SkeletonSteps after;
} SkeletonVariant;

typedef struct SkeletonGuard {
    const SkeletonValue *condition; /* NULL: true; is looked at while it waits */
    SkeletonPlace place;            /* outside: it is ready at any time */
    bool is_output;
    bool is_skip;
    Location at;
    int64_t tag; /* of an output */
    ARRAY_OF(const SkeletonValue *) values;
    ARRAY_OF(SkeletonVariant *) variants; /* of an output one */
} SkeletonGuard;

typedef struct SkeletonChoice {
    const SkeletonValue *condition; /* NULL: true */
    SkeletonSteps steps;
} SkeletonChoice;

struct SkeletonStep {
    SkeletonStepKind kind;
    Location at;
    const char *proc; /* in the text of which PROC it stands */
    SkeletonPlace place;
    int64_t tag;                            /* SEND */
    ARRAY_OF(const SkeletonValue *) values; /* SEND: the tag left out; FORK */
    ARRAY_OF(SkeletonGuard *) guards;
    ARRAY_OF(SkeletonChoice *) choices;
    const SkeletonValue *condition;
    SkeletonSteps steps;
    const SkeletonVariable *variable;
    const SkeletonValue *count; /* of TURNS; of PICK a number */
    const SkeletonValue *value;
    SkeletonSlot slot;
    ARRAY_OF(SkeletonTask *) tasks;
    Direction side; /* CLAIM of an end: which; of a MUTEX none */
    SkeletonClockOp clock_op;
    const char *event; /* ALT that the text calls by another name; `place` is what it is about */
    const SkeletonMember *member; /* CLOCK, ELECT; UNTIL: the end of its phase */
    ARRAY_OF(const SkeletonMember *) members;
};

/* SkeletonTask -- the root, a branch of a PAR, or one that is FORKed. */
struct SkeletonTask {
    unsigned number; /* from 0, the root; those inside of it follow it */
    unsigned first;  /* the first branch of its PAR */
    Location at;
    const char *proc;
    SkeletonSteps steps;
    ARRAY_OF(const SkeletonVariable *) loops;  /* of turns and choices around it, outermost first */
    ARRAY_OF(const SkeletonVariable *) copies; /* of a FORK: what its values go to */
};

typedef struct SkeletonRefusal {
    Location at;
    const char *what;
} SkeletonRefusal;

typedef ARRAY_OF(SkeletonRefusal) SkeletonRefusals;

typedef struct Skeleton {
    SkeletonTask *root;
    ARRAY_OF(SkeletonTask *) tasks;
    ARRAY_OF(SkeletonChannel *) channels;
    ARRAY_OF(SkeletonVariable *) variables;
    ARRAY_OF(SkeletonClock *) clocks;
    SkeletonRefusals refusals;
    SkeletonRefusals beyond; /* what can be searched, but not be written for other tools */
    bool has_extended;       /* some messages are used before the sender goes on */
} Skeleton;

/* skeleton_make -- of the program that begins with that PROC. With data it follows BOOLs and
 * integers that are variables of the program; without, these are any value. */
Skeleton *skeleton_make(Arena *arena, const Node *unit, const Node *proc, bool with_data);

/* skeleton_make_server -- of a PROC with #PRAGMA SERVER: the last step of the root is a PAR of it and
 * of clients, one for each of its channels, which ask at any time, and end at any time. */
Skeleton *skeleton_make_server(Arena *arena, const Node *unit, const Node *proc, bool with_data);

/* ---- skeleton_value.c ---- */
const SkeletonValue *skeleton_any(void);
const SkeletonValue *skeleton_number(Arena *arena, int64_t number);
const SkeletonValue *skeleton_of_variable(Arena *arena, const SkeletonVariable *variable,
                                          const SkeletonValue *index);
/* skeleton_operation -- a number, where it can be told. */
const SkeletonValue *skeleton_operation(Arena *arena, const SkeletonValue *left, Operator op,
                                        const SkeletonValue *right, const Type *type);
/* skeleton_apply -- the operation on two numbers; false: its value is any, or there is none. */
bool skeleton_apply(int64_t left, Operator op, int64_t right, const Type *type, int64_t *result);
/* skeleton_has_any -- does the value depend on any? */
bool skeleton_has_any(const SkeletonValue *value);

#endif
