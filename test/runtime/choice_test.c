/* choice_test -- runtime/channel/channel.c, alt.c, close.c and claim.c on several workers, every
 * interleaving of whose atomics may come: fibres are processes on workers of their own, seeds
 * choose who goes on (fibre.h). Inputs, outputs, ALTs with both kinds of guard and timers, closing,
 * claims, NEXT as a guard. What fails prints the seed that repeats it. */
#define RT_DETERMINISTIC
#include "fibre.h"

#include "world.h"
#define world_enter        test_enter
#define world_leave        test_leave
#define rt_scheduler_ready test_ready
#define rt_scheduler_next  test_next
#define rt_reschedule      test_reschedule
static void test_enter(Worker *worker);
static void test_leave(Worker *worker);
#include "../../runtime/channel/alt.h"
#include "../../runtime/channel/channel.h"
#include "../../runtime/channel/claim.h"
#include "../../runtime/channel/close.h"
#include "../../runtime/core/runqueue.h"
#include "../../runtime/scheduler/scheduler.h"
#define RT_WORLD_H
#include "../../runtime/clock/clock.c"
static bool looks_once; /* a control: an ALT does not look again after it has entered a list */
static bool watch(AltGuard *guard);
#define clock_watch watch
#include "../../runtime/channel/alt.c"
#include "../../runtime/channel/alt_look.c"
#undef clock_watch
#include "../../runtime/channel/channel.c"
#include "../../runtime/channel/claim.c"
#include "../../runtime/channel/close.c"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROCESSES = 4, SEEDS = 3000, MESSAGES = 4, GUARDS = 5, CLOCKS = 2, PHASES = 4, TICK_US = 7 };

static struct {
    Worker workers[PROCESSES];
    Process processes[PROCESSES];
    Channel channels[PROCESSES];
    _Alignas(16) char records[PROCESSES][sizeof(Alt) + GUARDS * sizeof(AltGuard)];
    bool is_ready[PROCESSES];
    Random random[PROCESSES];
    int ring; /* how many processes are in it */
    int left; /* processes that have not ended */
    int sent; /* ghosts */
    int inside;
    bool is_locked;
    bool is_careless; /* the lock is none: the control */
    Claim claim;
    Clock clocks[CLOCKS];
    Registration registrations[CLOCKS][PROCESSES];
    bool has_come[CLOCKS][PROCESSES]; /* to the end of its phase, or about to */
} play;

static const Site input_site = {.kind = WAIT_INPUT};
static const Site output_site = {.kind = WAIT_OUTPUT};
static const Site alt_site = {.kind = WAIT_ALT};
static const Site until_closed_site = {.kind = WAIT_UNTIL_CLOSED};
static const Site close_site;

/* ---- the runtime round the protocols ---- */

static void test_enter(Worker *worker) {
    if (!worker->holds_world && !play.is_careless) {
        while (atomic_swap(&play.is_locked, true)) {
        }
    }
    worker->holds_world = true;
}

static void test_leave(Worker *worker) {
    if (worker->holds_world && !play.is_careless) {
        atomic_set_release(&play.is_locked, false);
    }
    worker->holds_world = false;
}

/* Who is made ready was parked, and was not ready yet. */
void test_ready(Worker *worker, Process *process) {
    (void)worker;
    long index = process - play.processes;
    fibre_check(index >= 0 && index < PROCESSES && !atomic_get_acquire(&play.is_ready[index]));
    atomic_set_release(&play.is_ready[index], true);
}

/* The fibre of this worker has no other process. */
Process *test_next(Worker *worker) {
    long index = worker - play.workers;
    test_leave(worker);
    while (!atomic_swap(&play.is_ready[index], false)) {
    }
    return &play.processes[index];
}

Process *test_reschedule(Process *me) {
    rt_atomic_point();
    return me;
}

static void set_up(uint64_t seed, int ring) {
    bool is_careless = play.is_careless;
    memset(&play, 0, sizeof play);
    memset(&rt_root.time, 0, sizeof rt_root.time);
    rt_root.time.is_virtual = true;
    play.is_careless = is_careless;
    play.ring = ring;
    play.left = ring;
    for (int i = 0; i < PROCESSES; i++) {
        Worker *worker = &play.workers[i];
        worker->mode = MODE_SHARED;
        random_seed(&worker->random, seed + (uint64_t)i);
        random_seed(&worker->owner_random, seed + (uint64_t)i);
        random_seed(&play.random[i], seed * PROCESSES + (uint64_t)i);
        play.processes[i].worker = worker;
        play.processes[i].sp = worker;
    }
}

