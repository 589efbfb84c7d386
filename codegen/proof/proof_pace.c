/* proof_pace -- a value of a loop that rises no faster than the loop's own counter.
 *
 * A sum like count := count + 1 in a loop that is known to end cannot be bounded by induction
 * alone: an iteration tells only that it grows. Compared with the counter it can: both start at
 * constants, and the counter grows by one in each iteration.
 *
 * Holds:  the result is only a candidate, which the search proves like any goal. */
#include "proof_state.h"

#define START_DEPTH 3u /* enclosing loops that are followed until the value is a constant */

/* Does it grow by one each time the block is entered again? */
static bool is_counter(LLVMValueRef phi) {
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef next = LLVMGetIncomingValue(phi, i);
        int64_t step;
        if (LLVMIsAInstruction(next) != NULL && LLVMGetInstructionOpcode(next) == LLVMAdd &&
            LLVMGetOperand(next, 0) == phi && LLVMGetNSW(next) &&
            proof_constant(LLVMGetOperand(next, 1), &step) && step == 1) {
            return true;
        }
    }
    return false;
}

/* The constant that the value has on entry to the loop, or to one around it. */
static bool starts_at(const Prover *prover, LLVMValueRef value, unsigned depth, int64_t *start) {
    if (proof_constant(value, start)) {
        return true;
    }
    const FlowBlock *block = LLVMIsAPHINode(value) != NULL ? proof_block_of(prover, value) : NULL;
    for (unsigned i = 0; block != NULL && depth > 0 && i < LLVMCountIncoming(value); i++) {
        FlowBlock *from = flow_graph_block(prover->graph, LLVMGetIncomingBlock(value, i));
        if (from != NULL && !flow_dominates(block, from)) {
            return starts_at(prover, LLVMGetIncomingValue(value, i), depth - 1, start);
        }
    }
    return false;
}

bool proof_pace(const Prover *prover, LLVMValueRef phi, LinearForm *fact) {
    int64_t start, counter_start;
    if (LLVMIsAPHINode(phi) == NULL || !starts_at(prover, phi, START_DEPTH, &start)) {
        return false;
    }
    for (LLVMValueRef each = LLVMGetFirstInstruction(LLVMGetInstructionParent(phi));
         LLVMIsAPHINode(each) != NULL; each = LLVMGetNextInstruction(each)) {
        if (each != phi && LLVMTypeOf(each) == LLVMTypeOf(phi) && is_counter(each) &&
            starts_at(prover, each, START_DEPTH, &counter_start)) {
            *fact = form_constant(counter_start - start);
            return form_add_value(fact, phi, 1) && form_add_value(fact, each, -1);
        }
    }
    return false;
}
