/* conversion -- T x, T ROUND x, T TRUNC x between scalars (language.md 1.6).
 *
 * Owns:   the ranges and the rounding of every pair of types.
 * Leaves: folding of constants to frontend/types/constant_convert.c (the same to the bit).
 * Holds:  integers are range-checked; real to integer out of range, infinite or NaN is an error;
 *         ROUND is to nearest, ties to even; TRUNC is towards zero, also where a real or a wide
 *         integer loses digits. No operation here becomes a call into libm on a processor without
 *         SSE4.1: rounding adds and subtracts 2^52, which leaves no room for a fraction. */
#include "emit.h"

/* ---- integer to integer ---- */

static unsigned integer_bits(const Type *type) {
    return type_base(type)->kind == TYPE_BOOL ? 1 : type_bits(type);
}

static bool is_signed_integer(const Type *type) {
    return type_base(type)->kind != TYPE_BOOL && type_is_signed(type);
}

/* The largest value as bits: 2^n - 1 or 2^(n-1) - 1. */
static uint64_t largest(const Type *type) {
    return UINT64_MAX >> (64 - integer_bits(type) + (is_signed_integer(type) ? 1 : 0));
}

/* Checks the limits of `to` that lie inside the range of `from`; NULL when everything fits. */
static LLVMValueRef fits_integer(Emitter *emitter, LLVMValueRef value, const Type *from,
                                 const Type *to) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMTypeRef width = LLVMTypeOf(value);
    bool from_signed = is_signed_integer(from);
    bool to_signed = is_signed_integer(to);
    bool is_high_open = largest(from) > largest(to);
    LLVMValueRef high = LLVMConstInt(width, largest(to), 0);
    if (!from_signed) {
        return is_high_open ? LLVMBuildICmp(builder, LLVMIntULE, value, high, "") : NULL;
    }
    if (!to_signed) { /* a negative value is a large unsigned one */
        return is_high_open ? LLVMBuildICmp(builder, LLVMIntULE, value, high, "")
                            : LLVMBuildICmp(builder, LLVMIntSGE, value, LLVMConstNull(width), "");
    }
    if (!is_high_open) {
        return NULL;
    }
    LLVMValueRef low = LLVMConstInt(width, ~largest(to), 1);
    LLVMValueRef below = LLVMBuildICmp(builder, LLVMIntSLE, value, high, "");
    LLVMValueRef above = LLVMBuildICmp(builder, LLVMIntSGE, value, low, "");
    return LLVMBuildAnd(builder, below, above, "");
}

static LLVMValueRef integer_to_integer(Emitter *emitter, LLVMValueRef value, const Type *from,
                                       const Type *to, Location at) {
    LLVMValueRef fits = fits_integer(emitter, value, from, to);
    if (fits != NULL) {
        emit_trap_unless(emitter, fits, ERROR_CONVERSION, at, type_name(emitter->arena, to),
                         emit_report_value(emitter, value, from), NULL, NULL);
    }
    LLVMTypeRef target = lower_scalar(emitter, to);
    return LLVMBuildIntCast2(emitter->builder, value, target, is_signed_integer(from), "");
}

/* ---- integer to real ---- */

static unsigned mantissa_bits(const Type *real) {
    return type_bits(real) == 32 ? 24 : 53;
}

/* The integer with all but its leading `bits` digits cleared: it converts exactly. */
static LLVMValueRef keep_leading_bits(Emitter *emitter, LLVMValueRef magnitude, unsigned bits) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMTypeRef width = LLVMTypeOf(magnitude);
    LLVMValueRef arguments[] = {magnitude, LLVMConstInt(emitter->i1, 0, 0)};
    LLVMValueRef zeros = emit_intrinsic(emitter, "llvm.ctlz", width, arguments, 2);
    LLVMValueRef spare = LLVMConstInt(width, LLVMGetIntTypeWidth(width) - bits, 0);
    LLVMValueRef wide = LLVMBuildICmp(builder, LLVMIntULT, zeros, spare, "");
    LLVMValueRef lost = LLVMBuildSub(builder, spare, zeros, "");
    lost = LLVMBuildSelect(builder, wide, lost, LLVMConstNull(width), "");
    LLVMValueRef kept = LLVMBuildLShr(builder, magnitude, lost, "");
    return LLVMBuildShl(builder, kept, lost, "");
}

static LLVMValueRef truncate_digits(Emitter *emitter, LLVMValueRef value, const Type *from,
                                    const Type *to) {
    LLVMBuilderRef builder = emitter->builder;
    if (!is_signed_integer(from)) {
        return keep_leading_bits(emitter, value, mantissa_bits(to));
    }
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(value));
    LLVMValueRef is_negative = LLVMBuildICmp(builder, LLVMIntSLT, value, zero, "");
    LLVMValueRef negated = LLVMBuildNeg(builder, value, "");
    LLVMValueRef magnitude = LLVMBuildSelect(builder, is_negative, negated, value, "");
    LLVMValueRef kept = keep_leading_bits(emitter, magnitude, mantissa_bits(to));
    return LLVMBuildSelect(builder, is_negative, LLVMBuildNeg(builder, kept, ""), kept, "");
}

static LLVMValueRef integer_to_real(Emitter *emitter, LLVMValueRef value, const Type *from,
                                    const Type *to, Rounding rounding) {
    if (rounding == ROUNDING_TRUNC && integer_bits(from) > mantissa_bits(to)) {
        value = truncate_digits(emitter, value, from, to);
    }
    LLVMTypeRef target = lower_scalar(emitter, to);
    return is_signed_integer(from) ? LLVMBuildSIToFP(emitter->builder, value, target, "")
                                   : LLVMBuildUIToFP(emitter->builder, value, target, "");
}

