/* channel_relacy -- runtime/channel/channel.c and ownership.c under the memory model of C11:
 * messages arrive once and in order, and what was written before an output is seen after the input;
 * also while the channel goes from one worker's plain operations to those of several and back.
 *
 * Two workers, a process that outputs and one that inputs. Each goes on where it was made ready,
 * and is now and then handed to the other worker, as a thief takes it. The inlined operations of an
 * owner (codegen/channel/rendezvous.c) are written out with relaxed loads and stores, which is what
 * they are in machine code. THREADS: 2 */
/* CONTROLS: acquire release swap asking */
#define OWNERSHIP_MEETINGS 2
#define os_futex_wait      test_futex_wait
#define os_futex_wake      test_futex_wake
#define rt_scheduler_next  test_next
#define rt_scheduler_ready test_ready
#define rt_find_closed     test_find_closed
#define rt_error_at        test_error_at
#define rt_yield           test_yield
#include "../../runtime/channel/channel.c"
#include "../../runtime/core/error.h"
#include "../../runtime/scheduler/ownership.c"

#include <stdlib.h>
#include <string.h>

enum { WORKERS = 2, PROCESSES = 2, MESSAGES = 3 };

typedef enum Role { OUTPUTS, INPUTS } Role;

static struct {
    Channel channel;
    Worker workers[WORKERS];
    Process processes[PROCESSES];
    int64_t values[PROCESSES];
    int steps[PROCESSES];
    bool has_operated[PROCESSES]; /* an operation was begun: it is over when the process goes on */
    uint32_t place[PROCESSES]; /* the worker it is ready on, from 1; 0: it runs, waits or is over */
    uint32_t ended;
} play;

Runtime rt_root;
static const Site site = {.kind = WAIT_INPUT};
static unsigned runs; /* so that each begins otherwise */

/* ---- what ownership.c and channel.c call ---- */

_Noreturn void rt_bug(const char *file, int line, const char *what) {
    (void)file, (void)line;
    relacy_expect(false, what);
    abort();
}

_Noreturn void rt_fatal(const char *what, int error) {
    rt_bug(__FILE__, error, what);
}

_Noreturn void rt_error_no_memory(Process *me, const Site *site, size_t size_bytes) {
    (void)me, (void)site, (void)size_bytes;
    rt_bug(__FILE__, __LINE__, "no memory");
}

_Noreturn void rt_error_at(Process *me, ErrorKind kind, const Site *at, int64_t a, int64_t b,
                           int64_t c) {
    (void)me, (void)kind, (void)at, (void)a, (void)b, (void)c;
    rt_bug(__FILE__, __LINE__, "no error of the program");
}

_Noreturn void rt_fail(Process *me, ErrorKind kind, const Site *at, int64_t a, int64_t b,
                       int64_t c) {
    (void)me, (void)kind, (void)at, (void)a, (void)b, (void)c;
    rt_bug(__FILE__, __LINE__, "no error of the program");
}

bool rt_find_closed(Process *me, uintptr_t word, const Site *at) {
    (void)me, (void)word, (void)at;
    rt_bug(__FILE__, __LINE__, "nothing is closed");
}

void parts_meet(Parts *parts, const Process *one, const Process *other) {
    (void)parts, (void)one, (void)other;
}

Process *rt_yield(Process *me) {
    return me;
}

void os_futex_wait(uint32_t *word, uint32_t value, int64_t timeout_ns) {
    (void)timeout_ns;
    while (atomic_get_acquire(word) == value) {
        relacy_wait();
    }
}

void os_futex_wake(uint32_t *word, int count) {
    (void)word, (void)count;
}

static unsigned number_of(const Process *process) {
    return (unsigned)(process - play.processes);
}

/* A queue that others may take from. */
static void make_ready(const Process *process, unsigned worker) {
    atomic_set_release(&play.place[number_of(process)], worker + 1);
}

void rt_scheduler_ready(Worker *worker, Process *process) {
    make_ready(process, worker->number);
}

/* Nothing is explored here (runtime/explore). */
void gate_note_plain(const Process *me, const Channel *channel, bool is_output) {
    (void)me, (void)channel, (void)is_output;
}

void gate_note_meeting(const Process *me, const Process *partner) {
    (void)me, (void)partner;
}

Process *rt_scheduler_next_alone(Worker *worker) {
    return rt_scheduler_next(worker);
}

Process *rt_scheduler_next(Worker *worker) {
    return &worker->main_process;
}

/* ---- processes ---- */

