/* ownership_test -- runtime/scheduler/ownership.c and channel.c on several workers, every
 * interleaving of whose atomics may come: fibres are workers, seeds choose who goes on (fibre.h). A
 * pipeline of processes, each of which runs wherever somebody is idle; inlined operations publish
 * first and save the context afterwards. Nobody is resumed unsaved, no message is lost, the owner's
 * channel stays as he saw it, a partner whom an ALT has seen waits until he is met. What fails
 * prints the seed that repeats it. */
#define RT_DETERMINISTIC
#include "fibre.h"

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

#include <stdarg.h>
#include <string.h>

enum { WORKERS = 3, PROCESSES = 4, MESSAGES = 8, SEEDS = 6000 };

static struct {
    Site site;
    Channel channels[PROCESSES - 1];
    Worker workers[WORKERS];
    Process processes[PROCESSES];
    int64_t values[PROCESSES];
    int steps[PROCESSES];
    bool is_saved[PROCESSES];
    bool has_operated[PROCESSES]; /* an operation was begun, and is over when the process is resumed
                                   */
    int ended;
    bool is_broken; /* the control: foreign channels are taken without asking */
    bool is_seen;   /* the control has done harm */
    bool was_owned;
    bool has_seen; /* a partner, before the operation */
} play;

static void hold(bool condition) {
    if (!play.is_broken) {
        fibre_check(condition);
    }
    play.is_seen |= !condition;
}

/* ---- what ownership.c and channel.c call ---- */

void os_futex_wait(uint32_t *word, uint32_t value, int64_t timeout_ns) {
    (void)timeout_ns;
    while (atomic_get_acquire(word) == value) {
    }
}

void os_futex_wake(uint32_t *word, int count) {
    (void)word;
    (void)count;
}

static int number_of(const Process *process) {
    return (int)(process - play.processes);
}

void rt_scheduler_ready(Worker *worker, Process *process) {
    hold(play.is_saved[number_of(process)]);
    runqueue_append(worker, process);
}

Process *rt_scheduler_next(Worker *worker) {
    return &worker->main_process;
}

bool rt_find_closed(Process *me, uintptr_t word, const Site *site) {
    (void)me, (void)word, (void)site;
    abort();
}

_Noreturn void rt_error_at(Process *me, ErrorKind kind, const Site *site, int64_t a, int64_t b,
                           int64_t c) {
    (void)me, (void)kind, (void)site, (void)a, (void)b, (void)c;
    fibre_check(play.is_broken); /* two at one end */
    play.is_seen = true;
    for (;;) {
        rt_atomic_point(); /* never again: the others see it and end */
    }
}

Process *rt_yield(Process *me) {
    return me;
}

/* ---- processes ---- */

static bool is_output(int number, int step) {
    return number == 0 || (number < PROCESSES - 1 && step % 2 == 1);
}

static Channel *channel_of(int number, int step) {
    return &play.channels[is_output(number, step) ? number : number - 1];
}

static int length_of(int number) {
    return number == 0 || number == PROCESSES - 1 ? MESSAGES : 2 * MESSAGES;
}

/* As rendezvous.c inlines it. False: the channel is not the worker's; nothing has happened. */
static bool operate_inline(Process *me, Channel *channel, bool output, bool *parks) {
    if (channel->owner != (uint16_t)me->worker->mode) {
        return false;
    }
    play.was_owned = true;
    rt_atomic_point();
    uintptr_t word = channel->word;
    if (word == 0) {
        me->data = &play.values[number_of(me)];
        rt_atomic_point();
        hold(channel->word == word && channel->owner == worker_mark(me->worker));
        channel->word = (uintptr_t)me + (output ? TAG_OUTPUT_WAITING : TAG_INPUT_WAITING);
        me->wait = &play.site;
        rt_atomic_point();
        play.is_saved[number_of(me)] = true;
        *parks = true;
        return true;
    }
    Process *partner = channel_pointer(word);
    int64_t *mine = &play.values[number_of(me)];
    int64_t *theirs = &play.values[number_of(partner)];
    *(output ? theirs : mine) = *(output ? mine : theirs);
    rt_atomic_point();
    hold(channel->word == word && channel->owner == worker_mark(me->worker));
    channel->word = 0;
    rt_scheduler_ready(me->worker, partner);
    *parks = false;
    return true;
}

/* As an ALT looks (codegen/alt/alt_look.c, rt_alt_find_plain): whoever is seen waits until I have
 * met him. */
static bool sees_partner(const Process *me, const Channel *channel, bool output) {
    uint16_t owner = atomic_get_acquire(&channel->owner);
    if (owner != 0 && owner != (uint16_t)(me->worker->mode & MODE_SHARED)) {
        return false;
    }
    uintptr_t word = atomic_get_acquire(&channel->word);
    return word != 0 && channel_tag(word) == (output ? TAG_INPUT_WAITING : TAG_OUTPUT_WAITING);
}

