/* predefined_real -- ABS .. LOGB, SIN, COS, TAN and their REAL64 twins (language.md 1.8).
 *
 * Owns:   what can be computed in registers: signs, neighbours, exponents.
 * Leaves: SCALEB and the elementary functions to the runtime's real_function.
 * Holds:  one piece of code for both widths; the width is that of the operand. A subnormal number
 *         has the exponent it would have if the format had room: LOGB and FLOATING.UNPACK
 *         normalise it. */
#include "predefined.h"

/* ---- widths ---- */

bool predefined_is_short(LLVMValueRef real) {
    return LLVMGetTypeKind(LLVMTypeOf(real)) == LLVMFloatTypeKind;
}

static unsigned fraction_bits(LLVMValueRef real) {
    return predefined_is_short(real) ? 23 : 52;
}

static int64_t exponent_bias(LLVMValueRef real) {
    return predefined_is_short(real) ? 127 : 1023;
}

static LLVMTypeRef bits_type(Emitter *emitter, LLVMValueRef real) {
    return predefined_is_short(real) ? emitter->i32 : emitter->i64;
}

static LLVMValueRef bits_of(Emitter *emitter, LLVMValueRef real) {
    return LLVMBuildBitCast(emitter->builder, real, bits_type(emitter, real), "");
}

static LLVMValueRef real_of(Emitter *emitter, LLVMValueRef bits) {
    bool is_word = LLVMGetIntTypeWidth(LLVMTypeOf(bits)) == 32;
    return LLVMBuildBitCast(emitter->builder, bits, is_word ? emitter->f32 : emitter->f64, "");
}

static LLVMValueRef real_constant(LLVMValueRef like, double value) {
    return LLVMConstReal(LLVMTypeOf(like), value);
}

static LLVMValueRef infinity(LLVMValueRef like) {
    return real_constant(like, (double)__builtin_inff());
}

static LLVMValueRef magnitude(Emitter *emitter, LLVMValueRef real) {
    return emit_intrinsic(emitter, "llvm.fabs", LLVMTypeOf(real), &real, 1);
}

static LLVMValueRef with_sign(Emitter *emitter, LLVMValueRef real, LLVMValueRef sign) {
    LLVMValueRef arguments[] = {real, sign};
    return emit_intrinsic(emitter, "llvm.copysign", LLVMTypeOf(real), arguments, 2);
}

static LLVMValueRef compare(Emitter *emitter, LLVMRealPredicate predicate, LLVMValueRef left,
                            LLVMValueRef right) {
    return LLVMBuildFCmp(emitter->builder, predicate, left, right, "");
}

/* ---- signs, classes, simple arithmetic ---- */

void predefined_absolute(Emitter *emitter, PredefinedCall *call) {
    call->results[0] = magnitude(emitter, call->operands[0]);
}

void predefined_is_nan(Emitter *emitter, PredefinedCall *call) {
    call->results[0] = compare(emitter, LLVMRealUNO, call->operands[0], call->operands[0]);
}

void predefined_not_finite(Emitter *emitter, PredefinedCall *call) {
    LLVMValueRef size = magnitude(emitter, call->operands[0]);
    call->results[0] = compare(emitter, LLVMRealUEQ, size, infinity(size));
}

void predefined_ordered(Emitter *emitter, PredefinedCall *call) {
    call->results[0] = compare(emitter, LLVMRealORD, call->operands[0], call->operands[1]);
}

void predefined_negate(Emitter *emitter, PredefinedCall *call) {
    call->results[0] = LLVMBuildFNeg(emitter->builder, call->operands[0], "");
}

void predefined_double(Emitter *emitter, PredefinedCall *call) {
    LLVMValueRef real = call->operands[0];
    call->results[0] = LLVMBuildFMul(emitter->builder, real, real_constant(real, 2.0), "");
}

void predefined_halve(Emitter *emitter, PredefinedCall *call) {
    LLVMValueRef real = call->operands[0];
    call->results[0] = LLVMBuildFMul(emitter->builder, real, real_constant(real, 0.5), "");
}

void predefined_root(Emitter *emitter, PredefinedCall *call) {
    LLVMTypeRef type = LLVMTypeOf(call->operands[0]);
    call->results[0] = emit_intrinsic(emitter, "llvm.sqrt", type, &call->operands[0], 1);
}

void predefined_whole(Emitter *emitter, PredefinedCall *call) {
    call->results[0] = emit_round_to_whole(emitter, call->operands[0]);
}

void predefined_copy_sign(Emitter *emitter, PredefinedCall *call) {
    call->results[0] = with_sign(emitter, call->operands[0], call->operands[1]);
}

