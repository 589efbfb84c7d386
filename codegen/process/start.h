/* start -- see start.c; what FORK needs too is in emit_sharing.h. */
#ifndef OCCC_START_H
#define OCCC_START_H

#include "emit.h"

/* emit_join_all -- the parent has come to the end of its PAR; is_deferred: branches may wait for
 * that. */
void emit_join_all(Emitter *emitter, LLVMValueRef join, LLVMValueRef site, bool is_deferred);

#endif
