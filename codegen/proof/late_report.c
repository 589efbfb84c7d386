/* late_report -- see the header.
 *
 * A report takes its values as 64 bits. A value of 32 that is widened for it makes the load it
 * comes from a widening one, and the loop copies it down again for its own use: so a report whose
 * values are widened words is made of the words, which the runtime widens. And an operand of a sum
 * that nothing else wants would be kept past the sum only for the report: there it is what the sum,
 * which wraps, gives without the other operand. */
#include "late_report.h"

#include "llvm_compat.h"
#include "proof.h"

#include <llvm-c/DebugInfo.h>

#include <stddef.h>

#define ROUTINE       "occ_error"
#define ROUTINE_WORDS "occ_error_words"
#define FIRST_VALUE   2u /* behind the process and the site */
#define VALUES        3u

/* Reports -- the module's, and what one of words is called by. */
typedef struct Reports {
    LLVMBuilderRef builder;
    LLVMTypeRef word;
    LLVMTypeRef type; /* of a report of words */
    LLVMValueRef routine;
} Reports;

/* ---- words in place of what is widened ---- */

/* The 32 bits that the value is widened from with sign; NULL: there are none. */
static LLVMValueRef word_of(const Reports *reports, LLVMValueRef value) {
    if (LLVMIsAConstantInt(value) != NULL) {
        long long number = LLVMConstIntGetSExtValue(value);
        bool fits = number >= INT32_MIN && number <= INT32_MAX;
        return fits ? LLVMConstInt(reports->word, (unsigned long long)number, 1) : NULL;
    }
    bool is_natural = LLVMIsAZExtInst(value) != NULL;
    if (!is_natural && LLVMIsASExtInst(value) == NULL) {
        return NULL;
    }
    LLVMValueRef narrow = LLVMGetOperand(value, 0);
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(narrow));
    if (width < 32) {
        return is_natural ? LLVMBuildZExt(reports->builder, narrow, reports->word, "")
                          : LLVMBuildSExt(reports->builder, narrow, reports->word, "");
    }
    return width == 32 && (!is_natural || LLVMGetNNeg(value)) ? narrow : NULL;
}

static void erase_unused(LLVMValueRef value) {
    if (LLVMIsAInstruction(value) != NULL && LLVMGetFirstUse(value) == NULL) {
        LLVMInstructionEraseFromParent(value);
    }
}

/* The same report of words, if it can be one. */
static LLVMValueRef narrowed(const Reports *reports, LLVMValueRef report) {
    LLVMValueRef arguments[FIRST_VALUE + VALUES];
    LLVMPositionBuilderBefore(reports->builder, report);
    for (unsigned i = 0; i < FIRST_VALUE + VALUES; i++) {
        LLVMValueRef value = LLVMGetOperand(report, i);
        arguments[i] = i < FIRST_VALUE ? value : word_of(reports, value);
        if (arguments[i] == NULL) {
            return report;
        }
    }
    LLVMValueRef made = LLVMBuildCall2(reports->builder, reports->type, reports->routine, arguments,
                                       FIRST_VALUE + VALUES, "");
    LLVMInstructionSetDebugLoc(made, LLVMInstructionGetDebugLoc(report));
    LLVMSetTailCall(made, LLVMIsTailCall(report));
    LLVMValueRef wide[VALUES];
    for (unsigned i = 0; i < VALUES; i++) {
        wide[i] = LLVMGetOperand(report, FIRST_VALUE + i);
    }
    LLVMInstructionEraseFromParent(report);
    for (unsigned i = 0; i < VALUES; i++) {
        bool is_again = i > 0 && (wide[i] == wide[0] || (i > 1 && wide[i] == wide[1]));
        if (!is_again) {
            erase_unused(wide[i]);
        }
    }
    return made;
}

/* ---- operands that only the report wants ---- */

