/* sample -- see sample.h. */
#include "sample.h"

#include "ending.h"
#include "gate.h"

#include <stdlib.h>

#define HIGH (UINT64_C(1) << 63) /* set in initial priorities, clear in those of the fallen */

typedef struct Fallen {
    const Process *process; /* NULL: none, or it has ended */
    uint32_t step;          /* at which a process falls */
} Fallen;

/* Seen -- processes are numbered in the order first seen, as addresses differ between runs. */
typedef struct Seen {
    const Process *process; /* NULL: free */
    uint32_t number;        /* 0: it has ended; its successor gets a new number */
} Seen;

static struct {
    uint64_t seed;
    uint64_t state; /* of the generator */
    uint32_t fall_count;
    Fallen falls[EXPLORE_ORDERS]; /* the lowest first */
    Seen *seen;                   /* open addressing */
    uint32_t seen_count, seen_capacity;
    uint32_t processes;
} sample;

/* ---- chance ---- */

/* Splitmix64. */
static uint64_t mixed(uint64_t word) {
    word = (word ^ word >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    word = (word ^ word >> 27) * UINT64_C(0x94D049BB133111EB);
    return word ^ word >> 31;
}

static uint64_t draw(void) {
    sample.state += UINT64_C(0x9E3779B97F4A7C15);
    return mixed(sample.state);
}

void sample_begin(const ExploreRegion *region, uint64_t number, uint32_t steps) {
    sample.state = mixed(region->sample_seed) + mixed(number);
    sample.seed = draw();
    sample.fall_count = steps > 0 ? region->sample_orders - 1 : 0;
    for (uint32_t i = 0; i < sample.fall_count; i++) {
        sample.falls[i].step = (uint32_t)(draw() % steps);
    }
}

/* ---- who has been seen ---- */

static Seen *find(const Process *process) {
    size_t at = mixed((uintptr_t)process) & (sample.seen_capacity - 1);
    while (sample.seen[at].process != NULL && sample.seen[at].process != process) {
        at = (at + 1) & (sample.seen_capacity - 1);
    }
    return &sample.seen[at];
}

static void grow(void) {
    Seen *old = sample.seen;
    uint32_t capacity = sample.seen_capacity;
    sample.seen_capacity = capacity == 0 ? 64 : 2 * capacity;
    sample.seen = calloc(sample.seen_capacity, sizeof *sample.seen);
    if (sample.seen == NULL) {
        rt_fatal("exploring: out of memory", 0);
    }
    for (uint32_t i = 0; i < capacity; i++) {
        if (old[i].process != NULL) {
            *find(old[i].process) = old[i];
        }
    }
    free(old);
}

static void note(const Process *process) {
    if (2 * (sample.seen_count + 1) > sample.seen_capacity) {
        grow();
    }
    Seen *seen = find(process);
    sample.seen_count += seen->process == NULL;
    seen->process = process;
    if (seen->number == 0) {
        seen->number = ++sample.processes;
    }
}

uint32_t sample_processes(void) {
    return sample.processes;
}

/* ---- priorities ---- */

static uint64_t priority_of(const Process *process) {
    for (uint32_t i = 0; i < sample.fall_count; i++) {
        if (sample.falls[i].process == process) {
            return i;
        }
    }
    return mixed(sample.seed + find(process)->number) | HIGH;
}

static void forget_fall(const Process *process) {
    for (uint32_t i = 0; i < sample.fall_count; i++) {
        if (sample.falls[i].process == process) {
            sample.falls[i].process = NULL;
        }
    }
}

void sample_end(const Process *process) {
    forget_fall(process);
    if (sample.seen_capacity > 0) {
        find(process)->number = 0;
    }
}

static const Process *other_side(const GateEvent *event) {
    return event->partner != NULL ? event->partner->process : event->plain_partner;
}

static const Process *lower_side(const GateEvent *event) {
    const Process *mine = event->op->process;
    const Process *other = other_side(event);
    return other != NULL && priority_of(other) < priority_of(mine) ? other : mine;
}

/* Any of those whose lower side is highest. */
static uint32_t highest(const GateEvent *events, uint32_t count) {
    uint32_t best = 0;
    uint64_t best_priority = 0;
    uint32_t equals = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t its = priority_of(lower_side(&events[i]));
        if (equals == 0 || its > best_priority) {
            best = i;
            best_priority = its;
            equals = 1;
        } else if (its == best_priority && draw() % ++equals == 0) {
            best = i;
        }
    }
    return best;
}

uint32_t sample_take(const GateEvent *events, uint32_t count, uint32_t step) {
    for (uint32_t i = 0; i < count; i++) {
        const Process *other = other_side(&events[i]);
        note(events[i].op->process);
        if (other != NULL) {
            note(other);
        }
    }
    for (uint32_t i = 0; i < sample.fall_count; i++) {
        if (sample.falls[i].step == step) {
            const Process *fallen = lower_side(&events[highest(events, count)]);
            forget_fall(fallen);
            sample.falls[i].process = fallen;
        }
    }
    return highest(events, count);
}
