/* deferral_flag -- checks themselves, one by one, gathered over a strip.
 *
 * Owns:   how the failure of one check looks as bits that vectors can be made of.
 * Holds:  a flag that was up once stays up. The overflow of s = a + b is in the sign of
 *         (a > s) ^ b where vectors are compared in one, else of (a ^ s) & (b ^ s); where there is
 *         a saturating operation, in what differs from it, and without sign in what is left when
 *         the larger one is taken away. Whether values are all below a power of two is seen from
 *         their bits together. */
#include "deferral_state.h"

#include "intrinsic.h"
#include "proof.h"

#define SATURATING_WIDTH 16u /* up to this width x86-64 has such operations on vectors */
#define COMPARED_WIDTH   32u /* above the former it compares vectors of this width in one */

LLVMValueRef deferral_both(Deferral *deferral, LLVMValueRef a, LLVMValueRef b) {
    return a == NULL ? b : b == NULL ? a : LLVMBuildAnd(deferral->builder, a, b, "");
}

LLVMValueRef deferral_without_not(LLVMValueRef condition, bool *is_contrary) {
    while (LLVMIsAInstruction(condition) != NULL &&
           LLVMGetInstructionOpcode(condition) == LLVMXor &&
           LLVMIsAConstantInt(LLVMGetOperand(condition, 1)) != NULL) {
        *is_contrary ^= !LLVMIsNull(LLVMGetOperand(condition, 1));
        condition = LLVMGetOperand(condition, 0);
    }
    return condition;
}

LLVMValueRef deferral_operation(LLVMValueRef condition) {
    bool is_contrary = false;
    LLVMOpcode opcode;
    bool is_signed;
    LLVMValueRef flag = deferral_without_not(condition, &is_contrary);
    if (LLVMIsAExtractValueInst(flag) == NULL || LLVMGetIndices(flag)[0] != 1) {
        return NULL;
    }
    LLVMValueRef call = LLVMGetOperand(flag, 0);
    return proof_checked_operation(call, &opcode, &is_signed) ? call : NULL;
}

/* ---- planning ---- */

DeferredFlag *flag_of_form(Deferral *deferral, DeferredFlag flag) {
    for (size_t i = 0; i < deferral->flags.count; i++) {
        DeferredFlag *other = &deferral->flags.items[i];
        if (other->type == flag.type && other->is_sign == flag.is_sign &&
            other->most == flag.most) {
            return other;
        }
    }
    array_push(deferral->arena, &deferral->flags, flag);
    return &deferral->flags.items[deferral->flags.count - 1];
}

static bool is_always(const Deferral *deferral, LLVMValueRef instruction) {
    return loop_is_always(&deferral->loop, LLVMGetInstructionParent(instruction));
}

unsigned flag_cost(LLVMValueRef operation) {
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(operation, 0)));
    return width > COMPARED_WIDTH ? 4 : 3;
}

/* Limited -- a value, and the 2^n - 1 that it plus `offset` must not be above, without sign. */
typedef struct Limited {
    LLVMValueRef value, most, offset;
} Limited;

static bool compares(LLVMValueRef made, LLVMIntPredicate predicate) {
    return LLVMIsAICmpInst(made) != NULL && LLVMGetICmpPredicate(made) == predicate &&
           LLVMIsAConstantInt(LLVMGetOperand(made, 1)) != NULL;
}

