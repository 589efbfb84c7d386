/* alt_look -- looking over the guards of an ALT.
 *
 * Owns:   which guard is ready, and which of several is taken; claiming the ALT behind a guard.
 * Leaves: taking the guard, and waiting when none is ready, to alt.c.
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

/* A guard that beats SKIP when it is ready. */
static inline bool is_event(const AltGuard *guard) {
    enum {
        EVENTS = 1 << GUARD_INPUT | 1 << GUARD_OUTPUT | 1 << GUARD_CLOSED | 1 << GUARD_CLOCK |
                 1 << GUARD_CLOCKS
    };
    return (EVENTS >> guard->kind & 1) != 0;
}

/* It is closed, or a device whose other side has ended and has nothing left to read. */
bool rt_channel_is_closed(const Channel *channel);

/* Does the ALT say what to do when the channel has closed? Has it an input from the channel? */
bool rt_alt_handles_closed(const Alt *alt, const Channel *channel);
bool rt_alt_inputs(const Alt *alt, const Channel *channel);

/* The guards of the channel no longer count. */
void rt_alt_switch_off(Alt *alt, const void *channel);

/* abi.def */
int32_t rt_closed(Process *me, void *channel);

/* Where the look begins: anywhere in an ALT, at the first guard of a PRI ALT. Compiled code that
 * met a partner it leaves to the runtime has chosen the start, and this goes on from there: with a
 * new start a plain partner would have two chances. */
uint32_t rt_alt_first_place(const Alt *alt, Random *random);
/* A guard whose plain partner waits, in an ALT without groups: the world is not needed, since only
 * this process can end that wait. NO_GUARD when another guard comes first. */
uint32_t rt_alt_find_plain(const Worker *worker, const Alt *alt, uint32_t from);
/* In the world, all channels given up by their owners: the guard to take now, or NO_GUARD. */
uint32_t rt_alt_choose(Survey *survey, const Alt *alt, uint32_t from, Random *random);

/* Switch off guards that may not be taken before the chosen SKIP or expired timer even if they
 * become ready now: in a PRI ALT such guards are in front of it. */
void rt_alt_keep_better(Alt *alt, uint32_t chosen);

#endif
