/* operator -- arithmetic, bits, shifts and comparisons on scalars.
 *
 * Owns:   what each operator does to two registers, and its checks (language.md 1.6).
 * Leaves: AND and OR to expression.c, user-defined operators to call.c, folding of constants
 *         to frontend/types/constant_operator.c, whose results are the same to the bit.
 * Holds:  + - * are checked in the width of the type; PLUS MINUS TIMES wrap; reals are IEEE in
 *         round-to-nearest and silent. Without checks an overflow is undefined, as in C. */
#include "emit.h"

/* The value for a report: UINTs must not be shown as negative. All others are widened where the
 * check has failed (trap.c). */
LLVMValueRef emit_report_value(Emitter *emitter, LLVMValueRef value, const Type *type) {
    if (type_is_real(type)) {
        return NULL;
    }
    bool is_wide = type_bits(type) > 8;
    return is_wide && !type_is_signed(type)
               ? LLVMBuildZExt(emitter->builder, value, emitter->i64, "")
               : value;
}

/* ---- + - * ---- */

static const char *overflow_intrinsic(Operator op, bool is_signed) {
    switch (op) {
    case OPERATOR_ADD: return is_signed ? "llvm.sadd.with.overflow" : "llvm.uadd.with.overflow";
    case OPERATOR_SUBTRACT:
        return is_signed ? "llvm.ssub.with.overflow" : "llvm.usub.with.overflow";
    default: return is_signed ? "llvm.smul.with.overflow" : "llvm.umul.with.overflow";
    }
}

static LLVMOpcode integer_opcode(Operator op) {
    switch (op) {
    case OPERATOR_ADD:
    case OPERATOR_PLUS: return LLVMAdd;
    case OPERATOR_SUBTRACT:
    case OPERATOR_MINUS: return LLVMSub;
    default: return LLVMMul;
    }
}

static LLVMValueRef unchecked_arithmetic(Emitter *emitter, Operator op, const Type *type,
                                         LLVMValueRef left, LLVMValueRef right) {
    LLVMValueRef value = LLVMBuildBinOp(emitter->builder, integer_opcode(op), left, right, "");
    if (LLVMIsAInstruction(value) != NULL) {
        if (type_is_signed(type)) {
            LLVMSetNSW(value, 1);
        } else {
            LLVMSetNUW(value, 1);
        }
    }
    return value;
}

static LLVMValueRef checked_arithmetic(Emitter *emitter, Operator op, const Type *type,
                                       LLVMValueRef left, LLVMValueRef right, Location at) {
    if (!emitter->options->checks) {
        return unchecked_arithmetic(emitter, op, type, left, right);
    }
    LLVMValueRef operands[] = {left, right};
    LLVMValueRef pair = emit_intrinsic(emitter, overflow_intrinsic(op, type_is_signed(type)),
                                       LLVMTypeOf(left), operands, 2);
    LLVMValueRef value = LLVMBuildExtractValue(emitter->builder, pair, 0, "");
    LLVMValueRef overflow = LLVMBuildExtractValue(emitter->builder, pair, 1, "");
    emit_trap_if(emitter, overflow, ERROR_OVERFLOW, at, operator_spelling(op),
                 emit_report_value(emitter, left, type), emit_report_value(emitter, right, type),
                 NULL);
    return value;
}

/* ---- / and \ ---- */

static LLVMValueRef most_negative(LLVMTypeRef type) {
    return LLVMConstInt(type, 1ULL << (LLVMGetIntTypeWidth(type) - 1), 0);
}

static void check_divisor(Emitter *emitter, const Type *type, LLVMValueRef left, LLVMValueRef right,
                          Location at) {
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(right));
    LLVMValueRef ok = LLVMBuildICmp(emitter->builder, LLVMIntNE, right, zero, "");
    emit_trap_unless(emitter, ok, ERROR_DIVIDE_BY_ZERO, at, NULL,
                     emit_report_value(emitter, left, type), NULL, NULL);
}

static bool is_minus_one(LLVMValueRef value) {
    return LLVMIsConstant(value) && LLVMIsAConstantInt(value) != NULL &&
           LLVMConstIntGetSExtValue(value) == -1;
}

static bool may_be_minus_one(LLVMValueRef value) {
    return !LLVMIsConstant(value) || is_minus_one(value);
}

static LLVMValueRef divide_signed(Emitter *emitter, const Type *type, LLVMValueRef left,
                                  LLVMValueRef right, Location at) {
    LLVMBuilderRef builder = emitter->builder;
    if (may_be_minus_one(right)) {
        LLVMTypeRef width = LLVMTypeOf(right);
        LLVMValueRef minus_one = LLVMConstAllOnes(width);
        LLVMValueRef other = LLVMBuildICmp(builder, LLVMIntNE, right, minus_one, "");
        LLVMValueRef small = LLVMBuildICmp(builder, LLVMIntNE, left, most_negative(width), "");
        emit_trap_unless(emitter, LLVMBuildOr(builder, other, small, ""), ERROR_OVERFLOW, at,
                         operator_spelling(OPERATOR_DIVIDE), emit_report_value(emitter, left, type),
                         emit_report_value(emitter, right, type), NULL);
    }
    return LLVMBuildSDiv(builder, left, right, "");
}

