/* vector_loop -- the loop of a strip as vectors, in a routine of its own that LLVM's passes do not
 * see.
 *
 * Holds:  what it is made of is plain: one block whose loads and stores go through rows by one
 *         element, numbers of at most 32 bits, sums and ORs of them; everything else is left to
 *         LLVM's own vectors. The routine keeps all registers of its caller but those of vectors
 *         and results. */
#ifndef OCCC_VECTOR_LOOP_H
#define OCCC_VECTOR_LOOP_H

#include "deferral_state.h"
#include "llvm_compat.h"

/* vector_loop_move -- a call stands where the copy of the loop was; `before`: the block that leads
 * to it; a strip has a multiple of `grain` iterations. False: the copy is as it was. */
bool vector_loop_move(const Deferral *deferral, const LoopCopy *copy, LLVMBasicBlockRef before,
                      CompatVectors vectors, unsigned grain);

#endif