/* ---- neighbours: the bits of a real without the sign, as an integer, order its magnitude ---- */

void predefined_next_after(Emitter *emitter, PredefinedCall *call) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef from = call->operands[0];
    LLVMValueRef towards = call->operands[1];
    LLVMValueRef zero = real_constant(from, 0.0);
    LLVMValueRef bits = bits_of(emitter, from);
    LLVMValueRef one = LLVMConstInt(LLVMTypeOf(bits), 1, 0);
    LLVMValueRef goes_up = compare(emitter, LLVMRealOLT, from, towards);
    LLVMValueRef is_above_zero = compare(emitter, LLVMRealOGT, from, zero);
    LLVMValueRef grows = LLVMBuildICmp(builder, LLVMIntEQ, goes_up, is_above_zero, "");
    LLVMValueRef larger = LLVMBuildAdd(builder, bits, one, "");
    LLVMValueRef smaller = LLVMBuildSub(builder, bits, one, "");
    LLVMValueRef next = real_of(emitter, LLVMBuildSelect(builder, grows, larger, smaller, ""));
    LLVMValueRef least = with_sign(emitter, real_of(emitter, one), towards);
    LLVMValueRef is_zero = compare(emitter, LLVMRealOEQ, from, zero);
    next = LLVMBuildSelect(builder, is_zero, least, next, "");
    LLVMValueRef arrived = compare(emitter, LLVMRealOEQ, from, towards);
    next = LLVMBuildSelect(builder, arrived, towards, next, "");
    LLVMValueRef is_nan = compare(emitter, LLVMRealUNO, from, towards);
    LLVMValueRef nan = LLVMBuildFAdd(builder, from, towards, "");
    call->results[0] = LLVMBuildSelect(builder, is_nan, nan, next, "");
}

/* ---- exponents ---- */

/* Parts -- real = fraction * 2^exponent with 1 <= |fraction| < 2, unless it is 0 or not finite. */
typedef struct Parts {
    LLVMValueRef fraction;
    LLVMValueRef exponent; /* i32 */
    LLVMValueRef is_zero, is_not_finite;
} Parts;

static LLVMValueRef exponent_field(Emitter *emitter, LLVMValueRef real) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef bits = bits_of(emitter, magnitude(emitter, real));
    LLVMValueRef places = LLVMConstInt(LLVMTypeOf(bits), fraction_bits(real), 0);
    LLVMValueRef field = LLVMBuildLShr(builder, bits, places, "");
    return LLVMBuildIntCast2(builder, field, emitter->i32, 0, "");
}

/* The number with the exponent of 1.0. */
static LLVMValueRef with_unit_exponent(Emitter *emitter, LLVMValueRef real) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMTypeRef type = bits_type(emitter, real);
    LLVMValueRef bits = bits_of(emitter, real);
    uint64_t low = (UINT64_C(1) << fraction_bits(real)) - 1;
    LLVMValueRef fraction = LLVMBuildAnd(builder, bits, LLVMConstInt(type, low, 0), "");
    LLVMValueRef unit = bits_of(emitter, real_constant(real, 1.0));
    LLVMValueRef joined = real_of(emitter, LLVMBuildOr(builder, fraction, unit, ""));
    return with_sign(emitter, joined, real);
}

static Parts take_apart(Emitter *emitter, LLVMValueRef real) {
    LLVMBuilderRef builder = emitter->builder;
    int64_t lift = predefined_is_short(real) ? 32 : 64;
    Parts parts;
    parts.is_zero = compare(emitter, LLVMRealOEQ, real, real_constant(real, 0.0));
    parts.is_not_finite = compare(emitter, LLVMRealUEQ, magnitude(emitter, real), infinity(real));
    LLVMValueRef is_low = LLVMBuildIsNull(builder, exponent_field(emitter, real), "");
    LLVMValueRef factor = real_constant(real, predefined_is_short(real) ? 0x1p32 : 0x1p64);
    LLVMValueRef lifted = LLVMBuildFMul(builder, real, factor, "");
    LLVMValueRef normal = LLVMBuildSelect(builder, is_low, lifted, real, "");
    LLVMValueRef bias =
        LLVMBuildSelect(builder, is_low, emit_i32(emitter, exponent_bias(real) + lift),
                        emit_i32(emitter, exponent_bias(real)), "");
    parts.exponent = LLVMBuildSub(builder, exponent_field(emitter, normal), bias, "");
    parts.fraction = with_unit_exponent(emitter, normal);
    return parts;
}