/* x \ -1 is 0 for every x; the processor's division would trap for the most negative one. */
static LLVMValueRef remainder_signed(Emitter *emitter, LLVMValueRef left, LLVMValueRef right) {
    LLVMBuilderRef builder = emitter->builder;
    if (may_be_minus_one(right)) {
        LLVMTypeRef width = LLVMTypeOf(right);
        LLVMValueRef is_it = LLVMBuildICmp(builder, LLVMIntEQ, right, LLVMConstAllOnes(width), "");
        right = LLVMBuildSelect(builder, is_it, LLVMConstInt(width, 1, 0), right, "");
    }
    return LLVMBuildSRem(builder, left, right, "");
}

static LLVMValueRef divide_integers(Emitter *emitter, Operator op, const Type *type,
                                    LLVMValueRef left, LLVMValueRef right, Location at) {
    check_divisor(emitter, type, left, right, at);
    bool is_quotient = op == OPERATOR_DIVIDE;
    if (!type_is_signed(type)) {
        return is_quotient ? LLVMBuildUDiv(emitter->builder, left, right, "")
                           : LLVMBuildURem(emitter->builder, left, right, "");
    }
    return is_quotient ? divide_signed(emitter, type, left, right, at)
                       : remainder_signed(emitter, left, right);
}

/* ---- shifts: logical both ways, 0..width, a shift by the width gives 0 ---- */

LLVMValueRef emit_shift_bits(Emitter *emitter, LLVMOpcode opcode, LLVMValueRef value,
                             LLVMValueRef count) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMValueRef width = LLVMConstInt(LLVMTypeOf(count), LLVMGetIntTypeWidth(type), 0);
    LLVMValueRef partial = LLVMBuildICmp(builder, LLVMIntULT, count, width, "");
    LLVMValueRef same_width = LLVMBuildIntCast2(builder, count, type, 0, "");
    LLVMValueRef shifted = LLVMBuildBinOp(builder, opcode, value, same_width, "");
    return LLVMBuildSelect(builder, partial, shifted, LLVMConstNull(type), "");
}

void emit_check_shift(Emitter *emitter, LLVMValueRef count, unsigned width, Location at) {
    LLVMValueRef limit = emit_i32(emitter, width);
    LLVMValueRef ok = LLVMBuildICmp(emitter->builder, LLVMIntULE, count, limit, "");
    emit_trap_unless(emitter, ok, ERROR_SHIFT, at, NULL, count, limit, NULL);
}

static LLVMValueRef shift(Emitter *emitter, Operator op, LLVMValueRef value, LLVMValueRef count,
                          Location at) {
    emit_check_shift(emitter, count, LLVMGetIntTypeWidth(LLVMTypeOf(value)), at);
    return emit_shift_bits(emitter, op == OPERATOR_SHIFT_LEFT ? LLVMShl : LLVMLShr, value, count);
}

/* ---- comparisons ---- */

static LLVMIntPredicate integer_predicate(Operator op, bool is_signed) {
    switch (op) {
    case OPERATOR_EQUAL: return LLVMIntEQ;
    case OPERATOR_NOT_EQUAL: return LLVMIntNE;
    case OPERATOR_LESS: return is_signed ? LLVMIntSLT : LLVMIntULT;
    case OPERATOR_LESS_EQUAL: return is_signed ? LLVMIntSLE : LLVMIntULE;
    case OPERATOR_GREATER: return is_signed ? LLVMIntSGT : LLVMIntUGT;
    default: return is_signed ? LLVMIntSGE : LLVMIntUGE;
    }
}

/* As C: every comparison with a NaN is FALSE but <>. */
static LLVMRealPredicate real_predicate(Operator op) {
    switch (op) {
    case OPERATOR_EQUAL: return LLVMRealOEQ;
    case OPERATOR_NOT_EQUAL: return LLVMRealUNE;
    case OPERATOR_LESS: return LLVMRealOLT;
    case OPERATOR_LESS_EQUAL: return LLVMRealOLE;
    case OPERATOR_GREATER: return LLVMRealOGT;
    default: return LLVMRealOGE;
    }
}

LLVMValueRef emit_comparison(Emitter *emitter, Operator op, const Type *type, LLVMValueRef left,
                             LLVMValueRef right) {
    if (type_is_real(type)) {
        return LLVMBuildFCmp(emitter->builder, real_predicate(op), left, right, "");
    }
    if (op == OPERATOR_AFTER) { /* (left MINUS right) > 0, whatever the signedness */
        LLVMValueRef distance = LLVMBuildSub(emitter->builder, left, right, "");
        LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(left));
        return LLVMBuildICmp(emitter->builder, LLVMIntSGT, distance, zero, "");
    }
    return LLVMBuildICmp(emitter->builder, integer_predicate(op, type_is_signed(type)), left, right,
                         "");
}

