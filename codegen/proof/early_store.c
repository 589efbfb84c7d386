/* early_store -- see the header.
 *
 * A processor can add to memory in one instruction, which also sets the overflow flag. LLVM uses it
 * where load, sum and store are in one block and the loaded value and the sum have no other use. So
 * the store moves before the branch, and the report (late_report.c) loads the sum. */
#include "early_store.h"

#include "edit.h"
#include "proof.h"
#include "redundant.h"

#include <llvm-c/DebugInfo.h>

#include <stddef.h>

/* Update -- a sum of a loaded value, stored where that was loaded from. */
typedef struct Update {
    LLVMValueRef branch; /* on the overflow */
    LLVMValueRef sum;    /* with its flag */
    LLVMValueRef load, store;
    LLVMBasicBlockRef report;
} Update;

/* ---- finding them ---- */

static bool is_used_once(LLVMValueRef value) {
    LLVMUseRef use = LLVMGetFirstUse(value);
    return use != NULL && LLVMGetNextUse(use) == NULL;
}

/* Is the value part `index` of a pair of result and flag? */
static bool is_part(LLVMValueRef value, unsigned index) {
    return LLVMIsAExtractValueInst(value) != NULL && LLVMGetIndices(value)[0] == index;
}

/* The operand that is loaded in the branch's block and used only by the sum; NULL: none. */
static LLVMValueRef loaded_operand(LLVMValueRef sum, LLVMOpcode opcode, LLVMBasicBlockRef block) {
    for (unsigned i = 0; i < (opcode == LLVMAdd ? 2u : 1u); i++) {
        LLVMValueRef operand = LLVMGetOperand(sum, i);
        if (LLVMIsALoadInst(operand) != NULL && LLVMGetInstructionParent(operand) == block &&
            proof_is_plain_access(operand) && is_used_once(operand)) {
            return operand;
        }
    }
    return NULL;
}

/* Does it not touch memory, and not depend on what others do to it? */
static bool is_apart_from_memory(LLVMValueRef instruction) {
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMExtractValue:
    case LLVMGetElementPtr:
    case LLVMAdd:
    case LLVMSub:
    case LLVMAnd:
    case LLVMOr:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
    case LLVMICmp:
    case LLVMSelect: return true;
    default: return false;
    }
}

/* The first memory access in the block, if it stores the sum where the operand came from. */
static LLVMValueRef store_of(const Update *update, LLVMBasicBlockRef block) {
    LLVMValueRef each = LLVMGetFirstInstruction(block);
    while (each != NULL && is_apart_from_memory(each)) {
        each = LLVMGetNextInstruction(each);
    }
    if (each == NULL || LLVMIsAStoreInst(each) == NULL || !proof_is_plain_access(each)) {
        return NULL;
    }
    LLVMValueRef value = LLVMGetOperand(each, 0);
    bool is_sum = is_part(value, 0) && LLVMGetOperand(value, 0) == update->sum;
    return is_sum && LLVMGetOperand(each, 1) == LLVMGetOperand(update->load, 0) ? each : NULL;
}

static bool has_one_way_in(LLVMBasicBlockRef block) {
    LLVMValueRef value = LLVMBasicBlockAsValue(block);
    return is_used_once(value);
}

/* Can the report's use of the sum be replaced by a load of what was stored? */
static bool can_be_loaded(const Update *update, LLVMValueRef user) {
    return LLVMGetInstructionParent(user) == update->report &&
           (LLVMIsAPHINode(user) != NULL || has_one_way_in(update->report));
}

static bool only_the_report_wants(const Update *update) {
    for (LLVMUseRef use = LLVMGetFirstUse(update->sum); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef part = LLVMGetUser(use);
        for (LLVMUseRef of = is_part(part, 0) ? LLVMGetFirstUse(part) : NULL; of != NULL;
             of = LLVMGetNextUse(of)) {
            LLVMValueRef user = LLVMGetUser(of);
            if (user != update->store && !can_be_loaded(update, user)) {
                return false;
            }
        }
    }
    return true;
}

