/* late_choice -- a choice between a few cheap operations without a branch, though one is checked.
 *
 * Holds:  the report is the same, and is made where it was. */
#ifndef OCCC_LATE_CHOICE_H
#define OCCC_LATE_CHOICE_H

#include <llvm-c/Core.h>

/* late_choice_settle -- in the whole module, after it has been optimised. */
void late_choice_settle(LLVMModuleRef module);

#endif
