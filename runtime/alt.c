/* alt -- probe, register, wait, withdraw. See alt.h. */
#include "alt.h"

#include "base/trace.h"
#include "device.h"
#include "error.h"
#include "os/os.h"
#include "scheduler.h"
#include "timer.h"

#define NO_GUARD UINT32_MAX

enum { POLL_PATIENCE = 16 }; /* polls without waiting before others are let run */

/* What one look over the guards has found. */
typedef struct Survey {
    uint32_t at_once; /* SKIP or expired timer, NO_GUARD when none */
    uint32_t nearest; /* timer guard with the nearest deadline, NO_GUARD when none */
    Ticks nearest_due;
    Ticks now; /* read when the first timer guard is met */
    bool knows_now;
    bool has_guard; /* one that is not off */
} Survey;

static uintptr_t registration(const Alt *alt, const AltGuard *guard) {
    return (uintptr_t)alt | (guard->kind == GUARD_INPUT ? TAG_ALT_INPUT : TAG_ALT_OUTPUT);
}

/* ---- probing ---- */

/* Is there a partner for the guard? One that is itself an ALT is claimed, and so bound to us. */
static bool channel_is_ready(const AltGuard *guard) {
    Channel *channel = guard->object;
    uintptr_t word = channel->word;
    if (word == 0) {
        return false;
    }
    bool is_input = guard->kind == GUARD_INPUT;
    uintptr_t tag = channel_tag(word);
    if (tag == (is_input ? TAG_OUTPUT_WAITING : TAG_INPUT_WAITING) || tag == TAG_CLOSED) {
        return true;
    }
    if (tag == (is_input ? TAG_ALT_OUTPUT : TAG_ALT_INPUT)) {
        Alt *partner = channel_pointer(word);
        if (rt_alt_claim(partner, channel)) {
            rt_scheduler_ready(partner->process->worker, partner->process);
            return true;
        }
        return false;
    }
    return tag == TAG_DEVICE && device_of(word)->kind->is_ready(device_of(word));
}

static bool timer_is_ready(Survey *survey, const AltGuard *guard, uint32_t position) {
    if (!survey->knows_now) {
        survey->knows_now = true;
        survey->now = time_source_now(&rt_root.time);
    }
    Ticks due = ticks_after(survey->now, (int32_t)(intptr_t)guard->object);
    if (ticks_reached(survey->now, due)) {
        return true;
    }
    if (survey->nearest == NO_GUARD || due.us < survey->nearest_due.us) {
        survey->nearest = position;
        survey->nearest_due = due;
    }
    return false;
}

/* Look at one guard; true: take it now. */
static bool probe(Survey *survey, const Alt *alt, uint32_t position) {
    const AltGuard *guard = &alt->guards[position];
    bool is_ready = false;
    switch (guard->kind) {
    case GUARD_OFF: return false;
    case GUARD_INPUT:
    case GUARD_OUTPUT: survey->has_guard = true; return channel_is_ready(guard);
    case GUARD_SKIP: is_ready = true; break;
    case GUARD_TIMER: is_ready = timer_is_ready(survey, guard, position); break;
    default: rt_unreachable("a guard of a kind that is not built");
    }
    survey->has_guard = true;
    if (is_ready && survey->at_once == NO_GUARD) {
        survey->at_once = position;
    }
    return is_ready && alt->is_pri != 0;
}

/* The guard to take now, or NO_GUARD. */
static uint32_t choose_now(Survey *survey, const Alt *alt, uint32_t start) {
    for (uint32_t position = start; position < alt->count; position++) {
        if (probe(survey, alt, position)) {
            return position;
        }
    }
    for (uint32_t position = 0; position < start; position++) {
        if (probe(survey, alt, position)) {
            return position;
        }
    }
    return survey->at_once;
}

/* ---- registering ---- */

static void register_in_device(Process *me, Alt *alt, Device *device, const Site *site) {
    if (device->waiter == me) {
        return; /* the same device in two guards */
    }
    if (device->waiter != NULL) {
        rt_error_at(me, ERROR_TWO_READERS, site, 0, 0, 0);
    }
    device->waiter = me;
    device->alt = alt;
    rt_scheduler_watch(me->worker, device, device->kind->waits_for);
}

static void register_in_channel(Process *me, Alt *alt, const AltGuard *guard, const Site *site) {
    Channel *channel = guard->object;
    uintptr_t word = channel->word;
    uintptr_t own = registration(alt, guard);
    if (word == 0) {
        channel->word = own;
        return;
    }
    if (channel_pointer(word) == alt) {
        return; /* the same channel in two guards; of both ends of one channel the first counts */
    }
    bool is_input = guard->kind == GUARD_INPUT;
    uintptr_t tag = channel_tag(word);
    if (tag == TAG_DEVICE) {
        register_in_device(me, alt, device_of(word), site);
    } else if (tag == (is_input ? TAG_ALT_OUTPUT : TAG_ALT_INPUT)) {
        channel->word = own; /* stale: that ALT was won elsewhere, and will leave the word alone */
    } else {
        rt_error_at(me, is_input ? ERROR_TWO_READERS : ERROR_TWO_WRITERS, site, 0, 0, 0);
    }
}

