/* redundant -- removes checks that cannot fail.
 *
 * Holds:  what a program does is the same with and without this pass: a check goes only when it is
 *         proved (proof.h) to pass whenever control reaches it. */
#ifndef OCCC_REDUNDANT_H
#define OCCC_REDUNDANT_H

#include <llvm-c/Core.h>

#include <stdbool.h>

/* redundant_checks_remove -- from every function of the module, whose variables are in registers.
 */
void redundant_checks_remove(LLVMModuleRef module);

/* redundant_checks_remove_of -- only these branches, of checks all of which stay otherwise: nothing
 * else is changed by what they prove. */
void redundant_checks_remove_of(LLVMModuleRef module, const LLVMValueRef *branches, size_t count);

/* branch_is_check -- does one of the two ways end in a report? `when`: the condition that takes the
 * other. */
bool branch_is_check(LLVMValueRef branch, bool *when);

#endif
