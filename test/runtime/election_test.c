/* election_test -- runtime/clock/clock.c on several workers, every interleaving of whose atomics
 * may come: fibres are members on workers of their own, seeds choose who goes on (fibre.h). They
 * resume or not, some leave and join again, some phases end with a block. Nobody is beyond a phase
 * before all have arrived; who waits is woken once; a block runs once, after all have come and
 * before anybody goes on. What fails prints the seed that repeats it. */
#define RT_DETERMINISTIC
#include "fibre.h"

#define rt_scheduler_ready       test_ready
#define rt_scheduler_next        test_next
#define rt_scheduler_ready_chain runqueue_append_chain
#define world_enter              test_enter
#define world_leave              test_leave
#include "../../runtime/base/layout.h"
static void test_enter(Worker *worker);
static void test_leave(Worker *worker);
#include "../../runtime/core/runqueue.h"
#include "../../runtime/scheduler/scheduler.h"
#define RT_WORLD_H
#include "../../runtime/clock/clock.c"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MEMBERS = 4, PHASES = 5, SEEDS = 8000 };

typedef enum Fault { /* the controls */
                     FAULT_NONE,
                     FAULT_NO_LOOK, /* who has pushed himself arrives without looking whether he is
                                       the last */
                     FAULT_LEAVES_LAST /* the last one leaves in the step that ends the phase */
} Fault;

static struct {
    Clock clock;
    Worker workers[MEMBERS];
    Process processes[MEMBERS];
    Registration registrations[MEMBERS];
    Random random[MEMBERS];
    bool has_block[PHASES];
    bool is_ready[MEMBERS];
    /* ghosts */
    bool is_member[MEMBERS];
    bool has_come[MEMBERS]; /* arrived in its phase, or about to */
    unsigned phase[MEMBERS];
    int blocks[PHASES];
    bool in_block;
    Fault fault;
} play;

static const Site site = {.kind = WAIT_CLOCK};

/* ---- the runtime round it ---- */

static void test_enter(Worker *worker) {
    worker->holds_world = true;
}

static void test_leave(Worker *worker) {
    worker->holds_world = false;
}

void test_ready(Worker *worker, Process *process) {
    (void)worker;
    long index = process - play.processes;
    fibre_check(index >= 0 && index < MEMBERS && play.has_come[index]);
    fibre_check(!atomic_swap(&play.is_ready[index], true));
}

Process *test_next(Worker *worker) {
    long index = worker - play.workers;
    while (!atomic_swap(&play.is_ready[index], false)) {
    }
    return &play.processes[index];
}

/* ---- members ---- */

static bool chance(int me, uint32_t one_in) {
    return random_below(&play.random[me], one_in) == 0;
}

static void pause_for(uint32_t points) {
    while (points-- > 0) {
        rt_atomic_point();
    }
}

/* Everybody has come to the end of this phase. */
static void check_all_have_come(unsigned phase) {
    for (int i = 0; i < MEMBERS; i++) {
        bool has_come = play.phase[i] == phase && play.has_come[i];
        fibre_check(!play.is_member[i] || play.phase[i] > phase || has_come);
    }
}

static void cross(int me) {
    unsigned phase = play.phase[me];
    check_all_have_come(phase);
    fibre_check(!play.in_block && play.blocks[phase] == play.has_block[phase]);
    fibre_check(play.registrations[me].phase == phase + 1);
    play.phase[me]++;
    play.has_come[me] = false;
}

static void run_block(int me) {
    unsigned phase = play.phase[me];
    check_all_have_come(phase);
    fibre_check(!play.in_block && play.blocks[phase]++ == 0);
    play.in_block = true;
    rt_atomic_point();
    play.in_block = false;
}

static Process *elect(Process *me, Registration *mine) {
    unsigned phase = mine->phase;
    if (play.fault != FAULT_NO_LOOK ||
        clock_unarrived_in(atomic_get_acquire(&play.clock.word)) == 1) {
        return rt_clock_elect(me, mine, &site);
    }
    mine->phase++;
    me->data = mine;
    (void)push(me->worker, &play.clock, me, phase);
    arrive(me->worker, me, &play.clock);
    return rt_scheduler_next(me->worker);
}

