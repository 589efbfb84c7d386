/* state -- a digest of what the program can do from here.
 *
 * Owns:   the digest of everything that decides how the program goes on: what processes keep on
 *         their stacks and what they wait for, arrays and mobiles, who waits at the gate, who
 *         sleeps how long, how much of the keyboard has been read.
 * Leaves: which digests have been seen to state_table.h.
 * Holds:  every process waits. Only memory in use counts: of a stack the part above its stack
 *         pointer, no free blocks. Two states with one digest are taken to be the same: among a
 *         million states, two collide with a probability of 3 in 10^8. Output is not part of a
 *         state; memory private to C is not seen.
 *
 * Times are relative to now: deadlines, and words of the program's memory that are near the present
 * time. So that no other numbers are near it, the time of a program whose states are recognised
 * begins at STATE_TIME_US. */
#ifndef RT_STATE_H
#define RT_STATE_H

#include "check.h"

enum { STATE_TIME_US = 1000000000 };

/* Never 0. */
uint64_t state_digest(void);

#endif
