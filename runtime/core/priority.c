/* priority -- GETPRI and its family. See priority.h. */
#include "priority.h"

#include "world.h"

void priority_set(Process *process, int32_t level) {
    int32_t last = PRIORITY_LEVELS - 1;
    int32_t nearest = level < 0 ? 0 : level > last ? last : level;
    process->priority = (uint8_t)((process->priority & ~PRIORITY_MASK) | nearest);
    atomic_set_relaxed(&rt_root.has_priorities, true);
}

bool priority_prefers(const Process *process, unsigned worker) {
    unsigned set = process->priority >> AFFINITY_SHIFT;
    return set != 0 && worker < 32 && ((rt_root.affinities.masks[set] >> worker) & 1) != 0;
}

/* ---- abi.def ---- */

int32_t rt_affinity_get(Process *me) {
    return (int32_t)rt_root.affinities.masks[me->priority >> AFFINITY_SHIFT];
}

/* The number of the set; 0 when there are too many. */
static unsigned find_set(AffinitySets *sets, uint32_t mask) {
    unsigned number = 0;
    while (number <= sets->count && sets->masks[number] != mask) {
        number++;
    }
    if (number == AFFINITY_SETS) {
        return 0;
    }
    if (number > sets->count) {
        sets->masks[number] = mask;
        sets->count = number;
    }
    return number;
}

void rt_affinity_set(Process *me, int32_t mask) {
    Worker *worker = me->worker;
    world_enter(worker);
    unsigned set = find_set(&rt_root.affinities, (uint32_t)mask);
    world_leave(worker);
    me->priority = (uint8_t)(priority_level(me) | set << AFFINITY_SHIFT);
}