/* ---- dyadic ---- */

static LLVMValueRef dyadic_real(Emitter *emitter, Operator op, const Type *type, LLVMValueRef left,
                                LLVMValueRef right) {
    LLVMBuilderRef builder = emitter->builder;
    switch (op) {
    case OPERATOR_ADD: return LLVMBuildFAdd(builder, left, right, "");
    case OPERATOR_SUBTRACT: return LLVMBuildFSub(builder, left, right, "");
    case OPERATOR_MULTIPLY: return LLVMBuildFMul(builder, left, right, "");
    case OPERATOR_DIVIDE: return LLVMBuildFDiv(builder, left, right, "");
    case OPERATOR_REMAINDER: {
        LLVMValueRef operands[] = {left, right};
        bool is_short = type_bits(type) == 32;
        return emit_runtime_call(emitter, is_short ? RT_real32_remainder : RT_real64_remainder,
                                 operands);
    }
    default: return emit_comparison(emitter, op, type, left, right);
    }
}

static LLVMValueRef dyadic_integer(Emitter *emitter, Operator op, const Type *type,
                                   LLVMValueRef left, LLVMValueRef right, Location at) {
    LLVMBuilderRef builder = emitter->builder;
    switch (op) {
    case OPERATOR_ADD:
    case OPERATOR_SUBTRACT:
    case OPERATOR_MULTIPLY: return checked_arithmetic(emitter, op, type, left, right, at);
    case OPERATOR_DIVIDE:
    case OPERATOR_REMAINDER: return divide_integers(emitter, op, type, left, right, at);
    case OPERATOR_PLUS:
    case OPERATOR_MINUS:
    case OPERATOR_TIMES: return LLVMBuildBinOp(builder, integer_opcode(op), left, right, "");
    case OPERATOR_BITAND: return LLVMBuildAnd(builder, left, right, "");
    case OPERATOR_BITOR: return LLVMBuildOr(builder, left, right, "");
    case OPERATOR_BITXOR: return LLVMBuildXor(builder, left, right, "");
    case OPERATOR_SHIFT_LEFT:
    case OPERATOR_SHIFT_RIGHT: return shift(emitter, op, left, right, at);
    default: return emit_comparison(emitter, op, type, left, right);
    }
}

void emit_check_real(Emitter *emitter, LLVMValueRef value, const char *what, Location at) {
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    bool is_real = kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
    if (!emitter->options->check_reals || !is_real) {
        return;
    }
    LLVMValueRef size = emit_intrinsic(emitter, "llvm.fabs", type, &value, 1);
    LLVMValueRef infinity = LLVMConstReal(type, (double)__builtin_inff());
    LLVMValueRef ok = LLVMBuildFCmp(emitter->builder, LLVMRealOLT, size, infinity, "");
    emit_trap_unless(emitter, ok, ERROR_REAL, at, what, NULL, NULL, NULL);
}

LLVMValueRef emit_dyadic(Emitter *emitter, Node *node) {
    const Type *type = node->dyadic.left->type;
    LLVMValueRef left = emit_scalar(emitter, node->dyadic.left);
    LLVMValueRef right = emit_scalar(emitter, node->dyadic.right);
    if (type_is_real(type)) {
        LLVMValueRef value = dyadic_real(emitter, node->dyadic.op, type, left, right);
        emit_check_real(emitter, value, operator_spelling(node->dyadic.op), node->at);
        return value;
    }
    return dyadic_integer(emitter, node->dyadic.op, type, left, right, node->at);
}

/* ---- monadic ---- */

static LLVMValueRef negate(Emitter *emitter, const Type *type, LLVMValueRef value, Location at) {
    if (type_is_real(type)) {
        return LLVMBuildFNeg(emitter->builder, value, "");
    }
    LLVMTypeRef width = LLVMTypeOf(value);
    bool is_signed = type_is_signed(type);
    LLVMValueRef limit = is_signed ? most_negative(width) : LLVMConstNull(width);
    LLVMValueRef fits =
        LLVMBuildICmp(emitter->builder, is_signed ? LLVMIntNE : LLVMIntEQ, value, limit, "");
    emit_trap_unless(emitter, fits, ERROR_OVERFLOW_NEGATE, at, NULL,
                     emit_report_value(emitter, value, type), NULL, NULL);
    return LLVMBuildNeg(emitter->builder, value, "");
}

LLVMValueRef emit_monadic(Emitter *emitter, Node *node) {
    const Type *type = node->monadic.operand->type;
    LLVMValueRef value = emit_scalar(emitter, node->monadic.operand);
    switch (node->monadic.op) {
    case OPERATOR_SUBTRACT:
    case OPERATOR_NEGATE: return negate(emitter, type, value, node->at);
    case OPERATOR_MINUS: return LLVMBuildNeg(emitter->builder, value, "");
    default: return LLVMBuildNot(emitter->builder, value, ""); /* ~, BITNOT, NOT */
    }
}
