/* foresight -- checks of loops are asked before the loop begins, where that is possible.
 *
 * Holds:  if the answer is not that all hold, the loop asks each of them as it did: so the report
 *         is made where it was, by the iteration that fails. */
#ifndef OCCC_FORESIGHT_H
#define OCCC_FORESIGHT_H

#include <llvm-c/Core.h>

#include <stdbool.h>

/* foresight_begin -- hides functions that have nothing to foresee from the passes between here and
 * foresight_end; false: there are no others. */
bool foresight_begin(LLVMModuleRef module);
/* foresight_plant -- in each innermost loop the checks that follow from its ends ask first for the
 * answer, which is computed before it. LLVM's simple-loop-unswitch then makes two loops of it, one
 * without these checks. `may_be_long`: the code may become longer, so a third loop is made where it
 * helps (foresight_block.c). False: there are no such checks in the module. Functions that have none
 * are hidden, as above. */
bool foresight_plant(LLVMModuleRef module, bool may_be_long);
void foresight_end(LLVMModuleRef module);

#endif
