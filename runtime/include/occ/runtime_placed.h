/* runtime_placed -- what compiled code calls of placements (runtime/placed/), as runtime.h.
 *
 * Records: machines.h. A program on one machine runs a PLACED PAR as a PAR. */
#ifndef OCC_RUNTIME_PLACED_H
#define OCC_RUNTIME_PLACED_H

/**
 * occ_placed_ask -- how many machines there are, or which this one is.
 *
 * Implements:  PROCESSOR.COUNT, PROCESSOR.NUMBER
 * Parameters:  machines  occ_machines.
 *              what      PLACED_COUNT, PLACED_NUMBER of layout.def.
 * Source:      extensions.md 8
 */
int32_t occ_placed_ask(Process *me, void *machines, int32_t what);

/**
 * occ_placed_scope -- a PLACED PAR begins, or its components have ended.
 *
 * Implements:  PLACED PAR: the channels of its environment are known to all machines in between.
 * Parameters:  par          PlacedPar.
 *              environment  filled.
 *              begins       1 or 0.
 * Waits:       never parks.
 * Errors:      NO_MEMORY (always; exit status 3).
 */
void occ_placed_scope(Process *me, void *par, void *environment, int32_t begins);

/**
 * occ_placed_run -- start a component on its machine.
 *
 * Implements:  PROCESSOR e
 * Parameters:  component    PlacedComponent.
 *              environment  of the PLACED PAR.
 *              request      PlacedRequest: the number of the processor, modulo the number of
 *                           machines, and the index of the branch, with its registrations.
 * Returns:     a Proxy, for occ_placed_attend until its first word is not 0; NULL: the caller runs
 *              the component itself.
 * Waits:       never parks.
 * Errors:      NO_MEMORY (always; exit status 3).
 */
void *occ_placed_run(Process *me, void *component, void *environment, void *request);

/**
 * occ_placed_attend -- do for a component elsewhere what can only be done here, or wait.
 *
 * Implements:  output of a placement on the channels of the program; the end of the placement.
 * Parameters:  proxy  of occ_placed_run.
 *              site   of the PROCESSOR.
 * Waits:       may park (PLACEMENT, DEVICE).
 */
OCC_PN OccMe occ_placed_attend(Process *me, void *proxy, const Site *site);

/**
 * occ_placed_ended -- a component that was started by another machine has ended.
 *
 * Parameters:  environment  the copy it has run with.
 * Waits:       never parks.
 */
void occ_placed_ended(Process *me, void *environment);

#endif
