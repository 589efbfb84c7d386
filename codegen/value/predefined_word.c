/* predefined_word -- arithmetic on words and pairs of words: LONGADD .. LONGDIV, SHIFTLEFT ..
 * ROTATERIGHT, NORMALISE, FRACMUL (language.md 1.8).
 *
 * Holds: a pair (high, low) is one 64-bit integer in a register; a carry or borrow is the lowest
 *        bit of its operand. A count of places out of range is an error. FRACMUL rounds to
 *        nearest, ties to even, like all rounding in the language. */
#include "predefined.h"

#define WORD_BITS 32

LLVMValueRef predefined_widen(Emitter *emitter, LLVMValueRef word) {
    return LLVMBuildZExt(emitter->builder, word, emitter->i64, "");
}

LLVMValueRef predefined_join(Emitter *emitter, LLVMValueRef high, LLVMValueRef low) {
    LLVMValueRef upper = LLVMBuildShl(emitter->builder, predefined_widen(emitter, high),
                                      emit_i64(emitter, WORD_BITS), "");
    return LLVMBuildOr(emitter->builder, upper, predefined_widen(emitter, low), "");
}

static LLVMValueRef high_word(Emitter *emitter, LLVMValueRef pair) {
    LLVMValueRef upper = LLVMBuildLShr(emitter->builder, pair, emit_i64(emitter, WORD_BITS), "");
    return LLVMBuildTrunc(emitter->builder, upper, emitter->i32, "");
}

LLVMValueRef predefined_low(Emitter *emitter, LLVMValueRef pair) {
    return LLVMBuildTrunc(emitter->builder, pair, emitter->i32, "");
}

static LLVMValueRef sign_extend(Emitter *emitter, LLVMValueRef word) {
    return LLVMBuildSExt(emitter->builder, word, emitter->i64, "");
}

static LLVMValueRef carry_bit(Emitter *emitter, LLVMValueRef operand) {
    LLVMValueRef bit = LLVMBuildAnd(emitter->builder, operand, emit_i32(emitter, 1), "");
    return predefined_widen(emitter, bit);
}

/* The 64-bit value as a signed word; an overflow error when it does not fit. */
static LLVMValueRef narrow_checked(Emitter *emitter, LLVMValueRef wide,
                                   const PredefinedCall *call) {
    LLVMValueRef word = predefined_low(emitter, wide);
    LLVMValueRef fits =
        LLVMBuildICmp(emitter->builder, LLVMIntEQ, sign_extend(emitter, word), wide, "");
    emit_trap_unless(emitter, fits, ERROR_OVERFLOW, call->at, call->name, call->operands[0],
                     call->operands[1], NULL);
    return word;
}

void predefined_long_add(Emitter *emitter, PredefinedCall *call) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMOpcode opcode = call->id == PREDEFINED_LONGADD ? LLVMAdd : LLVMSub;
    LLVMValueRef left = sign_extend(emitter, call->operands[0]);
    LLVMValueRef right = sign_extend(emitter, call->operands[1]);
    LLVMValueRef sum = LLVMBuildBinOp(builder, opcode, left, right, "");
    LLVMValueRef carry = carry_bit(emitter, call->operands[2]);
    sum = LLVMBuildBinOp(builder, opcode, sum, carry, "");
    call->results[0] = narrow_checked(emitter, sum, call);
}

void predefined_long_sum(Emitter *emitter, PredefinedCall *call) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMOpcode opcode = call->id == PREDEFINED_LONGSUM ? LLVMAdd : LLVMSub;
    LLVMValueRef left = predefined_widen(emitter, call->operands[0]);
    LLVMValueRef right = predefined_widen(emitter, call->operands[1]);
    LLVMValueRef sum = LLVMBuildBinOp(builder, opcode, left, right, "");
    LLVMValueRef carry = carry_bit(emitter, call->operands[2]);
    sum = LLVMBuildBinOp(builder, opcode, sum, carry, "");
    LLVMValueRef upper = high_word(emitter, sum);
    call->results[0] = LLVMBuildAnd(builder, upper, emit_i32(emitter, 1), "");
    call->results[1] = predefined_low(emitter, sum);
}

void predefined_long_product(Emitter *emitter, PredefinedCall *call) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef product = LLVMBuildMul(builder, predefined_widen(emitter, call->operands[0]),
                                        predefined_widen(emitter, call->operands[1]), "");
    LLVMValueRef sum =
        LLVMBuildAdd(builder, product, predefined_widen(emitter, call->operands[2]), "");
    call->results[0] = high_word(emitter, sum);
    call->results[1] = predefined_low(emitter, sum);
}

