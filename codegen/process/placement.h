/* placement -- a PLACED PAR and its components as the runtime knows them.
 *
 * Holds:  the records have the layout of runtime/include/occ/placed.h. */
#ifndef OCCC_PLACEMENT_H
#define OCCC_PLACEMENT_H

#include "environment.h"

/* placement_of_par -- the record of a PLACED PAR, whose environment has been laid out. */
LLVMValueRef placement_of_par(Emitter *emitter, const Node *par, const Environment *environment);
/* placement_scope -- called before the components start and after the last has ended: between, all
 * machines know the channels of the PLACED PAR. */
void placement_scope(Emitter *emitter, LLVMValueRef par, const Environment *environment,
                     bool begins);
/* placement_branch -- the body of a component's routine (me, environment, index): run it elsewhere,
 * or here. */
void placement_branch(Emitter *emitter, const Node *par, size_t component, LLVMValueRef record,
                      const Environment *environment);

#endif
