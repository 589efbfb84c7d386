/* clock_test -- runtime/clock/clock.c on several workers, every interleaving of whose atomics may
 * come: fibres are processes on workers of their own, seeds choose who goes on (fibre.h). Members
 * resume, wait, choose, enrol others and leave at random; nobody crosses early, nobody sleeps for
 * ever. What fails prints the seed that repeats it. */
#define RT_DETERMINISTIC
#include "fibre.h"

#include "world.h"
#define world_enter              test_enter
#define world_leave              test_leave
#define rt_scheduler_ready       test_ready
#define rt_scheduler_next        test_next
#define rt_scheduler_ready_chain runqueue_append_chain
static void test_enter(Worker *worker);
static void test_leave(Worker *worker);
#include "../../runtime/clock/clock.h"
#include "../../runtime/core/runqueue.h"
#include "../../runtime/scheduler/scheduler.h"
#define RT_WORLD_H
#include "../../runtime/clock/clock.c"

#include <string.h>

enum { MEMBERS = 5, FIRST = 3, SEEDS = 10000, ROUNDS = 8, GUARDS = 2 };

static struct {
    Clock clock;
    Worker workers[MEMBERS];
    Process processes[MEMBERS];
    Registration registrations[MEMBERS];
    _Alignas(16) char records[MEMBERS][sizeof(Alt) + GUARDS * sizeof(AltGuard)];
    bool is_ready[MEMBERS];
    bool is_born[MEMBERS];
    bool is_member[MEMBERS];       /* ghosts */
    uint32_t has_arrived[MEMBERS]; /* the phases at whose end it has arrived */
    int born;
    int left;
    bool is_locked;
} play;

static void test_enter(Worker *worker) {
    (void)worker;
    while (atomic_swap(&play.is_locked, true)) {
    }
}

static void test_leave(Worker *worker) {
    (void)worker;
    atomic_set_release(&play.is_locked, false);
}

void test_ready(Worker *worker, Process *process) {
    (void)worker;
    long index = process - play.processes;
    fibre_check(!atomic_get_acquire(&play.is_ready[index]));
    atomic_set_release(&play.is_ready[index], true);
}

static void sleep_until_ready(int number) {
    while (!atomic_swap(&play.is_ready[number], false)) {
    }
}

/* The fibre of this worker has no other process. */
Process *test_next(Worker *worker) {
    long index = worker - play.workers;
    sleep_until_ready((int)index);
    return &play.processes[index];
}

/* ---- what a process does ---- */

static void note_arrival(int number) {
    play.has_arrived[number] = play.registrations[number].phase + 1;
}

static void look_round(int number) {
    uint32_t phase = play.registrations[number].phase;
    for (int i = 0; i < MEMBERS; i++) {
        fibre_check(!play.is_member[i] || play.has_arrived[i] >= phase);
    }
}

static void wait_for_phase(int number) {
    static const Site site = {.kind = WAIT_CLOCK};
    (void)rt_clock_next(&play.processes[number], &play.registrations[number], &site);
    look_round(number);
}

/* An ALT of one guard, as alt.c has it: the other guard is what the random choice says. */
static bool choose(int number, bool gives_up) {
    Worker *worker = &play.workers[number];
    Alt *alt = (Alt *)(void *)play.records[number];
    const Registration *mine = &play.registrations[number];
    memset(alt, 0, sizeof play.records[number]);
    alt->process = &play.processes[number];
    alt->count = GUARDS;
    alt->guards[0] = (AltGuard){.object = &play.registrations[number], .kind = GUARD_CLOCK};
    bool is_over = false;
    test_enter(worker);
    if (!clock_is_over(mine)) {
        alt->state = ALT_WAITING;
        is_over = !clock_watch(alt->guards);
        if (is_over || gives_up) {
            alt->state = ALT_WON;
            clock_unwatch(alt->guards);
        }
    }
    test_leave(worker);
    if (!is_over && alt->state == ALT_WAITING) {
        sleep_until_ready(number);
    } else if (!is_over && alt->state == ALT_WON && alt->winner == NULL && gives_up) {
        return false;
    }
    test_enter(worker);
    clock_unwatch(alt->guards);
    test_leave(worker);
    return true;
}

static void enrol_another(int number) {
    int child = play.born;
    if (child == MEMBERS || play.registrations[number].state != REGISTRATION_ACTIVE) {
        return;
    }
    play.born++;
    (void)atomic_add(&play.left, 1);
    play.registrations[child] =
        (Registration){.clock = &play.clock, .phase = play.registrations[number].phase};
    play.has_arrived[child] = play.registrations[number].phase;
    play.is_member[child] = true;
    clock_join(&play.registrations[number], 1);
    atomic_set_release(&play.is_born[child], true);
}

static void leave_clock(int number) {
    play.is_member[number] = false;
    rt_clock_leave(&play.processes[number], &play.registrations[number]);
}

static void act(int number, uint32_t choice) {
    Process *me = &play.processes[number];
    switch (choice) {
    case 0:
        note_arrival(number);
        wait_for_phase(number);
        break;
    case 1:
        note_arrival(number);
        rt_clock_resume(me, &play.registrations[number]);
        break;
    case 2: enrol_another(number); break;
    default:
        note_arrival(number);
        rt_clock_resume(me, &play.registrations[number]);
        if (choose(number, choice == 3)) {
            wait_for_phase(number);
        }
    }
}

static void be_member(int number) {
    while (!atomic_get_acquire(&play.is_born[number])) {
        if (atomic_get_acquire(&play.left) == 0) {
            return;
        }
    }
    uint32_t rounds = random_below(&fibres.random, ROUNDS);
    for (uint32_t i = 0; i < rounds; i++) {
        act(number, random_below(&fibres.random, 5));
    }
    leave_clock(number);
    (void)atomic_add(&play.left, -1);
}

static void set_up(void) {
    memset(&play, 0, sizeof play);
    play.born = FIRST;
    play.left = FIRST;
    rt_clock_begin(&play.processes[0], &play.registrations[0], &play.clock);
    for (int i = 0; i < MEMBERS; i++) {
        play.workers[i].mode = MODE_SHARED;
        play.processes[i].worker = &play.workers[i];
        if (i < FIRST) {
            play.registrations[i] = (Registration){.clock = &play.clock};
            play.is_born[i] = play.is_member[i] = true;
        }
        fibre_add(be_member);
    }
    clock_join(&play.registrations[0], FIRST - 1);
}

static void test_clock__nobody_crosses_early_or_sleeps_for_ever(uint64_t seed) {
    set_up();
    fibre_run(seed);
    fibre_check(clock_registered_in(play.clock.word) == 0 && play.clock.watchers == NULL);
}

int main(void) {
    fibre_each_seed(test_clock__nobody_crosses_early_or_sleeps_for_ever, SEEDS);
    return 0;
}
