/* proof_form -- values as linear forms.
 *
 * Owns:   which definitions are exact, the ranges that types and operations imply.
 * Holds:  a sum that may wrap has a form only once it is proved not to wrap; the value of a checked
 *         operation has one where its check has passed. A value without one stands for itself. */
#include "edit.h"
#include "proof_state.h"

#include "intrinsic.h"

#define FORM_DEPTH    12u
#define NESTING_LIMIT 6u

typedef enum Exactness { EXACT_UNKNOWN, EXACT_ASKING, EXACT_NO, EXACT_YES } Exactness;

static bool add(Prover *prover, LinearForm *form, LLVMValueRef value, int64_t factor, FlowBlock *at,
                unsigned depth);

bool proof_constant(LLVMValueRef value, int64_t *constant) {
    if (LLVMIsAConstantInt(value) == NULL || LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64) {
        return false;
    }
    *constant = LLVMConstIntGetSExtValue(value);
    return true;
}

static LLVMValueRef operand(LLVMValueRef value, unsigned index) {
    return LLVMGetOperand(value, index);
}

/* ---- ranges ---- */

static bool type_range(LLVMValueRef value, int64_t *low, int64_t *high) {
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(value));
    if (width > 32) {
        return false;
    }
    *high = (INT64_C(1) << (width - 1)) - 1;
    *low = -*high - 1;
    return true;
}

static bool parameter_range(LLVMValueRef value, int64_t *low, int64_t *high) {
    static const char name[] = "range";
    LLVMValueRef function = LLVMGetParamParent(value);
    unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
    unsigned count = LLVMCountParams(function);
    bool is_ranged = false;
    for (unsigned i = 0; i < count; i++) {
        is_ranged = is_ranged || (LLVMGetParam(function, i) == value &&
                                  LLVMGetEnumAttributeAtIndex(function, i + 1, kind) != NULL);
    }
    if (is_ranged && type_range(value, low, high)) {
        *low = 0; /* counts are the only parameters with a range (attribute.c) */
        return true;
    }
    return type_range(value, low, high);
}

/* Zero to the greatest number of `width` bits. */
static bool bits_range(unsigned width, int64_t *low, int64_t *high) {
    *low = 0;
    *high = width < 40 ? (INT64_C(1) << width) - 1 : LINEAR_LIMIT;
    return width < 40;
}

static bool operation_range(LLVMValueRef value, int64_t *low, int64_t *high) {
    int64_t constant;
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(value));
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMZExt: return bits_range(LLVMGetIntTypeWidth(LLVMTypeOf(operand(value, 0))), low, high);
    case LLVMLShr:
        return proof_constant(operand(value, 1), &constant) && constant > 0 && constant < width &&
               bits_range(width - (unsigned)constant, low, high);
    case LLVMAnd:
        *low = 0;
        return (proof_constant(operand(value, 1), high) ||
                proof_constant(operand(value, 0), high)) &&
               *high >= 0;
    case LLVMURem:
        *low = 0;
        *high = proof_constant(operand(value, 1), &constant) ? constant - 1 : -1;
        return *high >= 0;
    case LLVMSRem:
        if (!proof_constant(operand(value, 1), &constant) || constant <= 0) {
            return false;
        }
        *high = constant - 1;
        *low = -*high;
        return true;
    default: return false;
    }
}

bool proof_range(LLVMValueRef value, int64_t *low, int64_t *high) {
    if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMIntegerTypeKind) {
        return false;
    }
    if (LLVMIsAArgument(value) != NULL) {
        return parameter_range(value, low, high);
    }
    return (LLVMIsAInstruction(value) != NULL && operation_range(value, low, high)) ||
           type_range(value, low, high);
}

bool proof_is_natural(LLVMValueRef value) {
    int64_t low, high;
    return proof_constant(value, &low) ? low >= 0 : proof_range(value, &low, &high) && low >= 0;
}

/* ---- does a sum wrap? ---- */

/* The operation on unbounded integers: left + right, left - right, left * constant. */
static bool add_operands(Prover *prover, LinearForm *form, LLVMValueRef value, LLVMOpcode opcode,
                         int64_t factor, FlowBlock *at, unsigned depth) {
    LLVMValueRef left = operand(value, 0);
    LLVMValueRef right = operand(value, 1);
    int64_t constant;
    switch (opcode) {
    case LLVMAdd:
    case LLVMSub:
        return add(prover, form, left, factor, at, depth) &&
               add(prover, form, right, opcode == LLVMAdd ? factor : -factor, at, depth);
    case LLVMMul:
        if (proof_constant(left, &constant)) {
            left = right;
        } else if (!proof_constant(right, &constant)) {
            return false;
        }
        return !__builtin_mul_overflow(factor, constant, &factor) &&
               (factor == 0 || add(prover, form, left, factor, at, depth));
    case LLVMShl:
        return proof_constant(right, &constant) && constant >= 0 && constant < 30 &&
               !__builtin_mul_overflow(factor, INT64_C(1) << constant, &factor) &&
               add(prover, form, left, factor, at, depth);
    default: return false;
    }
}

