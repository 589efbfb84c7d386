/* foreign -- the threads of blocking calls. See foreign.h. */
#include "foreign.h"

#include "error.h"
#include "gate.h"
#include "lock.h"
#include "machines.h"
#include "os.h"
#include "scheduler.h"
#include "sharing.h"
#include "standstill.h"
#include "world.h"

typedef void Thunk(void *record);

/* The first words of the record of a call. */
typedef struct ForeignJob {
    struct ForeignJob *next;
    Process *process;
    void *function;
    const void *handle; /* the channel that KILLCALL gets; or NULL */
} ForeignJob;

/* A call with a handle, on the stack of its thread. */
typedef struct RunningCall {
    struct RunningCall *next;
    const void *handle;
    Process *process;
    OsThread thread;
    bool is_killed;
} RunningCall;

enum { IDLE_NS = 1000000000 };

/* The threads have no worker, so what they share is here. */
static struct {
    Lock lock;
    ForeignJob *first;
    ForeignJob *last;
    uint32_t idle;         /* threads that wait for a job */
    uint32_t threads;      /* all */
    bool somebody_comes;   /* a thread has been woken or started, and has not looked yet */
    uint32_t turn;         /* futex: changed when one is called */
    RunningCall *running;  /* those with a handle */
    uint64_t taken;        /* jobs */
    uint64_t taken_before; /* when a thread could not be started last */
} pool;

static Thunk *thunk_of(void *function) {
    Thunk *thunk;
    __builtin_memcpy(&thunk, &function, sizeof thunk);
    return thunk;
}

void rt_foreign_call(Process *me, void *function, void *record) {
    Worker *worker = me->worker;
    gate_note_limit(worker, EXPLORE_LIMIT_C);
    if (rt_root.machines != NULL) {
        rt_root.machines->flush(worker);
    }
    if (worker_is_solo(worker)) {
        thunk_of(function)(record);
        return;
    }
    standstill_allow(worker, me);
    thunk_of(function)(record);
    standstill_forbid(worker);
}

/* ---- the threads ---- */

typedef enum Help { HELP_NONE, HELP_WAKE, HELP_START } Help;

/* With the lock: does the job that is first need another thread? While one comes no other is
 * called: jobs that are short are done by few threads, and none waits behind one that blocks. */
static Help help_wanted(void) {
    if (pool.first == NULL || pool.somebody_comes) {
        return HELP_NONE;
    }
    pool.somebody_comes = true;
    (void)atomic_add(&pool.turn, 1u);
    pool.threads += pool.idle == 0;
    return pool.idle > 0 ? HELP_WAKE : HELP_START;
}

static void start_thread(bool is_retry);

/* Without the lock. */
static void call_help(Help help) {
    if (help == HELP_WAKE) {
        os_futex_wake(&pool.turn, 1);
    } else if (help == HELP_START) {
        start_thread(false);
    }
}

/* With the lock; NULL: for a while there was none. */
static ForeignJob *take_job(void) {
    bool has_waited = false;
    while (pool.first == NULL && !has_waited) {
        uint32_t turn = atomic_get_relaxed(&pool.turn);
        int64_t until = os_clock_ns() + IDLE_NS;
        pool.idle++;
        lock_release(&pool.lock);
        os_futex_wait(&pool.turn, turn, IDLE_NS);
        lock_take(&pool.lock);
        pool.idle--;
        pool.somebody_comes = false;
        has_waited = os_clock_ns() >= until;
    }
    ForeignJob *job = pool.first;
    if (job != NULL) {
        pool.first = job->next;
        pool.taken++;
    }
    return job;
}

/* The process goes on; its record is not touched any more. */
static void hand_back(Process *process) {
    bool is_waited_for = sharing_put(process);
    bool was_last = atomic_add(&rt_root.outside, UINT32_MAX) == 1; /* never neither */
    if (is_waited_for || was_last) {
        sharing_ring(); /* who waits for the last call may have taken the inbox before */
    }
}

/* With the lock. */
static void forget_running(const RunningCall *call) {
    RunningCall **link = &pool.running;
    while (*link != call) {
        link = &(*link)->next;
    }
    *link = call->next;
}

/* The call has been killed: its thread ends after this. */
static void end_killed(void *argument) {
    RunningCall *call = argument;
    lock_take(&pool.lock);
    forget_running(call);
    pool.threads--;
    lock_release(&pool.lock);
    hand_back(call->process);
}

/* False: KILLCALL came too late, but has told the thread to end. */
static bool run_killable(ForeignJob *job) {
    RunningCall call = {
        .handle = job->handle, .process = job->process, .thread = os_thread_handle()};
    lock_take(&pool.lock);
    call.next = pool.running;
    pool.running = &call;
    lock_release(&pool.lock);
    os_call_killable(thunk_of(job->function), job, end_killed, &call);
    lock_take(&pool.lock);
    forget_running(&call);
    lock_release(&pool.lock);
    return !call.is_killed;
}

