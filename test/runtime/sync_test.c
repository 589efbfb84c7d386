/* sync_test -- runtime/sync/semaphore.c, condition.c, claim.c and turn.c on several workers, every
 * interleaving of whose atomics may come: fibres are processes on workers of their own, seeds
 * choose who goes on (fibre.h). Never more inside than there are permits; who waits until a time
 * gets a permit or sees the time come; no signal is lost; numbers are served in order; readers and
 * writers keep apart; who waits is woken once, and all end. What fails prints the seed that repeats
 * it. */
#define RT_DETERMINISTIC
#include "fibre.h"

#include "../../runtime/os/lock.h"
static bool is_careless; /* the control: records are open to everybody */
#define lock_take(lock) (is_careless ? (void)0 : lock_take(lock))
#include "../../runtime/core/sync.h"
/* Others may come between a look at the record and what follows from it, if they can. */
#define sync_prepare(me, sync, waiter, site)                                                       \
    (rt_atomic_point(), sync_prepare(me, sync, waiter, site))
#include "../../runtime/sync/semaphore.c"

#include "../../runtime/base/heap.c"
#include "../../runtime/channel/claim.c"
#include "../../runtime/core/deadline_queue.c"
#include "../../runtime/core/time_source.c"
#include "../../runtime/sync/condition.c"
#include "../../runtime/sync/turn.c"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROCESSES = 4, ROUNDS = 5, SEEDS = 2500, TICK_US = 6, PERMITS = 2, ROOM = 2 };

static struct {
    Worker workers[PROCESSES + 1];
    Process processes[PROCESSES];
    Random random[PROCESSES];
    bool is_ready[PROCESSES];
    _Alignas(16) char alts[PROCESSES][sizeof(Alt) + sizeof(AltGuard)];
    Sync semaphore;
    Sync ticket;
    Sync crew;
    Sync not_empty;
    Sync not_full;
    Claim mutex;
    int inside; /* ghosts */
    int writers;
    int in_room;
    int taken;
    int made;
    int32_t served;
    int left; /* processes that have not ended */
} play;

Runtime rt_root;
static const Site site = {.kind = WAIT_SEMAPHORE};

static uint32_t choose(int me, uint32_t limit) {
    return random_below(&play.random[me], limit);
}

/* ---- the runtime round it ---- */

_Noreturn void rt_bug(const char *file, int line, const char *what) {
    fprintf(stderr, "FIBRE_SEED=%llu: %s:%d: %s\n", (unsigned long long)fibres.seed, file, line,
            what);
    abort();
}

_Noreturn void rt_fail(Process *me, ErrorKind kind, const Site *at, int64_t a, int64_t b,
                       int64_t c) {
    (void)me, (void)at, (void)a, (void)b, (void)c;
    rt_bug(__FILE__, (int)kind, "an error of the program");
}

_Noreturn void rt_error_no_memory(Process *me, const Site *at, size_t size_bytes) {
    (void)me, (void)at;
    rt_bug(__FILE__, (int)size_bytes, "no memory");
}

void os_futex_wait(uint32_t *word, uint32_t value, int64_t timeout_ns) {
    (void)timeout_ns;
    while (atomic_get_acquire(word) == value) {
    }
}

void os_futex_wake(uint32_t *word, int count) {
    (void)word, (void)count;
    rt_atomic_point();
}

int64_t os_clock_ns(void) {
    return rt_root.time.now_us;
}

int64_t os_clock_coarse_ns(void) {
    return os_clock_ns();
}

void rt_scheduler_ready(Worker *worker, Process *process) {
    (void)worker;
    long index = process - play.processes;
    fibre_check(index >= 0 && index < PROCESSES);
    fibre_check(!atomic_swap(&play.is_ready[index], true));
}

Process *rt_scheduler_next(Worker *worker) {
    long index = worker - play.workers;
    world_leave(worker);
    while (!atomic_swap(&play.is_ready[index], false)) {
    }
    return &play.processes[index];
}

/* Nothing is explored here. */
Process *gate_park(Process *me, const GateKind *kind, const GateOp *what) {
    (void)me, (void)kind, (void)what;
    abort();
}

void gate_add(Process *process, const GateKind *kind, const GateOp *what) {
    (void)process, (void)kind, (void)what;
    abort();
}

void gate_note_limit(const Worker *worker, uint32_t limit) {
    (void)worker, (void)limit;
}

