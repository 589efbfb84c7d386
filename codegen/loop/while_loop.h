/* while_loop -- WHILE loops that count, i < n and i := i + 1, get the form of counted loops.
 *
 * Holds:  what a program does is the same: the loop lets others run as often, and ends with the
 *         same values. */
#ifndef OCCC_WHILE_LOOP_H
#define OCCC_WHILE_LOOP_H

#include <llvm-c/Core.h>

#include <stdbool.h>

/* while_loops_count -- true: some loop of the function has changed. */
bool while_loops_count(LLVMValueRef function, LLVMBuilderRef builder);
/* while_loops_count_all -- the same in all functions: for programs without checks, where no strips
 * are made. */
void while_loops_count_all(LLVMModuleRef module);

#endif
