/* loop_memory -- what a counted loop reads and writes: elements that follow one another.
 *
 * Holds:  an access is at element (counter + distance) of some row, or always at the same place; a
 *         load may depend on the counter in another way, where nothing is written.
 *         Accesses of one row with the same distance in the same iteration are to one element.
 *         Every access is within its array whenever the loop makes it: no check of it is left. */
#ifndef OCCC_LOOP_MEMORY_H
#define OCCC_LOOP_MEMORY_H

#include "counted_loop.h"
#include "linear_form.h"

#include <llvm-c/Target.h>

typedef struct LoopAccess {
    LLVMValueRef instruction, address;
    LLVMTypeRef type; /* of the element */
    bool is_store;
    bool moves;        /* with the counter, by one element */
    bool is_scattered; /* a load that moves with the counter in another way */
    LLVMValueRef row;  /* if it moves, or `slope` is not 0 */
    LinearForm index;  /* without the counter and the constant */
    int64_t slope;     /* by how many elements it moves; 0: not known, or not at all */
    unsigned widening; /* opcode that widens the index; 0: none */
    int64_t distance;
    LLVMValueRef root; /* what the address was made from */
    unsigned place;    /* in the order of the loop */
} LoopAccess;

/* loop_slope -- by how much the value changes from one iteration to the next, in its own width; 0:
 * it is not linear, or changes by too much. */
int64_t loop_slope(const CountedLoop *loop, LLVMValueRef value);

/* loop_root_of -- what the address was made from. */
LLVMValueRef loop_root_of(LLVMValueRef address);
/* loop_are_different_objects -- of two roots: what is at the one is never at the other. */
bool loop_are_different_objects(LLVMValueRef a, LLVMValueRef b);

/* What has to be done so that the loop can be begun again when it has run. */
typedef enum LoopAgain {
    AGAIN_NEVER,   /* it may read what it has written */
    AGAIN_READING, /* only if it did not write: it writes what it read before */
    AGAIN_FREELY   /* it writes nothing that it reads */
} LoopAgain;

typedef struct LoopMemory {
    ARRAY_OF(LoopAccess) accesses;
    ARRAY_OF(const LoopAccess *) apart; /* pairs that must be found apart before the loop is run */
    LoopAgain again;
    unsigned stores;
    const LoopAccess *read, *written; /* the one pair that kept it from AGAIN_FREELY, or NULL */
} LoopMemory;

/* loop_memory_find -- false: there is an access of another form. */
bool loop_memory_find(const CountedLoop *loop, LLVMTargetDataRef layout, LoopMemory *memory);
const LoopAccess *loop_access_of(const LoopMemory *memory, LLVMValueRef instruction);
bool loop_access_same_row(const LoopAccess *a, const LoopAccess *b);
/* loop_memory_is_apart -- computes whether the pairs in `apart` do not overlap during `count`
 * iterations from `counter` on; NULL: there are none. */
LLVMValueRef loop_memory_is_apart(const CountedLoop *loop, const LoopMemory *memory,
                                  LLVMTargetDataRef layout, LLVMBuilderRef builder,
                                  LLVMValueRef counter, LLVMValueRef count);

#endif
