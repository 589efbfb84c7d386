/* clock -- the half of CLOCK and BARRIER that compiled code does not inline. See clock.h. */
#include "clock.h"

#include "atomic.h"
#include "ending.h"
#include "gate.h"
#include "machines.h"
#include "process.h"
#include "scheduler.h"
#include "world.h"

#define ONE_UNARRIVED  UINT64_C(1)
#define ONE_REGISTERED (UINT64_C(1) << CLOCK_REGISTERED_SHIFT)

static bool is_in_phase(uint64_t word, const Registration *mine) {
    return clock_phase_in(word) == (mine->phase & CLOCK_PHASE_MASK);
}

/* The word when the last has arrived. */
static uint64_t moved(uint64_t word) {
    uint64_t registered = clock_registered_in(word);
    uint64_t phase = clock_phase_after(clock_phase_in(word), 1);
    return phase << CLOCK_PHASE_SHIFT | registered << CLOCK_REGISTERED_SHIFT | registered;
}

/* ---- the stacks of those that wait ---- */

static uintptr_t turn_of(unsigned phase) {
    return phase >> 1 & CLOCK_TURN;
}

static Process *top_of(uintptr_t stack) {
    return (Process *)(stack & ~(uintptr_t)CLOCK_TURN);
}

static const Registration *registration_of(const Process *waiting) {
    return waiting->data;
}

/* The process waits for the end of the phase in which it is counted, or will be. False: the phase
 * has ended, and the stack has been taken. After true neither the process nor the clock may be
 * touched, unless the process has still to arrive. */
static bool push(Worker *worker, Clock *clock, Process *process, unsigned phase) {
    uintptr_t *stack = &clock->waiting[phase & 1];
    uintptr_t top = atomic_get_acquire(stack);
    if (worker_is_solo(worker) && top == turn_of(phase)) {
        ((Registration *)process->data)->solo_epoch = worker->solo_epoch;
        clock->oldest[phase & 1] = process;
    }
    do {
        if ((top & CLOCK_TURN) != turn_of(phase)) {
            return false;
        }
        process_lies_on(process, top_of(top));
    } while (!atomic_cas(stack, &top, (uintptr_t)process | turn_of(phase)));
    return true;
}

/* ---- NEXT as a guard ---- */

bool clock_is_over(const Registration *registration) {
    return !is_in_phase(atomic_get_seq(&registration->clock->word), registration);
}

/* The registration whose list the guard is in, or was. */
static const Registration *watched(const AltGuard *guard) {
    return clock_guard_member(guard, guard->kind == GUARD_CLOCKS ? (uint32_t)guard[2].index : 0);
}

bool clock_guard_is_over(const AltGuard *guard) {
    for (uint32_t i = 0; i < clock_guard_count(guard); i++) {
        if (!clock_is_over(clock_guard_member(guard, i))) {
            return false;
        }
    }
    return true;
}

static void enter_list(const Registration *registration, AltGuard *guard) {
    rt_alt_link(guard)->object = registration->clock->watchers;
    atomic_set_seq(&registration->clock->watchers, guard);
}

bool clock_watch(AltGuard *guard) {
    for (uint32_t i = 0; i < clock_guard_count(guard); i++) {
        const Registration *registration = clock_guard_member(guard, i);
        if (clock_is_over(registration)) {
            continue;
        }
        if (guard->kind == GUARD_CLOCKS) {
            rt_alt_clocks(guard)->index = (int32_t)i;
        }
        enter_list(registration, guard);
        if (!clock_is_over(registration)) {
            return true;
        }
        clock_unwatch(guard); /* it has moved since it was read */
    }
    return false;
}

void clock_unwatch(AltGuard *guard) {
    const Registration *registration = watched(guard);
    AltGuard *before = NULL;
    for (AltGuard *at = registration->clock->watchers; at != NULL; at = rt_alt_link(at)->object) {
        if (at == guard && before == NULL) {
            atomic_set_relaxed(&registration->clock->watchers, rt_alt_link(at)->object);
        } else if (at == guard) {
            rt_alt_link(before)->object = rt_alt_link(at)->object;
        }
        before = at;
    }
}

/* A guard on several clocks goes to the list of one whose phase has not ended. */
static bool waits_for_more(AltGuard *guard) {
    if (guard->kind != GUARD_CLOCKS || rt_alt_of(guard)->state != ALT_WAITING) {
        return false;
    }
    clock_unwatch(guard);
    return clock_watch(guard);
}

/* Wake ALTs whose phase has ended; those already resumed in the next one wait on. */
static void wake_alts(Worker *worker, Clock *clock) {
    world_enter(worker);
    for (AltGuard *guard = clock->watchers, *next = NULL; guard != NULL; guard = next) {
        Alt *alt = rt_alt_of(guard);
        next = rt_alt_link(guard)->object;
        if (clock_is_over(watched(guard)) && !waits_for_more(guard) &&
            rt_alt_claim(alt, guard->object)) {
            rt_scheduler_ready(worker, alt->process);
        }
    }
    world_leave(worker);
}

