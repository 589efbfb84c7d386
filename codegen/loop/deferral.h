/* deferral -- loops whose checks depend on data test them once for a strip of iterations.
 *
 * Holds:  what a program does is the same with and without it. A strip runs without checks, in
 *         vectors where LLVM can; when one of its checks might have failed, the loop as it was,
 *         with all its checks, runs from the begin of that strip: it reports what it always did, or
 *         finds that nothing was wrong. Until then nothing has changed that others may see. */
#ifndef OCCC_DEFERRAL_H
#define OCCC_DEFERRAL_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include <stdbool.h>

typedef struct Deferrals Deferrals;

/* deferrals_count_loops -- before: WHILE loops that may be among them get the form of counted ones.
 */
void deferrals_count_loops(LLVMModuleRef module);
/* deferrals_open -- finds the loops, and takes the checks that depend on data out of sight: what
 * is proved of the others must not rest on them. `proves`: the prover may be asked;
 * `may_be_long`: as many forms of strips as may be faster, as -O3 wants. */
Deferrals *deferrals_open(LLVMModuleRef module, LLVMTargetDataRef layout, bool proves,
                          bool may_be_long, bool makes_vectors);
/* deferrals_close -- puts these checks back, takes away those that are proved now, and gives each
 * loop that has no others left a copy without them. True: there were checks. */
bool deferrals_close(Deferrals *deferrals);
/* deferrals_show -- when LLVM's passes have run: the routines of strips are ordinary ones from now
 * on. */
void deferrals_show(LLVMModuleRef module);

#endif
