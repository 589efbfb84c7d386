/* causes -- which events have led to where a process is, and which of them could have come later.
 *
 * Owns:   for each process the set of steps that come before it; for each channel and object the
 *         steps whose operation used it; finding races.
 * Leaves: what a race means for the next runs to frontend/explore/search.c.
 * Holds:  a step is in the set of a process only if it certainly comes before: by what the process
 *         did itself, by a communication, by an object whose order can be seen, or because its
 *         parent had it. What is not known to come before counts as a race, which costs runs, no
 *         behaviours; but the order of events at one object must be known.
 *
 * A race: an operation that is done at step k could have met, or given way to, one that comes later
 * and that step k does not lead to. Then the other order is another behaviour, and the first step
 * after k that leads to it is to be tried at k. */
#ifndef RT_CAUSES_H
#define RT_CAUSES_H

#include "gate.h"

/* From now on; the races go to `race`: first is a step, or CAUSES_NONE: what races is there itself.
 */
#define CAUSES_NONE UINT32_MAX
/* Without it nothing is found, nor kept. */
void causes_begin(void (*race)(uint32_t step, uint32_t first));

/* An operation has come to the gate. */
void causes_arrive(const GateOp *op);
/* The event is about to happen, as that step. */
void causes_happen(const GateEvent *event, const ExploreEvent *described, uint32_t step);
/* As gate_note_plain and so on. */
void causes_plain(const Process *me, const Channel *channel, bool is_output);
void causes_meeting(const Process *me, const Process *partner);
void causes_end(const Process *process);
void causes_release(const Process *holder, const void *lock);
/* Time goes on: whatever has been comes before whatever will be. */
void causes_time(uint32_t step);

#endif
