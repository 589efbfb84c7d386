/* loop_copy -- a counted loop once more, without its checks.
 *
 * Holds:  in the copy a checked operation wraps, and every check is taken to pass: somebody else
 *         must see to it that nothing comes of that when one does not, and that checks which do not
 *         depend on data do pass. What depends on data makes
 *         no promise (nsw) that only the checks keep. */
#ifndef OCCC_LOOP_COPY_H
#define OCCC_LOOP_COPY_H

#include "counted_loop.h"

typedef enum LoopCopyKind {
    LOOP_COPY_WHOLE,
    LOOP_COPY_READING, /* writes nothing */
    LOOP_COPY_UNDOING  /* takes back the + and - of `undone` */
} LoopCopyKind;

typedef struct LoopCopy {
    const CountedLoop *loop;
    LoopCopyKind kind;
    const NameMap *undone;   /* operation -> its operand that holds what was there before */
    const NameMap *products; /* of numbers of 16 bits -> the operand that is natural; or NULL */
    const NameMap *factors;  /* such operands that are fixed -> their last 15 bits; or NULL */
    const NameMap *rows;     /* address -> where the row begins that is read instead; or NULL */
    LLVMBuilderRef builder;
    LLVMValueRef place, end; /* 0, 1, 2, ... up to how often it is run */
    NameMap values, blocks;  /* of the loop -> of the copy */
    LLVMBasicBlockRef entry; /* the header's copy */
    LLVMBasicBlockRef exit;  /* where it goes on to */
} LoopCopy;

/* loop_copy -- runs from the values that `starts` has for the header's phis, so many times; comes
 * from block `from`, where it puts what it needs, and goes on to `exit`. */
void loop_copy(LoopCopy *copy, const NameMap *starts, LLVMValueRef count, LLVMBasicBlockRef from,
               LLVMBasicBlockRef exit);
/* loop_copy_of -- the value in the copy. */
LLVMValueRef loop_copy_of(const LoopCopy *copy, LLVMValueRef value);
LLVMBasicBlockRef loop_copy_block(const LoopCopy *copy, LLVMBasicBlockRef block);
/* loop_copy_latch -- where an iteration of the copy ends. */
LLVMBasicBlockRef loop_copy_latch(const LoopCopy *copy);
/* loop_copy_at_end -- puts the builder where an iteration of the copy ends. */
void loop_copy_at_end(const LoopCopy *copy);

#endif
