/* alt -- register, wait, withdraw. See alt.h. */
#include "alt.h"

#include "alt_gate.h"
#include "alt_look.h"
#include "atomic.h"
#include "clock.h"
#include "close.h"
#include "device_wait.h"
#include "error.h"
#include "gate.h"
#include "ownership.h"
#include "scheduler.h"
#include "stop.h"
#include "timer.h"
#include "world.h"

/* Of the polls that give way, one in this many makes an offer (take_ready). */
enum { OFFER_PATIENCE = 4, OFFER_PATIENCE_ALONE = 32 };

static uintptr_t registration(const Alt *alt, const AltGuard *guard) {
    return (uintptr_t)alt | (guard->kind == GUARD_INPUT ? TAG_ALT_INPUT : TAG_ALT_OUTPUT);
}

/* ---- withdrawing ---- */

static void withdraw(const Alt *alt, AltGuard *guard) {
    Channel *channel = guard->object;
    if (is_clock_guard(guard)) {
        clock_unwatch(guard);
        return;
    }
    if (guard->kind == GUARD_CLOSED) {
        rt_close_unwatch(channel, guard);
    }
    uintptr_t word = atomic_get_acquire(&channel->word);
    if (guard->kind != GUARD_CLOSED && word == registration(alt, guard)) {
        atomic_set_release(&channel->word, 0u);
    } else if (channel_tag(word) == TAG_DEVICE) {
        Device *device = device_at(word, guard->kind == GUARD_OUTPUT);
        if (device->alt == alt) {
            device_leave(device);
        }
    }
}

/* ---- registering ---- */

typedef enum Enrolment {
    REGISTERED,
    PARTNER_CAME, /* a plain one, since the guard was looked at */
    END_IS_TAKEN  /* by another process: an error of the program */
} Enrolment;

static Enrolment register_in_channel(Process *me, Alt *alt, const AltGuard *guard);

static Enrolment register_in_device(Process *me, Alt *alt, const AltGuard *guard, Device *device) {
    if (device->kind->enrol != NULL && !device->kind->enrol(device, me, alt, guard->kind)) {
        return guard->kind == GUARD_CLOSED ? REGISTERED : register_in_channel(me, alt, guard);
    }
    if (device->waiter == me) {
        return REGISTERED; /* the same device in two guards */
    }
    if (device->waiter != NULL) {
        return END_IS_TAKEN;
    }
    device_await(device, me, alt);
    return REGISTERED;
}

static Enrolment register_in_channel(Process *me, Alt *alt, const AltGuard *guard) {
    Channel *channel = guard->object;
    uintptr_t word = 0;
    uintptr_t own = registration(alt, guard);
    if (atomic_cas(&channel->word, &word, own)) {
        return REGISTERED;
    }
    bool is_input = guard->kind == GUARD_INPUT;
    uintptr_t tag = channel_tag(word);
    if (word == own) {
        return REGISTERED; /* the same end in two guards */
    }
    if (tag == (is_input ? TAG_OUTPUT_WAITING : TAG_INPUT_WAITING)) {
        return PARTNER_CAME;
    }
    if (tag == TAG_DEVICE) {
        return register_in_device(me, alt, guard, device_at(word, !is_input));
    }
    if (channel_pointer(word) == alt) {
        atomic_set_release(&channel->word, 0u);
        rt_alt_switch_off(alt, channel);
        return REGISTERED;
    }
    if (tag == (is_input ? TAG_ALT_OUTPUT : TAG_ALT_INPUT)) {
        atomic_set_release(
            &channel->word,
            own); /* stale: that ALT was won elsewhere and will leave the word alone */
        return REGISTERED;
    }
    return END_IS_TAKEN;
}

