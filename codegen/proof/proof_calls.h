/* proof_calls -- all calls of a function, and what they pass.
 *
 * Owns:   finding them: plain calls, calls on a block of their own, those of a routine's copies.
 * Leaves: which questions are asked of them, and when, to proof_caller.c.
 * Holds:  if some call of a function is not seen, it has no list at all (is_known). */
#ifndef OCCC_PROOF_CALLS_H
#define OCCC_PROOF_CALLS_H

#include "proof_state.h"

struct ProofModule {
    Arena *arena;
    NameMap provers;    /* LLVMValueRef -> Prover */
    unsigned assumed;   /* goals being asked of calls */
    unsigned aside;     /* open questions whose answers are kept for all */
    unsigned questions; /* left for this answer */
};

/* Site -- a call, where it is and what it passes; a value that is not known is NULL. */
typedef struct Site {
    Prover *prover;
    FlowBlock *block; /* NULL: never reached */
    LLVMValueRef *actuals;
} Site;

/* Remembered -- a goal that has been asked of all calls. */
typedef struct Remembered {
    LinearForm goal;
    bool holds;
    bool is_fact; /* used in every goal; others were asked for one goal, and would slow the rest */
} Remembered;

/* ProofCalls -- of a function and its copies; goals are about the parameters of `function`. */
struct ProofCalls {
    LLVMValueRef function;
    bool is_known;     /* are these all of them? */
    bool is_looked_at; /* have all parameters been compared? */
    ARRAY_OF(Site) sites;
    ARRAY_OF(LinearForm) assumed; /* of parameters of earlier activations */
    ARRAY_OF(Remembered) remembered;
};

/* proof_calls_of -- the calls of the prover's function and of its copies, found once. */
struct ProofCalls *proof_calls_of(Prover *prover);

#endif