void gate_note_release(const Process *holder, const void *lock) {
    (void)holder, (void)lock;
    abort();
}

bool gate_use_object(const GateOp *op, uint32_t number, GateUse *use) {
    (void)op, (void)number, (void)use;
    abort();
}

void gate_event(const GateEvent *event) {
    (void)event;
    abort();
}

void outside_wake_sleepers(Worker *worker, Ticks now) {
    Process *process;
    while ((process = deadline_queue_take_due(&rt_root.deadlines, now)) != NULL) {
        rt_scheduler_ready(worker, process);
    }
}

/* ---- SEMAPHORE ---- */

static bool claim_until(int me, SyncWaiter *waiter) {
    Process *process = &play.processes[me];
    waiter->alt = (Alt *)(void *)play.alts[me];
    int64_t before = rt_root.time.now_us;
    int32_t deadline = (int32_t)before + (int32_t)choose(me, 4 * TICK_US) - TICK_US;
    (void)rt_semaphore_until(process, &play.semaphore, deadline, waiter, &site);
    bool is_taken = rt_semaphore_withdraw(process, &play.semaphore, waiter) != 0;
    fibre_check(is_taken || rt_root.time.now_us > deadline);
    return is_taken;
}

static void be_claimant(int me) {
    Process *process = &play.processes[me];
    for (int i = 0; i < ROUNDS; i++) {
        SyncWaiter waiter = {0};
        bool is_taken = true;
        switch (choose(me, 3)) {
        case 0: is_taken = rt_semaphore_try(process, &play.semaphore, &site) != 0; break;
        case 1: is_taken = claim_until(me, &waiter); break;
        default: (void)rt_semaphore_claim(process, &play.semaphore, &waiter, &site); break;
        }
        memset(&waiter, 0xAA, sizeof waiter);
        if (is_taken) {
            fibre_check(++play.inside <= PERMITS);
            rt_atomic_point();
            play.inside--;
            rt_semaphore_release(process, &play.semaphore);
        }
    }
    (void)atomic_add(&play.left, -1);
}

/* Time goes on while anybody is there. */
static void be_clock(int number) {
    Worker *worker = &play.workers[number];
    while (atomic_get_acquire(&play.left) > 0) {
        world_enter(worker);
        rt_root.time.now_us += TICK_US;
        outside_wake_sleepers(worker, (Ticks){rt_root.time.now_us});
        world_leave(worker);
    }
}

/* ---- CONDITION: a buffer with room for two ---- */

/* The control: leaves the MUTEX before it is in the queue. */
static void await_carelessly(Process *me, Sync *condition) {
    SyncWaiter waiter = {0};
    claim_hand_on(me->worker, &play.mutex);
    condition->mutex = &play.mutex;
    sync_prepare(me, condition, &waiter, &site);
    sync_append(condition, &waiter);
    (void)rt_scheduler_next(me->worker);
}

static void await(Process *me, Sync *condition) {
    SyncWaiter waiter = {0};
    if (is_careless) {
        await_carelessly(me, condition);
        return;
    }
    (void)rt_condition_wait(me, condition, &play.mutex, &waiter, &site);
    fibre_check(play.mutex.holder == me);
}

static void produce(Process *me) {
    (void)rt_claim_mutex(me, &play.mutex, &site);
    while (play.in_room == ROOM) {
        await(me, &play.not_full);
    }
    fibre_check(play.inside++ == 0);
    play.in_room++;
    play.made++;
    rt_atomic_point();
    play.inside--;
    rt_claim_release(me, &play.mutex);
    rt_condition_signal(me, &play.not_empty, 0); /* outside, too, it reaches who waits */
}

static void consume(Process *me, bool wakes_all) {
    (void)rt_claim_mutex(me, &play.mutex, &site);
    while (play.in_room == 0) {
        await(me, &play.not_empty);
    }
    fibre_check(play.inside++ == 0);
    play.in_room--;
    play.taken++;
    rt_atomic_point();
    play.inside--;
    rt_condition_signal(me, &play.not_full, wakes_all);
    rt_claim_release(me, &play.mutex);
}

static void be_of_buffer(int me) {
    for (int i = 0; i < ROUNDS; i++) {
        if (me % 2 == 0) {
            produce(&play.processes[me]);
        } else {
            consume(&play.processes[me], choose(me, 2) == 0);
        }
    }
}

/* ---- TICKET and CREW ---- */