static bool fits_type(Prover *prover, const LinearForm *form, LLVMValueRef value, FlowBlock *at) {
    int64_t low, high;
    if (!type_range(value, &low, &high)) {
        return false;
    }
    LinearForm above = *form;
    above.constant -= high;
    LinearForm below = form_constant(low);
    return form_add(&below, form, -1) && proof_ask(prover, &above, at) &&
           proof_ask(prover, &below, at);
}

/* Is it proved that the operation, which may wrap by its type, never does where it is executed? */
static bool is_proved_exact(Prover *prover, LLVMValueRef value, LLVMOpcode opcode) {
    uintptr_t known = (uintptr_t)*name_map_at(&prover->exact, &value, sizeof value);
    FlowBlock *at = proof_block_of(prover, value);
    if (known != EXACT_UNKNOWN || prover->nesting >= NESTING_LIMIT || at == NULL) {
        return known == EXACT_YES;
    }
    *name_map_at(&prover->exact, &value, sizeof value) = (void *)EXACT_ASKING;
    LinearForm form = form_constant(0);
    bool is_exact = add_operands(prover, &form, value, opcode, 1, at, FORM_DEPTH) &&
                    fits_type(prover, &form, value, at);
    known = is_exact ? EXACT_YES : EXACT_NO;
    *name_map_at(&prover->exact, &value, sizeof value) = (void *)known;
    return is_exact;
}

bool proof_is_exact(const Prover *prover, LLVMValueRef value) {
    return (uintptr_t)name_map_find(&prover->exact, &value, sizeof value) == EXACT_YES;
}

/* ---- checked operations ---- */

bool proof_checked_operation(LLVMValueRef call, LLVMOpcode *opcode, bool *is_signed) {
    static const struct {
        const char *name;
        LLVMOpcode opcode;
        bool is_signed;
    } operations[] = {
        {"llvm.sadd.with.overflow", LLVMAdd, true},  {"llvm.ssub.with.overflow", LLVMSub, true},
        {"llvm.smul.with.overflow", LLVMMul, true},  {"llvm.uadd.with.overflow", LLVMAdd, false},
        {"llvm.usub.with.overflow", LLVMSub, false}, {"llvm.umul.with.overflow", LLVMMul, false},
    };
    unsigned called = intrinsic_called(call);
    for (size_t i = 0; called != 0 && i < sizeof operations / sizeof *operations; i++) {
        if (called == intrinsic_number(operations[i].name)) {
            *opcode = operations[i].opcode;
            *is_signed = operations[i].is_signed;
            return true;
        }
    }
    return false;
}

void proof_replace_pair(LLVMValueRef call, LLVMValueRef number, LLVMValueRef flag) {
    LLVMUseRef use;
    while ((use = LLVMGetFirstUse(call)) != NULL) {
        LLVMValueRef part = LLVMGetUser(use);
        LLVMValueRef none = flag != NULL ? flag : LLVMConstNull(LLVMTypeOf(part));
        LLVMReplaceAllUsesWith(part, LLVMGetIndices(part)[0] == 0 ? number : none);
        LLVMInstructionEraseFromParent(part);
    }
    LLVMInstructionEraseFromParent(call);
}

void proof_make_plain(LLVMBuilderRef builder, LLVMValueRef call) {
    LLVMOpcode opcode;
    bool is_signed;
    proof_checked_operation(call, &opcode, &is_signed);
    edit_before(builder, call);
    LLVMValueRef value =
        LLVMBuildBinOp(builder, opcode, LLVMGetOperand(call, 0), LLVMGetOperand(call, 1), "");
    if (LLVMIsAInstruction(value) != NULL) {
        LLVMSetNSW(value, is_signed);
        LLVMSetNUW(value, !is_signed);
    }
    proof_replace_pair(call, value, NULL);
}

LLVMValueRef proof_operation(LLVMValueRef value, LLVMOpcode *opcode, bool *is_signed) {
    *opcode = LLVMGetInstructionOpcode(value);
    *is_signed = true;
    if (*opcode != LLVMExtractValue) {
        return value;
    }
    LLVMValueRef call = LLVMGetOperand(value, 0);
    bool is_result =
        LLVMGetIndices(value)[0] == 0 && proof_checked_operation(call, opcode, is_signed);
    return is_result ? call : NULL;
}

