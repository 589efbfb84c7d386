/* redundant -- removes checks that cannot fail.
 *
 * Holds:  what a program does is the same with and without this pass: a check goes only when it is
 *         proved (proof.h) to pass whenever control reaches it. */
#ifndef OCCC_REDUNDANT_H
#define OCCC_REDUNDANT_H

#include <llvm-c/Core.h>

#include <stdbool.h>

/* redundant_checks_remove -- in every function of the module; variables must be in registers. */
void redundant_checks_remove(LLVMModuleRef module);

/* redundant_checks_remove_of -- only these branches; all other checks stay, and nothing else is
 * changed by what these prove. */
void redundant_checks_remove_of(LLVMModuleRef module, const LLVMValueRef *branches, size_t count);

/* branch_is_check -- does one successor end in a report? `when`: the condition for the other. */
bool branch_is_check(LLVMValueRef branch, bool *when);

#endif