static void be_served(int me) {
    Process *process = &play.processes[me];
    for (int i = 0; i < ROUNDS; i++) {
        SyncWaiter waiter = {0};
        int32_t number = rt_ticket_take(process, &play.ticket);
        (void)rt_ticket_await(process, &play.ticket, number, &waiter, &site);
        fibre_check(number == play.served && play.inside++ == 0);
        rt_atomic_point();
        play.inside--;
        play.served++;
        rt_ticket_serve(process, &play.ticket, &site);
    }
}

static void be_of_crew(int me) {
    Process *process = &play.processes[me];
    for (int i = 0; i < ROUNDS; i++) {
        SyncWaiter waiter = {0};
        bool writes = choose(me, 3) == 0;
        (void)rt_crew_enter(process, &play.crew, writes, &waiter, &site);
        play.inside++;
        play.writers += writes;
        fibre_check(play.writers == 0 || play.inside == 1);
        rt_atomic_point();
        play.writers -= writes;
        play.inside--;
        rt_crew_leave(process, &play.crew, writes, &site);
    }
}

/* ---- tests ---- */

static void set_up(uint64_t seed) {
    memset(&play, 0, sizeof play);
    memset(&rt_root, 0, sizeof rt_root);
    rt_root.time.is_virtual = true;
    play.left = PROCESSES;
    for (int i = 0; i <= PROCESSES; i++) {
        play.workers[i].mode = (uint32_t)i + 1;
    }
    for (int i = 0; i < PROCESSES; i++) {
        play.processes[i].worker = &play.workers[i];
        random_seed(&play.random[i], seed * PROCESSES + (uint64_t)i);
    }
    rt_semaphore_initialise(&play.processes[0], &play.semaphore, PERMITS, &site);
}

static void run(uint64_t seed, FibreBody *body, FibreBody *clock) {
    set_up(seed);
    for (int i = 0; i < PROCESSES; i++) {
        fibre_add(body);
    }
    if (clock != NULL) {
        fibre_add(clock);
    }
    fibre_run(seed);
    for (int i = 0; i < PROCESSES; i++) {
        fibre_check(!play.is_ready[i]);
    }
    fibre_check(play.inside == 0 && deadline_queue_is_empty(&rt_root.deadlines));
    deadline_queue_free(&rt_root.deadlines);
}

static void test_semaphore__permits_are_kept(uint64_t seed) {
    run(seed, be_claimant, be_clock);
    const Sync *semaphore = &play.semaphore;
    fibre_check(semaphore->value == PERMITS && semaphore->issued == 0 && semaphore->first == NULL);
}

static void test_condition__no_signal_is_lost(uint64_t seed) {
    run(seed, be_of_buffer, NULL);
    fibre_check(play.made == play.taken && play.mutex.word == 0 && play.mutex.queue == NULL);
}

static void test_turn__numbers_are_served_in_order(uint64_t seed) {
    run(seed, be_served, NULL);
    fibre_check(play.served == PROCESSES * ROUNDS);
}

static void test_turn__readers_and_writers_keep_apart(uint64_t seed) {
    run(seed, be_of_crew, NULL);
    fibre_check(play.crew.value == 0 && play.crew.first == NULL);
}

static void test_sync__the_harness_finds_a_missing_lock(void (*test)(uint64_t seed)) {
    pid_t child = fork();
    if (child == 0) {
        fibre_check(freopen("/dev/null", "w", stderr) != NULL);
        is_careless = true;
        fibre_each_seed(test, SEEDS);
        _exit(0);
    }
    int status = 0;
    (void)waitpid(child, &status, 0);
    fibre_check(WIFSIGNALED(status));
}

int main(void) {
    fibre_each_seed(test_semaphore__permits_are_kept, SEEDS);
    fibre_each_seed(test_condition__no_signal_is_lost, SEEDS);
    fibre_each_seed(test_turn__numbers_are_served_in_order, SEEDS);
    fibre_each_seed(test_turn__readers_and_writers_keep_apart, SEEDS);
    test_sync__the_harness_finds_a_missing_lock(test_semaphore__permits_are_kept);
    test_sync__the_harness_finds_a_missing_lock(test_condition__no_signal_is_lost);
    test_sync__the_harness_finds_a_missing_lock(test_turn__numbers_are_served_in_order);
    test_sync__the_harness_finds_a_missing_lock(test_turn__readers_and_writers_keep_apart);
    return 0;
}