void predefined_log_b(Emitter *emitter, PredefinedCall *call) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef real = call->operands[0];
    Parts parts = take_apart(emitter, real);
    LLVMValueRef exponent = LLVMBuildSIToFP(builder, parts.exponent, LLVMTypeOf(real), "");
    LLVMValueRef lowest = LLVMBuildFNeg(builder, infinity(real), "");
    exponent = LLVMBuildSelect(builder, parts.is_zero, lowest, exponent, "");
    call->results[0] =
        LLVMBuildSelect(builder, parts.is_not_finite, magnitude(emitter, real), exponent, "");
}

/* Zero, infinities and NaNs are their own fraction; zero has exponent 0. */
void predefined_unpack(Emitter *emitter, PredefinedCall *call) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef real = call->operands[0];
    Parts parts = take_apart(emitter, real);
    LLVMValueRef is_special = LLVMBuildOr(builder, parts.is_zero, parts.is_not_finite, "");
    call->results[0] =
        LLVMBuildSelect(builder, parts.is_zero, emit_i32(emitter, 0), parts.exponent, "");
    call->results[1] = LLVMBuildSelect(builder, is_special, real, parts.fraction, "");
}

/* ---- the runtime's functions, in double; for a REAL32 the result is rounded ---- */

static void call_function(Emitter *emitter, PredefinedCall *call, RealFunction function,
                          LLVMValueRef second) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef real = call->operands[0];
    LLVMValueRef arguments[] = {
        emit_i32(emitter, function),
        LLVMBuildFPCast(builder, real, emitter->f64, ""),
        second,
    };
    LLVMValueRef value = emit_runtime_call(emitter, RT_real_function, arguments);
    call->results[0] = LLVMBuildFPCast(builder, value, LLVMTypeOf(real), "");
}

void predefined_scale(Emitter *emitter, PredefinedCall *call) {
    LLVMValueRef places = LLVMBuildSIToFP(emitter->builder, call->operands[1], emitter->f64, "");
    call_function(emitter, call, REAL_FUNCTION_SCALEB, places);
}

static RealFunction function_of(PredefinedId id) {
    static const struct {
        PredefinedId single;
        PredefinedId twice;
        RealFunction function;
    } functions[] = {
        {PREDEFINED_SIN, PREDEFINED_DSIN, REAL_FUNCTION_SIN},
        {PREDEFINED_COS, PREDEFINED_DCOS, REAL_FUNCTION_COS},
        {PREDEFINED_TAN, PREDEFINED_DTAN, REAL_FUNCTION_TAN},
        {PREDEFINED_ASIN, PREDEFINED_DASIN, REAL_FUNCTION_ASIN},
        {PREDEFINED_ACOS, PREDEFINED_DACOS, REAL_FUNCTION_ACOS},
        {PREDEFINED_ATAN, PREDEFINED_DATAN, REAL_FUNCTION_ATAN},
        {PREDEFINED_ATAN2, PREDEFINED_DATAN2, REAL_FUNCTION_ATAN2},
        {PREDEFINED_SINH, PREDEFINED_DSINH, REAL_FUNCTION_SINH},
        {PREDEFINED_COSH, PREDEFINED_DCOSH, REAL_FUNCTION_COSH},
        {PREDEFINED_TANH, PREDEFINED_DTANH, REAL_FUNCTION_TANH},
        {PREDEFINED_EXP, PREDEFINED_DEXP, REAL_FUNCTION_EXP},
        {PREDEFINED_ALOG, PREDEFINED_DALOG, REAL_FUNCTION_LOG},
        {PREDEFINED_ALOG10, PREDEFINED_DALOG10, REAL_FUNCTION_LOG10},
        {PREDEFINED_POWER, PREDEFINED_DPOWER, REAL_FUNCTION_POW},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (id == functions[i].single || id == functions[i].twice) {
            return functions[i].function;
        }
    }
    bug("predefined routine %d is no elementary function", (int)id);
}

/* ATAN2 (x, y) is the angle of the point (x, y): the runtime's takes y first. */
void predefined_maths(Emitter *emitter, PredefinedCall *call) {
    RealFunction function = function_of(call->id);
    LLVMValueRef second = LLVMConstNull(emitter->f64);
    if (function == REAL_FUNCTION_ATAN2) {
        LLVMValueRef x = call->operands[0];
        call->operands[0] = call->operands[1];
        call->operands[1] = x;
    }
    if (function == REAL_FUNCTION_ATAN2 || function == REAL_FUNCTION_POW) {
        second = LLVMBuildFPCast(emitter->builder, call->operands[1], emitter->f64, "");
    }
    call_function(emitter, call, function, second);
}
