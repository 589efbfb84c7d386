/* merge_limit -- keeps LLVM from inlining a whole program into one routine. */
#ifndef OCCC_MERGE_LIMIT_H
#define OCCC_MERGE_LIMIT_H

#include "emit.h"

/* merge_limit -- before the passes: mark noinline the routines called from one place whose caller
 * would become very large, and the calls of other routines where it is large already, or where the
 * call ends a branch of a PAR. */
void merge_limit(Emitter *emitter);

#endif
