/* alt_look -- is a guard ready, and which is to be taken? See alt_look.h. */
#include "alt_look.h"

#include "atomic.h"
#include "clock.h"
#include "device.h"
#include "ownership.h"
#include "scheduler.h"
#include "world.h"

static bool has_guard(const Alt *alt, uint32_t kind, const Channel *channel) {
    for (uint32_t i = 0; i < alt->count; i++) {
        if (alt->guards[i].kind == kind && alt->guards[i].object == channel) {
            return true;
        }
    }
    return false;
}

bool rt_alt_handles_closed(const Alt *alt, const Channel *channel) {
    return has_guard(alt, GUARD_CLOSED, channel);
}

bool rt_alt_inputs(const Alt *alt, const Channel *channel) {
    return has_guard(alt, GUARD_INPUT, channel);
}

bool rt_channel_is_closed(const Channel *channel) {
    uintptr_t word = atomic_get_acquire(&channel->word);
    return channel_tag(word) == TAG_CLOSED ||
           (channel_tag(word) == TAG_DEVICE && device_is_closed(device_of(word)));
}

/* A device may disappear outside of the world. */
int32_t rt_closed(Process *me, void *channel) {
    const Channel *asked = channel;
    uintptr_t tag = channel_tag(atomic_get_acquire(&asked->word));
    if (tag != TAG_DEVICE) {
        return tag == TAG_CLOSED;
    }
    world_enter(me->worker);
    bool is_closed = rt_channel_is_closed(channel);
    world_leave(me->worker);
    return is_closed;
}

/* ---- probing ---- */

/* Is there a partner for the guard? One that is itself an ALT is claimed, and so bound to us. */
static bool channel_is_ready(const Alt *alt, const AltGuard *guard) {
    Channel *channel = guard->object;
    uintptr_t word = atomic_get_acquire(&channel->word);
    if (word == 0) {
        return false;
    }
    bool is_input = guard->kind == GUARD_INPUT;
    uintptr_t tag = channel_tag(word);
    if (tag == (is_input ? TAG_OUTPUT_WAITING : TAG_INPUT_WAITING)) {
        return true;
    }
    if (tag == TAG_CLOSED) {
        return !rt_alt_handles_closed(alt, channel);
    }
    if (tag == (is_input ? TAG_ALT_OUTPUT : TAG_ALT_INPUT)) {
        Alt *partner = channel_pointer(word);
        if (rt_alt_claim(partner, channel)) {
            /* for the transfer, as if nobody had been here */
            atomic_set_release(&channel->word, 0u);
            rt_scheduler_ready(alt->process->worker, partner->process);
            return true;
        }
        return false;
    }
    if (tag != TAG_DEVICE) {
        return false;
    }
    Device *device = device_at(word, !is_input);
    if (device->kind->look != NULL && !device->kind->look(device, guard->kind)) {
        return channel_is_ready(alt, guard);
    }
    return device->kind->is_ready(device) &&
           !(device_is_closed(device) && rt_alt_handles_closed(alt, channel));
}

static bool is_reached(Survey *survey, int32_t deadline, Ticks *due) {
    if (!survey->knows_now && time_source_is_before(&rt_root.time, deadline, due)) {
        return false;
    }
    if (!survey->knows_now) {
        survey->knows_now = true;
        survey->now = time_source_now(&rt_root.time);
    }
    *due = ticks_after(survey->now, deadline);
    return ticks_reached(survey->now, *due);
}

static bool timer_is_ready(Survey *survey, const AltGuard *guard, uint32_t position) {
    Ticks due;
    if (is_reached(survey, (int32_t)(intptr_t)guard->object, &due)) {
        return true;
    }
    if (survey->nearest == NO_GUARD || due.us < survey->nearest_due.us) {
        survey->nearest = position;
        survey->nearest_due = due;
    }
    return false;
}