/* high < divisor says both that the divisor is not 0 and that the quotient is one word. */
void predefined_long_divide(Emitter *emitter, PredefinedCall *call) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef divisor = call->operands[2];
    LLVMValueRef dividend = predefined_join(emitter, call->operands[0], call->operands[1]);
    LLVMValueRef not_zero = LLVMBuildICmp(builder, LLVMIntNE, divisor, emit_i32(emitter, 0), "");
    emit_trap_unless(emitter, not_zero, ERROR_DIVIDE_BY_ZERO, call->at, NULL, dividend, NULL, NULL);
    LLVMValueRef fits = LLVMBuildICmp(builder, LLVMIntULT, call->operands[0], divisor, "");
    LLVMValueRef wide = predefined_widen(emitter, divisor);
    emit_trap_unless(emitter, fits, ERROR_OVERFLOW, call->at, call->name, dividend, wide, NULL);
    LLVMValueRef quotient = LLVMBuildUDiv(builder, dividend, wide, "");
    LLVMValueRef remainder = LLVMBuildURem(builder, dividend, wide, "");
    call->results[0] = predefined_low(emitter, quotient);
    call->results[1] = predefined_low(emitter, remainder);
}

/* ---- shifts ---- */

void predefined_shift_pair(Emitter *emitter, PredefinedCall *call) {
    LLVMOpcode opcode = call->id == PREDEFINED_SHIFTLEFT ? LLVMShl : LLVMLShr;
    LLVMValueRef pair = predefined_join(emitter, call->operands[0], call->operands[1]);
    emit_check_shift(emitter, call->operands[2], 2 * WORD_BITS, call->at);
    pair = emit_shift_bits(emitter, opcode, pair, call->operands[2]);
    call->results[0] = high_word(emitter, pair);
    call->results[1] = predefined_low(emitter, pair);
}

void predefined_normalise(Emitter *emitter, PredefinedCall *call) {
    LLVMValueRef pair = predefined_join(emitter, call->operands[0], call->operands[1]);
    LLVMValueRef arguments[] = {pair, LLVMConstNull(emitter->i1)};
    LLVMValueRef zeros = emit_intrinsic(emitter, "llvm.ctlz", emitter->i64, arguments, 2);
    LLVMValueRef places = predefined_low(emitter, zeros);
    pair = emit_shift_bits(emitter, LLVMShl, pair, places);
    call->results[0] = places;
    call->results[1] = high_word(emitter, pair);
    call->results[2] = predefined_low(emitter, pair);
}

/* Shifts with the sign: left checks that no significant bit is lost, right copies the sign bit. */
void predefined_shift_sign(Emitter *emitter, PredefinedCall *call) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef places = call->operands[1];
    emit_check_shift(emitter, places, WORD_BITS, call->at);
    LLVMValueRef wide = sign_extend(emitter, call->operands[0]);
    LLVMValueRef count = predefined_widen(emitter, places);
    if (call->id == PREDEFINED_ASHIFTLEFT) {
        LLVMValueRef shifted = LLVMBuildShl(builder, wide, count, "");
        call->results[0] = narrow_checked(emitter, shifted, call);
    } else {
        call->results[0] = predefined_low(emitter, LLVMBuildAShr(builder, wide, count, ""));
    }
}

void predefined_rotate(Emitter *emitter, PredefinedCall *call) {
    bool is_left = call->id == PREDEFINED_ROTATELEFT;
    emit_check_shift(emitter, call->operands[1], WORD_BITS, call->at);
    LLVMValueRef arguments[] = {call->operands[0], call->operands[0], call->operands[1]};
    call->results[0] =
        emit_intrinsic(emitter, is_left ? "llvm.fshl" : "llvm.fshr", emitter->i32, arguments, 3);
}

/* ---- fractions: words with the binary point behind the sign; only -1 * -1 is out of range ---- */

void predefined_fraction_multiply(Emitter *emitter, PredefinedCall *call) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef fraction_bits = emit_i64(emitter, WORD_BITS - 1);
    LLVMValueRef product = LLVMBuildMul(builder, sign_extend(emitter, call->operands[0]),
                                        sign_extend(emitter, call->operands[1]), "");
    LLVMValueRef odd = LLVMBuildAnd(builder, LLVMBuildLShr(builder, product, fraction_bits, ""),
                                    emit_i64(emitter, 1), "");
    int64_t almost_half = ((int64_t)1 << (WORD_BITS - 2)) - 1;
    LLVMValueRef rounded = LLVMBuildAdd(builder, product, emit_i64(emitter, almost_half), "");
    rounded = LLVMBuildAdd(builder, rounded, odd, "");
    rounded = LLVMBuildAShr(builder, rounded, fraction_bits, "");
    call->results[0] = narrow_checked(emitter, rounded, call);
}