/* A device is asked for its end too. If both ends are here, the watching one is woken by CLOSE. */
static Enrolment watch_end(Process *me, Alt *alt, AltGuard *guard) {
    const Channel *channel = guard->object;
    uintptr_t word = atomic_get_acquire(&channel->word);
    rt_close_watch(guard->object, guard);
    bool is_asked = channel_tag(word) == TAG_DEVICE && device_other(device_of(word)) == NULL;
    return is_asked ? register_in_device(me, alt, guard, device_of(word)) : REGISTERED;
}

static Enrolment register_guard(Process *me, Alt *alt, AltGuard *guard) {
    if (guard->kind == GUARD_CLOSED) {
        return watch_end(me, alt, guard);
    }
    if (is_clock_guard(guard)) {
        return clock_watch(guard) ? REGISTERED : PARTNER_CAME;
    }
    return is_channel_guard(guard) ? register_in_channel(me, alt, guard) : REGISTERED;
}

static void withdraw_before(Alt *alt, uint32_t end) {
    alt->state = ALT_WON; /* nobody else can win it */
    for (uint32_t i = 0; i < end; i++) {
        if (is_event(&alt->guards[i])) {
            withdraw(alt, &alt->guards[i]);
        }
    }
}

/* The partner of a guard came while the ALT was registering: take that guard. */
static void take_latecomer(Process *me, Alt *alt, uint32_t position) {
    withdraw_before(alt, position);
    alt->chosen = position;
    world_leave(me->worker);
}

_Noreturn static void find_taken(Process *me, Alt *alt, uint32_t position, const Site *site) {
    bool is_input = alt->guards[position].kind == GUARD_INPUT;
    withdraw_before(alt, position);
    rt_fail(me, is_input ? ERROR_TWO_READERS : ERROR_TWO_WRITERS, site, 0, 0, 0);
}

static bool has_guard_on(const Alt *alt) {
    for (uint32_t i = 0; i < alt->count; i++) {
        if (alt->guards[i].kind != GUARD_OFF && alt->guards[i].kind != GUARD_GROUP) {
            return true;
        }
    }
    return false;
}

/* The device behind a channel whose partner may be an ALT elsewhere; NULL: it is none such. */
static Device *device_elsewhere(const AltGuard *guard) {
    const Channel *channel = guard->object;
    uintptr_t word = is_channel_guard(guard) ? atomic_get_acquire(&channel->word) : 0;
    bool is_one = channel_tag(word) == TAG_DEVICE && device_of(word)->kind->must_ask != NULL;
    return is_one ? device_at(word, guard->kind == GUARD_OUTPUT) : NULL;
}

/* False: a partner has come meanwhile, and its guard is taken. */
static bool register_guards(Process *me, Alt *alt, bool elsewhere_alone, const Site *site) {
    alt->state = ALT_WAITING;
    for (uint32_t i = 0; i < alt->count; i++) {
        if (elsewhere_alone && device_elsewhere(&alt->guards[i]) == NULL) {
            continue;
        }
        Enrolment result = register_guard(me, alt, &alt->guards[i]);
        if (result == PARTNER_CAME) {
            take_latecomer(me, alt, i);
            return false;
        }
        if (result == END_IS_TAKEN) {
            find_taken(me, alt, i, site);
        }
    }
    return true;
}

static Process *wait_in_all(Process *me, Alt *alt, const Survey *survey, const Site *site) {
    if (!register_guards(me, alt, false, site)) {
        return NULL;
    }
    if (!has_guard_on(alt)) {
        rt_fail(me, ERROR_NO_GUARD, site, 0, 0, 0);
    }
    if (survey->nearest != NO_GUARD) {
        alt->nearest = survey->nearest;
        if (!deadline_queue_add_alt(&rt_root.deadlines, survey->nearest_due, alt)) {
            rt_error_no_memory(me, site, sizeof(HeapEntry));
        }
    }
    process_carries(me, alt);
    return rt_scheduler_park(me, site, alt);
}

/* A process that polls with a SKIP guard never waits: now and then it gives way as if it had, so
 * that those it polls for can run; virtual time, which would stand still, counts it as a reading.
 * It is resumed like one whose timer guard has won. */
