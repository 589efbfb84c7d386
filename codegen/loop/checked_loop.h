/* checked_loop -- loops that still have checks are not unrolled by a number known only at run time.
 */
#ifndef OCCC_CHECKED_LOOP_H
#define OCCC_CHECKED_LOOP_H

#include <llvm-c/Core.h>

/* checked_loops_settle -- marks such loops for LLVM; after all passes that remove checks. */
void checked_loops_settle(LLVMModuleRef module);

#endif
