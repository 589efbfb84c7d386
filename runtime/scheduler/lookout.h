/* lookout -- periodic search for a deadlock of some processes while others go on.
 *
 * Owns:   when to search: first after 10 ms, then less often, down to once a second, at attention
 *         and before the program sleeps; its cost, at most a hundredth of the time; OCC_WATCH.
 * Leaves: the proof and the report to deadlock.h, stopping the workers to standstill.h.
 * Holds:  several active workers are asked to stand still for a moment only: if one does not come,
 *         the search is put off. Nothing of the program is changed. */
#ifndef RT_LOOKOUT_H
#define RT_LOOKOUT_H

#include "worker.h"

void lookout_begin(void);
/* At attention, with no operation under way. */
void lookout_attend(Worker *worker);
/* Solo, nothing is ready. */
void lookout_idle(Worker *worker);
/* How long the program may sleep, timeout_ns (negative: for ever) at most. */
int64_t lookout_bound(int64_t timeout_ns);
/* Solo, after sleeping: note whether something is ready to run. */
void lookout_note(const Worker *worker);

#endif