/* ---- what a process does ---- */

static int64_t input(int me, int channel, const Site *site) {
    Process *process = &play.processes[me];
    process->data = NULL;
    (void)rt_channel_input(process, &play.channels[channel], &process->data, sizeof(int64_t), site);
    return (int64_t)(intptr_t)process->data;
}

static void output(int me, int channel, int64_t value) {
    Process *process = &play.processes[me];
    process->data = (void *)(intptr_t)value;
    (void)rt_channel_output(process, &play.channels[channel], &process->data, sizeof(int64_t),
                            &output_site);
}

static Alt *begin_alt(int me) {
    Alt *alt = (Alt *)(void *)play.records[me];
    memset(alt, 0, sizeof play.records[me]);
    alt->is_pri = random_below(&play.random[me], 3) == 0;
    return alt;
}

static void add_guard(Alt *alt, unsigned kind, void *object) {
    alt->guards[alt->count++] = (AltGuard){.object = object, .kind = (uint16_t)kind};
    if (kind == GUARD_CLOSED) {
        AltGuard link = {.kind = GUARD_OFF, .index = (int32_t)alt->count - 1};
        alt->guards[alt->count++] = link;
    }
}

/* The chosen guard; its record means nothing from then on. */
static AltGuard choose(int me, Alt *alt) {
    Process *process = &play.processes[me];
    if (rt_alt_select(process, alt, &alt_site) != NULL) {
        (void)rt_alt_resumed(process);
    }
    fibre_check(alt->chosen < alt->count);
    AltGuard chosen = alt->guards[alt->chosen];
    memset(play.records[me], 0xAA, sizeof play.records[me]);
    return chosen;
}

static void add_deadline(int me, Alt *alt) {
    uint32_t choice = random_below(&play.random[me], 3);
    if (choice == 0) {
        int32_t due = (int32_t)(rt_root.time.now_us + random_below(&play.random[me], 4 * TICK_US));
        add_guard(alt, GUARD_TIMER, (void *)(intptr_t)due);
    } else if (choice == 1 && random_below(&play.random[me], 4) == 0) {
        add_guard(alt, GUARD_SKIP, NULL);
    }
}

/* Time goes on while anybody is there. */
static void tick(int number) {
    Worker *worker = &play.workers[number];
    while (atomic_get_acquire(&play.left) > 0) {
        Process *process;
        test_enter(worker);
        rt_root.time.now_us += TICK_US;
        Ticks now = {rt_root.time.now_us};
        while ((process = deadline_queue_take_due(&rt_root.deadlines, now)) != NULL) {
            test_ready(worker, process);
        }
        test_leave(worker);
    }
}

/* ---- a ring: every message arrives once, in order, whoever meets whom ---- */

static void use_left(int me, int64_t *received) {
    int left = (me + play.ring - 1) % play.ring;
    fibre_check(input(me, left, &input_site) == (*received)++);
}

static void use_right(int me, int64_t *sent) {
    output(me, me, (*sent)++);
}

static void be_in_ring(int me) {
    Channel *left = &play.channels[(me + play.ring - 1) % play.ring];
    int64_t received = 0;
    int64_t sent = 0;
    while (received < MESSAGES || sent < MESSAGES) {
        bool is_plain = random_below(&play.random[me], 3) == 0;
        if (received == MESSAGES && is_plain) {
            use_right(me, &sent);
            continue;
        }
        if (sent == MESSAGES && is_plain) {
            use_left(me, &received);
            continue;
        }
        Alt *alt = begin_alt(me);
        if (received < MESSAGES) {
            add_guard(alt, GUARD_INPUT, left);
        }
        if (sent < MESSAGES) {
            add_guard(alt, GUARD_OUTPUT, &play.channels[me]);
        }
        add_deadline(me, alt);
        AltGuard chosen = choose(me, alt);
        if (chosen.kind == GUARD_INPUT) {
            use_left(me, &received);
        } else if (chosen.kind == GUARD_OUTPUT) {
            use_right(me, &sent);
        }
    }
    (void)atomic_add(&play.left, -1);
}

