/* sharing_test -- runtime/scheduler/scheduler.c, sharing.c, solo.c, thread.c, activity.c, world.c,
 * timer.c and what is below them, as they are, on several workers, every interleaving of whose
 * atomics may come: fibres are the threads of workers, seeds choose who goes on (fibre.h).
 * Processes start others and wait for them, meet, sleep, compute, make calls that end elsewhere.
 * Each is resumed once for each time it waits, by one worker, never too early; a worker that is
 * solo is alone; the end, or the deadlock, is found. What fails prints the seed that repeats it. */
#define RT_DETERMINISTIC

typedef enum Fault { /* the controls */
                     FAULT_NONE,
                     FAULT_NO_ALARM, /* who begins to wait for a time leaves the alarm to others */
                     FAULT_GETS_UP,  /* who falls asleep gets up though somebody is solo */
                     FAULT_LATE_WAITER,  /* a parent leaves its PAR before it says that it waits */
                     FAULT_SILENT_POST,  /* what comes from outside rings no bell */
                     FAULT_LEAVES_FIRST, /* a call is over before its process is ready */
                     FAULT_PLAIN_FORK /* a process that is forked is counted by plain operations */
} Fault;

static Fault fault;

#include "fibre_scheduler.h"
#include <sys/wait.h>
#include <unistd.h>

enum {
    PROCESSES = 40,
    BRANCHES_MAX = 4,
    DEPTH_MAX = 2,
    ROUNDS = 5, /* PARs of the root */
    FINE_OPERATIONS = 900,
    SEEDS = 600,
    TICK_NS = 20000,
    NAP_US = 300
};

typedef enum Awaited {
    AWAITS_NOTHING, /* ready, or about to be */
    AWAITS_TIME,
    AWAITS_CALL,
    AWAITS_BRANCHES,
    AWAITS_SISTER,
    AWAITS_THE_END
} Awaited;

/* Body -- what a process does, and what is known of it. */
typedef struct Body Body;
struct Body {
    bool is_alive;
    bool runs; /* else its context is saved */
    Awaited awaited;
    int depth;
    int operations; /* until it ends */
    int meetings;   /* with its sister, besides */
    uintptr_t *channel;
    bool computes;  /* until its sisters have ended */
    bool is_stuck;  /* waits for ever in the end */
    bool is_in_par; /* its own, and comes to the end of it */
    Join join;
    Body *parent;
    int branches; /* of its PAR, that have not ended */
    Ticks due;
    bool has_come; /* the sister, or the end of the call */
};

static struct {
    Process processes[PROCESSES];
    Body bodies[PROCESSES];
    uintptr_t channels[PROCESSES * BRANCHES_MAX];
    Random random;
    bool is_fine;  /* everybody parks often, so that workers retire */
    bool is_stuck; /* the end is a deadlock */
    bool has_ended;
    int alive;
    int count; /* changed by plain operations when solo */
    int changes;
} play;

static Join program_join;
static const Site site;

static uint32_t choose(uint32_t limit) {
    return random_below(&play.random, limit);
}

static Body *body_of(const Process *process) {
    return &play.bodies[process - play.processes];
}

/* ---- parts of the runtime that have tests of their own ---- */

bool ownership_rest(Worker *worker) {
    return worker->requests == NULL;
}

void ownership_rise(Worker *worker) {
    fibre_check(worker->requests == NULL);
}

void ownership_serve(Worker *worker) {
    fibre_check(worker->requests == NULL);
}

void block_store_check(const BlockStore *store, const Worker *worker) {
    (void)store, (void)worker;
}

void block_give_back(BlockStore *store, Worker *worker, Process *process) {
    (void)store, (void)worker;
    Body *body = body_of(process);
    fibre_check(body->is_alive && !body->runs && body->branches == 0);
    body->is_alive = false;
    play.alive--;
    if (body->parent != NULL) {
        body->parent->branches--;
    }
}

static bool gets_up(Activity *activity, unsigned worker) {
    if (fault != FAULT_GETS_UP) {
        return activity_get_up(activity, worker);
    }
    return (atomic_and(&activity->word, ~activity_bit(worker)) & activity_bit(worker)) != 0;
}

