/* foreign -- calls of C functions (#PRAGMA EXTERNAL).
 *
 * Owns:   the threads for calls that may block.
 * Leaves: how arguments are passed to codegen/routine/foreign.c: a record whose first 4 words are
 *         ours.
 * Holds:  a process whose call is under way is parked (WAIT_BLOCKING_CALL) and counted in
 *         rt_root.outside, so idleness is no deadlock; the thread hands it back by sharing_put and
 *         touches neither it nor its record afterwards. No call waits behind one that blocks: while
 *         there are calls that no thread has taken, a thread is being woken or started, which takes
 *         the first and wakes another if there are more. So short calls need few threads. Idle
 *         threads end after a while. If the system allows no more threads a call waits for one, but
 *         not for ever (rt_root.starved). Without a descriptor for a bell the first calls run on
 *         their worker, until there is one. */
#ifndef RT_FOREIGN_H
#define RT_FOREIGN_H

#include "layout.h"

/* How a function that is told the place of its call (#PRAGMA EXTERNAL "PROC occ.at.name .. = 0")
 * sees the record: its first parameter. */
typedef struct PlacedCall {
    void *next;
    Process *process; /* the caller */
    void *function;
    const Site *site; /* the place of the call */
} PlacedCall;

/* abi.def. Both call function (record), which is a thunk of the code generator. */
void rt_foreign_call(Process *me, void *function, void *record);
Process *rt_blocking_call(Process *me, void *function, void *record, const Site *site);
int32_t rt_kill_call(Process *me, void *channel);

#endif