/* value <= most without sign, or low <= value <= high. */
static Limited limited_by(LLVMValueRef made) {
    Limited limited = {NULL, NULL, NULL};
    if (compares(made, LLVMIntULE)) {
        limited.value = LLVMGetOperand(made, 0);
        limited.most = LLVMGetOperand(made, 1);
        limited.offset = LLVMConstNull(LLVMTypeOf(limited.most));
    } else if (LLVMGetInstructionOpcode(made) == LLVMAnd) {
        LLVMValueRef below = LLVMGetOperand(made, 0);
        LLVMValueRef above = LLVMGetOperand(made, 1);
        if (compares(below, LLVMIntSLE) && compares(above, LLVMIntSGE) &&
            LLVMGetOperand(below, 0) == LLVMGetOperand(above, 0)) {
            limited.value = LLVMGetOperand(below, 0);
            limited.offset = LLVMConstNeg(LLVMGetOperand(above, 1));
            limited.most = LLVMConstAdd(LLVMGetOperand(below, 1), limited.offset);
        }
    }
    unsigned long long most = limited.most != NULL ? LLVMConstIntGetZExtValue(limited.most) : 1;
    return limited.most != NULL && (most & (most + 1)) == 0 ? limited : (Limited){NULL, NULL, NULL};
}

/* Does the check go on when the condition without its NOTs holds? */
static bool goes_on(const Deferral *deferral, const DeferredCheck *check, bool is_contrary) {
    bool when;
    return loop_check(&deferral->loop, check->branch, &when) && when != is_contrary;
}

bool flag_plan(Deferral *deferral, DeferredCheck check) {
    bool is_contrary = false;
    bool is_sign = false;
    LLVMValueRef most = NULL;
    LLVMTypeRef type = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(check.condition)));
    LLVMValueRef operation = deferral_operation(check.condition);
    LLVMValueRef made =
        operation != NULL ? operation : deferral_without_not(check.condition, &is_contrary);
    if (LLVMIsAInstruction(made) == NULL || !is_always(deferral, made) ||
        !is_always(deferral, check.branch)) {
        return false;
    }
    if (operation != NULL) {
        LLVMOpcode opcode;
        bool is_signed;
        type = LLVMTypeOf(LLVMGetOperand(operation, 0));
        is_sign = LLVMGetIntTypeWidth(type) > SATURATING_WIDTH;
        if (!proof_checked_operation(operation, &opcode, &is_signed) || opcode == LLVMMul) {
            return false;
        }
    } else if (LLVMIsAICmpInst(made) != NULL) {
        type = LLVMTypeOf(LLVMGetOperand(made, 0));
        if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind) {
            return false;
        }
    }
    if (operation == NULL && goes_on(deferral, &check, is_contrary)) {
        Limited limited = limited_by(made);
        most = limited.most;
        type = most != NULL ? LLVMTypeOf(most) : type;
    }
    DeferredFlag flag = {.type = type, .is_sign = is_sign, .most = most};
    array_push(deferral->arena, &flag_of_form(deferral, flag)->checks, check);
    return true;
}

/* ---- parts ---- */

LLVMValueRef deferral_saturating(Deferral *deferral, LLVMOpcode opcode, bool is_signed,
                                 LLVMValueRef left, LLVMValueRef right) {
    const char *name = opcode == LLVMAdd ? (is_signed ? "llvm.sadd.sat" : "llvm.uadd.sat")
                                         : (is_signed ? "llvm.ssub.sat" : "llvm.usub.sat");
    LLVMValueRef operands[] = {left, right};
    return intrinsic_call(deferral->builder, name, LLVMTypeOf(left), operands, 2);
}

/* The sign says that left + right (or left - right) became `value` by wrapping. */
static LLVMValueRef wrap_sign(LLVMBuilderRef builder, LLVMOpcode opcode, bool is_signed,
                              LLVMValueRef left, LLVMValueRef right, LLVMValueRef value) {
    if (is_signed && LLVMGetIntTypeWidth(LLVMTypeOf(value)) == COMPARED_WIDTH) {
        LLVMIntPredicate moved = opcode == LLVMAdd ? LLVMIntSGT : LLVMIntSLT;
        LLVMValueRef is_moved = LLVMBuildICmp(builder, moved, left, value, "");
        return LLVMBuildXor(builder, LLVMBuildSExt(builder, is_moved, LLVMTypeOf(value), ""), right,
                            "");
    }
    if (is_signed) {
        LLVMValueRef other = opcode == LLVMAdd ? value : left;
        return LLVMBuildAnd(builder, LLVMBuildXor(builder, left, value, ""),
                            LLVMBuildXor(builder, right, other, ""), "");
    }
    if (opcode == LLVMSub) {
        left = LLVMBuildNot(builder, left, "");
    } else {
        value = LLVMBuildNot(builder, value, "");
    }
    return LLVMBuildOr(builder, LLVMBuildAnd(builder, left, right, ""),
                       LLVMBuildAnd(builder, LLVMBuildOr(builder, left, right, ""), value, ""), "");
}

