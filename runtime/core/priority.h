/* priority -- levels, and the workers that a process prefers.
 *
 * Owns:   Process.priority: the level (0 the most urgent) in its low bits, in the others the number
 *         of a set of workers (affinity); the table of those sets.
 * Leaves: the order of those that are ready to runqueue.h, batches to sharing.c; SETPRI, which
 *         lets others run, to scheduler.c.
 * Holds:  a process begins with both of its parent's: compiled code copies the byte. Entry 0 of
 *         the table is the empty set, which prefers nobody. An entry is written once, before a
 *         process has its number; entries are not given back. */
#ifndef RT_PRIORITY_H
#define RT_PRIORITY_H

#include "layout.h"

#include <stdint.h>

enum {
    PRIORITY_LEVELS = PRIORITY_MASK + 1,
    PRIORITY_START = 16, /* of the program: there is room in both directions */
    AFFINITY_SHIFT = 5,
    AFFINITY_SETS = 8
};

/* The table; its lock is the world's. */
typedef struct AffinitySets {
    uint32_t masks[AFFINITY_SETS];
    uint32_t count; /* besides entry 0 */
} AffinitySets;

static inline unsigned priority_level(const Process *process) {
    return process->priority & PRIORITY_MASK;
}

/* A level beyond the last is the last. */
void priority_set(Process *process, int32_t level);
/* Does the process prefer this worker to others? */
bool priority_prefers(const Process *process, unsigned worker);

/* abi.def */
int32_t rt_affinity_get(Process *me);
void rt_affinity_set(Process *me, int32_t mask);

#endif
