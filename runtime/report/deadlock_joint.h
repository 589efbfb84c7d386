/* deadlock_joint -- one graph of all ranks of a job: the part of a rank as bytes, and many parts in
 * the graph of the first.
 *
 * Owns:   the form of a part: nodes with their lines, who waits for what by a key, who has that.
 * Leaves: when a part is wanted, and sending it, to placed/common_standstill.h.
 * Holds:  all ranks run the same program: an address of its constants is the same everywhere. A
 *         part numbers its processes from 0; its lines say the numbers of the joint report. */
#ifndef RT_DEADLOCK_JOINT_H
#define RT_DEADLOCK_JOINT_H

#include "deadlock_graph.h"

/* DeadlockPart -- what a rank has told; the rank after it is the next. */
typedef struct DeadlockPart {
    struct DeadlockPart *next;
    uint32_t machine;
    const void *bytes;
} DeadlockPart;

/* How many processes are in reports of this rank. */
uint32_t deadlock_joint_count(void);
uint32_t deadlock_joint_count_of(const void *part);
/* The part of this rank, whose processes are numbered after so many of others, as far as it goes
 * there; the result: how many bytes it has. 0: no memory. */
size_t deadlock_joint_write(uint32_t before, void *bytes, size_t capacity);
/* False: no memory. */
bool deadlock_joint_add(DeadlockGraph *graph, const DeadlockPart *parts);

#endif
