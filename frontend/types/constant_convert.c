/* constant_convert -- T x, T ROUND x, T TRUNC x on constants (language.md 1.6).
 *
 * Holds: integer conversions are range-checked, ROUND is to the nearest, ties to even, TRUNC
 *        towards zero; a real that does not fit an integer type overflows, infinities and NaN
 *        included. */
#include "constant.h"

#include <math.h>

/* The nearest real, in the type's precision, whose magnitude is not above that of `exact`. */
static double truncate_to(const Type *to, long double exact) {
    if (type_bits(to) == 32) {
        float value = (float)exact;
        bool is_beyond = fabsl((long double)value) > fabsl(exact);
        return (double)(is_beyond ? nextafterf(value, 0.0F) : value);
    }
    double value = (double)exact;
    bool is_beyond = fabsl((long double)value) > fabsl(exact);
    return is_beyond ? nextafter(value, 0.0) : value;
}

static const Constant *to_real(Arena *arena, const Type *to, Rounding rounding, long double exact) {
    double value = rounding == ROUNDING_TRUNC ? truncate_to(to, exact)
                   : type_bits(to) == 32      ? (double)(float)exact
                                              : (double)exact;
    return constant_real(arena, to, value);
}

static long double exact_value(const Constant *from) {
    if (type_is_real(from->type)) {
        return (long double)from->real;
    }
    if (type_bits(from->type) == 64 && !type_is_signed(from->type)) {
        return (long double)(uint64_t)from->integer;
    }
    return (long double)from->integer;
}

static ConstantOutcome real_to_integer(Arena *arena, const Type *to, Rounding rounding, double from,
                                       const Constant **result) {
    double whole = rounding == ROUNDING_ROUND ? nearbyint(from) : trunc(from);
    if (type_bits(to) == 64 && !type_is_signed(to)) {
        if (!(whole >= 0.0 && whole < 18446744073709551616.0)) {
            return CONSTANT_OVERFLOW;
        }
        *result = constant_integer(arena, to, (int64_t)(uint64_t)whole);
        return CONSTANT_DONE;
    }
    if (!(whole >= -9223372036854775808.0 && whole < 9223372036854775808.0) ||
        !constant_fits(to, (int64_t)whole)) {
        return CONSTANT_OVERFLOW;
    }
    *result = constant_integer(arena, to, (int64_t)whole);
    return CONSTANT_DONE;
}

/* UINT64 above INT64's range is kept as a negative number: it fits nothing but UINT64. */
static ConstantOutcome integer_to_integer(Arena *arena, const Type *to, const Constant *from,
                                          const Constant **result) {
    bool from_unsigned_64 = type_bits(from->type) == 64 && !type_is_signed(from->type);
    bool to_unsigned_64 = type_bits(to) == 64 && !type_is_signed(to);
    bool fits = from_unsigned_64 && to_unsigned_64 ? true
                : from_unsigned_64 ? from->integer >= 0 && constant_fits(to, from->integer)
                                   : constant_fits(to, from->integer);
    if (!fits) {
        return CONSTANT_OVERFLOW;
    }
    *result = constant_integer(arena, to, from->integer);
    return CONSTANT_DONE;
}

ConstantOutcome constant_convert(Arena *arena, const Type *to, Rounding rounding,
                                 const Constant *from, const Constant **result) {
    if (!from || !type_is_scalar(from->type) || !type_is_scalar(to)) {
        return CONSTANT_UNKNOWN;
    }
    if (type_is_real(to)) {
        *result = to_real(arena, to, rounding, exact_value(from));
        return CONSTANT_DONE;
    }
    if (type_is_real(from->type)) {
        return real_to_integer(arena, to, rounding, from->real, result);
    }
    return integer_to_integer(arena, to, from, result);
}