/* The thread takes no job after a call that was to be killed: the next would be instead. */
static void *serve(void *argument) {
    (void)argument;
    os_thread_forbid_kill();
    bool goes_on = true;
    lock_take(&pool.lock);
    pool.somebody_comes = false;
    ForeignJob *job;
    while (goes_on && (job = take_job()) != NULL) {
        Help help = help_wanted();
        lock_release(&pool.lock);
        call_help(help);
        Process *process = job->process;
        if (job->handle != NULL) {
            goes_on = run_killable(job);
        } else {
            thunk_of(job->function)(job);
        }
        hand_back(process);
        lock_take(&pool.lock);
    }
    pool.threads--;
    lock_release(&pool.lock);
    return NULL;
}

/* ---- KILLCALL ---- */

/* With the lock: one that no thread has taken; it is none any more. */
static ForeignJob *take_waiting(const void *handle) {
    ForeignJob *before = NULL;
    for (ForeignJob *job = pool.first; job != NULL; before = job, job = job->next) {
        if (job->handle != handle) {
            continue;
        }
        if (before == NULL) {
            pool.first = job->next;
        } else {
            before->next = job->next;
        }
        pool.last = job->next == NULL ? before : pool.last;
        return job;
    }
    return NULL;
}

int32_t rt_kill_call(Process *me, void *channel) {
    (void)me;
    lock_take(&pool.lock);
    ForeignJob *waiting = take_waiting(channel);
    RunningCall *call = waiting == NULL ? pool.running : NULL;
    while (call != NULL && (call->handle != channel || call->is_killed)) {
        call = call->next;
    }
    if (call != NULL) {
        call->is_killed = true;
        os_thread_kill(call->thread);
    }
    lock_release(&pool.lock);
    if (waiting != NULL) {
        hand_back(waiting->process);
    }
    return waiting != NULL || call != NULL ? 0 : -1;
}

static void retry(void);

/* A job without a thread waits for one that is busy now; the first must have one. But all may be
 * busy for ever, say reading what only the job would write: so if the program has nothing to do, no
 * job is taken meanwhile, and still no thread can be started, that is the end. */
static void start_thread(bool is_retry) {
    OsCpus all = {rt_root.cpus, rt_root.cpu_count}; /* the caller may be pinned */
    if (os_thread_start_for_c(serve, NULL, &all)) {
        return;
    }
    lock_take(&pool.lock);
    pool.somebody_comes = false;
    bool is_stuck = --pool.threads == 0 || (is_retry && pool.taken == pool.taken_before);
    pool.taken_before = pool.taken;
    Process *first = pool.first != NULL && is_stuck ? pool.first->process : NULL;
    lock_release(&pool.lock);
    if (first != NULL) {
        rt_error_at(first, ERROR_NO_THREAD, first->wait, 0, 0, 0);
    }
    atomic_set_release(&rt_root.starved, retry);
}

/* By a worker that has waited. */
static void retry(void) {
    lock_take(&pool.lock);
    Help help = help_wanted();
    lock_release(&pool.lock);
    atomic_set_release(&rt_root.starved, NULL);
    if (help == HELP_START) {
        start_thread(true);
    } else {
        call_help(help);
    }
}

static void submit(ForeignJob *job) {
    lock_take(&pool.lock);
    if (pool.first == NULL) {
        pool.first = job;
    } else {
        pool.last->next = job;
    }
    pool.last = job;
    Help help = help_wanted();
    lock_release(&pool.lock);
    call_help(help);
}

/* ---- abi.def ---- */

/* False: there is none, for no descriptor is left. */
static bool make_bell(Worker *worker) {
    world_enter(worker);
    if (rt_root.bell < 0 && readiness_prepare(&rt_root.readiness)) {
        int bell = os_bell_create();
        if (bell >= 0) {
            readiness_hear(&rt_root.readiness, bell);
            rt_root.bell = bell;
        }
    }
    bool has_bell = rt_root.bell >= 0;
    world_leave(worker);
    return has_bell;
}

Process *rt_blocking_call(Process *me, void *function, void *record, const Site *site) {
    Worker *worker = me->worker;
    if (!make_bell(worker)) {
        rt_foreign_call(me, function, record); /* better late for all than never for one */
        return me;
    }
    ForeignJob *job = record;
    job->next = NULL; /* the handle is there */
    job->process = me;
    job->function = function;
    process_waits(me, site, NULL);
    process_carries(me, NULL);
    (void)atomic_add(&rt_root.outside, 1u);
    submit(job); /* from here on another worker may run me */
    return rt_scheduler_next(worker);
}
