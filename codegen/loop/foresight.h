/* foresight -- checks of loops that could be asked before the loop begins.
 *
 * Holds:  what is asked there is asked once more in the loop, unless it is known to hold: so the
 *         report is made where it was, by the iteration that fails. */
#ifndef OCCC_FORESIGHT_H
#define OCCC_FORESIGHT_H

#include <llvm-c/Core.h>

#include <stdbool.h>

/* foresight_begin -- hides functions that have nothing to foresee from the passes between here and
 * foresight_end; false: there are no others. */
bool foresight_begin(LLVMModuleRef module);
/* foresight_plant -- in each innermost loop the checks that follow from its ends ask first for the
 * answer, which is computed before it. LLVM is to make two loops of it (simple-loop-unswitch).
 * `may_be_long`: a third, for a single block, is not too much. False: there are none. Hides the
 * functions without. */
bool foresight_plant(LLVMModuleRef module, bool may_be_long);
void foresight_end(LLVMModuleRef module);

#endif
