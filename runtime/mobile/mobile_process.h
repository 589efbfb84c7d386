/* mobile_process -- processes that are values: activated, suspended, moved, given back.
 *
 * Owns:   the block of a mobile process, its states, the way to and from its activator.
 * Leaves: the object and the values it is activated with to compiled code (mobile_process.c there),
 *         the run queue to scheduler.h.
 * Holds:  a mobile process is a process like any other between its activation and its SUSPEND or
 *         end; meanwhile its activator is parked. It has a block from its first activation to its
 *         end. A suspended one is in no queue, and nobody waits for it: its object moves freely,
 *         and it goes on with whichever worker activates it next.
 *         Giving back a suspended one runs it once more, on the spot, to give back what its frames
 *         hold: it does not wait then, so nothing else runs in between. */
#ifndef RT_MOBILE_PROCESS_H
#define RT_MOBILE_PROCESS_H

#include "mobile.h"

typedef struct MobileProcess {
    Mobile header;
    Process *process; /* its block; NULL before the first activation and after the end */
    Process *activator;
    void *body;
    int64_t block_bytes;
    uint32_t state; /* PROCESS_FRESH ... of layout.def */
    uint32_t reserved;
    uint64_t actuals[]; /* of the activation, one word for each value of a formal */
} MobileProcess;

/* abi.def */
Process *rt_mobile_activate(Process *me, void *object, const Site *site);
Process *rt_mobile_suspend(Process *me, void *object, const Site *site);
Process *rt_mobile_ended(Process *me, void *object);
Process *rt_mobile_cancel(Process *me, void *object);

#endif
