/* late_report -- see the header.
 *
 * A report takes its values as 64 bits. A 32-bit value that is widened for it makes the load before
 * it a widening one, and the loop narrows it again for its own use: so such a report is
 * replaced by one that takes words, which the runtime widens. And an operand of a sum would be kept
 * past the sum only for the report: there it is computed again from the other operand and the sum,
 * which wraps. */
#include "late_report.h"

#include "edit.h"
#include "llvm_compat.h"
#include "proof.h"

#include <llvm-c/DebugInfo.h>

#include <stddef.h>

#define ROUTINE       "occ_error"
#define ROUTINE_WORDS "occ_error_words"
#define FIRST_VALUE   2u /* after the process and the site */
#define VALUES        3u
#define EDGES         8u /* into one report, at most */

/* Reports -- those of the module, and how one that takes words is called. */
typedef struct Reports {
    LLVMBuilderRef builder;
    LLVMTypeRef word;
    LLVMTypeRef type; /* of a report that takes words */
    LLVMValueRef routine;
} Reports;

/* ---- words in place of widened values ---- */

/* The 32 bits that the value is sign-extended from; NULL: there are none. */
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

/* The same report with words, if possible. */
static LLVMValueRef narrowed(const Reports *reports, LLVMValueRef report) {
    LLVMValueRef arguments[FIRST_VALUE + VALUES];
    edit_before(reports->builder, report);
    for (unsigned i = 0; i < FIRST_VALUE + VALUES; i++) {
        LLVMValueRef value = LLVMGetOperand(report, i);
        arguments[i] = i < FIRST_VALUE ? value : word_of(reports, value);
        if (arguments[i] == NULL) {
            return report;
        }
    }
    LLVMValueRef made = LLVMBuildCall2(reports->builder, reports->type, reports->routine, arguments,
                                       FIRST_VALUE + VALUES, "");
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

/* ---- operands that only the report uses ---- */

/* Edge -- into a report: the overflow of a sum. */
typedef struct Edge {
    LLVMBasicBlockRef from;
    LLVMValueRef sum;
} Edge;

/* Edges -- all edges into one report, as an unrolled loop has several; 0: there are others too. */
typedef struct Edges {
    LLVMBasicBlockRef block;
    unsigned count;
    Edge items[EDGES];
    LLVMOpcode opcode;
} Edges;

/* The checked sum whose overflow alone takes the branch to the block; NULL: none. */
static LLVMValueRef sum_behind(LLVMValueRef branch, LLVMBasicBlockRef block, LLVMOpcode *opcode) {
    if (LLVMIsABranchInst(branch) == NULL || !LLVMIsConditional(branch)) {
        return NULL;
    }
    LLVMValueRef flag = LLVMGetCondition(branch);
    bool is_signed;
    bool is_sum = LLVMIsAExtractValueInst(flag) != NULL && LLVMGetIndices(flag)[0] == 1 &&
                  LLVMGetSuccessor(branch, 0) == block &&
                  proof_checked_operation(LLVMGetOperand(flag, 0), opcode, &is_signed) &&
                  *opcode != LLVMMul;
    return is_sum ? LLVMGetOperand(flag, 0) : NULL;
}

static Edges edges_into(LLVMBasicBlockRef block) {
    Edges edges = {.block = block};
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use != NULL;
         use = LLVMGetNextUse(use)) {
        LLVMOpcode opcode;
        LLVMValueRef sum = sum_behind(LLVMGetUser(use), block, &opcode);
        if (sum == NULL || edges.count == EDGES || (edges.count > 0 && opcode != edges.opcode)) {
            edges.count = 0;
            break;
        }
        edges.opcode = opcode;
        edges.items[edges.count++] = (Edge){LLVMGetInstructionParent(LLVMGetUser(use)), sum};
    }
    return edges;
}

static LLVMValueRef value_over(const Edges *edges, const Edge *edge, LLVMValueRef value) {
    if (LLVMIsAPHINode(value) == NULL || LLVMGetInstructionParent(value) != edges->block) {
        return value;
    }
    for (unsigned i = 0; i < LLVMCountIncoming(value); i++) {
        if (LLVMGetIncomingBlock(value, i) == edge->from) {
            return LLVMGetIncomingValue(value, i);
        }
    }
    return NULL;
}