/* ---- the ends ---- */

/* Those that are left wait for ever. */
void rt_deadlock(void) {
    fibre_check(play.is_stuck && play.alive > 0);
    for (int i = 0; i < PROCESSES; i++) {
        const Body *body = &play.bodies[i];
        if (body->is_alive) {
            fibre_check(!body->runs && !body->has_come);
            fibre_check(body->awaited >= AWAITS_BRANCHES);
            fibre_check(body->awaited != AWAITS_BRANCHES || body->branches > 0);
        }
    }
    play.has_ended = true;
    fibre_stop();
}

static void end(void) {
    fibre_check(!play.is_stuck && play.alive == 0);
    play.has_ended = true;
    fibre_stop();
}

/* ---- what compiled code does ---- */

static Process *take_block(void) {
    for (int i = 0; i < PROCESSES; i++) {
        if (!play.bodies[i].is_alive) {
            play.bodies[i] = (Body){.is_alive = true};
            play.alive++;
            return &play.processes[i];
        }
    }
    return NULL;
}

/* Ready at once, or deferred until its parent comes to it. */
static Body *start_branch(Process *me, bool is_deferred) {
    Body *parent = body_of(me);
    Process *branch = take_block();
    if (branch == NULL) {
        return NULL;
    }
    Body *body = body_of(branch);
    body->depth = parent->depth + 1;
    body->parent = parent;
    body->operations = play.is_fine ? FINE_OPERATIONS : (int)choose(5);
    branch->sp = branch;
    branch->join = &parent->join;
    branch->priority = choose(8) == 0;
    parent->join.count++;
    parent->branches++;
    if (is_deferred) {
        branch->worker = me->worker;
        branch->next = me->worker->deferred;
        me->worker->deferred = branch;
    } else {
        runqueue_append(me->worker, branch);
    }
    return body;
}

static void start_branches(Process *me) {
    Body *parent = body_of(me);
    int count = 1 + (int)choose(BRANCHES_MAX);
    parent->join = (Join){1, NULL};
    for (int i = 0; i < count; i++) {
        (void)start_branch(me, choose(4) == 0);
    }
    Body *left = choose(2) == 0 ? start_branch(me, false) : NULL;
    Body *right = left != NULL ? start_branch(me, false) : NULL;
    if (right != NULL) {
        left->meetings = right->meetings = 1 + (int)choose(3);
        left->channel = right->channel = &play.channels[left - play.bodies];
        *left->channel = 0;
    }
    Body *last = choose(3) == 0 ? start_branch(me, false) : NULL;
    if (last != NULL) {
        last->computes = parent->depth == 0 && !play.is_fine;
    }
}

/* As it is inlined: to the next one without any C, if nothing asks for it. */
static Process *park(Worker *worker, Process *me) {
    rt_atomic_point();
    bool is_short = (worker->mode & ~(uint32_t)MODE_SHARED) == 0 && worker->head != NULL;
    return is_short ? runqueue_take(worker) : rt_park(me);
}

static void save(Process *me, Awaited awaited) {
    Body *body = body_of(me);
    fibre_check(body->runs);
    body->runs = false;
    body->awaited = awaited;
    body->has_come = false;
}

static Process *join(Process *me) {
    Body *body = body_of(me);
    body->is_in_par = false;
    save(me, AWAITS_BRANCHES);
    if (fault != FAULT_LATE_WAITER) {
        return rt_join(me, &body->join, &site);
    }
    Worker *worker = me->worker;
    if (atomic_add(&body->join.count, -1) == 1) {
        return me;
    }
    rt_atomic_point();
    body->join.waiter = me;
    return rt_scheduler_next(worker);
}

static Process *sleep_for_a_while(Process *me) {
    Body *body = body_of(me);
    save(me, AWAITS_TIME);
    int32_t deadline = (int32_t)(machine.now_ns / NS_PER_US) + (int32_t)choose(NAP_US);
    body->due = (Ticks){deadline + 1};
    return rt_timer_wait(me, deadline, &site);
}

