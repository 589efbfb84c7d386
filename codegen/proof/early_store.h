/* early_store -- v[i] := v[i] + x: the sum is stored before its overflow is asked for.
 *
 * Holds:  the report says the same. Who could see the sum that wrapped? The program ends there, or
 *         the process does (decision 0032). */
#ifndef OCCC_EARLY_STORE_H
#define OCCC_EARLY_STORE_H

#include <llvm-c/Core.h>

/* early_store_settle -- in all of the module, which is optimised. */
void early_store_settle(LLVMModuleRef module);

#endif
