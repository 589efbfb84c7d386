/* foresight_block -- loops that run over one of several blocks of iterations, between which the
 * process looks for attention. Mostly there is but one block, of few iterations: for that such a
 * loop gets a copy that knows it and has none of the checks that hold at both ends of its range.
 *
 *   before:  ok, and count <= most? then the copy
 *   blocks:  done := 0, later stop; done < count? else exit
 *   block:   stop := the smaller of done + most and count
 *            the loop from done to stop
 *   end:     stop < count? then look, and to blocks
 *
 * Holds:  in the copy stop is count. What rises by 1 and is below a size does not overflow, so LLVM
 *         may compute it in the width of addresses. */
#include "edit.h"
#include "foresight_state.h"
#include "llvm_compat.h"
#include "loop_clone.h"
#include "proof.h"

#define MOST_COPIED 160u /* instructions */
#define MOST_COPIES 32u  /* in a routine: LLVM's time grows faster than its length */
#define OFTEN       1024u

/* What + 1 may be at most in a block: the operand of stop that is a sum. */
static LLVMValueRef block_size(const Range *range, const Range *all) {
    bool is_first = LLVMGetOperand(range->bound, 0) == all->bound;
    LLVMValueRef sum = LLVMGetOperand(range->bound, is_first ? 1 : 0);
    if (LLVMIsAInstruction(sum) == NULL || LLVMGetInstructionOpcode(sum) != LLVMAdd ||
        LLVMGetOperand(sum, 0) != range->start) {
        return NULL;
    }
    LLVMValueRef most = LLVMGetOperand(sum, 1);
    return LLVMIsAConstantInt(most) != NULL ? most : NULL;
}

static void promise_sum(const Range *all, const LoopClone *clone, const Check *check) {
    LLVMValueRef left, right;
    if (!range_is_unsigned(check->predicate) || range_is_fixed(all, check->left) ||
        LLVMIsAExtractValueInst(check->left) != NULL ||
        range_operation(check->left, &left, &right) != LLVMAdd ||
        (left != all->counter && right != all->counter)) {
        return;
    }
    LLVMValueRef sum = loop_clone_of(clone, check->left);
    LLVMSetNSW(sum, 1);
    LLVMSetNUW(sum, 1);
}

static void settle_check(const Range *all, LoopClone *clone, const Check *check) {
    LLVMValueRef branch = loop_clone_of(clone, check->branch);
    LLVMValueRef condition = LLVMGetCondition(branch);
    LLVMSetCondition(branch, LLVMConstInt(LLVMTypeOf(condition), check->when, 0));
    if (check->operation != NULL && loop_clone_of(clone, check->operation) != check->operation) {
        proof_make_plain(all->builder, loop_clone_of(clone, check->operation));
    } else if (check->operation == NULL) {
        promise_sum(all, clone, check);
    }
}

static void enter(const Range *all, const LoopClone *clone, LLVMBasicBlockRef blocks) {
    LLVMValueRef leads = LLVMGetBasicBlockTerminator(all->asked->block);
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(all->ok));
    edit_before(all->builder, leads);
    LLVMValueRef branch = LLVMBuildCondBr(all->builder, all->ok, clone->header, blocks);
    compat_set_branch_weights(context, branch, OFTEN, 1);
    LLVMInstructionEraseFromParent(leads);
}

bool block_foresee(const Range *range, const Checks *checks, unsigned copies) {
    Range all;
    LoopClone clone = {.arena = range->arena, .builder = range->builder};
    if (copies >= MOST_COPIES || !range_widen(range, &all)) {
        return false;
    }
    Checks of_all = checks_find(&all);
    LLVMValueRef most = block_size(range, &all);
    FlowBlock *blocks = flow_graph_block(range->graph, LLVMGetInstructionParent(range->start));
    if (of_all.count < checks->count || most == NULL ||
        !loop_clone_find(&clone, blocks, loop_edges(blocks).latch, MOST_COPIED)) {
        return false;
    }
    loop_clone_build(&clone, all.asked);
    checks_demand(&all, &of_all);
    range_demand(&all, LLVMBuildICmp(all.builder, LLVMIntULE, all.bound, most, ""));
    LLVMReplaceAllUsesWith(loop_clone_of(&clone, range->bound), all.bound);
    for (size_t i = 0; i < of_all.count; i++) {
        settle_check(&all, &clone, &of_all.items[i]);
    }
    enter(&all, &clone, blocks->block);
    return true;
}