static void run_ring(uint64_t seed, int count) {
    set_up(seed, count);
    for (int i = 0; i < count; i++) {
        fibre_add(be_in_ring);
    }
    fibre_add(tick);
    fibre_run(seed);
    for (int i = 0; i < count; i++) {
        fibre_check(play.channels[i].word == 0 && !play.is_ready[i]);
    }
    fibre_check(deadline_queue_is_empty(&rt_root.deadlines));
}

static void test_choice__a_ring_loses_nothing(uint64_t seed) {
    run_ring(seed, 2 + (int)(seed % 2));
}

/* ---- closing: what was sent arrives, both see the close ---- */

static void send_and_close(int me) {
    Channel *channel = &play.channels[0];
    bool is_closed_there = false;
    for (int i = 0; i < MESSAGES && !is_closed_there; i++) {
        Alt *alt = begin_alt(me);
        add_guard(alt, GUARD_OUTPUT, channel);
        add_guard(alt, GUARD_CLOSED, channel);
        is_closed_there = choose(me, alt).kind == GUARD_CLOSED;
        if (!is_closed_there) {
            output(me, 0, i);
            play.sent++;
        }
    }
    rt_channel_close(&play.processes[me], channel, &close_site);
    (void)atomic_add(&play.left, -1);
}

static bool receive(int me, int expected) {
    Process *process = &play.processes[me];
    if (random_below(&play.random[me], 3) == 0) {
        process->flags = 0;
        int64_t value = input(me, 0, &until_closed_site);
        fibre_check((process->flags & PROCESS_SAW_CLOSE) != 0 || value == expected);
        return (process->flags & PROCESS_SAW_CLOSE) == 0;
    }
    Alt *alt = begin_alt(me);
    add_guard(alt, GUARD_CLOSED, &play.channels[0]);
    add_guard(alt, GUARD_INPUT, &play.channels[0]);
    add_deadline(me, alt);
    for (;;) {
        AltGuard chosen = choose(me, alt);
        if (chosen.kind == GUARD_CLOSED) {
            return false;
        }
        if (chosen.kind == GUARD_INPUT) {
            fibre_check(input(me, 0, &input_site) == expected);
            return true;
        }
        alt = begin_alt(me);
        add_guard(alt, GUARD_CLOSED, &play.channels[0]);
        add_guard(alt, GUARD_INPUT, &play.channels[0]);
    }
}

static void receive_until_closed(int me) {
    int enough = (int)random_below(&play.random[me], 2 * MESSAGES);
    int count = 0;
    while (count < enough && receive(me, count)) {
        count++;
    }
    rt_channel_close(&play.processes[me], &play.channels[0], &close_site);
    fibre_check(count == enough || play.sent == MESSAGES);
    (void)atomic_add(&play.left, -1);
}

static void test_close__what_was_sent_arrives(uint64_t seed) {
    set_up(seed, 2);
    fibre_add(send_and_close);
    fibre_add(receive_until_closed);
    fibre_add(tick);
    fibre_run(seed);
    fibre_check(channel_tag(play.channels[0].word) == TAG_CLOSED);
    fibre_check(first_watcher(&play.channels[0]) == NULL);
}

/* ---- claims: one at a time, first come first served among those that wait ---- */

static void claim_and_release(int me) {
    static const Site claim_site = {.kind = WAIT_CLAIM};
    Process *process = &play.processes[me];
    for (int i = 0; i < MESSAGES; i++) {
        (void)rt_claim(process, &play.claim, &claim_site);
        fibre_check(++play.inside == 1);
        rt_atomic_point();
        play.sent++;
        fibre_check(--play.inside == 0);
        rt_claim_release(process, &play.claim);
    }
}

static void test_claim__one_at_a_time(uint64_t seed) {
    set_up(seed, PROCESSES);
    for (int i = 0; i < PROCESSES; i++) {
        fibre_add(claim_and_release);
    }
    fibre_run(seed);
    fibre_check(play.sent == PROCESSES * MESSAGES && play.claim.word == 0);
}

/* ---- NEXT as a guard, of one clock or of both ---- */

static bool watch(AltGuard *guard) {
    if (looks_once && !clock_guard_is_over(guard)) {
        rt_atomic_point();
        enter_list(clock_guard_member(guard, 0), guard);
        return true;
    }
    return clock_watch(guard);
}

/* Everybody has come to the end of the phase that this one ends. */
static void check_phase(int clock, const Registration *mine) {
    for (int i = 0; i < play.ring; i++) {
        uint32_t phase = play.registrations[clock][i].phase;
        bool has_come = phase == mine->phase && play.has_come[clock][i];
        fibre_check(phase > mine->phase || has_come);
    }
}