/* The checked sum whose overflow, and nothing else, leads to the block; NULL: none. */
static LLVMValueRef sum_reported_in(LLVMBasicBlockRef block) {
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    LLVMValueRef branch = use != NULL && LLVMGetNextUse(use) == NULL ? LLVMGetUser(use) : NULL;
    if (branch == NULL || LLVMIsABranchInst(branch) == NULL || !LLVMIsConditional(branch)) {
        return NULL;
    }
    LLVMValueRef flag = LLVMGetCondition(branch);
    bool is_flag = LLVMIsAExtractValueInst(flag) != NULL && LLVMGetIndices(flag)[0] == 1 &&
                   LLVMGetSuccessor(branch, 0) == block;
    LLVMOpcode opcode;
    bool is_signed;
    return is_flag && proof_checked_operation(LLVMGetOperand(flag, 0), &opcode, &is_signed) &&
                   opcode != LLVMMul
               ? LLVMGetOperand(flag, 0)
               : NULL;
}

static bool is_wanted_by_others(LLVMValueRef value, LLVMValueRef sum, LLVMValueRef report) {
    for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (user != sum && user != report) {
            return true;
        }
    }
    return false;
}

/* left + right = result, or left - right = result: the operand out of the two others. */
static LLVMValueRef operand_again(const Reports *reports, LLVMValueRef sum, unsigned index) {
    LLVMOpcode opcode;
    bool is_signed;
    LLVMValueRef result = LLVMBuildExtractValue(reports->builder, sum, 0, "");
    proof_checked_operation(sum, &opcode, &is_signed);
    LLVMValueRef other = LLVMGetOperand(sum, 1 - index);
    if (opcode == LLVMAdd) {
        return LLVMBuildSub(reports->builder, result, other, "");
    }
    return index == 0 ? LLVMBuildAdd(reports->builder, result, other, "")
                      : LLVMBuildSub(reports->builder, other, result, "");
}

static void drop_operand(const Reports *reports, LLVMValueRef report) {
    LLVMValueRef sum = sum_reported_in(LLVMGetInstructionParent(report));
    for (unsigned index = 0; sum != NULL && index < 2; index++) {
        LLVMValueRef operand = LLVMGetOperand(sum, index);
        bool is_told = LLVMIsAInstruction(operand) != NULL &&
                       LLVMGetOperand(report, FIRST_VALUE + index) == operand;
        if (is_told && operand != LLVMGetOperand(sum, 1 - index) &&
            !is_wanted_by_others(operand, sum, report)) {
            LLVMPositionBuilderBefore(reports->builder, report);
            LLVMSetOperand(report, FIRST_VALUE + index, operand_again(reports, sum, index));
            return;
        }
    }
}

/* ---- the module ---- */

static void declare_words(Reports *reports, LLVMModuleRef module, LLVMValueRef wide) {
    LLVMTypeRef pointer = LLVMTypeOf(LLVMGetParam(wide, 0));
    LLVMTypeRef types[] = {pointer, pointer, reports->word, reports->word, reports->word};
    LLVMTypeRef none = LLVMVoidTypeInContext(LLVMGetModuleContext(module));
    reports->type = LLVMFunctionType(none, types, FIRST_VALUE + VALUES, 0);
    reports->routine = LLVMAddFunction(module, ROUTINE_WORDS, reports->type);
    LLVMSetVisibility(reports->routine, LLVMGetVisibility(wide));
    unsigned count = LLVMGetAttributeCountAtIndex(wide, COMPAT_FUNCTION);
    LLVMAttributeRef attributes[8];
    if (count <= sizeof attributes / sizeof *attributes) {
        LLVMGetAttributesAtIndex(wide, COMPAT_FUNCTION, attributes);
        for (unsigned i = 0; i < count; i++) {
            LLVMAddAttributeAtIndex(reports->routine, COMPAT_FUNCTION, attributes[i]);
        }
    }
}

void late_report_settle(LLVMModuleRef module) {
    LLVMValueRef wide = LLVMGetNamedFunction(module, ROUTINE);
    if (wide == NULL) {
        return;
    }
    LLVMContextRef context = LLVMGetModuleContext(module);
    Reports reports = {.builder = LLVMCreateBuilderInContext(context),
                       .word = LLVMInt32TypeInContext(context)};
    declare_words(&reports, module, wide);
    LLVMUseRef use = LLVMGetFirstUse(wide);
    while (use != NULL) {
        LLVMValueRef report = LLVMGetUser(use);
        use = LLVMGetNextUse(use);
        if (LLVMIsACallInst(report) != NULL && LLVMGetCalledValue(report) == wide) {
            drop_operand(&reports, narrowed(&reports, report));
        }
    }
    LLVMDisposeBuilder(reports.builder);
}