static Process *give_way(Process *me, Alt *alt) {
    (void)rt_time_now(me);
    if (rt_root.machines != NULL) {
        mode_set(me->worker, MODE_ATTENTION); /* those it polls for may be elsewhere */
    }
    alt->nearest = alt->chosen;
    process_carries(me, alt);
    return rt_reschedule(me);
}

/* After a varying number of polls: otherwise a process that polls once each time another has given
 * way would never give way itself. */
static bool has_polled_enough(Worker *worker, const AltGuard *chosen) {
    if (is_event(chosen) || worker_is_explored(worker) || ++worker->polls % POLL_PATIENCE != 0) {
        return false;
    }
    worker->polls = random_below(&worker->random, POLL_PATIENCE);
    return true;
}

/* Two ALTs that poll for each other would never meet: neither is there when the other looks. So one
 * that gives way sometimes waits for the next moment as an ALT, unless nobody else could come. */
static bool is_time_to_offer(Worker *worker) {
    if (worker->head == NULL) {
        return !worker_is_solo(worker) && random_below(&worker->random, OFFER_PATIENCE_ALONE) == 0;
    }
    return random_below(&worker->random, OFFER_PATIENCE) == 0;
}

/* The guards that beat the chosen SKIP or timer wait beside it. */
static Process *offer_for_a_moment(Process *me, Alt *alt, uint32_t chosen, const Site *site) {
    Ticks next = {time_source_now(&rt_root.time).us + 1};
    Survey survey = {.nearest = chosen, .nearest_due = next};
    rt_alt_keep_better(alt, chosen);
    return wait_in_all(me, alt, &survey, site);
}

/* The partner is an ALT elsewhere. Its ASK must be answered meanwhile, so other ends of that kind
 * wait too. */
static Process *ask_partner(Process *me, Alt *alt, Device *partner, const Site *site) {
    if (!register_guards(me, alt, true, site)) {
        return NULL;
    }
    partner->kind->ask(partner);
    process_carries(me, alt);
    return rt_scheduler_park(me, site, alt);
}

static Process *take_ready(Process *me, Alt *alt, uint32_t chosen, const Site *site) {
    Device *partner = rt_root.machines != NULL ? device_elsewhere(&alt->guards[chosen]) : NULL;
    if (partner != NULL && partner->kind->must_ask(partner)) {
        return ask_partner(me, alt, partner, site);
    }
    bool gives_way = has_polled_enough(me->worker, &alt->guards[chosen]);
    if (gives_way && is_time_to_offer(me->worker)) {
        return offer_for_a_moment(me, alt, chosen, site);
    }
    alt->state = ALT_WON;
    alt->chosen = chosen;
    world_leave(me->worker);
    return gives_way ? give_way(me, alt) : NULL;
}

/* Done for another process, which is then resumed as if its timer guard had won. */
static Process *select_again(const ChannelRequest *request) {
    Process *me = request->process;
    Alt *alt = request->data;
    Process *next = rt_alt_select(me, alt, request->site);
    if (next != NULL) {
        return next;
    }
    alt->nearest = alt->chosen;
    process_carries(me, alt);
    return me;
}

/* A channel of the ALT that another worker owns; NULL: none, or we are alone. What is held in a
 * channel is checked only if the channel has no owner, alone too (extended_input.c). */
static Channel *give_up_all(const Worker *worker, const Alt *alt) {
    bool matters = !worker_is_solo(worker) || (alt->flags & ALT_HOLDS) != 0;
    for (uint32_t i = 0; i < alt->count && matters; i++) {
        const AltGuard *guard = &alt->guards[i];
        if (is_channel_guard(guard) && !ownership_is_given_up(worker, guard->object)) {
            return guard->object;
        }
    }
    return NULL;
}