static bool find_update(LLVMValueRef branch, Update *update) {
    bool passes;
    LLVMOpcode opcode;
    bool is_signed;
    if (!branch_is_check(branch, &passes) || passes || !is_part(LLVMGetCondition(branch), 1)) {
        return false;
    }
    LLVMBasicBlockRef next = LLVMGetSuccessor(branch, 1);
    *update = (Update){.branch = branch,
                       .sum = LLVMGetOperand(LLVMGetCondition(branch), 0),
                       .report = LLVMGetSuccessor(branch, 0)};
    if (!proof_checked_operation(update->sum, &opcode, &is_signed) || opcode == LLVMMul ||
        LLVMGetInstructionParent(update->sum) != LLVMGetInstructionParent(branch) ||
        !has_one_way_in(next)) {
        return false;
    }
    update->load = loaded_operand(update->sum, opcode, LLVMGetInstructionParent(branch));
    update->store = update->load != NULL ? store_of(update, next) : NULL;
    return update->store != NULL && only_the_report_wants(update);
}

/* ---- changing them ---- */

/* The phi with another value and another block for the edge from `from`. */
static void redirect(LLVMBuilderRef builder, LLVMValueRef phi, LLVMBasicBlockRef from,
                     LLVMBasicBlockRef by, const Update *update, LLVMValueRef loaded) {
    edit_before(builder, phi);
    LLVMValueRef made = LLVMBuildPhi(builder, LLVMTypeOf(phi), "");
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
        if (block == from) {
            bool is_sum = is_part(value, 0) && LLVMGetOperand(value, 0) == update->sum;
            value = is_sum ? loaded : value;
            block = by;
        }
        LLVMAddIncoming(made, &value, &block, 1);
    }
    LLVMReplaceAllUsesWith(phi, made);
    LLVMInstructionEraseFromParent(phi);
}

/* A block on the way to the report, which loads what was stored. */
static void load_for_report(LLVMBuilderRef builder, const Update *update) {
    LLVMBasicBlockRef from = LLVMGetInstructionParent(update->branch);
    LLVMContextRef context =
        LLVMGetModuleContext(LLVMGetGlobalParent(LLVMGetBasicBlockParent(from)));
    LLVMBasicBlockRef way = LLVMInsertBasicBlockInContext(context, update->report, "check.stored");
    edit_at_end(builder, way);
    LLVMValueRef loaded =
        LLVMBuildLoad2(builder, LLVMTypeOf(update->load), LLVMGetOperand(update->load, 0), "");
    LLVMBuildBr(builder, update->report);
    LLVMSetSuccessor(update->branch, 0, way);
    LLVMValueRef each = LLVMGetFirstInstruction(update->report);
    while (LLVMIsAPHINode(each) != NULL) {
        LLVMValueRef phi = each;
        each = LLVMGetNextInstruction(each);
        redirect(builder, phi, from, way, update, loaded);
    }
    LLVMUseRef use = LLVMGetFirstUse(update->sum);
    while (use != NULL) {
        LLVMValueRef part = LLVMGetUser(use);
        use = LLVMGetNextUse(use);
        if (is_part(part, 0)) {
            LLVMReplaceAllUsesWith(part, loaded);
            LLVMInstructionEraseFromParent(part);
        }
    }
}

static void store_first(LLVMBuilderRef builder, const Update *update) {
    LLVMInstructionRemoveFromParent(update->store);
    edit_before(builder, update->branch);
    LLVMValueRef result = LLVMBuildExtractValue(builder, update->sum, 0, "");
    LLVMSetOperand(update->store, 0, result);
    edit_insert(builder, update->store);
}

/* ---- the module ---- */

static void settle_function(LLVMBuilderRef builder, LLVMValueRef function) {
    LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
    for (; block != NULL; block = LLVMGetNextBasicBlock(block)) {
        Update update;
        if (find_update(LLVMGetBasicBlockTerminator(block), &update)) {
            LLVMSetOperand(update.store, 0, LLVMGetUndef(LLVMTypeOf(update.load)));
            load_for_report(builder, &update);
            store_first(builder, &update);
        }
    }
}

void early_store_settle(LLVMModuleRef module) {
    LLVMBuilderRef builder = edit_open(module);
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        settle_function(builder, function);
    }
    edit_close(builder);
}
