/* lookout -- is there a deadlock of some processes, while others go on?
 *
 * Owns:   when that is looked at: after the first 10 ms, then less and less often down to once a
 *         second, while processes run (at attention) and before the program sleeps; what it may
 *         cost: a hundredth of the time; OCC_WATCH.
 * Leaves: the proof and the report to deadlock.h, standing still to standstill.h.
 * Holds:  where several workers are active they are asked to stand, for a moment only: if one does
 *         not come, the next time will do. Nothing of the program is changed. */
#ifndef RT_LOOKOUT_H
#define RT_LOOKOUT_H

#include "worker.h"

void lookout_begin(void);
/* At attention, with no operation under way. */
void lookout_attend(Worker *worker);
/* Solo, nothing is ready. */
void lookout_idle(Worker *worker);
/* How long the program may sleep at most, of timeout_ns (negative: for ever). */
int64_t lookout_bound(int64_t timeout_ns);
/* Solo, after sleeping: is there something to run? */
void lookout_note(const Worker *worker);

#endif
