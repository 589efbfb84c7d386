/* alt_look -- looking over the guards of an ALT.
 *
 * Owns:   which guard is ready, and which of several is taken; claiming the ALT that is behind one.
 * Leaves: what happens then, and when none is, to alt.c.
 * Holds:  the order of choice of alt.h. Nothing is registered anywhere yet. */
#ifndef RT_ALT_LOOK_H
#define RT_ALT_LOOK_H

#include "random.h"
#include "time_source.h"
#include "worker.h"

#define NO_GUARD UINT32_MAX

/* What looking over the guards has found, besides one to take now. */
typedef struct Survey {
    uint32_t nearest; /* timer guard with the nearest deadline, NO_GUARD when none */
    Ticks nearest_due;
    Ticks now; /* read when the first timer guard is met that may be ready */
    bool knows_now;
    bool has_guard; /* one that is not off */
} Survey;

static inline bool is_channel_guard(const AltGuard *guard) {
    return guard->kind == GUARD_INPUT || guard->kind == GUARD_OUTPUT;
}

/* Entries that a guard, or a group of them, has in the record. */
static inline uint32_t alt_entries_at(const Alt *alt, uint32_t position) {
    const AltGuard *guard = &alt->guards[position];
    return guard->kind == GUARD_GROUP ? 1 + (uint32_t)(uintptr_t)guard->object : 1;
}

/* One that beats SKIP when it is ready. */
static inline bool is_event(const AltGuard *guard) {
    enum {
        EVENTS = 1 << GUARD_INPUT | 1 << GUARD_OUTPUT | 1 << GUARD_CLOSED | 1 << GUARD_CLOCK |
                 1 << GUARD_CLOCKS
    };
    return (EVENTS >> guard->kind & 1) != 0;
}

/* Closed, or a device at whose end all has been read. */
bool rt_channel_is_closed(const Channel *channel);

/* Does the ALT say what to do when the channel has closed? Has it an input from the channel? */
bool rt_alt_handles_closed(const Alt *alt, const Channel *channel);
bool rt_alt_inputs(const Alt *alt, const Channel *channel);

/* The guards of the channel do not count. */
void rt_alt_switch_off(Alt *alt, const void *channel);

/* abi.def */
int32_t rt_closed(Process *me, void *channel);

/* Where the look begins: anywhere in an ALT, with the first guard in a PRI ALT. Compiled code that
 * has met a partner which it leaves to the runtime began anywhere, and this goes on from there:
 * with a new place a plain partner would have two chances. */
uint32_t rt_alt_first_place(const Alt *alt, Random *random);
/* A guard, of an ALT without groups, whose plain partner waits: for that the world is not needed,
 * since nobody but this process can end it. NO_GUARD when another guard comes before it. */
uint32_t rt_alt_find_plain(const Worker *worker, const Alt *alt, uint32_t from);
/* In the world, all channels given up by their owners: the guard to take now, or NO_GUARD. */
uint32_t rt_alt_choose(Survey *survey, const Alt *alt, uint32_t from, Random *random);

/* Switch off what may not be taken before the chosen guard, a SKIP or a timer that has expired,
 * even if it becomes ready now: a PRI ALT has such a guard in front of it. */
void rt_alt_keep_better(Alt *alt, uint32_t chosen);

#endif
