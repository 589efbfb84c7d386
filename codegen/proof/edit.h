/* edit -- the one way to put instructions into routines that are there already.
 *
 * Every pass of ours builds through it. What is inserted has a location of the routine it is
 * inserted into: LLVM's own passes take one of another routine for an inlined call, and crash. A
 * builder by itself keeps the location of where it stood last, whichever routine that was, and
 * gives it to copies too. test/tools/check_banned.py refuses LLVM's own functions elsewhere in
 * passes. */
#ifndef OCCC_EDIT_H
#define OCCC_EDIT_H

#include <llvm-c/Core.h>

LLVMBuilderRef edit_open(LLVMModuleRef module);
void edit_close(LLVMBuilderRef builder);

/* edit_before, edit_at_end -- where building goes on. What is built has the location of the
 * instruction, or of what stands last in the block; where there is none, of what stands before it.
 */
void edit_before(LLVMBuilderRef builder, LLVMValueRef instruction);
void edit_at_end(LLVMBuilderRef builder, LLVMBasicBlockRef block);

/* edit_insert -- an instruction that was taken out or cloned of the same routine: it keeps its
 * location. */
void edit_insert(LLVMBuilderRef builder, LLVMValueRef instruction);

#endif
