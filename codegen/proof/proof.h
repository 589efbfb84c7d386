/* proof -- is an inequality between integers of a function true whenever control is at a place?
 *
 * A goal is a linear form that is to be at most 0, at the end of a block. The search takes the goal
 * apart until its greatest value is at most 0, by
 *   facts       of branches that were taken on the way there: goal - k * fact, for k > 0
 *   definitions exact ones in place of the value (proof_form.c), bounds of the others
 *               (proof_bound.c)
 *   calls       a goal about parameters alone holds if it holds at each call (proof_caller.c)
 *   induction   a value that comes in by one of several edges has the property when it has it on
 *               each edge; on the edge that closes a loop the property may be used of the value
 *               the last time round.
 *
 * Holds:  "value" is always the one computed last. What relates values in SSA form when they are
 *         computed relates the last ones wherever all of them are known, since one that is computed
 *         anew stands before those that depend on it. Going back over an edge into block B is
 *         allowed only for goals whose values are computed at B's head or dominate it: then all of
 *         them are the last ones at the end of the edge too. Induction is over the times B is
 *         entered: a goal met behind a step back is about an earlier time.
 *         A goal that is not proved in a bounded number of steps is not proved. */
#ifndef OCCC_PROOF_H
#define OCCC_PROOF_H

#include "flow_graph.h"
#include "linear_form.h"

typedef struct Prover Prover;
/* ProofModule -- the provers of a module's functions, which ask each other (proof_caller.c). The
 * module stays as it is while there are questions. */
typedef struct ProofModule ProofModule;

/* prover_create -- of a function whose callers are not asked. */
Prover *prover_create(Arena *arena, FlowGraph *graph);
ProofModule *proof_module_create(Arena *arena);
/* proof_module_prover -- of the function; the same one each time. */
Prover *proof_module_prover(ProofModule *module, LLVMValueRef function);
const FlowGraph *prover_graph(const Prover *prover);
/* prover_at_most_zero -- the form is <= 0 whenever control is at the end of the block. */
bool prover_at_most_zero(Prover *prover, const LinearForm *goal, FlowBlock *at);
/* prover_at_most -- a + distance <= b there. */
bool prover_at_most(Prover *prover, LLVMValueRef a, int64_t distance, LLVMValueRef b,
                    FlowBlock *at);
/* prover_at_least -- a >= constant there; prover_not_above -- a <= constant. */
bool prover_at_least(Prover *prover, LLVMValueRef a, int64_t constant, FlowBlock *at);
bool prover_not_above(Prover *prover, LLVMValueRef a, int64_t constant, FlowBlock *at);
/* prover_is_within -- left op right (+ - *) is between low and high there. */
bool prover_is_within(Prover *prover, LLVMValueRef operation, LLVMOpcode opcode, int64_t low,
                      int64_t high, FlowBlock *at);
/* proof_checked_operation -- is the call an operation that tells overflow, and which? */
bool proof_checked_operation(LLVMValueRef call, LLVMOpcode *opcode, bool *is_signed);
/* proof_replace_pair -- number and flag (NULL: none is set) take the place of what was taken from a
 * checked operation, which goes. Nobody but such takings may use the operation itself. */
void proof_replace_pair(LLVMValueRef call, LLVMValueRef number, LLVMValueRef flag);
/* proof_make_plain -- a checked operation promises not to overflow, and has no flag. */
void proof_make_plain(LLVMBuilderRef builder, LLVMValueRef call);
/* proof_operation -- what gives the value: the instruction itself, or the checked operation that it
 * is the result of; NULL when it is another part of something. */
LLVMValueRef proof_operation(LLVMValueRef value, LLVMOpcode *opcode, bool *is_signed);
LLVMIntPredicate proof_contrary(LLVMIntPredicate predicate);
/* proof_is_plain_access -- a load or store that is neither volatile nor atomic. */
bool proof_is_plain_access(LLVMValueRef access);
/* proof_swapped -- what right says to left when left says this to right. */
LLVMIntPredicate proof_swapped(LLVMIntPredicate predicate);
/* proof_is_exact -- the sum, without a check, has been proved not to wrap on the way to an answer.
 */
bool proof_is_exact(const Prover *prover, LLVMValueRef value);

#endif
