/* proof -- is an inequality between integers of a function true whenever control is at a place?
 *
 * A goal is a linear form that must be at most 0 at the end of a block. The search rewrites the
 * goal until its greatest value is at most 0, by
 *   facts       of branches that were taken on the way there: goal - k * fact, for k > 0
 *   definitions exact ones in place of the value (proof_form.c), bounds of the others
 *               (proof_bound.c)
 *   calls       a goal about parameters alone holds if it holds at each call (proof_caller.c)
 *   induction   a phi has the property if its value has it on each edge; on the back-edge of a loop
 *               the property may be used for the value of the iteration before.
 *
 * Holds:  "value" is always the one computed last. Relations between SSA values that hold when they
 *         are computed hold wherever all of them are defined, since a value that is computed again
 *         comes before those that depend on it. Going back over an edge into block B is allowed
 *         only for goals whose values are computed at B's head or dominate it: then all of them are
 *         the last ones at the end of the edge too. Induction is over the times B is entered: a
 *         goal met after a step back is about an earlier time.
 *         A goal that is not proved in a bounded number of steps counts as not proved. */
#ifndef OCCC_PROOF_H
#define OCCC_PROOF_H

#include "flow_graph.h"
#include "linear_form.h"

typedef struct Prover Prover;
/* ProofModule -- the provers of a module's functions, which ask each other (proof_caller.c). The
 * module must not change while questions are asked. */
typedef struct ProofModule ProofModule;

/* prover_create -- for a function whose callers are not asked. */
Prover *prover_create(Arena *arena, FlowGraph *graph);
ProofModule *proof_module_create(Arena *arena);
/* proof_module_prover -- the prover of the function, the same one each time. */
Prover *proof_module_prover(ProofModule *module, LLVMValueRef function);
const FlowGraph *prover_graph(const Prover *prover);
/* prover_at_most_zero -- the form is <= 0 whenever control is at the end of the block. */
bool prover_at_most_zero(Prover *prover, const LinearForm *goal, FlowBlock *at);
/* prover_at_most -- a + distance <= b at the end of the block. */
bool prover_at_most(Prover *prover, LLVMValueRef a, int64_t distance, LLVMValueRef b,
                    FlowBlock *at);
/* prover_at_least -- a >= constant there; prover_not_above -- a <= constant. */
bool prover_at_least(Prover *prover, LLVMValueRef a, int64_t constant, FlowBlock *at);
bool prover_not_above(Prover *prover, LLVMValueRef a, int64_t constant, FlowBlock *at);
/* prover_is_within -- left op right (+ - *) is between low and high there. */
bool prover_is_within(Prover *prover, LLVMValueRef operation, LLVMOpcode opcode, int64_t low,
                      int64_t high, FlowBlock *at);
/* proof_checked_operation -- is the call an operation with an overflow flag, and which? */
bool proof_checked_operation(LLVMValueRef call, LLVMOpcode *opcode, bool *is_signed);
/* proof_replace_pair -- number and flag (NULL: false) replace what was extracted from the result of
 * a checked operation, which is deleted. Only such extractions may use the operation. */
void proof_replace_pair(LLVMValueRef call, LLVMValueRef number, LLVMValueRef flag);
/* proof_make_plain -- replace a checked operation by a plain one that promises not to overflow. */
void proof_make_plain(LLVMBuilderRef builder, LLVMValueRef call);
/* proof_operation -- the operation that computes the value: the instruction itself, or the checked
 * operation whose result it is; NULL: neither. */
LLVMValueRef proof_operation(LLVMValueRef value, LLVMOpcode *opcode, bool *is_signed);
LLVMIntPredicate proof_contrary(LLVMIntPredicate predicate);
/* proof_is_plain_access -- a load or store that is neither volatile nor atomic. */
bool proof_is_plain_access(LLVMValueRef access);
/* proof_swapped -- the predicate with left and right exchanged. */
LLVMIntPredicate proof_swapped(LLVMIntPredicate predicate);
/* proof_is_exact -- has the unchecked sum been proved not to wrap, on the way to an answer? */
bool proof_is_exact(const Prover *prover, LLVMValueRef value);

#endif
