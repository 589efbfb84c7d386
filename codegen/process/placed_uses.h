/* placed_uses -- which channels a component of a PLACED PAR can use, as far as its text says it before
 * it runs: so it is known whose they were when its machine is lost.
 *
 * Holds:  of an array only elements with a constant index, or that of the PLACED PAR's replicator
 *         with a constant added; if the component has the array in any other way, nothing is said. */
#ifndef OCCC_PLACED_USES_H
#define OCCC_PLACED_USES_H

#include "environment.h"

/* The record core/machines.h PlacedUses, or NULL: there are none. */
LLVMValueRef placed_uses(Emitter *emitter, const Node *par, size_t component,
                         const Environment *environment);

#endif
