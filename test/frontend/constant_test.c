/* constant -- overflow, wrapping, shifts, rounding, memory images (language.md 1.6). */
#include "constant.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static Arena *arena;

static const Constant *whole(TypeKind kind, int64_t value) {
    return constant_integer(arena, type_primitive(kind), value);
}

static ConstantOutcome apply(Operator op, const Constant *left, const Constant *right,
                             const Constant **result) {
    return constant_dyadic(arena, op, left, right, left->type, result);
}

static int64_t value_of(Operator op, TypeKind kind, int64_t left, int64_t right) {
    const Constant *result = NULL;
    assert(apply(op, whole(kind, left), whole(kind, right), &result) == CONSTANT_DONE);
    return result->integer;
}

static ConstantOutcome outcome_of(Operator op, TypeKind kind, int64_t left, int64_t right) {
    const Constant *result = NULL;
    return apply(op, whole(kind, left), whole(kind, right), &result);
}

static void test_constant__overflow(void) {
    assert(outcome_of(OPERATOR_ADD, TYPE_INT, INT32_MAX, 1) == CONSTANT_OVERFLOW);
    assert(outcome_of(OPERATOR_ADD, TYPE_BYTE, 255, 1) == CONSTANT_OVERFLOW);
    assert(outcome_of(OPERATOR_SUBTRACT, TYPE_BYTE, 0, 1) == CONSTANT_OVERFLOW);
    assert(outcome_of(OPERATOR_MULTIPLY, TYPE_INT64, INT64_MAX, 2) == CONSTANT_OVERFLOW);
    assert(outcome_of(OPERATOR_MULTIPLY, TYPE_INT64, INT64_MIN, -1) == CONSTANT_OVERFLOW);
    assert(outcome_of(OPERATOR_SUBTRACT, TYPE_INT64, INT64_MIN, 1) == CONSTANT_OVERFLOW);
    assert(outcome_of(OPERATOR_DIVIDE, TYPE_INT, INT32_MIN, -1) == CONSTANT_OVERFLOW);
    assert(outcome_of(OPERATOR_DIVIDE, TYPE_INT, 1, 0) == CONSTANT_DIVIDE_BY_ZERO);
    assert(outcome_of(OPERATOR_ADD, TYPE_UINT64, -1, 1) == CONSTANT_OVERFLOW);
    assert(value_of(OPERATOR_REMAINDER, TYPE_INT, INT32_MIN, -1) == 0);
    assert(value_of(OPERATOR_MULTIPLY, TYPE_INT64, INT32_MAX, INT32_MAX) ==
           (int64_t)INT32_MAX * INT32_MAX);
}

static void test_constant__wrapping_and_bits(void) {
    assert(value_of(OPERATOR_PLUS, TYPE_BYTE, 255, 1) == 0);
    assert(value_of(OPERATOR_PLUS, TYPE_INT, INT32_MAX, 1) == INT32_MIN);
    assert(value_of(OPERATOR_TIMES, TYPE_INT16, 300, 300) == (int16_t)90000);
    assert(value_of(OPERATOR_BITXOR, TYPE_INT, -1, 0xFF) == -256);
    const Constant *result = NULL;
    assert(constant_monadic(arena, OPERATOR_BITNOT, whole(TYPE_BYTE, 0x0F), &result) ==
           CONSTANT_DONE);
    assert(result->integer == 0xF0);
    assert(constant_monadic(arena, OPERATOR_NEGATE, whole(TYPE_INT, INT32_MIN), &result) ==
           CONSTANT_OVERFLOW);
}