/* As rt_blocking_call. */
static Process *call(Process *me) {
    Worker *worker = me->worker;
    save(me, AWAITS_CALL);
    (void)atomic_add(&rt_root.outside, 1u);
    return rt_scheduler_next(worker);
}

static void come(Process *me) {
    Body *body = body_of(me);
    fibre_check(!body->runs && body->awaited == AWAITS_SISTER && !body->has_come);
    body->has_come = true;
}

/* Solo by plain operations, in two steps. NULL: she was there. */
static Process *meet(Process *me) {
    Body *body = body_of(me);
    Worker *worker = me->worker;
    uintptr_t *channel = body->channel;
    bool is_solo = worker_is_solo(worker);
    uintptr_t sister = atomic_get_acquire(channel);
    body->meetings--;
    if (sister == 0) {
        save(me, AWAITS_SISTER);
        if (is_solo) {
            rt_atomic_point();
            fibre_check(*channel == 0);
            *channel = (uintptr_t)me;
            return park(worker, me);
        }
        if (atomic_cas(channel, &sister, (uintptr_t)me)) {
            return rt_scheduler_next(worker);
        }
        body->runs = true;
    }
    atomic_set_release(channel, 0);
    come((Process *)sister);
    solo_meet(worker, me, (Process *)sister);
    if (is_solo) {
        runqueue_append(worker, (Process *)sister);
    } else {
        rt_scheduler_ready(worker, (Process *)sister);
    }
    return NULL;
}

static void touch(const Worker *worker) {
    if (worker_is_solo(worker)) {
        int count = play.count;
        rt_atomic_point();
        play.count = count + 1;
    } else {
        (void)atomic_add(&play.count, 1);
    }
    play.changes++;
}

/* A loop that looks at each back-edge. NULL: nobody asks for the worker. */
static Process *compute(Process *me) {
    machine.now_ns += choose(2000);
    machine.cpu_ns[fibres.current] += 1000;
    rt_atomic_point();
    if ((me->worker->mode & MODE_URGENT) == 0) {
        return NULL;
    }
    save(me, AWAITS_NOTHING);
    return rt_yield(me);
}

/* The program waits for it. */
static void fork_process(Process *me) {
    Process *process = take_block();
    if (process == NULL) {
        return;
    }
    Worker *worker = me->worker;
    Body *body = body_of(process);
    body->depth = DEPTH_MAX;
    body->operations = 1 + (int)choose(3);
    process->sp = process;
    process->join = &program_join;
    if (worker_is_solo(worker) || fault == FAULT_PLAIN_FORK) {
        int64_t count = program_join.count;
        rt_atomic_point();
        program_join.count = count + 1;
    } else {
        (void)atomic_add(&program_join.count, 1);
    }
    runqueue_append(worker, process);
}

static Process *operate(Process *me) {
    Body *body = body_of(me);
    bool begins_par = body->depth == 0 || (!play.is_fine && choose(8) == 0);
    switch (begins_par ? 4 : play.is_fine ? 7 * (choose(8) == 0) : choose(8)) {
    case 0: save(me, AWAITS_NOTHING); return rt_reschedule(me);
    case 1: return sleep_for_a_while(me);
    case 2: return compute(me);
    case 3: return call(me);
    case 4:
        if (body->depth < (play.is_fine ? 1 : DEPTH_MAX)) {
            start_branches(me);
            body->is_in_par = true;
            return NULL;
        }
        break;
    case 5: save(me, AWAITS_NOTHING); return rt_priority_set(me, (int32_t)choose(2));
    case 6: fork_process(me); break;
    default: break;
    }
    touch(me->worker);
    return NULL;
}