/* Look at one guard; true: it is ready. */
static bool probe(Survey *survey, const Alt *alt, uint32_t position) {
    const AltGuard *guard = &alt->guards[position];
    switch (guard->kind) {
    case GUARD_OFF: return false;
    case GUARD_INPUT:
    case GUARD_OUTPUT: survey->has_guard = true; return channel_is_ready(alt, guard);
    case GUARD_CLOSED: survey->has_guard = true; return rt_channel_is_closed(guard->object);
    case GUARD_CLOCK:
    case GUARD_CLOCKS: survey->has_guard = true; return clock_guard_is_over(guard);
    case GUARD_SKIP: survey->has_guard = true; return true;
    case GUARD_TIMER: survey->has_guard = true; return timer_is_ready(survey, guard, position);
    default: rt_unreachable("a guard of a kind that is not built");
    }
}

/* Guards `from` to `end`, treated as one ALT or PRI ALT. */
typedef struct Look {
    Survey *survey;
    const Alt *alt;
    uint32_t from;
    uint32_t end;
    bool is_pri;
} Look;

static uint32_t choose_in(const Look *look, Random *random);

/* The guard that the entry at the position gives: itself, or one of the group; NO_GUARD. */
static uint32_t look_at_entry(const Look *look, uint32_t position, Random *random) {
    const AltGuard *guard = &look->alt->guards[position];
    if (guard->kind == GUARD_GROUP) {
        Look inner = {look->survey, look->alt, position + 1,
                      position + alt_entries_at(look->alt, position), guard->index != 0};
        return choose_in(&inner, random);
    }
    return probe(look->survey, look->alt, position) ? position : NO_GUARD;
}

static uint32_t choose_pri(const Look *look, Random *random) {
    for (uint32_t at = look->from; at < look->end; at += alt_entries_at(look->alt, at)) {
        uint32_t found = look_at_entry(look, at, random);
        if (found != NO_GUARD) {
            return found;
        }
    }
    return NO_GUARD;
}

/* Look at the entries that end after `from` and begin before `end`. True: *found is a ready
 * channel; else *found may have become a SKIP or an expired timer. */
static bool look_cyclic(const Look *look, uint32_t from, uint32_t end, Random *random,
                        uint32_t *found) {
    for (uint32_t at = look->from; at < end;) {
        uint32_t next = at + alt_entries_at(look->alt, at);
        uint32_t one = next > from ? look_at_entry(look, at, random) : NO_GUARD;
        if (one != NO_GUARD && is_event(&look->alt->guards[one])) {
            *found = one;
            return true;
        }
        *found = *found == NO_GUARD ? one : *found;
        at = next;
    }
    return false;
}

/* No partner, and nobody who could become one: the case of most channels. */
static bool is_empty_channel(const AltGuard *guard) {
    return is_channel_guard(guard) &&
           atomic_get_acquire(&((const Channel *)guard->object)->word) == 0;
}

uint32_t rt_alt_first_place(const Alt *alt, Random *random) {
    if (alt->is_pri == 0 && (alt->flags & ALT_HAS_LOOKED) != 0) {
        return random_scale(random_last(random), alt->count);
    }
    return alt->is_pri == 0 && alt->count > 1 ? random_below(random, alt->count) : 0;
}

uint32_t rt_alt_find_plain(const Worker *worker, const Alt *alt, uint32_t from) {
    uint32_t at = from;
    for (uint32_t left = alt->count; left > 0; left--, at = at + 1 == alt->count ? 0 : at + 1) {
        const AltGuard *guard = &alt->guards[at];
        if (guard->kind == GUARD_OFF) {
            continue;
        }
        if (!is_channel_guard(guard)) {
            if (alt->is_pri != 0 || guard->kind == GUARD_CLOSED || is_clock_guard(guard)) {
                return NO_GUARD;
            }
            continue;
        }
        Channel *channel = guard->object;
        if (!ownership_is_free(worker, channel)) {
            return NO_GUARD;
        }
        uintptr_t word = atomic_get_acquire(&channel->word);
        if (word != 0) {
            bool is_input = guard->kind == GUARD_INPUT;
            uintptr_t tag = is_input ? TAG_OUTPUT_WAITING : TAG_INPUT_WAITING;
            return channel_tag(word) == tag ? at : NO_GUARD;
        }
    }
    return NO_GUARD;
}

