/* foresight_state -- what the files of foresight share; nobody else includes it. */
#ifndef OCCC_FORESIGHT_STATE_H
#define OCCC_FORESIGHT_STATE_H

#include "loop_shape.h"

/* RangeKey -- a value, and one of the counter. */
typedef struct RangeKey {
    LLVMValueRef value, counter;
} RangeKey;

/* Range -- a loop and the values of its counter. */
typedef struct Range {
    Arena *arena;
    LLVMBuilderRef builder;
    const FlowGraph *graph;
    FlowBlock *header, *latch, *before;
    FlowBlock *asked;  /* at its end `ok` is known; comes before `before`, or is it */
    NameMap inside;    /* LLVMBasicBlockRef -> FlowBlock */
    LoopBlocks blocks; /* without the header */
    LLVMValueRef counter, start, bound;
    LLVMIntPredicate predicate; /* counter predicate bound: go on */
    LLVMValueRef ok;            /* so far; NULL: nothing is demanded yet */
    NameMap exact;              /* values that promise nothing */
    NameMap known;              /* RangeKey -> what range_value_at has made */
} Range;

/* Check -- passes when left predicate right, or when the operation does not overflow. */
typedef struct Check {
    LLVMValueRef branch;
    bool when;
    LLVMValueRef operation;
    LLVMIntPredicate predicate;
    LLVMValueRef left, right;
} Check;

typedef ARRAY_OF(Check) Checks;

/* ---- foresight_range.c ---- */

/* range_find -- of the innermost loop with this header: one edge back, a counter; false: it is not
 * one. */
bool range_find(Range *range);
bool range_has(const Range *range, LLVMBasicBlockRef block);
/* range_widen -- where the loop runs over one of several blocks of iterations, the range of all of
 * them, known before the first; false: it does not. */
bool range_widen(const Range *range, Range *all);
/* range_is_fixed -- is the value known where `ok` is? */
bool range_is_fixed(const Range *range, LLVMValueRef value);
/* range_degree -- 0: fixed, 1: a multiple of the counter plus what is fixed, 2: something else. */
unsigned range_degree(const Range *range, LLVMValueRef value);
/* Follower -- a phi that goes by the same each time, as the counter does. */
typedef struct Follower {
    LLVMOpcode opcode; /* LLVMAdd or LLVMSub */
    LLVMValueRef start, by;
} Follower;

bool range_is_follower(const Range *range, LLVMValueRef value, Follower *follower);
/* range_rises_by_one -- is the value the counter plus and minus what is fixed? */
bool range_rises_by_one(const Range *range, LLVMValueRef value);
int range_direction(LLVMIntPredicate predicate);
bool range_is_unsigned(LLVMIntPredicate predicate);
/* range_operation -- the value as + - or *, checked or not, and its operands; LLVMGetElementPtr: it
 * is none of these. */
LLVMOpcode range_operation(LLVMValueRef value, LLVMValueRef *left, LLVMValueRef *right);
bool range_is_number(LLVMValueRef value, long long number);

/* ---- foresight_block.c ---- */

/* block_foresee -- where the loop runs over one of several blocks of iterations: gives it a copy
 * without these checks, for when there is but one block and they hold. `copies`: how many the
 * routine has. False: it gets none. */
bool block_foresee(const Range *range, const Checks *checks, unsigned copies);

/* ---- foresight.c ---- */

/* checks_find -- those of the loop that follow from the ends of its range. */
Checks checks_find(const Range *range);
/* checks_demand -- `ok` only if they hold for all of the range. */
void checks_demand(Range *range, const Checks *checks);

/* ---- foresight_end.c: computed before the loop, where the builder stands ---- */

/* range_demand -- `ok` only if this too. */
void range_demand(Range *range, LLVMValueRef condition);
/* range_last -- the value of the counter nearest to the bound; `ok` only if there is one. */
LLVMValueRef range_last(Range *range);
/* range_value_at -- the value for this one of the counter; `ok` only if nothing overflows on the
 * way. */
LLVMValueRef range_value_at(Range *range, LLVMValueRef value, LLVMValueRef counter);
/* range_plainly_at -- the same; what overflows comes round. */
LLVMValueRef range_plainly_at(Range *range, LLVMValueRef value, LLVMValueRef counter);
LLVMValueRef range_checked(Range *range, LLVMOpcode opcode, LLVMValueRef left, LLVMValueRef right);

#endif
