/* placed_uses -- which channels a component of a PLACED PAR can use, as far as its text tells: so
 * they are known when its machine is lost.
 *
 * Holds:  of an array only elements with a constant index, or the replicator of the PLACED PAR plus
 *         a constant; if the component uses the array in any other way, nothing is recorded. */
#ifndef OCCC_PLACED_USES_H
#define OCCC_PLACED_USES_H

#include "environment.h"

/* placed_uses -- the record (core/machines.h PlacedUses), or NULL: there are none. */
LLVMValueRef placed_uses(Emitter *emitter, const Node *par, size_t component,
                         const Environment *environment);

#endif
