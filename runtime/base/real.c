/* real -- functions on reals, on the system stack (real.h). */
#include "real.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

/* ---- by number ---- */

enum {
#define OCC_REAL1(NAME, function) REAL_FUNCTION_##NAME,
#define OCC_REAL2(NAME, function) REAL_FUNCTION_##NAME,
#include "occ/real_function.def"
#undef OCC_REAL1
#undef OCC_REAL2
    REAL_FUNCTION_COUNT
};

#define SHORT1(name)                                                                               \
    static double name##_short(double x) {                                                         \
        return (double)name##f((float)x);                                                          \
    }
#define SHORT2(name)                                                                               \
    static double name##_short(double x, double y) {                                               \
        return (double)name##f((float)x, (float)y);                                                \
    }
SHORT1(sin)
SHORT1(cos)
SHORT1(tan)
SHORT1(asin)
SHORT1(acos)
SHORT1(atan)
SHORT2(atan2)
SHORT1(sinh)
SHORT1(cosh)
SHORT1(tanh)
SHORT1(exp)
SHORT1(log)
SHORT1(log10)
SHORT2(pow)
SHORT1(sqrt)
SHORT2(fmod)

static double scale_binary(double x, double places) {
    return scalbn(x, (int)places);
}

typedef struct RealEntry {
    double (*one)(double);
    double (*two)(double, double);
} RealEntry;

static const RealEntry functions[] = {
#define OCC_REAL1(NAME, function) {.one = function},
#define OCC_REAL2(NAME, function) {.two = function},
#include "occ/real_function.def"
#undef OCC_REAL1
#undef OCC_REAL2
};

double rt_real_function(Process *me, int32_t number, double x, double y) {
    (void)me;
    rt_assert(number >= 0 && number < REAL_FUNCTION_COUNT);
    const RealEntry *entry = &functions[number];
    return entry->one ? entry->one(x) : entry->two(x, y);
}

/* ---- remainders ---- */

float rt_real32_remainder(Process *me, float x, float y) {
    (void)me;
    return remainderf(x, y);
}

double rt_real64_remainder(Process *me, double x, double y) {
    (void)me;
    return remainder(x, y);
}

int32_t rt_argument_reduce(Process *me, int32_t is_short, double x, double y, double *result) {
    (void)me;
    double limit = is_short ? 0x1p20 : 0x1p30;
    double rest = remainder(x, y);
    result[0] = rest;
    result[1] = 0.0;
    if (!(fabs(x / y) < limit)) {
        return 0;
    }
    result[1] = nearbyint((x - rest) / y) + 0.0; /* no -0 */
    return 1;
}

/* ---- directed rounding ---- */

/* volatile: the operation must lie between the two changes of the rounding mode. */
static float short_in(double bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double operate_short(int32_t op, double left, double right) {
    volatile float x = short_in(left);
    volatile float y = short_in(right);
    volatile float result = op == 0 ? x + y : op == 1 ? x - y : op == 2 ? x * y : x / y;
    return (double)result;
}

static double operate_long(int32_t op, double left, double right) {
    volatile double x = left;
    volatile double y = right;
    volatile double result = op == 0 ? x + y : op == 1 ? x - y : op == 2 ? x * y : x / y;
    return result;
}

int32_t rt_ieee_operation(Process *me, int32_t code, double x, double y, double *result) {
    static const int modes[] = {FE_TOWARDZERO, FE_TONEAREST, FE_UPWARD, FE_DOWNWARD};
    (void)me;
    fenv_t saved;
    feholdexcept(&saved);
    fesetround(modes[(code >> 4) & 3]);
    int32_t op = code & 3;
    *result = (code >> 8) != 0 ? operate_short(op, x, y) : operate_long(op, x, y);
    bool is_error = fetestexcept(FE_OVERFLOW | FE_DIVBYZERO | FE_INVALID) != 0;
    fesetenv(&saved);
    return is_error;
}
