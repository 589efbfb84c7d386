/* machine -- a skeleton as instructions: what a search can step through.
 *
 * Owns:   the instructions, and where in a state the position of a task, a variable or a lock is.
 * Leaves: what the instructions do to machine_run.h.
 * Holds:  variables are in a state only when some choice, index or count depends on them. */
#ifndef OCCC_MACHINE_H
#define OCCC_MACHINE_H

#include "skeleton.h"

typedef enum MachineOp {
    OP_SEND,
    OP_AWAIT,   /* until the receiver has answered */
    OP_RECEIVE, /* STEP_RECEIVE and STEP_ALT */
    OP_ANSWER,
    OP_BRANCH,
    OP_TEST, /* target: when the condition is false */
    OP_JUMP,
    OP_FIRST_TURN,
    OP_TURN, /* target: after the last */
    OP_NEXT_TURN,
    OP_PICK,
    OP_SET,
    OP_PAR,
    OP_JOIN,
    OP_FORK,
    OP_LOCK,
    OP_UNLOCK,
    OP_CLOCK,
    OP_ELECT, /* target: behind the steps of who is elected */
    OP_UNTIL,
    OP_STOP,
    OP_END
} MachineOp;

/* MachineOption -- one of the messages that an OP_RECEIVE may take, or give. */
typedef struct MachineOption {
    const SkeletonGuard *guard;
    const SkeletonVariant *variant;
    unsigned target;
} MachineOption;

typedef struct Instruction {
    MachineOp op;
    const SkeletonStep *step;
    SkeletonPlace place;
    unsigned target;
    ARRAY_OF(MachineOption) options;
    ARRAY_OF(unsigned) targets; /* OP_BRANCH: one for each choice */
} Instruction;

/* MachineUse -- a task inputs from a channel, or outputs to it. */
typedef struct MachineUse {
    unsigned task;
    SkeletonPlace place;
    bool is_output;
} MachineUse;

/* MachineMember -- whose a member of a clock is. */
typedef struct MachineMember {
    unsigned task;
    const SkeletonMember *member;
} MachineMember;

typedef struct Machine {
    Arena *arena;
    const Skeleton *skeleton;
    ARRAY_OF(Instruction) code;
    unsigned *starts; /* of each task */
    ARRAY_OF(MachineUse) uses;
    ARRAY_OF(MachineMember) members; /* each once or more */
    size_t *variable_words; /* of each variable: its first word; SIZE_MAX: it is not there */
    size_t *lock_words;     /* of each channel, likewise; of a shared one input ends, output ends */
    size_t words;           /* of a state: first one for the position of each task */
} Machine;

Machine *machine_make(Arena *arena, const Skeleton *skeleton);
/* machine_watched -- for each variable: does a choice, an index or a count depend on it? */
bool *machine_watched(Arena *arena, const Skeleton *skeleton);

#endif
