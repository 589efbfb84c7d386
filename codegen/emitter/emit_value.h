/* emit_value -- types in LLVM's terms, expressions, memory without a name.
 *
 * Leaves: what has a name to emit_storage.h, mobiles to emit_mobile.h. */
#ifndef OCCC_EMIT_VALUE_H
#define OCCC_EMIT_VALUE_H

#include "emitter.h"

/* ---- lower_type.c ---- */
LLVMTypeRef lower_scalar(Emitter *emitter, const Type *type); /* in a register */
LLVMTypeRef lower_memory(Emitter *emitter, const Type *type); /* of a scalar in memory */
/* lower_object -- [size x i8]-like type for an alloca or global of a fixed-size object. */
LLVMTypeRef lower_object(Emitter *emitter, const Type *type);

/* ---- constant_data.c: values the checks worked out ---- */
LLVMValueRef emit_constant_scalar(Emitter *emitter, const Constant *constant);
/* emit_constant_place -- a private constant global holding an array or record. */
Place emit_constant_place(Emitter *emitter, const Constant *constant);

/* ---- lower_type.c: memory and sizes ---- */
/* emit_load / emit_store -- scalars between memory and register form. */
LLVMValueRef emit_load(Emitter *emitter, Place place);
void emit_store(Emitter *emitter, LLVMValueRef value, Place place);
/* emit_mark_count -- this load reads a count of a mobile array. */
void emit_mark_count(Emitter *emitter, LLVMValueRef load);
/* emit_mark_keeps_counts -- this call changes no count that its caller may read. */
void emit_mark_keeps_counts(Emitter *emitter, LLVMValueRef call);
/* emit_size_bytes -- i64: bytes of the object, counts of open dimensions taken in. */
LLVMValueRef emit_size_bytes(Emitter *emitter, Place place);
/* emit_count -- i32: elements of dimension 0. */
LLVMValueRef emit_count(Emitter *emitter, Place place);
/* emit_widen_count -- a count or checked index (i32, not negative) as i64. */
LLVMValueRef emit_widen_count(Emitter *emitter, LLVMValueRef count);
/* emit_multiply_size -- product of two sizes or counts (i64) that is known to fit. */
LLVMValueRef emit_multiply_size(Emitter *emitter, LLVMValueRef left, LLVMValueRef right);

/* ---- intrinsic.c ---- */
/* emit_intrinsic -- call `llvm.name`, overloaded on one type or (NULL) on none. */
LLVMValueRef emit_intrinsic(Emitter *emitter, const char *name, LLVMTypeRef overload,
                            LLVMValueRef *arguments, unsigned count);

/* ---- temporary.c: storage of values without a name ---- */
/* emit_temporary -- storage for a fixed-size value; the same at every evaluation of this place in
 * the text, so the value must be dead by then. Not zeroed. */
Place emit_temporary(Emitter *emitter, const Type *type, Location at);
/* emit_end_temporaries -- those beyond the first `live` are dead: their process is complete. */
void emit_end_temporaries(Emitter *emitter, size_t live);
/* emit_heap_copy -- a copy of an object of any size; to be freed through RT_heap_free. */
Place emit_heap_copy(Emitter *emitter, Place from, Location at, const char *name);
/* emit_release_temporaries -- before every return of the routine (called by emit_routine_end). */
void emit_release_temporaries(Emitter *emitter);

/* ---- expression.c, operator.c, conversion.c ---- */
LLVMValueRef emit_scalar(Emitter *emitter, Node *expression);    /* any scalar expression */
LLVMValueRef emit_condition(Emitter *emitter, Node *expression); /* i1 */
/* emit_jump_if -- to `then` if the condition is TRUE, otherwise to `otherwise`. */
void emit_jump_if(Emitter *emitter, Node *condition, LLVMBasicBlockRef then,
                  LLVMBasicBlockRef otherwise);
LLVMValueRef emit_user_operator(Emitter *emitter, Node *node, Place *result);
LLVMValueRef emit_monadic(Emitter *emitter, Node *monadic);
LLVMValueRef emit_dyadic(Emitter *emitter, Node *dyadic); /* not AND, OR, user-defined */
/* emit_check_real -- with -fcheck-reals a real that is infinite or no number is an error. */
void emit_check_real(Emitter *emitter, LLVMValueRef value, const char *what, Location at);
LLVMValueRef emit_comparison(Emitter *emitter, Operator op, const Type *type, LLVMValueRef left,
                             LLVMValueRef right);
/* emit_check_shift -- count (i32) in 0..width.  emit_shift_bits -- a shift that gives 0 (LLVMShl,
 * LLVMLShr) for a count of the width or more. */
void emit_check_shift(Emitter *emitter, LLVMValueRef count, unsigned width, Location at);
LLVMValueRef emit_shift_bits(Emitter *emitter, LLVMOpcode opcode, LLVMValueRef value,
                             LLVMValueRef count);
/* emit_report_value -- a scalar as an argument of emit_trap_unless: NULL for a real. */
LLVMValueRef emit_report_value(Emitter *emitter, LLVMValueRef value, const Type *type);
LLVMValueRef emit_conversion(Emitter *emitter, Node *conversion);
/* emit_round_to_whole -- a real rounded to a whole number, ties to even. */
LLVMValueRef emit_round_to_whole(Emitter *emitter, LLVMValueRef value);

/* ---- table.c: values in memory ---- */
/* emit_into -- evaluate an expression of any data type into memory it does not read. */
void emit_into(Emitter *emitter, Node *expression, Place to);
/* emit_channel_table -- [a?, b?]: an array of channels made of others. */
Place emit_channel_table(Emitter *emitter, Node *table);

/* RealFunction -- what RT_real_function calculates. */
typedef enum RealFunction {
#define OCC_REAL1(NAME, function) REAL_FUNCTION_##NAME,
#define OCC_REAL2(NAME, function) REAL_FUNCTION_##NAME,
#include "../runtime/include/occ/real_function.def"
#undef OCC_REAL1
#undef OCC_REAL2
    REAL_FUNCTION_COUNT
} RealFunction;

/* ---- predefined.c ---- */
void emit_predefined_call(Emitter *emitter, Node *call);
LLVMValueRef emit_predefined_function(Emitter *emitter, Node *call, Place *results,
                                      size_t result_count);

#endif