/* An ALT without groups, from that position on: as choose_in, but a simple loop. */
static uint32_t choose_flat(Survey *survey, const Alt *alt, uint32_t from) {
    uint32_t count = alt->count;
    uint32_t at = from;
    uint32_t found = NO_GUARD;
    for (uint32_t left = count; left > 0; left--, at = at + 1 == count ? 0 : at + 1) {
        if (is_empty_channel(&alt->guards[at])) {
            survey->has_guard = true;
        } else if (probe(survey, alt, at)) {
            if (alt->is_pri != 0 || is_event(&alt->guards[at])) {
                return at;
            }
            found = found == NO_GUARD ? at : found;
        }
    }
    return found;
}

/* The guard to take now, or NO_GUARD. */
static uint32_t choose_in(const Look *look, Random *random) {
    if (look->is_pri) {
        return choose_pri(look, random);
    }
    uint32_t found = NO_GUARD;
    uint32_t start = look->from;
    if (look->end > look->from) {
        start += random_below(random, look->end - look->from);
    }
    if (!look_cyclic(look, start, look->end, random, &found)) {
        (void)look_cyclic(look, look->from, start, random, &found);
    }
    return found;
}

uint32_t rt_alt_choose(Survey *survey, const Alt *alt, uint32_t from, Random *random) {
    if ((alt->flags & ALT_HAS_GROUPS) == 0) {
        return choose_flat(survey, alt, from);
    }
    Look all = {survey, alt, 0, alt->count, alt->is_pri != 0};
    return choose_in(&all, random);
}

/* ---- what could be taken instead of a SKIP or a timer ---- */

void rt_alt_switch_off(Alt *alt, const void *channel) {
    for (uint32_t i = 0; i < alt->count; i++) {
        if (is_channel_guard(&alt->guards[i]) && alt->guards[i].object == channel) {
            alt->guards[i].kind = GUARD_OFF;
        }
    }
}

/* Without its CLOSED guard a closing channel would be an error: so that is switched off too. */
static void leave_out(Alt *alt, uint32_t from, uint32_t end) {
    for (uint32_t at = from; at < end; at++) {
        AltGuard *guard = &alt->guards[at];
        if (guard->kind == GUARD_CLOSED) {
            rt_alt_switch_off(alt, guard->object);
        }
        guard->kind = GUARD_OFF;
    }
}

static bool has_ready_one(const Alt *alt, uint32_t from, uint32_t end) {
    for (uint32_t at = from; at < end; at++) {
        Survey survey = {.nearest = NO_GUARD};
        const AltGuard *guard = &alt->guards[at];
        if (guard->kind == GUARD_SKIP ||
            (guard->kind == GUARD_TIMER && timer_is_ready(&survey, guard, at))) {
            return true;
        }
    }
    return false;
}

static void keep_better_in(Alt *alt, uint32_t from, uint32_t end, bool is_pri, uint32_t chosen) {
    bool is_beaten = false;
    for (uint32_t at = from, next = from; at < end; at = next) {
        next = at + alt_entries_at(alt, at);
        bool has_chosen = at <= chosen && chosen < next;
        bool is_ready = is_pri && (has_chosen || has_ready_one(alt, at, next));
        if (is_beaten) {
            leave_out(alt, at, next);
        } else if (alt->guards[at].kind == GUARD_GROUP) {
            keep_better_in(alt, at + 1, next, alt->guards[at].index != 0, chosen);
        }
        is_beaten = is_beaten || is_ready;
    }
}

void rt_alt_keep_better(Alt *alt, uint32_t chosen) {
    keep_better_in(alt, 0, alt->count, alt->is_pri != 0, chosen);
}