static LLVMValueRef part_of_operation(Deferral *deferral, const LoopCopy *copy,
                                      LLVMValueRef operation, bool is_sign) {
    LLVMOpcode opcode;
    bool is_signed;
    proof_checked_operation(operation, &opcode, &is_signed);
    LLVMValueRef left = loop_copy_of(copy, LLVMGetOperand(operation, 0));
    LLVMValueRef right = loop_copy_of(copy, LLVMGetOperand(operation, 1));
    if (!is_sign && !is_signed && opcode == LLVMSub) {
        return deferral_saturating(deferral, LLVMSub, false, right, left);
    }
    LLVMValueRef value = LLVMBuildBinOp(deferral->builder, opcode, left, right, "");
    if (!is_sign && !is_signed) {
        return deferral_saturating(deferral, LLVMSub, false, left, value);
    }
    if (is_sign) {
        return wrap_sign(deferral->builder, opcode, is_signed, left, right, value);
    }
    LLVMValueRef limited = deferral_saturating(deferral, opcode, is_signed, left, right);
    return LLVMBuildXor(deferral->builder, limited, value, "");
}

static LLVMValueRef part_of(Deferral *deferral, const LoopCopy *copy, const DeferredCheck *check,
                            const DeferredFlag *flag) {
    LLVMValueRef operation = deferral_operation(check->condition);
    if (operation != NULL) {
        return part_of_operation(deferral, copy, operation, flag->is_sign);
    }
    bool when;
    bool is_contrary = false;
    if (flag->most != NULL) {
        Limited limited = limited_by(deferral_without_not(check->condition, &is_contrary));
        LLVMValueRef value = loop_copy_of(copy, limited.value);
        return LLVMBuildAdd(deferral->builder, value, limited.offset, "");
    }
    loop_check(&deferral->loop, check->branch, &when);
    LLVMValueRef condition = loop_copy_of(copy, check->condition);
    if (when) {
        condition = LLVMBuildNot(deferral->builder, condition, "");
    }
    return LLVMBuildSExt(deferral->builder, condition, flag->type, "");
}

void flag_gather(Deferral *deferral, const LoopCopy *copy, LLVMBasicBlockRef before) {
    for (size_t i = 0; i < deferral->flags.count; i++) {
        DeferredFlag *flag = &deferral->flags.items[i];
        LLVMValueRef none = LLVMConstNull(flag->type);
        LLVMValueRef part = none;
        loop_copy_at_end(copy);
        for (size_t j = 0; j < flag->checks.count; j++) {
            LLVMValueRef one = part_of(deferral, copy, &flag->checks.items[j], flag);
            part = LLVMBuildOr(deferral->builder, part, one, "");
        }
        part = flag->is_sign ? difference_part(deferral, copy, flag->type, part) : part;
        flag->seen = deferral_gather(deferral, copy, before, none, part);
    }
}

LLVMValueRef flag_test(Deferral *deferral) {
    LLVMValueRef all = NULL;
    for (size_t i = 0; i < deferral->flags.count; i++) {
        const DeferredFlag *flag = &deferral->flags.items[i];
        LLVMIntPredicate predicate = flag->most != NULL ? LLVMIntULE
                                     : flag->is_sign    ? LLVMIntSGE
                                                        : LLVMIntEQ;
        LLVMValueRef none = flag->most != NULL ? flag->most : LLVMConstNull(flag->type);
        LLVMValueRef down = LLVMBuildICmp(deferral->builder, predicate, flag->seen, none, "");
        all = deferral_both(deferral, all, down);
    }
    return all;
}
