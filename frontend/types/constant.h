/* constant -- values known at compile time, and their overflow rules.
 *
 * Holds: integers are kept sign-extended (BYTE and UINTs zero-extended) in 64 bits and are in
 *        range of their type; arrays and records are the bytes of their memory image,
 *        little-endian, laid out as in types.h, so that the code generator can emit them
 *        unchanged. */
#ifndef OCCC_CONSTANT_H
#define OCCC_CONSTANT_H

#include "types.h"

struct Constant {
    const Type *type;
    union {
        int64_t integer; /* BOOL 0 or 1, BYTE, integers */
        double real;     /* REAL32 rounded to float, REAL64 */
        struct {
            const uint8_t *bytes;
            uint64_t size_bytes;
        } image; /* arrays and records */
    };
};

/* Outcome of folding: DONE, or why there is no value. */
typedef enum ConstantOutcome {
    CONSTANT_DONE,
    CONSTANT_UNKNOWN, /* an operand is not constant */
    CONSTANT_OVERFLOW,
    CONSTANT_DIVIDE_BY_ZERO,
    CONSTANT_SHIFT_RANGE
} ConstantOutcome;

const Constant *constant_integer(Arena *arena, const Type *type, int64_t value);
const Constant *constant_real(Arena *arena, const Type *type, double value);
const Constant *constant_image(Arena *arena, const Type *type, const uint8_t *bytes, uint64_t size);
bool constant_fits(const Type *type, int64_t value); /* in the range of an integer type */
ConstantOutcome constant_monadic(Arena *arena, Operator op, const Constant *operand,
                                 const Constant **result);
ConstantOutcome constant_dyadic(Arena *arena, Operator op, const Constant *left,
                                const Constant *right, const Type *result_type,
                                const Constant **result);
ConstantOutcome constant_convert(Arena *arena, const Type *to, Rounding rounding,
                                 const Constant *from, const Constant **result);

/* constant_store -- the memory image of a constant at `to`: type_size (type) bytes. */
void constant_store(const Constant *constant, uint8_t *to);
/* constant_load -- the constant of `type` whose memory image is at `from` (not copied). */
const Constant *constant_load(Arena *arena, const Type *type, const uint8_t *from);

#endif
