/* causes -- the events that led a process to where it is, and which could have come later.
 *
 * Owns:   for each process the set of steps that come before it; for each channel and object the
 *         steps whose operation used it; finding races.
 * Leaves: what a race means for the next runs to search.h.
 * Holds:  a step is in the set of a process only if it certainly comes before: by what the process
 *         did itself, by a communication, by an object whose order can be seen, or from its parent.
 *         An order not known to be certain counts as a race, which costs runs but no behaviours;
 *         but the order of events at one object must be known.
 *
 * A race: the operation of step k could have met, or given way to, a later one that step k does not
 * lead to. The other order is then another behaviour, and the first step after k that leads to the
 * later operation is to be tried at k. */
#ifndef RT_CAUSES_H
#define RT_CAUSES_H

#include "gate.h"

/* From now on races are reported to `race`; first is a step, or CAUSES_NONE: the racing one
 * itself. */
#define CAUSES_NONE UINT32_MAX
/* Unless this is called no cause is recorded and no race found. */
void causes_begin(void (*race)(uint32_t step, uint32_t first));

/* An operation has come to the gate. */
void causes_arrive(const GateOp *op);
/* The event is about to happen, as that step. */
void causes_happen(const GateEvent *event, const ExploreEvent *described, uint32_t step);
/* As gate_note_plain and the functions below it. */
void causes_plain(const Process *me, const Channel *channel, bool is_output);
void causes_meeting(const Process *me, const Process *partner);
void causes_end(const Process *process);
void causes_release(const Process *holder, const void *lock);
/* Time goes on: everything before comes before everything after. */
void causes_time(uint32_t step);

#endif