/* One step of the process that runs. NULL: it goes on. */
static Process *step(Worker *worker, Process *me) {
    Body *body = body_of(me);
    machine.cpu_ns[fibres.current] += play.is_fine && !worker_is_solo(worker) ? 10
                                      : choose(4) == 0                        ? 50000
                                                                              : 100;
    if (body->computes && body->parent->branches > 1) {
        return compute(me);
    }
    if (body->is_in_par && choose(3) != 0) {
        save(me, AWAITS_NOTHING);
        return rt_reschedule(me);
    }
    if (body->is_in_par) {
        return join(me);
    }
    if (body->meetings > 0 && (body->operations == 0 || choose(2) == 0)) {
        return meet(me);
    }
    if (body->operations > 0) {
        body->operations--;
        return operate(me);
    }
    if (body->is_stuck) {
        save(me, AWAITS_THE_END);
        return park(worker, me);
    }
    save(me, AWAITS_NOTHING);
    return rt_process_end(me);
}

static void resume(Worker *worker, Process *me) {
    Body *body = body_of(me);
    fibre_check(body->is_alive && !body->runs && me->worker == worker);
    fibre_check(body->awaited != AWAITS_THE_END);
    fibre_check(body->awaited != AWAITS_BRANCHES || body->branches == 0);
    fibre_check(body->awaited != AWAITS_TIME || machine.now_ns / NS_PER_US >= body->due.us);
    fibre_check((body->awaited != AWAITS_SISTER && body->awaited != AWAITS_CALL) || body->has_come);
    body->runs = true;
    body->has_come = false;
}

/* The thread of a worker: main's in the first place. */
void rt_arch_enter(Process *main_process, Process *first) {
    Worker *worker = main_process->worker;
    Process *next = first;
    while (next != &rt_root.worker.main_process) {
        Process *me = next;
        resume(worker, me);
        do {
            check_solo(worker);
            next = step(worker, me);
        } while (next == NULL);
    }
    end();
}

/* ---- the threads ---- */

static void be_main(int number) {
    (void)number;
    Worker *worker = &rt_root.worker;
    rt_arch_enter(&worker->main_process, runqueue_take(worker));
}

static void be_clock(int number) {
    (void)number;
    clock_go_on(&play.random, play.is_fine ? TICK_NS / 50 : TICK_NS);
}

/* As serve in foreign.c. */
static void be_outside(int number) {
    (void)number;
    for (;;) {
        rt_atomic_point();
        Process *process = &play.processes[choose(PROCESSES)];
        Body *body = body_of(process);
        if (!body->is_alive || body->runs || body->awaited != AWAITS_CALL || body->has_come) {
            continue;
        }
        if (fault == FAULT_LEAVES_FIRST) {
            (void)atomic_add(&rt_root.outside, UINT32_MAX);
            rt_atomic_point();
        }
        body->has_come = true;
        bool is_waited_for = sharing_put(process);
        bool was_last =
            fault != FAULT_LEAVES_FIRST && atomic_add(&rt_root.outside, UINT32_MAX) == 1;
        if (is_waited_for || was_last) {
            sharing_ring();
        }
    }
}

/* ---- tests ---- */

static void set_up(uint64_t seed) {
    memset(&play, 0, sizeof play);
    random_seed(&play.random, seed);
    machine_begin(seed, 1 + (unsigned)choose(MACHINE_WORKERS));
    machine.has_no_alarm = fault == FAULT_NO_ALARM;
    machine.bell_is_silent = fault == FAULT_SILENT_POST;
    machine.refuses_threads = seed % 8 == 0;
    play.is_fine = seed % 64 == 1;
    Worker *worker = &rt_root.worker;
    Process *root = take_block();
    root->sp = root;
    root->join = &program_join;
    body_of(root)->operations = play.is_fine ? 1 : ROUNDS;
    program_join = (Join){1, &worker->main_process};
    runqueue_append(worker, root);
}

static void run(uint64_t seed, bool is_stuck) {
    set_up(seed);
    play.is_stuck = is_stuck;
    play.bodies[0].is_stuck = is_stuck;
    fibre_add(be_main);
    for (unsigned number = 1; number < rt_root.worker_count; number++) {
        fibre_add(machine_be_thread);
    }
    fibre_add(be_clock);
    fibre_add(be_outside);
    fibre_run(seed);
    fibre_check(play.has_ended && play.count == play.changes);
    fibre_check(deadline_queue_is_empty(&rt_root.deadlines));
    deadline_queue_free(&rt_root.deadlines);
}