/* Called by the member that has ended the phase. It is still a member, so the next phase cannot end
 * and nobody else use this stack before it has reversed it. Makes those that wait ready. */
static void wake_all(Worker *worker, const Process *me, Clock *clock, unsigned phase) {
    record_phase(worker, me, clock, phase);
    if (atomic_get_seq(&clock->watchers) != NULL) {
        wake_alts(worker, clock);
    }
    Process *oldest = clock->oldest[phase & 1];
    clock->oldest[phase & 1] = NULL;
    Process *process = top_of(atomic_swap(&clock->waiting[phase & 1], turn_of(phase + 2)));
    if (oldest != NULL && worker_is_solo(worker) &&
        registration_of(oldest)->solo_epoch == worker->solo_epoch) {
        rt_scheduler_ready_chain(worker, process, oldest);
        return;
    }
    while (process != NULL) {
        Process *next = process->next;
        rt_scheduler_ready(worker, process);
        process = next;
    }
}

/* ---- arriving, leaving ---- */

/* An active member arrives. It may be on a stack already. */
static void arrive(Worker *worker, const Process *me, Clock *clock) {
    uint64_t word = atomic_get_acquire(&clock->word);
    bool is_last;
    do {
        is_last = clock_unarrived_in(word) == 1;
    } while (!atomic_cas_seq(&clock->word, &word, is_last ? moved(word) : word - ONE_UNARRIVED));
    if (is_last) {
        wake_all(worker, me, clock, clock_phase_in(word));
    }
}

/* A member leaves; it may have arrived in its phase. If the others wait only for it, it ends the
 * phase, and leaves in the next one. */
static void leave(const Process *me, Registration *mine) {
    Worker *worker = me->worker;
    Clock *clock = mine->clock;
    bool is_resumed = mine->state == REGISTRATION_RESUMED;
    uint64_t word = atomic_get_acquire(&clock->word);
    mine->state = REGISTRATION_NONE;
    for (;;) {
        bool has_arrived = is_resumed && is_in_phase(word, mine);
        if (!has_arrived && clock_unarrived_in(word) == 1 && clock_registered_in(word) > 1) {
            if (atomic_cas_seq(&clock->word, &word, moved(word))) { /* nobody has joined again */
                wake_all(worker, me, clock, clock_phase_in(word));
                is_resumed = false;
                word = atomic_get_acquire(&clock->word);
            }
            continue;
        }
        uint64_t without = word - ONE_REGISTERED - (has_arrived ? 0 : ONE_UNARRIVED);
        if (atomic_cas(&clock->word, &word, without)) {
            return;
        }
    }
}

void clock_join(const Registration *registration, uint64_t members) {
    (void)atomic_add(&registration->clock->word, members * (ONE_REGISTERED + ONE_UNARRIVED));
}

/* ---- placements ---- */

/* More branches than there can be, so that none of them is the last to hand back. */
#define LENT_TO_PLACEMENT (UINT64_C(1) << 32)

void clock_begin_placed(Clock *clock, Registration *lender, uint32_t phase) {
    uint64_t in_word = (uint64_t)(phase & CLOCK_PHASE_MASK) << CLOCK_PHASE_SHIFT;
    *clock = (Clock){.word = in_word | 2 * (ONE_REGISTERED | ONE_UNARRIVED)};
    clock->waiting[phase & 1] = turn_of(phase);
    clock->waiting[(phase + 1) & 1] = turn_of(phase + 1);
    *lender = (Registration){
        .clock = clock, .phase = phase, .state = REGISTRATION_NONE, .lent = LENT_TO_PLACEMENT};
}

void clock_arrive(Worker *worker, Clock *clock) {
    arrive(worker, NULL, clock);
}

/* The compiler refuses what it sees; a PROC of another unit is checked here. */
static void refuse_in_placement(Worker *worker, const Clock *clock, const char *words) {
    if (rt_root.machines == NULL) {
        return;
    }
    world_enter(worker);
    if (rt_root.machines->has_clock(clock)) {
        rt_fatal(words, 0);
    }
    world_leave(worker);
}

/* ---- abi.def ---- */

void rt_clock_begin(Process *me, void *registration, void *object) {
    (void)me;
    Registration *mine = registration;
    Clock *clock = object;
    *clock = (Clock){.word = ONE_REGISTERED | ONE_UNARRIVED};
    *mine = (Registration){.clock = clock, .state = REGISTRATION_ACTIVE};
}

void rt_clock_lend(Process *me, void *registration, int64_t branches) {
    (void)me;
    Registration *mine = registration;
    mine->state = REGISTRATION_NONE;
    mine->lent = (uint64_t)branches;
    if (branches > 1) {
        clock_join(mine, (uint64_t)branches - 1);
    }
}