/* Alone and undisturbed, compiled code has looked itself. */
static bool takes_plain(const Worker *worker, Alt *alt, uint32_t from) {
    if (atomic_get_relaxed(&worker->mode) == 0 || (alt->flags & ~(uint32_t)ALT_HAS_LOOKED) != 0) {
        return false;
    }
    uint32_t found = rt_alt_find_plain(worker, alt, from);
    if (found == NO_GUARD) {
        return false;
    }
    alt->state = ALT_WON;
    alt->chosen = found;
    return true;
}

static void begin_choosing(Process *me, Alt *alt) {
    alt->state = ALT_CHOOSING;
    alt->process = me;
    alt->winner = NULL;
    alt->deadline_position = 0;
}

Process *rt_alt_select(Process *me, Alt *alt, const Site *site) {
    Worker *worker = me->worker;
    begin_choosing(me, alt);
    if (gate_is_on(worker)) {
        return alt_gate_park(me, alt, site);
    }
    uint32_t from = rt_alt_first_place(alt, &worker->random);
    if (takes_plain(worker, alt, from)) {
        return NULL;
    }
    Channel *foreign;
    while (rt_unlikely((foreign = give_up_all(worker, alt)) != NULL)) {
        process_waits(me, site, alt);
        if (ownership_ask(worker, &(ChannelRequest){.channel = foreign,
                                                    .process = me,
                                                    .data = alt,
                                                    .again = select_again,
                                                    .site = site})) {
            return rt_scheduler_next(worker);
        }
    }
    Survey survey = {.nearest = NO_GUARD};
    world_enter(me->worker);
    uint32_t chosen = rt_alt_choose(&survey, alt, from, &worker->random);
    if (chosen != NO_GUARD) {
        return take_ready(me, alt, chosen, site);
    }
    if (!survey.has_guard) {
        rt_fail(me, ERROR_NO_GUARD, site, 0, 0, 0);
    }
    return wait_in_all(me, alt, &survey, site);
}

/* ---- resumed ---- */

/* The channel that won may stand in several guards: the first of a PRI ALT, any of an ALT. */
static bool is_next_choice(Process *me, const Alt *alt, uint32_t before) {
    return before == 0 || (alt->is_pri == 0 && random_below(&me->worker->random, before + 1) == 0);
}

/* The ALT was claimed for a partner on another machine that has gone meanwhile: choose again. If it
 * waits once more, it is resumed once more. */
__attribute__((cold)) static Process *choose_again(Process *me, Alt *alt) {
    const Site *site = (const Site *)(const void *)alt->winner;
    withdraw_before(alt, alt->count);
    deadline_queue_remove_alt(&rt_root.deadlines, alt);
    world_leave(me->worker);
    arch_alt_resumes_again(me);
    Process *next = rt_alt_select(me, alt, site);
    if (next == NULL) {
        arch_alt_goes_on(me);
    }
    return next;
}

Process *rt_alt_resumed(Process *me) {
    Alt *alt = me->data;
    world_enter(me->worker);
    rt_assert(alt->state == ALT_WON && alt->process == me);
    if (rt_unlikely(alt->nearest == ALT_AGAIN)) {
        alt->nearest = NO_GUARD;
        return choose_again(me, alt);
    }
    uint32_t chosen = alt->winner == NULL ? alt->nearest : NO_GUARD;
    bool closed_wins = alt->winner != NULL && rt_alt_handles_closed(alt, alt->winner) &&
                       rt_channel_is_closed(alt->winner);
    uint32_t same = 0; /* guards on the channel that won */
    for (uint32_t i = 0; i < alt->count; i++) {
        AltGuard *guard = &alt->guards[i];
        if (!is_event(guard)) {
            continue;
        }
        if (guard->object == alt->winner && (guard->kind == GUARD_CLOSED) == closed_wins &&
            is_next_choice(me, alt, same++)) {
            chosen = i;
        }
        withdraw(alt, guard);
    }
    deadline_queue_remove_alt(&rt_root.deadlines, alt);
    world_leave(me->worker);
    rt_check(chosen != NO_GUARD);
    alt->chosen = chosen;
    return NULL;
}