static void test_sharing__everybody_comes_to_his_end(uint64_t seed) {
    run(seed, false);
}

static void test_sharing__a_deadlock_is_found(uint64_t seed) {
    run(seed, true);
}

/* Two workers, of which the first is alone, and that many ready: 0, 1 ... */
static Worker *set_up_alone(int ready) {
    set_up(1);
    rt_root.worker_count = 2;
    activity_init(&rt_root.activity, 2);
    play.is_fine = true;
    Worker *worker = &rt_root.worker;
    worker->head = NULL;
    for (int i = 0; i < ready; i++) {
        runqueue_append(worker, &play.processes[i]);
    }
    return worker;
}

/* A sample of fine processes: as many ready as are said, which meet in that many parts. */
static void sample(int ready, int parts) {
    Worker *worker = set_up_alone(ready);
    solo_begin_sample(worker);
    for (int i = 0; i < TRIAL_PARKS; i++) {
        solo_meet(worker, &play.processes[i % parts], &play.processes[i % parts + parts]);
        if (worker_is_solo(worker)) {
            solo_sample(worker);
        }
    }
}

static void test_sharing__parts_that_do_not_meet_are_tried(void) {
    sample(4, 2);
    fibre_check(!worker_is_solo(&rt_root.worker));
    sample(4, 1);
    fibre_check(worker_is_solo(&rt_root.worker));
    sample(1, 2);
    fibre_check(worker_is_solo(&rt_root.worker));
    sample(TRIAL_READY, 1);
    fibre_check(worker_is_solo(&rt_root.worker));
    fibre_check((rt_root.worker.mode & MODE_SAMPLE) == 0 && rt_root.trial.next_ns > 0);
    sample(TRIAL_READY, 3);
    fibre_check(!worker_is_solo(&rt_root.worker));
}

/* Ready are 0, 1, 2, 3; 0 and 2 belong together, as 1 and 3 do: the other worker is offered two of
 * a part. */
static void test_sharing__a_part_goes_together(void) {
    sample(4, 2);
    void *batch;
    fibre_check(deque_steal(&rt_root.worker.batches, &batch) == DEQUE_GOT);
    const Process *first = batch_first(batch);
    fibre_check(first == &play.processes[0] && first->next == &play.processes[2]);
    fibre_check(first->next->next == NULL);
    fibre_check(rt_root.worker.head == &play.processes[1]);
    fibre_check(rt_root.worker.head->next == &play.processes[3]);
}

/* Idle again and again before a sample is over: then there are few. */
static void test_sharing__who_rests_often_is_seldom_timed(void) {
    set_up(1);
    rt_root.worker_count = 2;
    activity_init(&rt_root.activity, 2);
    Worker *worker = &rt_root.worker;
    int samples = 0;
    for (int rest = 0; rest < 4 * FINE_RESTS; rest++) {
        solo_resume(worker);
        samples += (worker->mode & MODE_SAMPLE) != 0;
        solo_sample(worker);
    }
    fibre_check(samples >= 4 && samples <= FINE_SAMPLES_MAX + 4);
}

/* The program goes back when C is entered too often, as measured by what its parks took alone. */
static void test_sharing__a_trial_knows_how_fine_it_was(void) {
    enum { PARK_NS = 100 };
    Worker *worker = set_up_alone(4);
    solo_begin_sample(worker);
    for (int i = 0; i < TRIAL_PARKS; i++) {
        machine.cpu_ns[0] += PARK_NS;
        solo_meet(worker, &play.processes[i % 2], &play.processes[i % 2 + 2]);
        solo_sample(worker);
    }
    fibre_check(!worker_is_solo(worker) && rt_root.trial.back_ns == TRIAL_FACTOR * PARK_NS);
    sample(4, 2); /* of hardly any time */
    fibre_check(!worker_is_solo(worker) && rt_root.trial.back_ns == GRAIN_BACK_NS);
}

