/* clock -- the half of CLOCK and BARRIER that compiled code does not inline. See clock.h. */
#include "clock.h"

#include "base/atomic.h"
#include "scheduler.h"

#define ONE_UNARRIVED  UINT64_C(1)
#define ONE_REGISTERED (UINT64_C(1) << CLOCK_REGISTERED_SHIFT)
#define ONE_PHASE      (UINT64_C(1) << CLOCK_PHASE_SHIFT)

static uint64_t unarrived_in(uint64_t word) {
    return word & CLOCK_COUNT_MASK;
}

static uint64_t registered_in(uint64_t word) {
    return (word >> CLOCK_REGISTERED_SHIFT) & CLOCK_COUNT_MASK;
}

static unsigned phase_in(uint64_t word) {
    return (unsigned)(word >> CLOCK_PHASE_SHIFT);
}

static bool is_in_phase(uint64_t word, const Registration *mine) {
    return phase_in(word) == (mine->phase & CLOCK_PHASE_MASK);
}

/* The word when the last has arrived. */
static uint64_t moved(uint64_t word) {
    uint64_t registered = registered_in(word);
    uint64_t phase = word >> CLOCK_PHASE_SHIFT << CLOCK_PHASE_SHIFT;
    return (phase + ONE_PHASE) | registered << CLOCK_REGISTERED_SHIFT | registered;
}

static void push(Process *process, Clock *clock, unsigned phase) {
    Process *newest = atomic_get_relaxed(&clock->waiting[phase & 1]);
    do {
        process->data = newest;
    } while (!atomic_cas(&clock->waiting[phase & 1], &newest, process));
}

static unsigned phase_awaited(const Process *process) {
    const Registration *its = (const Registration *)(const void *)process->next;
    return (its->phase - 1) & CLOCK_PHASE_MASK;
}

/* Everybody who waits for the end of the phase, which has come. Who is late here may find some that
 * wait for a later phase: they go back, unless theirs has ended too. */
static void wake_all(Worker *worker, Clock *clock, unsigned phase) {
    Process *process = atomic_swap(&clock->waiting[phase & 1], NULL);
    while (process != NULL) {
        Process *next = process->data;
        unsigned awaited = phase_awaited(process);
        if (awaited == (phase & CLOCK_PHASE_MASK)) {
            rt_scheduler_ready(worker, process);
        } else {
            push(process, clock, awaited);
            if (phase_in(atomic_get_seq(&clock->word)) != awaited) {
                wake_all(worker, clock, awaited);
            }
        }
        process = next;
    }
}

/* An active member arrives, and stays or leaves. It may be on a stack already. */
static void arrive(Worker *worker, Clock *clock, uint64_t leaving) {
    uint64_t word = atomic_get_acquire(&clock->word);
    uint64_t then;
    bool is_last;
    do {
        uint64_t without = word - leaving * ONE_REGISTERED;
        is_last = unarrived_in(word) == 1 && registered_in(without) > 0;
        then = is_last ? moved(without) : without - ONE_UNARRIVED;
    } while (!atomic_cas(&clock->word, &word, then));
    if (is_last) {
        wake_all(worker, clock, phase_in(word));
    }
}

/* A member leaves whose arrival in his phase is counted: unless the phase has moved meanwhile,
 * only the number of members changes. */
static void leave_resumed(Worker *worker, Clock *clock, const Registration *mine) {
    uint64_t word = atomic_get_acquire(&clock->word);
    while (is_in_phase(word, mine)) {
        if (atomic_cas(&clock->word, &word, word - ONE_REGISTERED)) {
            return;
        }
    }
    arrive(worker, clock, 1);
}

/* ---- abi.def ---- */

void rt_clock_begin(Process *me, void *registration, void *object) {
    (void)me;
    Registration *mine = registration;
    Clock *clock = object;
    *clock = (Clock){ONE_REGISTERED | ONE_UNARRIVED, {NULL, NULL}};
    *mine = (Registration){.clock = clock, .state = REGISTRATION_ACTIVE};
}

void rt_clock_lend(Process *me, void *registration, int64_t branches) {
    (void)me;
    Registration *mine = registration;
    rt_check(mine->state == REGISTRATION_ACTIVE);
    mine->lent = (uint64_t)branches;
    if (branches > 1) {
        (void)atomic_add(&mine->clock->word,
                         (uint64_t)(branches - 1) * (ONE_REGISTERED + ONE_UNARRIVED));
    }
}

void rt_clock_hand_back(Process *me, void *registration) {
    const Registration *mine = registration;
    Registration *lender = mine->lender;
    if (mine->state == REGISTRATION_NONE) {
        return;
    }
    if (atomic_add(&lender->lent, (uint64_t)-1) == 1) {
        lender->phase = mine->phase;
    } else {
        arrive(me->worker, mine->clock, 1);
    }
}

void rt_clock_resume(Process *me, void *registration) {
    Registration *mine = registration;
    if (mine->state == REGISTRATION_ACTIVE) {
        mine->state = REGISTRATION_RESUMED;
        arrive(me->worker, mine->clock, 0);
    }
}

void rt_clock_leave(Process *me, void *registration) {
    Registration *mine = registration;
    uint32_t state = mine->state;
    mine->state = REGISTRATION_NONE;
    if (state == REGISTRATION_RESUMED) {
        leave_resumed(me->worker, mine->clock, mine);
    } else if (state == REGISTRATION_ACTIVE) {
        arrive(me->worker, mine->clock, 1);
    }
}

void rt_clock_rejoin(Process *me, void *registration) {
    (void)me;
    Registration *mine = registration;
    uint64_t before = atomic_add(&mine->clock->word, ONE_REGISTERED + ONE_UNARRIVED);
    mine->phase = phase_in(before);
    mine->state = REGISTRATION_ACTIVE;
}

static Process *registration_object(Registration *mine) {
    return (Process *)(void *)mine;
}

/* Waits for the end of a phase in which I have arrived already. */
static Process *wait_resumed(Process *me, Registration *mine, const Site *site) {
    Worker *worker = me->worker;
    Clock *clock = mine->clock;
    unsigned phase = mine->phase;
    bool is_over = !is_in_phase(atomic_get_acquire(&clock->word), mine);
    mine->phase++;
    mine->state = REGISTRATION_ACTIVE;
    if (is_over) {
        return me;
    }
    me->next = registration_object(mine);
    me->wait = site;
    push(me, clock, phase);
    if (phase_in(atomic_get_seq(&clock->word)) != (phase & CLOCK_PHASE_MASK)) {
        wake_all(worker, clock, phase);
    }
    return rt_scheduler_next(worker);
}

Process *rt_clock_next(Process *me, void *registration, const Site *site) {
    Worker *worker = me->worker;
    Registration *mine = registration;
    if (mine->state == REGISTRATION_RESUMED) {
        return wait_resumed(me, mine, site);
    }
    Clock *clock = mine->clock;
    unsigned phase = mine->phase++;
    uint64_t word = atomic_get_acquire(&clock->word);
    if (unarrived_in(word) == 1) { /* only I could change that, but for those that rejoin */
        if (atomic_cas(&clock->word, &word, moved(word))) {
            wake_all(worker, clock, phase);
            return me;
        }
    }
    me->next = registration_object(mine);
    me->wait = site;
    push(me, clock, phase);
    arrive(worker, clock, 0); /* nothing of me may be touched any more */
    return rt_scheduler_next(worker);
}
