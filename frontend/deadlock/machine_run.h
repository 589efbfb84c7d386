/* machine_run -- the steps of a machine from a state.
 *
 * Owns:   what each instruction does.
 * Leaves: which steps are tried, and in which order, to search.h.
 * Holds:  a state is a row of words: for each task the number of its next instruction, 0 when it
 *         is not there; for each element of a watched variable its value, or WORD_ANY; for each
 *         lock the task that holds it and one more, or 0. */
#ifndef OCCC_MACHINE_RUN_H
#define OCCC_MACHINE_RUN_H

#include "machine.h"

typedef int32_t Word;
#define WORD_ANY INT32_MIN

/* machine_begin -- the state before the first step. */
void machine_begin(const Machine *machine, Word *state);

typedef enum Local {
    LOCAL_MOVES, /* the step has been made */
    LOCAL_WAITS, /* for another task, or it is not there */
    LOCAL_FORKS, /* several ways: machine_fork */
    LOCAL_ENDS   /* an error ends the program */
} Local;

/* machine_local -- a step that the task makes alone. */
Local machine_local(const Machine *machine, Word *state, unsigned task);
/* machine_fork -- the way of that number of a step that forks; false: there are no more. */
bool machine_fork(const Machine *machine, Word *state, unsigned task, size_t way);

/* Offer -- what a task waits for at a channel. */
typedef struct Offer {
    unsigned task;
    int64_t element; /* of all channels; -1: it is ready */
    int64_t tag;     /* of an output; of an input 0: any */
    bool is_output;
    bool is_plain;               /* there is no other */
    bool is_closed;              /* the channel is: an error */
    bool is_unsure;              /* it is not known whether it is ready */
    const SkeletonGuard *guard;  /* NULL: an output that is no guard */
    const MachineOption *option; /* likewise */
} Offer;
typedef ARRAY_OF(Offer) Offers;

/* machine_offers -- of all tasks. */
void machine_offers(const Machine *machine, const Word *state, Offers *offers);
/* machine_meet -- the message passes; both go on. */
void machine_meet(const Machine *machine, Word *state, const Offer *output, const Offer *input);
/* machine_take -- a ready guard. */
void machine_take(const Machine *machine, Word *state, const Offer *offer);
/* machine_clock -- the task does OP_CLOCK. */
void machine_clock(const Machine *machine, Word *state, unsigned task);
/* machine_member -- the state of the member. */
Word *machine_member(const Machine *machine, Word *state, const SkeletonMember *member);
/* machine_waits_for_turn -- a step that the task could make alone, but whose order others can see;
 * machine_take_turn makes it. */
bool machine_waits_for_turn(const Machine *machine, const Word *state, unsigned task);
void machine_take_turn(const Machine *machine, Word *state, unsigned task);
/* machine_lock -- the word of the lock that the task waits for; NULL: it does not. */
Word *machine_lock(const Machine *machine, Word *state, unsigned task);
/* machine_at -- the next instruction of the task. */
const Instruction *machine_at(const Machine *machine, const Word *state, unsigned task);
/* machine_value -- false: any. */
bool machine_value(const Machine *machine, const Word *state, const SkeletonValue *value,
                   int64_t *number);

#endif
