/* real -- functions on reals that are not a few instructions: libm's, IEEE operations by number.
 *
 * Owns:   remainders, real_function.def, directed rounding, argument reduction.
 * Holds:  nothing here parks or keeps state; the rounding mode of the worker is restored. */
#ifndef RT_REAL_H
#define RT_REAL_H

#include "layout.h"

/* The IEEE remainder: x - y * n, n the whole number nearest to x / y (even when two are). */
float rt_real32_remainder(Process *me, float x, float y);
double rt_real64_remainder(Process *me, double x, double y);

/* rt_real_function -- number: REAL_FUNCTION_... ; y is not looked at where there is one operand. */
double rt_real_function(Process *me, int32_t number, double x, double y);

/* rt_ieee_operation -- x op y. code: operator (0 + 1 - 2 * 3 /) | rounding << 4 (0 towards zero,
 * 1 nearest, 2 up, 3 down) | REAL32 << 8 (its bits in the low half of x and y, as all its bits
 * count: a NaN may be signalling). Returns 1 for overflow, division by zero or an invalid
 * operation, else 0. */
int32_t rt_ieee_operation(Process *me, int32_t code, double x, double y, double *result);

/* rt_argument_reduce -- result[0] = remainder of x by y, result[1] = the whole quotient n that goes
 * with it. Returns 1 when n has at most 20 (REAL32) or 30 bits, so that n * y can be corrected for
 * an error of y; else 0, and n is 0. */
int32_t rt_argument_reduce(Process *me, int32_t is_short, double x, double y, double *result);

#endif
