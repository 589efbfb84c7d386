/* predefined_ieee -- the operators of IEEE 754 as functions: REAL32OP, IEEE32OP, REAL32REM,
 * REAL32EQ, IEEECOMPARE, ARGUMENT.REDUCE .. and their REAL64 twins (language.md 1.8).
 *
 * Leaves: directed rounding and the reduction to the runtime (real.h).
 * Holds:  an operator is 0 + 1 - 2 * 3 /, a rounding mode 0 towards zero, 1 nearest, 2 up, 3 down;
 *         other numbers are index errors. The BOOL of the IEEE forms is TRUE when the operation
 *         was invalid, overflowed, or divided by zero. */
#include "predefined.h"

#define IEEE_CHOICES 4

static void check_choice(Emitter *emitter, const PredefinedCall *call, LLVMValueRef number) {
    LLVMValueRef limit = emit_i32(emitter, IEEE_CHOICES);
    LLVMValueRef ok = LLVMBuildICmp(emitter->builder, LLVMIntULT, number, limit, "");
    emit_trap_unless(emitter, ok, ERROR_INDEX, call->at, call->name, number,
                     emit_i32(emitter, IEEE_CHOICES - 1), NULL);
}

void predefined_real_operator(Emitter *emitter, PredefinedCall *call) {
    LLVMBuilderRef builder = emitter->builder;
    static const LLVMOpcode opcodes[IEEE_CHOICES] = {LLVMFAdd, LLVMFSub, LLVMFMul, LLVMFDiv};
    LLVMValueRef op = call->operands[1];
    check_choice(emitter, call, op);
    LLVMValueRef result = NULL;
    for (int i = IEEE_CHOICES - 1; i >= 0; i--) {
        LLVMValueRef value =
            LLVMBuildBinOp(builder, opcodes[i], call->operands[0], call->operands[2], "");
        LLVMValueRef is_it = LLVMBuildICmp(builder, LLVMIntEQ, op, emit_i32(emitter, i), "");
        result = result == NULL ? value : LLVMBuildSelect(builder, is_it, value, result, "");
    }
    call->results[0] = result;
}

static LLVMValueRef to_long(Emitter *emitter, LLVMValueRef real) {
    return LLVMBuildFPCast(emitter->builder, real, emitter->f64, "");
}

/* A REAL32 in the low half of a REAL64's bits: a conversion would make a signalling NaN quiet. */
static LLVMValueRef in_long(Emitter *emitter, LLVMValueRef real) {
    if (!predefined_is_short(real)) {
        return real;
    }
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef bits = LLVMBuildBitCast(builder, real, emitter->i32, "");
    LLVMValueRef wide = LLVMBuildZExt(builder, bits, emitter->i64, "");
    return LLVMBuildBitCast(builder, wide, emitter->f64, "");
}

static LLVMValueRef load_result(Emitter *emitter, LLVMValueRef record, unsigned index) {
    LLVMValueRef slot = emit_field(emitter, record, 8 * index, "");
    return LLVMBuildLoad2(emitter->builder, emitter->f64, slot, "");
}

void predefined_ieee_operator(Emitter *emitter, PredefinedCall *call) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef left = call->operands[0];
    LLVMValueRef rounding = call->operands[1];
    LLVMValueRef op = call->operands[2];
    check_choice(emitter, call, rounding);
    check_choice(emitter, call, op);
    LLVMValueRef code = LLVMBuildShl(builder, rounding, emit_i32(emitter, 4), "");
    code = LLVMBuildOr(builder, code, op, "");
    code =
        LLVMBuildOr(builder, code, emit_i32(emitter, predefined_is_short(left) ? 1 << 8 : 0), "");
    LLVMValueRef record = emit_alloca(emitter, emitter->f64, "result");
    LLVMValueRef arguments[] = {
        code,
        in_long(emitter, left),
        in_long(emitter, call->operands[3]),
        record,
    };
    LLVMValueRef flag = emit_runtime_call(emitter, RT_ieee_operation, arguments);
    call->results[0] = LLVMBuildIsNotNull(builder, flag, "");
    call->results[1] =
        LLVMBuildFPCast(builder, load_result(emitter, record, 0), LLVMTypeOf(left), "");
}

void predefined_remainder(Emitter *emitter, PredefinedCall *call) {
    RuntimeCall routine =
        predefined_is_short(call->operands[0]) ? RT_real32_remainder : RT_real64_remainder;
    call->results[0] = emit_runtime_call(emitter, routine, call->operands);
}

/* Invalid exactly when the result is a NaN. */
void predefined_ieee_remainder(Emitter *emitter, PredefinedCall *call) {
    predefined_remainder(emitter, call);
    call->results[1] = call->results[0];
    call->results[0] =
        LLVMBuildFCmp(emitter->builder, LLVMRealUNO, call->results[1], call->results[1], "");
}

void predefined_real_equal(Emitter *emitter, PredefinedCall *call) {
    call->results[0] =
        LLVMBuildFCmp(emitter->builder, LLVMRealOEQ, call->operands[0], call->operands[1], "");
}

void predefined_real_greater(Emitter *emitter, PredefinedCall *call) {
    call->results[0] =
        LLVMBuildFCmp(emitter->builder, LLVMRealOGT, call->operands[0], call->operands[1], "");
}

/* -1 less, 0 equal, 1 greater, 2 unordered. */
void predefined_compare(Emitter *emitter, PredefinedCall *call) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef left = call->operands[0];
    LLVMValueRef right = call->operands[1];
    LLVMValueRef is_less = LLVMBuildFCmp(builder, LLVMRealOLT, left, right, "");
    LLVMValueRef is_equal = LLVMBuildFCmp(builder, LLVMRealOEQ, left, right, "");
    LLVMValueRef is_greater = LLVMBuildFCmp(builder, LLVMRealOGT, left, right, "");
    LLVMValueRef result =
        LLVMBuildSelect(builder, is_greater, emit_i32(emitter, 1), emit_i32(emitter, 2), "");
    result = LLVMBuildSelect(builder, is_equal, emit_i32(emitter, 0), result, "");
    call->results[0] = LLVMBuildSelect(builder, is_less, emit_i32(emitter, -1), result, "");
}

/* x, y, error of y -> accurate, n, x - n * (y + error): reduced in double, corrected by n errors.
 */
void predefined_argument_reduce(Emitter *emitter, PredefinedCall *call) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef x = call->operands[0];
    LLVMValueRef record = emit_alloca(emitter, LLVMArrayType2(emitter->f64, 2), "reduced");
    LLVMValueRef arguments[] = {
        emit_i32(emitter, predefined_is_short(x)),
        to_long(emitter, x),
        to_long(emitter, call->operands[1]),
        record,
    };
    LLVMValueRef flag = emit_runtime_call(emitter, RT_argument_reduce, arguments);
    LLVMValueRef rest = load_result(emitter, record, 0);
    LLVMValueRef count = load_result(emitter, record, 1);
    LLVMValueRef error = to_long(emitter, call->operands[2]);
    LLVMValueRef correction = LLVMBuildFMul(builder, count, error, "");
    LLVMValueRef corrected = LLVMBuildFSub(builder, rest, correction, "");
    LLVMValueRef accurate = LLVMBuildIsNotNull(builder, flag, "");
    call->results[0] = accurate;
    call->results[1] = LLVMBuildFPToSI(builder, count, emitter->i32, "");
    LLVMValueRef result = LLVMBuildSelect(builder, accurate, corrected, rest, "");
    call->results[2] = LLVMBuildFPCast(builder, result, LLVMTypeOf(x), "");
}
