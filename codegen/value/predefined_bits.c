/* predefined_bits -- bits of a word: BITCOUNT, BITREVWORD, BITREVNBITS, CRCWORD, CRCBYTE, and the
 * parts of a REAL32 held in a word: UNPACKSN, ROUNDSN (language.md 1.8).
 *
 * Holds: UNPACKSN gives fraction, exponent, type (0 zero, 1 number, 2 infinity, 3 NaN); the
 *        fraction has its leading bit at the top of the word. ROUNDSN takes exponent, fraction and
 *        the word after the fraction, normalises, and rounds to nearest, ties to even. */
#include "predefined.h"

#define WORD_BITS      32
#define FRACTION_BITS  23
#define FRACTION_MASK  0x7FFFFF
#define EXPONENT_LIMIT 255
#define INFINITY_BITS  0x7F800000

void predefined_bit_count(Emitter *emitter, PredefinedCall *call) {
    LLVMValueRef ones = emit_intrinsic(emitter, "llvm.ctpop", emitter->i32, &call->operands[0], 1);
    call->results[0] = LLVMBuildAdd(emitter->builder, ones, call->operands[1], "");
}

void predefined_bit_reverse(Emitter *emitter, PredefinedCall *call) {
    call->results[0] =
        emit_intrinsic(emitter, "llvm.bitreverse", emitter->i32, &call->operands[0], 1);
}

/* The n lowest bits reversed; the others are 0. */
void predefined_bit_reverse_low(Emitter *emitter, PredefinedCall *call) {
    LLVMValueRef count = call->operands[1];
    emit_check_shift(emitter, count, WORD_BITS, call->at);
    LLVMValueRef reversed =
        emit_intrinsic(emitter, "llvm.bitreverse", emitter->i32, &call->operands[0], 1);
    LLVMValueRef surplus = LLVMBuildSub(emitter->builder, emit_i32(emitter, WORD_BITS), count, "");
    call->results[0] = emit_shift_bits(emitter, LLVMLShr, reversed, surplus);
}

/* ---- CRC: the bits of the data, highest first, pass through the register ---- */

/* One bit: both words move left, the data's top bit enters the register; when a 1 leaves the
 * register the generator is applied. */
static void crc_step(Emitter *emitter, LLVMValueRef *data, LLVMValueRef *crc,
                     LLVMValueRef generator) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef one = emit_i32(emitter, 1);
    LLVMValueRef top = emit_i32(emitter, WORD_BITS - 1);
    LLVMValueRef leaving = LLVMBuildICmp(builder, LLVMIntSLT, *crc, emit_i32(emitter, 0), "");
    LLVMValueRef entering = LLVMBuildLShr(builder, *data, top, "");
    LLVMValueRef moved = LLVMBuildOr(builder, LLVMBuildShl(builder, *crc, one, ""), entering, "");
    LLVMValueRef applied = LLVMBuildXor(builder, moved, generator, "");
    *crc = LLVMBuildSelect(builder, leaving, applied, moved, "");
    *data = LLVMBuildShl(builder, *data, one, "");
}

void predefined_crc(Emitter *emitter, PredefinedCall *call) {
    LLVMBuilderRef builder = emitter->builder;
    int64_t steps = call->id == PREDEFINED_CRCBYTE ? 8 : WORD_BITS;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(builder);
    LLVMBasicBlockRef loop = emit_block(emitter, "crc");
    LLVMBasicBlockRef done = emit_block(emitter, "crc.done");
    emit_continue(emitter, loop);
    LLVMValueRef step = LLVMBuildPhi(builder, emitter->i32, "");
    LLVMValueRef data_in = LLVMBuildPhi(builder, emitter->i32, "");
    LLVMValueRef crc_in = LLVMBuildPhi(builder, emitter->i32, "");
    LLVMValueRef data = data_in;
    LLVMValueRef crc = crc_in;
    crc_step(emitter, &data, &crc, call->operands[2]);
    LLVMValueRef next = LLVMBuildAdd(builder, step, emit_i32(emitter, 1), "");
    LLVMValueRef more = LLVMBuildICmp(builder, LLVMIntULT, next, emit_i32(emitter, steps), "");
    LLVMBuildCondBr(builder, more, loop, done);
    LLVMBasicBlockRef blocks[] = {before, loop};
    LLVMAddIncoming(step, (LLVMValueRef[]){emit_i32(emitter, 0), next}, blocks, 2);
    LLVMAddIncoming(data_in, (LLVMValueRef[]){call->operands[0], data}, blocks, 2);
    LLVMAddIncoming(crc_in, (LLVMValueRef[]){call->operands[1], crc}, blocks, 2);
    emit_enter(emitter, done);
    call->results[0] = crc;
}

/* ---- REAL32 in a word ---- */

static LLVMValueRef select_word(Emitter *emitter, LLVMValueRef condition, LLVMValueRef then,
                                int64_t otherwise) {
    return LLVMBuildSelect(emitter->builder, condition, then, emit_i32(emitter, otherwise), "");
}