static void resume_clock(int me, int clock) {
    play.has_come[clock][me] = true;
    rt_clock_resume(&play.processes[me], &play.registrations[clock][me]);
}

/* Over, or soon. */
static void next_phase(int me, int clock) {
    static const Site clock_site = {.kind = WAIT_CLOCK};
    Registration *mine = &play.registrations[clock][me];
    Registration before = *mine;
    (void)rt_clock_next(&play.processes[me], mine, &clock_site);
    mine->phase = before.phase;
    check_phase(clock, mine);
    play.has_come[clock][me] = false;
    mine->phase++;
}

static void add_clocks(Alt *alt, int me, int count) {
    AltGuard *guard = &alt->guards[alt->count];
    guard->kind = count > 1 ? GUARD_CLOCKS : GUARD_CLOCK;
    guard->object = count > 1 ? (void *)&guard[2] : &play.registrations[0][me];
    guard[1] = (AltGuard){.alternative = (uint16_t)count, .index = (int32_t)alt->count};
    alt->count += 2;
    for (int i = 0; count > 1 && i < count; i++) {
        alt->guards[alt->count++] = (AltGuard){.object = &play.registrations[i][me]};
    }
}

static void wait_by_guard(int me, int count) {
    AltGuard chosen;
    do {
        Alt *alt = begin_alt(me);
        add_clocks(alt, me, count);
        add_deadline(me, alt);
        chosen = choose(me, alt);
    } while (chosen.kind != GUARD_CLOCK && chosen.kind != GUARD_CLOCKS);
    for (int clock = 0; clock < count; clock++) {
        fibre_check(clock_is_over(&play.registrations[clock][me]));
    }
}

static void be_member(int me) {
    for (int i = 0; i < PHASES; i++) {
        int first = (int)random_below(&play.random[me], CLOCKS);
        resume_clock(me, first);
        resume_clock(me, 1 - first);
        if (random_below(&play.random[me], 3) != 0) {
            wait_by_guard(me, 1 + (int)random_below(&play.random[me], CLOCKS));
        }
        next_phase(me, 0);
        next_phase(me, 1);
    }
    (void)atomic_add(&play.left, -1);
}

static void test_alt__next_is_a_guard(uint64_t seed) {
    set_up(seed, 2 + (int)(seed % 2));
    for (int clock = 0; clock < CLOCKS; clock++) {
        Registration *first = &play.registrations[clock][0];
        rt_clock_begin(&play.processes[0], first, &play.clocks[clock]);
        clock_join(first, (uint64_t)play.ring - 1);
        for (int i = 1; i < play.ring; i++) {
            play.registrations[clock][i] = *first;
        }
    }
    for (int i = 0; i < play.ring; i++) {
        fibre_add(be_member);
    }
    fibre_add(tick);
    fibre_run(seed);
    fibre_check(play.clocks[0].watchers == NULL && play.clocks[1].watchers == NULL);
}

/* ---- the control: without the lock some seed fails ---- */

static void test_choice__the_harness_finds_a_missing_lock(void) {
    pid_t child = fork();
    if (child == 0) {
        fibre_check(freopen("/dev/null", "w", stderr) != NULL);
        play.is_careless = true;
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            run_ring(seed, 3);
        }
        _exit(0);
    }
    int status = 0;
    (void)waitpid(child, &status, 0);
    fibre_check(!WIFEXITED(status) || WEXITSTATUS(status) != 0);
}

static void test_alt__the_harness_finds_who_looks_once(void) {
    pid_t child = fork();
    if (child == 0) {
        fibre_check(freopen("/dev/null", "w", stderr) != NULL);
        looks_once = true;
        fibre_each_seed(test_alt__next_is_a_guard, SEEDS);
        _exit(0);
    }
    int status = 0;
    (void)waitpid(child, &status, 0);
    fibre_check(!WIFEXITED(status) || WEXITSTATUS(status) != 0);
}

int main(void) {
    fibre_each_seed(test_choice__a_ring_loses_nothing, SEEDS);
    fibre_each_seed(test_close__what_was_sent_arrives, SEEDS);
    fibre_each_seed(test_claim__one_at_a_time, SEEDS);
    fibre_each_seed(test_alt__next_is_a_guard, SEEDS);
    test_choice__the_harness_finds_a_missing_lock();
    test_alt__the_harness_finds_who_looks_once();
    return 0;
}