static Process *wait_in_all(Process *me, Alt *alt, const Survey *survey, const Site *site) {
    alt->state = ALT_WAITING;
    for (uint32_t i = 0; i < alt->count; i++) {
        uint16_t kind = alt->guards[i].kind;
        if (kind == GUARD_INPUT || kind == GUARD_OUTPUT) {
            register_in_channel(me, alt, &alt->guards[i], site);
        }
    }
    if (survey->nearest != NO_GUARD) {
        alt->nearest = survey->nearest;
        if (!deadline_queue_add_alt(&me->worker->deadlines, survey->nearest_due, alt)) {
            rt_error_no_memory(me, site, sizeof(HeapEntry));
        }
    }
    me->data = alt;
    me->next = (Process *)(void *)alt;
    me->wait = site;
    rt_trace(TRACE_ALT_WAITS, me, alt);
    return rt_scheduler_next(me->worker);
}

/* A process that polls with a SKIP guard never waits: now and then it gives way as if it had, so
 * that those it polls for can run; virtual time, which would stand still, counts it as a reading.
 * It is resumed like one whose timer guard has won. */
static Process *give_way(Process *me, Alt *alt) {
    (void)rt_time_now(me);
    alt->nearest = alt->chosen;
    me->data = alt;
    return rt_reschedule(me);
}

static bool has_polled_enough(Worker *worker, const AltGuard *chosen) {
    if (chosen->kind == GUARD_INPUT || chosen->kind == GUARD_OUTPUT) {
        return false;
    }
    worker->polls = (worker->polls + 1) % POLL_PATIENCE;
    return worker->polls == 0;
}

Process *rt_alt_select(Process *me, Alt *alt, const Site *site) {
    Survey survey = {NO_GUARD, NO_GUARD, {0}, {0}, false, false};
    alt->state = ALT_CHOOSING;
    alt->process = me;
    alt->winner = NULL;
    alt->deadline_position = 0;
    uint32_t start = alt->is_pri != 0 ? 0 : random_below(&me->worker->random, alt->count);
    uint32_t chosen = choose_now(&survey, alt, start);
    if (chosen != NO_GUARD) {
        alt->state = ALT_WON;
        alt->chosen = chosen;
        return has_polled_enough(me->worker, &alt->guards[chosen]) ? give_way(me, alt) : NULL;
    }
    if (!survey.has_guard) {
        rt_error_at(me, ERROR_NO_GUARD, site, 0, 0, 0);
    }
    return wait_in_all(me, alt, &survey, site);
}

/* ---- withdrawing ---- */

static void withdraw(Process *me, Alt *alt, const AltGuard *guard) {
    Channel *channel = guard->object;
    uintptr_t word = channel->word;
    if (word == registration(alt, guard)) {
        channel->word = 0;
    } else if (channel_tag(word) == TAG_DEVICE && device_of(word)->alt == alt) {
        Device *device = device_of(word);
        device->waiter = NULL;
        device->alt = NULL;
        rt_scheduler_watch(me->worker, device, 0);
    }
}

void rt_alt_resumed(Process *me) {
    Alt *alt = me->data;
    rt_assert(alt->state == ALT_WON && alt->process == me);
    uint32_t chosen = alt->winner == NULL ? alt->nearest : NO_GUARD;
    for (uint32_t i = 0; i < alt->count; i++) {
        const AltGuard *guard = &alt->guards[i];
        if (guard->kind != GUARD_INPUT && guard->kind != GUARD_OUTPUT) {
            continue;
        }
        if (chosen == NO_GUARD && guard->object == alt->winner) {
            chosen = i;
        }
        withdraw(me, alt, guard);
    }
    deadline_queue_remove_alt(&me->worker->deadlines, alt);
    rt_check(chosen != NO_GUARD);
    alt->chosen = chosen;
}

void rt_alt_check(const Alt *alt) {
    for (uint32_t i = 0; i < alt->count; i++) {
        const AltGuard *guard = &alt->guards[i];
        if (guard->kind != GUARD_INPUT && guard->kind != GUARD_OUTPUT) {
            continue;
        }
        uintptr_t word = ((const Channel *)guard->object)->word;
        bool is_own = channel_pointer(word) == alt;
        bool is_device = channel_tag(word) == TAG_DEVICE && device_of(word)->alt == alt;
        rt_check(alt->state != ALT_WAITING || is_own || is_device);
    }
}
