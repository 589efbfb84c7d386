/* standstill_test -- runtime/scheduler/standstill.c: workers are asked to stand, and do, at any
 * interleaving of their atomics (fibre.h); while somebody has them stand, nobody else runs. Who
 * never comes is waited for for a while, asked by signals, and then all go on as before. What fails
 * prints the seed that repeats it. */
#define RT_DETERMINISTIC
#include "fibre.h"

#include "../../runtime/core/activity.c"
#include "../../runtime/scheduler/standstill.c"

#include <string.h>

enum { WORKERS = 4, ROUNDS = 6, SEEDS = 3000 };

Runtime rt_root;

static const char system_stack[64];
static const char stack_of_a_process[64];

static struct {
    Worker workers[WORKERS];
    bool runs[WORKERS]; /* a process */
    int begun;          /* standstills that came about */
    int64_t cpu_ns;
    int signals[WORKERS];
    int64_t paused_ns;
} play;

/* ---- what standstill.c calls ---- */

int64_t os_thread_cpu_ns(void) {
    return play.cpu_ns;
}

void os_pause(int64_t ns) {
    play.paused_ns += ns;
    rt_atomic_point();
}

void os_futex_wait(uint32_t *word, uint32_t value, int64_t timeout_ns) {
    (void)timeout_ns;
    while (atomic_get_acquire(word) == value) {
    }
}

void os_futex_wake(uint32_t *word, int count) {
    (void)word, (void)count;
}

int os_signal_alarm_number(void) {
    return 23;
}

void os_thread_signal(int thread, int signal_number) {
    fibre_check(signal_number == 23);
    play.signals[thread - 1]++;
}

bool ownership_rest(Worker *worker) {
    worker->rests = random_below(&fibres.random, 4) != 0; /* else somebody wants a channel */
    return worker->rests;
}

void ownership_rise(Worker *worker) {
    worker->rests = false;
}

void ownership_serve(Worker *worker) {
    fibre_check(!worker->rests);
}

void world_ask_attention(void) {
    rt_atomic_point();
}

bool worker_is_on_system_stack(const Worker *worker, const void *address) {
    return address == worker->os_stack_low;
}

/* ---- set up ---- */

/* All are active; the threads of workers are known by their numbers and one. */
static void set_up(void) {
    memset(&play, 0, sizeof play);
    random_seed(&fibres.random, 1);
    memset(&rt_root, 0, sizeof rt_root);
    wanted = 0;
    rt_root.worker_count = WORKERS;
    activity_init(&rt_root.activity, WORKERS);
    rt_root.activity.word = 0;
    for (unsigned i = 0; i < WORKERS; i++) {
        Worker *worker = &play.workers[i];
        worker->number = i;
        worker->mode = worker_mark(worker);
        worker->thread = (int)i + 1;
        worker->os_stack_low = system_stack;
        rt_root.workers[i] = worker;
    }
}

/* ---- nobody runs while all stand ---- */

static void check_that_others_stand(int number) {
    for (int i = 0; i < WORKERS; i++) {
        fibre_check(i == number || !play.runs[i]);
    }
}

static void look_at_all(int number, bool is_patient) {
    Worker *worker = &play.workers[number];
    if (is_patient ? standstill_begin(worker) : standstill_begin_soon(worker, 4 * STEP_NS)) {
        play.begun++;
        for (int i = 0; i < 4; i++) {
            check_that_others_stand(number);
            rt_atomic_point();
        }
        standstill_end(worker);
    }
}

static void be_worker(int number) {
    Worker *worker = &play.workers[number];
    Process process = {.worker = worker};
    for (int round = 0; round < ROUNDS; round++) {
        play.runs[number] = true;
        rt_atomic_point();
        play.runs[number] = false;
        switch (random_below(&fibres.random, 6)) {
        case 0: look_at_all(number, true); break;
        case 1: look_at_all(number, false); break;
        case 2: /* a function of C: nothing of the program changes meanwhile */
            standstill_allow(worker, &process);
            rt_atomic_point();
            standstill_forbid(worker);
            break;
        default: standstill_rest(worker);
        }
    }
    standstill_allow(worker, &process); /* for good */
}