/* ---- real to integer, in double: every REAL32 is one exactly ---- */

static LLVMValueRef magnitude_of(Emitter *emitter, LLVMValueRef value) {
    return emit_intrinsic(emitter, "llvm.fabs", LLVMTypeOf(value), &value, 1);
}

LLVMValueRef emit_round_to_whole(Emitter *emitter, LLVMValueRef value) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMTypeRef type = LLVMTypeOf(value);
    double limit = LLVMGetTypeKind(type) == LLVMFloatTypeKind ? 0x1p23 : 0x1p52;
    LLVMValueRef magic = LLVMConstReal(type, limit);
    LLVMValueRef magnitude = magnitude_of(emitter, value);
    LLVMValueRef sum = LLVMBuildFAdd(builder, magnitude, magic, "");
    LLVMValueRef whole = LLVMBuildFSub(builder, sum, magic, "");
    LLVMValueRef signed_whole[] = {whole, value};
    whole = emit_intrinsic(emitter, "llvm.copysign", type, signed_whole, 2);
    LLVMValueRef has_fraction = LLVMBuildFCmp(builder, LLVMRealOLT, magnitude, magic, "");
    return LLVMBuildSelect(builder, has_fraction, whole, value, "");
}

/* low < value < high, or low <= value where low itself is the least value; FALSE for a NaN. */
static LLVMValueRef fits_real(Emitter *emitter, LLVMValueRef value, const Type *to) {
    LLVMBuilderRef builder = emitter->builder;
    unsigned bits = integer_bits(to);
    bool is_signed = is_signed_integer(to);
    double high = (double)(UINT64_C(1) << (bits - 1)) * (is_signed ? 1 : 2);
    double low = is_signed ? -high : 0.0;
    bool is_exact = low - 1.0 != low;
    LLVMValueRef low_limit = LLVMConstReal(emitter->f64, is_exact ? low - 1.0 : low);
    LLVMValueRef above =
        LLVMBuildFCmp(builder, is_exact ? LLVMRealOGT : LLVMRealOGE, value, low_limit, "");
    LLVMValueRef below =
        LLVMBuildFCmp(builder, LLVMRealOLT, value, LLVMConstReal(emitter->f64, high), "");
    return LLVMBuildAnd(builder, above, below, "");
}

static LLVMValueRef real_to_integer(Emitter *emitter, LLVMValueRef value, const Type *to,
                                    Rounding rounding, Location at) {
    LLVMBuilderRef builder = emitter->builder;
    value = LLVMBuildFPCast(builder, value, emitter->f64, "");
    if (rounding == ROUNDING_ROUND) {
        value = emit_round_to_whole(emitter, value);
    }
    emit_trap_unless(emitter, fits_real(emitter, value, to), ERROR_REAL_CONVERSION, at,
                     type_name(emitter->arena, to), NULL, NULL, NULL);
    LLVMTypeRef target = lower_scalar(emitter, to);
    return is_signed_integer(to) ? LLVMBuildFPToSI(builder, value, target, "")
                                 : LLVMBuildFPToUI(builder, value, target, "");
}

/* ---- real to real ---- */

/* The nearest REAL32, moved one step towards zero if its magnitude is too large: an infinity from a
 * finite value becomes the largest number. */
static LLVMValueRef truncate_to_short(Emitter *emitter, LLVMValueRef value) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef nearest = LLVMBuildFPTrunc(builder, value, emitter->f32, "");
    LLVMValueRef widened = LLVMBuildFPExt(builder, nearest, emitter->f64, "");
    LLVMValueRef beyond = LLVMBuildFCmp(builder, LLVMRealOGT, magnitude_of(emitter, widened),
                                        magnitude_of(emitter, value), "");
    LLVMValueRef bits = LLVMBuildBitCast(builder, nearest, emitter->i32, "");
    LLVMValueRef step = LLVMBuildZExt(builder, beyond, emitter->i32, "");
    bits = LLVMBuildSub(builder, bits, step, "");
    return LLVMBuildBitCast(builder, bits, emitter->f32, "");
}

static LLVMValueRef real_to_real(Emitter *emitter, LLVMValueRef value, const Type *from,
                                 const Type *to, Rounding rounding) {
    if (type_bits(from) == 64 && type_bits(to) == 32 && rounding == ROUNDING_TRUNC) {
        return truncate_to_short(emitter, value);
    }
    return LLVMBuildFPCast(emitter->builder, value, lower_scalar(emitter, to), "");
}

/* ---- the entry ---- */

static LLVMValueRef convert_value(Emitter *emitter, LLVMValueRef value, const Type *from,
                                  const Type *to, Rounding rounding, Location at) {
    if (type_is_real(from)) {
        return type_is_real(to) ? real_to_real(emitter, value, from, to, rounding)
                                : real_to_integer(emitter, value, to, rounding, at);
    }
    return type_is_real(to) ? integer_to_real(emitter, value, from, to, rounding)
                            : integer_to_integer(emitter, value, from, to, at);
}

LLVMValueRef emit_conversion(Emitter *emitter, Node *conversion) {
    Node *operand = conversion->conversion.operand;
    LLVMValueRef value = emit_scalar(emitter, operand);
    LLVMValueRef result = convert_value(emitter, value, operand->type, conversion->type,
                                        conversion->conversion.rounding, conversion->at);
    emit_check_real(emitter, result, type_name(emitter->arena, conversion->type), conversion->at);
    return result;
}