/* Is the reported value, on every edge, that operand of the sum? */
static bool tells_operand(const Edges *edges, LLVMValueRef told, unsigned index) {
    for (unsigned i = 0; i < edges->count; i++) {
        const Edge *edge = &edges->items[i];
        if (value_over(edges, edge, told) != LLVMGetOperand(edge->sum, index)) {
            return false;
        }
    }
    return true;
}

static bool is_wanted_by_others(LLVMValueRef value, LLVMValueRef sum, LLVMValueRef told,
                                LLVMValueRef report) {
    for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (user != sum && user != told && user != report) {
            return true;
        }
    }
    return false;
}

/* Is the operand, on every edge, used only by the report? */
static bool is_kept_for(const Edges *edges, LLVMValueRef report, unsigned index) {
    LLVMValueRef told = LLVMGetOperand(report, FIRST_VALUE + index);
    for (unsigned i = 0; i < edges->count; i++) {
        LLVMValueRef sum = edges->items[i].sum;
        LLVMValueRef operand = LLVMGetOperand(sum, index);
        if (LLVMIsAInstruction(operand) == NULL || operand == LLVMGetOperand(sum, 1 - index) ||
            is_wanted_by_others(operand, sum, told, report)) {
            return false;
        }
    }
    return edges->count > 0;
}

/* The result of the sum, on whichever edge the report is reached. */
static LLVMValueRef result_over(const Reports *reports, const Edges *edges, LLVMValueRef report) {
    LLVMValueRef results[EDGES];
    LLVMBasicBlockRef from[EDGES];
    for (unsigned i = 0; i < edges->count; i++) {
        const Edge *edge = &edges->items[i];
        from[i] = edge->from;
        edit_before(reports->builder,
                    edges->count == 1 ? report : LLVMGetBasicBlockTerminator(edge->from));
        results[i] = LLVMBuildExtractValue(reports->builder, edge->sum, 0, "");
    }
    if (edges->count == 1) {
        return results[0];
    }
    edit_before(reports->builder, LLVMGetFirstInstruction(edges->block));
    LLVMValueRef phi = LLVMBuildPhi(reports->builder, LLVMTypeOf(results[0]), "");
    LLVMAddIncoming(phi, results, from, edges->count);
    edit_before(reports->builder, report);
    return phi;
}

/* left + right = result, or left - right = result: one operand from the other and the result. */
static LLVMValueRef operand_again(const Reports *reports, LLVMOpcode opcode, unsigned index,
                                  LLVMValueRef result, LLVMValueRef other) {
    if (opcode == LLVMAdd) {
        return LLVMBuildSub(reports->builder, result, other, "");
    }
    return index == 0 ? LLVMBuildAdd(reports->builder, result, other, "")
                      : LLVMBuildSub(reports->builder, other, result, "");
}

static void drop_operand(const Reports *reports, LLVMValueRef report) {
    Edges edges = edges_into(LLVMGetInstructionParent(report));
    for (unsigned index = 0; index < 2; index++) {
        LLVMValueRef told = LLVMGetOperand(report, FIRST_VALUE + index);
        LLVMValueRef other = LLVMGetOperand(report, FIRST_VALUE + 1 - index);
        if (is_kept_for(&edges, report, index) && tells_operand(&edges, told, index) &&
            tells_operand(&edges, other, 1 - index)) {
            LLVMValueRef result = result_over(reports, &edges, report);
            LLVMSetOperand(report, FIRST_VALUE + index,
                           operand_again(reports, edges.opcode, index, result, other));
            if (LLVMIsAPHINode(told) != NULL) {
                erase_unused(told);
            }
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
    Reports reports = {.builder = edit_open(module), .word = LLVMInt32TypeInContext(context)};
    declare_words(&reports, module, wide);
    LLVMUseRef use = LLVMGetFirstUse(wide);
    while (use != NULL) {
        LLVMValueRef report = LLVMGetUser(use);
        use = LLVMGetNextUse(use);
        if (LLVMIsACallInst(report) != NULL && LLVMGetCalledValue(report) == wide) {
            drop_operand(&reports, narrowed(&reports, report));
        }
    }
    edit_close(reports.builder);
}