void predefined_unpack_short(Emitter *emitter, PredefinedCall *call) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef word = call->operands[0];
    LLVMValueRef fraction = LLVMBuildAnd(builder, word, emit_i32(emitter, FRACTION_MASK), "");
    LLVMValueRef field =
        LLVMBuildAnd(builder, LLVMBuildLShr(builder, word, emit_i32(emitter, FRACTION_BITS), ""),
                     emit_i32(emitter, EXPONENT_LIMIT), "");
    LLVMValueRef no_fraction = LLVMBuildIsNull(builder, fraction, "");
    LLVMValueRef no_field = LLVMBuildIsNull(builder, field, "");
    LLVMValueRef is_special =
        LLVMBuildICmp(builder, LLVMIntEQ, field, emit_i32(emitter, EXPONENT_LIMIT), "");
    LLVMValueRef has_lead =
        LLVMBuildNot(builder, LLVMBuildOr(builder, no_field, is_special, ""), "");
    LLVMValueRef lead = select_word(emitter, has_lead, emit_i32(emitter, FRACTION_MASK + 1), 0);
    LLVMValueRef full = LLVMBuildOr(builder, fraction, lead, "");
    LLVMValueRef is_tiny =
        LLVMBuildAnd(builder, no_field, LLVMBuildNot(builder, no_fraction, ""), "");
    LLVMValueRef special = select_word(emitter, no_fraction, emit_i32(emitter, 2), 3);
    LLVMValueRef is_zero = LLVMBuildAnd(builder, no_field, no_fraction, "");
    LLVMValueRef number = select_word(emitter, is_zero, emit_i32(emitter, 0), 1);
    call->results[0] = LLVMBuildShl(builder, full, emit_i32(emitter, 8), "");
    call->results[1] = LLVMBuildSelect(builder, is_tiny, emit_i32(emitter, 1), field, "");
    call->results[2] = LLVMBuildSelect(builder, is_special, special, number, "");
}

/* pair >> places; any 1 that is shifted out sets the lowest bit. */
static LLVMValueRef shift_sticky(Emitter *emitter, LLVMValueRef pair, LLVMValueRef places) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef kept = emit_shift_bits(emitter, LLVMLShr, pair, places);
    LLVMValueRef back = emit_shift_bits(emitter, LLVMShl, kept, places);
    LLVMValueRef lost = LLVMBuildICmp(builder, LLVMIntNE, back, pair, "");
    return LLVMBuildOr(builder, kept, predefined_widen(emitter, lost), "");
}

/* The 24 leading bits of the pair, rounded to nearest, ties to even. */
static LLVMValueRef round_fraction(Emitter *emitter, LLVMValueRef pair) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef dropped = emit_i64(emitter, 2 * WORD_BITS - FRACTION_BITS - 1);
    int64_t almost_half = ((int64_t)1 << (2 * WORD_BITS - FRACTION_BITS - 2)) - 1;
    LLVMValueRef kept = LLVMBuildLShr(builder, pair, dropped, "");
    LLVMValueRef mask = emit_i64(emitter, 2 * almost_half + 1);
    LLVMValueRef rest = LLVMBuildAnd(builder, pair, mask, "");
    LLVMValueRef odd = LLVMBuildAnd(builder, kept, emit_i64(emitter, 1), "");
    rest = LLVMBuildAdd(builder, rest, emit_i64(emitter, almost_half), "");
    rest = LLVMBuildLShr(builder, LLVMBuildAdd(builder, rest, odd, ""), dropped, "");
    return predefined_low(emitter, LLVMBuildAdd(builder, kept, rest, ""));
}

void predefined_round_short(Emitter *emitter, PredefinedCall *call) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef one = emit_i64(emitter, 1);
    LLVMValueRef pair = predefined_join(emitter, call->operands[1], call->operands[2]);
    LLVMValueRef arguments[] = {pair, LLVMConstNull(emitter->i1)};
    LLVMValueRef zeros = emit_intrinsic(emitter, "llvm.ctlz", emitter->i64, arguments, 2);
    LLVMValueRef exponent = LLVMBuildSExt(builder, call->operands[0], emitter->i64, "");
    exponent = LLVMBuildSub(builder, exponent, zeros, "");
    LLVMValueRef normal = emit_shift_bits(emitter, LLVMShl, pair, zeros);
    LLVMValueRef is_tiny = LLVMBuildICmp(builder, LLVMIntSLT, exponent, one, "");
    LLVMValueRef depth = LLVMBuildSub(builder, one, exponent, "");
    depth = LLVMBuildSelect(builder, is_tiny, depth, LLVMConstNull(emitter->i64), "");
    LLVMValueRef fraction = round_fraction(emitter, shift_sticky(emitter, normal, depth));
    LLVMValueRef base = LLVMBuildSelect(builder, is_tiny, one, exponent, "");
    base = predefined_low(emitter, LLVMBuildSub(builder, base, one, ""));
    LLVMValueRef bits = LLVMBuildAdd(
        builder, LLVMBuildShl(builder, base, emit_i32(emitter, FRACTION_BITS), ""), fraction, "");
    LLVMValueRef is_huge =
        LLVMBuildICmp(builder, LLVMIntSGE, exponent, emit_i64(emitter, EXPONENT_LIMIT), "");
    bits = LLVMBuildSelect(builder, is_huge, emit_i32(emitter, INFINITY_BITS), bits, "");
    LLVMValueRef is_zero = LLVMBuildIsNull(builder, pair, "");
    call->results[0] = LLVMBuildSelect(builder, is_zero, emit_i32(emitter, 0), bits, "");
}
