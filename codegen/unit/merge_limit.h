/* merge_limit -- keeps LLVM from merging a whole program into one routine, and PROCs into branches. */
#ifndef OCCC_MERGE_LIMIT_H
#define OCCC_MERGE_LIMIT_H

#include "emit.h"

/* merge_limit -- before the passes: routines that are called from one place are marked noinline
 * where their caller would become very large, and calls of others where it is already, or where a
 * branch of a PAR ends with it. */
void merge_limit(Emitter *emitter);

#endif
