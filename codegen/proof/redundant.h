/* redundant -- removes checks that cannot fail.
 *
 * Holds:  what a program does is the same with and without this pass: a check goes only when it is
 *         proved (proof.h) to pass whenever control reaches it. */
#ifndef OCCC_REDUNDANT_H
#define OCCC_REDUNDANT_H

#include <llvm-c/Core.h>

/* redundant_checks_remove -- from every function of the module, whose variables are in registers.
 */
void redundant_checks_remove(LLVMModuleRef module);

#endif
