/* proof_state -- what the files of the prover share; nobody else includes it. */
#ifndef OCCC_PROOF_STATE_H
#define OCCC_PROOF_STATE_H

#include "proof.h"

#define HYPOTHESES 8u

/* Fact -- the form is at most 0; or only known not to be 0 (is_difference). */
typedef struct Fact {
    LinearForm form;
    bool is_difference;
} Fact;

typedef ARRAY_OF(Fact) Facts;

/* Point -- the end of a block, and what else is true there now. */
typedef struct Point {
    FlowBlock *block;
    const Facts *extra; /* or NULL */
} Point;

/* Hypothesis -- whenever `block` was entered before, `form` was at most 0. */
typedef struct Hypothesis {
    const FlowBlock *block;
    LinearForm form;
} Hypothesis;

struct Prover {
    Arena *arena;
    FlowGraph *graph;
    ProofModule *module; /* NULL: the callers are not known */
    LLVMValueRef function;
    struct ProofCalls *calls; /* its own or its original's; NULL: not looked for yet */
    NameMap exact;            /* LLVMValueRef -> Exactness */
    unsigned nesting;         /* of questions asked to answer another */
    unsigned steps;           /* left for this question */
    Hypothesis hypotheses[HYPOTHESES];
    unsigned first, count; /* those in use */
    bool may_pace;         /* values may be compared with counters */
};

/* ---- proof.c ---- */

bool proof_search(Prover *prover, const LinearForm *goal, const Point *at, unsigned depth);
/* proof_ask -- a separate question, without the hypotheses of the one being answered. */
bool proof_ask(Prover *prover, const LinearForm *goal, FlowBlock *at);
/* proof_ask_anew -- the same with a given effort, whatever the prover is busy with. */
bool proof_ask_anew(Prover *prover, const LinearForm *goal, FlowBlock *at, unsigned depth,
                    unsigned steps);
FlowBlock *proof_block_of(const Prover *prover, LLVMValueRef value);
/* proof_is_known -- is the value computed on every path to the end of the block? */
bool proof_is_known(const Prover *prover, LLVMValueRef value, const FlowBlock *at);

/* ---- proof_form.c ---- */

/* proof_add -- form + factor * value, with the value replaced by its definition. */
bool proof_add(Prover *prover, LinearForm *form, LLVMValueRef value, int64_t factor, FlowBlock *at);
/* proof_range -- the range that the value's type and operation alone imply; false: none. */
bool proof_range(LLVMValueRef value, int64_t *low, int64_t *high);
bool proof_is_natural(LLVMValueRef value);
bool proof_constant(LLVMValueRef value, int64_t *constant);

/* ---- proof_fact.c ---- */

/* proof_facts -- the facts of the edge into the block, if there is only one. */
const Facts *proof_facts(Prover *prover, FlowBlock *block);
/* proof_informed -- the block, or the nearest of its dominators whose facts are not empty, or NULL.
 * A long sequence of choices is a long chain of dominators without facts: those found once are
 * skipped. */
FlowBlock *proof_informed(Prover *prover, FlowBlock *block);
/* proof_add_condition -- what follows from the condition being true (or false). */
void proof_add_condition(Prover *prover, Facts *facts, LLVMValueRef condition, bool is_true,
                         FlowBlock *at);
void proof_add_edge(Prover *prover, Facts *facts, FlowBlock *from, const FlowBlock *to);

/* ---- proof_bound.c ---- */

/* proof_add_bounds -- what the definition implies for a value without an exact form. */
void proof_add_bounds(Prover *prover, Facts *facts, LLVMValueRef value, const Point *at,
                      unsigned depth);
/* proof_choices -- the operands that it may equal: of min, max and select; 0: none of these. */
unsigned proof_choices(Prover *prover, LLVMValueRef value, const Point *at, unsigned depth,
                       LLVMValueRef choices[2]);

/* ---- proof_caller.c ---- */

/* proof_holds_for_callers -- is the goal about parameters alone, and true at every call? */
bool proof_holds_for_callers(Prover *prover, const LinearForm *goal);
/* proof_look_at_callers -- compare the parameters, once; false: done already, or not possible. */
bool proof_look_at_callers(Prover *prover);
/* proof_fact_of_callers -- fact number `index` about the parameters; false: no more. */
bool proof_fact_of_callers(Prover *prover, size_t index, LinearForm *fact);
/* Answers found between these are kept for all questions, so nothing assumed may be used. */
void proof_begin_aside(Prover *prover);
void proof_end_aside(Prover *prover);
void proof_begin_answer(Prover *prover);

/* ---- proof_pace.c ---- */

/* proof_pace -- as a fact: the value has grown no more than a counter of its loop, if any. */
bool proof_pace(const Prover *prover, LLVMValueRef phi, LinearForm *fact);

#endif
