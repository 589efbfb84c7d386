/* foresight_state -- what the files of foresight share; nobody else includes it. */
#ifndef OCCC_FORESIGHT_STATE_H
#define OCCC_FORESIGHT_STATE_H

#include "loop_shape.h"

/* Range -- a loop and the values of its counter. */
typedef struct Range {
    Arena *arena;
    LLVMBuilderRef builder;
    FlowBlock *header, *latch, *before;
    NameMap inside;    /* LLVMBasicBlockRef -> FlowBlock */
    LoopBlocks blocks; /* without the header */
    LLVMValueRef counter, start, bound;
    LLVMIntPredicate predicate; /* counter predicate bound: go on */
    LLVMValueRef ok;            /* so far */
    NameMap exact;              /* values that promise nothing */
} Range;

/* ---- foresight_range.c ---- */

/* range_find -- of the innermost loop with this header: one edge back, a counter; false: it is not
 * one. */
bool range_find(Range *range);
bool range_has(const Range *range, LLVMBasicBlockRef block);
bool range_is_fixed(const Range *range, LLVMValueRef value);
/* range_degree -- 0: fixed, 1: a multiple of the counter plus what is fixed, 2: something else. */
unsigned range_degree(const Range *range, LLVMValueRef value);
int range_direction(LLVMIntPredicate predicate);
LLVMIntPredicate range_swapped(LLVMIntPredicate predicate);
bool range_is_unsigned(LLVMIntPredicate predicate);
/* range_operation -- the value as + - or *, checked or not, and its operands; LLVMGetElementPtr: it
 * is none of these. */
LLVMOpcode range_operation(LLVMValueRef value, LLVMValueRef *left, LLVMValueRef *right);
bool range_is_number(LLVMValueRef value, long long number);

/* ---- foresight_end.c: computed before the loop, where the builder stands ---- */

/* range_demand -- `ok` only if this too. */
void range_demand(Range *range, LLVMValueRef condition);
/* range_last -- the value of the counter nearest to the bound; `ok` only if there is one. */
LLVMValueRef range_last(Range *range);
/* range_value_at -- the value for this one of the counter; `ok` only if nothing overflows on the
 * way. */
LLVMValueRef range_value_at(Range *range, LLVMValueRef value, LLVMValueRef counter);
LLVMValueRef range_checked(Range *range, LLVMOpcode opcode, LLVMValueRef left, LLVMValueRef right);

#endif
