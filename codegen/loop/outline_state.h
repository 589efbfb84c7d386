/* outline_state -- what the files of outline share. */
#ifndef OCCC_OUTLINE_STATE_H
#define OCCC_OUTLINE_STATE_H

#include "loop_shape.h"

#include <llvm-c/Target.h>

typedef ARRAY_OF(LLVMValueRef) OutlineValues;

/* OutlinePhi -- of a block that the part leads to, and what it is when it comes from the part. */
typedef struct OutlinePhi {
    LLVMValueRef phi, value;
} OutlinePhi;

/* OutlineExit -- a block that the part leads to, and what returns from the part for it. */
typedef struct OutlineExit {
    LLVMBasicBlockRef to, stub;
    LoopBlocks from;
    ARRAY_OF(OutlinePhi) phis;
} OutlineExit;

/* OutlinePart -- the blocks of one loop, with those in which its checks report. */
typedef struct OutlinePart {
    Arena *arena;
    FlowGraph *graph;
    LLVMValueRef function, part; /* where it was, and what it becomes */
    LLVMBuilderRef builder;
    LLVMTargetDataRef layout;
    LLVMBasicBlockRef entry, call; /* the first block of the part, and the one that calls it */
    LoopBlocks blocks;             /* the header first */
    NameMap inside;                /* LLVMBasicBlockRef -> not NULL; entry and stubs too */
    ARRAY_OF(OutlineExit) exits;
    OutlineValues inputs, outputs;
    OutlineValues locals; /* variables that nobody else uses */
    NameMap places;       /* LLVMValueRef -> its place in inputs or outputs, plus 1 */
} OutlinePart;

/* outline_remake_phi -- with what comes from the blocks that are (`keeps`) or are not in the set,
 * and then one value more (NULL: none). */
void outline_remake_phi(LLVMBuilderRef builder, LLVMValueRef phi, const NameMap *set, bool keeps,
                        LLVMValueRef value, LLVMBasicBlockRef from);
/* outline_drop_dead -- takes away the blocks that nothing reaches: they lead into loops. */
void outline_drop_dead(const FlowGraph *graph, LLVMBuilderRef builder, LLVMValueRef function);
bool outline_is_inside(const OutlinePart *part, LLVMBasicBlockRef block);
/* outline_split_pairs -- the number and the flag of a checked operation are taken from it where it
 * is, so that parts are given these: of the pair itself nobody but them may be a user. */
void outline_split_pairs(LLVMBuilderRef builder, LLVMValueRef function);
/* outline_values_find -- inputs, locals and outputs, when exits are known. */
void outline_values_find(OutlinePart *part);
/* outline_values_enter -- the parameters take the place of the inputs in all that was moved. */
void outline_values_enter(OutlinePart *part);
/* outline_values_describe -- what is known of the inputs is said of the parameters. */
void outline_values_describe(OutlinePart *part);
/* outline_value_out -- an output as it leaves by the exit; poison where it cannot be used. */
LLVMValueRef outline_value_out(const OutlinePart *part, const OutlineExit *exit,
                               LLVMValueRef output);
/* outline_output -- its place among the outputs, plus 1; 0: it is none. */
size_t outline_output(const OutlinePart *part, LLVMValueRef value);
/* outline_value_leave -- whoever uses an output outside gets it from the call. */
void outline_value_leave(OutlinePart *part, LLVMValueRef output, LLVMValueRef from_call);
/* outline_move -- makes the routine and its call; false: the loop is entered in more ways than
 * one, and nothing is changed. */
bool outline_move(OutlinePart *part, const char *name);

#endif
