/* deadlock_joint -- one graph of all ranks of a job: the part of a rank as bytes, and the parts
 * joined on the first rank.
 *
 * Owns:   the form of a part: nodes with their lines, who waits for what by a key, who has that.
 * Leaves: when a part is wanted, and sending it, to placed/common_standstill.h.
 * Holds:  all ranks run the same program: an address of its constants is the same everywhere. A
 *         part numbers its processes from 0; its lines use the numbers of the joint report. */
#ifndef RT_DEADLOCK_JOINT_H
#define RT_DEADLOCK_JOINT_H

#include "deadlock_graph.h"

/* DeadlockPart -- the part of one rank; the part of the rank after it is the next. */
typedef struct DeadlockPart {
    struct DeadlockPart *next;
    uint32_t machine;
    const void *bytes;
} DeadlockPart;

/* How many processes are in reports of this rank. */
uint32_t deadlock_joint_count(void);
uint32_t deadlock_joint_count_of(const void *part);
/* Write the part of this rank, cut off at `capacity`; `before`: how many processes of other ranks
 * come before. Returns its full size in bytes; 0: no memory. */
size_t deadlock_joint_write(uint32_t before, void *bytes, size_t capacity);
/* False: no memory. */
bool deadlock_joint_add(DeadlockGraph *graph, const DeadlockPart *parts);

#endif
