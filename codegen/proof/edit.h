/* edit -- the one way to put instructions into routines that exist already.
 *
 * Every pass of ours builds through it. What is inserted gets a location of the routine it is
 * inserted into: LLVM's own passes take a location of another routine for an inlined call, and
 * crash. A plain builder keeps the location of its last position, whichever routine that was in,
 * and gives it to copies too. test/tools/check_banned.py refuses LLVM's own functions elsewhere in
 * passes. */
#ifndef OCCC_EDIT_H
#define OCCC_EDIT_H

#include <llvm-c/Core.h>

LLVMBuilderRef edit_open(LLVMModuleRef module);
void edit_close(LLVMBuilderRef builder);

/* edit_before, edit_at_end -- where building goes on. What is built has the location of the
 * instruction, or of the last one in the block; if that has none, of one before it. */
void edit_before(LLVMBuilderRef builder, LLVMValueRef instruction);
void edit_at_end(LLVMBuilderRef builder, LLVMBasicBlockRef block);

/* edit_insert -- an instruction that was removed from or cloned in the same routine: it keeps its
 * location. */
void edit_insert(LLVMBuilderRef builder, LLVMValueRef instruction);

#endif