/* As rendezvous.c inlines it. False: the channel is not the worker's; nothing has happened. */
static bool operate_inline(Process *me, Role role, bool *parks) {
    Channel *channel = &play.channel;
    if (atomic_get_relaxed(&channel->owner) != worker_mark(me->worker)) {
        return false;
    }
    uintptr_t word = atomic_get_relaxed(&channel->word);
    int64_t *mine = &play.values[number_of(me)];
    if (word == 0) {
        me->data = mine;
        me->wait = &site;
        me->next = (Process *)(void *)channel;
        atomic_set_relaxed(&channel->word, (uintptr_t)me + (role == OUTPUTS ? TAG_OUTPUT_WAITING
                                                                            : TAG_INPUT_WAITING));
        *parks = true;
        return true;
    }
    Process *partner = channel_pointer(word);
    int64_t *theirs = &play.values[number_of(partner)];
    *(role == OUTPUTS ? theirs : mine) = *(role == OUTPUTS ? mine : theirs);
    atomic_set_relaxed(&channel->word, (uintptr_t)0);
    make_ready(partner, me->worker->number);
    *parks = false;
    return true;
}

/* True: the process has parked. */
static bool operate(Process *me, Role role) {
    int64_t *value = &play.values[number_of(me)];
    bool parks = false;
    if (operate_inline(me, role, &parks)) {
        return parks;
    }
    if (relacy_lacks("asking")) {
        atomic_set_relaxed(&play.channel.owner, (uint16_t)0);
    }
    Process *next = role == OUTPUTS
                        ? rt_channel_output(me, &play.channel, value, sizeof *value, &site)
                        : rt_channel_input(me, &play.channel, value, sizeof *value, &site);
    return next != me;
}

static void finish(Role role, int step) {
    if (role == INPUTS) {
        relacy_check(play.values[INPUTS] == step);
        relacy_check(relacy_read((unsigned)step) == step + 1);
    }
}

static void run(Worker *worker, Role role) {
    Process *me = &play.processes[role];
    me->worker = worker;
    for (;;) {
        if (play.has_operated[role]) {
            play.has_operated[role] = false;
            finish(role, play.steps[role]++);
        }
        if (play.steps[role] == MESSAGES) {
            (void)atomic_add(&play.ended, 1u);
            return;
        }
        if (role == OUTPUTS) {
            relacy_write((unsigned)play.steps[role], play.steps[role] + 1);
            play.values[role] = play.steps[role];
        }
        play.has_operated[role] = true;
        if (operate(me, role)) {
            return;
        }
    }
}

/* ---- workers ---- */

/* One that is ready on this worker, or, taken as a thief takes it, on the other. */
static bool run_one(Worker *worker) {
    for (Role role = OUTPUTS; role <= INPUTS; role++) {
        uint32_t place = atomic_get_acquire(&play.place[role]);
        if (place != 0 && atomic_cas(&play.place[role], &place, 0u)) {
            run(worker, role);
            return true;
        }
    }
    return false;
}

static void rest(Worker *worker) {
    if (!ownership_rest(worker)) {
        ownership_serve(worker);
        return;
    }
    while (atomic_get_acquire(&play.place[OUTPUTS]) == 0 &&
           atomic_get_acquire(&play.place[INPUTS]) == 0 &&
           atomic_get_acquire(&play.ended) < PROCESSES) {
        relacy_wait();
    }
    ownership_rise(worker);
}

static void thread(unsigned number) {
    Worker *worker = &play.workers[number];
    while (atomic_get_acquire(&play.ended) < PROCESSES) {
        if ((worker->mode & MODE_ASKED) != 0) {
            ownership_serve(worker);
        }
        for (Process *back = runqueue_take(worker); back != NULL; back = runqueue_take(worker)) {
            make_ready(back, number); /* do_again put it there */
        }
        if (!run_one(worker)) {
            rest(worker);
        }
    }
}

static void before(void) {
    memset(&play, 0, sizeof play);
    runs++;
    play.channel.owner = runs % 2 == 0 ? 1 : 0;
    relacy_word(&play.channel.word, sizeof play.channel.word);
    relacy_word(&play.channel.owner, sizeof play.channel.owner);
    relacy_word(&play.ended, sizeof play.ended);
    relacy_word(&rt_root.world.word, sizeof rt_root.world.word);
    for (unsigned i = 0; i < WORKERS; i++) {
        Worker *worker = &play.workers[i];
        worker->number = i;
        worker->mode = i + 1;
        random_seed(&worker->owner_random, runs + i);
        rt_root.workers[i] = worker;
        relacy_word(&rt_root.workers[i], sizeof rt_root.workers[i]);
        relacy_word(&worker->mode, sizeof worker->mode);
        relacy_word(&worker->guard.word, sizeof worker->guard.word);
        relacy_word(&worker->guard.waiting, sizeof worker->guard.waiting);
    }
    for (unsigned i = 0; i < PROCESSES; i++) {
        play.processes[i].worker = &play.workers[0];
        play.place[i] = 1;
        relacy_word(&play.place[i], sizeof play.place[i]);
    }
}

static void after(void) {
    relacy_check(play.steps[OUTPUTS] == MESSAGES && play.steps[INPUTS] == MESSAGES);
    relacy_check(play.workers[0].requests == NULL && play.workers[1].requests == NULL);
}

const RelacyTest relacy_test = {"channel", before, thread, after};
