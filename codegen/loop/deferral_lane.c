/* deferral_lane -- a sum of INTs over the iterations, whose lanes tell whether it was in range.
 *
 * Holds:  the strip's sum begins with LANE, and all it becomes is gathered by OR. Where no bit from
 *         2 * LANE on was seen, each was in -LANE .. LANE - 1 without LANE: whatever one element
 *         adds to such a number, the result has such a bit if it is no such number. What vectors
 *         add up apart, in at most 16 lanes, is in -16 * LANE .. 16 * LANE - 1 after each iteration
 *         then, and so is the sum with a start of that size in range. */
#include "deferral_state.h"
#include "proof.h"

#define LANE  UINT64_C(0x4000000)
#define LANES 16u

static bool is_used_once(const Deferral *deferral, LLVMValueRef value, LLVMValueRef by) {
    for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (user != by && loop_has_block(&deferral->loop, LLVMGetInstructionParent(user))) {
            return false;
        }
    }
    return true;
}

/* Is it phi + term or phi - term, checked, and nothing else done with either in the loop? */
static bool is_plain_sum(const Deferral *deferral, const DeferredSum *sum) {
    LLVMOpcode opcode;
    bool is_signed = false;
    LLVMValueRef last = loop_last(&deferral->loop, sum->phi);
    LLVMValueRef operation = LLVMIsAExtractValueInst(last) != NULL ? LLVMGetOperand(last, 0) : NULL;
    return operation != NULL && proof_checked_operation(operation, &opcode, &is_signed) &&
           is_signed && (opcode == LLVMAdd || LLVMGetOperand(operation, 0) == sum->phi) &&
           is_used_once(deferral, sum->phi, operation) && is_used_once(deferral, last, sum->phi) &&
           sum->terms.count == 1 && width_of(sum->phi) == 32 &&
           LLVMIsALoadInst(sum->terms.items[0]) != NULL;
}

static bool reads_rows(const Deferral *deferral) {
    const LoopMemory *memory = &deferral->memory;
    bool are_rows = memory->stores == 0;
    for (size_t i = 0; are_rows && i < memory->accesses.count; i++) {
        const LoopAccess *access = &memory->accesses.items[i];
        are_rows = access->slope == 1 || access->slope == -1;
    }
    return are_rows;
}

void lane_plan(Deferral *deferral) {
    uint64_t single = count_single(deferral);
    bool is_laned = deferral->makes_vectors && deferral->sums.count == 1 &&
                    (single == 0 || count_suits(deferral_grain(deferral), single)) &&
                    loop_always_runs_all(&deferral->loop) && reads_rows(deferral) &&
                    is_plain_sum(deferral, &deferral->sums.items[0]);
    deferral->laned = is_laned ? deferral->sums.items[0].phi : NULL;
}

bool lane_tells(const Deferral *deferral, LLVMValueRef operation) {
    return deferral->laned != NULL && operation != NULL &&
           LLVMGetOperand(loop_last(&deferral->loop, deferral->laned), 0) == operation;
}

void lane_gather(Deferral *deferral, const LoopCopy *copy, LLVMBasicBlockRef before) {
    if (deferral->laned == NULL) {
        return;
    }
    LLVMValueRef phi = loop_copy_of(copy, deferral->laned);
    LLVMTypeRef type = LLVMTypeOf(phi);
    LLVMSetOperand(phi, LLVMGetIncomingBlock(phi, 0) == before ? 0 : 1,
                   LLVMConstInt(type, LANE, 0));
    LLVMValueRef last = loop_copy_of(copy, loop_last(&deferral->loop, deferral->laned));
    deferral->lanes = deferral_gather(deferral, copy, before, LLVMConstNull(type), last);
}

LLVMValueRef lane_test(const Deferral *deferral) {
    if (deferral->laned == NULL) {
        return NULL;
    }
    LLVMBuilderRef builder = deferral->builder;
    LLVMValueRef phi = deferral->laned;
    LLVMTypeRef type = LLVMTypeOf(phi);
    LLVMValueRef start = name_map_find(&deferral->starts, &phi, sizeof phi);
    LLVMValueRef room = LLVMConstInt(type, LANES * LANE, 0);
    LLVMValueRef shifted = LLVMBuildAdd(builder, start, room, "");
    LLVMValueRef is_small = LLVMBuildICmp(builder, LLVMIntSGE, shifted, LLVMConstNull(type), "");
    LLVMValueRef end = LLVMConstInt(type, 2 * LANE, 0);
    return LLVMBuildAnd(builder, is_small,
                        LLVMBuildICmp(builder, LLVMIntULT, deferral->lanes, end, ""), "");
}

LLVMValueRef lane_total(const Deferral *deferral, const LoopCopy *copy, LLVMValueRef phi) {
    LLVMValueRef total = loop_copy_of(copy, phi);
    if (phi != deferral->laned) {
        return total;
    }
    LLVMValueRef start = name_map_find(&deferral->starts, &phi, sizeof phi);
    LLVMValueRef added =
        LLVMBuildSub(deferral->builder, total, LLVMConstInt(LLVMTypeOf(total), LANE, 0), "");
    return LLVMBuildAdd(deferral->builder, start, added, "");
}