/* True: the process has parked. */
static bool operate(Process *me) {
    int number = number_of(me);
    bool output = is_output(number, play.steps[number]);
    Channel *channel = channel_of(number, play.steps[number]);
    if (output) {
        play.values[number] = number == 0 ? play.steps[0] : play.values[number];
    }
    play.has_operated[number] = true;
    bool sees = sees_partner(me, channel, output);
    play.has_seen = play.has_seen || sees;
    bool parks;
    if (operate_inline(me, channel, output, &parks)) {
        hold(!sees || !parks);
        return parks;
    }
    if (play.is_broken) {
        atomic_set_relaxed(&channel->owner, 0);
    }
    play.is_saved[number] = true; /* calls.S saves before C runs */
    Process *next = output ? rt_channel_output(me, channel, &play.values[number], 8, &play.site)
                           : rt_channel_input(me, channel, &play.values[number], 8, &play.site);
    hold(!sees || next == me);
    if (next == me) {
        play.is_saved[number] = false;
    }
    return next != me;
}

static void finish_operation(int number) {
    int step = play.steps[number]++;
    play.has_operated[number] = false;
    if (!is_output(number, step)) {
        hold(play.values[number] == (number == PROCESSES - 1 ? step : step / 2));
    }
}

static void run(Worker *worker, Process *me) {
    int number = number_of(me);
    hold(play.is_saved[number]);
    play.is_saved[number] = false;
    me->worker = worker;
    for (;;) {
        if (play.has_operated[number]) {
            finish_operation(number);
        }
        if (play.steps[number] == length_of(number)) {
            break;
        }
        if (operate(me)) {
            return;
        }
    }
    if (number <= 1 && !play.is_broken) { /* as CLOSE does, from both ends of one */
        ownership_take(worker, &play.channels[0]);
        hold(play.channels[0].owner == 0);
    }
    play.ended++;
}

/* ---- workers ---- */

static Process *find(Worker *worker) {
    Process *process = runqueue_take(worker);
    uint32_t start = random_below(&fibres.random, WORKERS);
    for (uint32_t i = 0; process == NULL && i < WORKERS; i++) {
        process = runqueue_take(&play.workers[(start + i) % WORKERS]);
    }
    return process;
}

static bool is_over(void) {
    return play.ended == PROCESSES || play.is_seen;
}

static bool is_anything_ready(void) {
    for (int i = 0; i < WORKERS; i++) {
        if (play.workers[i].head != NULL) {
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
    while (!is_anything_ready() && !is_over()) {
        rt_atomic_point();
    }
    ownership_rise(worker);
}

static void work(int number) {
    Worker *worker = &play.workers[number];
    while (!is_over()) {
        rt_atomic_point();
        if ((worker->mode & MODE_ASKED) != 0) {
            ownership_serve(worker);
        }
        Process *process = find(worker);
        if (process != NULL) {
            run(worker, process);
        } else {
            rest(worker);
        }
    }
}

static void set_up(uint64_t seed, bool is_broken) {
    memset(&play, 0, sizeof play);
    play.is_broken = is_broken;
    for (unsigned i = 0; i < WORKERS; i++) {
        play.workers[i].number = i;
        play.workers[i].mode = i + 1;
        random_seed(&play.workers[i].owner_random, seed + i);
        rt_root.workers[i] = &play.workers[i];
        fibre_add(work);
    }
    for (uint64_t i = 0; i < PROCESSES - 1; i++) { /* owned from their declaration on, or not */
        play.channels[i].owner = (seed >> i & 1) != 0 ? worker_mark(&play.workers[0]) : 0;
    }
    for (int i = 0; i < PROCESSES; i++) {
        play.is_saved[i] = true;
        runqueue_append(&play.workers[0], &play.processes[i]);
    }
}

static struct {
    uint64_t owned;
    uint64_t seen;
    uint64_t harmed;
} count;

static void test_ownership__nothing_is_lost(uint64_t seed) {
    set_up(seed, false);
    fibre_run(seed);
    fibre_check(play.ended == PROCESSES);
    for (int i = 0; i < WORKERS; i++) {
        fibre_check(play.workers[i].requests == NULL && play.workers[i].takes == NULL);
    }
    count.owned += play.was_owned;
    count.seen += play.has_seen;
}

static void test_ownership__control_does_harm(uint64_t seed) {
    set_up(seed, true);
    fibre_run(seed);
    count.harmed += play.is_seen;
}

int main(void) {
    fibre_each_seed(test_ownership__nothing_is_lost, SEEDS);
    bool is_one = getenv("FIBRE_SEED") != NULL;
    fibre_check(is_one || (count.owned > SEEDS / 2 && count.seen > SEEDS / 2));
    fibre_each_seed(test_ownership__control_does_harm, is_one ? 0 : SEEDS);
    fibre_check(is_one || count.harmed > 0);
    return 0;
}