/* The successor of a branch that is taken when `flag` (or its negation) is false. */
static LLVMBasicBlockRef block_when_false(LLVMValueRef flag, bool is_contrary) {
    for (LLVMUseRef use = LLVMGetFirstUse(flag); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        LLVMBasicBlockRef found = NULL;
        if (LLVMIsABranchInst(user) != NULL) {
            found = LLVMGetSuccessor(user, is_contrary ? 0 : 1);
        } else if (LLVMGetInstructionOpcode(user) == LLVMXor && !is_contrary &&
                   LLVMIsAConstantInt(operand(user, 1)) != NULL &&
                   LLVMConstIntGetZExtValue(operand(user, 1)) == 1) {
            found = block_when_false(user, true);
        }
        if (found != NULL) {
            return found;
        }
    }
    return NULL;
}

/* Has the check of the operation passed on every path to the end of the block? */
static bool has_passed(const Prover *prover, LLVMValueRef call, const FlowBlock *at) {
    for (LLVMUseRef use = LLVMGetFirstUse(call); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef flag = LLVMGetUser(use);
        if (LLVMIsAExtractValueInst(flag) == NULL || LLVMGetIndices(flag)[0] != 1) {
            continue;
        }
        LLVMBasicBlockRef passed = block_when_false(flag, false);
        FlowBlock *behind = passed != NULL ? flow_graph_block(prover->graph, passed) : NULL;
        if (behind != NULL && behind->before.count == 1 && flow_dominates(behind, at)) {
            return true;
        }
    }
    return false;
}

static bool add_checked(Prover *prover, LinearForm *form, LLVMValueRef value, int64_t factor,
                        FlowBlock *at, unsigned depth) {
    LLVMValueRef call = operand(value, 0);
    LLVMOpcode opcode;
    bool is_signed;
    return proof_checked_operation(call, &opcode, &is_signed) && is_signed &&
           LLVMGetIndices(value)[0] == 0 && has_passed(prover, call, at) &&
           add_operands(prover, form, call, opcode, factor, at, depth);
}

/* ---- forms ---- */

static bool is_shift_or_sum(LLVMOpcode opcode) {
    return opcode == LLVMAdd || opcode == LLVMSub || opcode == LLVMMul || opcode == LLVMShl;
}

/* form + factor * value, if the value's definition is exact. */
static bool add_definition(Prover *prover, LinearForm *form, LLVMValueRef value, int64_t factor,
                           FlowBlock *at, unsigned depth) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    if (is_shift_or_sum(opcode)) {
        return (LLVMGetNSW(value) || is_proved_exact(prover, value, opcode)) &&
               add_operands(prover, form, value, opcode, factor, at, depth);
    }
    switch (opcode) {
    case LLVMExtractValue: return add_checked(prover, form, value, factor, at, depth);
    case LLVMSExt:
        return LLVMGetIntTypeWidth(LLVMTypeOf(operand(value, 0))) > 1 &&
               add(prover, form, operand(value, 0), factor, at, depth);
    case LLVMZExt:
        return proof_is_natural(operand(value, 0)) &&
               add(prover, form, operand(value, 0), factor, at, depth);
    default: return false;
    }
}

static bool add(Prover *prover, LinearForm *form, LLVMValueRef value, int64_t factor, FlowBlock *at,
                unsigned depth) {
    int64_t constant;
    if (proof_constant(value, &constant)) {
        LinearForm number = form_constant(constant);
        return form_add(form, &number, factor);
    }
    if (LLVMIsUndef(value) || LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMIntegerTypeKind ||
        (LLVMIsAInstruction(value) == NULL && LLVMIsAArgument(value) == NULL)) {
        return false; /* an undefined value may differ from use to use */
    }
    LinearForm taken_apart = *form;
    if (depth > 0 && LLVMIsAInstruction(value) != NULL &&
        add_definition(prover, &taken_apart, value, factor, at, depth - 1)) {
        *form = taken_apart;
        return true;
    }
    return form_add_value(form, value, factor);
}

bool proof_add(Prover *prover, LinearForm *form, LLVMValueRef value, int64_t factor,
               FlowBlock *at) {
    return add(prover, form, value, factor, at, FORM_DEPTH);
}

bool prover_is_within(Prover *prover, LLVMValueRef operation, LLVMOpcode opcode, int64_t low,
                      int64_t high, FlowBlock *at) {
    LinearForm above = form_constant(-high);
    LinearForm below = form_constant(low);
    return add_operands(prover, &above, operation, opcode, 1, at, FORM_DEPTH) &&
           add_operands(prover, &below, operation, opcode, -1, at, FORM_DEPTH) &&
           prover_at_most_zero(prover, &above, at) && prover_at_most_zero(prover, &below, at);
}
