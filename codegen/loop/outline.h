/* outline -- the loops of a routine that has very many become routines of their own.
 *
 * Most passes of LLVM take more than linear time over the loops of one routine, and over none of
 * many short ones (decision 0035). */
#ifndef OCCC_OUTLINE_H
#define OCCC_OUTLINE_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include <stdbool.h>

/* OUTLINE_SUFFIX -- and a number: what is added to the name of the routine. */
#define OUTLINE_SUFFIX "$loop"

/* outline_loops -- once variables are values, before anything is known of loops. */
void outline_loops(LLVMModuleRef module, LLVMTargetDataRef layout);

#endif
