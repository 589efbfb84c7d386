/* loop_clone -- a loop, and the loops in it, once more.
 *
 * Holds:  what a loop makes is used behind it only by phis where it ends (LCSSA form), which get it
 *         from the clone too. */
#ifndef OCCC_LOOP_CLONE_H
#define OCCC_LOOP_CLONE_H

#include "loop_shape.h"

typedef struct LoopClone {
    Arena *arena;
    LLVMBuilderRef builder;
    LoopBlocks loop;          /* its blocks, the header first */
    NameMap values;           /* what lies in the loop, blocks too -> what it is in the clone */
    LLVMBasicBlockRef header; /* of the clone */
} LoopClone;

/* loop_clone_find -- the blocks of the loop with this header; false: it is too long, or has not the
 * form in which it can be cloned. */
bool loop_clone_find(LoopClone *clone, FlowBlock *header, FlowBlock *latch, unsigned most);
/* loop_clone_build -- entered from the block `before`, which has yet to branch there. */
void loop_clone_build(LoopClone *clone, const FlowBlock *before);
/* loop_clone_of -- the value in the clone; of one from outside of the loop: itself. */
LLVMValueRef loop_clone_of(const LoopClone *clone, LLVMValueRef value);

#endif
