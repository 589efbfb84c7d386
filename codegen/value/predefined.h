/* predefined -- what the families of predefined routines share.
 *
 * Owns:   PredefinedCall, one prototype per family, small builders.
 * Holds:  a family gets its scalars evaluated from left to right and sets every result; it gets at
 *         arrays itself through `node`. */
#ifndef OCCC_PREDEFINED_H
#define OCCC_PREDEFINED_H

#include "emit.h"

#define PREDEFINED_OPERANDS 8
#define PREDEFINED_RESULTS  3

typedef struct PredefinedCall {
    PredefinedId id;
    const char *name;
    Location at;
    const NodeList *actuals;
    LLVMValueRef operands[PREDEFINED_OPERANDS]; /* scalar actuals */
    LLVMValueRef results[PREDEFINED_RESULTS];
} PredefinedCall;

typedef void PredefinedEmitter(Emitter *emitter, PredefinedCall *call);

/* predefined_word.c: words, pairs of words, bits */
PredefinedEmitter predefined_long_add, predefined_long_sum, predefined_long_product,
    predefined_long_divide, predefined_shift_pair, predefined_normalise, predefined_shift_sign,
    predefined_rotate, predefined_fraction_multiply;
/* predefined_bits.c */
PredefinedEmitter predefined_bit_count, predefined_bit_reverse, predefined_bit_reverse_low,
    predefined_crc, predefined_unpack_short, predefined_round_short;
/* predefined_real.c: REAL32 and REAL64 alike, by the type of the operand */
PredefinedEmitter predefined_absolute, predefined_is_nan, predefined_not_finite, predefined_ordered,
    predefined_negate, predefined_double, predefined_halve, predefined_root, predefined_whole,
    predefined_copy_sign, predefined_next_after, predefined_log_b, predefined_unpack,
    predefined_scale, predefined_maths;
/* predefined_ieee.c */
PredefinedEmitter predefined_real_operator, predefined_ieee_operator, predefined_remainder,
    predefined_ieee_remainder, predefined_real_equal, predefined_real_greater, predefined_compare,
    predefined_argument_reduce;
/* mobile_resize.c */
PredefinedEmitter predefined_resize;
/* mobile_detach.c */
PredefinedEmitter predefined_detach, predefined_attach;
/* predefined_block.c */
PredefinedEmitter predefined_block_move;

/* predefined_is_short -- is it a REAL32? */
bool predefined_is_short(LLVMValueRef real);
/* Builders: a word as the low half of 64 bits, two words as 64 bits, and back. */
LLVMValueRef predefined_widen(Emitter *emitter, LLVMValueRef word);
LLVMValueRef predefined_join(Emitter *emitter, LLVMValueRef high, LLVMValueRef low);
LLVMValueRef predefined_low(Emitter *emitter, LLVMValueRef pair);

#endif
