/* foreign -- calls of C functions (#PRAGMA EXTERNAL).
 *
 * Owns:   the threads on which calls run that may block.
 * Leaves: how arguments travel to codegen/routine/foreign.c: a record whose first 4 words are
 *         ours.
 * Holds:  a process whose call is under way is parked (WAIT_BLOCKING_CALL) and counted in
 *         rt_root.outside, so idleness is no deadlock; the thread hands it back by sharing_put and
 *         touches neither it nor its record afterwards. No call waits behind one that blocks:
 *         while there are calls that no thread has taken, a thread is on its way, which takes the
 *         first of them and calls the next thread if there are more. So calls that are short are
 *         done by few threads. Those without work end after a while. Where the system gives no
 *         more a call waits for one; not for ever (rt_root.starved). Where there is no descriptor
 *         to ring a bell with the first calls run on their worker, until there is. */
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
