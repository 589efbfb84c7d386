/* early_store -- v[i] := v[i] + x: the sum is stored before its overflow is tested.
 *
 * Holds:  the report is the same. Nobody can see the sum that wrapped: the program ends there, or
 *         the process does (decision 0032). */
#ifndef OCCC_EARLY_STORE_H
#define OCCC_EARLY_STORE_H

#include <llvm-c/Core.h>

/* early_store_settle -- in the whole module, after it has been optimised. */
void early_store_settle(LLVMModuleRef module);

#endif