void rt_clock_enrol(Process *me, void *registration, void *enrolled) {
    (void)me;
    const Registration *mine = registration;
    Registration *its = enrolled;
    *its = (Registration){.clock = mine->clock, .phase = mine->phase, .state = REGISTRATION_ACTIVE};
    clock_join(mine, 1); /* I have not arrived, so the phase cannot end before they are members */
}

void rt_clock_hand_back(Process *me, void *registration) {
    Registration *mine = registration;
    Registration *lender = mine->lender;
    if (mine->state == REGISTRATION_NONE) {
        return;
    }
    if (atomic_add(&lender->lent, (uint64_t)-1) == 1) {
        lender->phase = mine->phase;
        lender->state = mine->state;
        mine->state = REGISTRATION_NONE;
    } else {
        leave(me, mine);
    }
}

void rt_clock_resume(Process *me, void *registration) {
    Registration *mine = registration;
    if (mine->state == REGISTRATION_ACTIVE) {
        mine->state = REGISTRATION_RESUMED;
        arrive(me->worker, me, mine->clock);
    }
}

void rt_clock_leave(Process *me, void *registration) {
    Registration *mine = registration;
    if (mine->state != REGISTRATION_NONE) {
        leave(me, mine);
    }
}

void rt_clock_rejoin(Process *me, void *registration) {
    Registration *mine = registration;
    if (mine->state != REGISTRATION_NONE) {
        return; /* a MOBILE BARRIER that was made meanwhile */
    }
    refuse_in_placement(me->worker, mine->clock,
                        "not supported yet: RESIGN from a clock of several machines");
    gate_note_limit(me->worker, EXPLORE_LIMIT_ORDER); /* a phase may end before, or wait for it */
    uint64_t before = atomic_add(&mine->clock->word, ONE_REGISTERED + ONE_UNARRIVED);
    mine->phase = clock_phase_in(before);
    mine->state = REGISTRATION_ACTIVE;
}

Process *rt_clock_next(Process *me, void *registration, const Site *site) {
    Worker *worker = me->worker;
    Registration *mine = registration;
    Clock *clock = mine->clock;
    unsigned phase = mine->phase;
    mine->phase = clock_phase_after(phase, 1);
    bool has_arrived = mine->state == REGISTRATION_RESUMED;
    mine->state = REGISTRATION_ACTIVE;
    process_waits(me, site, NULL);
    process_carries(me, mine);
    uint64_t word = atomic_get_acquire(&clock->word);
    if (has_arrived) {
        bool is_over = clock_phase_in(word) != (phase & CLOCK_PHASE_MASK);
        return is_over || !push(worker, clock, me, phase) ? me : rt_scheduler_next(worker);
    }
    if (clock_unarrived_in(word) == 1) {
        if (atomic_cas_seq(&clock->word, &word, moved(word))) {
            wake_all(worker, me, clock, phase);
            return me;
        } /* somebody has joined again */
    }
    (void)push(worker, clock, me, phase); /* the phase cannot end without me */
    arrive(worker, me, clock);
    return rt_scheduler_next(worker);
}

/* ---- NEXT with a block ---- */

/* I am the only one who has not arrived, so nobody else comes to the stack or takes it. */
static void unlink_from_stack(Clock *clock, Process *process, unsigned phase) {
    uintptr_t *stack = &clock->waiting[phase & 1];
    Process *top = top_of(atomic_get_acquire(stack));
    clock->oldest[phase & 1] = NULL;
    if (top == process) {
        atomic_set_seq(stack, (uintptr_t)process->next | turn_of(phase));
        return;
    }
    while (top->next != process) {
        top = top->next;
    }
    process_lies_on(top, process->next);
}

/* All branches come to this NEXT and none has resumed before it (check_clock), so those that have
 * arrived wait. All but the last wait; the last is elected. If two come at the same time, both are
 * on the stack already when one of them finds that it is the last. */
Process *rt_clock_elect(Process *me, void *registration, const Site *site) {
    Worker *worker = me->worker;
    Registration *mine = registration;
    Clock *clock = mine->clock;
    refuse_in_placement(worker, clock,
                        "not supported yet: NEXT with a block on a clock of several machines");
    uint64_t word = atomic_get_acquire(&clock->word);
    if (clock_unarrived_in(word) != 1) {
        unsigned phase = mine->phase;
        mine->phase = clock_phase_after(phase, 1);
        process_waits(me, site, NULL);
        process_carries(me, mine);
        (void)push(worker, clock, me, phase);
        do {
            if (clock_unarrived_in(word) == 1) {
                break;
            }
        } while (!atomic_cas_seq(&clock->word, &word, word - ONE_UNARRIVED));
        if (clock_unarrived_in(word) != 1) {
            return rt_scheduler_next(worker);
        }
        mine->phase = phase;
        unlink_from_stack(clock, me, phase);
    }
    if (top_of(atomic_get_acquire(&clock->waiting[mine->phase & 1])) != NULL) {
        gate_note_limit(worker, EXPLORE_LIMIT_ORDER); /* another one could have been elected */
    }
    mine->state = REGISTRATION_ELECTED;
    return me;
}
