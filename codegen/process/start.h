/* start -- see start.c and par_order.c; what FORK needs as well is in emit_sharing.h. */
#ifndef OCCC_START_H
#define OCCC_START_H

#include "emit.h"

/* StartOrder -- when the branches of a PAR begin that its parent does not run itself. */
typedef enum StartOrder {
    START_FIRST,   /* in textual order, before all that are ready; the parent runs the first */
    START_LOWER,   /* PRI PAR: the same, but after processes of higher priority */
    START_LAST,    /* after those that are ready; the parent runs the last */
    START_DEFERRED /* when the parent is at the end, or nobody is ready; it runs the last */
} StartOrder;
StartOrder par_order(const Emitter *emitter, const Node *par);
/* par_own_component -- which component the parent runs itself; 0 in a replicated PAR. */
size_t par_own_component(const Emitter *emitter, const Node *par);

/* emit_join_all -- the parent is at the end of its PAR; is_deferred: branches may wait for that. */
void emit_join_all(Emitter *emitter, LLVMValueRef join, LLVMValueRef site, bool is_deferred);

#endif
