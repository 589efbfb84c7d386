/* loop_blocks -- loops over blocks of iterations, between which a process looks for attention, in
 * the form that costs least where there is but one block. */
#ifndef OCCC_LOOP_BLOCKS_H
#define OCCC_LOOP_BLOCKS_H

#include <llvm-c/Core.h>

/* loop_blocks_settle -- nothing is proved of these loops afterwards. */
void loop_blocks_settle(LLVMModuleRef module);

#endif