static void next(int me) {
    Process *process = &play.processes[me];
    Registration *mine = &play.registrations[me];
    play.has_come[me] = true;
    if (play.has_block[play.phase[me]]) {
        (void)elect(process, mine);
        if (mine->state != REGISTRATION_ELECTED) {
            cross(me);
            return;
        }
        run_block(me);
    }
    (void)rt_clock_next(process, mine, &site);
    cross(me);
}

/* In one step, if the others wait for me alone. */
static void leave_carelessly(const Process *me, Registration *mine) {
    Clock *clock = mine->clock;
    uint64_t word = atomic_get_acquire(&clock->word);
    if (mine->state == REGISTRATION_RESUMED || clock_unarrived_in(word) != 1 ||
        clock_registered_in(word) < 2 ||
        !atomic_cas_seq(&clock->word, &word, moved(word) - ONE_REGISTERED - ONE_UNARRIVED)) {
        leave(me, mine);
        return;
    }
    mine->state = REGISTRATION_NONE;
    pause_for(100);
    wake_all(me->worker, me, clock, clock_phase_in(word));
}

/* As around a RESIGN: in a phase without a block, and back when the next one is none either. */
static void leave_and_rejoin(int me) {
    Process *process = &play.processes[me];
    Registration *mine = &play.registrations[me];
    play.is_member[me] = false;
    if (play.fault == FAULT_LEAVES_LAST) {
        leave_carelessly(process, mine);
    } else {
        rt_clock_leave(process, mine);
    }
    play.has_come[me] = false;
    pause_for(random_below(&play.random[me], 20));
    rt_clock_rejoin(process, mine);
    play.phase[me] = mine->phase;
    play.is_member[me] = true;
}

static void be_member(int me) {
    Process *process = &play.processes[me];
    Registration *mine = &play.registrations[me];
    bool may_leave = fibres.seed % 2 == 0; /* no blocks then: all come to those */
    while (play.phase[me] < PHASES) {
        bool has_block = play.has_block[play.phase[me]];
        if (!has_block && chance(me, 2)) {
            play.has_come[me] = true;
            rt_clock_resume(process, mine);
            rt_atomic_point();
        }
        if (may_leave && me != 0 && chance(me, 4)) {
            leave_and_rejoin(me);
        } else {
            next(me);
        }
    }
    play.is_member[me] = false;
    rt_clock_leave(process, mine);
}

/* ---- tests ---- */

static void set_up(uint64_t seed, int members) {
    Fault fault = play.fault;
    memset(&play, 0, sizeof play);
    play.fault = fault;
    rt_clock_begin(&play.processes[0], &play.registrations[0], &play.clock);
    clock_join(&play.registrations[0], (uint64_t)members - 1);
    for (int i = 0; i < members; i++) {
        play.registrations[i] = play.registrations[0];
        play.processes[i].worker = &play.workers[i];
        play.workers[i].mode = (uint32_t)i + 1;
        play.is_member[i] = true;
        random_seed(&play.random[i], seed * MEMBERS + (uint64_t)i);
    }
    for (int phase = 0; phase < PHASES; phase++) {
        play.has_block[phase] = seed % 2 == 1 && (seed >> phase & 2) != 0;
    }
}

static void test_election__all_cross_together(uint64_t seed) {
    int members = 2 + (int)(seed / 2 % (MEMBERS - 1));
    set_up(seed, members);
    for (int i = 0; i < members; i++) {
        fibre_add(be_member);
    }
    fibre_run(seed);
    fibre_check(clock_registered_in(play.clock.word) == 0);
    fibre_check(top_of(play.clock.waiting[0]) == NULL && top_of(play.clock.waiting[1]) == NULL);
    for (int i = 0; i < members; i++) {
        fibre_check(!play.is_ready[i]);
    }
}

static void test_election__the_harness_finds(Fault control) {
    pid_t child = fork();
    if (child == 0) {
        fibre_check(freopen("/dev/null", "w", stderr) != NULL);
        play.fault = control;
        fibre_each_seed(test_election__all_cross_together, SEEDS);
        _exit(0);
    }
    int status = 0;
    (void)waitpid(child, &status, 0);
    fibre_check(WIFSIGNALED(status));
}

int main(void) {
    fibre_each_seed(test_election__all_cross_together, SEEDS);
    test_election__the_harness_finds(FAULT_NO_LOOK);
    test_election__the_harness_finds(FAULT_LEAVES_LAST);
    return 0;
}