/* A branch that waits for somebody to take it is worth a trial, whoever meets whom. */
static void test_sharing__branches_that_wait_are_tried(void) {
    Worker *worker = set_up_alone(0);
    worker->deferred = &play.processes[0];
    worker->deferred->next = NULL;
    solo_begin_sample(worker);
    for (int i = 0; i < SAMPLE_PARKS && worker_is_solo(worker); i++) {
        solo_sample(worker);
    }
    fibre_check(!worker_is_solo(worker));
    void *batch;
    fibre_check(deque_steal(&worker->batches, &batch) == DEQUE_GOT && batch_is_branch(batch));
    fibre_check(batch_first(batch) == &play.processes[0]);
}

/* As many batches as there is room for, and no more. */
static Worker *set_up_full(int ready) {
    Worker *worker = set_up_alone(ready);
    int count = 0;
    while (deque_push(&worker->batches, &play.processes[PROCESSES - 1])) {
        count++;
    }
    fibre_check(count == DEQUE_ENTRIES);
    return worker;
}

static void test_sharing__what_finds_no_room_stays(void) {
    Worker *worker = set_up_full(3);
    fibre_check(!split(worker) && worker->tail == &play.processes[2]);
    for (int i = 0; i < 3; i++) {
        fibre_check(runqueue_take(worker) == &play.processes[i]);
    }
    worker = set_up_full(0);
    worker->deferred = &play.processes[0];
    worker->deferred->next = NULL;
    fibre_check(!give_branch(worker));
    fibre_check(deferred_take_newest(worker) == &play.processes[0] && deferred_is_empty(worker));
}

/* Who is fine, and not the lowest who is active, hands over all it has, batches and branches too,
 * and goes to sleep; whoever stays finds it without having been rung for. */
static void test_sharing__who_retires_hands_everything_over(void) {
    Worker *worker = set_up_alone(3);
    activity_leave_solo(&rt_root.activity);
    rt_root.activity.word &= ~(uint64_t)3; /* both are active */
    Worker *other = &machine.workers[0];
    worker_add(other, 1);
    rt_root.bell = -1; /* nobody waits in the kernel */
    for (int i = 0; i < 3; i++) {
        runqueue_append(other, runqueue_take(worker));
    }
    fibre_check(split(other)); /* 0 and 1 */
    fibre_check(other->head == &play.processes[2]);
    play.processes[3].next = NULL;
    other->deferred = &play.processes[3];
    worker->grain.is_fine = other->grain.is_fine = true;
    review(other);
    fibre_check(other->retires && other->head == NULL && !machine.bell);
    fibre_check(deque_is_empty(&other->batches) && deferred_is_empty(other));
    sharing_take_inbox(worker);
    bool has_come[4] = {false};
    for (int i = 0; i < 4; i++) {
        has_come[runqueue_take(worker) - play.processes] = true;
    }
    fibre_check(has_come[0] && has_come[1] && has_come[2] && has_come[3] && worker->head == NULL);
}

static void test_sharing__the_harness_finds(Fault control) {
    pid_t child = fork();
    if (child == 0) {
        fibre_check(freopen("/dev/null", "w", stderr) != NULL);
        fault = control;
        fibre_each_seed(test_sharing__everybody_comes_to_his_end, SEEDS);
        _exit(0);
    }
    int status = 0;
    (void)waitpid(child, &status, 0);
    fibre_check(WIFSIGNALED(status));
}

int main(void) {
    test_sharing__parts_that_do_not_meet_are_tried();
    test_sharing__a_part_goes_together();
    test_sharing__who_rests_often_is_seldom_timed();
    test_sharing__a_trial_knows_how_fine_it_was();
    test_sharing__branches_that_wait_are_tried();
    test_sharing__what_finds_no_room_stays();
    test_sharing__who_retires_hands_everything_over();
    fibre_each_seed(test_sharing__everybody_comes_to_his_end, SEEDS);
    fibre_each_seed(test_sharing__a_deadlock_is_found, SEEDS);
    for (Fault control = FAULT_NO_ALARM; control <= FAULT_PLAIN_FORK; control++) {
        test_sharing__the_harness_finds(control);
    }
    return 0;
}