static void test_constant__division_and_shifts(void) {
    assert(value_of(OPERATOR_DIVIDE, TYPE_INT, -7, 2) == -3);
    assert(value_of(OPERATOR_REMAINDER, TYPE_INT, -7, 2) == -1);
    assert(value_of(OPERATOR_SHIFT_RIGHT, TYPE_INT, -7, 1) == 2147483644);
    assert(value_of(OPERATOR_SHIFT_LEFT, TYPE_INT, 1, 31) == INT32_MIN);
    assert(value_of(OPERATOR_SHIFT_LEFT, TYPE_INT, 1, 32) == 0);
    assert(outcome_of(OPERATOR_SHIFT_LEFT, TYPE_INT, 1, 33) == CONSTANT_SHIFT_RANGE);
    assert(value_of(OPERATOR_SHIFT_LEFT, TYPE_INT64, 1, 64) == 0);
}

static void test_constant__after_is_modular(void) {
    const Type *boolean = type_primitive(TYPE_BOOL);
    const Constant *result = NULL;
    constant_dyadic(arena, OPERATOR_AFTER, whole(TYPE_INT, INT32_MIN), whole(TYPE_INT, INT32_MAX),
                    boolean, &result);
    assert(result && result->integer != 0);
    constant_dyadic(arena, OPERATOR_AFTER, whole(TYPE_INT, 5), whole(TYPE_INT, 5), boolean,
                    &result);
    assert(result && result->integer == 0);
}

static int64_t converted(TypeKind to, Rounding rounding, double from) {
    const Constant *result = NULL;
    const Constant *real = constant_real(arena, type_primitive(TYPE_REAL64), from);
    assert(constant_convert(arena, type_primitive(to), rounding, real, &result) == CONSTANT_DONE);
    return result->integer;
}

static void test_constant__conversions(void) {
    assert(converted(TYPE_INT, ROUNDING_ROUND, 2.5) == 2);
    assert(converted(TYPE_INT, ROUNDING_ROUND, 3.5) == 4);
    assert(converted(TYPE_INT, ROUNDING_TRUNC, -2.7) == -2);
    const Constant *result = NULL;
    const Constant *big = constant_real(arena, type_primitive(TYPE_REAL64), 1.0e20);
    assert(constant_convert(arena, type_primitive(TYPE_INT64), ROUNDING_TRUNC, big, &result) ==
           CONSTANT_OVERFLOW);
    const Constant *nan_value = constant_real(arena, type_primitive(TYPE_REAL64), NAN);
    assert(constant_convert(arena, type_primitive(TYPE_INT), ROUNDING_ROUND, nan_value, &result) ==
           CONSTANT_OVERFLOW);
    assert(constant_convert(arena, type_primitive(TYPE_BOOL), ROUNDING_NONE, whole(TYPE_INT, 2),
                            &result) == CONSTANT_OVERFLOW);
    assert(constant_convert(arena, type_primitive(TYPE_REAL32), ROUNDING_TRUNC,
                            whole(TYPE_INT, 16777219), &result) == CONSTANT_DONE);
    assert(result->real == 16777218.0);
}

static void test_constant__images(void) {
    uint8_t bytes[8];
    constant_store(whole(TYPE_INT, -2), bytes);
    assert(memcmp(bytes, "\xFE\xFF\xFF\xFF", 4) == 0);
    assert(constant_load(arena, type_primitive(TYPE_INT), bytes)->integer == -2);
    assert(constant_load(arena, type_primitive(TYPE_UINT32), bytes)->integer == 0xFFFFFFFE);
    constant_store(constant_real(arena, type_primitive(TYPE_REAL32), 0.5), bytes);
    assert(constant_load(arena, type_primitive(TYPE_REAL32), bytes)->real == 0.5);
    assert(constant_fits(type_primitive(TYPE_INT16), -32768));
    assert(!constant_fits(type_primitive(TYPE_INT16), 32768));
}

int main(void) {
    arena = arena_create();
    test_constant__overflow();
    test_constant__wrapping_and_bits();
    test_constant__division_and_shifts();
    test_constant__after_is_modular();
    test_constant__conversions();
    test_constant__images();
    arena_destroy(arena);
    return 0;
}