static int count_of_begun;

static void test_standstill__nobody_runs_meanwhile(uint64_t seed) {
    set_up();
    for (int i = 0; i < WORKERS; i++) {
        fibre_add(be_worker);
    }
    fibre_run(seed);
    fibre_check(wanted == 0);
    count_of_begun += play.begun;
}

/* ---- who does not come ---- */

/* Worker 1 stands, 2 was never started, 3 has a thread, and runs. */
static Worker *set_up_one_that_runs(void) {
    set_up();
    play.workers[1].stands = 1;
    play.workers[2].thread = 0;
    return &play.workers[0];
}

static void expect_that_all_go_on(const Worker *worker) {
    fibre_check(wanted == 0 && !worker->rests && worker->held_sp == NULL);
    fibre_check(play.signals[0] == 0 && play.signals[1] == 0 && play.signals[2] == 0);
}

static void test_standstill__who_does_not_come_is_asked_and_left(void) {
    Worker *worker = set_up_one_that_runs();
    fibre_check(!standstill_begin(worker));
    expect_that_all_go_on(worker);
    fibre_check(play.signals[3] == (STEPS_MAX - STEPS_SIGNAL) / STEPS_EACH);
    fibre_check(play.paused_ns == (int64_t)STEPS_MAX * STEP_NS);
}

static void test_standstill__what_can_wait_does_not_take_long(void) {
    Worker *worker = set_up_one_that_runs();
    fibre_check(!standstill_begin_soon(worker, 10 * STEP_NS));
    expect_that_all_go_on(worker);
    fibre_check(play.signals[3] == 0 && play.paused_ns == 10 * STEP_NS);
}

/* A worker that is about to be woken, and has no record yet, does not stand. */
static void test_standstill__who_is_just_being_started_is_waited_for(void) {
    Worker *worker = set_up_one_that_runs();
    play.workers[2].stands = play.workers[3].stands = 1;
    rt_root.workers[2] = NULL;
    fibre_check(!standstill_begin_soon(worker, 10 * STEP_NS));
    rt_root.activity.word = activity_bit(2); /* asleep */
    fibre_check(standstill_begin_soon(worker, 10 * STEP_NS));
    standstill_end(worker);
    expect_that_all_go_on(worker);
}

/* ---- held where it is ---- */

static void hold_begins(Worker *worker) {
    fibre_check(!standstill_begin_held(worker, stack_of_a_process)); /* from now on it counts */
    play.cpu_ns += HELD_AFTER_NS;
}

static void test_standstill__is_held_when_it_has_run_for_long(void) {
    Worker *worker = set_up_one_that_runs();
    play.cpu_ns = 1;
    hold_begins(worker);
    play.cpu_ns--;
    fibre_check(!standstill_begin_held(worker, stack_of_a_process) && play.paused_ns == 0);
    play.cpu_ns++;
    fibre_check(!standstill_begin_held(worker, stack_of_a_process)); /* worker 3 does not come */
    expect_that_all_go_on(worker);
    fibre_check(play.signals[3] > 0);

    play.workers[2].stands = play.workers[3].stands = 1;
    hold_begins(worker);
    fibre_check(!standstill_begin_held(worker, system_stack)); /* it is in the runtime */
    fibre_check(standstill_begin_held(worker, stack_of_a_process));
    fibre_check(wanted == 1 && worker->held_sp == stack_of_a_process);
    Worker *other = &play.workers[3]; /* has another report to make: not now */
    other->stands = 0;
    hold_begins(other);
    fibre_check(!standstill_begin_held(other, stack_of_a_process) && other->held_sp == NULL);
    standstill_end_held(worker);
    expect_that_all_go_on(worker);
}

int main(void) {
    test_standstill__who_does_not_come_is_asked_and_left();
    test_standstill__what_can_wait_does_not_take_long();
    test_standstill__who_is_just_being_started_is_waited_for();
    test_standstill__is_held_when_it_has_run_for_long();
    fibre_each_seed(test_standstill__nobody_runs_meanwhile, SEEDS);
    fibre_check(getenv("FIBRE_SEED") != NULL || count_of_begun > SEEDS);
    return 0;
}
