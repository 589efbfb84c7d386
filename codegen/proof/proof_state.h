/* proof_state -- what the files of the prover share; nobody else includes it. */
#ifndef OCCC_PROOF_STATE_H
#define OCCC_PROOF_STATE_H

#include "proof.h"

#define HYPOTHESES 8u

/* Facts -- each form is at most 0. */
typedef ARRAY_OF(LinearForm) Facts;

/* Point -- the end of a block, and what else is true there now. */
typedef struct Point {
    FlowBlock *block;
    const Facts *extra; /* or NULL */
} Point;

/* Hypothesis -- whenever `block` is entered, `form` is at most 0: of earlier times. */
typedef struct Hypothesis {
    const FlowBlock *block;
    LinearForm form;
} Hypothesis;

struct Prover {
    Arena *arena;
    FlowGraph *graph;
    NameMap exact;    /* LLVMValueRef -> Exactness */
    unsigned nesting; /* of questions asked to answer another */
    unsigned steps;   /* left for this question */
    Hypothesis hypotheses[HYPOTHESES];
    unsigned first, count; /* those in use */
    bool may_pace;         /* values may be compared with counters */
};

/* ---- proof.c ---- */

bool proof_search(Prover *prover, const LinearForm *goal, const Point *at, unsigned depth);
/* proof_ask -- a question of its own, without the hypotheses of the one being answered. */
bool proof_ask(Prover *prover, const LinearForm *goal, FlowBlock *at);
FlowBlock *proof_block_of(const Prover *prover, LLVMValueRef value);
/* proof_is_known -- the value is computed on every way to the end of the block. */
bool proof_is_known(const Prover *prover, LLVMValueRef value, const FlowBlock *at);

/* ---- proof_form.c ---- */

/* proof_add -- form + factor * value, the value taken apart. */
bool proof_add(Prover *prover, LinearForm *form, LLVMValueRef value, int64_t factor, FlowBlock *at);
/* proof_range -- what the value's type and operation alone say; false: nothing. */
bool proof_range(LLVMValueRef value, int64_t *low, int64_t *high);
bool proof_is_natural(LLVMValueRef value);
bool proof_constant(LLVMValueRef value, int64_t *constant);

/* ---- proof_fact.c ---- */

/* proof_facts -- what the edge into the block says, if there is only one. */
const Facts *proof_facts(Prover *prover, FlowBlock *block);
/* proof_add_condition -- what follows when the condition has been found true (or false). */
void proof_add_condition(Prover *prover, Facts *facts, LLVMValueRef condition, bool is_true,
                         FlowBlock *at);
void proof_add_edge(Prover *prover, Facts *facts, FlowBlock *from, const FlowBlock *to);

/* ---- proof_bound.c ---- */

/* proof_add_bounds -- what the definition says of a value that has no exact form. */
void proof_add_bounds(Prover *prover, Facts *facts, LLVMValueRef value, const Point *at,
                      unsigned depth);
/* proof_choices -- the values it may be one of: min, max and select; 0: none of these. */
unsigned proof_choices(Prover *prover, LLVMValueRef value, const Point *at, unsigned depth,
                       LLVMValueRef choices[2]);

/* ---- proof_pace.c ---- */

/* proof_pace -- that the value has gained no more than a counter of its loop, if there is one. */
bool proof_pace(const Prover *prover, LLVMValueRef phi, LinearForm *fact);

#endif
